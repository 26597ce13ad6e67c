"""``railbird serve``: the web application."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird._terminal_safe import visible
from railbird.cli._completion import INPUT_FILE
from railbird.cli._console import errors, json_option, print_json, progress
from railbird.cli._verbs import Section
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.serve.host.formats import Games

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
@click.option(
    "--tcp",
    "tcp_port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Port for players' programs; 0 takes any free one and prints it.",
)
@click.option(
    "--acpc",
    "acpc_port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Port for programs of the ACPC; 0 takes any free one and prints it.",
)
@click.option(
    "--acpc-opponent",
    default="tight",
    show_default=True,
    metavar="SPEC",
    help="House player that they play against.",
)
@click.option(
    "--acpc-game",
    type=click.Choice(["limit", "nolimit"]),
    default="nolimit",
    show_default=True,
    help="Which of the competition's heads-up games they play.",
)
@click.option(
    "--journal",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the journals of tournaments; beside the database if not given.",
)
@click.option(
    "--formats",
    "formats_file",
    type=INPUT_FILE,
    metavar="FILE",
    help="Tournaments and ring games to play, in TOML; our own if not given.",
)
@click.option(
    "--house",
    "house",
    multiple=True,
    metavar="SPEC",
    help="Another opponent for practice at heads-up limit, such as equilibrium:FILE; may be "
    "repeated.",
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
    tcp_port: int | None,
    acpc_port: int | None,
    acpc_opponent: str,
    acpc_game: str,
    journal: Path | None,
    formats_file: Path | None,
    house: tuple[str, ...],
    host: str,
    names: tuple[str, ...],
    database: str | None,
    key_file: Path | None,
    stack: float,
    behind_proxy: bool,
    as_json: bool,
) -> None:
    """Serve poker to people in browsers and to programs, until Ctrl-C.

    Browsers have tournaments, ring games, practice with hints, push/fold, blackjack, odds, and
    reports on one's own play. Programs speak the server's protocol by WebSocket at /ws, and over
    TCP with --tcp. Games in play are kept in the journal, and go on at the next start. Only this
    machine is served unless --host says otherwise.

    \b
    Examples:
      railbird serve --http 8080 --tcp 8081
      railbird serve --http 8080 --host 0.0.0.0 --allow-host poker.example.org
      railbird serve --tcp 8081 --formats formats.toml
    """
    from railbird.game import Betting
    from railbird.hosting.games.house_players import HousePlayers
    from railbird.serve import ServerSettings
    from railbird.serve.host.acpc_port import AcpcSettings
    from railbird.serve.host.formats import DEFAULT_GAMES
    from railbird.serve.host.host import HostSettings
    from railbird.serve.host.mount import mount as tournaments
    from railbird.serve.pushfold.equilibrium import solve
    from railbird.serve.pushfold.mount import mount as pushfold
    from railbird.serve.pushfold.settings import PushFoldSettings
    from railbird.serve.running import run
    from railbird.serve.settings import LOOPBACK
    from railbird.serve.signing_key import signing_key
    from railbird.storage import database_address, default_database, only_server
    from railbird.storage.address import shown

    games = DEFAULT_GAMES if formats_file is None else _formats(formats_file)
    HousePlayers(house)  # refused before anything is opened
    address = database or default_database()
    key_path = key_file or _beside(address, ".key")
    settings = ServerSettings(
        key=signing_key(key_path),
        database=address,
        hosts=(*LOOPBACK, host, *names),
        secure_cookies=behind_proxy,
    )
    game = PushFoldSettings(stack=stack)
    with contextlib.ExitStack() as opened:
        listening = opened.enter_context(contextlib.closing(_listen(host, port)))
        tcp = None
        if tcp_port is not None:
            tcp = opened.enter_context(contextlib.closing(_listen(host, tcp_port)))
        acpc, acpc_settings = None, None
        if acpc_port is not None:
            betting = Betting.LIMIT if acpc_game == "limit" else Betting.NO_LIMIT
            acpc_settings = AcpcSettings(opponent=acpc_opponent, betting=betting)
            acpc = opened.enter_context(contextlib.closing(_listen(host, acpc_port)))
        with progress() as report:
            solve(stack, progress=report)  # a first start shows the progress of building tables
        asyncio.run(_open_and_close(address))  # a faulty database is reported in one line
        opened.enter_context(only_server(address))
        hosting = HostSettings(
            journal=journal or _beside(address, ".journal"),
            games=games,
            house=house,
            tcp=tcp,
            acpc=acpc,
            acpc_settings=acpc_settings,
            address=names[0] if names else "",
            admin_token=signing_key(key_path.with_suffix(".admin")),
        )
        where = listening.getsockname()
        told = {
            "url": f"http://{_in_url(where[0])}:{where[1]}/",
            "tcp": None if tcp is None else tcp.getsockname()[1],
            "acpc": None if acpc is None else acpc.getsockname()[1],
            "database": shown(database_address(address)),
            "journal": str(hosting.journal),
        }

        def announce() -> None:
            if as_json:
                print_json(told)
                return
            programs = "" if tcp is None else f", programs on TCP port {told['tcp']},"
            programs += "" if acpc is None else f" ACPC programs on port {told['acpc']},"
            errors.print(
                f"serving {told['url']}{programs} with {told['database']}; Ctrl-C stops",
                soft_wrap=True,
            )

        run(
            settings,
            (pushfold(game), tournaments(hosting)),
            listening,
            behind_proxy=behind_proxy,
            ready=announce,
        )


def _formats(path: Path) -> Games:
    """Read a file of formats; say each mistake but the last, with which the command ends."""
    from railbird.serve.host.formats_file import read_formats

    try:
        return read_formats(path)
    except BadInput as problem:
        *others, last = str(problem).splitlines()
        for line in others:
            click.echo(visible(f"railbird: {line}"), err=True)
        raise BadInput(last) from None


async def _open_and_close(address: str) -> None:
    from railbird.storage import open_database

    await (await open_database(address)).close()


def _beside(address: str, ending: str) -> Path:
    """Return a path beside the SQLite file, otherwise in the user's data folder."""
    from railbird.storage import data_folder, database_address

    url = database_address(address)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).with_suffix(ending)
    return data_folder() / f"serve{ending}"


def _listen(host: str, port: int) -> socket.socket:
    """Bind the port before anything slow starts. Raises `railbird.errors.BadInput`."""
    from railbird.serve.connections.settings import BACKLOG

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, UnicodeError, TypeError) as problem:  # the last two for malformed names
        listening.close()
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise BadInput(f"cannot listen on {host} port {port}: {why}") from None
    return listening


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
