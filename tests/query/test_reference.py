"""Which document a question means, and what is left to ask: the sample contracts among a few made-up documents."""

import re

import pytest

from pincite.documents import read_folder
from pincite.index import Index
from pincite.query.reference import KEEP, SURE, ParsedQuery
from pincite.query.spelling import corrected
from pincite.retrieve import ContextRetriever
from pincite.segment import Clauses
from pincite.text import Collection, Document
from pincite.text.english import ENGLISH
from tests.conftest import ROOT, SAMPLES

MADE = {
    "made/outsourcing-merrow-2004.txt": (
        "OUTSOURCING AGREEMENT\n\nThis Outsourcing Agreement is made as of May 4, 2004 between Affiliated Computer"
        ' Services, Inc., a Delaware corporation, and Merrow County Hospital (the "Client").\n\n1. SERVICES\n\n1.1 The'
        " provider shall run the data centre of the Client.\n\n2. FEES\n\n2.1 The Client pays the monthly fee within"
        " thirty days.\n"
    ),
    "made/pelham-loan-2015.txt": (
        "LOAN AGREEMENT\n\nThis Loan Agreement is dated 3 June 2015 and made between Pelham Orchard Bank plc (the"
        ' "Lender") and Sable Foundry Ltd (the "Borrower").\n\n1. REPAYMENT\n\n1.1 The Borrower shall repay the loan in'
        " one sum.\n\n2. INTEREST\n\n2.1 Interest accrues at four per cent a year.\n"
    ),
    "made/pelham-loan-2019.txt": (
        "LOAN AGREEMENT\n\nThis Loan Agreement is dated 9 September 2019 and made between Pelham Orchard Bank plc (the"
        ' "Lender") and Sable Foundry Ltd (the "Borrower").\n\n1. REPAYMENT\n\n1.1 The Borrower shall repay the loan in'
        " ten parts.\n\n2. INTEREST\n\n2.1 Interest accrues at six per cent a year.\n"
    ),
    "made/reach-compliance.txt": (
        "REACH COMPLIANCE STATEMENT\n\nThis statement of Orbell Chemicals GmbH concerns Regulation (EC) No 1907/2006"
        " (REACH).\n\n1. SUBSTANCES\n\n1.1 No substance of very high concern is used above the threshold.\n"
    ),
    "made/lime-quarry.txt": (
        "QUARRY LICENCE\n\nThis Quarry Licence is made on 2 May 2018 between Delaware Lime Co and Marram Haulage Ltd."
        "\n\n1. ROYALTY\n\n1.1 The licensee pays a royalty for each tonne of lime.\n"
    ),
    "made/project-falcon/side-letter.txt": (
        "SIDE LETTER\n\nThis letter of 4 July 2020 records what Averley Pumps Ltd and Corran Mills Ltd agreed about"
        " spare parts.\n\n1. SPARES\n\nSpare parts are delivered free of charge for two years.\n"
    ),
    "made/HMR-00417-addendum.txt": (
        "ADDENDUM\n\nThis addendum of 5 May 2021 changes the maintenance terms between Lusk Elevators Ltd and Noor"
        " Towers Ltd.\n\n1. VISITS\n\nThe lifts are inspected every six weeks.\n"
    ),
}
TAMARISK, LEASE = "contracts/nda-tamarisk-oneway-2023.txt", "contracts/lease-14-garnet-quay-2019.txt"
KESTREL, MERGER = "contracts/nda-belvoir-kestrel-2022.txt", "contracts/merger-extract-ironbridge-solace-2025.txt"
HARROWGATE, QUILLON = "contracts/nda-harrowgate-mutual-2021.txt", "contracts/nda-quillon-betatest-2024.txt"
MARLOWE, CALDERA = "contracts/services-marlowe-msa-2023.txt", "contracts/supply-caldera-components-2021.txt"
HALDEN, BRIGHTWATER = "contracts/employment-halden-cto-2022.txt", "contracts/licence-brightwater-software-2022.txt"
ACS, FALCON, ADDENDUM = (
    "made/outsourcing-merrow-2004.txt",
    "made/project-falcon/side-letter.txt",
    "made/HMR-00417-addendum.txt",
)
LOAN_2015, LOAN_2019 = "made/pelham-loan-2015.txt", "made/pelham-loan-2019.txt"
LIME = "made/lime-quarry.txt"

