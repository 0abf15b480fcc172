"""Sessions in a signed cookie, and the CSRF token that every change from a web page must carry."""

import hmac
import json
import secrets
import time
from hashlib import sha256

COOKIE = "pincite-session"


class Sessions:
    """Nothing is stored: cookies are signed with a key that exists only while the server runs."""

    def __init__(self, hours: float) -> None:
        self.seconds = int(hours * 3600)
        self._secret = secrets.token_bytes(32)

    def begin(self, name: str) -> str:
        """The cookie of a new session; an empty name is a session without a login."""
        held = {"name": name, "until": int(time.time()) + self.seconds, "salt": secrets.token_hex(8)}
        body = json.dumps(held).encode().hex()
        return f"{body}.{self._signed(body)}"

    def name(self, cookie: str) -> str | None:
        """The name in a cookie; None if its signature is wrong or it has expired."""
        body, _, signature = cookie.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signed(body).encode()):
            return None
        held = json.loads(bytes.fromhex(body))
        return str(held["name"]) if held["until"] > time.time() else None

    def token(self, cookie: str) -> str:
        """The CSRF token of a session."""
        return self._signed(f"token:{cookie}")

    def fits(self, cookie: str, token: str) -> bool:
        known = self.name(cookie) is not None
        return hmac.compare_digest(token.encode(), self.token(cookie).encode()) and known

    def _signed(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), sha256).hexdigest()
