"""Options shared by the verbs that play: seed, clock, log, workers."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import asdict, dataclass, field, fields, replace
from fractions import Fraction
from functools import reduce, wraps
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from click.core import ParameterSource

from railbird import arena, cards, client, game, histories, hosting, tournament
from railbird._arguments import check_commas
from railbird._terminal_safe import is_hidden
from railbird.arena.settings import CHUNK, SOLVING_CHUNK
from railbird.cli._completion import (
    BETTINGS,
    OUTPUT_FILE,
    OUTPUT_FOLDER,
    SPREAD,
    BigBlinds,
    GameText,
    OneOf,
    Whole,
    Within,
    Words,
)
from railbird.cli._console import json_option, seed_option, workers_option
from railbird.cli._hand_files import check_kind
from railbird.cli._keyed_options import Setting, set_option
from railbird.cli._result_tables import warn_unfit
from railbird.errors import DEBUG_VARIABLE, BadInput, unknown_name
from railbird.report.number_format import counted

Command = Callable[..., None]

# Amounts in options: stacks, prizes, bounties and entry fees.


_AMOUNT = re.compile(r"[0-9]{1,15}(\.[0-9]{1,9})?")
_EXACT = re.compile(r"\d{1,15}([./]\d{1,15})?")
"""A fraction without an exponent, since 1e999999999 would fill the memory with digits."""
_STACK = re.compile(r"(\d{1,9}) *(bb|chips)?", re.IGNORECASE)
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9}")
_MOST = 1_000
"""Amounts of a list."""


@contextmanager
def naming_option(option: str) -> Iterator[None]:
    """Let a refusal begin with the option that the user typed. Raises `BadInput`."""
    try:
        yield
    except BadInput as problem:
        raise BadInput(f"{option}: {problem}") from None


def stack_of(text: str, big: int) -> int:
    """Parse ``--stack``: 2000 or 2000chips, or in big blinds of ``big`` chips, 100bb.

    Raises `BadInput`.
    """
    match = _STACK.fullmatch(text.strip())
    if match is None or not int(match[1]):
        raise BadInput(f"stack {text!r}; allowed: chips, as in 2000, or big blinds, as in 100bb")
    return int(match[1]) * (big if (match[2] or "").lower() == "bb" else 1)


def prizes_of(text: str) -> list[float]:
    """Parse ``--payouts``. Raises `BadInput` for prizes that increase, which nobody pays."""
    prizes = amounts("--payouts", text, "50,30,20")
    for place, (better, worse) in enumerate(pairwise(prizes), 2):
        if worse > better:
            raise BadInput(
                f"--payouts: place {place} gets {worse:g}, the one before it {better:g}; allowed:"
                " prizes that do not increase"
            )
    return prizes


_THOUSANDS: Final = re.compile("0[0-9]")
"""Beginning of a word that is the rest of an amount such as 5,000."""


def amounts(option: str, text: str, example: str) -> list[float]:
    """Parse amounts separated by commas, slashes or spaces. Raises `BadInput`.

    Where spaces separate amounts too, a comma between two digits may belong to thousands or cents,
    and is refused.
    """
    # Where spaces separate amounts, 5,000 may be one amount or two, and no reading is safe.
    if re.search(r"[0-9],?\s+[0-9]", text.strip()):
        check_commas(f"{option} {text!r}", text, example)
    words = re.split(r"\s*[,/]\s*|\s+", text.strip())
    for word in words:
        if not _AMOUNT.fullmatch(word) or _THOUSANDS.match(word):
            raise BadInput(f"{option} {word!r}; allowed: amounts such as {example}")
    if len(words) > _MOST:
        raise BadInput(f"{len(words):,} amounts in {option}; allowed: up to {_MOST:,}")
    return [float(word) for word in words]


def bounty_options(command: Command) -> Command:
    """Add bounties, for `bounties_of`, and the rarer settings of prizes."""
    return click.option(
        "--bounties", help="Bounty on each player's head, such as 20,15,30, beside the prizes."
    )(_bounty_settings(command))


_bounty_settings = set_option(
    paid_at_once=Setting(
        "0.5",
        "part of a bounty that a knock-out pays while the rest goes on the winner's own head, by "
        "default this, and 1 where bounties do not grow",
        Within(),
    ),
    bounty_model=Setting(
        "flat",
        "chances to have knocked out who finishes lower, by default proportional to the stacks",
        OneOf(["proportional", "flat"]),
    ),
    future_game=Setting(
        "2",
        "hands of push/fold to come that count for what stacks are worth, by default none",
        Whole(0, 9),
        0,
    ),
)


def bounties_of(
    bounties: str | None, paid_at_once: float | None, bounty_model: str | None
) -> tournament.Bounties | None:
    """Return the bounties that `bounty_options` describe. Raises `BadInput`."""
    given = {"--set paid-at-once": paid_at_once, "--set bounty-model": bounty_model}
    if bounties is None:
        if alone := [name for name, value in given.items() if value is not None]:
            raise BadInput(f"{alone[0]} without --bounties; allowed: with --bounties")
        return None
    plain = tournament.Bounties(heads=tuple(amounts("--bounties", bounties, "20,15,30")))
    return replace(
        plain,
        paid_at_once=plain.paid_at_once if paid_at_once is None else paid_at_once,
        model=plain.model if bounty_model is None else tournament.BountyModel(bounty_model),
    )


def blinds_of(text: str) -> tuple[float, float]:
    """Parse ``--blinds``. Raises `BadInput`."""
    both = amounts("--blinds", text, "50/100")
    if len(both) != 2:
        raise BadInput(f"--blinds {text!r}; allowed: SMALL/BIG such as 50/100")
    return both[0], both[1]


def bounties_json(bounties: tournament.Bounties | None) -> dict[str, Any] | None:
    """Return what `bounties_of` read as JSON."""
    return None if bounties is None else asdict(bounties)


def entry_of(text: str) -> Fraction:
    """Parse ``--entry``. Raises `BadInput`."""
    try:
        if not _EXACT.fullmatch(text):
            # `Fraction` reads exponents, and one with a billion digits would fill the memory before
            # it is refused.
            raise ValueError(text)
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"entry {text!r}; allowed: an amount such as 16.66") from None


# The options.


game_option = click.option(
    "--game",
    type=GameText(*BETTINGS[:2]),
    default="limit",
    help="limit, nolimit, a .game file or a standard name.",
)
"""For `rules_of`."""

stack_option = click.option(
    "--stack",
    help="Stacks in no-limit, such as 100bb or 2000 chips, by default the game's; a bare number is "
    "chips.",
)
"""For `rules_of`."""

stack_in_blinds_option = click.option(
    "--stack",
    type=BigBlinds(),
    default=10.0,
    help="Stack in big blinds, 1-100, such as 10 or 10bb.",
)
ante_option = click.option("--ante", type=Within(), default=0.0, help="Ante of each player.")
"""Of push/fold."""

variant_option = click.option(
    "--variant",
    default="holdem",
    metavar="NAME",
    help="Game, such as omaha, stud, razz, badugi, with its usual betting; a wrong name lists all.",
)
"""For `railbird.cards.variant_from`."""

rake_option = click.option(
    "--rake",
    metavar="P%[,cap=C]",
    help="Rake in chips: 5%,cap=3; less with up to four players: 5%,cap=3,4:5%,cap=1; in multiples "
    "of five: step=5; also from hands without a flop: preflop.",
)
"""For `rules_of`, or `railbird.game.parse_rake`."""

betting_option = click.option(
    "--game",
    type=Words("betting", lambda: BETTINGS),
    default="nolimit",
    help="limit, nolimit or potlimit, in other games than hold'em by default what they are usually "
    "played by; in ring games also spreadlimit,bets=2/10, the smallest and the largest bet.",
)
"""For `betting_of`."""


def _set_by(option: Callable[[Command], Command]) -> Any:
    """Return a field that an option sets; the option's name is the field's, or says it."""
    return field(metadata={"option": option})


class _Clock(NamedTuple):
    """What ``--clock`` says: seconds for a decision, a bank of seconds, and what that gets."""

    seconds: float | None = None
    bank: float = 0.0
    refill: tournament.schedule.Refill | None = None


def _clock_of(text: str | None) -> _Clock:
    """Read a clock, without which nobody's time is limited. Raises `BadInput`."""
    if text is None:
        return _Clock()
    seconds, *more = text.replace(" ", "").split("+")
    if not seconds and more:
        raise BadInput(f"--clock {text!r}: a time bank needs a limit; allowed: such as 5+60, 0+600")
    if not more and _SECONDS.fullmatch(seconds) and not float(seconds):
        raise BadInput(f"--clock {text!r} leaves no time; allowed: more than 0, or a bank: 0+600")
    if len(more) > 2 or not all(map(_SECONDS.fullmatch, (seconds, *more[:1]))):
        raise BadInput(f"--clock {text!r}; allowed: seconds such as 5, 5+60 or 5+60+10/50")
    bank = float(more[0]) if more else 0.0
    refill = None
    # The words below name the form of the whole clock, of which the refill's own message knows a
    # part only.
    with suppress(BadInput):
        refill = tournament.parse_refill(more[1]) if len(more) == 2 and bank else None
    if len(more) == 2 and refill is None:
        raise BadInput(f"--clock {text!r}; allowed: a bank, and what it gets, as in 5+60+10/50")
    return _Clock(float(seconds), bank, refill)