NAMED = [
    # A possessive
    ("Under Tamarisk's NDA, may copies be kept?", TAMARISK, "may copies be kept?"),
    ("Harrowgate's NDA: is there a non-solicit?", HARROWGATE, "is there a non-solicit?"),
    ("What is the term of Harrowgate’s NDA?", HARROWGATE, "What is the term?"),
    ("Quillon's beta test agreement - who owns feedback?", QUILLON, "who owns feedback?"),
    # Lower case
    ("under the tamarisk nda, may copies be kept?", TAMARISK, "may copies be kept?"),
    ("may copies be kept under harrowgate's mutual nda?", HARROWGATE, "may copies be kept?"),
    ("marlowe msa: liability cap", MARLOWE, "liability cap"),
    ("what does the halden employment agreement say about notice", HALDEN, "what does the agreement say about notice"),
    # The initials of a party
    ("What is the monthly fee in the ACS outsourcing agreement?", ACS, "What is the monthly fee?"),
    ("under the acs agreement, when is the monthly fee due?", ACS, "when is the monthly fee due?"),
    ("ACS: when is the fee due?", ACS, "when is the fee due?"),
    ("POB loan of 2015: what is the interest rate?", LOAN_2015, "what is the interest rate?"),
    # Marks of a reference
    ("When is the fee due? I mean the ACS outsourcing agreement.", ACS, "When is the fee due?"),
    ("When may the tenant break? I mean Garnet Quay.", LEASE, "When may the tenant break?"),
    ("[Tamarisk NDA] May copies be kept?", TAMARISK, "May copies be kept?"),
    ("May copies be kept? [Tamarisk NDA]", TAMARISK, "May copies be kept?"),
    ("When may the tenant break? (Garnet Quay lease)", LEASE, "When may the tenant break?"),
    ("re Tamarisk NDA: may copies be kept?", TAMARISK, "may copies be kept?"),
    ("re the Garnet Quay lease: may pets be kept?", LEASE, "may pets be kept?"),
    ("What is the governing law, according to the Caldera supply agreement?", CALDERA, "What is the governing law?"),
    ("the Marlowe master services agreement; what is the liability cap?", MARLOWE, "what is the liability cap?"),
    # Names of files, with their numbers, and of folders
    ("In nda-tamarisk-oneway-2023.txt, may copies be kept?", TAMARISK, "may copies be kept?"),
    ("In lease-14-garnet-quay-2019, may the tenant underlet?", LEASE, "may the tenant underlet?"),
    ("In the file 14 garnet quay, may the tenant underlet?", LEASE, "may the tenant underlet?"),
    ("HMR-00417: how often are the lifts inspected?", ADDENDUM, "how often are the lifts inspected?"),
    ("00417: how often are the lifts inspected?", ADDENDUM, "how often are the lifts inspected?"),
    ("how often are the lifts inspected under HMR-00417?", ADDENDUM, "how often are the lifts inspected?"),
    ("In Project Falcon, who delivers spare parts?", FALCON, "who delivers spare parts?"),
    ("project falcon: who delivers spare parts?", FALCON, "who delivers spare parts?"),
    # A year tells two agreements apart
    ("What is the interest rate in the 2015 Pelham loan agreement?", LOAN_2015, "What is the interest rate?"),
    ("What is the interest rate in the 2019 Pelham loan agreement?", LOAN_2019, "What is the interest rate?"),
    ("For the Pelham loan of 2019, what is the interest rate?", LOAN_2019, "what is the interest rate?"),
    ("In the 2022 Brightwater licence, who owns the source code?", BRIGHTWATER, "who owns the source code?"),
    # Two parties
    ("Belvoir/Kestrel: may copies be kept?", KESTREL, "may copies be kept?"),
    ("In Belvoir/Kestrel, may copies be kept?", KESTREL, "may copies be kept?"),
    ("Ironbridge/Solace - what is the termination fee?", MERGER, "what is the termination fee?"),
    # Beside a few words
    ("Marlowe MSA liability cap", MARLOWE, "liability cap"),
    ("liability cap, Marlowe MSA", MARLOWE, "liability cap"),
    # Names of the negatives below name their documents where they are meant
    ("Under the Delaware Lime licence, what is the royalty?", LIME, "what is the royalty?"),
]
PLACES = [
    ("Section 7.2 of the Tamarisk NDA", TAMARISK, "Section 7.2"),
    ("Tamarisk NDA, section 10", TAMARISK, "section 10"),
    ("Article VII of the Ironbridge merger agreement", MERGER, "Article VII"),
    ("What is in § 4 of the Tamarisk NDA?", TAMARISK, "What is in § 4?"),
    ("Show me section 2.16 in the Garnet Quay lease", LEASE, "Show me section 2.16"),
    ("clause 9.3 of the Caldera supply agreement", CALDERA, "clause 9.3"),
]
UNNAMED = [
    "Change Of Control",
    "No-Solicit of Customers",
    "Limitation Of Liability Cap",
    "Governing Law And Jurisdiction",
    "Payment Of Royalties",
    "CONFIDENTIAL INFORMATION",
    "confidential information return destroy",
    "monthly fee data centre",
    "supply agreement",
    "What does a lease say about repairs?",
    "Who pays for a recall under a supply agreement?",
    "does it also reach business matters",
    "Does it also reach business matters?",
    "How far does the duty reach?",
    "reach of the restriction",
    "Which agreements are governed by Delaware law?",
    "Which contracts are governed by Delaware law?",
    "governed by Delaware law",
    "Delaware law",
    "What is the Seller's obligation on closing?",
    "",
]
KEYWORDS = [
    line
    for line in (ROOT / "data" / "keywords.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]
_WORD = re.compile(r"\w+")


def documents() -> list[Document]:
    samples = read_folder(SAMPLES / "corpus").documents
    return [*samples, *(Document(name, text) for name, text in MADE.items())]


@pytest.fixture(scope="module")
def context() -> ContextRetriever:
    retriever = ContextRetriever()
    retriever.index(Collection.build(documents(), Clauses()))
    return retriever


def ids(parsed: ParsedQuery) -> list[str]:
    return [match.id for match in parsed.documents]


def words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


@pytest.mark.parametrize(("query", "document", "question"), [*NAMED, *PLACES])
def test_a_reference_means_its_document_and_leaves_the_question(
    context: ContextRetriever, query: str, document: str, question: str
) -> None:
    parsed = context.parse(query)
    assert ids(parsed)[0] == document
    assert parsed.documents[0].belief >= SURE
    assert parsed.documents[0].why.startswith("named by: ")
    assert parsed.question == question
    assert not parsed.only_names
    assert parsed.notes == ()


@pytest.mark.parametrize(("query", "document", "question"), [*NAMED, *PLACES])
def test_a_word_is_either_part_of_the_reference_or_still_asked(
    context: ContextRetriever, query: str, document: str, question: str
) -> None:
    parsed = context.parse(query)
    assert words(query) - ENGLISH.stop_words <= words(parsed.reference) | words(parsed.question)


@pytest.mark.parametrize("query", UNNAMED)
def test_a_question_that_names_no_document_is_left_as_it_is(context: ContextRetriever, query: str) -> None:
    parsed = context.parse(query)
    assert ids(parsed) == []
    assert (parsed.question, parsed.reference, parsed.only_names) == (query, "", False)


@pytest.mark.parametrize("query", KEYWORDS)
def test_short_clause_queries_name_no_document(context: ContextRetriever, query: str) -> None:
    parsed = context.parse(query)
    assert (parsed.documents, parsed.hints, parsed.reference, parsed.only_names) == ((), (), "", False)
    assert parsed.question == corrected(query, context.view)[0]


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("May Tamarisk assign the agreement?", TAMARISK),
        ("May Orlo assign the agreement?", TAMARISK),
        ("May Orlo hire Tamarisk's people?", TAMARISK),
        ("What does Tamarisk owe Orlo?", TAMARISK),
        ("Must Fenwick Harbour insure the building?", LEASE),
        ("When must Veridian pay?", "contracts/distribution-veridian-2024.txt"),
        ("What royalty does Delaware Lime pay?", LIME),
    ],
)
def test_a_party_that_the_question_is_about_stays_in_it(context: ContextRetriever, query: str, document: str) -> None:
    """What it names is raised, and searched alone only where it is clear."""
    parsed = context.parse(query)
    assert parsed.question == query
    assert [match.id for match in (*parsed.documents, *parsed.hints)][:1] == [document]


