"""Formats of hosted play: tournaments and ring games as data."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from fractions import Fraction
from typing import Any, Final, TypeVar

import msgspec

from railbird._arguments import checked
from railbird.cards import HOLDEM, Variant, variant_from
from railbird.errors import BadInput, placed
from railbird.game import Betting, OpenFold, Rake, Rules
from railbird.game.rules import SEATS as POSSIBLE_SEATS
from railbird.hosting.settings import (
    ACTION_SECONDS,
    BANK_SECONDS,
    DEEPEST,
    FEE,
    HOUSE_AFTER_SECONDS,
    LAG_SECONDS,
    MOST_ENTRANTS,
    PAYOUTS,
    REFILL,
    SEATS,
    STACK,
)
from railbird.protocol.encoding import UNREADABLE
from railbird.protocol.messages import GameFormat
from railbird.tournament.icm import check_shares
from railbird.tournament.schedule import (
    SCHEDULE,
    Clock,
    Level,
    Refill,
    Schedule,
    Stages,
    hand_rules,
    posted_rules,
)

_Form = TypeVar("_Form", "TournamentFormat", "RingFormat")

_MOST_CHIPS: Final = 10**15
_LONGEST_WAIT: Final = 31_536_000
"""Seconds of a year."""
_FRACTION: Final = re.compile(
    r"-?((\d{1,18}\.?\d{0,18}|\.\d{1,18})([eE]-\d{1,2})?|\d{1,19}/0{0,9}[1-9]\d{0,18})"
)
"""As people and JSON write them; with large exponents, a few characters make a number that fills
the memory."""


class Freeze(Enum):
    """Play of a seat whose player did not act in time."""

    CHECK = "check"
    """Check where that is free, else fold."""
    FOLD = "fold"
    """Always fold, as in Booker's (2004) server."""


class LevelBy(Enum):
    """Length of the levels of a blind schedule."""

    HANDS = "hands"
    MINUTES = "minutes"
    """Minutes of play; what a restart or a pause takes does not count."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Time for actions, in seconds."""

    limit: float = ACTION_SECONDS
    bank: float = BANK_SECONDS
    refill: Refill | None = REFILL
    lag: float = LAG_SECONDS
    """Quota of measured lag that is taken off."""

    def __post_init__(self) -> None:
        if not (0 < self.limit <= 86_400 and 0 <= self.bank <= 86_400 and 0 <= self.lag <= 3600):
            words = f"a limit of {self.limit} s, a bank of {self.bank} s, lag of {self.lag} s"
            raise BadInput(f"{words}; allowed: a limit above 0, none above a day")

    def clock(self) -> Clock:
        """Return a player's clock."""
        return Clock(limit=self.limit, bank=self.bank, refill=self.refill)


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFormat:
    """A kind of tournament, which has a queue of its own; validated on construction."""

    name: str
    betting: Betting = Betting.NO_LIMIT
    variant: str = HOLDEM.name
    """Name of the game."""
    seats: int = SEATS
    """Number of entrants at which the tournament starts."""
    table_seats: int = 9
    stack: int = STACK
    schedule: Schedule = SCHEDULE
    level_by: LevelBy = LevelBy.HANDS
    stages: Stages = Stages.FREEZE_OUT
    fee: int = FEE
    payouts: tuple[Fraction, ...] = PAYOUTS
    clocks: Clocks = field(default_factory=Clocks)
    freeze: Freeze = Freeze.CHECK
    rated: bool = True
    house_after: float | None = HOUSE_AFTER_SECONDS
    """Seconds after which house players take the empty seats; None for never."""
    house: tuple[str, ...] = ()
    """Specs of house players; empty for those of the registry that play well by the rules."""
    starts_at: datetime | None = None
    """Scheduled start, with the players who wait then; None to start once the seats are taken."""

    def __post_init__(self) -> None:
        _check_name(self.name)
        if not 2 <= self.seats <= MOST_ENTRANTS or self.table_seats not in POSSIBLE_SEATS:
            words = f"{self.seats} entrants at tables of {self.table_seats}"
            raise BadInput(f"{words}; allowed: 2 to {MOST_ENTRANTS:,}, tables of 2 to 23")
        deepest = DEEPEST * self.schedule.level(0).big
        if not (1 <= self.stack <= deepest and 0 <= self.fee <= _MOST_CHIPS):
            words = f"stack {self.stack}, fee {self.fee}"
            raise BadInput(
                f"{words}; allowed: 1 to {deepest:,} chips, a fee of 0 or more, at most 10^15"
            )
        check_shares(self.payouts, self.seats)
        if self.rated and self.game is not HOLDEM:
            raise BadInput(f"{self.variant} with ratings; allowed: rated = false, or hold'em")
        if self.house_after is not None and not 0 <= self.house_after <= _LONGEST_WAIT:
            words = f"house players after {self.house_after} s"
            raise BadInput(f"{words}; allowed: 0 s to a year, or null for never")
        if self.starts_at is not None and self.starts_at.tzinfo is None:
            raise BadInput("a scheduled start without a time zone; allowed: UTC")
        self.rules(self.schedule.level(0), [self.stack] * min(self.seats, self.table_seats))

    @property
    def game(self) -> Variant:
        """The game. Raises `BadInput` if there is none of this name."""
        return variant_from(self.variant)

    def rules(self, level: Level, stacks: list[int]) -> Rules:
        """Return the rules of a hand, given the stacks by seat."""
        blinds = (level.small, level.big)
        rules = hand_rules(
            self.betting,
            blinds=blinds,
            ante=level.ante,
            stacks=stacks,
            big_blind_ante=level.big_blind_ante,
            variant=self.game,
        )
        return _hosted(rules, self.freeze)

    def as_message(self) -> GameFormat:
        """Return its description for clients."""
        return GameFormat(
            name=self.name,
            betting=self.betting.value,
            variant=_named(self.game),
            seats=self.seats,
            table_seats=min(self.seats, self.table_seats),
            stack=self.stack,
            blinds=str(self.schedule),
            level_by=self.level_by.value,
            stages=self.stages.value,
            fee=self.fee,
            payouts=[f"{float(100 * part):g}" for part in self.payouts],
            rated=self.rated,
            **_clock_fields(self.clocks, self.freeze),
        )


