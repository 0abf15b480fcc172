"""English patterns for `asked`: places, definitions, clauses, facts, sets of documents and kinds of answers.

Every repetition is bounded, so that no question takes long.
"""

import re

_FLAGS = re.IGNORECASE


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, _FLAGS)


# Documents

DOCUMENT_NOUNS = frozenset(
    (
        *("agreement", "contract", "document", "lease", "sublease", "nda", "mnda", "msa", "sow", "dpa", "spa", "apa"),
        *("deal", "deed", "policy", "license", "licence", "note", "plan", "letter", "order", "judgment", "judgement"),
        *("opinion", "ruling", "decision", "case", "amendment", "guaranty", "guarantee", "memorandum", "notice"),
        *("statement", "act", "code", "regulation", "directive", "gdpr", "treaty", "constitution", "statute", "bill"),
        *("mortgage", "settlement", "template", "form", "indenture", "bylaws", "handbook", "terms", "complaint"),
        *("agrement", "agreemnt", "contracts", "agreements", "policies", "conditions", "file", "text", "pdf"),
    )
)
OTHER_DOCUMENT = _words(
    "original earlier prior previous other underlying existing main separate old older former related another"
    " preceding ancillary target targets seller sellers"
)
"""Words that say that a document is not the one at hand."""
GLUE = _words(
    "of in from under to for within on at per between the this that our my your their its a an and & / with by dated"
    " as vs v among signed no new re de la"
)
OPENS_DOCUMENT = _words("of in from under to within between per")
"""Words that say in which document something stands."""
VERBISH = _words(
    "is are was were be been being am does do did can could may might must shall should will would has have had having"
    " if when whenever how what who whom whose which whether where why unless because but not n't get gets getting"
    " survive survives apply applies terminate terminates end ends happen happens pay pays breach breached"
    " changed require requires allow allows need needs i we you they he she me us them him"
)
"""Words that never stand inside the name of a document in a look-up."""

_NOUN = (
    r"(?:agreement|contract|document|deal|lease|policy|case|judge?ment|opinion|order|decision|ruling|complaint|motion"
    r"|lawsuit|suit|matter|appeal|instrument|deed|licen[cs]e|file|pdf|paper|text)"
)
DOCUMENT = (
    rf"(?:this(?:\s+(?:\w+\s+)?(?:{_NOUN}|nda|amendment|letter|plan|note|notice|form|thing))?|it|that\s+{_NOUN}"
    rf"|(?:the|our)\s+{_NOUN}"
    rf"|(?-i:(?:[Tt]he|[Oo]ur)\s+(?:[\w&/.,'$-]+\s+){{0,5}}?[A-Z][\w&/.,'-]*\s+(?:[\w&/.,'$-]+\s+){{0,6}}?){_NOUN}"
    r"|(?-i:[A-Z][\w.&'-]*(?:\s[\w.,&'-]+){0,6}?\sv\.?\s[A-Z][\w.&'-]*(?:(?:\s(?:n|of|and|&"
    r"|ex\srel\.?))?\s[A-Z][\w.&'-]*){0,5}))"
)
"""The document at hand, or one by its name."""

# Looking something up

_POLITE = (
    r"(?:(?:please|pls|plz|hi|hello|hey|ok|okay|so|just|and|kindly)\b[,\s]+){0,3}"
    r"(?:(?:can|could|would|will)\s+(?:you|i)\s+(?:please\s+|just\s+)?"
    r"|i(?:'d|\s+would)?\s+(?:want|need|like)\s+(?:you\s+)?to\s+|let\s+me\s+|let's\s+)?"
)
_SHOW = (
    r"(?:(?:show|read|give|get|find|send|quote|pull|bring|open|display|print|cite|see|view|look|go|jump|take|locate"
    r"|fetch|recite|reproduce|copy|summari[sz]e|explain|describe|tell|paste|see|check|search|need|want)"
    r"(?:\s+(?:me|us))?(?:\s+(?:up|out|back|at|to|about|for))?(?:\s+what)?\s+)"
)
_WHAT = (
    r"(?:what(?:'s|s|\s+(?:does|do|did|is|are|was|were))?\s+(?:(?:stated\s+|written\s+)?(?:in|inside|under"
    r"|within)\s+)?"
    r"|where(?:'s|\s+(?:is|are|can\s+i\s+(?:find|see)|do\s+i\s+find|does\s+it\s+have))\s+"
    r"|i\s+(?:need|want)\s+|i'd\s+like\s+|is\s+there\s+)"
)
_DETERMINERS = (
    r"(?:(?:the|a|an|any|its|their|our|all|full|exact|entire|complete|whole|actual|precise|relevant)\s+){0,3}"
)
_TEXT_OF = r"(?:(?:text|wording|language|contents?|terms|words|copy|summary)\s+(?:of|in)\s+(?:the\s+)?)?"
FRAME = rf"\W{{0,3}}{_POLITE}(?:{_SHOW}|{_WHAT})?{_DETERMINERS}{_TEXT_OF}"
ONLY_FRAME = _compiled(FRAME)
"""What may precede a thing looked up: "could you show me the text of the"."""
POLITE = _compiled(rf"\W{{0,3}}{_POLITE}")
SAYS = (
    r"(?:\s+(?:says?|said|provides?(?:\s+for)?|states?|contains?|covers?|requires?|means?|sets?\s+out|includes?"
    r"|reads?"
    r"|looks?\s+like|governs?|deals?\s+with|address(?:es)?|regulates?|stipulates?|entails?|(?:all\s+)?about))?"
)
PLACE_MARK = "\x01"
PLACES_TOGETHER = _compiled(
    rf"{PLACE_MARK}(?:[\s,;/–-]{{0,3}}(?:(?:and|or|&|to|through|of|in|under)\s+)?(?:the\s+)?{PLACE_MARK}){{1,20}}"
)
PLACE_LOOKUP = _compiled(rf"{FRAME}{PLACE_MARK}{SAYS}(?P<rest>.{{0,300}})")
CLOSING = _compiled(
    r"(?:[\s,]+(?:please|pls|plz|thanks|thank\s+you|now|again|here|exactly|verbatim|word\s+for\s+word"
    r"|in\s+full))*[\s?.!,;:]*$"
)
NOT_A_NAME = _words(
    "survival survive survives amendment amended breach breached violation exceptions exception applicability"
    " enforceable waiver waived conflict conflicts default compliance deadline consent liability"
)
"""Topics that after a place ask something of it, rather than say whose place it is."""