@pytest.mark.parametrize("query", ["May Tamarisk assign the agreement?", "What royalty does Delaware Lime pay?"])
def test_a_name_of_few_documents_points_to_them_and_models_read_the_question_without_it(
    context: ContextRetriever, query: str
) -> None:
    parsed = context.parse(query)
    assert parsed.reference == ""
    assert parsed.documents[0].why.startswith("mentions: ")
    assert parsed.question == query
    assert "Tamarisk" not in parsed.read
    assert "Lime" not in parsed.read


@pytest.mark.parametrize(
    "query",
    [
        "What is the interest rate in the Pelham loan agreement?",
        "What is the interest rate in the Pelham Orchard Bank loan agreement with Sable Foundry?",
        "Pelham loan agreement",
    ],
)
def test_two_documents_that_fit_alike_are_both_kept(context: ContextRetriever, query: str) -> None:
    parsed = context.parse(query)
    assert set(ids(parsed)[:2]) == {LOAN_2015, LOAN_2019}
    one, other = (match.belief for match in parsed.documents[:2])
    assert one == pytest.approx(other, rel=0.2)
    assert all(match.belief < SURE for match in parsed.documents)


def test_of_two_documents_that_fit_alike_the_newer_one_comes_first(context: ContextRetriever) -> None:
    assert ids(context.parse("Section 2 of the Pelham loan agreement"))[:2] == [LOAN_2019, LOAN_2015]


