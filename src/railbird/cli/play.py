"""``railbird play``: a person's table in the terminal."""

from __future__ import annotations

import asyncio
import os
import secrets
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from railbird import arena, assessment, cards, client, report
from railbird._extras import is_installed
from railbird.cli._compile_ahead import room_steps
from railbird.cli._completion import INPUT_FILE, OUTPUT_FILE, PLAYER, Whole, Within
from railbird.cli._console import (
    errors,
    json_option,
    output,
    print_json,
    progress,
    shows_unicode,
)
from railbird.cli._hand_files import check_kind, force_option
from railbird.cli._keyed_options import show_option
from railbird.cli._play import (
    betting_of,
    betting_option,
    checked_name,
    format_of,
    game_or_usual,
    house_players,
    local_game,
    variant_option,
)
from railbird.cli._result_tables import tell_faults
from railbird.cli._server import address_of, credentials_of
from railbird.errors import BadInput
from railbird.report.number_format import counted, signed

if TYPE_CHECKING:
    from railbird.protocol.messages import Credentials, GameRequest

_LOCAL_ONLY: Final = (
    "players",
    "game",
    "variant",
    "seats",
    "stack",
    "blinds",
    "schedule",
    "count",
    "seed",
    "log",
    "append",
    "force",
    "top_up",
    "pause",
    "advisers",
)
"""Options that a server decides."""
_LONGEST_LINE: Final = 4096
"""Bytes of what is typed at a time."""
_SERVER_ONLY: Final = ("sign_up", "queue", "watch", "token_file", "password_file")


