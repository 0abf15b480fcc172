"""What tests have workers make of documents. A worker imports these functions by their names."""

import os
import time

from pincite.text import Document


def count_words(document: Document) -> int:
    return len(document.text.split())


def hang(document: Document) -> str:
    if "Slow" in document.text:
        time.sleep(60)
    return document.text


def grow(document: Document) -> str:
    if "Slow" in document.text:
        return "x" * 1_000_000_000
    return document.text


def recurse(document: Document) -> str:
    return recurse(document) if "Slow" in document.text else document.text


def exit_at_once(document: Document) -> str:
    if "Slow" in document.text:
        os._exit(3)
    return document.text
