"""English: its stop words, stemmer, questions and legal drafting."""

import re

from pincite.text.language import Language, QuestionPatterns
from pincite.text.stopwords import NLTK_ENGLISH

QUESTION = QuestionPatterns(
    frames=re.compile(
        r"^(?:please\s+)?(?:tell\s+me\s+)?(?:whether\s+|if\s+)?"
        r"(?:(?:does|do|did|is|are|would|will|can|could|has|have)\s+)?"
        r"(?:(?:the|this|that|our|your)\s+(?:document|agreement|contract|policy|nda|text|lease)\s+)"
        r"(?:(?:explicitly|expressly|also|specifically|clearly)\s+)?"
        r"(?:(?:state|mention|indicate|specify|say|provide|note|establish|stipulate|contain|include|require|allow|permit|"
        r"address|restrict|prohibit|describe|cover|give|impose|grant|set)s?\s+)?"
        r"(?:(?:explicitly|expressly)\s+)?(?:that\s+|whether\s+|for\s+|out\s+|about\s+)?",
        re.IGNORECASE,
    ),
    openings=re.compile(
        r"^(?:information\s+about\s+(?:the\s+)?|"
        r"what\s+(?:is|are|happens\s+(?:in\s+the\s+event\s+of|during|if))\s+(?:the\s+|a\s+)?|"
        r"(?:list|find|show|give\s+me)\s+(?:me\s+)?(?:(?:all|any|every|each|the|of|our|my)\s+)*"
        r"(?:documents?|contracts?|agreements?|files?)\s+(?:(?:that|which)\s+)?"
        r"(?:with|containing|having|have|has|contains?|includ(?:es?|ing)|mention(?:s|ing)?)\s+(?:an?\s+|the\s+)?|"
        r"(?:is|are)\s+there\s+(?:any\s+|an?\s+)?|where\s+(?:is|are)\s+(?:the\s+)?|tell\s+me\s+about\s+)",
        re.IGNORECASE,
    ),
    tail=re.compile(
        r"(?<!\s)\s++(?:under|in|of|by|for)\s+(?:this\s+(?:contract|agreement|document|policy)|the\s+(?:contract|document))"
        r"(?=[?.]?$)",
        re.IGNORECASE,
    ),
    openers=frozenset(
        """
        may can does do did is are was were what who whom whose when which how shall must will would
        could should has have had where why if tell explain describe list give information am any
        whether under
        """.split()
    ),
    kinds=frozenset(
        """
        agreement agreements contract contracts nda ndas non disclosure nondisclosure
        confidentiality confidential policy privacy lease licence license merger supply services
        service employment distribution distributor mutual statement notice terms deed arrangement
        document plan acquisition master msa extract form template letter amendment sow deal deals
        jv guidelines
        """.split()
    ),
    companies=frozenset(
        """
        inc incorporated corp corporation co company llc ltd limited llp lp plc gmbh ag sa sas ab bv
        nv pty parent target holding holdings group
        """.split()
    ),
    trades=frozenset(
        """
        tech technology technologies pharma pharmaceutical pharmaceuticals biotech fintech medtech
        therapeutics biosciences telecom telecoms software systems solutions networks logistics
        media energy capital bank bancorp insurance foods dairy motors airlines hotels properties
        """.split()
    ),
    glue=frozenset(
        """
        the a an our their its this that my your his her of between and by for with from to s dated
        as in on at under per signed entered into among vs v or including
        """.split()
    ),
    breakers=frozenset(
        """
        in under according per pursuant within about regarding
        """.split()
    ),
    lead_words=frozenset(
        """
        consider regarding concerning according pursuant
        """.split()
    ),
    joining=frozenset(
        """
        the our of between with and a an
        """.split()
    ),
    lead=re.compile(
        r"^\s*(?:please\s+)?(?:consider(?:ing)?|regarding|concerning|under|in|per|pursuant\s+to|according\s+to|for|"
        r"as\s+regards|with\s+(?:respect|regard|reference)\s+to|based\s+on|looking\s+at|as\s+per|re|on|from|about|"
        r"reading|given|within)\b",
        re.IGNORECASE,
    ),
    before=re.compile(
        r"(?!(?<=\s)\s)(?:\b(?:as\s+set\s+out|as\s+stated|set\s+out|stated|provided|contained|found)?\s*\b"
        r"(?:in|under|of|per|by|from|with|for|pursuant\s+to|according\s+to|within|to|between|about|on)\s+)?"
        r"(?:\b(?:the|our|their|its|this|that|my|your|a|an))?\s*$",
        re.IGNORECASE,
    ),
    preposition=re.compile(r"\b(?:in|under|of|per|from|by|with|for|to)$"),
    preposition_left=re.compile(r"\b(?:in|under|of|per|from|by|with|for|to|according to|pursuant to)$"),
    auxiliary=re.compile(r"\b(?:does|do|did|is|are|has|have|can|may|will|shall|must|if|that)$"),
    subject="the document",
    defines=re.compile(
        r"[“\"]\s*([A-Z][^”\"]{1,60}?)\s*[”\"]\s*(?:\([^)]*\)\s*)?"
        r"(?:means?\b|shall\s+(?:mean|have\s+the\s+meaning)|ha(?:s|ve)\s+the\s+meaning|is\s+defined|refers?\s+to|:)"
    ),
    definition_asked=(
        re.compile(
            r"\b(?:definition|meaning)\s+of\s+(?:the\s+term\s+)?[“\"]?([A-Za-z][\w\s&-]{2,50}?)[”\"]?"
            r"(?:\?|$|\s+(?:in|under)\b)",
            re.IGNORECASE,
        ),
        re.compile(r"\bhow\s+(?:is|are)\s+(?:the\s+term\s+)?[“\"]?([\w\s&-]{2,50}?)[”\"]?\s+defined", re.IGNORECASE),
    ),
)

