"""The result of `cases tune` in a JSON file: the method and the selection."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pincite.cases.selection import AnySelection, Outstanding, Selection
from pincite.errors import DataError


@dataclass(frozen=True, slots=True)
class CaseParameters:
    """The name of a method, and the selection that was tuned for it."""

    method: str
    selection: AnySelection

    def to_dict(self) -> dict[str, object]:
        return {"method": self.method, **asdict(self.selection)}

    @classmethod
    def read(cls, path: Path) -> "CaseParameters":
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            return cls(str(held["method"]), _selection(held))
        except OSError as error:
            raise DataError(f"{path}: cannot be read ({error.strerror})") from None
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(f"{path}: not parameters that 'pincite cases tune' wrote ({error!r})") from None


def _selection(held: dict[str, Any]) -> AnySelection:
    if "deviations" in held:
        return Outstanding(float(held["deviations"]), int(held["most"]))
    return Selection(float(held["alpha"]), int(held["beta"]), float(held["gamma"]), bool(held["own"]))