@dataclass(frozen=True, slots=True, kw_only=True)
class Playing:
    """How verbs play: each field is set by its option, which `playing_options` adds."""

    seed: int = _set_by(seed_option)
    clock: str | None = _set_by(
        click.option(
            "--clock",
            metavar="TIME[+BANK[+S/HANDS]]",
            help="Seconds for a decision, of which a later one is a fault; a time bank of each "
            "player for decisions that exceed it; seconds that are added to the bank every so many "
            "hands: 5+60+10/50.",
        )
    )
    log: Path | None
    """Of a kind that differs from verb to verb."""
    workers: int = _set_by(workers_option)
    on: str | None = _set_by(
        click.option(
            "--on",
            metavar="ADDRESS",
            help="Play on a Ray cluster: ray for this machine, or ray://HOST:PORT.",
        )
    )
    force: bool = _set_by(
        click.option("--force", is_flag=True, help="Begin an existing log anew, not continue it.")
    )
    strict: bool = _set_by(
        click.option(
            "--strict", is_flag=True, help="Stop at a player's first fault, with its traceback."
        )
    )
    debug: bool = _set_by(
        click.option("--debug", is_flag=True, help="Show the tracebacks of players' errors.")
    )
    as_json: bool = _set_by(json_option)

    @property
    def faults(self) -> arena.FaultPolicy:
        """The fault policy that ``--clock`` and ``--strict`` say. Raises `BadInput`."""
        clock = _clock_of(self.clock)
        with naming_option("--clock"):
            return arena.FaultPolicy(
                decision_limit=clock.seconds,
                bank=clock.bank,
                refill=clock.refill,
                strict=self.strict,
            )

    @contextmanager
    def begun(self, *logs: Path | None) -> Iterator[None]:
        """Begin logs anew where --force asks for it; without, the arena resumes them.

        What players print meanwhile goes to standard error: standard output is for the results.
        """
        with (
            arena.set_aside([log for log in logs if log is not None] if self.force else []),
            redirect_stdout(sys.stderr),
        ):
            yield