THESAURUS = {
    "no-shop": "no solicitation shall not solicit initiate encourage acquisition proposal alternative discussions inquiries",
    "go-shop": "solicit acquisition proposals during the period until",
    "fiduciary out": "board of directors determines in good faith superior proposal fiduciary duties change of recommendation",
    "fiduciary exception": "unsolicited bona fide acquisition proposal board determines in good faith superior proposal fiduciary",
    "fiduciary termination": "terminate agreement superior proposal change of recommendation definitive agreement",
    "tail provision": "within twelve months after termination enters into definitive agreement acquisition proposal termination fee",
    "matching right": "notice business days negotiate in good faith amend superior proposal",
    "breach of no-shop": "material breach of no solicitation terminate",
    "ordinary course": "conduct its business in the ordinary course consistent with past practice interim period",
    "regulatory approval": "waiting period HSR Act antitrust approvals governmental consents expired terminated obtained",
    "antitrust efforts": "reasonable best efforts divest hold separate HSR antitrust laws litigation",
    "type of consideration": "converted into the right to receive per share in cash shares of common stock merger consideration",
    "material adverse effect": "material adverse effect change event effect circumstance condition business operations",
    "specific performance": "irreparable damage injunction specific performance enforce terms",
    "anti-assignment": "may not assign transfer delegate without prior written consent",
    "change of control": "change of control merger sale of all or substantially all assets acquisition of voting securities",
    "non-compete": "shall not compete engage in competing business",
    "non-solicit": "shall not solicit hire employees customers",
    "most favored nation": "no less favorable terms prices than any other customer",
    "cap on liability": "liability shall not exceed aggregate amount limitation of liability",
    "uncapped liability": "unlimited liability limitation shall not apply",
    "liquidated damages": "liquidated damages not a penalty",
    "governing law": "governed by and construed in accordance with the laws of",
    "expiration date": "term commence effective date continue until expire initial term",
    "renewal term": "renew automatically successive periods extend term unless notice",
    "termination for convenience": "terminate at any time without cause upon days prior written notice",
    "terminated for convenience": "terminate at any time without cause upon days prior written notice",
    "covenant not to sue": "shall not contest challenge claim assert validity ownership bring action",
    "audit rights": "audit inspect books and records accountant",
    "exclusivity": "exclusive exclusively sole",
    "minimum commitment": "minimum purchase quantity order at least per year",
    "volume restriction": "maximum exceed quantity limit users number",
    "revenue or profit": "royalty percentage of revenue net sales share",
    "post-termination": "following termination continue wind-down transition survive",
    "insurance requirements": "maintain insurance coverage policy limits",
    "third-party beneficiar": "third party beneficiary benefit enforce",
    "ip ownership": "title intellectual property rights vest own assign",
    "source code": "escrow source code release",
    "return of confidential": "return or destroy copies upon termination request",
    "reverse engineer": "reverse engineer disassemble decompile",
    "residuals": "unaided memory retained",
    "compelled disclosure": "required by law court order subpoena notify",
    "force majeure": "act of god beyond reasonable control",
    "severability": "invalid unenforceable provision remaining provisions",
    "entire agreement": "supersedes all prior agreements understandings",
    "indemnity": "indemnify defend hold harmless losses claims",
}
"""Written by hand from drafting practice, with the kinds of clauses in view that CUAD's and MAUD's train and dev
questions ask for."""

MONTHS = tuple("january february march april may june july august september october november december".split())

ENGLISH = Language("english", "english", NLTK_ENGLISH, MONTHS, QUESTION, THESAURUS)
