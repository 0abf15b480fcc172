"""pincite keys: manages the API keys and logins of a server."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

app = typer.Typer(
    help="API keys and logins of a server: add, login, list, revoke. Only hashes are stored.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

File: TypeAlias = Annotated[
    Path, typer.Option("--auth", help="The file of keys and logins; created if it does not exist.")
]
Scope: TypeAlias = Annotated[
    str, typer.Option(help="read, write (also adds and removes documents), or admin (also metrics).")
]
Collections: TypeAlias = Annotated[
    list[str] | None, typer.Option("--collection", help="Only this collection; repeatable. Default: all.")
]


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="The owner of the key.")],
    auth: File,
    scope: Scope = "read",
    collection: Collections = None,
) -> None:
    """Create an API key. It is printed once; only its hash is stored.

    [bold]Example[/bold]

    pincite keys add intake-robot --auth keys.json --scope write --collection contracts
    """
    from pincite.serve.auth import Auth

    typer.echo(Auth.create(auth).add_key(name, scope, collection or ()))
    typer.echo("save it now: it cannot be shown again", err=True)


@app.command()
def login(
    name: Annotated[str, typer.Argument(help="The person.")],
    auth: File,
    scope: Scope = "read",
    collection: Collections = None,
    password: Annotated[
        str,
        typer.Option(
            prompt=True,
            hide_input=True,
            confirmation_prompt=True,
            help="The password. You are asked for it if it is not given.",
        ),
    ] = "",
) -> None:
    """Let a person log in to the web page. An earlier password is replaced.

    [bold]Example[/bold]

    pincite keys login mira --auth keys.json --scope write
    """
    from pincite.serve.auth import Auth

    Auth.create(auth).add_login(name, password, scope, collection or ())
    typer.echo(f"{name} may log in")


@app.command("list")
def list_(auth: File) -> None:
    """List keys and logins."""
    from pincite.cli.tables import console, table
    from pincite.serve.auth import Auth

    held = Auth(auth)
    rows = [
        [kind, id_, name, scope, ", ".join(collections) or "all"]
        for kind, id_, name, scope, collections in (
            *(("key", key.id, key.name, key.scope, key.collections) for key in held.keys.values()),
            *(("login", entry.name, entry.name, entry.scope, entry.collections) for entry in held.logins.values()),
        )
    ]
    console().print(table(["", "id", "name", "scope", "collections"], rows, left=5))


@app.command()
def revoke(
    name: Annotated[str, typer.Argument(help="The id of a key, or the name of a login.")],
    auth: File,
) -> None:
    """Revoke a key or a login. A running server applies it at once."""
    from pincite.serve.auth import Auth

    Auth(auth).revoke(name)
    typer.echo(f"{name} is revoked")
