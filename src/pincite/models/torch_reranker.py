"""Any Hugging Face cross-encoder by name or folder, through sentence-transformers (the extra `torch`)."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ModelError
from pincite.models.reranker import BATCH, Reranker
from pincite.models.torch_encoder import reachable, weights_hash


class TorchReranker(Reranker):
    """A cross-encoder with one output. The network is used only for a name, which is looked up on the hub."""

    def __init__(self, name_or_folder: str) -> None:
        try:
            from sentence_transformers import CrossEncoder
            from torch.nn import Identity
        except ImportError:
            raise ModelError(
                f"{name_or_folder}: this re-ranker runs on torch, which is not installed; pip install 'pincite[torch]'"
            ) from None
        stay_local = not reachable(name_or_folder)
        try:
            model = CrossEncoder(name_or_folder, device="cpu", local_files_only=stay_local, activation_fn=Identity())
        except Exception as error:  # noqa: BLE001 - the libraries raise whatever their network and file layers do
            reason = str(error).strip().split("\n")[0]
            raise ModelError(f"{name_or_folder}: cannot be loaded as a re-ranker ({reason})") from None
        if model.num_labels != 1:
            raise ModelError(
                f"{name_or_folder}: gives {model.num_labels} numbers for a pair; name a cross-encoder that gives one"
            )
        self.model = model
        self.name = Path(name_or_folder).name if Path(name_or_folder).is_dir() else name_or_folder
        self.sha256 = weights_hash(model)

    def scores(self, question: str, passages: Sequence[str]) -> NDArray[np.float64]:
        if not passages:
            return np.zeros(0)
        pairs = [(question, passage) for passage in passages]
        found = self.model.predict(pairs, batch_size=BATCH, show_progress_bar=False)
        return np.array([round(float(score), 5) for score in found])
