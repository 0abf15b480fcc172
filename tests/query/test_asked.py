"""What kind of thing a question asks for."""

import time

import pytest

from pincite.query.asked import Asked, PlaceAsked, asked

PLACE_LOOKUPS = [
    ("Section 7.2", [("section", "7.2")]),
    ("section 7.2.", [("section", "7.2")]),
    ("Section7.2", [("section", "7.2")]),
    ("§7.2", [("section", "7.2")]),
    ("§ 7.2(b)", [("section", "7.2(b)")]),
    ("§§ 3 and 4", [("section", "3"), ("section", "4")]),
    ("sec 7.2", [("section", "7.2")]),
    ("sec. 7.2 (B)", [("section", "7.2(b)")]),
    ("s. 12", [("section", "12")]),
    ("s 12", [("section", "12")]),
    ("cl 4.1", [("section", "4.1")]),
    ("cl. 4.1(a)(ii)", [("section", "4.1(a)(ii)")]),
    ("clause 14", [("section", "14")]),
    ("clause no. 14", [("section", "14")]),
    ("read me clause 14 please", [("section", "14")]),
    ("subsection 3(a)", [("section", "3(a)")]),
    ("SECTION 12A", [("section", "12A")]),
    ("Article XII", [("article", "XII")]),
    ("article iv", [("article", "IV")]),
    ("Article I", [("article", "I")]),
    ("article five", [("article", "5")]),
    ("Art. 12", [("article", "12")]),
    ("art 12 gdpr-ish", [("article", "12")]),
    ("paragraph 3", [("paragraph", "3")]),
    ("para 15", [("paragraph", "15")]),
    ("what does para. 15 say", [("paragraph", "15")]),
    ("¶ 15", [("paragraph", "15")]),
    ("Schedule B", [("schedule", "B")]),
    ("sched b", [("schedule", "B")]),
    ("show me Schedule B", [("schedule", "B")]),
    ("schedule 2", [("schedule", "2")]),
    ("Exhibit A-1", [("exhibit", "A-1")]),
    ("exh. c", [("exhibit", "C")]),
    ("exhibit a", [("exhibit", "A")]),
    ("Exhibit 10.1", [("exhibit", "10.1")]),
    ("Exhibit AA", [("exhibit", "AA")]),
    ("Annex 1", [("annex", "1")]),
    ("annexure b", [("annex", "B")]),
    ("Appendix C", [("appendix", "C")]),
    ("Attachment 3", [("attachment", "3")]),
    ("addendum 2", [("addendum", "2")]),
    ("Exhibit A, B and C", [("exhibit", "A"), ("exhibit", "B"), ("exhibit", "C")]),
    ("give me clause 12.3 word for word", [("section", "12.3")]),
    ("Part II", [("part", "II")]),
    ("part a of schedule 2", [("part", "A"), ("schedule", "2")]),
    ("chapter 3", [("chapter", "3")]),
    ("Sections 3.1, 3.2 and 4", [("section", "3.1"), ("section", "3.2"), ("section", "4")]),
    ("articles 5-7", [("article", "5"), ("article", "7")]),
    ("Section 7.2 of Schedule B", [("section", "7.2"), ("schedule", "B")]),
    ("recitals", [("recitals", "")]),
    ("Recital (B)", [("recitals", "B")]),
    ("show me the recitals", [("recitals", "")]),
    ("the whereas clauses", [("recitals", "")]),
    ("preamble", [("preamble", "")]),
    ("signature page", [("signature", "")]),
    ("where is the signature block?", [("signature", "")]),
    ("the definitions section", [("definitions", "")]),
    ("show me the definitions", [("definitions", "")]),
    ("what does section 7.2 say?", [("section", "7.2")]),
    ("What is Section 7.2 about?", [("section", "7.2")]),
    ("what's in section 7.2", [("section", "7.2")]),
    ("Could you please show me the full text of Section 7.2?", [("section", "7.2")]),
    ("take me to section 9", [("section", "9")]),
    ("explain clause 9", [("section", "9")]),
    ("7.2(b)", [("section", "7.2(b)")]),
    ("what does 7.2 say?", [("section", "7.2")]),
    ("Article 5 of the WellCare severance agreement with Adam Miller", [("article", "5")]),
    ("section 9 in our lease", [("section", "9")]),
    ("section 9 under this agreement", [("section", "9")]),
    ("Exhibit B of the Cisco - CAIS software license agreement", [("exhibit", "B")]),
]
PLACE_MENTIONS = [
    ("does Section 7.2 survive termination?", [("section", "7.2")]),
    ("what happens if payments under Article 5 are late?", [("article", "5")]),
    ("what does section 7.2 say about late payment?", [("section", "7.2")]),
    ("Can we terminate under clause 14?", [("section", "14")]),
    ("On what terms are the programs listed in Exhibit L licensed?", [("exhibit", "L")]),
    ('What is the term "Units" in section 2(c) renamed to?', [("section", "2(c)")]),
    ("who has to sign the signature page?", [("signature", "")]),
    ("are the recitals binding?", [("recitals", "")]),
    ("Section 7.2 survival", [("section", "7.2")]),
    ("is exhibit a part of the contract", []),
    ("Which prices does Schedule B set?", [("schedule", "B")]),
    ("If we breach section 3 and section 4, what follows?", [("section", "3"), ("section", "4")]),
]
NO_PLACES = [
    "part of the price",
    "in the article about us",
    "does the data exhibit a pattern?",
    "is there a schedule?",
    "section of the site",
    "schedule a meeting",
    "can we schedule 5 meetings a year?",
    "the article I wrote last year",
    "who takes part in the meetings",
    "which party gave the schedule I received?",
    "it's 12 months",
    "the company's 30 days are over",
    "does a clause give 30 days notice?",
    "parts 30 days late",
    "ex works delivery",
    "ex parte relief",
    "state of the art 5 nm chips",
    "Section 409A compliance",
    "Section 280G gross-up",
    "schedule 14D-9 review",
    "One of the partners has filed for Chapter 11.",
    "Who controls Paragraph IV patent litigation?",
    "in part because of delay",
    "can we use S3 buckets",
    "royalty on a signature line of clubs",
    "exhibits purchase orders drawings",
    "app. Users may leave",
    "annex the building",
]
TERMS = [
    ("definition of Change in Control", "Change in Control"),
    ("What is the definition of Change of Control?", "Change of Control"),
    ("definition of Majority Banks in the Coca-Cola Enterprises credit agreement", "Majority Banks"),
    ("definition of Default under Acme Loan Agreement", "Default"),
    ("what does 'Exit Fee' mean", "Exit Fee"),
    ("what does “Exit Fee” mean?", "Exit Fee"),
    ("what does Cause mean in the Gadzooks Standifer agreement", "Cause"),
    ("how is Net Sales defined", "Net Sales"),
    ("How is the field of use defined?", "field of use"),
    ('How is a party\'s "Field of Activity" defined?', "Field of Activity"),
    ("how does the contract define Net Sales?", "Net Sales"),
    ("define Cause", "Cause"),
    ("please define confidential information", "confidential information"),
    ("meaning of Maturity Date", "Maturity Date"),
    ("tell me the meaning of 'Maturity Date' please", "Maturity Date"),
    ("what is meant by force majeure?", "force majeure"),
    ("what counts as a Competing Product", "Competing Product"),
    ("What counts as a business day?", "business day"),
    ("who is an 'Affiliate'", "Affiliate"),
    ("who is an Affiliate?", "Affiliate"),
    ('Who are the "Key Personnel"?', "Key Personnel"),
    ("what is Debt Yield", "Debt Yield"),
    ("What is a Change in Control?", "Change in Control"),
    ('What is "Restricted Information" under the Belvoir Kestrel NDA?', "Restricted Information"),
    ("Good Industry Practice definition", "Good Industry Practice"),
    ("definition business day", "business day"),
]
TERMS_AMONG_OTHERS = [
    ('How is a "Click-through" defined and whose servers count it?', "Click-through"),
    ('What is meant by "Know-How" here and who owns it?', "Know-How"),
    ("what do they mean by continuing employees, does it include me if i quit", "continuing employees"),
    ("How is the web address of the joint site defined?", "web address of the joint site"),
    ("what counts as confidential material - does it have to be marked?", "confidential material"),
]
NO_TERMS = [
    "they never answered my appeal, what does that mean?",
    "does the ceo job mean a lot of flying around?",
    "what does it mean for us if they leave",
    "who is Adam Miller?",
    "who is an employee under these rules?",
    "who is the Guarantor?",
    "What product category is sponsored and how is it defined?",
    "Does the target sponsor a defined benefit plan?",
    "what is the price?",
    "What is the Purchase Price?",
    "is a transfer within the meaning of the rules a default?",
    "Does silence count as acceptance of an order?",
]
CLAUSES = [
    ("the indemnity clause", "indemnity"),
    ("indemnification section", "indemnification"),
    ("confidentiality provision", "confidentiality"),
    ("show me the termination clause", "termination"),
    ("the clause on assignment", "assignment"),
    ("find the section about data protection", "data protection"),
    ("governing law clause", "governing law"),
    ("what does the limitation of liability clause say?", "limitation of liability"),
    ("where is the non-compete provision?", "non-compete"),
    ("the indemnification clause in the independent developer or contractor agreement", "indemnification"),
    ("No-poach clause", "No-poach"),
    ("the clause dealing with audit rights in the lease", "audit rights"),
    ("can you show me the force majeure clause please", "force majeure"),
]
NO_CLAUSES = [
    "does the indemnity clause survive termination?",
    "Is there a morals clause?",
    "surviving clauses",
    "which clauses survive expiry?",
    "what does this clause say?",
    "Interim relief from a judge despite the arbitration clause",
    "gross-up clause for taxes caused by one side's own act?",
    "forum selection clause court",
    "Does a prior NDA survive the merger clause?",
    "what happens if a clause is struck down",
    "what does the confidentiality clause say about lawyers?",
    "can we call our site section an encyclopedia?",
    "who drafts the termination clause?",
]
FACTS = [
    ("who are the parties?", "parties"),
    ("Who are the parties to this agreement?", "parties"),
    ("parties", "parties"),
    ("who signed this?", "signature"),
    ("who signed the contract", "signature"),
    ("who is this between?", "parties"),
    ("who is the agreement between", "parties"),
    ("who are the plaintiffs and the defendants?", "parties"),
    ("when was it signed?", "date"),
    ("When was the agreement made?", "date"),
    ("When was signed?", "date"),
    ("when was the case decided", "date"),
    ("when was it filed and by which court?", "date and court"),
    ("what is the effective date?", "date"),
    ("What is the effective date of the agreement?", "date"),
    ("date of the agreement", "date"),
    ("date of the Coca-Cola Enterprises $1 billion credit agreement", "date"),
    ("on what date was it signed", "date"),
    ("what is this document?", "title"),
    ("what is this document called?", "title"),
    ("what kind of document is this?", "title"),
    ("what is the title of this agreement", "title"),
    ("which court decided this case?", "court"),
    ("what court is this in", "court"),
    ("case number", "docket"),
    ("what is the docket number?", "docket"),
    ("What is the appeal docket number in Mielo v. Steak n Shake?", "docket"),
    ("what court and case number?", "court and docket"),
    ("who was the judge?", "judge"),
    ("which judge decided the case", "judge"),
    ("who wrote the opinion?", "judge"),
    ("what was the outcome?", "outcome"),
    ("what was the outcome of the case?", "outcome"),
    ("what is the holding?", "outcome"),
    ("who won?", "outcome"),
    ("how did the court rule?", "outcome"),
    ("Was the Court of Appeals affirmed?", "outcome"),
]
ROLES = [
    ("who is the landlord?", "parties", "landlord"),
    ("Who is the administrative agent?", "role", "administrative agent"),
    ("which bank is the lender", "parties", "lender"),
    ("who are the guarantors?", "parties", "guarantors"),
    ("Who is the architect of the Opryland Hotel Florida project?", "role", "architect"),
    ("who is the escrow agent under this agreement?", "role", "escrow agent"),
    ("who signed for Microsoft?", "signature", "Microsoft"),
    ("Who signed on behalf of U.S. Bank?", "signature", "U.S. Bank"),
    ("who signed this agreement for the Company?", "signature", "Company"),
    ("who are the parties?", "parties", ""),
    ("who is the judge?", "judge", ""),
    ("when did the Gift Surplus court file its decision?", "date", ""),
    ("When did the court decide this case?", "date", ""),
    ("who is the owner of the drawings?", "", ""),
    ("who is the person that decides?", "", ""),
    ("who is responsible for repairs?", "", ""),
    ("who is the tenant allowed to sublet to?", "", ""),
]
NO_FACTS = [
    "when does the lease end?",
    "who pays?",
    "which court has jurisdiction?",
    "Which court hears disputes?",
    "Who signed for the licensor and in what position?",
    "When did the district court issue its order?",
    "when did the court hear the witness?",
    "Who is to sign, and for whom?",
    "What is the date of the NDA between the parties?",
    "What is the date of the original employment contract being changed?",
    "When was the NDA signed, and with which AIP entity?",
    "When was the letter of intent signed that preceded this contract?",
    "When was the joint site supposed to go live?",
    "What is the new expiry date of the initial term?",
    "What is the date of the underlying manufacturing contract?",
    "what is the outcome if we miss a payment?",
    "what was the result of the audit?",
    "who decides the price?",
    "who won the bid for the stadium?",
    "Which judge may appoint an arbitrator?",
    "who are the parties' insurers?",
    "what is this fee for?",
    "How did the court rule on the motion to compel discovery of emails?",
    "name of the escrow agent",
    "what is the contract price?",
    "parties may assign with consent",
    "when was the fee paid?",
]
ACROSS = [
    "which agreements have a cap on liability?",
    "which of our contracts are under Texas law?",
    "Which NDAs deal with residuals?",
    "any contract that renews automatically",
    "do any of our NDAs cover residuals?",
    "list all leases with a break option",
    "list the contracts governed by New York law",
    "show me every policy that mentions cookies",
    "how many agreements have an arbitration clause?",
    "how many of our leases expire in 2025",
    "compare the Acme lease and the Beta lease",
    "compare severance pay at Pioneer and Gadzooks",
    "what do our NDAs say about residuals?",
    "across all agreements, what is the notice period?",
    "do any of the severance agreements have a non-compete?",
    "What happens under our credit agreements on a change of control?",
    "every policy that allows sharing",
    "Is assignment allowed in both agreements?",
    "How fast must a data breach be reported under our contracts and privacy policies?",
    "what is the difference between the Acme lease and the Beta lease?",
    "which agreements stop the parties from poaching employees",
    "do all three NDAs allow disclosure to affiliates?",
]
NOT_ACROSS = [
    "In which cases is no consent needed?",
    "which contract wins if this one clashes with the transition services agreement",
    "Which provisions continue after the engagement has ended?",
    "Which two older contracts does this one bring to an end?",
    "Which other contracts, if ended, allow this one to be ended too?",
    "Which documents are you currently asking for input on?",
    "Which insurance policies must the vendor carry?",
    "Does this displace other written contracts between the same parties?",
    "Does it supersede all prior agreements?",
    "Our lender wants a security interest over all our contracts. Is that possible?",
    "Under which of the supplier's policies must the brand owner be an additional insured?",
    "difference SAS SASU major releases",
    "How long must ordinary data be protected compared with trade secrets?",
    "What other contracts are the parties signing at the same time?",
    "Which agreement governs in a conflict?",
    "does the contract move across if we merge",
    "does any contract term bind our affiliates?",
    "what does our agreement say about residuals?",
    "Which contracts must the seller disclose?",
    "Which agreements are terminated at closing?",
    "how many contracts must he bring in each year?",
    "each contract that exceeds $1m needs approval",
]
EXPECTS = [
    ("how much do we pay a year?", "amount"),
    ("What is the purchase price?", "amount"),
    ("What royalty rate is due?", "amount"),
    ("what percentage retainage can they hold back", "amount"),
    ("royalty rate", "amount"),
    ("when does the lease end?", "date"),
    ("By what date must it be launched?", "date"),
    ("What is the expiry date?", "date"),
    ("expiry date", "date"),
    ("how long does it run?", "period"),
    ("How many days of notice must we give?", "period"),
    ("how much notice must I give", "period"),
    ("what is the notice period?", "period"),
    ("How soon must we tell them?", "period"),
    ("By when must we complain?", "period"),
    ("notice period", "period"),
    ("how many free copies do we get", "number"),
    ("What is the minimum number of shares?", "number"),
    ("who pays the costs?", "person"),
    ("A visitor trips and sues. Who pays?", "person"),
    ("to whom must notices be sent?", "person"),
    ("which party bears the risk?", "person"),
    ("which party pays the fee?", "person"),
    ("where is the arbitration held?", "place"),
    ("Which state's law governs?", "place"),
    ("what address do notices go to?", "place"),
    ("may we assign the contract?", ""),
    ("what happens when the term ends?", ""),
    ("What happens to the price if they are late?", ""),
    ("what was the holding on jurisdiction?", ""),
    ("Does anyone who leaves lose the bonus?", ""),
]
KEYWORDS = [
    "late payment interest",
    "Change Of Control",
    "No-Solicit of Customers",
    "assignment consent",
    "HTML banner review lead time",
    "notice address Emeryville",
    "retention bonus pool amount",
]
NO_KEYWORDS = [
    "",
    "indemnity?",
    "may we assign",
    "who owns player data",
    "is assignment allowed",
    "tell me about assignment",
    "Section 7.2",
    "the indemnity clause",
    "case number",
    "it counts as received on the next business day if sent by fax after hours",
]


