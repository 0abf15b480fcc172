"""The index on the command line, as a person or a script meets it: a real index in a folder."""

import json
from pathlib import Path

import pytest

from tests.cli.in_process import CORPUS, run


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("index") / "contracts.pincite")
    shown = run("index", "add", CORPUS, "--index", folder, "--create", "--vectors", "none")
    assert shown.returncode == 0, shown.stderr
    assert "14 files added" in shown.stdout
    return folder


def test_search_prints_data_on_stdout_and_messages_on_stderr(index: str) -> None:
    shown = run(
        "search", "Under the Garnet Quay lease, may the tenant underlet?", "--index", index, "--json", "-k", "2"
    )
    hits = json.loads(shown.stdout)
    assert [hit["rank"] for hit in hits] == [1, 2]
    assert set(hits[0]) == {
        "rank",
        "score",
        "document",
        "title",
        "page",
        "start",
        "end",
        "text",
        "pieces",
        "heading_path",
        "parts",
        "citation",
        "spans",
        "terms",
        "refers_to",
        "also",
        "why",
        "page_label",
        "likelihood",
        "boxes",
        "metadata",
    }
    text = run("index", "show", hits[0]["document"], "--text", "--index", index).stdout
    assert text[hits[0]["start"] : hits[0]["end"]] == hits[0]["text"]
    assert "no document has vectors yet" in shown.stderr


def test_an_envelope_says_what_was_understood(index: str) -> None:
    shown = run(
        "search",
        "-",
        "--index",
        index,
        "--jsonl",
        "--fast",
        "--encoder",
        "none",
        stdin="Under the Tamarisk NDA, may copies be kept?\nrent\n",
    )
    first, second = map(json.loads, shown.stdout.splitlines())
    assert (
        first["understood"]["documents"][0]["id"].endswith("nda-tamarisk-2023.txt") or first["understood"]["documents"]
    )
    assert set(first["understood"]["documents"][0]) == {"id", "belief", "why"}
    assert second["query"] == "rent"
    assert shown.stderr == ""


def test_explain_shows_parts_and_words(index: str) -> None:
    shown = run("search", "who pays for a product recall", "--index", index, "--explain", "--fast", "-k", "1")
    assert "words of the question" in shown.stdout
    assert "recall" in shown.stdout
    assert "rank 1" in shown.stdout
    hits = json.loads(run("search", "product recall", "--index", index, "--explain", "--fast", "--json").stdout)
    assert "recall" in hits[0]["matched"]


def test_filters_phrases_and_weights(index: str) -> None:
    def asked(*options: str) -> list[dict[str, object]]:
        shown = run("search", *options, "--index", index, "--fast", "--json")
        assert shown.returncode == 0, shown.stderr
        found: list[dict[str, object]] = json.loads(shown.stdout)
        return found

    assert {str(hit["document"]) for hit in asked("rent", "--where", "kind=lease")} == {
        "corpus/contracts/lease-14-garnet-quay-2019.txt"
    }
    assert {str(hit["document"]) for hit in asked("rent", "--document", "garnet")} == {
        "corpus/contracts/lease-14-garnet-quay-2019.txt"
    }
    assert all("thirty days" in " ".join(str(hit["text"]).split()) for hit in asked('notice "thirty days"'))
    assert not any("Tenant" in str(hit["text"]) for hit in asked("the tenant pays rent -tenant"))
    assert asked("rent", "--after", "1 January 2030") == []
    assert asked("rent", "--weight", "unit=3", "--k1", "0.2", "--b", "0.9")[0]["score"] != asked("rent")[0]["score"]


