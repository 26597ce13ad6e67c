"""``railbird serve``: the web application."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import cards, odds, storage
from railbird._terminal_safe import visible
from railbird.cli._completion import INPUT_FILE, BigBlinds, OneOf, Whole, Within
from railbird.cli._console import errors, json_option, print_json, progress
from railbird.cli._keyed_options import Setting, set_option
from railbird.cli._play import betting_of, betting_option, game_or_usual, variant_option
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.serve.formats_file import Games

_HOUSE_PROCESSES: Final = 2
"""Processes of a server in which house players decide: with one alone, the players of a game wait
while another's take long."""


@click.command(name="serve")
@click.option(
    "--http",
    "port",
    type=Whole(0, 65535),
    default=8080,
    metavar="PORT",
    help="Port to listen on; 0 takes any free one and prints it.",
)
@click.option("--host", default="127.0.0.1", help="Address to listen on.")
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
    type=Whole(0, 65535),
    metavar="PORT",
    help="Port for players' programs; 0 takes any free one and prints it.",
)
@click.option(
    "--acpc",
    "acpc_port",
    type=Whole(0, 65535),
    metavar="PORT",
    help="Port for programs of the ACPC; 0 takes any free one and prints it.",
)
@click.option(
    "--opponent",
    is_flag=False,
    flag_value="equilibrium:nolimit",
    metavar="SPEC",
    help="House player for programs that know Slumbot's interface or a similar one, at "
    "/opponent; without SPEC, the best player whose probabilities are known.",
)
@click.option(
    "--journal",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder of the journals of tournaments; beside the database if not given.",
)
@betting_option
@variant_option
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
@click.option(
    "--workers",
    "house_processes",
    type=Whole(0, 64),
    default=_HOUSE_PROCESSES,
    help="Processes in which house players decide; 0 for the server's own.",
)
@click.option("--database", metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
@click.option("--key-file", type=INPUT_FILE, help="File of the key that signs cookies.")
@click.option(
    "--stack",
    type=BigBlinds(1, 100),
    default=10.0,
    help="Stack of new players at push/fold in big blinds, such as 10 or 10bb.",
)
@set_option(
    acpc_opponent=Setting("tight", "house player against programs of the ACPC", default="tight"),
    acpc_game=Setting(
        "limit",
        "which of the competition's heads-up games they play, by default nolimit",
        OneOf(["limit", "nolimit"]),
        "nolimit",
    ),
    spots_memory=Setting(
        "1024",
        "MB, most memory of a spot that a visitor has solved: 1,024, or three quarters of what is "
        "free where only this machine is served",
        Whole(16, 1 << 20),
    ),
    spots_seconds=Setting(
        "180",
        "time for the iterations of a spot: 180, or any where only this machine is served",
        Within(1, 86_400),
    ),
    spots_upload=Setting(
        "32",
        "MB, largest solution that may be opened: 32, or a quarter of the free disk where only "
        "this machine is served",
        Whole(1, 1 << 20),
    ),
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
    opponent: str | None,
    journal: Path | None,
    game: str,
    variant: str,
    formats_file: Path | None,
    house: tuple[str, ...],
    house_processes: int,
    host: str,
    names: tuple[str, ...],
    database: str | None,
    key_file: Path | None,
    stack: float,
    spots_memory: int | None,
    spots_seconds: float | None,
    spots_upload: int | None,
    behind_proxy: bool,
    as_json: bool,
) -> None:
    """Serve poker to people in browsers and to programs, until Ctrl-C.

    In a browser there are tournaments, ring games, practice with hints, push/fold, blackjack, odds,
    and reports on your own play. Programs speak the server's protocol by WebSocket at /ws, and over
    TCP with --tcp. Games in play are kept in the journal, and continue at the next start. Only this
    machine is served unless --host says otherwise.

    \b
    Examples:
      railbird serve --http 8080 --tcp 8081
      railbird serve --http 8080 --host 0.0.0.0 --allow-host poker.example.org
      railbird serve --tcp 8081 --formats formats.toml
      railbird serve --variant omaha --game potlimit
      railbird serve --opponent
    """
    from railbird.game import Betting
    from railbird.hosting.house_seats import HousePlayers
    from railbird.serve import ServerSettings
    from railbird.serve.acpc_port import AcpcSettings
    from railbird.serve.app import LOOPBACK
    from railbird.serve.formats_file import games_of
    from railbird.serve.host import HostSettings
    from railbird.serve.mounts.host import mount as tournaments
    from railbird.serve.mounts.opponent import mount as opponents
    from railbird.serve.mounts.pushfold import PushFoldSettings
    from railbird.serve.mounts.pushfold import mount as pushfold
    from railbird.serve.mounts.spots import mount as spots
    from railbird.serve.opponent import OpponentSettings
    from railbird.serve.running import run_server
    from railbird.serve.session import signing_key
    from railbird.serve.spots_jobs import SpotSettings

    if formats_file is None:
        dealt = cards.variant_from(variant)
        games = games_of(dealt, betting_of(game_or_usual(game, dealt)))
    elif (variant, game) != ("holdem", "nolimit"):
        raise BadInput("--variant or --game with --formats; allowed: in the file, for each game")
    else:
        games = _formats(formats_file)
    HousePlayers(house)  # refused before anything is opened
    address = database or storage.default_database()
    key_path = key_file or _beside(address, ".key")
    settings = ServerSettings(
        key=signing_key(key_path),
        database=address,
        hosts=(*LOOPBACK, host, *names),
        secure_cookies=behind_proxy,
    )
    push_or_fold = PushFoldSettings(stack=stack)
    is_home = f"[{host}]" in LOOPBACK or host in LOOPBACK
    limits = SpotSettings()
    if is_home and not (names or behind_proxy):
        limits = SpotSettings.at_home(_beside(address, ".spots"))
    limits = replace(
        limits,
        memory_mb=limits.memory_mb if spots_memory is None else spots_memory,
        seconds=limits.seconds if spots_seconds is None else spots_seconds,
        most_bytes=limits.most_bytes if spots_upload is None else spots_upload << 20,
    )
    with contextlib.ExitStack() as opened:
        listening = opened.enter_context(contextlib.closing(_listen(host, port)))
        tcp = None
        if tcp_port is not None:
            tcp = opened.enter_context(contextlib.closing(_listen(host, tcp_port)))
        acpc, acpc_settings = None, None
        if acpc_port is not None:
            betting = Betting.LIMIT if acpc_game == "limit" else Betting.NO_LIMIT
            acpc_settings = AcpcSettings(
                opponent=acpc_opponent, betting=betting, own_process=house_processes > 0
            )
            acpc = opened.enter_context(contextlib.closing(_listen(host, acpc_port)))
        with progress() as notify:
            odds.open_matrix(progress=notify)  # a first start shows the progress of building it
        asyncio.run(_open_and_close(address))  # a faulty database is reported in one line
        opened.enter_context(storage.only_server(address))
        hosting = HostSettings(
            journal=journal or _beside(address, ".journal"),
            games=games,
            house=house,
            house_processes=house_processes,
            tcp=tcp,
            acpc=acpc,
            acpc_settings=acpc_settings,
            address=names[0] if names else "",
            admin_token=signing_key(key_path.with_suffix(".admin")),
        )
        guests = None
        if opponent is not None:
            folder = hosting.journal / "opponent"
            guests = OpponentSettings(player=opponent, folder=folder)
        where = listening.getsockname()
        announcement = {
            "url": f"http://{_in_url(where[0])}:{where[1]}/",
            "tcp": None if tcp is None else tcp.getsockname()[1],
            "acpc": None if acpc is None else acpc.getsockname()[1],
            "database": storage.database.shown_url(storage.database_address(address)),
            "journal": str(hosting.journal),
            "opponent": None if guests is None else str(guests.folder),
        }

        def announce() -> None:
            if as_json:
                print_json(announcement)
                return
            serving = [
                str(announcement["url"]),
                *([] if tcp is None else [f"programs on TCP port {announcement['tcp']}"]),
                *([] if acpc is None else [f"ACPC programs on port {announcement['acpc']}"]),
                *([] if guests is None else [f"{guests.player} at /opponent"]),
                f"with {announcement['database']}",
            ]
            errors.print(
                f"serving {', '.join(serving)}; Ctrl-C stops",
                soft_wrap=True,
            )

        run_server(
            settings,
            (
                pushfold(push_or_fold),
                tournaments(hosting),
                opponents(guests),
                spots(limits),
            ),
            listening,
            behind_proxy=behind_proxy,
            ready=announce,
        )


def _formats(path: Path) -> Games:
    """Read a file of formats; say each mistake but the last, with which the command ends."""
    from railbird.serve.formats_file import read_formats

    try:
        return read_formats(path)
    except BadInput as problem:
        *others, last = str(problem).splitlines()
        for line in others:
            click.echo(visible(f"railbird: {line}"), err=True)
        raise BadInput(last) from None


async def _open_and_close(address: str) -> None:
    await (await storage.open_database(address)).close()


def _beside(address: str, ending: str) -> Path:
    """Return a path beside the SQLite file, otherwise in the user's data folder."""
    from railbird._paths import data_folder

    url = storage.database_address(address)
    if url.get_backend_name() == "sqlite" and url.database:
        return Path(url.database).with_suffix(ending)
    return data_folder() / f"serve{ending}"


def _listen(host: str, port: int) -> socket.socket:
    """Bind the port before anything slow starts. Raises `railbird.errors.BadInput`.

    Nobody can connect before the server listens, which it does once it serves.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, UnicodeError, TypeError) as problem:  # the last two for malformed names
        listening.close()
        why = problem.strerror if isinstance(problem, OSError) else problem
        raise BadInput(f"cannot listen on {host} port {port}: {why}") from None
    return listening


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
