"""Hostile files for the torture: mutated documents of every format, and archives that are made to stall a reader."""

import random
import sys
import time
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from pincite.documents import Limits, read_files
from pincite.errors import PinciteError

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.documents.sample_files import FILES


@dataclass
class Row:
    """What was tried in one way, and how often nothing was lost."""

    tried: int = 0
    survived: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    losses: list[str] = field(default_factory=list)

    def count(self, outcome: str, losses: list[str]) -> None:
        self.tried += 1
        self.survived += not losses
        self.outcomes[outcome] += 1
        self.losses += losses


@dataclass
class Torture:
    """A run with a seed, a temporary folder and an end."""

    seed: int
    folder: Path
    end: float
    rows: dict[str, Row] = field(default_factory=dict)

    def row(self, name: str) -> Row:
        return self.rows.setdefault(name, Row())

    def time_left(self) -> bool:
        return time.monotonic() < self.end


def mutated(run: Torture, count: int) -> None:
    chance = random.Random(f"{run.seed} documents")
    place = run.folder / "documents"
    place.mkdir()
    done = 0
    while done < count and run.time_left():
        batch = []
        for at in range(done, min(done + 100, count)):
            name, data = chance.choice(list(FILES.items()))
            path = place / f"{at}-{name}"
            path.write_bytes(mutation(bytearray(data), chance))
            batch.append((path, path.name))
        began = time.monotonic()
        try:
            for (path, _), reading in zip(batch, read_files(batch, Limits(seconds=20)), strict=True):
                reason = reading.failures[0].reason if reading.failures else "read"
                losses = [] if reading.documents or reading.failures else [f"{path.name}: neither read nor refused"]
                for document in reading.documents:
                    if not document.text:
                        losses.append(f"{path.name}: an empty document")
                run.row(f"mutated {path.suffix}").count(reason, losses)
        except PinciteError as error:
            run.row("mutated").count("error", [f"{batch[0][1]} ...: {error}"])
        if time.monotonic() - began > 600:
            run.row("mutated").count("slow", [f"{batch[0][1]} ...: 100 files took over ten minutes"])
        for path, _ in batch:
            path.unlink()
        done += len(batch)


def mutation(data: bytearray, chance: random.Random) -> bytes:
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        spot = chance.randrange(len(data) or 1)
        match chance.randrange(5):
            case 0:
                data[spot : spot + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[spot : spot + chance.randrange(1, 64)]
            case 2:
                data[spot:spot] = data[spot : spot + chance.randrange(1, 200)] * chance.randrange(1, 40)
            case 3:
                data[spot:spot] = chance.randbytes(chance.randrange(1, 64))
            case 4 if len(data) > 10:
                del data[max(10, spot) :]
    return bytes(data)


def archives(run: Torture) -> None:
    place = run.folder / "archives"
    place.mkdir()
    made = {
        "a zip of zips": packed(
            {f"{at}.zip": packed({f"{i}.txt": b"The rent is due. " * 8000 for i in range(40)}) for at in range(20)}
        ),
        "many members": packed({f"{at}.txt": b"x" for at in range(20_000)}),
        "a great ratio": packed({"zeros.txt": bytes(200_000_000)}),
        "nested": nested(30),
        "names that lead out": packed({"../../../tmp/out.txt": b"out", "/etc/out.txt": b"out", "C:\\out.txt": b"out"}),
        "a wrong size": wrong_size(),
        "no end": packed({"a.txt": b"The rent is due."})[:-30],
        "a device": packed({"a.txt": b"The rent is due.", "CON": b"x", "nul.txt": b"x"}),
        "html of depth": b"<div>" * 200_000,
        "comments": b"<!---->" * 100_000,
        "a json bomb": b"[" * 500_000,
        "long lines": b"a" * 5_000_000,
    }
    for name, data in made.items():
        suffix = (
            ".html" if "html" in name or name == "comments" else ".txt" if "bomb" in name or "lines" in name else ".zip"
        )
        path = place / f"{name.replace(' ', '-')}{suffix}"
        path.write_bytes(data)
        began = time.monotonic()
        (reading,) = read_files([(path, path.name)], Limits(seconds=60), processes=1)
        took = time.monotonic() - began
        losses = [f"{name}: took {took:.0f} s"] if took > 75 else []
        characters = sum(len(document.text) for document in reading.documents)
        if characters > 100_000_000:
            losses.append(f"{name}: {characters} characters")
        reason = reading.failures[0].reason if reading.failures else "read"
        run.row("hostile archives and files").count(reason, losses)


def packed(members: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def nested(depth: int) -> bytes:
    data = b"The rent is due."
    for at in range(depth):
        data = packed({"in.zip" if at else "a.txt": data})
    return data


def wrong_size() -> bytes:
    data = bytearray(packed({"a.txt": b"The rent is due. " * 100}))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = (2**31).to_bytes(4, "little")
    return bytes(data)
