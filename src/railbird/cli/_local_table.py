"""The table of `railbird play` without a server, from the words of the command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from railbird._terminal_safe import is_hidden
from railbird.cli._play_options import betting_of
from railbird.errors import BadInput

if TYPE_CHECKING:
    from railbird.client.play.hand_log import HandLog
    from railbird.client.play.local_game import LocalGame
    from railbird.game import Betting
    from railbird.hosting.formats import RingFormat, TournamentFormat

_BLINDS: Final = re.compile(r"(\d{1,9})[,/](\d{1,9})(?:[,/](\d{1,9}))?")
_STACK: Final = re.compile(r"(\d{1,9})(bb)?", re.IGNORECASE)
_LONGEST_NAME: Final = 32


def format_of(
    game: str,
    *,
    seats: int,
    stack: str,
    blinds: str | None,
    schedule: str | None,
    top_up: bool = False,
) -> RingFormat | TournamentFormat:
    """Return what is played: a tournament where there is a schedule. Raises `BadInput`."""
    from railbird.hosting.formats import Clocks, RingFormat, TournamentFormat
    from railbird.hosting.settings import PAYOUTS, SCHEDULE
    from railbird.tournament import parse_payouts, parse_schedule

    betting = betting_of(game)
    clocks = Clocks(limit=86_400, bank=0, refill=None, lag=0)
    if schedule is None:
        small, big, ante = _blinds(blinds)
        chips = _chips(stack, big)
        return RingFormat(
            name="play",
            betting=betting,
            seats=seats,
            blinds=(small, big),
            ante=ante,
            buy_ins=(chips if top_up else big, chips),
            clocks=clocks,
            top_up=top_up,
        )
    if blinds is not None:
        raise BadInput("--blinds with --tournament; allowed: levels, as in 10/20x10,15/30x10")
    levels = parse_schedule(schedule) if schedule else SCHEDULE
    return TournamentFormat(
        name="play",
        betting=betting,
        seats=seats,
        table_seats=seats,
        stack=_chips(stack, levels.level(0).big),
        schedule=levels,
        payouts=PAYOUTS if seats > 2 else parse_payouts("100"),
        fee=0,
        clocks=clocks,
        rated=False,
        house_after=None,
    )


def opponents_of(players: Sequence[str], seats: int | None, betting: Betting) -> list[str]:
    """Return the house players, those named repeated until all seats are taken.

    Raises `BadInput` for more of them than seats, and for what is no player.
    """
    from railbird.arena.names import check_entrants, specs_of
    from railbird.client.play.settings import MOST_SEATS, OPPONENTS, SEATS
    from railbird.players.registry import check_names

    check_entrants(players)
    check_names(specs_of(players))
    count = seats if seats is not None else len(players) + 1 if players else SEATS
    if len(players) >= count:
        raise BadInput(f"{len(players)} players and you; allowed: {count}, the seats")
    if count > MOST_SEATS:
        raise BadInput(f"{count} seats; allowed: 2 to {MOST_SEATS}")
    named = tuple(players) or OPPONENTS[betting]
    repeated = [named[place % len(named)] for place in range(count - 1)]
    # NAME=SPEC is one player: further copies go by their specs
    return [
        spec.partition("=")[2]
        if "=" in spec.partition(":")[0] and spec in repeated[:place]
        else spec
        for place, spec in enumerate(repeated)
    ]


def local_game(
    form: RingFormat | TournamentFormat,
    me: str,
    players: Sequence[str],
    *,
    seed: int,
    log: HandLog | None,
    open_cards: bool,
    pause: float,
) -> LocalGame:
    """Seat a person and house players. Raises `BadInput` for one who cannot play."""
    from railbird.arena.fault_policy import DEFAULT_FAULTS
    from railbird.arena.guarded_player import seat_players
    from railbird.arena.names import names_of
    from railbird.client.play.local_game import LocalGame
    from railbird.tournament.table_rules import table_rules

    names = names_of(players)
    if me in names:
        raise BadInput(f"two players are named {me}; allowed: another --name")
    stack = form.buy_ins[1] if hasattr(form, "buy_ins") else form.stack
    blinds = form.blinds if hasattr(form, "blinds") else _first_blinds(form)
    stacks = [stack] * (len(players) + 1)
    rules = table_rules(form.betting, blinds=blinds, ante=0, stacks=stacks)
    carries_over = not (hasattr(form, "top_up") and form.top_up)
    seated = seat_players(players, names, DEFAULT_FAULTS, rules, carries_over=carries_over)
    return LocalGame(
        form,
        me,
        dict(zip(names, seated, strict=True)),
        seed=seed,
        log=log,
        open_cards=open_cards,
        pause=pause,
    )


def _first_blinds(form: TournamentFormat) -> tuple[int, int]:
    level = form.schedule.level(0)
    return level.small, level.big


def checked_name(name: str) -> str:
    """Return a name that a table and a log can show. Raises `BadInput`."""
    hidden = any(is_hidden(character) for character in name)
    if hidden or not 1 <= len(name) <= _LONGEST_NAME or name != name.strip():
        raise BadInput(f"name {name[:40]!r}; allowed: 1 to {_LONGEST_NAME} characters that show")
    return name


def _blinds(text: str | None) -> tuple[int, int, int]:
    from railbird.client.play.settings import BLINDS

    if text is None:
        return (*BLINDS, 0)
    match = _BLINDS.fullmatch(text)
    if match is None:
        raise BadInput(f"blinds {text!r}; allowed: SMALL,BIG or SMALL,BIG,ANTE, as in 10,20")
    small, big, ante = (int(part or 0) for part in match.groups())
    if not 0 < small <= big:
        raise BadInput(f"blinds {text!r}; allowed: a small blind of 1 or more, a big one not below")
    return small, big, ante


def _chips(text: str, big: int) -> int:
    match = _STACK.fullmatch(text.strip())
    if match is None or not int(match[1]):
        raise BadInput(f"stack {text!r}; allowed: chips, as in 2000, or big blinds, as in 100bb")
    return int(match[1]) * (big if match[2] else 1)
