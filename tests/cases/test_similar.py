"""Cases like this one, over an index: the stretches, what both cite, dates and filters, and input that cannot be used."""

from pathlib import Path

import pytest

from pincite.cases import SimilarCases
from pincite.cases.named_cases import named_cases
from pincite.cases.similar_export import as_csv, as_docx
from pincite.errors import DataError, UsageError
from pincite.index import Index
from pincite.text import Document, Filter

LEASE = "The lessor ended the lease of the mill because the rent was in arrears, and claimed possession."
DUTY = "Customs duty was due on the silk, and the importer refused to pay the duty."


def judgment(name: str, date: str, body: str) -> str:
    return (
        f"{name}\nSupreme Court of India\n{date}\n\nThe Judgment was delivered by:\n{body}\nThe appeal is dismissed.\n"
    )


CASES = {
    "mill": ("Rao v Sen", "3 May 1961", f"{LEASE} We follow Masud Khan v. State of Bihar."),
    "shop": (
        "Nair v Das",
        "9 June 1975",
        f"{LEASE} In Masud Khan v. State of Bihar, and in Rao v Sen, it was held so.",
    ),
    "silk": ("Customs v Ali", "2 July 1970", DUTY),
    "late": ("Roy v Bose", "5 March 1999", f"{LEASE} {LEASE} Rao v Sen is followed."),
}


@pytest.fixture
def index() -> Index:
    found = Index.create(":memory:")
    for name, (title, date, body) in CASES.items():
        metadata = {"court": "High Court" if name == "silk" else "Supreme Court"}
        found.add_text(name, judgment(title, date, body), vectors="none", metadata=metadata)
    return found


def names(answer: object) -> list[str]:
    return [case.case.document for case in answer.cases]  # type: ignore[attr-defined]


def test_a_judgment_of_the_index_finds_the_earlier_ones_like_it_and_says_why(index: Index) -> None:
    answer = SimilarCases(index).like(index.document("shop"), k=5)
    assert names(answer) == ["mill", "silk"]
    assert answer.query.date == "1975-06-09"
    assert "decided after 1975-06-09, and left out: 1 of 3 cases" in answer.notes
    first = answer.cases[0]
    assert first.mine is not None
    assert first.its is not None
    assert first.mine.text == index.document("shop").text[first.mine.start : first.mine.end]
    assert first.its.text == index.document("mill").text[first.its.start : first.its.end]
    assert first.in_common == ("Masud Khan v. State of Bihar",)
    assert "arrears" in first.shared_words
    assert "The judgment itself names this case." in first.why
    assert any(line.startswith("Both cite Masud Khan") for line in first.why)


def test_later_cases_come_only_where_they_are_asked_for(index: Index) -> None:
    cases = SimilarCases(index)
    assert "late" not in names(cases.like(index.document("shop")))
    assert names(cases.like(index.document("shop"), later=True))[0] in ("late", "mill")
    assert "late" in names(cases.like(index.document("shop"), later=True))
    assert names(cases.like(LEASE, date="1 January 1962")) == ["mill"]


def test_court_and_dates_filter_the_cases(index: Index) -> None:
    cases = SimilarCases(index)
    assert names(cases.like(LEASE, where={"court": "High Court"})) == ["silk"]
    assert set(names(cases.like(LEASE, where={"after": "1970-01-01", "before": "1980-01-01"}))) == {"shop", "silk"}
    assert set(names(cases.like(LEASE, visible=Filter(documents=("mill", "silk"))))) == {"mill", "silk"}


def test_a_judgment_without_a_date_is_said_to_have_none(index: Index) -> None:
    answer = SimilarCases(index).like(LEASE)
    assert len(answer.cases) == 4
    assert any("no date was found in the judgment" in note for note in answer.notes)


def test_what_changed_in_the_index_is_seen(index: Index) -> None:
    cases = SimilarCases(index)
    assert len(names(cases.like(LEASE))) == 4
    index.remove("mill")
    assert "mill" not in names(cases.like(LEASE))


