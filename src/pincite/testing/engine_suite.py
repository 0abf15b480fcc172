"""What every engine must do. Inherit `EngineSuite`; give it empty, writable fixtures `engine` and `other_engine`."""

from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np
import pytest

from pincite.documents.hidden import with_hidden
from pincite.engine.contract import EMBEDDER, EVERYTHING, WRITER, Engine, Scope, every_document, every_file, every_root
from pincite.engine.records import File, PreparedFile, Root
from pincite.engine.unit_vectors import QuantisedVectors, quantise
from pincite.errors import ConflictError, DataError, NotFoundError, UsageError
from pincite.index import Index
from pincite.models import Encoder, Vectors
from pincite.search import Answer
from pincite.testing.documents import ALL, LEASE, NDA, ROOT, SUPPLY, fill, prepared_file
from pincite.text import Filter
from pincite.text.document import DocumentKey

DIMENSIONS = 32


class RandomVectors(Encoder):
    """An encoder whose vectors are drawn by the texts themselves: as good as any for testing where they are kept."""

    name, sha256, dimensions = "random", "random", DIMENSIONS

    def encode(self, texts: Any, progress: Any = None) -> Vectors:
        seeds = [int.from_bytes(str(text).encode()[-8:], "little") for text in texts]
        drawn = np.stack([np.random.default_rng(seed).normal(size=DIMENSIONS) for seed in seeds]).astype(np.float32)
        unit: Vectors = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
        return unit


def asked(engine: Engine, question: str, k: int = 10, **options: Any) -> Answer:
    """The answer by words alone."""
    return Index(engine).search(question, k, fast=True, **options)


def found(engine: Engine, question: str, k: int = 10, **options: Any) -> list[str]:
    """The documents of the hits."""
    return [hit.document_id for hit in asked(engine, question, k, **options)]


def ids(engine: Engine, where: Filter | None = None, visible: Filter | None = None) -> list[str]:
    return [record.id for record in every_document(engine, where, visible)]


def vectors_of(engine: Engine) -> dict[DocumentKey, QuantisedVectors]:
    """Vectors for every document that has none."""
    made = {}
    for missing in engine.without_vectors():
        loaded = engine.load([missing.id])[0]
        made[loaded.document.key] = quantise(
            RandomVectors().encode([f"{missing.id} {at}" for at in range(missing.units)])
        )
    return made


