"""Approximate nearest neighbours for many vectors: faiss's inverted lists, re-scored exactly afterwards."""

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.engine.unit_vectors import Codes, Scales
from pincite.errors import DataError, OutputError
from pincite.index.embedded.array_file import Written, checksum
from pincite.models import Vectors
from pincite.output import flush_folder

WANTED = 0.995
"""The share of the true ten nearest that is aimed at when the number of lists to look into is chosen."""
TRIALS = 200
SEED = 1
OVERSAMPLED = 20
"""How many times more candidates than asked for are re-scored exactly."""
CHUNK = 65_536


class Approximate:
    """Rows are grouped around centres; a question looks into the `probes` nearest groups."""

    def __init__(self, index: Any, probes: int) -> None:
        self.index = index
        self.probes = probes

    @classmethod
    def build(cls, codes: Codes, scales: Scales, rows: NDArray[np.int64]) -> "Approximate":
        """Over the given rows; as many groups are looked into as a trial on the rows themselves asks for."""
        import faiss

        faiss.omp_set_num_threads(os.cpu_count() or 1)
        dimensions = codes.shape[1]
        lists = max(16, int(1.6 * np.sqrt(len(rows))))
        chance = np.random.default_rng(SEED)
        sample = np.sort(chance.choice(rows, size=min(len(rows), 64 * lists), replace=False))
        centres = faiss.IndexFlatIP(dimensions)
        index = faiss.IndexIVFScalarQuantizer(
            centres, dimensions, lists, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
        )
        index.cp.niter, index.cp.seed, index.cp.max_points_per_centroid = 8, SEED, 64
        index.train(_floats(codes, scales, sample))
        for first in range(0, len(rows), CHUNK):
            chunk = rows[first : first + CHUNK]
            index.add_with_ids(_floats(codes, scales, chunk), chunk)
        made = cls(index, 8)
        made.probes = made._enough(codes, scales, rows, chance, lists)
        return made

    def _enough(
        self, codes: Codes, scales: Scales, rows: NDArray[np.int64], chance: np.random.Generator, lists: int
    ) -> int:
        """The fewest groups to look into, doubling, that find enough of the true nearest."""
        asked = _floats(codes, scales, np.sort(chance.choice(rows, size=min(TRIALS, len(rows)), replace=False)))
        asked += 0.5 * chance.normal(size=asked.shape).astype(np.float32) / np.sqrt(asked.shape[1])
        truth = exact_many(codes, scales, rows, asked, 10)
        while self.probes < lists:
            found = [self.nearest(question, 10, codes, scales) for question in asked]
            shared = [len(np.intersect1d(a, b)) for a, b in zip(found, truth, strict=True)]
            if sum(shared) >= WANTED * sum(map(len, truth)):
                break
            self.probes = min(2 * self.probes, lists)
        return self.probes

    def nearest(
        self, question: Vectors, count: int, codes: Codes, scales: Scales, among: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """The rows nearest to the question, best first; `among` flags the rows that may be found."""
        import faiss

        faiss.omp_set_num_threads(1)  # one question is answered faster by one thread, and beside others' work
        parameters: Any = {"nprobe": self.probes}
        if among is not None:
            bits = np.packbits(among, bitorder="little")
            parameters["sel"] = faiss.IDSelectorBitmap(bits)  # type: ignore[call-arg,arg-type]
        wanted = min(max(OVERSAMPLED * 10, 2 * count), len(codes))
        search = faiss.SearchParametersIVF(**parameters)
        rows = self.index.search(question[None, :], wanted, params=search)[1][0]
        rows = np.sort(rows[rows >= 0])
        cosines = np.round((codes[rows].astype(np.float32) @ question) * scales[rows], 6)
        best: NDArray[np.int64] = rows[np.lexsort((rows, -cosines))][:count]
        return best

    def write(self, path: Path) -> Written:
        import faiss

        fresh = path.with_name(path.name + ".new")
        try:
            faiss.write_index(self.index, str(fresh))
            fresh.chmod(0o600)
            with fresh.open("rb+") as file:
                os.fsync(file.fileno())
            fresh.rename(path)
            flush_folder(path.parent)
        except (OSError, RuntimeError) as error:
            fresh.unlink(missing_ok=True)
            raise OutputError(f"{path}: cannot be written ({error}); nothing was changed") from None
        return checksum(path)

    @classmethod
    def open(cls, path: Path, probes: int) -> "Approximate":
        import faiss

        try:
            index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP)
        except RuntimeError as error:
            raise DataError(f"{path}: cannot be read ({error})") from None
        lists = faiss.downcast_InvertedLists(index.invlists)  # type: ignore[attr-defined]
        if hasattr(lists, "prefetch_nthread"):
            lists.prefetch_nthread = 0  # else every question starts threads that read ahead, for more than they save
        return cls(index, probes)


def exact_many(
    codes: Codes, scales: Scales, rows: NDArray[np.int64], questions: Vectors, count: int
) -> list[NDArray[np.int64]]:
    """The rows truly nearest to each question, by looking at all of them."""
    cosines = np.concatenate(
        [
            np.round(questions @ _floats(codes, scales, rows[first : first + CHUNK]).T, 6)
            for first in range(0, len(rows), CHUNK)
        ],
        axis=1,
    )
    return [rows[np.lexsort((rows, -row))[:count]] for row in cosines]


def _floats(codes: Codes, scales: Scales, rows: NDArray[np.int64]) -> Vectors:
    return codes[rows].astype(np.float32) * scales[rows][:, None]
