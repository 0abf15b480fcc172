"""pincite serve and pincite mcp: serve an index to people, programs and assistants."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Indexes: TypeAlias = Annotated[
    list[str],
    typer.Option("--index", help="The index, a folder or opensearch://HOST:PORT/NAME; repeatable, one a collection."),
]
Host: TypeAlias = Annotated[str, typer.Option(help="The address to listen on. Any other than loopback needs --auth.")]
AuthFile: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--auth", help="The file of keys and logins that 'pincite keys' writes, or the collection on a cluster."
    ),
]
SettingsFile: TypeAlias = Annotated[
    Path | None, typer.Option("--settings", help="A TOML file with limits and other settings.")
]


def serve(
    index: Indexes,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8080,
    auth: AuthFile = None,
    settings: SettingsFile = None,
    reports: Annotated[Path | None, typer.Option(help="A folder of benchmark reports to show on the page.")] = None,
    audit: Annotated[
        str, typer.Option(help="Log who searched and read what: a file (JSON Lines), or a collection on a cluster.")
    ] = "",
    certificate: Annotated[Path | None, typer.Option(help="For HTTPS: the certificate (PEM).")] = None,
    key: Annotated[Path | None, typer.Option(help="For HTTPS: its private key (PEM).")] = None,
) -> None:
    """Serve an index: a web page for people, REST for programs (/v1) and MCP for assistants (/mcp).

    No login is needed on 127.0.0.1. Ctrl+C stops the server after the requests in progress.

    [bold]Examples[/bold]

    pincite serve --index contracts.pincite

    pincite serve --index contracts.pincite --host 0.0.0.0 --auth keys.json --certificate cert.pem --key key.pem
    """
    from dataclasses import replace

    from pincite.errors import UsageError

    _needs_extra()
    from pincite.serve.run import run
    from pincite.serve.settings import Settings
    from pincite.serve.shared_auth import auth_of

    if (certificate is None) != (key is None):
        raise UsageError("--certificate and --key belong together; give both or neither")
    if reports is not None and not reports.is_dir():
        raise UsageError(f"--reports {reports}: no such folder")
    held = Settings.read(settings)
    pair = (certificate, key) if certificate and key else None
    scheme = "https" if pair else "http"
    said = f"Pincite on {scheme}://{host}:{port}/ (REST: /v1/openapi.json, MCP: /mcp); Ctrl+C stops it"
    run(
        index,
        host,
        port,
        replace(held, audit=audit) if audit else held,
        auth_of(auth) if auth else None,
        reports=reports,
        certificate=pair,
        announce=lambda: typer.echo(said, err=True),
    )


def mcp(
    index: Indexes,
    http: Annotated[
        bool, typer.Option("--http", help="Use streamable HTTP instead of standard input and output.")
    ] = False,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8081,
    auth: AuthFile = None,
    settings: SettingsFile = None,
) -> None:
    """Serve an index to assistants over the Model Context Protocol, on standard input and output or over HTTP at /mcp.

    [bold]Examples[/bold]

    pincite mcp --index contracts.pincite

    pincite mcp --index contracts.pincite --http --port 8081
    """
    _needs_extra()
    from pincite.serve.run import run, run_stdio
    from pincite.serve.settings import Settings
    from pincite.serve.shared_auth import auth_of

    held = Settings.read(settings)
    if http:
        said = f"MCP on http://{host}:{port}/mcp; Ctrl+C stops it"
        keys = auth_of(auth) if auth else None
        run(index, host, port, held, keys, doors=("mcp",), announce=lambda: typer.echo(said, err=True))
    else:
        run_stdio(index, held)


def worker(
    index: Annotated[str, typer.Option("--index", help="A collection on a cluster: opensearch://HOST:PORT/NAME.")],
    settings: SettingsFile = None,
) -> None:
    """Read and embed what servers of a collection on a cluster were given, beside any number of other workers.

    A worker that is ended or hangs loses its files to another one after some seconds: nothing is lost, nothing is done
    twice. Ctrl+C ends it.

    [bold]Example[/bold]

    pincite worker --index opensearch://127.0.0.1:9200/contracts
    """
    import logging
    import sys

    from pincite.errors import UsageError

    _needs_extra()
    from pincite.index.opensearch.location import is_cluster
    from pincite.serve.ingest_process import work
    from pincite.serve.settings import Settings

    if not is_cluster(index):
        raise UsageError(f"{index}: a folder needs no worker; 'pincite serve' reads what it is given")
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    typer.echo(f"working for {index}; Ctrl+C ends it", err=True)
    work(index, Settings.read(settings))


def _needs_extra() -> None:
    from importlib.util import find_spec

    from pincite.errors import UsageError

    missing = [name for name in ("fastapi", "uvicorn", "jinja2", "mcp", "prometheus_client") if find_spec(name) is None]
    if missing:
        raise UsageError(f"the server needs {', '.join(missing)}: pip install 'pincite[serve]'")