@pytest.mark.parametrize("method", ["tfidf", "bm25", "context", "bm25-recursive500"])
def test_the_seeds_methods_work_on_an_index(index: str, method: str) -> None:
    shown = run("search", "product recall", "--index", index, "--method", method, "--fast", "--json", "-k", "1")
    assert "recall" in json.loads(shown.stdout)[0]["text"]
    shown = run("search", 'notice "thirty days"', "--index", index, "--method", method, "--fast", "--json")
    assert all("thirty days" in " ".join(hit["text"].split()) for hit in json.loads(shown.stdout))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("search", "rent"), 2, "--index FOLDER"),
        (("search", "rent", "--index", "x", "--corpus", "y"), 2, "not both"),
        (("search", "rent", "--index", "{index}", "--where", "colour=red"), 2, "known ones are"),
        (("search", "rent", "--index", "{index}", "--where", "colour"), 2, "key=value"),
        (("search", "rent", "--index", "{index}", "--after", "tomorrow"), 2, "not a date"),
        (("search", "rent", "--index", "{index}", "--document", "nowhere"), 2, "no document 'nowhere'"),
        (("search", "rent", "--index", "{index}", "--weight", "magic=1"), 2, "unknown part"),
        (("search", "rent", "--index", "{index}", "--method", "dense", "--encoder", "none"), 2, "needs an encoder"),
        (("search", "rent", "--index", "nowhere.pincite"), 1, "no such index"),
        (("search", "rent", "--index", "{index}", "--json", "--open"), 2, "--open is for reading"),
        (("search", "rent", "--index", "{index}", "--method", "bm25", "--where", "colour=red"), 2, "known ones are"),
        (("index", "add", "nowhere", "--index", "{index}"), 1, "no such file"),
        (("index", "add", CORPUS, "--index", "missing.pincite"), 1, "create"),
        (("index", "create", "{index}"), 1, "already"),
        (("index", "add", CORPUS, "--index", "{index}", "--vectors", "soon"), 2, "now, later, none"),
        (("index", "add", CORPUS, "--index", "{index}", "--set", "x"), 2, "key=value"),
        (("index", "remove", "nowhere", "--index", "{index}"), 2, "no document"),
        (("index", "sync", "nowhere", "--index", "{index}"), 1, "no such folder"),
        (("index", "sync", "nowhere", "--index", "fresh.pincite", "--create"), 1, "nothing was created"),
        (("index", "add", CORPUS, "--index", "fresh.pincite", "--create", "--vectors", "soon"), 2, "now, later, none"),
        (("search", " ", "--index", "{index}"), 2, "the question is empty"),
    ],
)
def test_wrong_usage_is_one_clear_message(
    index: str, arguments: tuple[str, ...], code: int, said: str, tmp_path: Path
) -> None:
    shown = run(*(argument.format(index=index) for argument in arguments), cwd=tmp_path)
    assert shown.returncode == code
    assert said in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_folder_lives_through_its_whole_life(tmp_path: Path, tiny_encoder: Path) -> None:
    source, index = tmp_path / "my files", str(tmp_path / "mine.pincite")
    source.mkdir()
    for number in range(8):
        (source / f"lease {number}.txt").write_text(
            f"LEASE {number}\n\nThe rent of house {number} is due.", encoding="utf-8"
        )
    (source / "bad.pdf").write_bytes(b"%PDF-1.4 cut")

    def done(*arguments: str, code: int = 0) -> str:
        shown = run("index", *arguments, "--index", index)
        assert shown.returncode == code, shown.stderr
        return shown.stdout + shown.stderr

    assert "bad.pdf" in done("sync", str(source), "--create", "--encoder", str(tiny_encoder), code=1)
    listed = json.loads(done("list", "--json"))
    assert len(listed) == 8
    assert all(entry["vectors"] for entry in listed)
    assert "bad.pdf" in done("list", "--failed")
    (source / "lease 1.txt").unlink()
    (source / "bad.pdf").unlink()
    plan = run("index", "sync", str(source), "--index", index, "--dry-run")
    assert plan.stdout.split("\n")[:2] == ["- bad.pdf", "- lease 1.txt"]
    assert "2 removed" in done("sync", str(source))
    hits = json.loads(run("search", "rent of house 3", "--index", index, "--json").stdout)
    assert hits[0]["document"] == "my files/lease 3.txt"
    assert "dense" in hits[0]["parts"]
    assert "removed 1 document" in done("remove", "my files/lease 3.txt", "--purge")
    assert "all is well" in done("check")
    lines = [json.loads(line) for line in done("export").splitlines()]
    assert [line["document"] for line in lines] == [f"my files/lease {n}.txt" for n in (0, 2, 4, 5, 6, 7)]
    assert all(line["text"][p["start"] : p["end"]] for line in lines for p in line["passages"])
    assert "embedded 6 documents" in done("embed", "--again", "--encoder", str(tiny_encoder))


