"""What every segmenter promises, and the texts on which the tests check it."""

import string
from itertools import pairwise

from hypothesis import strategies as st

from pincite.segment import FixedCharacters, RecursiveCharacters, Segmenter
from pincite.text import Document

WILD = st.text(
    st.one_of(
        st.sampled_from(list(" \t\n\r.;:!?()\"'\ufeff\u00a0\u2028\u0301\u200d👩‍⚖️§¶")),
        st.sampled_from(string.ascii_letters + string.digits),
        st.characters(),
    ),
    max_size=400,
)
HARD = {
    "empty": "",
    "blank": " \n\t\r\n\ufeff ",
    "one word": "word",
    "mixed newlines": "one\r\ntwo\rthree\n\n\nfour. Five six seven.\tEight",
    "combining": "e\u0301te\u0301 " * 50,
    "emoji": "👩‍⚖️ says: ⚖️. " * 80,
    "a megabyte without a space": "x" * 1_000_000,
    "a megabyte of dots": "." * 1_000_000,
    "many short lines": "a\n" * 5_000,
}


def is_blank(text: str) -> bool:
    return all(character.isspace() or character == "\ufeff" for character in text)


def check(cut: Segmenter, text: str) -> None:
    document = Document("d", text)
    passages = list(cut(document))
    covered = [False] * len(text) if len(text) < 10_000 else None
    for passage in passages:
        assert passage.document_id == "d"
        assert 0 <= passage.start < passage.end <= len(text)
        assert not is_blank(text[passage.start : passage.end]) or isinstance(cut, FixedCharacters | RecursiveCharacters)
        if covered is not None:
            covered[passage.start : passage.end] = [True] * passage.length
    assert all(left.start < right.start or left.end < right.end for left, right in pairwise(passages))
    assert [p.start for p in passages] == sorted(p.start for p in passages)
    if cut.covers and covered is not None:
        assert all(seen or is_blank(text[at]) for at, seen in enumerate(covered))
    if cut.covers and not is_blank(text):
        assert passages