class EngineSuite:
    """The store and the candidates of an engine, and answers over them."""

    # Documents

    def test_what_is_put_is_there_whole(self, engine: Engine) -> None:
        fill(engine)
        assert ids(engine) == [document.id for document in ALL]
        for document in ALL:
            stored = engine.load([document.id])[0].document
            put = with_hidden(document)
            assert (stored.text, stored.title, stored.source) == (put.text, put.title, put.source)
        assert engine.record("made/nowhere.txt") is None
        with pytest.raises(NotFoundError):
            engine.load(["made/nowhere.txt"])

    def test_a_record_says_what_is_known_of_a_document(self, engine: Engine) -> None:
        engine.put([prepared_file(SUPPLY, matter="7")], ROOT)
        record = engine.record(SUPPLY.id)
        assert record is not None
        assert (record.title, record.root, record.path) == (SUPPLY.title, "made", SUPPLY.id)
        assert (record.metadata, record.profile.iso_date) == ({"matter": "7"}, "2021-03-03")
        assert (record.sha256, record.characters) == (SUPPLY.sha256, len(SUPPLY.text))
        assert record.unit_count > 0
        assert not record.has_vectors

    def test_lists_come_in_pages(self, engine: Engine) -> None:
        many = [replace(LEASE, id=f"made/{number:03d}.txt") for number in range(25)]
        fill(engine, many)
        pages, cursor = [], ""
        while True:
            page = engine.documents(cursor=cursor, limit=10)
            pages.append([record.id for record in page.items])
            cursor = page.next
            if not cursor:
                break
        assert [len(page) for page in pages] == [10, 10, 5]
        assert [name for page in pages for name in page] == [document.id for document in many]
        files = engine.files(limit=20)
        assert len(files.items) == 20
        assert len(engine.files(cursor=files.next).items) == 5
        assert len(list(every_file(engine))) == 25
        assert list(every_root(engine)) == [ROOT]

    def test_names_are_matched_by_parts_of_ids_and_titles_whatever_their_case(self, engine: Engine) -> None:
        fill(engine)
        assert [record.id for record in engine.matching_names("GARNET", 5).items] == [LEASE.id]
        assert engine.matching_names("nowhere", 5).items == []
        assert len(engine.matching_names("made/", 2).items) == 2
        assert engine.matching_names("made/", 2).next

    def test_what_is_put_again_replaces_what_the_file_gave_before(self, engine: Engine) -> None:
        fill(engine)
        changed = replace(LEASE, text="LEASE of Garnet Quay\n\nNo zebra may be kept here at all.")
        engine.put([prepared_file(changed)], ROOT)
        assert len(ids(engine)) == 3
        assert engine.load([LEASE.id])[0].document.text == changed.text
        assert found(engine, "zebra")[0] == LEASE.id
        assert LEASE.id not in found(engine, "the first Monday of the month")[:1]

    def test_what_is_added_is_found_at_once_and_what_is_removed_is_not(self, engine: Engine) -> None:
        fill(engine, [LEASE])
        assert SUPPLY.id not in found(engine, "cost of a product recall")
        fill(engine, [SUPPLY])
        assert found(engine, "cost of a product recall")[0] == SUPPLY.id
        assert engine.remove([SUPPLY.id, "made/nowhere.txt"]) == 1
        assert SUPPLY.id not in found(engine, "cost of a product recall", k=50)
        assert engine.record(SUPPLY.id) is None
        assert engine.file("made", SUPPLY.id) is None

    def test_every_change_has_a_generation(self, engine: Engine) -> None:
        before = engine.generation
        fill(engine, [LEASE])
        middle = engine.generation
        engine.remove([LEASE.id])
        assert before < middle < engine.generation

    def test_two_documents_with_one_id_are_refused_and_nothing_changes(self, engine: Engine) -> None:
        fill(engine)
        other = prepared_file(replace(NDA, text="Another text of the NDA."))
        with pytest.raises(DataError, match="nda-tamarisk"):
            engine.put([replace(other, file=other.file._replace(path="other.txt"))], ROOT)
        assert engine.load([NDA.id])[0].document.text == NDA.text
        assert engine.file("made", "other.txt") is None

    def test_two_places_with_one_name_are_refused(self, engine: Engine) -> None:
        fill(engine)
        with pytest.raises(UsageError, match=r"/made and /elsewhere"):
            engine.put([prepared_file(NDA)], Root("made", "/elsewhere"))
        engine.move_root(Root("made", "/elsewhere"))
        assert list(every_root(engine)) == [Root("made", "/elsewhere")]

    def test_failures_of_files_and_notes_on_them_are_remembered(self, engine: Engine) -> None:
        bad = File("made", "bad.pdf", 1, 1, "x", ("bad.pdf: is encrypted",), ("bad.pdf: named .txt",))
        engine.put([PreparedFile(bad)], ROOT)
        file = engine.file("made", "bad.pdf")
        assert file is not None
        assert file.failures == ("bad.pdf: is encrypted",)
        assert file.notes == ("bad.pdf: named .txt",)
        engine.note_files([file._replace(modified=7)])
        assert [known.modified for known in every_file(engine)] == [7]
        assert engine.forget_files([("made", "bad.pdf")]) == 0
        assert list(every_file(engine)) == []

    def test_a_file_with_several_documents_is_read_again_when_one_was_removed(self, engine: Engine) -> None:
        engine.put([prepared_file(LEASE, NDA)], ROOT)
        assert [record.id for record in engine.records_of("made", LEASE.id)] == [LEASE.id, NDA.id]
        engine.remove([NDA.id])
        file = engine.file("made", LEASE.id)
        assert file is not None
        assert file.size == -1
        assert engine.forget_files([("made", LEASE.id)]) == 1

    # Filters and visibility

    @pytest.mark.parametrize(
        ("where", "kept"),
        [
            (Filter(documents=(NDA.id,)), {NDA.id}),
            (Filter(documents=(NDA.id, "made/nowhere.txt")), {NDA.id}),
            (Filter(metadata={"kind": "lease"}), {LEASE.id}),
            (Filter(metadata={"kind": "NDA"}), {NDA.id}),
            (Filter(metadata={"party": "caldera"}), {SUPPLY.id}),
            (Filter(metadata={"matter": "7"}), {LEASE.id}),
            (Filter(after="2021-03-03"), {SUPPLY.id}),
            (Filter(after="2021-03-04"), set()),
            (Filter(before="2021-03-03", metadata={"kind": "lease"}), set()),
        ],
    )
    def test_filters_apply_before_ranking(self, engine: Engine, where: Filter, kept: set[str]) -> None:
        engine.put([prepared_file(LEASE, matter="7"), prepared_file(SUPPLY), prepared_file(NDA)], ROOT)
        assert set(ids(engine, where)) == kept
        with engine.view() as view:
            assert view.count(Scope(where)) == len(kept)
            keys = [document.key for document in ALL]
            assert {key.id for key, fits in zip(keys, view.in_scope(keys, Scope(where)), strict=True) if fits} == kept
            nearest = view.likely(view.language.stems("rent recall secret"), 0.9, 0.2, 50, Scope(where))
            assert {document.key.id for document in nearest} == kept

    def test_an_unknown_key_lists_the_known_ones(self, engine: Engine) -> None:
        fill(engine)
        with pytest.raises(UsageError, match=r"colour.*date.*kind.*part"):
            found(engine, "rent", where={"colour": "red"})
        with pytest.raises(UsageError, match=r"colour.*date.*kind.*part"):
            ids(engine, Filter(metadata={"colour": "red"}))

    def test_an_unknown_kind_is_an_error_unless_a_document_has_it(self, engine: Engine) -> None:
        fill(engine)
        for kind in ("poem", "leaze", "x" * 500):
            with pytest.raises(UsageError, match=r"is not a kind of document; kinds are non-disclosure.*nda"):
                found(engine, "rent", where={"kind": kind})
            with pytest.raises(UsageError, match="is not a kind of document"):
                ids(engine, Filter(metadata={"kind": kind}))
        assert ids(engine, Filter(metadata={"kind": "statute"})) == []
        engine.put([prepared_file(SUPPLY, kind="Berth deed")], ROOT)
        assert ids(engine, Filter(metadata={"kind": "berth deed"})) == [SUPPLY.id]
        with pytest.raises(UsageError, match=r"and here also Berth deed"):
            ids(engine, Filter(metadata={"kind": "poem"}))

    def test_only_the_same_units_of_the_same_version_keep_their_vectors(self, engine: Engine) -> None:
        engine.put([prepared_file(LEASE)], ROOT)
        engine.put_vectors(vectors_of(engine))
        prepared = prepared_file(LEASE)
        document = prepared.documents[0]
        engine.put([prepared_file(LEASE, matter="7")], ROOT)
        assert engine.without_vectors() == []
        earlier = replace(document, structure=1, read_title="Read")
        engine.put([replace(prepared, documents=(earlier,))], ROOT)
        record = engine.record(LEASE.id)
        assert record is not None
        assert (record.structure, record.read_title, record.has_vectors) == (1, "Read", False)
        engine.put_vectors(vectors_of(engine))
        units = document.indexed.units
        moved = replace(units, ends=np.maximum(units.ends - 1, units.starts))
        cut = replace(earlier, indexed=document.indexed._replace(units=moved))
        engine.put([replace(prepared, documents=(cut,))], ROOT)
        assert [missing.id for missing in engine.without_vectors()] == [LEASE.id]

    def test_what_must_not_be_seen_does_not_exist(self, engine: Engine, other_engine: Engine) -> None:
        """Answers, scores and statistics are those of an engine that holds the visible documents alone."""
        engine.put([prepared_file(LEASE, matter="7"), prepared_file(SUPPLY, matter="7"), prepared_file(NDA)], ROOT)
        other_engine.put([prepared_file(LEASE, matter="7"), prepared_file(SUPPLY, matter="7")], ROOT)
        visible = Filter(metadata={"matter": "7"})
        assert ids(engine, visible=visible) == [LEASE.id, SUPPLY.id]
        words = ["rent", "tamarisk", "recall", "lease"]
        with engine.view(visible) as walled, other_engine.view() as alone:
            assert walled.statistics == alone.statistics
            assert walled.term_statistics(words) == alone.term_statistics(words)
            seen, own = walled.name_evidence(words, 10), alone.name_evidence(words, 10)
            assert (seen.statistics, seen.documents) == (own.statistics, own.documents)
            assert np.array_equal(seen.weights, own.weights)
            assert walled.similar_words(["tamarisc", "recal"]) == alone.similar_words(["tamarisc", "recal"])
            assert walled.count(EVERYTHING) == 2
        requests = [Index._request(text, 10, None, "default", "sentence", True) for text in ("rent", "Tamarisk NDA")]
        one, other = Index(engine).answer(requests, visible=visible), Index(other_engine).answer(requests)
        assert [answer.to_dict() for answer in one] == [answer.to_dict() for answer in other]

    # Candidates

    def test_names_tell_documents_apart(self, engine: Engine) -> None:
        fill(engine)
        with engine.view() as view:
            found = view.name_evidence(["tamarisk", "nda", "nowhere"], 10)
            tamarisk, _, nowhere = found.statistics
            assert (tamarisk.named, nowhere.documents) == (1, 0)
            assert found.documents[0].key == NDA.key
            assert found.weights.shape == (3, len(found.documents))
            assert (found.weights[:2, 0] > 0).all()
            assert not found.weights[2].any()
            assert len(view.name_evidence(["1"], 2).documents) <= 2

    def test_a_word_with_a_typing_error_is_near_to_one_that_is_there(self, engine: Engine) -> None:
        fill(engine)
        with engine.view() as view:
            assert view.similar_words(["tamarisc", "tamarisk", "zzzzzz"]) == {"tamarisc": "tamarisk"}

    def test_candidate_units_carry_what_scoring_needs(self, engine: Engine) -> None:
        fill(engine)
        with engine.view() as view:
            units = view.units([LEASE.key, NDA.key], ["rent", "pet"])
            assert set(units.documents) == {LEASE.key, NDA.key}
            assert view.unit_count([LEASE.key, NDA.key]) == len(units)
            loaded = {entry.document.key: entry for entry in view.load(units.documents)}
            assert [len(loaded[key].units) for key in units.documents] == units.sizes.tolist()
            for at in range(len(units)):
                key, unit = units.place(at)
                document, own = loaded[key]
                stems = view.language.stems(document.text[slice(*own.edges(unit))])
                assert units.lengths[at] == len(stems)
                assert [units.own[row, at] for row in (0, 1)] == [stems.count("rent"), stems.count("pet")]
                above = view.language.stems(" ".join(own.context(unit).heading_path))
                assert units.above[0, at] == float("rent" in above)
            assert units.cosines is None

    def test_documents_are_enough_where_more_units_are_asked_for(self, engine: Engine) -> None:
        fill(engine)
        with engine.view() as view:
            assert len(view.further(EVERYTHING, (), 1 << 40)) == 3
            assert list(view.further(EVERYTHING, [LEASE.key, NDA.key], 1)) == [SUPPLY.key]
            ordered = view.further(EVERYTHING, (), 1 << 40)
            assert list(ordered) == sorted(ordered)

    def test_a_view_is_one_state(self, engine: Engine) -> None:
        fill(engine, [LEASE])
        with engine.view() as view:
            before = view.statistics
            thread = Thread(target=fill, args=(engine, [NDA]))
            thread.start()
            thread.join()
            assert view.statistics == before
        with engine.view() as view:
            assert view.statistics.documents == 2

    # Answers

    def test_every_hit_is_exact(self, engine: Engine) -> None:
        fill(engine)
        for question in ("rent", "recall cost", "keep one copy", "Under the Garnet Quay lease, may pets be kept?"):
            for granularity in ("sentence", "clause", "section", "words"):
                for hit in asked(engine, question, granularity=granularity):
                    assert hit.text == engine.load([hit.document_id])[0].document.text[hit.start : hit.end]

    def test_a_hit_carries_page_title_headings_metadata_and_citation(self, engine: Engine) -> None:
        fill(engine)
        hit = asked(engine, "Under the Garnet Quay lease, when is the rent due?", 1)[0]
        assert (hit.page, hit.title) == (1 if hit.start < 60 else 2, "Lease of Garnet Quay")
        assert hit.page_label == ("i" if hit.start < 60 else "ii")
        assert hit.heading_path[0] == "1. RENT"
        assert hit.metadata["kind"] == "lease"
        assert hit.citation.startswith("Lease of Garnet Quay § 1.1, p. i")

    def test_answers_do_not_depend_on_order_or_tidying(self, engine: Engine, other_engine: Engine) -> None:
        fill(engine)
        for document in reversed(ALL):
            fill(other_engine, [document])
            other_engine.tidy()
        other_engine.remove([NDA.id])
        other_engine.tidy()
        fill(other_engine, [NDA])
        for question in ("rent", "recall", "keep", "Under the Tamarisk NDA, may a copy be kept?"):
            one, other = (asked(side, question) for side in (engine, other_engine))
            if engine.capabilities.exact_scores:
                assert one.to_dict() == other.to_dict()
            else:
                assert [hit.passage for hit in one] == [hit.passage for hit in other]

    def test_several_questions_are_answered_as_each_alone(self, engine: Engine) -> None:
        fill(engine)
        questions = ["rent", "recall", ""]
        index = Index(engine)
        assert index.search_many(questions, fast=True) == [index.search(text, fast=True) for text in questions]

    def test_k_hits_come_back_whenever_there_are_k(self, engine: Engine) -> None:
        documents = [
            replace(LEASE, id=f"made/{n}.txt", text=f"LEASE number {n}\n\nThe rent of house {n} is due.")
            for n in range(100)
        ]
        engine.put([prepared_file(document, lot=str(at % 2)) for at, document in enumerate(documents)], ROOT)
        engine.tidy()
        assert len(asked(engine, "rent", 50, where={"lot": "1"})) == 50
        texts = ["The zebra is fed. The zebra sleeps." if n < 2 else "Nothing is said. Nothing." for n in range(100)]
        fill(engine, [replace(NDA, id=f"made/{n}.md", text=f"NOTE {n}\n\n{text}") for n, text in enumerate(texts)])
        assert len(found(engine, "zebra", k=60)) == 60

    def test_a_quoted_phrase_must_occur_and_a_minus_word_must_not(self, engine: Engine) -> None:
        fill(engine)
        hits = asked(engine, 'the recipient "keep one  copy"', 50)
        assert [hit.text for hit in hits] == ["1.2 The recipient may keep one copy for its records."]
        texts = [hit.text for hit in asked(engine, "recall -supplier", 50)]
        assert texts
        assert not any("supplier" in text for text in texts)
        nothing = asked(engine, '"no such words here"')
        assert nothing.hits == ()
        assert any("quoted" in note for note in nothing.notes)

    def test_a_phrase_is_whole_words_and_a_hit_grows_around_it(self, engine: Engine) -> None:
        text = "DEED\n\n1. RENT\n\n1.1 The parent company pays. It gives notice of thirty days. It may not be late."
        fill(engine, [replace(LEASE, text=text)])
        assert asked(engine, '"rent" company').hits == ()
        hits = asked(engine, 'notice "thirty days"', 1, granularity="clause")
        assert hits[0].text.endswith("It may not be late.")

    def test_documents_that_are_named_alike_are_told_apart_by_content_alone(
        self, engine: Engine, other_engine: Engine
    ) -> None:
        text = "SUPPLY AGREEMENT of Acme Ltd\n\nThe price of lot {} is due."
        documents = [replace(SUPPLY, id=f"made/acme-{n}.txt", text=text.format(n)) for n in range(60)]
        fill(engine, documents)
        fill(other_engine, reversed(documents))
        other_engine.tidy()
        question = "Under the Acme supply agreement, what is the price?"
        assert found(engine, question, k=20) == found(other_engine, question, k=20)

    def test_a_quoted_name_of_a_document_is_no_phrase(self, engine: Engine) -> None:
        fill(engine)
        assert set(found(engine, 'Under the "Tamarisk" NDA, may a copy be kept?')) == {NDA.id}

    @pytest.mark.parametrize("question", ["", "   ", "-", '""', "\x00", "??", "-a -b", '"', "w" * 5000, "𝔘𝔫𝔦"])
    def test_odd_questions_are_answered_without_error(self, engine: Engine, question: str) -> None:
        fill(engine)
        asked(engine, question)

    def test_an_empty_engine_answers_with_nothing(self, engine: Engine) -> None:
        assert asked(engine, "rent").hits == ()
        assert engine.check().faults == ()

    # Vectors

    def test_documents_without_vectors_are_searched_by_words(self, engine: Engine) -> None:
        fill(engine, [LEASE])
        assert engine.missing_units() == sum(missing.units for missing in engine.without_vectors())
        assert engine.put_vectors(vectors_of(engine)) == 1
        fill(engine, [NDA])
        assert [missing.id for missing in engine.without_vectors()] == [NDA.id]
        question = RandomVectors().encode(["some question"])
        with engine.view() as view:
            assert view.statistics.with_vectors == 1
            units = view.units([LEASE.key, NDA.key], [], (), question)
            assert units.embedded is not None
            assert {units.place(at)[0] for at in np.flatnonzero(units.embedded).tolist()} == {LEASE.key}
            assert [document.key for document in view.nearest(question[0], 10, EVERYTHING)] == [LEASE.key]

    def test_vectors_belong_to_a_text(self, engine: Engine) -> None:
        fill(engine, [LEASE])
        made = vectors_of(engine)
        fill(engine, [replace(LEASE, text=LEASE.text + "\n\n2.2 It may be renewed.")])
        assert engine.put_vectors(made) == 0
        assert engine.put_vectors(vectors_of(engine)) == 1
        moved = prepared_file(replace(LEASE, id="made/moved.txt", text=LEASE.text + "\n\n2.2 It may be renewed."))
        engine.put([moved], ROOT)
        record = engine.record("made/moved.txt")
        assert record is not None
        assert record.has_vectors

    def test_nearest_is_exact_for_few_and_follows_the_scope(self, engine: Engine) -> None:
        fill(engine)
        made = vectors_of(engine)
        engine.put_vectors(made)
        question = RandomVectors().encode(["another question"])
        truth = {key: float(np.round(vectors.cosines(question).max(), 6)) for key, vectors in made.items()}
        with engine.view() as view:
            ranked = view.nearest(question[0], 10, EVERYTHING)
            assert [document.key for document in ranked] == sorted(truth, key=lambda key: (-truth[key], key))
            assert [document.score for document in ranked] == pytest.approx(sorted(truth.values(), reverse=True))
            narrow = view.nearest(question[0], 10, Scope(Filter(documents=(NDA.id,))))
            assert [document.key for document in narrow] == [NDA.key]

    def test_vectors_can_be_forgotten(self, engine: Engine) -> None:
        fill(engine)
        engine.configure(replace(engine.configuration, encoder="x", encoder_sha256="y", dimensions=DIMENSIONS))
        engine.put_vectors(vectors_of(engine))
        engine.forget_vectors()
        assert len(engine.without_vectors()) == 3
        assert engine.configuration.encoder_sha256 == ""

    # Small records, leases, upkeep

    def test_records_are_changed_by_version(self, engine: Engine) -> None:
        first = engine.put_record("key", "a", "one", version=0)
        assert engine.stored_record("key", "a") == first
        with pytest.raises(ConflictError, match="version 1"):
            engine.put_record("key", "a", "other", version=0)
        engine.put_record("key", "a", "two", version=1)
        engine.put_record("key", "b", "three")
        engine.put_record("job", "a", "four")
        assert [(record.key, record.value) for record in engine.stored_records("key").items] == [
            ("a", "two"),
            ("b", "three"),
        ]
        page = engine.stored_records("key", limit=1)
        assert [record.key for record in engine.stored_records("key", cursor=page.next).items] == ["b"]
        assert engine.delete_record("key", "a")
        assert not engine.delete_record("key", "a")

    def test_a_lease_may_be_taken_again_by_who_holds_it(self, engine: Engine) -> None:
        with engine.lease(WRITER), engine.lease(WRITER), engine.lease(EMBEDDER):
            fill(engine)
        assert len(ids(engine)) == 3

    def test_a_check_of_a_sound_engine_finds_no_fault(self, engine: Engine) -> None:
        fill(engine)
        engine.put_vectors(vectors_of(engine))
        checked = engine.check()
        assert checked.faults == ()
        assert checked.figures["documents"] == "3"

    def test_threads_share_an_engine_beside_a_writer(self, engine: Engine) -> None:
        """Searches in several threads, while documents come and go: no error, and every hit is exact."""
        fill(engine)
        errors: list[BaseException] = []
        index = Index(engine)

        def search() -> None:
            try:
                for _ in range(60):
                    for hit in index.search("rent of the premises", 3, fast=True):
                        assert hit.text == hit.document.text[hit.start : hit.end]
            except BaseException as error:  # noqa: BLE001 - reported below
                errors.append(error)

        threads = [Thread(target=search) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(15):
            fill(engine, [replace(LEASE, id=f"made/{number}.txt", text=f"{LEASE.text}\n\nNumber {number} of them.")])
            engine.remove([f"made/{number - 3}.txt"])
            engine.tidy()
        for thread in threads:
            thread.join()
        assert errors == []
