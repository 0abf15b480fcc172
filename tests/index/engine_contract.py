"""What every engine must do: a suite that the tests of an engine inherit, with a fixture `engine` of their own."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.documents.failures import Unreadable
from pincite.errors import DataError, ModelError, UsageError
from pincite.index import Engine, Incoming, Question
from pincite.engine.records import File
from pincite.models import load_encoder
from pincite.retrieve import ContextConfig, SpanConfig
from pincite.text import Document, Filter, Source

LEASE = Document(
    "made/lease-quay.txt",
    "LEASE of Garnet Quay\n\n1. RENT\n\n1.1 The rent is due on the first Monday of the month.\n\n"
    "1.2 The tenant shall not keep pets in the premises.\n\n2. TERM\n\n2.1 The lease ends after ten years.",
    title="Lease of Garnet Quay",
    source=Source(path="lease-quay.txt", page_starts=(0, 60), page_labels=("i", "ii")),
)
SUPPLY = Document(
    "made/supply-caldera.txt",
    "SUPPLY AGREEMENT of Caldera Ltd\n\n1. RECALL\n\n1.1 The supplier shall bear the cost of a product recall.\n\n"
    "1.2 The buyer shall give notice of thirty days before a recall.\n\n1.3 Dated 3 March 2021.",
    title="Supply agreement of Caldera",
)
NDA = Document(
    "made/nda-tamarisk.txt",
    "NON-DISCLOSURE AGREEMENT of Tamarisk Inc\n\n1. SECRECY\n\n1.1 The recipient shall keep the information secret.\n\n"
    "1.2 The recipient may keep one copy for its records.\n\n1.3 The rent of the safe is not part of it.",
    title="Tamarisk NDA",
)
ALL = (LEASE, SUPPLY, NDA)


def incoming(document: Document, **metadata: str) -> Incoming:
    """A file with one document."""
    return Incoming(File("made", document.id, 1, 1, document.sha256), (document,), (), {document.id: metadata})


def fill(engine: Engine, documents: Iterable[Document] = ALL) -> None:
    engine.put([incoming(document) for document in documents], "made", "/made")


def found(engine: Engine, text: str, **options: object) -> list[str]:
    """The documents of the hits."""
    answer = engine.search([replace(Question(text, dense=False), **options)])[0]
    return [hit.passage.document_id for hit in answer.hits]


class EngineContract:
    """Inherit, and give a fixture `engine` that is empty and can be written."""

    def test_what_is_put_is_there_whole(self, engine: Engine) -> None:
        fill(engine)
        assert [entry.id for entry in engine.documents()] == [document.id for document in ALL]
        for document in ALL:
            held = engine.document(document.id)
            assert (held.text, held.title, held.source) == (document.text, document.title, document.source)

    def test_every_hit_is_exact(self, engine: Engine) -> None:
        fill(engine)
        for question in ("rent", "recall cost", "keep one copy", "Under the Garnet Quay lease, may pets be kept?"):
            for granularity in ("sentence", "clause", "section", "words"):
                asked = Question(question, dense=False, spans=SpanConfig(granularity))
                for hit in engine.search([asked])[0].hits:
                    assert hit.text == engine.document(hit.passage.document_id).text[hit.start : hit.end]

    def test_a_hit_carries_its_page_title_and_headings(self, engine: Engine) -> None:
        fill(engine)
        hit = engine.search([Question("Under the Garnet Quay lease, when is the rent due?", 1, dense=False)])[0].hits[0]
        assert (hit.page, hit.document.title) == (1 if hit.start < 60 else 2, "Lease of Garnet Quay")
        assert hit.heading_path[0] == "1. RENT"

    def test_what_is_put_again_replaces_what_the_file_gave_before(self, engine: Engine) -> None:
        fill(engine)
        engine.put(
            [incoming(replace(LEASE, text="LEASE of Garnet Quay\n\nNo zebra may be kept here at all."))],
            "made",
            "/made",
        )
        assert len(engine.documents()) == 3
        assert "zebra" in engine.document(LEASE.id).text
        assert found(engine, "zebra")[0] == LEASE.id
        assert LEASE.id not in found(engine, "the first Monday of the month")[:1]

    def test_what_is_added_is_found_at_once(self, engine: Engine) -> None:
        fill(engine, [LEASE])
        assert SUPPLY.id not in found(engine, "cost of a product recall")
        fill(engine, [SUPPLY])
        assert found(engine, "cost of a product recall")[0] == SUPPLY.id

    def test_a_filter_lists_what_it_admits(self, engine: Engine) -> None:
        fill(engine)
        assert engine.matching(Filter(metadata={"kind": "lease"})) == [LEASE.id]
        assert engine.matching(Filter(documents=(NDA.id, "made/nowhere.txt"))) == [NDA.id]

    def test_what_is_removed_is_not_found(self, engine: Engine) -> None:
        fill(engine)
        assert engine.remove([SUPPLY.id]) == 1
        assert SUPPLY.id not in found(engine, "cost of a product recall", k=50)
        with pytest.raises(UsageError, match="no document"):
            engine.document(SUPPLY.id)

    def test_answers_do_not_depend_on_order_or_tidying(self, engine: Engine, other_engine: Engine) -> None:
        fill(engine)
        for document in reversed(ALL):
            fill(other_engine, [document])
            other_engine.tidy()
        other_engine.remove([NDA.id])
        other_engine.tidy()
        fill(other_engine, [NDA])
        for question in ("rent", "recall", "keep", "Under the Tamarisk NDA, may a copy be kept?"):
            one, other = (side.search([Question(question, dense=False)])[0].hits for side in (engine, other_engine))
            assert [(hit.passage, hit.score, hit.rank) for hit in one] == [
                (hit.passage, hit.score, hit.rank) for hit in other
            ]

    def test_several_questions_are_answered_as_each_alone(self, engine: Engine) -> None:
        fill(engine)
        asked = [Question(text, dense=False) for text in ("rent", "recall", "")]
        assert engine.search(asked) == [engine.search([question])[0] for question in asked]

    @pytest.mark.parametrize(
        ("where", "kept"),
        [
            (Filter(documents=(NDA.id,)), {NDA.id}),
            (Filter(metadata={"kind": "lease"}), {LEASE.id}),
            (Filter(metadata={"party": "caldera"}), {SUPPLY.id}),
            (Filter(metadata={"matter": "7"}), {LEASE.id}),
            (Filter(after="2021-03-03"), {SUPPLY.id}),
            (Filter(after="2021-03-04"), set()),
            (Filter(before="2021-03-03", metadata={"kind": "lease"}), set()),
        ],
    )
    def test_filters_apply_before_ranking(self, engine: Engine, where: Filter, kept: set[str]) -> None:
        engine.put([incoming(LEASE, matter="7"), incoming(SUPPLY), incoming(NDA)], "made", "/made")
        assert set(found(engine, "the rent of the recall is kept secret", where=where, k=50)) == kept

    def test_k_hits_come_back_whenever_there_are_k(self, engine: Engine) -> None:
        engine.put(
            [
                incoming(
                    replace(LEASE, id=f"made/{n}.txt", text=f"LEASE number {n}\n\nThe rent of house {n} is due."),
                    lot=str(n % 2),
                )
                for n in range(100)
            ],
            "made",
            "/made",
        )
        engine.tidy()
        answer = engine.search([Question("rent", 50, Filter(metadata={"lot": "1"}), dense=False)])[0]
        assert len(answer.hits) == 50

    def test_a_quoted_phrase_must_occur_and_a_minus_word_must_not(self, engine: Engine) -> None:
        fill(engine)
        hits = engine.search([Question('the recipient "keep one  copy"', 50, dense=False)])[0].hits
        assert [hit.text for hit in hits] == ["1.2 The recipient may keep one copy for its records."]
        texts = [hit.text for hit in engine.search([Question("recall -supplier", 50, dense=False)])[0].hits]
        assert texts
        assert not any("supplier" in text for text in texts)
        nothing = engine.search([Question('"no such words here"', dense=False)])[0]
        assert nothing.hits == ()
        assert any("quoted" in note for note in nothing.notes)

    def test_a_phrase_is_whole_words_and_a_hit_grows_around_it(self, engine: Engine) -> None:
        text = "DEED\n\n1. RENT\n\n1.1 The parent company pays. It gives notice of thirty days. It may not be late."
        engine.put([incoming(replace(LEASE, text=text))], "made", "/made")
        assert engine.search([Question('"rent" company', dense=False)])[0].hits == ()
        hits = engine.search([Question('notice "thirty days"', 1, dense=False, spans=SpanConfig("clause"))])[0].hits
        assert hits[0].text.endswith("It may not be late.")

    def test_k_hits_come_back_though_few_documents_share_a_word(self, engine: Engine) -> None:
        texts = [
            "The zebra is fed. The zebra sleeps." if n < 2 else "Nothing is said. Nothing at all." for n in range(100)
        ]
        documents = [replace(NDA, id=f"made/{n}.txt", text=f"NOTE {n}\n\n{text}") for n, text in enumerate(texts)]
        fill(engine, documents)
        assert len(found(engine, "zebra", k=60)) == 60

    def test_documents_that_are_named_alike_are_told_apart_by_content_alone(
        self, engine: Engine, other_engine: Engine
    ) -> None:
        documents = [
            replace(
                SUPPLY, id=f"made/acme-{n}.txt", text=f"SUPPLY AGREEMENT of Acme Ltd\n\nThe price of lot {n} is due."
            )
            for n in range(60)
        ]
        fill(engine, documents)
        fill(other_engine, reversed(documents))
        other_engine.tidy()
        asked = "Under the Acme supply agreement, what is the price?"
        assert found(engine, asked, k=20) == found(other_engine, asked, k=20)

    def test_a_quoted_name_of_a_document_is_no_phrase(self, engine: Engine) -> None:
        fill(engine)
        answer = engine.search([Question('Under the "Tamarisk" NDA, may a copy be kept?', dense=False)])[0]
        assert {hit.passage.document_id for hit in answer.hits} == {NDA.id}

    def test_an_unknown_key_lists_the_known_ones(self, engine: Engine) -> None:
        fill(engine)
        with pytest.raises(UsageError, match=r"colour.*date.*kind.*part"):
            found(engine, "rent", where=Filter(metadata={"colour": "red"}))

    def test_weights_change_without_indexing_again(self, engine: Engine) -> None:
        fill(engine)
        scores = [
            engine.search([Question("the rent of the safe", 1, dense=False, config=config)])[0].hits[0].score
            for config in (ContextConfig(), ContextConfig(k1=0.1, b=0.9), ContextConfig(unit=5.0))
        ]
        assert len(set(scores)) == 3

    def test_documents_without_vectors_are_searched_by_words_and_hits_say_so(
        self, engine: Engine, tiny_encoder: Path
    ) -> None:
        encoder = load_encoder(str(tiny_encoder))
        fill(engine, [LEASE])
        assert engine.embed(encoder) == 1
        fill(engine, [NDA])
        self.use(engine, tiny_encoder)
        answer = engine.search([Question("rent", 50)])[0]
        parts = {hit.passage.document_id: set(hit.parts) for hit in answer.hits}
        assert "dense" in parts[LEASE.id]
        assert "dense" not in parts[NDA.id]
        assert any("1 of 2 documents have no vectors" in note for note in answer.notes)
        assert engine.embed(encoder) == 1
        assert all("dense" in hit.parts for hit in engine.search([Question("rent", 50)])[0].hits)
        assert engine.search([Question("rent", 50)])[0].notes == ()

    def test_another_encoder_is_refused_and_the_way_out_is_said(
        self, engine: Engine, tiny_encoder: Path, tmp_path: Path
    ) -> None:
        from tests.models.tiny import write_tiny_encoder

        fill(engine)
        engine.embed(load_encoder(str(tiny_encoder)))
        other = load_encoder(str(write_tiny_encoder(tmp_path / "other", seed=99)))
        with pytest.raises(ModelError, match="embed --again"):
            engine.embed(other)

    def test_two_documents_with_one_id_are_refused_and_nothing_changes(self, engine: Engine) -> None:
        fill(engine)
        other = Incoming(File("made", "other.txt", 1, 1, ""), (replace(NDA, text="Another text of the NDA."),))
        with pytest.raises(DataError, match="nda-tamarisk"):
            engine.put([other], "made", "/made")
        assert engine.document(NDA.id).text == NDA.text

    def test_failures_of_files_are_remembered(self, engine: Engine) -> None:
        failure = Unreadable("bad.pdf", "encrypted", "is encrypted; remove the password")
        engine.put([Incoming(File("made", "bad.pdf", 1, 1, "x"), (), (failure,))], "made", "/made")
        assert engine.files("made")["made", "bad.pdf"].failures == (str(failure),)
        assert engine.forget_files([("made", "bad.pdf")]) == 0
        assert engine.files("made") == {}

    def test_a_check_of_a_sound_engine_finds_no_fault(self, engine: Engine, tiny_encoder: Path) -> None:
        fill(engine)
        engine.embed(load_encoder(str(tiny_encoder)))
        checked = engine.check()
        assert checked.faults == ()
        assert checked.figures["documents"] == "3"

    @pytest.mark.parametrize("question", ["", "   ", "-", '""', "\x00", "??", "-a -b", '"', "w" * 5000, "𝔘𝔫𝔦"])
    def test_odd_questions_are_answered_without_error(self, engine: Engine, question: str) -> None:
        fill(engine)
        engine.search([Question(question, dense=False)])

    def test_an_empty_engine_answers_with_nothing(self, engine: Engine) -> None:
        assert engine.search([Question("rent")])[0].hits == ()
        assert engine.check().faults == ()

    def use(self, engine: Engine, encoder: Path) -> None:
        """Has questions read with this encoder."""
        raise NotImplementedError