PRIVATE: Final = "friends-"
"""Beginning of the names of private ring games."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class RingFormat:
    """A ring game, which has a table of its own; validated on construction."""

    name: str
    betting: Betting = Betting.NO_LIMIT
    variant: str = HOLDEM.name
    """Name of the game."""
    seats: int = SEATS
    blinds: tuple[int, int] = (10, 20)
    ante: int = 0
    buy_ins: tuple[int, int] = (400, 2000)
    """The smallest and the largest buy-in, in chips."""
    rake: Rake | None = None
    clocks: Clocks = field(default_factory=Clocks)
    freeze: Freeze = Freeze.CHECK
    opened_by: tuple[str, int] | None = None
    """A ring game and the chips that must have been won there, net, to sit down here."""
    practice: bool = False
    """House players say why they acted, and all cards are shown after the hand."""
    top_up: bool = False
    """Everybody begins each hand with the same stack, whatever was won or lost before."""
    house: tuple[str, ...] = ()
    """Specs of house players, who sit here as long as anybody else does."""

    def __post_init__(self) -> None:
        _check_name(self.name)
        if not 0 <= self.blinds[0] <= self.blinds[1] or not self.blinds[1]:
            words = f"blinds {self.blinds[0]} and {self.blinds[1]}"
            raise BadInput(f"{words}; allowed: a small blind from 0 up to the big one")
        low, high = self.buy_ins
        deepest = DEEPEST * self.blinds[1]
        if not self.blinds[1] <= low <= high <= deepest:
            words = f"buy-ins from {low} to {high}"
            raise BadInput(f"{words}; allowed: the big blind, {self.blinds[1]}, to {deepest:,}")
        if self.seats not in POSSIBLE_SEATS:
            raise BadInput(f"{self.seats} seats; allowed: 2 to 23")
        if self.top_up and low != high:
            raise BadInput(f"stacks filled up and buy-ins from {low} to {high}; allowed: one stack")
        if self.house and not ((self.top_up or self.is_private) and len(self.house) < self.seats):
            words = f"{len(self.house)} house players at {self.seats} seats"
            raise BadInput(f"{words}; allowed: where stacks are filled up, and a seat is left")
        if self.opened_by is not None and not 0 <= self.opened_by[1] <= _MOST_CHIPS:
            words = f"opened by {self.opened_by[1]} chips won at {self.opened_by[0]!r}"
            raise BadInput(f"{words}; allowed: 0 to 10^15 chips")
        self.rules([high] * self.seats)

    @property
    def is_private(self) -> bool:
        """Whether only who knows its name finds the table, and nothing that is won there counts."""
        return self.name.startswith(PRIVATE)

    @property
    def game(self) -> Variant:
        """The game. Raises `BadInput` if there is none of this name."""
        return variant_from(self.variant)

    @property
    def runs_twice(self) -> bool:
        """Whether all-ins are run twice where everybody left in the hand wants that."""
        return self.is_private and self.game is HOLDEM

    def rules(
        self, stacks: list[int], *, posts: Sequence[int] = (), dead: Sequence[int] = ()
    ) -> Rules:
        """Return the rules of a hand, given the stacks by seat.

        ``posts`` are the live posts by seat, if they differ from two blinds; ``dead`` posts are for
        missed small blinds. Raises `BadInput` for impossible posts.
        """
        antes = [self.ante + more for more in dead or [0] * len(stacks)]
        if posts:
            rules = posted_rules(
                self.betting, posts=posts, antes=antes, stacks=stacks, variant=self.game
            )
        else:
            ante = antes if dead else self.ante
            rules = hand_rules(
                self.betting, blinds=self.blinds, ante=ante, stacks=stacks, variant=self.game
            )
        return _hosted(rules, self.freeze, self.rake)

    def as_message(self) -> GameFormat:
        """Return its description for clients."""
        small, big = self.blinds
        ante = f"/{self.ante}" if self.ante else ""
        return GameFormat(
            name=self.name,
            betting=self.betting.value,
            variant=_named(self.game),
            seats=self.seats,
            table_seats=self.seats,
            stack=self.buy_ins[1],
            least_buy_in=self.buy_ins[0],
            top_up=self.top_up,
            blinds=f"{small}/{big}{ante}",
            rake=None if self.rake is None else str(self.rake),
            rated=False,
            **_clock_fields(self.clocks, self.freeze),
        )


def format_text(form: TournamentFormat | RingFormat) -> str:
    """Return a format as JSON text, which `tournament_format` or `ring_format` reads.

    Raises `BadInput` for values of other types than the format has.
    """
    try:
        fields = msgspec.to_builtins(form, enc_hook=str)  # as fractions are written
        checked = msgspec.convert(fields, type(form), dec_hook=_fraction)  # whole seconds as floats
        fields = msgspec.to_builtins(checked, enc_hook=str)
        if form.game is HOLDEM:
            del fields["variant"]  # texts of hold'em stay what they were before there were others
        return msgspec.json.encode(fields).decode()
    except (*UNREADABLE, UnicodeEncodeError) as problem:
        raise BadInput(placed(problem)) from None


def tournament_format(text: str | bytes) -> TournamentFormat:
    """Read a tournament's format; missing fields have defaults. Raises `BadInput`.

    >>> tournament_format('{"name": "turbo", "seats": 9, "payouts": ["1/2", "3/10", "1/5"]}').seats
    9
    """
    return _read(TournamentFormat, text)


def ring_format(text: str | bytes) -> RingFormat:
    """Read a ring game's format; missing fields have defaults. Raises `BadInput`."""
    return _read(RingFormat, text)