# Places

PLACE_WORDS: dict[str, str] = {
    **dict.fromkeys(
        ("section", "sec", "sect", "s", "ss", "§", "§§", "clause", "cl", "subsection", "subclause"), "section"
    ),
    **dict.fromkeys(("paragraph", "para", "par", "¶", "¶¶", "subparagraph"), "paragraph"),
    **dict.fromkeys(("article", "art"), "article"),
    **dict.fromkeys(("schedule", "sched", "sch"), "schedule"),
    **dict.fromkeys(("exhibit", "exh", "ex"), "exhibit"),
    **dict.fromkeys(("annex", "annexe", "annexure"), "annex"),
    **dict.fromkeys(("appendix", "appendice", "app"), "appendix"),
    **dict.fromkeys(("attachment", "att"), "attachment"),
    **dict.fromkeys(("addendum", "addenda"), "addendum"),
    **dict.fromkeys(("part", "pt"), "part"),
    **dict.fromkeys(("chapter", "ch"), "chapter"),
    **dict.fromkeys(("recital",), "recitals"),
}
"""What people write for a place, in the singular and without its dot, and the word it stands for."""
_ONE_TO_TWENTY = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
NUMBER_WORDS = {word: str(at) for at, word in enumerate(_ONE_TO_TWENTY, start=1)}
ORDINALS = {
    word: str(at)
    for at, word in enumerate(
        (*("first", "second", "third", "fourth", "fifth"), *("sixth", "seventh", "eighth", "ninth", "tenth")), start=1
    )
}
ORDINAL_PLACE = _compiled(
    rf"(?<![\w-])(?P<ordinal>{'|'.join(ORDINALS)})\s+(?P<word>schedule|annex|appendix|exhibit)(?![\w-])"
)
"""The First Schedule."""
_BRACKETS = r"(?:\s?\((?:[ivxl]{1,5}|[a-z]{1,2}|\d{1,3})\)){0,5}"
_DIGITS = rf"\d{{1,4}}(?:\.\d{{1,4}}){{0,5}}(?:[a-z](?![a-z0-9]))?{_BRACKETS}"
_NUMBER = (
    rf"(?:{_DIGITS}|[a-z]{{1,2}}[-.]?\d{{1,3}}(?:[-.]\d{{1,3}}){{0,2}}{_BRACKETS}(?!\w)"
    rf"|(?:[ivxl]{{1,7}}|[a-z]{{1,2}}|{'|'.join(NUMBER_WORDS)})(?!\w){_BRACKETS}|\((?:[ivxl]{{1,5}}|[a-z]"
    rf"|\d{{1,3}})\))"
)
PLACE = _compiled(
    r"(?P<word>§{1,2}|¶{1,2}|(?<![\w'&$.-])(?:(?:sub-?)?(?:sections?|clauses?|paragraphs?)|sect?s?\.?|ss?\.?|cls?\.?"
    r"|paras?\.?|pars?\.|articles?|arts?\.?|schedules?|scheds?\.?|sch\.?|exhibits?|exhs?\.?|ex\.?|annex(?:es?|ures?)?"
    r"|appendix|appendices|app\.|attachments?|att\.|addend(?:um|a)|parts?|pts?\.?|chapters?|chs?\.?|recitals?))"
    rf"(?P<gap>\s{{0,2}}(?:(?:no|nr|number)\b\.?\s{{0,2}}|\#\s?)?)(?P<number>{_NUMBER})"
)
ANOTHER = _compiled(
    rf"(?P<join>\s?[,/]\s?(?:and\s+|or\s+)?|\s+(?:and|or|&|to|through)\s+|\s?[-–]\s?)(?P<number>{_NUMBER})"
)
"""A further number after a place: "Sections 3.1, 3.2 and 4"."""
ROMAN = re.compile(r"(?=.)(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})", _FLAGS)
UNIT = _compiled(
    r"\s?(?:%|(?:percent|per\s+cent|(?:business|working|calendar|trading)\s+days?|days?|weeks?|months?|years?|hours?"
    r"|minutes?|times|million|billion|thousand|hundred|dollars|euros?|usd|eur|gbp|shares|people|employees|users|pages"
    r"|copies|units|nm|mm|kg|meetings)\b)"
)
"""What follows a number that counts something."""
AFTER_LETTER = _compiled(
    r"\s*(?:$|[?.!,;:)\]\"'/–-]|(?:of|to|in|from|under|and|or|says?|means?|mean|about|please|contains?|provides?"
    r"|states?"
    r"|covers?|appl(?:y|ies)|survives?|requires?|is|are|was|list|lists|listed|sets?)\b)"
)
"""What may follow a letter or a word that is the number of a place."""
STATUTORY = {
    "section": _words("409A 280G 4999 162(m) 83(b) 365(n) 338(h)(10) 368(a) 401(k) 403(b) 501(c)(3) 1031 1060 1445"),
    "schedule": _words("13D 13G 13E 13E-3 14A 14C 14D 14D-9 14N K-1"),
}
"""Sections of well-known statutes and forms: they are topics, not places in a document."""
BANKRUPTCY = _compiled(
    r"\bonce\b|\bout\s+of\b|\binto\b|bankrupt|insolven|petition|debtor|\bfil(?:e[sd]?|ing)\b|reorgani[sz]|\bemerge"
)
PATENT_CHALLENGE = _compiled(r"\s+(?:patent|certif|litigation|notice|filing|challenge)")
NAMED_PLACES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "recitals",
        _compiled(
            r"(?<![\w-])(?:recitals?(?:\s+section)?|whereas\s+(?:clause|recital"
            r"|section)s?)(?![\w-])"
        ),
    ),
    ("preamble", _compiled(r"(?<![\w-])preambles?(?![\w-])")),
    ("signature", _compiled(r"(?<![\w-])signature\s+(?:page|block|section)s?(?![\w-])")),
    (
        "definitions",
        _compiled(
            r"(?<![\w-])(?:definitions?|defined[-\s]terms|interpretation)\s+(?:section|clause|article|part|page"
            r"|provision)"
            r"s?(?![\w-])"
        ),
    ),
)
ALONE: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("definitions", _compiled(rf"{FRAME}(?:definitions|defined\s+terms)(?P<rest>.{{0,300}})")),
    ("signature", _compiled(rf"{FRAME}(?:signatures)(?P<rest>.{{0,300}})")),
    *(
        (word, _compiled(rf"\W{{0,3}}{_POLITE}{_SHOW}?(?:the\s+)?{word}(?P<rest>.{{0,300}})"))
        for word in ("schedule", "annex", "appendix", "exhibit")
    ),
    ("recitals", _compiled(rf"{FRAME}(?:whereas|background\s+section)(?P<rest>.{{0,300}})")),
)
"""Places whose names are ordinary words elsewhere: only where nothing else is asked."""
BARE_NUMBER = _compiled(
    rf"{FRAME}(?P<number>\d{{1,3}}(?:\.\d{{1,3}}){{1,4}}{_BRACKETS}|\d{{1,3}}(?:\((?:[ivxl]{{1,5}}|[a-z])\)){{1,3}})"
    rf"{SAYS}(?P<rest>.{{0,60}})"
)
"""A section by its number alone: "7.2(b)", "what does 7.2 say"."""