HEAVY = [
    *(
        "section ",
        "a ",
        "the agreement of ",
        "what is the ",
        "7.2 (b) ",
        "Exhibit A ",
        '"x" ',
        "A v. B ",
        "which of our ",
    ),
    *(
        "who signed ",
        "Aa ",
        "x",
        "section 1,",
        "can you please ",
        "definition of a ",
        "what do our contracts and ",
        "(",
    ),
]


def _places(expected: list[tuple[str, str]]) -> tuple[PlaceAsked, ...]:
    return tuple(PlaceAsked(word, number) for word, number in expected)


@pytest.mark.parametrize(("question", "places"), PLACE_LOOKUPS)
def test_look_up_of_a_place(question: str, places: list[tuple[str, str]]) -> None:
    found = asked(question)
    assert (found.places, found.is_lookup) == (_places(places), True)
    assert (found.term, found.clause, found.fact, found.across, found.is_keywords) == ("", "", "", False, False)


@pytest.mark.parametrize(("question", "places"), PLACE_MENTIONS)
def test_mention_of_a_place(question: str, places: list[tuple[str, str]]) -> None:
    found = asked(question)
    assert (found.places, found.is_lookup) == (_places(places), False)


@pytest.mark.parametrize("question", NO_PLACES)
def test_ordinary_words_are_no_places(question: str) -> None:
    found = asked(question)
    assert (found.places, found.is_lookup) == ((), False)