def _read(kind: type[_Form], text: str | bytes) -> _Form:
    try:
        return msgspec.json.decode(text, type=kind, strict=False, dec_hook=_fraction)
    except UNREADABLE as problem:
        raise BadInput(placed(problem)) from None


def _fraction(kind: type, value: Any) -> Fraction:
    """Return a fraction, the only type in a format that msgspec does not know."""
    assert kind is Fraction
    if not _FRACTION.fullmatch(text := str(value)):
        raise ValueError(f"{text[:40]} is no fraction; allowed: such as 3/10 or 0.3")
    return Fraction(text)


def _check_name(name: str) -> None:
    if re.fullmatch(r"[A-Za-z0-9_-]{1,32}", name) is None:
        raise BadInput(f"name {name!r}; allowed: 1 to 32 letters, digits, - and _")


def _named(game: Variant) -> str | None:
    return None if game is HOLDEM else game.name


def _hosted(rules: Rules, freeze: Freeze, rake: Rake | None = None) -> Rules:
    open_fold = OpenFold.ALLOWED if freeze is Freeze.FOLD else rules.open_fold
    return replace(rules, open_fold=open_fold, rake=rake)


def _clock_fields(clocks: Clocks, freeze: Freeze) -> dict[str, Any]:
    refill = clocks.refill
    return {
        "limit_ms": round(1000 * clocks.limit),
        "bank_ms": round(1000 * clocks.bank),
        "refill": None if refill is None else str(refill),
        "freeze": freeze.value,
    }