# Definitions

_QUOTED = r"\"(?P<double>[^\"]{1,80})\"|(?<!\w)'(?P<single>[^']{1,80})'(?!\w)"
_BARE = r"(?P<bare>\w[\w\s&/,.'()%-]{0,80}?)"
_CAPITALS = r"(?P<bare>(?-i:[A-Z][\w&'-]*(?:(?:\s+(?:of|in|and|or|to|for|the|on|at)){0,2}\s+[A-Z][\w&'-]*){0,6}))"
_TERM = (
    rf"(?:(?:the\s+)?(?:terms?|words?|phrases?|expressions?)\s+)?(?:(?:the"
    rf"|an?)\s+)?(?:(?:[\w-]+'s\s+)?(?:{_QUOTED})|{_BARE})"
)
_MORE = r"(?:and|or|but)\s+(?:how|who|what|when|where|which|whose|why|does|do|is|are|can|may|must)\b|and\s+\""
_END = (
    r"(?=\s*(?:$|[?!;:]|\.(?:\s|$)|,\s+(?:and|or|does|do|is|are|can|what|who|how|when|as)\b|\s-\s"
    rf"|{_MORE}|(?:here|for\s+(?:the\s+)?purposes?\s+of|as\s+(?:used|defined|set)|according\s+to|please)\b"
    r"|(?:in|under|within|of|for|by|from)\s+(?:the|this|that|our|my|your|its|their|these|each|both|any|all|a|an)\b))"
)
_END_AFTER_OF = _END.replace("within|of|for", "within|for")
DEFINITIONS: tuple[re.Pattern[str], ...] = (
    _compiled(rf"\bdefinitions?\s+(?:of|for)\s+{_TERM}{_END_AFTER_OF}"),
    _compiled(rf"(?<!within\s)(?<!within the\s)\bmeaning\s+of\s+{_TERM}{_END_AFTER_OF}"),
    _compiled(rf"\bwhat(?:\s+(?:does|do|did)|'s)\s+{_TERM}\s+(?:mean|refer\s+to|stand\s+for){_END}"),
    _compiled(
        r"\bwhat\s+(?:does|do|did)\s+(?:it|they|you|the\s+(?:agreement|contract|document|parties|lease"
        r"|policy))\s+mean"
        rf"\s+by\s+{_TERM}{_END}"
    ),
    _compiled(rf"\bwhat\s+(?:is|are|was)\s+meant\s+by\s+{_TERM}{_END}"),
    _compiled(rf"\bhow\s+(?:is|are|was)\s+{_TERM}\s+defined{_END}"),
    _compiled(
        r"\bhow\s+(?:does|do|did|is)\s+(?:it|they|we|the\s+(?:agreement|contract|document|parties|lease|policy))\s+"
        rf"define\s+{_TERM}{_END_AFTER_OF}"
    ),
    _compiled(rf"(?:^|\bplease\s+|\byou\s+)define\s+{_TERM}{_END_AFTER_OF}"),
    _compiled(rf"\bwhat\s+(?:counts|qualifies|is\s+considered|is\s+regarded)\s+(?:as\s+)?{_TERM}{_END}"),
    _compiled(rf"^\W{{0,3}}wh(?:o|at)\s+(?:is|are)\s+(?:(?:the|an?)\s+)?(?:{_QUOTED})"),
    _compiled(
        rf"^\W{{0,3}}wh(?:o|at)\s+(?:is|counts\s+as)\s+an?\s+{_CAPITALS}(?=\s*(?:$|\?|under\b|in\b|for\b|within\b))"
    ),
    _compiled(rf"^\W{{0,3}}what\s+(?:is|are)\s+{_CAPITALS}(?=\s*(?:$|\?|under\b|in\b|for\b|within\b))"),
    _compiled(
        r"^\W{0,3}(?:definition|define|meaning)[:\s]+(?:\"(?P<double>[^\"]{1,80})\""
        r"|(?P<bare>[\w&'-]+(?:\s+[\w&'-]+){0,3}))(?=\W*$)"
    ),
    _compiled(
        r"^\W{0,3}(?:\"(?P<double>[^\"]{1,80})\"|(?P<bare>[\w&'-]+(?:\s+[\w&'-]+){0,3}))\s+(?:definition|defined"
        r"|meaning)(?=\W*$)"
    ),
)
NO_TERM = _words(
    "that this it they them these those you he she we i all everything anything which what here there the so mean"
    " and definition meaning a an"
)
PROVISION_NOUN = _compiled(
    r"\b(?:clauses?|sections?|provisions?|articles?|paragraphs?|covenants?|schedules?|exhibits?|agreement|contract"
    r"|document|lease|policy)$"
)