def test_of_two_documents_that_fit_alike_the_one_comes_first_whose_text_matches_what_is_asked(
    named: ContextRetriever,
) -> None:
    for name in ("cookies", "gifts"):
        assert ids(named.parse(f"how does zibble treat {name}?"))[0] == f"policies/zibble-{name}.md"


MILL = Document("mill.txt", "DEED\n\nThis Deed is made between Quill Orchard plc and Reed & Sable Milling Ltd.\n")


KEEPS = Document(
    "keep.txt", "PRIVACY POLICY\n\nKeep takes your privacy seriously. We share your location with nobody.\n"
)


def test_a_mark_holds_before_a_quotation_mark_too() -> None:
    retriever = ContextRetriever()
    retriever.index(Collection.build([KEEPS, *read_folder(SAMPLES / "corpus").documents], Clauses()))
    for name in ("Keep", '"Keep"', "“Keep”"):
        parsed = retriever.parse(f"Consider {name}'s privacy policy; do you sell my data?")
        assert ids(parsed) == ["keep.txt"], name
        assert parsed.question == "do you sell my data?"


@pytest.fixture(scope="module")
def mill() -> ContextRetriever:
    retriever = ContextRetriever()
    retriever.index(Collection.build([MILL, *read_folder(SAMPLES / "corpus").documents], Clauses()))
    return retriever


def test_the_first_letters_of_joined_names_are_a_name(mill: ContextRetriever) -> None:
    assert ids(mill.parse("may it be sold under the R&S deed?"))[0] == "mill.txt"


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("what is Halden's notice period?", "what is Halden's notice period?"),
        ("can the garnet quay lease be assigned?", "can the lease be assigned?"),
        ("is the Brightwater licence exclusive?", "is the Brightwater licence exclusive?"),
    ],
)
def test_no_word_that_is_asked_about_goes_with_the_name(mill: ContextRetriever, query: str, question: str) -> None:
    parsed = mill.parse(query)
    assert len(parsed.documents) == 1
    assert parsed.question == question


def test_a_comparison_names_documents_in_lower_case_too(mill: ContextRetriever) -> None:
    parsed = mill.parse("compare the privacy policies of wrenfield and dovetail on retention")
    assert {document.split("/")[-1] for document in ids(parsed)} == {
        "privacy-policy-wrenfield-app.txt",
        "privacy-policy-dovetail-market.txt",
    }


def test_two_letters_point_to_a_document_in_capitals_only(mill: ContextRetriever) -> None:
    assert ids(mill.parse("May QO sell the mill?")) == ["mill.txt"]
    assert not mill.parse("may our qo hire another person to do the work for us?").documents


@pytest.fixture(scope="module")
def trades() -> ContextRetriever:
    """Companies that are called by their trade, and some whose initials are the same."""
    texts = {
        "orlin.txt": "SUPPLY AGREEMENT\n\nbetween Orlin Tech Inc. and Vasser Pharma Inc.\n\n1. Orlin Tech sells bolts.\n",
        **{
            f"{one.lower()}-{two.lower()}.txt": f"LOAN AGREEMENT\n\nbetween {one} {two} Inc. and Ostrel Inc.\n\n1. It pays.\n"
            for one, two in (("Carrow", "Ivers"), ("Coldin", "Irwell"), ("Cavan", "Inglis"), ("Cress", "Ibbet"))
        },
    }
    made = [Document(name, text) for name, text in texts.items()]
    retriever = ContextRetriever()
    retriever.index(Collection.build([*made, *read_folder(SAMPLES / "corpus").documents], Clauses()))
    return retriever