@pytest.mark.parametrize(("question", "term"), TERMS)
def test_look_up_of_a_definition(question: str, term: str) -> None:
    found = asked(question)
    assert (found.term, found.is_lookup) == (term, True)


@pytest.mark.parametrize(("question", "term"), TERMS_AMONG_OTHERS)
def test_definition_among_other_things(question: str, term: str) -> None:
    found = asked(question)
    assert (found.term, found.is_lookup) == (term, False)


@pytest.mark.parametrize("question", NO_TERMS)
def test_no_definition(question: str) -> None:
    found = asked(question)
    assert (found.term, found.is_lookup) == ("", False)


@pytest.mark.parametrize(("question", "clause"), CLAUSES)
def test_look_up_of_a_clause(question: str, clause: str) -> None:
    found = asked(question)
    assert (found.clause, found.is_lookup) == (clause, True)


@pytest.mark.parametrize("question", NO_CLAUSES)
def test_no_look_up_of_a_clause(question: str) -> None:
    found = asked(question)
    assert (found.clause, found.is_lookup) == ("", False)


@pytest.mark.parametrize(("question", "fact"), FACTS)
def test_fact(question: str, fact: str) -> None:
    found = asked(question)
    assert (found.fact, found.is_lookup, found.across) == (fact, False, False)