@click.command(name="play")
@click.argument("players", nargs=-1, metavar="[SPEC]...", type=PLAYER)
@betting_option
@variant_option
@click.option(
    "--seats",
    type=Whole(2, 10),
    help="Seats, yours included; 6 by default, or one for each named player. The named players "
    "are repeated until all seats are taken.",
)
@click.option(
    "--stack",
    default="100bb",
    help="Stack of everybody at the start, such as 100bb or 2000 chips; a bare number is chips.",
)
@click.option("--blinds", help="SMALL,BIG or SMALL,BIG,ANTE; 10,20 by default.")
@click.option(
    "--tournament",
    "schedule",
    metavar="[SCHEDULE]",
    is_flag=False,
    flag_value="",
    help="Play a tournament to its end; the blinds rise by a schedule such as 10/20x10,15/30x10.",
)
@click.option(
    "-n",
    "--count",
    type=Whole(min=1),
    default=1,
    help="With --tournament: number of tournaments in a row; house players remember you "
    "throughout.",
)
@click.option("-s", "--seed", type=Whole(min=0), help="Seed of all cards; drawn if not given.")
@click.option("--log", type=OUTPUT_FILE, help="PHHS file to write, hand by hand.")
@click.option("--append", is_flag=True, help="Continue the log if it exists.")
@force_option
@show_option(
    open_cards="after each hand, all cards and the reasons of the others",
    letters="suits as letters",
)
@click.option(
    "--top-up",
    is_flag=True,
    help="Bring everybody back to the full stack before each hand of a ring game, as equilibrium, "
    "vexbot and coach need in limit.",
)
@click.option(
    "--pause",
    type=Within(0, 60),
    help="Seconds for which each action of others is shown; 0.6 by default.",
)
@click.option(
    "--ask", "advisers", multiple=True, metavar="SPEC", type=PLAYER, help="Who gives advice (h)."
)
@click.option("--server", metavar="HOST:PORT", help="Play on a tournament server.")
@click.option("--name", help="Your name; on a server your account's.")
@click.option("--sign-up", is_flag=True, help="Create the account on the server.")
@click.option("--queue", metavar="NAME", help="Queue of the server to wait in at once.")
@click.option("--watch", metavar="TABLE", help="Table of the server to watch at once.")
@click.option(
    "--password-file", type=INPUT_FILE, metavar="FILE", help="File with the password in a line."
)
@click.option("--token-file", type=INPUT_FILE, metavar="FILE", help="File with a bot's token.")
@click.option(
    "--plain",
    is_flag=True,
    help="Print the game in lines and read what you type, as without the extra `terminal`.",
)
@click.option("--bell", is_flag=True, help="Ring the terminal's bell at your turn.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    *,
    players: Sequence[str],
    game: str,
    variant: str,
    seats: int | None,
    stack: str,
    blinds: str | None,
    schedule: str | None,
    count: int,
    seed: int | None,
    log: Path | None,
    append: bool,
    force: bool,
    open_cards: bool,
    top_up: bool,
    pause: float | None,
    advisers: Sequence[str],
    server: str | None,
    name: str | None,
    sign_up: bool,
    queue: str | None,
    watch: str | None,
    password_file: Path | None,
    token_file: Path | None,
    plain: bool,
    letters: bool,
    bell: bool,
    as_json: bool,
) -> None:
    """Sit down in the terminal, with house players or on a tournament server.

    Without --server the named players sit at your table. A ring game goes on until you leave;
    players without chips get new ones. With --server you log in as --name. The password comes from
    RAILBIRD_PASSWORD or from a file, or you are asked for it; a bot's token comes from
    RAILBIRD_TOKEN or from a file. Use keys or the mouse; ? shows help. Without the extra
    `terminal`, or with --plain, the game runs in lines of text, for screen readers and pipes.

    \b
    Examples:
      railbird play
      railbird play booker:4 tight:nolimit --game nolimit --seats 6 --stack 100bb --log evening.phhs
      railbird play loki:som --game limit --tournament 10/20x10,20/40x10
      railbird play booker:4 --tournament --count 20 --log series.phhs
      railbird play equilibrium:small --game limit --top-up
      railbird play sensible --variant omaha --game potlimit --seats 4
      railbird play sensible --variant stud --seats 5
      railbird play --plain tight:nolimit --seats 2
      railbird play --server localhost:4680 --name alice
    """
    _check_given(context, on_server=server is not None)
    if server is not None:
        if plain:
            raise BadInput("--plain with --server; allowed: a table with house players")
        address = address_of(server)
        _play_there(
            address,
            partial(
                credentials_of,
                address,
                name,
                sign_up=sign_up,
                password_file=password_file,
                token_file=token_file,
            ),
            queue=queue,
            watch=watch,
            letters=letters,
            rings=bell,
            as_json=as_json,
        )
        return

    me = checked_name("you" if name is None else name)
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    if top_up and schedule is not None:
        raise BadInput("--top-up with --tournament; allowed: ring games")
    if count > 1 and schedule is None:
        raise BadInput(f"--count {count} without --tournament; allowed: a series of tournaments")
    dealt = cards.variant_from(variant)
    game = game_or_usual(game, dealt)
    house = house_players(players, seats, betting_of(game), dealt)
    form = format_of(
        game,
        variant=dealt.name,
        seats=len(house) + 1,
        stack=stack,
        blinds=blinds,
        schedule=schedule,
        top_up=top_up,
    )
    plain = plain or not is_installed("terminal")
    if not plain:
        _check_terminal()
    deal = room_steps("game")["game: dealing"]
    with _log(log, append=append, force=force) as hand_log:
        with progress():
            deal()  # so that compiling is said before the screen is drawn
            local = local_game(
                form,
                me,
                house,
                seed=seed,
                log=hand_log,
                open_cards=open_cards,
                pause=pause if pause is not None else 0.0 if plain else client.table_model.PAUSE,
                count=count,
            )
        model = _model(letters)
        model.me = me
        if plain:
            _run_plain(local, model, advisers=advisers, rings=bell, to_errors=as_json)
        else:
            _run(local, model, advisers=advisers, rings=bell)
        if local.failure is not None:
            raise local.failure
        tell_faults(local.take_faults(), local.hands)
        logged = 0 if hand_log is None else hand_log.hands
        if as_json:
            summary: dict[str, object] = {
                "hands": local.hands,
                "net_chips": local.net,
                "seed": seed,
            }
            if count > 1:
                summary["places"] = local.places
            file = None if log is None else str(log)
            print_json({**_result(model), **summary, "log": file, "logged": logged})
        else:
            output.print(_farewell(local, model, seed, log, logged), soft_wrap=True)


def _check_given(context: click.Context, *, on_server: bool) -> None:
    """Refuse options that mean nothing with a server, or without one."""
    names, why = (
        (_LOCAL_ONLY, "a server decides that") if on_server else (_SERVER_ONLY, "needs --server")
    )
    if on_server and ("open-cards", "") in context.params["show"]:
        raise BadInput(f"--show open-cards: {why}")
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is ParameterSource.COMMANDLINE:
            if context.params[parameter.name] in ((), None):
                continue
            shown = parameter.opts[-1] if isinstance(parameter, click.Option) else "SPEC"
            raise BadInput(f"{shown}: {why}")


def _check_terminal() -> None:
    """Refuse to draw where nobody sees it."""
    streams = (sys.stdin, sys.stdout, sys.stderr)  # the screen is drawn on the last
    if not all(stream is not None and stream.isatty() for stream in streams):
        raise BadInput(
            "no terminal: a person plays here, with --plain in lines; `railbird join` and"
            " `railbird ring` seat players"
        )
    if os.environ.get("TERM", "") in ("dumb", "unknown"):
        raise BadInput(
            f"the terminal {os.environ['TERM']!r} cannot draw a table; allowed: any other, --plain"
        )


@contextmanager
def _log(path: Path | None, *, append: bool, force: bool) -> Iterator[client.HandLog | None]:
    """Open the log, if there is one; an older one comes back where no hand replaces it."""
    if path is None:
        yield None
        return
    check_kind(path, folder=False)
    with arena.set_aside([path] if force else []), client.open_hand_log(path, append=append) as log:
        yield log


