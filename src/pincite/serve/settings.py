"""Settings of the server: limits, threads, and the file of the audit log."""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

from pincite.errors import DataError, UsageError

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Settings:
    """Each of these can be set in a TOML file, for example `query_characters = 2000`."""

    threads: int = 2
    """Threads that search and read."""
    waiting: int = 64
    """Requests that may wait for a thread. Beyond that, the server answers that it is busy."""
    in_flight: int = 256
    """Requests that may be in progress."""
    writing: int = 8
    """Uploads and removals that may wait for the writer."""
    query_characters: int = 4000
    """Longest question."""
    most_hits: int = 100
    """Largest number of hits that a request may ask for."""
    batch: int = 100
    """Questions in one batch."""
    compared: int = 500
    """Documents in one comparison."""
    body_bytes: int = MIB
    """Largest request, other than an upload."""
    upload_files: int = 50
    """Files in one upload."""
    upload_bytes: int = 256 * MIB
    """Largest upload, all files together."""
    file_bytes: int = 64 * MIB
    """Largest file."""
    file_seconds: float = 60.0
    """Longest time to read a file, or to draw a page of it."""
    file_memory_bytes: int = 1024 * MIB
    """Most memory for that."""
    readers: int = 2
    """Uploaded files that are read at the same time. Those that take long do not count."""
    jobs_waiting: int = 1000
    """Uploads that may wait to be read. Beyond that, the server answers that it is busy."""
    waiting_bytes: int = 4096 * MIB
    """Bytes of the files that may wait to be read."""
    jobs_kept: int = 1000
    """Jobs that are kept after they are done."""
    job_days: float = 7.0
    """Days for which they are kept."""
    requests_per_minute: int = 0
    """Requests of one client. 0 means no limit without authentication, and 600 with it."""
    logins_per_minute: int = 10
    """Attempts to log in from one address."""
    session_hours: float = 12.0
    """Hours until a login expires."""
    connections: int = 2000
    """Connections that may be open. Further ones are closed at once."""
    header_seconds: float = 15.0
    """Seconds within which the headers of a request must arrive."""
    silence_seconds: float = 30.0
    """Seconds without progress after which a request is dropped."""
    stop_seconds: float = 30.0
    """Seconds that a stop waits for requests in progress."""
    backups: str = ""
    """The folder for backups that are asked for by REST; "" for none."""
    audit: str = ""
    """The file of the audit log; "" for none."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            least = 0 if field.name == "requests_per_minute" else 1
            if isinstance(value, int | float) and value < least:
                raise UsageError(f"settings: {field.name} must be at least {least}, not {value}")

    @classmethod
    def read(cls, file: Path | None) -> "Settings":
        """The settings in a file, and defaults for the rest. An unknown name or a wrong type is an error."""
        if file is None:
            return cls()
        try:
            values = tomllib.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise DataError(f"{file}: cannot read the settings ({error})") from None
        known = {field.name: type(field.default) for field in fields(cls)}
        for name, value in values.items():
            if name not in known:
                raise UsageError(f"{file}: unknown setting {name!r}; the known ones are: {', '.join(known)}")
            fits = isinstance(value, (int, float)) if known[name] is float else type(value) is known[name]
            if not fits:
                raise UsageError(f"{file}: {name} must be of type {known[name].__name__}, not {value!r}")
        return cls(**values)
