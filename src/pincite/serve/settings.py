"""The small settings file of the server: limits, threads, where the audit log goes."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from pincite.errors import DataError, UsageError

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """Every name here may stand in the file (TOML), as `query_characters = 2000`."""

    threads: int = 2
    """Threads that search and read."""
    waiting: int = 64
    """Questions that may wait for a thread; beyond it the server says that it is busy."""
    in_flight: int = 256
    """Requests that may be under way."""
    writing: int = 8
    """Uploads and removals that may wait for the writer."""
    query_characters: int = 4000
    most_hits: int = 100
    batch: int = 100
    """Questions in one batch."""
    compared: int = 500
    """Documents in one comparison."""
    body_bytes: int = MIB
    """Of a request that is no upload."""
    upload_files: int = 50
    upload_bytes: int = 256 * MIB
    """Of all files of an upload together."""
    file_bytes: int = 64 * MIB
    file_seconds: float = 60.0
    file_memory_bytes: int = 1024 * MIB
    requests_per_minute: int = 0
    """Of one client; 0 is no limit on loopback, and 600 where a key or a login is needed."""
    logins_per_minute: int = 10
    session_hours: float = 12.0
    silence_seconds: float = 30.0
    """So long a request may neither send more of its body nor take more of its answer."""
    stop_seconds: float = 30.0
    """So long a stop waits for requests under way."""
    audit: str = ""
    """The file of the audit log; "" writes none."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "requests_per_minute" else 1
            if isinstance(value, int | float) and value < least:
                raise UsageError(f"settings: {field.name} must be at least {least}, not {value}")

    @classmethod
    def read(cls, file: Path | None) -> "Settings":
        """The settings in a file, the others as they are; an unknown name or a value of another kind is an error."""
        if file is None:
            return cls()
        try:
            values = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise DataError(f"{file}: the settings cannot be read ({error})") from None
        known = {field.name: type(field.default) for field in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise UsageError(f"{file}: unknown setting {name!r}; the known ones are: {', '.join(known)}")
            fits = isinstance(value, (int, float)) if known[name] is float else type(value) is known[name]
            if not fits:
                raise UsageError(f"{file}: {name} must be of the kind {known[name].__name__}, not {value!r}")
        return cls(**values)
