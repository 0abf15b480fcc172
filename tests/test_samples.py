"""The sample contracts and their questions are what the docs say they are."""

import json
from collections import Counter

from pincite.evaluate import read_benchmark, read_corpus
from tests.conftest import SAMPLES

BENCHMARK = SAMPLES / "benchmarks" / "contracts.json"


def test_every_answer_is_its_slice_of_the_text() -> None:
    benchmark = read_benchmark(BENCHMARK)
    texts = {document.id: document.text for document in read_corpus(SAMPLES / "corpus", benchmark).documents}
    for question in benchmark.questions:
        assert question.gold
        for span, answer in zip(question.gold, question.answers, strict=True):
            assert texts[span.document][span.start : span.end] == answer


def test_there_are_enough_agreements_questions_and_two_place_answers() -> None:
    benchmark = read_benchmark(BENCHMARK)
    documents = read_corpus(SAMPLES / "corpus", benchmark).documents
    kinds = Counter(document.id.removeprefix("contracts/").split("-")[0] for document in documents)
    assert len(documents) >= 12
    assert len(kinds) >= 6
    assert kinds["nda"] >= 3
    assert len(benchmark.questions) >= 60
    assert sum(len(question.gold) > 1 for question in benchmark.questions) >= 10
    assert all(1_000 <= len(document.text.split()) <= 4_000 for document in documents)


def test_the_samples_hold_the_traps_of_real_files() -> None:
    folder = SAMPLES / "corpus" / "contracts"
    assert (folder / "privacy-policy-dovetail-market.txt").read_bytes().count(b"\r\n") > 20
    assert (folder / "licence-ostrava-trademark-2020.txt").read_bytes().startswith(b"\xef\xbb\xbf")


def test_the_file_is_in_legalbench_rags_format() -> None:
    content = json.loads(BENCHMARK.read_text(encoding="utf-8"))
    assert set(content) == {"tests"}
    for test in content["tests"]:
        assert set(test) == {"query", "snippets"}
        assert all(set(snippet) == {"file_path", "span", "answer"} for snippet in test["snippets"])
