"""Options shared by the verbs that play: seed, clock, log, workers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, fields, replace
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from railbird.cli._completion import OUTPUT_FILE, OUTPUT_FOLDER, GameText
from railbird.cli._console import json_option, seed_option, workers_option
from railbird.cli._file_checks import check_kind
from railbird.errors import DEBUG_VARIABLE, BadInput, unknown_name

if TYPE_CHECKING:
    from railbird.arena import FaultPolicy
    from railbird.game import Betting, Rules

HANDS = 1000
"""Hands of a match, unless the command says otherwise: those of `railbird.arena.settings`, which
takes too long to import for a help text."""
CHUNK = 1000
"""Deals of a match between two resets of the players' memory, from the same place."""
MOST_HANDS = 1_000_000
"""Most hands of a match that plays until something is known."""

Command = Callable[..., None]

game_option = click.option(
    "--game",
    type=GameText("limit", "nolimit"),
    default="limit",
    show_default=True,
    help="limit, nolimit, a .game file or a standard name.",
)
"""For `rules_of`."""

rake_option = click.option(
    "--rake",
    metavar="P%[,cap=C]",
    help="Rake in chips: 5%,cap=3; less with up to four players: 5%,cap=3,4:5%,cap=1; in multiples "
    "of five: step=5; also from hands without a flop: preflop.",
)
"""For `rules_of`, or `railbird.game.parse_rake`."""

_BETTINGS = ("nolimit", "potlimit", "limit")
_SPREAD = "spreadlimit"

betting_option = click.option(
    "--game",
    metavar="|".join(_BETTINGS),
    shell_complete=lambda _, __, begun: [word for word in _BETTINGS if word.startswith(begun)],
    default="nolimit",
    show_default=True,
    help="Betting structure.",
)
"""For `betting_of`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """The values of `playing_options`, by name."""

    seed: int
    seconds: float | None
    bank: float | None
    refill: str | None
    log: Path | None
    workers: int
    on: str | None
    force: bool
    strict: bool
    debug: bool
    as_json: bool

    @property
    def faults(self) -> FaultPolicy:
        """The fault policy of the clock's options. Raises `BadInput` for a bank without a limit."""
        from railbird.arena import FaultPolicy, parse_refill

        return FaultPolicy(
            decision_limit=self.seconds,
            bank=self.bank or 0.0,
            refill=None if self.refill is None else parse_refill(self.refill),
            strict=self.strict,
        )

    @contextmanager
    def begun(self, *logs: Path | None) -> Iterator[None]:
        """Begin logs anew where --force asks for it; without, the arena resumes them.

        What players print meanwhile goes to standard error: standard output is for the results.
        """
        from railbird.arena import set_aside

        with (
            set_aside([log for log in logs if log is not None] if self.force else []),
            redirect_stdout(sys.stderr),
        ):
            yield


def playing_options(*, log: str, folder: bool = False) -> Callable[[Command], Command]:
    """Add the options of `Playing`, which the command gets as ``how``; ``log`` is --log's help."""
    options = (
        seed_option,
        click.option(
            "--time",
            "seconds",
            type=click.FloatRange(min=0),
            help="Time limit for a decision, in seconds; a later one is a fault.",
        ),
        click.option(
            "--bank",
            type=click.FloatRange(min=0),
            help="Time bank of each player, in seconds, for decisions that exceed --time.",
        ),
        click.option(
            "--refill",
            metavar="S/HANDS",
            help="Add S seconds to the bank every HANDS hands, as in 10/50.",
        ),
        click.option(
            "--log",
            type=OUTPUT_FOLDER if folder else OUTPUT_FILE,
            help=log,
        ),
        workers_option,
        click.option(
            "--on",
            metavar="ADDRESS",
            help="Play on a Ray cluster: ray for this machine, or ray://HOST:PORT.",
        ),
        click.option("--force", is_flag=True, help="Start the log afresh instead of resuming it."),
        click.option(
            "--strict", is_flag=True, help="Stop at a player's first fault, with its traceback."
        ),
        click.option("--debug", is_flag=True, help="Show the tracebacks of players' errors."),
        json_option,
    )

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**given: Any) -> None:
            shared = {field.name: given.pop(field.name) for field in fields(Playing)}
            how = Playing(**shared)
            if how.log is not None:
                check_kind(how.log, folder=folder)
            if how.strict or how.debug:  # also for workers, and for players that cannot be made
                os.environ[DEBUG_VARIABLE] = "1"
            command(how=how, **given)

        return reduce(lambda decorated, option: option(decorated), reversed(options), run)

    return decorate


def rules_of(game: str, seats: int = 2, *, rake: str | None = None) -> Rules:
    """The rules that `game_option` and `rake_option` name, for ``seats`` seats.

    Raises `BadInput` for a game of another number of seats.
    """
    from railbird.game import parse_rake
    from railbird.histories import resolve_game

    rules = resolve_game(game, seats=seats)
    if rake is not None:
        rules = replace(rules, rake=parse_rake(rake))
    if rules.seats != seats:
        raise BadInput(f"{game} is for {rules.seats} seats; allowed here: {seats}")
    return rules


def betting_of(game: str, *, spread: bool = False) -> Betting:
    """The betting that `betting_option` names, or spread limit where that can be played.

    Raises `BadInput` for other words.
    """
    from railbird.game import Betting
    from railbird.histories import betting_named

    betting = betting_named(game)
    if betting is None or (betting is Betting.SPREAD_LIMIT and not spread):
        known = (*_BETTINGS, _SPREAD) if spread else _BETTINGS
        base, dot, _ = game.partition(".")
        if dot and betting_named(base) is not None:
            raise BadInput(
                f"betting {game!r}: as many sit down as players are named; allowed: "
                f"{', '.join(known)}"
            )
        raise unknown_name("betting", game, known)
    return betting
