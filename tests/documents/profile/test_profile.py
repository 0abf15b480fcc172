"""Profiles: names, parties, dates, kinds and terms of documents."""

import pytest

from pincite.documents import read_folder
from pincite.documents.profile import file_words, profile
from pincite.text import Document
from tests.conftest import SAMPLES


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NDA-SqillerBetaTesters.txt", ("NDA", "Sqiller", "Beta", "Testers")),
        ("Sony%20Pictures%20NDA%20(Executed).txt", ("Sony", "Pictures", "NDA", "Executed")),
        ("a/b/HarpoonInc_20200312_10-K.txt", ("Harpoon", "Inc", "20200312", "10", "K")),
        ("ACMECorp2021", ("ACME", "Corp", "2021")),
        ("été l'an.txt", ("été", "l", "an")),
    ],
)
def test_file_names_are_split_into_words(name: str, words: tuple[str, ...]) -> None:
    assert file_words(name) == words


def test_the_samples_profiles_say_who_and_what() -> None:
    found = {document.id.split("/")[-1]: profile(document) for document in read_folder(SAMPLES / "corpus").documents}
    lease = found["lease-14-garnet-quay-2019.txt"]
    assert lease.kind == "lease"
    assert lease.date == "2019-03-21"
    assert "FENWICK HARBOUR ESTATES LTD" in lease.parties
    kestrel = found["nda-belvoir-kestrel-2022.txt"]
    assert kestrel.kind == "non-disclosure agreement"
    assert {"Belvoir", "Kestrel"} <= set(kestrel.short_names)
    assert "Confidential Information" in kestrel.terms
    assert found["privacy-policy-dovetail-market.txt"].kind == "privacy policy"
    assert found["merger-extract-ironbridge-solace-2025.txt"].kind == "merger or purchase agreement"


def test_metadata_corrects_a_profile() -> None:
    guessed = Document("x.txt", "LEASE of premises between Acme Ltd and Bolt LLC")
    said = Document(
        "x.txt", guessed.text, metadata={"kind": "licence", "parties": "Corvo AG; Dune SA", "date": "2020-01-31"}
    )
    assert profile(guessed).kind == "lease"
    assert (profile(said).kind, profile(said).parties, profile(said).date) == (
        "licence",
        ("Corvo AG", "Dune SA"),
        "2020-01-31",
    )


def test_an_empty_document_has_an_empty_profile() -> None:
    assert profile(Document("x.txt", "")).parties == ()
