"""The words by which titles, parties and dates of English legal documents are recognised."""

import re

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"

DOCUMENT_NOUNS = (
    "agreement|contract|covenants?(?:\\s+not\\s+to\\s+compete)?|amendment|addendum|supplement|lease|sublease"
    "|licen[cs]e|deed|note|guarant(?:y|ee)"
    "|indenture|plan"
    "|policy|policies|terms|conditions|statement|notice|letter|memorandum|order|orders|judgment|opinion"
    "|decision|ruling"
    "|complaint|motion|brief|petition|stipulation|summons|subpoena|declaration|affidavit|certificate|certification"
    "|charter|bylaws|by-laws|constitution|code|act|regulations?|rules?|ordinance|directive|statute|law|bill"
    "|resolution"
    "|mortgage|pledge|warrant|bond|debenture|debentures|will|trust|power of attorney|waiver|release|consent"
    "|assignment|undertaking|endorsement|rider"
    "|offer|proposal|schedule of|statement of work|purchase order|invoice|form|application|questionnaire|manual"
    "|handbook|guidelines|guide|procedures?|principles|standards|protocol|mou|nda|msa|sow|dpa|eula|faq|arrangement"
    "|understanding|commitment|engagement|appointment|settlement|joinder|subscription|side letter|term sheet"
    "|heads of terms|cover sheet|fact sheet"
    "|response|report|records|minutes|docket|suggestion|recommendation|verdict|indictment|injunction"
)
"""Nouns that name a document: a line that holds one may be its title."""

NOUN = re.compile(rf"\b(?:{DOCUMENT_NOUNS})\b", re.IGNORECASE)
STRONG_NOUN = re.compile(
    r"\b(?:agreement|contract|covenant\s+not\s+to\s+\w+|amendment|addendum|lease|sublease|licen[cs]e|deed"
    r"|promissory note|guarant(?:y|ee)"
    r"|indenture|plan"
    r"|policy|policies|terms of (?:service|use|sale)|terms and conditions|privacy (?:statement|notice)|memorandum"
    r"|order|judgment|opinion|decision|complaint|motion|brief|petition|stipulation|act|regulations?|rules|ordinance"
    r"|directive|code|mortgage|bylaws|by-laws|undertaking|statement of work|code of conduct|guidelines)\b",
    re.IGNORECASE,
)
"""Nouns that hardly ever stand in a line that is not the title."""

SUFFIXES = (
    r"Inc|Incorporated|Corp|Corporation|Company|Co|LLC|L\.L\.C|Ltd|Limited|LLP|L\.L\.P|LP|L\.P|PLC|P\.L\.C|GmbH"
    r"|AG|S\.A|SA|SAS|S\.A\.S"
    r"|S\.p\.A|SpA|S\.r\.l|Srl|SARL|S\.à\.r\.l|SE|AB|A/S|ASA|AS|Oy|Oyj|a\.s|B\.V|BV|N\.V|NV|K\.K|KK|Pty|Pte|Sdn"
    r"|Bhd|N\.A|PC|P\.C|ULC|JSC|LLLP|Bancorp"
    r"|Holdings|Association|Partnership|Bank|Trust|Fund|University|Foundation|Institute|Society|Council|Authority"
    r"|Cooperative|Partners|Enterprises|Group|Ventures|Laboratories|Systems|Industries"
)
"""What the name of a company or body ends in."""
FIRM_SUFFIX = re.compile(rf"(?<![\w.])(?:{SUFFIXES})\b\.?", re.IGNORECASE)
LEGAL_FORM = re.compile(
    r"(?<![\w.])(?:Inc|Incorporated|Corp|Corporation|Company|Co|LLC|L\.L\.C|Ltd|Limited|LLP|LP|L\.P|PLC|GmbH|AG"
    r"|S\.A|SA|SAS|S\.p\.A"
    r"|SpA|S\.r\.l|Srl|SARL|AB|A/S|ASA|Oy|a\.s|B\.V|BV|N\.V|NV|K\.K|Pty|Pte|N\.A|PC|ULC|JSC|Bancorp)\b\.?",
    re.IGNORECASE,
)
"""The abbreviations that show that a line is a company's name."""