@pytest.mark.parametrize(("question", "fact", "role"), ROLES)
def test_role(question: str, fact: str, role: str) -> None:
    found = asked(question)
    assert (found.fact, found.role, found.is_lookup) == (fact, role, False)


@pytest.mark.parametrize("question", NO_FACTS)
def test_no_fact(question: str) -> None:
    assert asked(question).fact == ""


@pytest.mark.parametrize("question", ACROSS)
def test_across(question: str) -> None:
    found = asked(question)
    assert (found.across, found.is_lookup, found.fact) == (True, False, "")


@pytest.mark.parametrize("question", NOT_ACROSS)
def test_not_across(question: str) -> None:
    assert not asked(question).across


@pytest.mark.parametrize(("question", "expects"), EXPECTS)
def test_expects(question: str, expects: str) -> None:
    assert asked(question).expects == expects


@pytest.mark.parametrize("question", KEYWORDS)
def test_keywords(question: str) -> None:
    found = asked(question)
    assert (found.is_keywords, found.is_lookup, found.fact, found.across) == (True, False, "", False)


@pytest.mark.parametrize("question", NO_KEYWORDS)
def test_no_keywords(question: str) -> None:
    assert not asked(question).is_keywords


def test_nothing_is_asked() -> None:
    assert asked("") == asked(" \n") == Asked()


@pytest.mark.parametrize("part", HEAVY)
def test_a_long_question_takes_no_time(part: str) -> None:
    question = part * (10_000 // len(part))
    started = time.process_time()
    asked(question)
    assert time.process_time() - started < 0.5
