"""API keys and logins. They are stored hashed in one file; each has a scope, and may be limited to some collections and
matters."""

import hmac
import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import scrypt, sha256
from pathlib import Path
from typing import Any, NamedTuple

from pincite.errors import DataError, OutputError, UsageError, one_of
from pincite.output import atomic_file
from pincite.text import Filter

SCOPES = ("read", "write", "admin")
"""Each includes those before it."""
LEAST_PASSWORD = 10
PREFIX = "pk"
NO_KEYS = '{"keys": [], "logins": []}'
NOT_SEEN = (-1, -1, -1)
LOCK_SECONDS = 30
"""How long a change waits for another one."""


class Grant(NamedTuple):
    """A matter, and what may be done in it."""

    matter: str
    scope: str

    @classmethod
    def read(cls, text: str, scope: str) -> "Grant":
        """From the name of a matter, with the right behind it if it is a smaller one than `scope`.

        >>> Grant.read("acme", "write"), Grant.read("globex:read", "write")
        (Grant(matter='acme', scope='write'), Grant(matter='globex', scope='read'))
        """
        matter, sign, named = text.rpartition(":")
        if not sign or named not in SCOPES:
            matter, named = text, min(scope, "write", key=SCOPES.index)
        if not matter.strip():
            raise UsageError(f"{text!r}: name a matter, such as acme or acme:read")
        if SCOPES.index(named) > SCOPES.index(min(scope, "write", key=SCOPES.index)):
            raise UsageError(f"{text!r}: the right in a matter is read or write, and no more than the scope {scope!r}")
        return cls(matter.strip(), named)


@dataclass(frozen=True, slots=True)
class Who:
    """An authenticated caller. Empty `collections` or `matters` mean all of them."""

    name: str
    scope: str
    collections: tuple[str, ...] = ()
    by_cookie: bool = False
    matters: tuple[Grant, ...] = ()

    def may(self, scope: str, collection: str | None = None) -> bool:
        here = collection is None or not self.collections or collection in self.collections
        return here and SCOPES.index(scope) <= SCOPES.index(self.scope)

    def may_write_in(self, matter: str) -> bool:
        """Whether documents of a matter may be added, changed and removed."""
        return self.may("write") and (not self.matters or Grant(matter, "write") in self.matters)

    @property
    def visible(self) -> Filter | None:
        """The documents that exist for this caller; None where all do."""
        return Filter(matters=tuple(sorted(grant.matter for grant in self.matters))) if self.matters else None


LOCAL = Who("local", "admin")
"""The caller where no authentication is configured: anyone who can reach the loopback address."""


@dataclass(frozen=True, slots=True)
class Key:
    """An API key. Only its hash is stored."""

    id: str
    name: str
    sha256: str
    scope: str
    collections: tuple[str, ...] = ()
    matters: tuple[Grant, ...] = ()


@dataclass(frozen=True, slots=True)
class Login:
    """A person who logs in to the web pages."""

    name: str
    salt: str
    scrypt: str
    scope: str
    collections: tuple[str, ...] = ()
    matters: tuple[Grant, ...] = ()