def test_words_that_no_document_has_find_nothing(index: str) -> None:
    shown = run("search", "xyzzy", "--index", index, "--fast", "--json")
    assert json.loads(shown.stdout) == []
    assert "no word of the question" in shown.stderr


def test_a_list_shows_whole_ids(index: str) -> None:
    listed = json.loads(run("index", "list", "--json", "--index", index).stdout)
    shown = run("index", "list", "--index", index).stdout
    assert all(entry["document"] in shown for entry in listed)


def test_a_document_is_shown_at_the_place(index: str) -> None:
    shown = run("search", "product recall", "--index", index, "--fast", "-k", "1", "--open")
    assert "»" in shown.stdout
    assert len(shown.stdout) > 5000


def test_what_was_noticed_and_left_out_is_shown(tmp_path: Path) -> None:
    source, index = tmp_path / "files", str(tmp_path / "mine.pincite")
    (source / "drafts").mkdir(parents=True)
    (source / "lease.txt").write_bytes("The “Tenant” shall pay the rent each month.".encode("cp1252"))
    (source / "copy.txt").write_bytes((source / "lease.txt").read_bytes())
    (source / "drafts" / "a.txt").write_text("A draft.")
    (source / "bad.pdf").write_bytes(b"%PDF-1.4 cut")

    def done(*arguments: str, code: int = 0) -> str:
        shown = run("index", *arguments, "--index", index)
        assert shown.returncode == code, shown.stderr
        return shown.stdout + shown.stderr

    added = done("add", str(source), "--create", "--vectors", "none", code=1)
    assert "3 files added" in added
    assert "1 not searchable" in added
    assert "note: files/lease.txt: not UTF-8; read as Windows-1252" in added
    assert "note: files/lease.txt: has the same content as files/copy.txt" in added
    assert "2 files have notes" in done("list")
    assert "files/copy.txt: not UTF-8; read as Windows-1252" in done("list", "--notes")
    listed = {entry["document"]: entry for entry in json.loads(done("list", "--json").partition("\n2 files")[0])}
    assert listed["files/lease.txt"]["duplicate_of"] == "files/copy.txt"
    assert listed["files/lease.txt"]["notes"] == ["files/lease.txt: not UTF-8; read as Windows-1252"]
    assert "read as Windows-1252" in done("show", "files/copy.txt")
    leave_out = ("--exclude", "drafts/", "--exclude", "bad.pdf", "--vectors", "none")
    planned = done("sync", str(source), *leave_out, "--dry-run")
    assert "! bad.pdf\n! drafts/a.txt\n" in planned
    assert "excluded: drafts/, bad.pdf" in planned
    assert "2 removed, 2 same, 2 excluded" in done("sync", str(source), *leave_out)
    assert "2 same, 2 excluded" in done("sync", str(source), "--vectors", "none")
    assert "excluded from files: drafts/, bad.pdf" in done("list")
    assert "1 files added" in done("sync", str(source), "--include", "drafts/", "--vectors", "none")


def test_a_language_that_is_not_installed_creates_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The rent is due.")
    index = tmp_path / "mine.pincite"
    shown = run("index", "add", str(tmp_path / "a.txt"), "--index", str(index), "--create", "--ocr-language", "xyz")
    assert shown.returncode == 2
    assert "--ocr-language xyz: tesseract has no language 'xyz' here" in shown.stderr
    assert not index.exists()