def playing_options(*, log: str, folder: bool = False) -> Callable[[Command], Command]:
    """Add the options of `Playing`, which the command gets as ``how``; ``log`` is --log's help."""
    to_log = click.option("--log", type=OUTPUT_FOLDER if folder else OUTPUT_FILE, help=log)
    # The log's option differs from verb to verb in its help, so the field cannot carry it.
    options = [option_field.metadata.get("option", to_log) for option_field in fields(Playing)]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def run(**values: Any) -> None:
            shared = {
                option_field.name: values.pop(option_field.name) for option_field in fields(Playing)
            }
            how = Playing(**shared)
            if how.log is not None:
                check_kind(how.log, folder=folder)
            if how.strict or how.debug:  # also for workers, and for players that cannot be made
                os.environ[DEBUG_VARIABLE] = "1"
            command(how=how, **values)

        # Decorators that are applied last stand first in the help, so the order of the fields is
        # reversed.
        return reduce(lambda decorated, option: option(decorated), reversed(options), run)

    return decorate


def rules_of(
    game: str,
    seats: int = 2,
    *,
    rake: str | None = None,
    stack: str | None = None,
    variant: cards.Variant | None = None,
) -> game.Rules:
    """The rules that `game_option`, `rake_option` and `stack_option` name, for ``seats`` seats.

    Raises `BadInput` for a game of another number of seats, and for a stack where none matters.
    """
    from railbird.game import in_variant, parse_rake

    rules = histories.resolve_game(game, seats=seats)
    if stack is not None:
        if rules.stacks is None:
            raise BadInput(f"--stack in {game}, where nobody can be all-in; allowed: nolimit")
        # Big blinds are counted in those of the game, which has to be read before the stack can be.
        chips = stack_of(stack, max(rules.blinds))
        rules = histories.resolve_game(f"{game},stack={chips}", seats=seats)
    if rake is not None:
        rules = replace(rules, rake=parse_rake(rake))
    if rules.seats != seats:
        raise BadInput(f"{game} is for {rules.seats} seats; allowed here: {seats}")
    return rules if variant is None else in_variant(rules, variant)