_WEEKDAY = r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?\s+)?"
_WORDS = (
    "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth"
    "|fifteenth"
    "|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth|(?:twenty[-\\s](?:first|second|third"
    "|fourth|fifth"
    "|sixth|seventh|eighth|ninth))|thirty[-\\s]first"
)
DATE = re.compile(
    rf"""(?<![\d/.-])(?:
    (?P<d1>[0-3]?\d)\s?(?:st|nd|rd|t\s?h|s\s?t)?,?\s+(?:day\s+)?(?:of\s+)?(?:[-_]{{2,}}\s*)?{_WEEKDAY}(?P<m1>{MONTHS}|(?:Jan|Feb
    |Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)(?:\s+day\s+of)?
        (?:,?\s+|[\s,_.]{{2,14}})(?:of\s+)?(?:the\s+year\s+)?(?:-{{3,}}\s*)?(?P<y1>(?:19|20)\d\d)
    |\b(?P<w1>{_WORDS})\s+(?:\(\d+(?:st|nd|rd|th)\)\s+)?day\s+of\s+(?P<m3>{MONTHS}),?\s+(?:in\s+the\s+year\s+(?:of\s+)?)?(?P<y3>(?:19|20)\d\d)
    |\b(?P<m2>{MONTHS}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)(?:[,.]?\s+|\s*,\s*)
        (?:(?P<d2>[0-3]?\d)\s?(?:st|nd|rd|t\s?h)?(?:\s?,?\s+|,)|,\s*)?(?:[-_]{{3,}}\s*)?(?P<y2>(?:19|20)\d\d)
    |\b(?P<iso>(?:19|20)\d\d-[01]\d-[0-3]\d)
    |\b(?P<dotted>[0-3]?\d\.[01]?\d\.(?:19|20)\d\d)
    |\b(?P<us>(?:[01]?\d(?P<sep>[/-])[0-3]?\d|[0-3]?\d(?P<dmy>[/-])[01]?\d)(?:(?P=sep)|(?P=dmy))(?:(?:19|20)\d\d|\d\d))(?![-/\d])
    )\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""A date as people write it: the groups say in which order."""

ORDINALS = {
    word: number
    for number, word in enumerate(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
        fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third
        twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth
        thirty-first""".split(),
        start=1,
    )
}

ROLES = frozenset(
    """company parent purchaser buyer seller vendor supplier customer client licensor licensee lessor lessee landlord
    tenant employer employee executive consultant contractor owner distributor reseller manufacturer borrower lender
    agent guarantor pledgor grantor trustee bank issuer investor holder shareholder stockholder franchisor franchisee
    franchise developer provider sponsor publisher carrier shipper principal operator manager merger sub subsidiary
    corporation trust association fund assignor assignee transferor transferee promoter artist maker partner member
    affiliate recipient discloser processor controller service servicer programmer administrator adviser advisor mhc
    holding institution university partnership party a b c d the of agents lenders banks borrowers guarantors
    purchasers sellers buyers receiving disclosing
    administrative documentation syndication co application content lc swing line swingline arranger""".split()
)
"""Words that say what a party is, not who."""

STATES = (
    r"Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois"
    r"|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri"
    r"|Montana|Nebraska|Nevada|New\s+Hampshire|New\s+Jersey|New\s+Mexico|New\s+York|North\s+Carolina|North\s+Dakota"
    r"|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode\s+Island|South\s+Carolina|South\s+Dakota|Tennessee|Texas|Utah|Vermont"
    r"|Virginia|Washington|West\s+Virginia|Wisconsin|Wyoming|Puerto\s+Rico|Ontario|Quebec|Canada|Canadian|England|Wales"
    r"|English|Germany|German|France|French|China|Chinese|Hong\s+Kong|Singapore|Japan|Japanese|Israel|Israeli|Ireland"
    r"|Irish|Bermuda|Cayman\s+Islands|Netherlands|Dutch|Swiss|Switzerland|Sweden|Swedish|Denmark|Danish|Korea|Korean"
    r"|India|Indian|Mexico|Mexican|Brazil|Brazilian|Australia|Australian|USA|PRC"
)
"""Places that stand before "corporation"."""

FORMS = r"Inc|Incorporated|Corp|Corporation|Company|LLC|L\.L\.C|Ltd|Limited|LLP|LP|L\.P|PLC|GmbH|AG|S\.A|N\.V|B\.V"
"""Legal forms before which the name of a company ends."""
