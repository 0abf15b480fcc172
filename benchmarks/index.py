"""The index beside LanceDB, tantivy, bm25s and the seeds' own rank-bm25: build, disk, queries, growth, memory, PDFs.

python benchmarks/index.py [--parts peers,add,growth,pdf,cli] [--passages 100000] [--large 1000000] [--json FILE]

Passages of 60 to 100 words are drawn from a Zipf-like vocabulary with a fixed seed, 250 to a document; their vectors
(384 dimensions, around random centres) are given, so that no encoder is timed. Every engine runs alone in a process of
its own on the same passages, questions and vectors. Our build has everything in it: cutting the documents into
passages, storing them durably, the lexical fragments, 8-bit vectors and the approximate index. Queries are the best
10 by words and vectors together, one at a time.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import numpy as np
import psutil
from lexical import questions as word_questions

DIMENSIONS, CENTRES, PER_DOCUMENT, K = 384, 2000, 250, 10
CHUNK = 10_000


def words(size, seed=7, vocabulary=None):
    """Passages in chunks, each a list of token lists: a million of them need not be in memory at once."""
    rng = np.random.default_rng(seed)
    vocabulary = np.array(vocabulary or [f"w{number}" for number in range(60_000)])
    chance = 1 / (np.arange(len(vocabulary)) + 2.7) ** 1.05
    chance /= chance.sum()
    for first in range(0, size, CHUNK):
        lengths = rng.integers(60, 101, min(CHUNK, size - first))
        drawn = vocabulary[rng.choice(len(vocabulary), lengths.sum(), p=chance)]
        yield [part.tolist() for part in np.split(drawn, np.cumsum(lengths)[:-1])]


class GivenVectors:
    """Unit vectors around fixed centres, the same for every engine, in the order they are asked for."""

    def __init__(self, seed=3):
        self.rng = np.random.default_rng(seed)
        self.centres = np.random.default_rng(1).normal(size=(CENTRES, DIMENSIONS)).astype(np.float32)

    def draw(self, count):
        found = self.centres[self.rng.integers(0, CENTRES, count)]
        found = found + 0.9 * self.rng.normal(size=found.shape).astype(np.float32)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def ask_for(size, count):
    sample = next(words(min(size, CHUNK)))
    asked = [" ".join(tokens) for tokens in word_questions(sample, count)]
    return asked, GivenVectors(seed=5).draw(count)


def timed(ask, count):
    ask(0)
    times = []
    for at in range(count):
        started = perf_counter()
        ask(at)
        times.append(perf_counter() - started)
    return {"p50_ms": float(np.median(times)) * 1e3, "p95_ms": float(np.quantile(times, 0.95)) * 1e3}


def disk(folder):
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def name_of(number):
    """A name that no other document has and no passage holds."""
    letters = "bcdfghjklmnprstvz"
    return "".join(letters[number // 17**place % 17] + "aeiou"[place % 5] for place in range(4)).capitalize()


def generated_documents(size, vocabulary=None):
    from pincite.text import Document, Source

    number = 0
    for chunk in words(size, vocabulary=vocabulary):
        for first in range(0, len(chunk), PER_DOCUMENT):
            name = name_of(number)
            lines = [" ".join(tokens) + "." for tokens in chunk[first : first + PER_DOCUMENT]]
            text = f"SUPPLY AGREEMENT of {name} Ltd\n\n" + "\n\n".join(line.capitalize() for line in lines)
            path = f"made/supply-{name.lower()}-{number}.txt"
            yield Document(path, text, title=f"Supply agreement {name}", source=Source(path=path))
            number += 1


def pincite_encoder():
    from pincite.models import Encoder

    class GivenEncoder(Encoder):
        """Draws vectors instead of computing them; a question has the vector that was set for it."""

        name, sha256, dimensions = "given", "given", DIMENSIONS

        def __init__(self):
            self.vectors = GivenVectors()
            self.question = None

        def encode(self, texts, progress=None):
            return self.vectors.draw(len(texts))

        def _encode_each_once(self, texts, progress):
            return self.encode(texts)

        def encode_queries(self, texts, progress=None):
            return np.repeat(self.question[None, :], len(texts), axis=0)

    return GivenEncoder()


def put_documents(engine, documents):
    """Stores documents as files of one root: segmented, profiled, 64 in a change, tidied after 20 MB of text."""
    from pincite.engine.records import File, PreparedFile, Root
    from pincite.index.prepare import prepared
    from pincite.segment import segmenter

    root, segment = Root("made", "/made"), segmenter(engine.configuration.segmenter)
    batch, characters = [], 0
    for document in documents:
        file = File(root.name, document.id.removeprefix("made/"), 0, 0, document.sha256)
        batch.append(PreparedFile(file, (prepared(document, {}, segment),)))
        characters += len(document.text)
        if len(batch) == 64:
            engine.put(batch, root)
            batch = []
        if characters > 20_000_000:
            engine.tidy(more_to_come=True)
            characters = 0
    engine.put(batch, root)
    engine.tidy()


def build_pincite(folder, size):
    from pincite.engine.embedding import embed
    from pincite.index.embedded import EmbeddedEngine

    started = perf_counter()
    EmbeddedEngine.create(folder)
    with EmbeddedEngine(folder, write=True) as engine:
        put_documents(engine, generated_documents(size))
        embed(engine, pincite_encoder())
    return perf_counter() - started


def ask_pincite(engine, encoder, query, k=K):
    from pincite.search import Question, search

    with engine.view() as view:
        return search(view, [Question(query, k)], encoder)[0]


def pincite_queries(folder, size, count, *, named=False):
    from pincite.index.embedded import EmbeddedEngine

    encoder = pincite_encoder()
    asked, vectors = ask_for(size, count)
    if named:
        documents = max(1, size // PER_DOCUMENT)
        asked = [f"Under the {name_of(at * 37 % documents)} supply agreement, {q}?" for at, q in enumerate(asked)]
    started = perf_counter()
    engine = EmbeddedEngine(folder)
    with engine.view():
        opened = perf_counter() - started

    def ask(at):
        encoder.question = vectors[at]
        answer = ask_pincite(engine, encoder, asked[at])
        assert len(answer.hits) == K or named
        assert "dense" in answer.hits[0].parts
        if named:
            assert answer.understood.documents
            assert answer.understood.documents[0].belief > 0.5

    return {"open_s": opened, **timed(ask, count), "rss_mb": psutil.Process().memory_info().rss / 1e6}


def child_pincite(size, count, folder):
    build = build_pincite(folder, size)
    return {"build_s": build, "peak_mb": _peak(), "disk_mb": disk(folder) / 1e6}


def child_ask(size, count, folder):
    return pincite_queries(folder, size, count)


def child_named(size, count, folder):
    return pincite_queries(folder, size, count, named=True)


def child_add(size, count, folder):
    """One contract of 50 pages is added; timed from when its vectors are there to when it is found."""
    from pincite.engine.embedding import embed
    from pincite.engine.records import File, PreparedFile, Root
    from pincite.index.embedded import EmbeddedEngine
    from pincite.index.prepare import prepared
    from pincite.segment import segmenter
    from pincite.text import Document

    encoder = pincite_encoder()
    lines = [" ".join(tokens) + "." for tokens in next(words(400, seed=99))]
    document = Document("made/fresh.txt", "LEASE of Xylophone Ltd\n\n" + "\n\n".join(lines), title="Lease Xylophone")
    reader = EmbeddedEngine(folder)
    encoder.question = GivenVectors(seed=8).draw(1)[0]
    ask_pincite(reader, encoder, "w1 w2 w3")
    with EmbeddedEngine(folder, write=True) as writer:
        segment = segmenter(writer.configuration.segmenter)
        started = perf_counter()
        file = PreparedFile(File("made", "fresh.txt", 0, 0, ""), (prepared(document, {}, segment),))
        writer.put([file], Root("made", "/made"))
        stored = perf_counter() - started
        embed(writer, encoder)
    embedded = perf_counter()
    answer = ask_pincite(reader, encoder, "Under the Xylophone lease, w1 w2 w3?")
    found = perf_counter() - embedded
    assert answer.hits
    assert answer.hits[0].passage.document_id == "made/fresh.txt"
    assert "dense" in answer.hits[0].parts
    with EmbeddedEngine(folder, write=True) as writer:
        writer.remove(["made/fresh.txt"])
        writer.tidy()
    return {"stored_s": stored, "searchable_s": found}


def child_lancedb(size, count, folder):
    import lancedb
    import pyarrow as pa
    from lancedb.index import FTS, IvfPq

    given = GivenVectors()
    started = perf_counter()
    table, number = None, 0
    database = lancedb.connect(str(folder))
    for chunk in words(size):
        rows = pa.table(
            {
                "id": pa.array(range(number, number + len(chunk)), pa.int64()),
                "text": [" ".join(tokens) for tokens in chunk],
                "vector": pa.FixedSizeListArray.from_arrays(given.draw(len(chunk)).ravel(), DIMENSIONS),
            }
        )
        number += len(chunk)
        table = database.create_table("passages", rows) if table is None else (table.add(rows), table)[1]
    table.create_index("text", config=FTS())
    table.create_index("vector", config=IvfPq(distance_type="cosine"))
    built = perf_counter() - started
    asked, vectors = ask_for(size, count)

    def ask(at):
        rows = table.search(query_type="hybrid").vector(vectors[at]).text(asked[at]).limit(K).to_list()
        assert len(rows) == K

    row = {"build_s": built, "disk_mb": disk(folder) / 1e6, **timed(ask, count)}
    return {**row, "rss_mb": psutil.Process().memory_info().rss / 1e6}


def lexical_peer(name):
    def child(size, count, folder):
        from lexical import BUILDERS

        corpus = [tokens for chunk in words(size) for tokens in chunk]
        started = perf_counter()
        ask = BUILDERS[name](corpus)
        built = perf_counter() - started
        asked, _ = ask_for(size, count if name != "rank-bm25" else 20)
        row = timed(lambda at: ask(asked[at].split()), len(asked))
        return {"build_s": built, **row, "rss_mb": psutil.Process().memory_info().rss / 1e6}

    return child


def child_pdf(size, count, folder):
    """A folder of generated PDFs, ten pages each: reading them all, then a sync in which nothing has changed."""
    source, index = Path(folder) / "pdfs", Path(folder) / "pdf.pincite"
    write_pdfs(source, size)
    command = [str(Path(sys.executable).parent / "pincite"), "index"]
    times = []
    for _ in range(2):
        started = perf_counter()
        subprocess.run([*command, "sync", str(source), "--index", str(index), "--create", "--vectors", "later"],
                       check=True, capture_output=True)  # fmt: skip
        times.append(perf_counter() - started)
    return {"files": size, "pages": 10 * size, "first_s": times[0], "pages_per_s": 10 * size / times[0],
            "second_s": times[1]}  # fmt: skip


def write_pdfs(folder, count):
    from reportlab.pdfgen.canvas import Canvas

    folder.mkdir(parents=True)
    lines = [" ".join(tokens[:14]) + "." * (at % 3 == 2) for at, tokens in enumerate(next(words(CHUNK)))]
    for number in range(count):
        canvas = Canvas(str(folder / f"supply-{name_of(number)}.pdf"))
        for page in range(10):
            text = canvas.beginText(72, 760)
            text.setFont("Helvetica", 10)
            for line in range(45):
                text.textLine(lines[(number * 450 + page * 45 + line) % len(lines)])
            canvas.drawText(text)
            canvas.drawString(290, 30, f"- {page + 1} -")
            canvas.showPage()
        canvas.save()


def child_cli(size, count, folder):
    """`pincite search --fast` on a small index, process start included, warm disk."""
    from pincite import Index

    index = Path(folder) / "small.pincite"
    samples = Path(__file__).parent.parent / "samples" / "corpus"
    with Index.create(index) as small:
        small.add(samples, vectors="none")
    pincite = str(Path(sys.executable).parent / "pincite")
    times = []
    for _ in range(7):
        started = perf_counter()
        subprocess.run([pincite, "search", "who pays for a product recall", "--fast", "--index", str(index), "--json"],
                       check=True, capture_output=True)  # fmt: skip
        times.append(perf_counter() - started)
    return {"median_s": float(np.median(times)), "worst_s": max(times)}


CHILDREN = {
    "pincite": child_pincite, "ask": child_ask, "named": child_named, "add": child_add, "lancedb": child_lancedb,
    "bm25s": lexical_peer("bm25s"), "tantivy": lexical_peer("tantivy"), "rank-bm25": lexical_peer("rank-bm25"),
    "pdf": child_pdf, "cli": child_cli,
}  # fmt: skip


def _peak():
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def run(name, size, count, folder):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, __file__, "--child", name, "--passages", str(size), "--queries", str(count)]
        subprocess.run([*command, "--folder", str(folder), "--json", out.name], check=True)
        row = json.loads(Path(out.name).read_text())
    print(f"{name:>10} {size:>9,} " + "  ".join(f"{key} {value:,.3f}" for key, value in row.items()), flush=True)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--parts", default="peers,add,growth,pdf,cli")
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--large", type=int, default=1_000_000)
    parser.add_argument("--pdfs", type=int, default=1000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--child")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    if asked.child:
        row = CHILDREN[asked.child](asked.passages, asked.queries, asked.folder)
        asked.json.write_text(json.dumps(row))
        return
    parts, size, found = asked.parts.split(","), asked.passages, {}
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
        folder = Path(temporary)
        if {"peers", "add", "growth"} & set(parts):
            ours = run("pincite", size, 1, folder / "ours.pincite")
            found["pincite"] = {**ours, **run("ask", size, asked.queries, folder / "ours.pincite")}
            found["named"] = run("named", size, asked.queries, folder / "ours.pincite")
        if "peers" in parts:
            for name in ("lancedb", "tantivy", "bm25s", "rank-bm25"):
                if find_spec(name.replace("-", "_")) is None:
                    print(f"{name:>10} is not installed (the extra 'bench'): left out")
                    continue
                found[name] = run(name, size, asked.queries, folder / name)
            text = sum(len(" ".join(tokens)) + 1 for chunk in words(size) for tokens in chunk)
            found["text_and_int8_mb"] = (text + size * DIMENSIONS) / 1e6
        if "add" in parts:
            found["add"] = run("add", size, 1, folder / "ours.pincite")
        shutil.rmtree(folder / "ours.pincite", ignore_errors=True)
        if "growth" in parts:
            large = folder / "large.pincite"
            found["large"] = {**run("pincite", asked.large, 1, large), **run("ask", asked.large, 1000, large)}
            found["large named"] = run("named", asked.large, asked.queries, large)
            shutil.rmtree(large)
        if "pdf" in parts:
            (folder / "pdf").mkdir()
            found["pdf"] = run("pdf", asked.pdfs, 1, folder / "pdf")
        if "cli" in parts:
            (folder / "cli").mkdir()
            found["cli"] = run("cli", 0, 1, folder / "cli")
    report(found)
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n")


def report(found):
    print()
    if "lancedb" in found:
        ours, lance = found["pincite"], found["lancedb"]
        print(f"build / LanceDB's: {ours['build_s'] / lance['build_s']:.2f} (at most 1.2)")
        print(f"query p50: {ours['p50_ms']:.1f} ms (10), / LanceDB's {ours['p50_ms'] / lance['p50_ms']:.2f} (1)")
        print(f"disk / (text + int8 vectors): {ours['disk_mb'] / found['text_and_int8_mb']:.2f} (at most 3)")
    if "add" in found:
        print(f"a new contract is searchable after {found['add']['searchable_s']:.2f} s (under 1)")
    if "large" in found:
        large = found["large"]
        print(f"large: peak {large['peak_mb']:,.0f} MB (8,000), opens in {large['open_s']:.2f} s (1), p50 "
              f"{large['p50_ms']:.1f} ms (40), {large['rss_mb']:,.0f} MB after 1,000 queries (3,000)")  # fmt: skip
        print(f"growth of a query: named {found['large named']['p50_ms'] / found['named']['p50_ms']:.2f} (1.3), "
              f"any other {large['p50_ms'] / found['pincite']['p50_ms']:.2f}")  # fmt: skip
    if "pdf" in found:
        pdf = found["pdf"]
        print(f"PDF: {pdf['pages_per_s']:.0f} pages a second (50), second sync {pdf['second_s']:.2f} s (2)")
    if "cli" in found:
        print(f"pincite search --fast: {found['cli']['median_s']:.2f} s (1)")


if __name__ == "__main__":
    main()
