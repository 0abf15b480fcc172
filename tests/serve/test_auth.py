"""Keys, logins, scopes and sessions."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import httpx
import pytest

from pincite.errors import DataError, UsageError
from pincite.serve.auth import Auth, Who
from pincite.serve.settings import Settings
from tests.serve.conftest import LEASE, client_of, problem, token


def test_a_key_is_needed_and_its_scope_counts(own_index: Path, keys: Auth) -> None:
    read, write, admin = (keys.add_key(scope, scope) for scope in ("read", "write", "admin"))
    elsewhere = keys.add_key("elsewhere", "admin", ["other"])
    with client_of(own_index, auth=keys) as client:

        def asked(key: str, method: str, path: str, **more: object) -> httpx.Response:
            return client.request(method, path, headers={"authorization": f"Bearer {key}"}, **more)  # type: ignore[arg-type]

        question = {"query": "rent", "fast": True}
        assert problem(client.post("/v1/search", json=question), 401, "unauthorised")
        assert problem(asked("pk_00000000_wrong", "POST", "/v1/search", json=question), 401, "unauthorised")
        assert problem(asked(elsewhere, "POST", "/v1/search", json=question), 403, "forbidden")
        assert asked(elsewhere, "GET", "/v1/collections").json() == {"collections": []}
        assert asked(read, "POST", "/v1/search", json=question).status_code == 200
        assert problem(asked(read, "DELETE", f"/v1/documents/{LEASE}"), 403, "forbidden")
        assert problem(asked(write, "GET", "/v1/metrics"), 403, "forbidden")
        assert asked(admin, "GET", "/v1/metrics").status_code == 200
        assert asked(write, "DELETE", f"/v1/documents/{LEASE}").status_code == 200
        assert client.get("/v1/health").status_code == 200
        keys.revoke(next(key.id for key in keys.keys.values() if key.name == "read"))
        assert problem(asked(read, "POST", "/v1/search", json=question), 401, "unauthorised")


def test_keys_and_passwords_are_stored_hashed(keys: Auth) -> None:
    key = keys.add_key("robot", "read")
    keys.add_login("mira", "correct horse", "write")
    stored = keys.file.read_text()
    assert key not in stored
    assert key.split("_")[2] not in stored
    assert "correct horse" not in stored
    assert keys.file.stat().st_mode & 0o077 == 0
    assert keys.login("mira", "correct horse") is not None
    assert keys.login("mira", "wrong horse") is None
    assert keys.login("nobody", "correct horse") is None
    with pytest.raises(UsageError, match="at least 10"):
        keys.add_login("mira", "short", "read")
    with pytest.raises(UsageError, match="read, write, admin"):
        keys.add_key("robot", "root")


def test_a_file_of_the_same_size_and_time_is_read_again(tmp_path: Path) -> None:
    first, second = (Auth.create(tmp_path / name) for name in ("first.json", "second.json"))
    old, new = first.add_key("robot", "read"), second.add_key("robot", "read")
    os.utime(second.file, ns=(first.file.stat().st_mtime_ns,) * 2)
    assert first.key(old) is not None
    before = first.file.stat()
    second.file.replace(first.file)
    after = first.file.stat()
    assert (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size)
    assert first.key(old) is None
    assert first.key(new) is not None


@pytest.mark.parametrize("content", ["", "[]", '{"keys": 3}', '{"keys": [{"id": "x"}], "logins": []}'])
def test_a_file_of_keys_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "keys.json"
    file.write_text(content)
    with pytest.raises(DataError, match="not a file of keys"):
        Auth(file)


def test_the_page_asks_for_a_login_and_every_change_for_its_token(own_index: Path, keys: Auth) -> None:
    keys.add_login("mira", "correct horse", "write")
    with client_of(own_index, auth=keys) as client:
        first = client.get("/documents")
        assert first.url.path == "/login"
        given = {"name": "mira", "password": "wrong horse", "token": token(first), "next": "/documents"}
        assert client.post("/login", data=given).status_code == 401
        assert client.post("/login", data={**given, "password": "correct horse", "token": "0"}).status_code == 403
        done = client.post("/login", data={**given, "password": "correct horse"}, follow_redirects=False)
        assert done.headers["location"] == "/documents"
        cookie = done.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        page = client.get("/documents")
        assert "mira" in page.text
        removal = {"document": LEASE, "token": "0"}
        assert client.post("/documents/remove", data=removal).status_code == 403
        problem(client.delete(f"/v1/documents/{LEASE}"), 403, "forbidden")
        assert client.delete(f"/v1/documents/{LEASE}", headers={"x-csrf-token": token(page)}).status_code == 200
        client.post("/logout", data={"token": token(page)})
        assert client.get("/documents").url.path == "/login"


def test_a_login_never_leads_to_another_server(sample_index: Path, keys: Auth) -> None:
    keys.add_login("mira", "correct horse", "read")
    for bad in ("//evil.example/", "https://evil.example/", "/\\evil.example"):
        with client_of(sample_index, auth=keys) as client:
            given = {"name": "mira", "password": "correct horse", "token": token(client.get("/login")), "next": bad}
            assert client.post("/login", data=given, follow_redirects=False).headers["location"] == "/"


def test_guessing_passwords_has_to_wait(sample_index: Path, keys: Auth) -> None:
    with client_of(sample_index, Settings(logins_per_minute=3), keys) as client:
        given = {"name": "mira", "password": "guess guess guess", "token": token(client.get("/login"))}
        seen = [client.post("/login", data=given).status_code for _ in range(5)]
        assert seen == [401, 401, 401, 429, 429]


def test_rights_end_with_a_new_password_and_at_the_collection(sample_index: Path, keys: Auth) -> None:
    keys.add_login("mira", "correct horse", "read")
    mark = keys.mark("mira")
    assert keys.person(mark) is not None
    keys.add_login("mira", "another horse", "read")
    assert keys.person(mark) is None
    assert not Who("robot", "admin", ("other",)).may("read", "")
    key = keys.add_key("robot", "admin", ["contracts"])
    with client_of(sample_index, auth=keys) as client:
        assert client.get("/v1/metrics", headers={"authorization": f"Bearer {key}"}).status_code == 403


def _add(file: Path, name: str) -> str:
    return Auth.create(file).add_key(name, "read")


def test_keys_added_and_revoked_at_the_same_time_are_all_kept_and_all_gone(tmp_path: Path) -> None:
    file = tmp_path / "keys.json"
    old = [Auth.create(file).add_key(f"old {at}", "admin") for at in range(4)]
    with ProcessPoolExecutor(4, multiprocessing.get_context("spawn")) as pool:
        added = [pool.submit(_add, file, f"new {at}") for at in range(16)]
        for key in old:
            Auth(file).revoke(key.split("_")[1])
        fresh = [future.result() for future in added]
    held = Auth(file)
    assert all(held.key(key) is not None for key in fresh)
    assert all(held.key(key) is None for key in old)
    assert len(held.keys) == 16
