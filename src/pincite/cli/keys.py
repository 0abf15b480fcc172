"""pincite keys: manages the API keys and logins of a server."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

if TYPE_CHECKING:
    from pincite.serve.auth import Grant

app = typer.Typer(
    help="API keys and logins of a server: add, login, list, revoke. Only hashes are stored.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

File: TypeAlias = Annotated[
    str,
    typer.Option(
        "--auth",
        help="The file of keys and logins, created if it does not exist; or opensearch://HOST:PORT/NAME, for all "
        "servers of a collection.",
    ),
]
Scope: TypeAlias = Annotated[
    str, typer.Option(help="read, write (also adds and removes documents), or admin (also metrics).")
]
Collections: TypeAlias = Annotated[
    list[str] | None, typer.Option("--collection", help="Only this collection; repeatable. Default: all.")
]


Matters: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--matter", help="Only documents of this matter; NAME:read to look at them alone; repeatable."),
]


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="The owner of the key.")],
    auth: File,
    scope: Scope = "read",
    collection: Collections = None,
    matter: Matters = None,
) -> None:
    """Create an API key. It is printed once; only its hash is stored.

    Documents of other matters than those named do not exist for its owner.

    [bold]Examples[/bold]

    pincite keys add intake-robot --auth keys.json --scope write --collection contracts

    pincite keys add team-north --auth keys.json --scope write --matter acme --matter globex:read
    """
    from pincite.serve.shared_auth import created_auth

    typer.echo(created_auth(auth).add_key(name, scope, collection or (), matter or ()))
    typer.echo("save it now: it cannot be shown again", err=True)


@app.command()
def login(
    name: Annotated[str, typer.Argument(help="The person.")],
    auth: File,
    scope: Scope = "read",
    collection: Collections = None,
    matter: Matters = None,
) -> None:
    """Let a person log in to the web page. An earlier password is replaced. The password is asked for, or read from
    standard input where that is no terminal: arguments are seen by others on the machine.

    [bold]Example[/bold]

    pincite keys login mira --auth keys.json --scope write
    """
    from pincite.serve.shared_auth import created_auth

    created_auth(auth).add_login(name, _password(), scope, collection or (), matter or ())
    typer.echo(f"{name} may log in")


@app.command("list")
def list_(auth: File) -> None:
    """List keys and logins."""
    from pincite.cli.tables import console, table
    from pincite.serve.auth import Key, Login
    from pincite.serve.shared_auth import auth_of

    held = auth_of(auth)
    entries: list[tuple[str, str, Key | Login]] = [("key", key.id, key) for key in held.keys.values()]
    entries += [("login", login.name, login) for login in held.logins.values()]
    rows = [
        [kind, id_, entry.name, entry.scope, ", ".join(entry.collections) or "all", _granted(entry.matters)]
        for kind, id_, entry in entries
    ]
    console().print(table(["", "id", "name", "scope", "collections", "matters"], rows, left=6))


@app.command()
def revoke(
    name: Annotated[str, typer.Argument(help="The id of a key, or the name of a login.")],
    auth: File,
) -> None:
    """Revoke a key or a login. A running server applies it at once."""
    from pincite.serve.shared_auth import created_auth

    created_auth(auth).revoke(name)
    typer.echo(f"{name} is revoked")


def _granted(matters: "Sequence[Grant]") -> str:
    return ", ".join(f"{grant.matter}:{grant.scope}" for grant in matters) or "all"


def _password() -> str:
    """The password: typed twice, or a line of standard input."""
    if sys.stdin.isatty():
        typed: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return typed
    return sys.stdin.readline().rstrip("\r\n")