# Clauses

_CLAUSE_NOUN = (
    r"(?:clauses?|provisions?|sections?|articles?|paragraphs?|language|wording|terms?\s+(?=on|about|regarding))"
)
_NAME = r"(?P<name>[\w&/'.-]+(?:,?\s+[\w&/'.-]+){0,4}?)"
CLAUSES: tuple[re.Pattern[str], ...] = (
    _compiled(rf"\A{FRAME}{_NAME}\s+(?:clauses?|provisions?|sections?|articles?){SAYS}(?P<rest>.{{0,300}})"),
    _compiled(
        rf"\A{FRAME}{_CLAUSE_NOUN}\s+(?:which\s+|that\s+)?(?:on|about|regarding|concerning|covering|for|governing"
        rf"|called|titled"
        r"|headed|entitled|named|deal(?:s|ing)\s+with|relat(?:es|ing|ed)\s+to|addressing|covers)\s+(?:the\s+)?[\"']?"
        r"(?P<name>[\w&/'.-]+(?:,?\s+[\w&/'.-]+){0,4}?)[\"']?"
        r"(?P<rest>(?:\s+(?:in|under|of|from)\s+(?:the|this|that|our|my|its)\b.{0,300}|\s*[?.!]*|\s+please.{0,20}))$"
    ),
)
NO_CLAUSE_NAME = _words(
    "this that these those which what any other such same relevant following above below first second third last final"
    " next previous every each"
    " some all one two three surviving survival important key main certain specific particular new old no your my we"
    " our it is are if not and or does do can whether how why who when where there under despite by contract page"
    " site website web house legal document agreement unamended ambiguous unclear void invalid"
)
INTERROGATIVE = _words(
    "what who whom whose when where which why how whether is are was were does do did can could may must shall should"
    " will would has have had if i we you they he she it my me us"
)

# Facts of a document