def test_a_query_that_is_among_the_candidates_is_never_its_own_answer(index: Index) -> None:
    text = index.document("mill").text
    answer = SimilarCases(index).like(Document("upload", text), later=True)
    assert "mill" not in names(answer)
    assert "mill: has the same text; left out" in answer.notes
    assert "mill" not in names(SimilarCases(index).like(index.document("mill"), later=True))


def test_a_judgment_without_text_is_refused(index: Index) -> None:
    with pytest.raises(DataError, match="the judgment has no text"):
        SimilarCases(index).like("  \n")


def test_a_date_that_cannot_be_read_is_refused(index: Index) -> None:
    with pytest.raises(UsageError, match="date: 'soon' is not a date; write 2024-03-31"):
        SimilarCases(index).like(LEASE, date="soon")
    with pytest.raises(UsageError, match="after: '31/02' is not a date"):
        SimilarCases(index).like(LEASE, where={"after": "31/02"})


def test_a_collection_of_one_case_says_that_there_is_no_other() -> None:
    index = Index.create(":memory:")
    index.add_text("only", judgment("Rao v Sen", "3 May 1961", LEASE), vectors="none")
    cases = SimilarCases(index)
    answer = cases.like(index.document("only"))
    assert answer.cases == ()
    assert answer.notes[-1] == "there is no other case to compare it with"
    assert names(cases.like(LEASE)) == ["only"]


def test_a_collection_without_citations_is_ranked_by_likeness_alone() -> None:
    index = Index.create(":memory:")
    index.add_text("lease", LEASE, vectors="none")
    index.add_text("duty", DUTY, vectors="none")
    answer = SimilarCases(index).like("The rent was in arrears, so the lease was ended.")
    assert names(answer) == ["lease", "duty"]
    assert answer.cases[0].in_common == ()


def test_a_judgment_of_five_megabytes_is_answered(index: Index) -> None:
    huge = f"{LEASE} " * (5_000_000 // len(LEASE))
    answer = SimilarCases(index).like(huge, k=1)
    assert names(answer)[0] in ("mill", "shop", "late")
    assert answer.cases[0].mine is not None
    assert huge[answer.cases[0].mine.start : answer.cases[0].mine.end] == answer.cases[0].mine.text


def test_results_can_be_exported(index: Index, tmp_path: Path) -> None:
    from docx import Document as Word

    answer = SimilarCases(index).like(index.document("shop"))
    rows = as_csv(answer)
    assert rows.splitlines()[0].startswith("Rank,Case,Court,Date")
    assert "Masud Khan v. State of Bihar" in rows
    path = tmp_path / "cases.docx"
    path.write_bytes(as_docx(answer))
    word = Word(str(path))
    assert word.paragraphs[0].text.startswith("Cases like ")
    assert any(paragraph.text.startswith("1. ") for paragraph in word.paragraphs)
    assert LEASE in word.tables[0].rows[1].cells[1].text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("See Roe v. Wade, 410 U.S. 113.", ["Roe v. Wade"]),
        ("In Pritam Singh v. State of Punjab it was held", ["Pritam Singh v. State of Punjab"]),
        ("Re Smith and in re Jones", []),
        ("the tenant v the landlord", []),
        ("Following A. K. Gopalan vs. State of Madras, and others", ["A. K. Gopalan vs. State of Madras"]),
    ],
)
def test_cases_are_named_by_their_parties(text: str, found: list[str]) -> None:
    named = named_cases(text)
    assert [case.text for case in named.values()] == found
    assert all(text[case.start : case.end] == case.text for case in named.values())


def test_another_singh_against_the_state_is_another_case() -> None:
    assert not set(named_cases("Pritam Singh v. State of Punjab")) & set(named_cases("Ram Singh v. State of Bihar"))