def chunk_for(entrants: Sequence[str]) -> int:
    """Return the deals of a chunk of a match in any game: few if a player solves while it plays.

    That takes seconds a hand, and a stopped match loses the chunk it was in. Where a player
    remembers earlier hands, or may, chunks are as long as ever, since memory ends with each.
    """
    from railbird.players import claims_of, solves_while_playing

    specs = arena.specs_of(entrants)
    claims = [claims_of(spec) for spec in specs]
    forgetful = all(claim is not None and not claim.remembers for claim in claims)
    solving = any(map(solves_while_playing, specs))
    return SOLVING_CHUNK if forgetful and solving else CHUNK


def game_or_usual(game: str, variant: cards.Variant, *, has_pot_limit: bool = True) -> str:
    """Return the betting that was asked for; else, in other games than hold'em, the usual one.

    Where there is no pot-limit, such games have the option's own default.
    """
    source = click.get_current_context().get_parameter_source("game")
    # Only what was not typed may change.
    is_known = has_pot_limit or variant.betting != "pot-limit"
    is_usual = source is ParameterSource.DEFAULT and variant is not cards.HOLDEM and is_known
    return variant.betting if is_usual else game


def betting_of(game: str, *, spread: bool = False) -> game.Betting:
    """The betting that `betting_option` names, or spread limit where that can be played.

    Raises `BadInput` for other words.
    """
    from railbird.game import Betting

    betting = histories.betting_named(game)
    if betting is None or (betting is Betting.SPREAD_LIMIT and not spread):
        known = (*BETTINGS, SPREAD) if spread else BETTINGS
        base, dot, _ = game.partition(".")
        if dot and histories.betting_named(base) is not None:
            raise BadInput(
                f"betting {game!r}: as many sit down as players are named; allowed: "
                f"{', '.join(known)}"
            )
        raise unknown_name("betting", game, known)
    return betting


# The table of `railbird play` without a server, from the words of the command.


_BLINDS: Final = re.compile(r"(\d{1,9})[,/](\d{1,9})(?:[,/](\d{1,9}))?")
_LONGEST_NAME: Final = 32


def format_of(
    game: str,
    *,
    variant: str = "holdem",
    seats: int,
    stack: str,
    blinds: str | None,
    schedule: str | None,
    top_up: bool = False,
) -> hosting.RingFormat | hosting.TournamentFormat:
    """Return what is played: a tournament where there is a schedule. Raises `BadInput`."""
    betting = betting_of(game)
    clocks = hosting.Clocks(limit=86_400, bank=0, refill=None, lag=0)
    if schedule is None:
        small, big, ante = _blinds(blinds)
        chips = stack_of(stack, big)
        return hosting.RingFormat(
            name="play",
            betting=betting,
            variant=variant,
            seats=seats,
            blinds=(small, big),
            ante=ante,
            # At a table that is topped up everybody begins each hand with the full stack, so no
            # smaller one is sold.
            buy_ins=(chips if top_up else big, chips),
            clocks=clocks,
            top_up=top_up,
        )
    if blinds is not None:
        raise BadInput("--blinds with --tournament; allowed: levels, as in 10/20x10,15/30x10")
    levels = tournament.parse_schedule(schedule) if schedule else tournament.schedule.SCHEDULE
    return hosting.TournamentFormat(
        name="play",
        betting=betting,
        variant=variant,
        seats=seats,
        table_seats=seats,
        stack=stack_of(stack, levels.level(0).big),
        schedule=levels,
        payouts=hosting.settings.PAYOUTS if seats > 2 else tournament.parse_payouts("100"),
        fee=0,
        clocks=clocks,
        rated=False,
        house_after=None,
    )