class Auth:
    """The keys and logins in a file. A change to the file takes effect with the next request."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._seen = NOT_SEEN
        self.keys: dict[str, Key] = {}
        self.logins: dict[str, Login] = {}
        self._load()

    def key(self, given: str) -> Who | None:
        """The owner of a key, or None."""
        self._load()
        parts = given.split("_")
        known = self.keys.get(parts[1]) if len(parts) == 3 else None
        if known is None or not hmac.compare_digest(known.sha256, _hashed(given)):
            return None
        return Who(known.name, known.scope, known.collections, matters=known.matters)

    def login(self, name: str, password: str) -> Who | None:
        """The person with this name and password, or None. An unknown name takes as long as a wrong password."""
        self._load()
        known = self.logins.get(name, Login("", "00" * 16, "", "read"))
        right = hmac.compare_digest(known.scrypt, _stretched(password, known.salt))
        return _person(known) if right and known.name else None

    def mark(self, name: str) -> str:
        """The name a session is issued for. It changes with the password."""
        return f"{_hashed(self.logins[name].salt)[:16]}:{name}"

    def person(self, mark: str) -> Who | None:
        """The person a session was issued for, with their current rights; None if the password has changed since."""
        self._load()
        known = self.logins.get(mark.partition(":")[2])
        right = known is not None and self.mark(known.name) == mark
        return _person(known) if known and right else None

    def add_key(self, name: str, scope: str, collections: Sequence[str] = (), matters: Sequence[str] = ()) -> str:
        """Creates a key and returns it. It cannot be shown again."""
        granted = _checked(name, scope, matters)
        number = secrets.token_hex(4)
        key = f"{PREFIX}_{number}_{secrets.token_urlsafe(32).replace('_', '-')}"
        with self._changing():
            self.keys[number] = Key(number, name, _hashed(key), scope, tuple(collections), granted)
        return key

    def add_login(
        self, name: str, password: str, scope: str, collections: Sequence[str] = (), matters: Sequence[str] = ()
    ) -> None:
        granted = _checked(name, scope, matters)
        if len(password) < LEAST_PASSWORD:
            raise UsageError(f"the password has {len(password)} characters; use at least {LEAST_PASSWORD}")
        salt = secrets.token_hex(16)
        made = Login(name, salt, _stretched(password, salt), scope, tuple(collections), granted)
        with self._changing():
            self.logins[name] = made

    def revoke(self, name: str) -> None:
        """Deletes a key (by its id) or a login (by its name)."""
        with self._changing():
            if self.keys.pop(name, None) is None and self.logins.pop(name, None) is None:
                raise one_of("key or login", name, [*self.keys, *self.logins])

    @classmethod
    def create(cls, file: Path) -> "Auth":
        """Opens the file; creates it if it does not exist."""
        with _locked(file):
            if not file.exists():
                _write(file, NO_KEYS)
        return cls(file)

    def _load(self) -> None:
        try:
            found = self.file.stat()
            seen = (found.st_mtime_ns, found.st_size, found.st_ino)
            if seen == self._seen:
                return
            self._take(self.file.read_text(encoding="utf-8"), self.file)
        except OSError as error:
            raise DataError(
                f"{self.file}: cannot read the keys ({error.strerror}); 'pincite keys add' creates the file"
            ) from None
        self._seen = seen

    def _take(self, text: str, where: object) -> None:
        """Takes in the keys and logins that a text holds."""
        try:
            held = json.loads(text)
            keys = {entry["id"]: Key(**_tupled(entry)) for entry in held["keys"]}
            logins = {entry["name"]: Login(**_tupled(entry)) for entry in held["logins"]}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(f"{where}: not a file of keys ({error}); 'pincite keys add' creates one") from None
        for scope in {*(key.scope for key in keys.values()), *(login.scope for login in logins.values())}:
            if scope not in SCOPES:
                raise DataError(f"{where}: unknown scope {scope!r}; the legal ones are: {', '.join(SCOPES)}")
        self.keys, self.logins = keys, logins

    def _text(self) -> str:
        """The keys and logins as they are stored."""
        keys, logins = self.keys.values(), self.logins.values()
        return json.dumps(
            {"keys": [asdict(key) for key in keys], "logins": [asdict(login) for login in logins]}, indent=1
        )

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """One change at a time, of what is in the file at that moment: two changes at once lose nothing."""
        with _locked(self.file):
            self._seen = NOT_SEEN
            self._load()
            yield
            _write(self.file, self._text())
            self._seen = NOT_SEEN


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Held while the file is changed, by one process at a time."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(file.with_name(f".{file.name}.lock"), timeout=LOCK_SECONDS, mode=0o600):
            yield
    except Timeout:
        raise DataError(f"{file}: another process is changing the keys; try again") from None
    except OSError as error:
        raise OutputError(f"{file}: cannot write the keys ({error.strerror})") from None


def _checked(name: str, scope: str, matters: Sequence[str]) -> tuple[Grant, ...]:
    """What a new key or login is granted, if it can be."""
    if not name.strip():
        raise UsageError("the name is empty")
    if scope not in SCOPES:
        raise one_of("scope", scope, SCOPES)
    if matters and scope == "admin":
        raise UsageError(
            "the scope admin covers all matters; a key that is limited to some has the scope read or write"
        )
    return tuple(Grant.read(text, scope) for text in matters)


def _person(login: Login) -> Who:
    return Who(login.name, login.scope, login.collections, by_cookie=True, matters=login.matters)


def _tupled(entry: dict[str, Any]) -> dict[str, Any]:
    grants = tuple(Grant(str(matter), str(scope)) for matter, scope in entry.get("matters", ()))
    return {**entry, "collections": tuple(entry.get("collections", ())), "matters": grants}


def _hashed(key: str) -> str:
    return sha256(key.encode()).hexdigest()


def _stretched(password: str, salt: str) -> str:
    return scrypt(password.encode(), salt=bytes.fromhex(salt), n=2**14, r=8, p=1).hex()


def _write(file: Path, text: str) -> None:
    """Writes the file atomically, readable by its owner only."""
    try:
        with atomic_file(file, durable=True, private=True) as out:
            out.write(text.encode())
    except OSError as error:
        raise OutputError(f"{file}: cannot write the keys ({error.strerror})") from None