_LED = r"(?:(?:tell|show|give)\s+(?:me|us)\s+)?(?:what(?:'s|s|\s+(?:is|are|was|were))\s+)?(?:the\s+)?"
_MADE = (
    r"(?:signed|dated|made|executed|entered(?:\s+into)?|concluded|decided|filed|issued|published|handed\s+down"
    r"|adopted"
    r"|rendered|delivered|drafted|written|last\s+(?:updated|revised|modified|amended)|agreed|drawn\s+up|enacted"
    r"|passed)"
)
_JUDGE = (
    r"(?:(?:presiding|trial|district|magistrate|circuit|dissenting|chief|panel)\s+){0,2}(?:judges?|justices?|panel"
    r"|magistrate)"
)
_RULED = (
    r"(?:decided|heard|issued|ruled(?:\s+on)?|handed\s+down|wrote|made|rendered|delivered|presided(?:\s+over)?"
    r"|signed|authored)"
)
_OTHER_COURT = r"(?:district|trial|lower|superior|appeals?|appellate|circuit|bankruptcy|magistrate)"
_COURT_RULED = (
    rf"when\s+did\s+(?:the\s+|this\s+)?(?!(?:[\w.&'-]+\s+){{0,5}}?{_OTHER_COURT}\s+court)(?:[\w.&'-]+\s+){{0,5}}?court\s+"
    r"(?:(?:file|issue|hand\s+down|render|release|publish|announce|enter|deliver)\s+(?:its|the|this|an?)\s+(?:\w+\s+)?"
    r"(?:decision|opinion|judge?ment|order|ruling)|(?:decide|rule)(?:\s+(?:this|the)\s+case)?)"
)
"""When a court did what the document at hand is."""
_ROLES = (
    r"(?:lenders?|borrowers?|landlords?|tenants?|lessors?|lessees?|licen[sc]ors?|licen[sc]ees?|sellers?|buyers?|purchasers?"
    r"|suppliers?|customers?|distributors?|franchisors?|franchisees?|guarantors?|employers?|contractors?|consultants?"
    r"|owners?|disclosing\s+party|receiving\s+party)"
)
ROLE = _compiled(
    r"(?:who|which\s+(?:banks?|compan(?:y|ies)|parties|part(?:y|ies)|firms?|persons?|entit(?:y|ies)))"
    r"(?:'s|\s+(?:is|are|was|were)|\s+(?:acts?|serves?)\s+as)\s+"
    rf"(?:(?:the|our)\s+(?P<role>(?:(?!(?:of|in|under|to|for|on|and|who|that|with|or)\b)[\w.-]+\s+){{0,3}}?[\w-]+)|(?P<bare>{_ROLES}))"
    r"(?=\s*(?:$|[?.!,]|(?:of|in|under|to|for|on)\b))"
)
"""Who has a role: "who is the landlord", "which bank is the administrative agent"."""
NO_ROLE = _words(
    "party parties signatory signatories judge judges justice justices person people one ones plaintiff plaintiffs"
    " defendant defendants appellant appellants appellee appellees petitioner petitioners respondent respondents"
    " responsible liable same first last only right best beneficial"
)
"""Words after "who is the" that are no role of a document's own."""
_SIGNED_FOR = r"(?:for|on\s+behalf\s+of)\s+(?:the\s+)?(?P<signer>[\w&.,'-]+(?:\s+(?!and\s)[\w&.,'-]+){0,5}?)"
SIGNED_FOR = _compiled(
    rf"who(?:\s+has)?\s+(?:signed|executed)(?:\s+{DOCUMENT})?\s+{_SIGNED_FOR}"
    rf"(?=\s*(?:$|[?.!]|(?:in|of|under)\s+(?:the|this|that|our|it)\b))"
)
"""Who signed for a party."""
WITH_COURT = _compiled(r"\band\s+(?:by\s+|in\s+)?(?:which|what)\s+court\b|\bcourt\s+and\b")
FACTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "signature",
        _compiled(rf"(?:who\s+(?:has\s+)?(?:signed|executed)(?:\s+{DOCUMENT})?|{_LED}signatories)"),
    ),
    (
        "parties",
        _compiled(
            rf"(?:who\s+(?:are|were)\s+(?:all\s+)?the\s+(?:(?:contracting|named|two|three|original)\s+)?(?:parties"
            rf"|signatories)"
            rf"(?:\s+involved)?(?:\s+(?:to|in|of)\s+{DOCUMENT})?"
            rf"|who\s+(?:is|are|was)\s+(?:party|parties|a\s+party)\s+to\s+{DOCUMENT}"
            rf"|(?:which|what)\s+(?:companies|parties|persons|entities|people)\s+(?:are"
            rf"|were)\s+(?:the\s+)?(?:parties|party)"
            rf"(?:\s+to\s+{DOCUMENT})?"
            rf"|who\s+(?:is|was)\s+{DOCUMENT}\s+(?:made\s+|signed\s+|entered\s+into\s+)?(?:by\s+and\s+)?(?:between"
            rf"|among|with)"
            rf"|between\s+(?:whom|who|which\s+parties)\s+(?:is|was)\s+{DOCUMENT}(?:\s+(?:made|signed|concluded))?"
            rf"|who\s+(?:made|entered\s+into)(?:\s+{DOCUMENT})?"
            rf"|(?:who|which\s+(?:banks?|compan(?:y|ies)|parties|firms?))\s+(?:is|are|was|were)\s+(?:the\s+)?{_ROLES}"
            rf"(?:\s+and\s+(?:who\s+(?:is|are)\s+)?(?:the\s+)?{_ROLES})?(?:\s+(?:to|in|of|under)\s+{DOCUMENT})?"
            rf"|{_LED}(?:names?\s+of\s+(?:all\s+)?the\s+)?(?:contracting\s+)?parties(?:\s+to\s+{DOCUMENT})?"
            rf"|name\s+the\s+parties(?:\s+to\s+{DOCUMENT})?|{_LED}parties'?\s+names"
            rf"|who\s+(?:sued|is\s+suing)\s+whom?|who\s+(?:are|is|were|was)\s+the\s+(?:plaintiffs?|defendants?"
            rf"|appell(?:ant|ee)s?"
            r"|petitioners?|respondents?)(?:\s+and\s+(?:the\s+)?(?:plaintiffs?|defendants?|appell(?:ant|ee)s?"
            r"|petitioners?|respondents?))?)"
        ),
    ),
    (
        "date",
        _compiled(
            rf"(?:when\s+(?:was|were|is)\s+(?:{DOCUMENT}\s+)?{_MADE}(?:\s+and\s+(?:by\s+|in\s+)?(?:which"
            rf"|what)\s+court)?"
            rf"|{_COURT_RULED}"
            rf"|when\s+did\s+(?:they|the\s+parties)\s+(?:sign|make|execute|enter\s+into|conclude)(?:\s+{DOCUMENT})?"
            rf"|(?:on\s+)?(?:what|which)\s+(?:date|day)\s+(?:is|was)\s+(?:{DOCUMENT}\s+)?{_MADE}"
            rf"|(?:what|which)\s+date\s+(?:does|is\s+on)\s+{DOCUMENT}(?:\s+(?:bear|carry|have))?"
            rf"|{_LED}(?:effective|execution|signing|signature|filing|decision"
            rf"|publication)\s+date(?:\s+of\s+{DOCUMENT})?"
            rf"|{_LED}dates?(?:\s+(?:of|on)\s+{DOCUMENT})?"
            rf"|how\s+old\s+is\s+{DOCUMENT})"
        ),
    ),
    (
        "title",
        _compiled(
            rf"(?:what(?:'s|s|\s+is)\s+this(?:\s+(?:{_NOUN}|thing))?(?:\s+called)?"
            rf"|what(?:'s|s|\s+is)\s+(?:the\s+|that\s+)(?:document|contract|agreement)(?:\s+called)?"
            rf"|what\s+(?:{_NOUN})\s+is\s+this"
            rf"|what\s+(?:kind|type|sort)\s+of\s+(?:a\s+)?(?:{_NOUN}|thing)\s+is\s+(?:this(?:\s+{_NOUN})?|it"
            rf"|the\s+document)"
            rf"|{_LED}(?:full\s+|exact\s+|official\s+)?(?:title|name)\s+of\s+{DOCUMENT}|{_LED}(?:document\s+)?title"
            rf"|what\s+is\s+{DOCUMENT}\s+called|what\s+am\s+i\s+(?:looking\s+at|reading))"
        ),
    ),
    (
        "docket",
        _compiled(
            rf"(?:(?:what|which)\s+(?=court|case|docket))?{_LED}(?:court\s+and\s+)?(?:appeal\s+|court\s+|court's\s+)?"
            r"(?:case|docket|cause|civil\s+action|index|appeal)\s+(?:number|no\.?|\#|nr\.?)"
            rf"(?:\s+(?:of|in|for)\s+{DOCUMENT})?"
        ),
    ),
    (
        "court",
        _compiled(
            rf"(?:(?:which|what)\s+court\s+(?:{_RULED}|(?:is|was)\s+(?:handling|hearing|deciding))(?:\s+{DOCUMENT})?"
            rf"|(?:by|in|before|from)\s+(?:which|what)\s+court\s+(?:is|was)\s+{DOCUMENT}(?:\s+{_RULED})?"
            rf"|(?:which|what)\s+court\s+(?:is|was)\s+{DOCUMENT}(?:\s+(?:in|before|from|{_RULED}(?:\s+(?:by|in))?))?"
            rf"|{_LED}name\s+of\s+the\s+court)"
        ),
    ),
    (
        "judge",
        _compiled(
            rf"(?:who\s+(?:was|is|were|are)\s+the\s+{_JUDGE}(?:\s+(?:in|on)\s+{DOCUMENT})?"
            rf"|(?:which|what)\s+(?:judges?|justices?)\s+{_RULED}(?:\s+{DOCUMENT})?"
            r"|who\s+(?:decided|wrote|authored|presided\s+over)(?:\s+(?:this|it|the\s+(?:case|opinion|judge?ment"
            r"|decision"
            rf"|ruling|order|dissent|majority\s+opinion|(?:lead\s+)?judge?ment)))?(?:\s+in\s+{DOCUMENT})?"
            rf"|(?:before\s+)?(?:which|what)\s+judge\s+(?:is|was)\s+{DOCUMENT}(?:\s+before)?"
            rf"|{_LED}(?:name\s+of\s+the\s+)"
            rf"{_JUDGE})"
        ),
    ),
    (
        "outcome",
        _compiled(
            rf"(?:{_LED}(?:final\s+|court's\s+|ultimate\s+)?(?:outcome|disposition|holding|verdict|ruling)"
            rf"(?:\s+(?:of|in)\s+{DOCUMENT})?"
            rf"|what\s+was\s+(?:the\s+)?(?:court's\s+|final\s+)?(?:result|decision|judge?ment)(?:\s+(?:of"
            rf"|in)\s+{DOCUMENT})?"
            rf"|who\s+(?:won|prevailed|lost)(?:\s+{DOCUMENT})?(?:\s+in\s+the\s+end)?"
            rf"|(?:what|how)\s+did\s+the\s+(?:(?:supreme|appeals?|district|appellate|trial|high)\s+)?(?:court|judge"
            rf"|panel)"
            rf"\s+(?:decide|hold|rule|conclude|find|order)(?:\s+(?:in|on)\s+{DOCUMENT})?|how\s+(?:was|did)\s+{DOCUMENT}\s+"
            rf"(?:decided|end|come\s+out|turn\s+out)|was\s+(?:{DOCUMENT}|the\s+(?:court\s+of\s+appeals?|(?:trial|district|lower"
            r"|appellate|appeals?)\s+court|appeal|judge?ment|decision)(?:\s+below)?)\s+(?:affirmed|reversed|dismissed|upheld|overturned)"
            r"(?:\s+or\s+(?:affirmed|reversed|dismissed))?)"
        ),
    ),
)

