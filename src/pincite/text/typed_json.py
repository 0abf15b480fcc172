"""Values of known types as JSON: data, never code. What is read back consists of the types that the reader names."""

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from pincite.errors import DataError

TYPE, VALUE = "type", "value"
NOT_DATA = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, SyntaxError, RecursionError)
"""What reading something else than data of the known types may raise."""


class TypedJson:
    """Writes and reads plain values, arrays, and dataclasses and named tuples of the given types."""

    def __init__(self, types: Iterable[type]) -> None:
        self.types = {kind.__name__: kind for kind in types}

    def dump(self, value: Any) -> bytes:
        return json.dumps(self._encoded(value)).encode("ascii")

    def load(self, data: bytes) -> Any:
        """The value that `dump` was given; a DataError if it is anything else."""
        try:
            return self._decoded(json.loads(data))
        except (
            ValueError,
            TypeError,
            LookupError,
            AttributeError,
            ArithmeticError,
            SyntaxError,
            RecursionError,
        ) as error:
            raise DataError(f"not data of the types that were expected ({type(error).__name__}: {error})") from None

    def _encoded(self, value: Any) -> Any:
        if value is None or isinstance(value, str | bool | int | float):
            return value.item() if isinstance(value, np.generic) else value
        if isinstance(value, np.ndarray):
            content = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
            return {TYPE: "array", VALUE: [value.dtype.str, list(value.shape), content]}
        if isinstance(value, bytes):
            return {TYPE: "bytes", VALUE: base64.b64encode(value).decode("ascii")}
        name = type(value).__name__
        if self.types.get(name) is type(value):
            names = [field.name for field in fields(value)] if is_dataclass(value) else getattr(value, "_fields", ())
            return {TYPE: name, VALUE: [self._encoded(getattr(value, field)) for field in names]}
        if isinstance(value, Mapping):
            return {TYPE: "map", VALUE: [[self._encoded(key), self._encoded(entry)] for key, entry in value.items()]}
        if isinstance(value, tuple):
            return {TYPE: "tuple", VALUE: [self._encoded(entry) for entry in value]}
        if isinstance(value, set | frozenset):
            return {TYPE: "set", VALUE: sorted((self._encoded(entry) for entry in value), key=json.dumps)}
        if isinstance(value, Sequence):
            return [self._encoded(entry) for entry in value]
        if isinstance(value, np.generic):
            return value.item()
        raise DataError(f"a value of the type {name} cannot be written")

    def _decoded(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._decoded(entry) for entry in value]
        if not isinstance(value, dict):
            return value
        name, content = value[TYPE], value[VALUE]
        match name:
            case "array":
                kind, shape, packed = content
                if np.dtype(kind).kind not in "biuf":
                    raise ValueError("an array of something else than numbers")
                return np.frombuffer(base64.b64decode(packed), dtype=kind).reshape(shape).copy()
            case "bytes":
                return base64.b64decode(content)
            case "map":
                return {self._decoded(key): self._decoded(entry) for key, entry in content}
            case "tuple":
                return tuple(self._decoded(entry) for entry in content)
            case "set":
                return frozenset(self._decoded(entry) for entry in content)
        return self.types[name](*(self._decoded(entry) for entry in content))
