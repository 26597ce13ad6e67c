"""``railbird serve``: the web application."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import Final

import click

from railbird.cli._completion import INPUT_FILE
from railbird.cli._console import errors, json_option, print_json, progress
from railbird.cli._verbs import Section
from railbird.errors import BadInput

SECTION: Final = Section.SERVE


@click.command(name="serve")
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    metavar="PORT",
    help="Port to listen on; 0 takes any free one and prints it.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another host name to answer to; may be repeated.",
)
@click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
@click.option(
    "--key-file",
    type=INPUT_FILE,
    help="File of the key that signs cookies.",
)
@click.option(
    "--stack",
    type=float,
    default=10.0,
    show_default=True,
    help="Stack of new players, in big blinds.",
)
@click.option("--behind-proxy", is_flag=True, help="A proxy on this machine terminates HTTPS.")
@json_option
def command(
    *,
    port: int,
    host: str,
    names: tuple[str, ...],
    database: str | None,
    key_file: Path | None,
    stack: float,
    behind_proxy: bool,
    as_json: bool,
) -> None:
    """Serve the push/fold game to browsers until Ctrl-C.

    \b
    Examples:
      railbird serve --http 8080
      railbird serve --http 8080 --host 0.0.0.0 --allow-host poker.example.org
    """
    import uvicorn

    from railbird.serve import ServerSettings, create_app
    from railbird.serve.pushfold.equilibrium import solve
    from railbird.serve.pushfold.mount import mount as pushfold
    from railbird.serve.pushfold.settings import PushFoldSettings
    from railbird.serve.settings import LOOPBACK
    from railbird.serve.signing_key import signing_key
    from railbird.serve.timeouts import PatientProtocol
    from railbird.storage import database_address, default_database

    address = database or default_database()
    settings = ServerSettings(
        key=signing_key(key_file or _key_beside(address)),
        database=address,
        hosts=(*LOOPBACK, host, *names),
        secure_cookies=behind_proxy,
    )
    game = PushFoldSettings(stack=stack)
    listening = _listen(host, port)
    with contextlib.closing(listening):
        with progress() as report:
            solve(stack, progress=report)  # a first start shows the progress of building tables
        asyncio.run(_open_and_close(address))  # a faulty database is reported in one line
        where = listening.getsockname()
        url = f"http://{_in_url(where[0])}:{where[1]}/"
        safe = database_address(address).render_as_string(hide_password=True)

        def announce() -> None:
            if as_json:
                print_json({"url": url, "database": safe})
            else:
                errors.print(f"serving {url} with {safe}; Ctrl-C stops", soft_wrap=True)

        class Announced(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                announce()

        config = uvicorn.Config(
            create_app(settings, pushfold(game)),
            log_level="warning",
            http=PatientProtocol,
            server_header=False,
            proxy_headers=behind_proxy,
            ws="none",
            limit_concurrency=512,
            timeout_graceful_shutdown=5,
        )
        # The server has shut down in order before it raises again the signal that stopped it.
        with contextlib.suppress(KeyboardInterrupt):
            Announced(config).run(sockets=[listening])


async def _open_and_close(address: str) -> None:
    from railbird.storage import open_database

    await (await open_database(address)).close()


def _key_beside(address: str) -> Path:
    """Return the path of the key: beside the SQLite file, otherwise in the user's data folder."""
    from railbird.storage import data_folder, database_address

    url = database_address(address)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).with_suffix(".key")
    return data_folder() / "serve.key"


def _listen(host: str, port: int) -> socket.socket:
    """Bind the port before anything slow starts. Raises `railbird.errors.BadInput`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)
    except (OSError, UnicodeError, TypeError) as problem:  # the last two for malformed names
        listening.close()
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise BadInput(f"cannot listen on {host} port {port}: {why}") from None
    return listening


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