VALUE_OF = _compiled(
    r"(?:how\s+(?:much|high|large|big|long)\s+(?:is|are|was|were)|what(?:'s|s|\s+(?:is|are|was|were))|when\s+(?:is|was)"
    r"|(?:tell|show|give)\s+(?:me|us))\s+(?:the\s+|our\s+|its\s+)?"
    r"(?P<thing>(?:(?!(?:of|in|under|to|for|on|and|who|that|with|or|if|when|after|by|between|from|at)\b)[\w-]+\s+){0,4}?[\w-]+)"
    r"(?=\s*(?:$|[?.!]|(?:of|in|under|for|on)\b))"
)
"""The value of a thing that a document may define or state in a row of its own: "what is the deposit?"."""

NO_VALUE = _words("name title by date address note page this that it subject re place time signature number")
"""Labels that stand in every document, above all below signatures."""

# Sets of documents

_SOME = r"(?:[\w&'/-]+\s+)"
_SEVERAL = (
    r"(?:agreements|contracts|leases|subleases|ndas|nda's|mndas|msas|sows|dpas|privacy\s+(?:policies|notices"
    r"|statements)"
    r"|judge?ments|court\s+(?:orders|decisions|opinions))"
)
_SEVERAL_LOOSE = (
    rf"(?:{_SEVERAL}|policies|documents|docs|files|licen[cs]es|deeds|loans|notes|plans|cases|opinions|decisions"
    rf"|orders"
    r"|rulings|amendments|templates|letters|guarantees|guaranties|statutes|regulations|acts|deals|handbooks|mortgages"
    r"|settlements|filings)"
)
_ONE = (
    r"(?:agreement|contract|lease|sublease|nda|msa|policy|document|licen[cs]e|judge?ment|deed|plan|case|opinion|deal)"
)
_OURS = r"(?:our|my|these|your|all(?:\s+of)?(?:\s+the|\s+our|\s+my)?)"
_LIST = (
    r"(?:(?:list|show|find|give|get|name|identify|pull\s+up|search|see|check|which|count|enumerate)\s+(?:me\s+"
    r"|us\s+)?"
    r"(?:for\s+)?(?:a\s+list\s+of\s+)?)"
)
_WHICH_ONES = (
    r"(?:with|that|which|where|whose|governed|under|containing|having|without|in\s+which|mentioning|expiring|signed"
    r"|dated|we)\b"
)
_HAVE = (
    r"(?:have|has|contain|contains|include|includes|allow|let|say|mention|mentions|deal\s+with|give|prohibit|permit"
    r"|restrict"
    r"|provide|lack|grant|impose|limit|cap|carry|address|specify|discuss|talk\s+about|forbid|prevent|stop|ban"
    r"|protect|expire"
    r"|renew|auto-?renew|automatically|require|cover|do\s+not|don't|can\s+be\s+(?:terminated|assigned|ended"
    r"|cancell?ed|renewed)"
    r"|are\s+(?:governed|under|subject|between|with|about|still|in\s+force|dated|from|signed\s+by|silent|perpetual"
    r"|due|up\s+for))"
)
_NOT_OTHER = (
    r"(?!(?:(?:other|earlier|prior|older|two|three|existing|previous|related|underlying|insurance|material)\s+))"
)
ACROSS: tuple[re.Pattern[str], ...] = (
    _compiled(rf"^\W*(?:in\s+|under\s+)?(?:which|what|how\s+many)\s+of\s+{_OURS}\s+{_SOME}{{0,3}}?{_SEVERAL_LOOSE}\b"),
    _compiled(rf"^\W*(?:which|what|how\s+many)\s+of\s+the\s+{_NOT_OTHER}{_SOME}{{0,2}}?{_SEVERAL}\s+{_HAVE}"),
    _compiled(rf"^\W*(?:which|what|how\s+many)\s+{_NOT_OTHER}{_SOME}{{0,2}}?{_SEVERAL}\s+{_HAVE}"),
    _compiled(rf"^\W*how\s+many\s+{_NOT_OTHER}{_SOME}{{0,2}}?{_SEVERAL}\s+(?:do\s+we\s+have|are\s+there|are\s+in)"),
    _compiled(r"^\W*which\s+(?:agreement|contract|lease|nda|msa|policy)\s+(?:has|contains|includes|mentions|says)\b"),
    _compiled(
        r"^\W*(?:(?:do|does|did|are|is|has|have|can|in|under)\s+)?any\s+of\s+(?:our|my|these|your)\s+"
        rf"{_SOME}{{0,3}}?{_SEVERAL_LOOSE}\b"
    ),
    _compiled(rf"^\W*(?:do|are|have|can)\s+any\s+(?:of\s+the\s+)?{_NOT_OTHER}{_SOME}{{0,2}}?{_SEVERAL}\s+{_HAVE}"),
    _compiled(
        rf"^\W*(?:is\s+there\s+)?any\s+{_SOME}{{0,2}}?{_ONE}s?\s+(?:that|which|with|where|containing|in\s+which)\b"
    ),
    _compiled(
        rf"^\W*{_POLITE}{_LIST}(?:all|every|each|any|our|my)\s+(?:of\s+)?(?:the\s+|our\s+"
        rf"|my\s+)?{_NOT_OTHER}{_SOME}{{0,3}}?"
        rf"(?:{_SEVERAL_LOOSE}|{_ONE})(?=\W*$|\s+{_WHICH_ONES})"
    ),
    _compiled(
        rf"^\W*{_POLITE}{_LIST}(?:the\s+)?{_NOT_OTHER}{_SOME}{{0,2}}?{_SEVERAL}\s+{_WHICH_ONES}(?!\s+(?:must|shall"
        rf"|need|have\s+to)\b)"
    ),
    _compiled(
        rf"^(?!.*\b(?:needs?|must|shall|should|will|can)\b)\W*(?:every|each|all(?:\s+the"
        rf"|\s+our)?)\s+{_NOT_OTHER}{_SOME}{{0,2}}?(?:{_SEVERAL}|{_ONE})\s+{_WHICH_ONES}"
    ),
    _compiled(r"^\W*(?:please\s+)?(?:compare|contrast|comparison\s+(?:of|between))\b"),
    _compiled(
        rf"^.{{0,40}}\bdiffer(?:ences?)?\b.{{0,30}}?\b(?:between|from"
        rf"|among)\b.{{0,80}}?\b{_ONE}\b.{{1,80}}?\b{_ONE}\b"
    ),
    _compiled(
        rf"\bdifferences?\s+(?:between|among)\s+(?:the\s+(?:two|three)\s+|{_OURS}\s+|these\s+"
        rf"|both\s+){_SOME}{{0,2}}?{_SEVERAL_LOOSE}\b"
    ),
    _compiled(
        rf"^\W*how\s+do\s+(?:{_OURS}|the\s+(?:two|three))\s+{_SOME}{{0,3}}?{_SEVERAL_LOOSE}\s+(?:compare|differ)\b"
    ),
    _compiled(
        rf"\bwhat\s+do\s+(?:{_OURS}|both|most\s+of\s+our)\s+{_SOME}{{0,3}}?{_SEVERAL_LOOSE}\s+(?:say|provide"
        rf"|require|allow|state)"
    ),
    _compiled(rf"^\W*what\s+happens\s+(?:under|in)\s+{_OURS}\s+{_SOME}{{0,2}}?{_SEVERAL}\b"),
    _compiled(rf"^\W*(?:under|in|across|among|of)\s+{_OURS}\s+{_SOME}{{0,2}}?{_SEVERAL}\b"),
    _compiled(
        rf"\b(?:under|across|throughout)\s+{_OURS}\s+(?!(?:other"
        rf"|existing)\s){_SOME}{{0,2}}?{_SEVERAL}(?:\s+and\s+{_SOME}{{0,2}}?{_SEVERAL_LOOSE})?\W*$"
    ),
    _compiled(
        rf"\bacross\s+(?:all|our|the|every|each|these|multiple|different|both)\s+{_SOME}{{0,3}}?(?:{_SEVERAL_LOOSE}"
        rf"|{_ONE})\b"
    ),
    _compiled(
        rf"\b(?:in|under|across|do|are)\s+(?:both|all\s+(?:two|three|four)(?:\s+of)?)\s+(?:of\s+)?(?:the\s+|our\s+"
        rf"|these\s+)?{_SOME}{{0,2}}?"
        r"(?:agreements|contracts|leases|ndas|documents|policies|licen[cs]es|judge?ments)\b"
    ),
)

