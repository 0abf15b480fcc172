"""Texts that nobody wrote take no time to profile."""

import time

import pytest

from pincite.documents.profile import profile
from pincite.text import Document

ODD = [
    *(
        "x",
        "A ",
        "0",
        "Aa ",
        "AB ",
        "Aa, ",
        "This Agreement ",
        "Aa and ",
        "(“Aa” ",
        ". ",
        "\n",
        "A",
        "- ",
        "_",
        "Aa of ",
        "by Aa ",
    ),
    *("Dear Aa\n", "1. Aa\n", "Aa v. Aa\n", "Aa, Inc. ", 'between Aa Bb, Inc. ("C") and ', "dated as of May 3, 2001 "),
    *("AGREEMENT ", "AMENDMENT NO. 1 TO ", "UNITED STATES DISTRICT COURT\n", "1-1-1-", "Art. 1 ", "[1] "),
]
CHARACTERS = 200_000
SECONDS = 5.0


@pytest.mark.parametrize("piece", ODD)
def test_an_odd_text_takes_no_time(piece: str) -> None:
    document = Document("odd.txt", piece * (CHARACTERS // len(piece)))
    begun = time.process_time()
    profile(document)
    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize(
    "piece",
    [
        *ODD,
        "Aa )\n",
        "1:1-",
        "No. 1 ",
        "PLAINTIFF, ",
        "Aa and Bb, Inc., ",
        "v.\n",
        "  ",
        "ORDER ",
        "In re Aa\n",
        "(1) Aa ",
        "Re: 1-",
    ],
)
def test_an_odd_caption_takes_no_time(piece: str) -> None:
    text = "UNITED STATES DISTRICT COURT\nCase No. 1:20-cv-1\n" + piece * (CHARACTERS // len(piece)) + "\nv.\nAa\n"
    begun = time.process_time()
    profile(Document("odd.txt", text))
    assert time.process_time() - begun < SECONDS
