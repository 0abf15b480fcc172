"""The models that are shipped with Pincite, and the hashes of their files."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pincite.errors import ModelError
from pincite.models.onnx_encoder import CARD, MODEL, TOKENIZER

WEIGHTS = Path(__file__).parent / "weights"
MODEL_CARD, RECORD = "CARD.md", "record.json"
ENCODER, RERANKER, ZERO_SHOT = "legal-encoder", "legal-reranker", ":zero-shot"


@dataclass(frozen=True, slots=True)
class Shipped:
    """A shipped model. The hash covers the files that are read: the model, the tokenizer and `pincite.json`."""

    name: str
    kind: str
    about: str
    sha256: str
    in_wheel: bool = True

    @property
    def folder(self) -> Path:
        return WEIGHTS / self.name.replace(":", "-")

    def checked(self) -> Path:
        """The folder of the model; an error if a file is missing or is not the one that was shipped."""
        for name in (MODEL, TOKENIZER, CARD):
            if not (self.folder / name).is_file():
                raise ModelError(f"{self.folder / name}: missing; {self._cure()}")
        found = files_hash(self.folder)
        if found != self.sha256:
            raise ModelError(
                f"{self.folder}: these are not the shipped files of {self.name} (SHA-256 {found[:12]}..., expected "
                f"{self.sha256[:12]}...); {self._cure()}"
            )
        return self.folder

    def _cure(self) -> str:
        if self.in_wheel:
            return "pip install --force-reinstall pincite"
        return f"{self.name} is not in the wheel, only for comparison: use a checkout of the source"


SHIPPED = {
    model.name: model
    for model in (
        Shipped(
            ENCODER,
            "encoder",
            "all-MiniLM-L6-v2, trained on written questions, CUAD, MAUD, ContractNLI and made questions",
            "d9f57337839abd5ecceebbb12f3d7862f9bf8464b815c2e869b083ae8655f92f",
        ),
        Shipped(
            RERANKER,
            "re-ranker",
            "ms-marco-MiniLM-L-12-v2, trained on the same: the mean of two models, one of them taught by two others",
            "aa5108ee5bee48eb0de9411ce20a34548eae361ce456fa3f9c1c99bd5a43bf02",
        ),
        Shipped(
            ENCODER + ZERO_SHOT,
            "encoder",
            "that of 0.1, without any label of ContractNLI and without written questions",
            "a0a69507928b226d67db59389ee4d651ea683ae30b9c91f1d6ffd6833f8f7f72",
            in_wheel=False,
        ),
        Shipped(
            RERANKER + ZERO_SHOT,
            "re-ranker",
            "that of 0.1 (six layers), without any label of ContractNLI and without written questions",
            "527aa24b4d0dcef650b529a9005f70b2d4fbfed0ac9d3c15502cfd8b8ed0fbba",
            in_wheel=False,
        ),
    )
}


def files_hash(folder: Path) -> str:
    """The hash of the files of a model folder that are read at run time."""
    digest = sha256()
    for name in (MODEL, TOKENIZER, CARD):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()