def house_players(
    players: Sequence[str],
    seats: int | None,
    betting: game.Betting,
    variant: cards.Variant | None = None,
) -> list[str]:
    """Return the house players, those named repeated until all seats are taken.

    Raises `BadInput` for more of them than seats, and for what is no player.
    """
    from railbird.players.registry import check_names

    arena.check_entrants(players)
    check_names(arena.specs_of(players))
    count = (
        seats if seats is not None else len(players) + 1 if players else client.table_model.SEATS
    )
    if len(players) >= count:
        raise BadInput(
            f"{counted(len(players), 'player')} and you at {count} seats; "
            f"allowed: at most {counted(count - 1, 'player')}, or more --seats"
        )
    if count > client.table_model.MOST_SEATS:
        raise BadInput(f"{count} seats; allowed: 2 to {client.table_model.MOST_SEATS}")
    named = tuple(players) or client.table_model.usual_opponents(betting, variant or cards.HOLDEM)
    repeated = [named[seat % len(named)] for seat in range(count - 1)]
    # NAME=SPEC is one player: further copies go by their specs
    return [
        spec.partition("=")[2]
        if "=" in spec.partition(":")[0] and spec in repeated[:seat]
        else spec
        for seat, spec in enumerate(repeated)
    ]


def local_game(
    form: hosting.RingFormat | hosting.TournamentFormat,
    me: str,
    players: Sequence[str],
    *,
    seed: int,
    log: client.HandLog | None,
    open_cards: bool,
    pause: float,
    count: int = 1,
) -> client.LocalGame:
    """Seat a person and house players. Raises `BadInput` for one who cannot play."""
    names = arena.names_of(players)
    if me in names:
        raise BadInput(f"two players are named {me}; allowed: another --name")
    stack = form.buy_ins[1] if hasattr(form, "buy_ins") else form.stack
    blinds = form.blinds if hasattr(form, "blinds") else _first_blinds(form)
    stacks = [stack] * (len(players) + 1)
    rules = tournament.hand_rules(
        form.betting, blinds=blinds, ante=0, stacks=stacks, variant=form.game
    )
    warn_unfit(players, rules)
    carries_over = not (hasattr(form, "top_up") and form.top_up)
    seated = arena.seat_players(
        players, names, arena.DEFAULT_FAULTS, rules, carries_over=carries_over
    )
    return client.LocalGame(
        form,
        me,
        dict(zip(names, seated, strict=True)),
        seed=seed,
        log=log,
        open_cards=open_cards,
        pause=pause,
        count=count,
    )


def _first_blinds(form: hosting.TournamentFormat) -> tuple[int, int]:
    level = form.schedule.level(0)
    return level.small, level.big


def checked_name(name: str) -> str:
    """Return a name that a table and a log can show. Raises `BadInput`."""
    hidden = any(is_hidden(character) for character in name)
    if hidden or not 1 <= len(name) <= _LONGEST_NAME or name != name.strip():
        raise BadInput(f"name {name[:40]!r}; allowed: 1 to {_LONGEST_NAME} characters that show")
    return name


def _blinds(text: str | None) -> tuple[int, int, int]:
    if text is None:
        return (*client.table_model.BLINDS, 0)
    match = _BLINDS.fullmatch(text)
    if match is None:
        raise BadInput(f"blinds {text!r}; allowed: SMALL,BIG or SMALL,BIG,ANTE, as in 10,20")
    small, big, ante = (int(part or 0) for part in match.groups())
    if not 0 < small <= big:
        raise BadInput(f"blinds {text!r}; allowed: a small blind of 1 or more, a big one not below")
    return small, big, ante