def _play_there(
    address: tuple[str, int],
    log_in: Callable[[], Credentials],
    *,
    queue: str | None,
    watch: str | None,
    letters: bool,
    rings: bool,
    as_json: bool,
) -> None:
    from railbird.protocol.messages import EnterQueue, Watch

    if queue is not None and watch is not None:
        raise BadInput("--queue with --watch; allowed: one of the two")
    _check_terminal()
    enter: GameRequest | None = None
    try:
        if queue is not None:
            enter = EnterQueue(queue=queue)
        elif watch is not None:
            enter = Watch(table=watch)
    except ValueError:
        raise BadInput(f"{queue or watch!r}; allowed: a name as the lobby has it") from None
    link = client.ServerLink(partial(client.ServerConnection, *address), log_in())
    model = _model(letters)
    _run(link, model, advisers=(), rings=rings, enter=enter)
    if model.link is not None and model.link.is_failure:
        raise BadInput(model.link.text)
    if as_json:
        print_json({**_result(model), "hands": model.hands, "net_chips": model.net})


def _model(letters: bool) -> client.TableModel:
    is_plain = letters or not shows_unicode()
    return client.TableModel(suits=cards.Suits.LETTERS if is_plain else cards.Suits.SYMBOLS)


def _run(
    source: client.LocalGame | client.ServerLink,
    model: client.TableModel,
    *,
    advisers: Sequence[str],
    rings: bool,
    enter: GameRequest | None = None,
) -> None:
    """Draw the table until the person leaves."""
    from railbird import _jit
    from railbird.client.terminal.app import PlayApp

    app = PlayApp(source, model, enter=enter, advisers=advisers, rings=rings)

    def leave(number: int, frame: FrameType | None) -> None:
        with suppress(RuntimeError):  # the loop has ended: we are leaving already
            asyncio.get_running_loop().call_soon_threadsafe(app.exit)

    with _on_signals(leave), _jit.watched(app):
        try:
            app.run()
        finally:
            source.close()


def _run_plain(
    game: client.LocalGame,
    model: client.TableModel,
    *,
    advisers: Sequence[str],
    rings: bool,
    to_errors: bool,
) -> None:
    """Tell the game line by line until the person leaves."""
    from railbird import _jit

    console = errors if to_errors else output
    is_typed = sys.stdin is not None and sys.stdin.isatty()

    def ask() -> str:
        if is_typed:
            _forget_typed()
            click.echo("\a> " if rings else "> ", nl=False, err=to_errors)
        line = b""
        try:
            line = b"" if sys.stdin is None else sys.stdin.buffer.readline(_LONGEST_LINE)
        finally:
            if is_typed and not line:  # what follows begins a line, not beside the prompt
                click.echo(err=to_errors)
        if not line:
            raise EOFError
        return line.decode(errors="replace")

    def leave(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    table = client.PlainTable(
        game, model, say=partial(console.print, highlight=False), ask=ask, advisers=advisers
    )
    with _on_signals(leave), _jit.watched(table):
        try:
            table.run()
        finally:
            game.close()


def _forget_typed() -> None:
    """Drop what was typed before it was asked for, which would answer another question."""
    with suppress(ImportError, OSError):
        import termios

        with suppress(termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


@contextmanager
def _on_signals(leave: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let a signal, such as that of a closed window, leave the table as a key does."""
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handlers = {number: signal.signal(number, leave) for number in numbers}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _result(model: client.TableModel) -> dict[str, object]:
    """Return the person's name, and the place in a tournament that is over for the person."""
    return {"player": model.me, "place": None if model.state is None else model.state.place}


def _farewell(
    game: client.LocalGame, model: client.TableModel, seed: int, log: Path | None, logged: int
) -> str:
    """Say how it went, and how to look at it."""
    parts = [counted(game.hands)]
    if len(game.places) > 1:
        won = game.places.count(1)
        parts.append(f"won {won} of {len(game.places)} tournaments")
    elif model.state is not None and model.state.place is not None:
        parts.append(f"place {model.state.place}")
    elif game.hands:
        parts.append(f"{signed(game.net, 0)} chips")
    lines = [f"{', '.join(parts)}; seed {seed}"]
    if len(game.places) > 1:
        series = assessment.prizes.series_of([place == 1 for place in game.places])
        if series is not None:
            lines.append(report.series_words(series))
    if log is not None and game.payouts and game.variant is cards.HOLDEM:
        page = str(log.with_suffix(".html"))
        options = ["--payouts", game.payouts, "--player", game.me, "--out", page]
        look = shlex.join(["railbird", "assess", str(log), *options])
        lines.append(f"{log}: {counted(logged)}; {look}")
    elif log is not None:
        look = shlex.join(["railbird", "report", str(log), "--player", game.me])
        lines.append(f"{log}: {counted(logged)}; {look}")
    return "\n".join(lines)