DOCUMENTS_ASKED = _compiled(rf"\b(?:{_SEVERAL_LOOSE}|{_ONE})\b")
"""The noun for the documents of a set; the words before it say of which kind they are."""

# Kinds of answers

_ASKS = r"(?:^|[.?!,;:–-]\s*|\b(?:and|or|but|from|until|till|since|then|tell\s+me|say|know|after)\s+)"
_AUX = r"(?:is|are|was|were|do|does|did|must|can|may|will|shall|should|has|have|had|would|could|might)"
_WHICH = (
    r"(?:what(?:'s|s|\s+(?:is|are|was|were))?|which|at\s+what|up\s+to\s+what|state)\s+(?:the\s+|an?\s+|any\s+"
    r"|our\s+|my\s+|their\s+|his\s+|her\s+)?"
)
_WORDS = (
    r"(?:(?!(?:of|on|for|in|to|with|by|the|an?|and|or|if|when|is|are|does|do|did|can|may|must|will|has|have|happens"
    r"|party"
    r"|side|person|company|pays?)\s)[\w'-]+\s+)"
)
_MONEY = (
    r"(?:prices?|fees?|rates?|caps?|percentages?|percent|costs?|amounts?|royalt(?:y|ies)|salar(?:y|ies)|premiums?"
    r"|deposits?"
    r"|penalt(?:y|ies)|fines?|commissions?|discounts?|rent|sums?|charges?|bonus(?:es)?|compensation|consideration"
    r"|interest|budget|retainer|mark-?up|threshold|dollar\s+(?:amount|limit|figure|value|volume)|basis\s+points"
    r"|stake)"
)
_TIME = (
    r"(?:(?:business|working|calendar|trading|consecutive)\s+)?(?:days?|weeks?|months?|years?|hours?|minutes?"
    r"|quarters)"
)
_CLOCK = (
    r"(?:periods?|time\s+limits?|time\s?frames?|durations?|lengths?\s+of\s+(?:the\s+)?(?:term|contract|agreement"
    r"|lease)|lead\s+times?|initial\s+term|response\s+times?)"
)
_LAND = (
    r"(?:states?(?:'s)?|countr(?:y|ies)|cit(?:y|ies)|count(?:y|ies)|provinces?|venues?|locations?|places?"
    r"|jurisdictions?|forum|seat|address(?:es)?|territor(?:y|ies)|courts?)"
)
EXPECTS = _compiled(
    rf"(?P<period>\bhow\s+(?:long|soon|quickly|fast|early|late|far\s+(?:back|ahead|in\s+advance))\b"
    rf"|\bhow\s+much\s+(?:{_WORDS}{{0,2}})?(?:notice|time|warning)\b|\bhow\s+many\s+{_TIME}\b|\bby\s+when\b"
    rf"|\bwithin\s+(?:what|which|how\s+many)\b|\b(?:for|during|over)\s+(?:what|which)\s+(?:period|time)\b"
    rf"|\b{_WHICH}{_WORDS}{{0,3}}?{_CLOCK}\b)"
    rf"|(?P<date>\bwhen\s+(?:exactly\s+)?{_AUX}\b|\b(?:what|which)\s+(?:{_WORDS}{{0,2}})?(?:dates?|day|deadline)\b"
    rf"|\b{_WHICH}{_WORDS}{{0,3}}?(?:dates?|deadlines?)\b|\buntil\s+when\b|\bsince\s+when\b|\bfrom\s+when\b"
    rf"|\bdeadline\s+by\s+when\b)"
    rf"|(?P<amount>\bhow\s+(?:much|large|big|high|expensive)\b|\bwhat\s+share\b|\bwhat\s+do\s+we\s+pay\b"
    r"|\bwhat\s+(?:does|do|did)\s+(?:[\w-]+\s+){1,4}?cost\b|\bhow\s+many\s+(?:dollars|euros|cents|pounds|percent"
    rf"|basis\s+points)\b"
    rf"|\b{_WHICH}{_WORDS}{{0,3}}?{_MONEY}(?!\w|\s+of\s+(?:return|law)\b))"
    r"|(?P<number>\bhow\s+many\b|\b(?:what|which)\s+(?:is\s+the\s+)?(?:(?:minimum|maximum|total)\s+)?number\s+of\b)"
    rf"|(?P<person>(?:{_ASKS}|\b(?:to|by|with|on|of|for|at)\s+)who(?:m|se|'s|\s+else)?\b|\bwhich\s+(?:party|side"
    rf"|person|company|individual)\b)"
    rf"|(?P<place>\bwhere\s+(?:exactly\s+)?{_AUX}\b|\b(?:what|which)\s+(?:{_WORDS}{{0,1}})?{_LAND}(?!\w)"
    rf"|\b{_WHICH}{_WORDS}{{0,2}}?{_LAND}(?!\w))"
)
"""The kind of value that answers, by the group that matches first."""
KEYWORD_HEADS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("period", _compiled(rf"\b(?:notice|cure|grace|lead|retention|warranty|response)?\s*{_CLOCK}$")),
    ("date", _compiled(r"\b(?:dates?|deadlines?)$")),
    (
        "amount",
        _compiled(r"\b(?:prices?|fees?|rates?|caps?|percentages?|amounts?|royalty|salary|rent|discount|commission)$"),
    ),
    ("place", _compiled(r"\b(?:address|venue|seat|territory)$")),
)
"""What a search for a few words asks for, by its last word."""
SHOWING = _compiled(
    rf"\W{{0,3}}{_POLITE}(?:show|give|tell|find|read|explain|list|describe|summari[sz]e|compare)\s+(?:me|us|out|the"
    rf"|all|our)\b"
)
"""Imperatives that no search for words begins with."""

# What must be in a question before the patterns above are tried

MAY_BE_ACROSS = _compiled(
    r"\b(?:compar|contrast|differ|across\b|any\b|every\b|each\b|all\b|both\b|agreements\b|contracts\b|subleases\b"
    r"|leases\b"
    r"|m?ndas?\b|nda's\b|msas?\b|sows\b|dpas\b|judge?ments\b|polic(?:y|ies)\b|of\s+(?:our|my|these|your)\b"
    r"|(?:our|my|these|your)\s|which\s+(?:agreement|contract|lease))"
)
MAY_BE_TERM = _compiled(
    r"defin|mean|\bwhat\s+(?:counts|qualifies|is|are|was|does|do|did)\b|^\W*who\s+(?:is|are|counts)\b"
)
MAY_BE_PLACE = _compiled(
    r"[§¶]|\b(?:(?:sub-?)?(?:section|clause|paragraph)|sec|ss?[\s.]|cl|para|art|sch|ex[\s.h]|annex|app[e.]|att|add"
    r"|part|pt"
    r"|ch|recital|whereas|preamble|signature|defin|interpretation)"
)
MAY_BE_CLAUSE = _compiled(r"clause|provision|section|article|paragraph|language|wording|\bterm")
LONGEST_FACT = 250