@pytest.mark.parametrize(
    ("query", "documents"),
    [
        ("who answers tech support calls first, us or them?", []),
        ("if we sell to another pharma company, can the contract go with it?", []),
        ("what happens if somebody wastes the CI minutes", []),
        ("may orlin tech sell bolts to others?", ["orlin.txt"]),
        ("May Vasser sell bolts to others?", ["orlin.txt"]),
    ],
)
def test_a_trade_and_the_initials_of_many_point_to_no_document(
    trades: ContextRetriever, query: str, documents: list[str]
) -> None:
    assert ids(trades.parse(query)) == documents


POLICIES = {
    f"policies/zibble-{name}.md": f"# Zibble {name}\n\n1. Zibble says how it treats {name} on its site.\n"
    for name in ("cookies", "appeals", "gifts", "terms", "candidates")
}
PLAN = "Retirement plan for James E. Young, whom the bank employs.\n\n1. James Young gets a pension.\n"
OTHERS = {
    "james.txt": "LICENCE\n\nJames Hook sails from Young Street.\n",
    "street.txt": "DEED\n\nThe house of James Poole stands in Young Street.\n",
}


@pytest.fixture(scope="module")
def named() -> ContextRetriever:
    texts = {
        **POLICIES,
        **OTHERS,
        "plans/joinder agreement for james e. young.txt": PLAN,
        "lease-otter-2025.txt": "LEASE\n",
    }
    made = [Document(name, text) for name, text in texts.items()]
    retriever = ContextRetriever()
    retriever.index(Collection.build([*made, *read_folder(SAMPLES / "corpus").documents], Clauses()))
    return retriever


def test_a_name_in_lower_case_points_to_all_that_are_called_by_it_and_says_who_acts(named: ContextRetriever) -> None:
    parsed = named.parse("can zibble delete my account without telling me?")
    assert set(ids(parsed)) == set(POLICIES)
    assert parsed.read == "can zibble delete my account without telling me?"
    assert named.parse("may I keep a gift at zibble").read == "may I keep a gift at"


def test_a_full_name_points_to_its_document_though_each_word_stands_elsewhere(named: ContextRetriever) -> None:
    parsed = named.parse("what happens if James Young is fired for stealing")
    assert ids(parsed) == ["plans/joinder agreement for james e. young.txt"]


def test_a_name_outdoes_a_year_that_leads_elsewhere(named: ContextRetriever) -> None:
    assert ids(named.parse("Veridian minimum purchase 2025"))[0].endswith("distribution-veridian-2024.txt")


def test_the_term_whose_definition_is_asked_names_no_document(context: ContextRetriever) -> None:
    assert context.parse("definition of Sable in the Pelham loan agreement").question == "definition of Sable"


def test_a_document_that_fits_less_well_is_kept_behind(context: ContextRetriever) -> None:
    parsed = context.parse("In the Pelham loan of 2015 and 2019, what is the rate?")
    assert set(ids(parsed)) == {LOAN_2015, LOAN_2019}


def test_beliefs_are_shares_the_surest_first(context: ContextRetriever) -> None:
    for query, _, _ in NAMED:
        beliefs = [match.belief for match in context.parse(query).documents]
        assert beliefs == sorted(beliefs, reverse=True)
        assert beliefs[-1] >= KEEP * beliefs[0]
        assert sum(beliefs) <= 1.0 + 1e-9


@pytest.mark.parametrize(
    ("query", "document"),
    [
        ("Tamarisk NDA", TAMARISK),
        ("the Tamarisk NDA", TAMARISK),
        ("Quillon", QUILLON),
        ("garnet quay lease", LEASE),
        ("the veridian distribution agreement", "contracts/distribution-veridian-2024.txt"),
        ("Project Falcon", FALCON),
        ("Delaware Lime Co", LIME),
    ],
)
def test_only_a_name_asks_nothing(context: ContextRetriever, query: str, document: str) -> None:
    parsed = context.parse(query)
    assert parsed.only_names
    assert ids(parsed)[0] == document
    assert parsed.question == query


