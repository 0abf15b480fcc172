"""Any Hugging Face encoder by name or folder, through sentence-transformers (the extra `torch`)."""

import os
import socket
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

import numpy as np

from pincite.errors import ModelError
from pincite.models.contract import BATCH, Encoder, Progress, Vectors

CHUNK = 16 * BATCH
"""Texts encoded between two reports of progress."""


class TorchEncoder(Encoder):
    """A sentence-transformers model. The network is used only for a name, which is looked up on the hub."""

    def __init__(self, name_or_folder: str) -> None:
        self.model = load_sentence_transformer(name_or_folder)
        self.name = Path(name_or_folder).name if Path(name_or_folder).is_dir() else name_or_folder
        self.dimensions = int(self.model.get_embedding_dimension())
        self.query_prefix, self.passage_prefix = prompts(self.model)
        self.sha256 = weights_hash(self.model)

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        chunks = []
        for first in range(0, len(texts), CHUNK):
            chunk = list(texts[first : first + CHUNK])
            chunks.append(
                self.model.encode(
                    chunk, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False, prompt=""
                )
            )
            if progress:
                progress(min(first + CHUNK, len(texts)), len(texts))
        return np.concatenate(chunks).astype(np.float32)


def load_sentence_transformer(name_or_folder: str) -> Any:
    """Loads the model; an error says what is missing."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging
    except ImportError:
        raise ModelError(
            f"{name_or_folder}: this encoder runs on torch, which is not installed; "
            "pip install 'pincite[torch]', or name a folder that 'pincite models export' wrote"
        ) from None
    logging.disable_progress_bar()
    try:
        model = SentenceTransformer(name_or_folder, device="cpu", local_files_only=not reachable(name_or_folder))
    except Exception as error:  # noqa: BLE001 - the libraries raise whatever their network and file layers do
        reason = str(error).strip().split("\n")[0]
        raise ModelError(f"{name_or_folder}: cannot be loaded as an encoder ({reason})") from None
    return model.eval()


def reachable(name_or_folder: str) -> bool:
    """Whether the hub is asked for a model: it is not a folder, and the hub answers."""
    return not Path(name_or_folder).is_dir() and _hub_answers()


def _hub_answers() -> bool:
    """Whether the hub can be reached. It is tried once, for 5 seconds; the library would retry for minutes."""
    from huggingface_hub import constants

    if getproxies().get("https"):
        return True
    address = urlsplit(constants.ENDPOINT)
    try:
        socket.create_connection((address.hostname, address.port or 443), timeout=5).close()
    except OSError:
        return False
    return True


def prompts(model: Any) -> tuple[str, str]:
    """The prefixes that the model expects before questions and before passages."""
    known = getattr(model, "prompts", None) or {}
    return known.get("query", ""), known.get("document", known.get("passage", ""))


def weights_hash(model: Any) -> str:
    digest = sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(name.encode())
        digest.update(tensor.contiguous().numpy().tobytes())
    digest.update(model.tokenizer.backend_tokenizer.to_str().encode())
    return digest.hexdigest()