def test_the_same_words_mean_the_same_document_whatever_the_order_of_the_collection(context: ContextRetriever) -> None:
    turned = ContextRetriever()
    turned.index(Collection.build(reversed(documents()), Clauses()))
    for query, _, _ in NAMED:
        assert turned.parse(query) == context.parse(query)


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("Under the Tamarisk NDA, may copies be kept?", "may copies be kept?"),
        ("May copies be kept? I mean the Tamarisk NDA", "May copies be kept?"),
        ("[Tamarisk NDA] May copies be kept?", "May copies be kept?"),
    ],
)
def test_a_document_that_was_removed_is_not_found_and_that_is_said(query: str, question: str) -> None:
    index = Index.create(":memory:")
    for document in documents():
        index.add_text(document.id, document.text, vectors="none")
    assert ids(index.search(query, 1, fast=True).understood) == [TAMARISK]
    assert index.remove(TAMARISK) == 1
    answer = index.search(query, 3, fast=True)
    assert ids(answer.understood) == []
    assert answer.understood.question == question
    assert any("no document is called" in note and "Tamarisk NDA" in note for note in answer.notes)
    assert len(answer.hits) == 3
    assert TAMARISK not in {hit.document_id for hit in answer}


@pytest.mark.parametrize(
    ("query", "called"),
    [
        ("Does the Zebulon lease allow pets?", "Zebulon lease"),
        ("what does the Fairview NDA say about residuals?", "Fairview NDA"),
        ("Section 4 of the Zebulon lease", "Zebulon lease"),
    ],
)
def test_a_document_that_nothing_is_called_by_is_said_inside_a_sentence(
    context: ContextRetriever, query: str, called: str
) -> None:
    parsed = context.parse(query)
    assert parsed.documents == ()
    assert parsed.notes == (f"no document is called {called!r}: all documents were searched",)


@pytest.mark.parametrize("query", ["Does the Tenant pay the Rent under the Ground Lease?", "Is a Waiver lease valid?"])
def test_terms_of_the_documents_are_not_said_to_be_missing(context: ContextRetriever, query: str) -> None:
    assert not [note for note in context.parse(query).notes if "Tenant" in note or "Rent" in note]


def test_a_comparison_is_about_all_that_it_names(context: ContextRetriever) -> None:
    parsed = context.parse("compare the governing law of the Marlowe MSA and the Caldera supply agreement")
    assert set(ids(parsed)) == {MARLOWE, CALDERA}
    assert "Marlowe" not in parsed.read


def test_who_won_is_asked_of_the_case_that_is_named(context: ContextRetriever) -> None:
    parsed = context.parse("who won under the Garnet Quay lease")
    assert not parsed.only_names
    assert parsed.asked.fact == "outcome"


RETENTION = "DOCUMENT RETENTION POLICY\n\n1. RECORDS\n\nFinancial records are retained for {} years.\n"


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("how long must financial records be retained under the retention policy", "how long must financial records"),
        ("In the document retention policy, how long are records kept?", "how long are records kept?"),
    ],
)
def test_two_documents_with_the_title_that_is_said_are_both_kept(question: str, left: str) -> None:
    index = Index.create(":memory:")
    index.add(SAMPLES / "corpus", vectors="none")
    for at in range(6):  # so that the word is no name
        index.add_text(f"made/note-{at}.txt", f"NOTE\n\nThe retention of records, part {at}.\n", vectors="none")
    for name, years in (("document-retention-policy", "seven"), ("compliance-records", "ten")):
        text = RETENTION.format(years)
        index.add_text(f"made/{name}.txt", text, title="Document Retention Policy", vectors="none")
    answer = index.search(question, fast=True)
    kept = ["made/compliance-records.txt", "made/document-retention-policy.txt"]
    assert sorted(match.id for match in answer.understood.documents) == kept
    assert answer.understood.question.startswith(left)
    assert any(note.startswith("which one is meant?") for note in answer.notes)
    assert {hit.document_id for hit in answer} == set(kept)


@pytest.mark.parametrize("question", ["what is due under the retention scheme?", "is the retention policy of any use?"])
def test_words_of_a_title_elsewhere_name_no_document(question: str) -> None:
    index = Index.create(":memory:")
    index.add(SAMPLES / "corpus", vectors="none")
    for at in range(6):
        index.add_text(f"made/note-{at}.txt", f"NOTE\n\nThe retention of records, part {at}.\n", vectors="none")
    index.add_text("made/document-retention-policy.txt", RETENTION.format("seven"), vectors="none")
    assert index.search(question, fast=True).understood.documents == ()
