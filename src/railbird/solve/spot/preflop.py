"""Heads-up no-limit spots from the blinds on, with a few weighted flops that represent all 1,755.

`railbird.solve.preflop` solves the game before the flop without betting afterwards.

``release/flop_fit.py`` chooses the flops so that all-in equities are right. On them the equity of a
hand class against a random hand is off by 2.3 % of the pot on average with 6 flops (6.2 at most),
1.2 with 12 (3.5), 0.6 with 25 (1.7) and 0.2 with 49 (0.7). A flop is dealt in all its suits equally
often.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields as fields_of
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Self

import numpy as np

from railbird._arguments import checked
from railbird._option_fields import Between, Description, check_options, option_fields, read_options
from railbird.cards import Card, Range, format_cards, parse_cards
from railbird.cards.isomorphism_kernels import HOLDING_UNDER
from railbird.errors import BadInput
from railbird.solve.spot.spot import (
    MOST_CHIPS,
    PLAYERS,
    BetSize,
    Spot,
    betting_from,
    check_keys,
    named,
    read_fields,
    read_range,
    read_sizes,
    utilities_of,
)


@dataclass(frozen=True, slots=True)
class FlopShare:
    """A flop, and the share of all flops that it represents, in any suits."""

    flop: tuple[Card, ...]
    share: float


@cache
def shipped_flops() -> dict[int, tuple[FlopShare, ...]]:
    """Return the shipped sets of flops, by their number of flops."""
    sets: dict[int, list[FlopShare]] = {}
    text = files("railbird.solve").joinpath("data", "flops.csv").read_text(encoding="ascii")
    for size, flop, share in list(csv.reader(text.splitlines()))[1:]:
        sets.setdefault(int(size), []).append(FlopShare(parse_cards(flop), float(share)))
    return {size: tuple(flops) for size, flops in sets.items()}


def flops_of(count: int) -> tuple[FlopShare, ...]:
    """Return the set with so many flops. Raises `BadInput` if there is none."""
    known = shipped_flops()
    if count not in known:
        raise BadInput(f"flops: {count}; allowed: {', '.join(map(str, known))}, or a list of flops")
    return known[count]


# Two players from the blinds on: the betting of all four streets, and some flops.
#
# After the first round one of a few flops is dealt, in any of its suits, with the share of all
# flops that it represents. Suits are therefore equivalent before the flop, and all holdings of a
# class play alike there; after the flop every holding plays by itself. A pair of holdings sees only
# the flops that it does not block, so that for some pairs the probabilities of the flops add up to
# a few per cent more or less than one.


@checked
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PreflopSpot(Spot):
    """A whole hand of two players, with a few flops.

    The player in position posts the small blind and acts first before the flop. ``pot`` are the
    chips of folded players, and ``stack`` is what each player begins with. Raises `BadInput`.

    >>> game = PreflopSpot.parse("stack = 1000; opens = 2.5x, a; reraises = a; bets = 50%")
    >>> game.big_blind, len(game.flops), [str(size) for size in game.opens]
    (100, 6, ['2.5x', 'a'])
    """

    board: tuple[Card, ...] = ()
    ranges: Annotated[
        tuple[Range, Range],
        Description("range of the big blind", key="oop", if_absent="random", example="22+,A2s+"),
        Description("range of the other", key="ip", if_absent="random", example="22+,A2s+"),
    ]
    pot: Annotated[
        int,
        Between(0, MOST_CHIPS, "whole chips"),
        Description("chips that others have left in the pot", key="dead", if_absent="0"),
    ]
    stack: Annotated[
        int,
        Between(1, MOST_CHIPS, "whole chips"),
        Description("chips of both, blinds included", example="10000"),
    ]
    small_blind: Annotated[
        int,
        Between(0, MOST_CHIPS, "whole chips"),
        Description("of the player in position, who acts first", if_absent="50"),
    ]
    big_blind: Annotated[
        int,
        Between(1, MOST_CHIPS, "whole chips"),
        Description("of the other, who acts first after the flop", if_absent="100"),
    ]
    opens: Annotated[
        tuple[BetSize, ...],
        Description(
            "sizes of the first raise: 2.5x the big blind, a all-in, 60% of the pot",
            example="2.5x, a",
            is_plain=False,
        ),
    ]
    reraises: Annotated[
        tuple[BetSize, ...],
        Description(
            "sizes of later raises: 3x the raise before, and the same",
            example="3x, a",
            is_plain=False,
        ),
    ] = ()
    flops: Annotated[
        tuple[FlopShare, ...],
        Description(
            "6, 12, 25 or 49 flops that stand for all, or a list of flops",
            if_absent="6",
            example="Ks7d2c,Ah8d3s:0.5",
        ),
    ]
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    folded: tuple[Range, ...] = ()

    def __post_init__(self) -> None:
        if self.board:
            raise BadInput("a board before the flop; allowed: flops")
        if not 0 <= self.small_blind <= self.big_blind or self.big_blind < 1:
            raise BadInput(
                f"small_blind: {self.small_blind}; allowed: 0 to the big blind, {self.big_blind}"
            )
        if not self.big_blind < self.stack <= MOST_CHIPS:
            raise BadInput(
                f"stack: {self.stack}; allowed: more than the big blind, up to {MOST_CHIPS:,}"
            )
        for name, player_range in zip(PLAYERS, self.ranges, strict=True):
            _check_range(name, player_range)
        if not self.flops:
            raise BadInput("flops: none; such as 6, or Ks7d2c, Ah8d3s:0.5")
        if self.added or self.removed or self.folded:
            raise BadInput("lines and folded cards before the flop; allowed: spots after it")
        for lock in self.locks:
            _check_range("lock", lock.holdings)
        check_options(self)
        if self.pairs() <= 0:
            raise BadInput("oop and ip: every pair of holdings shares a card; such as AA and KK")

    @property
    def at_stake(self) -> int:
        """Chips in the pot at the beginning."""
        return self.pot + self.small_blind + self.big_blind

    def later(
        self, board: tuple[Card, ...], ranges: tuple[Range, Range], *, pot: int, stack: int
    ) -> Spot:
        """Return a spot after the flop under the same rules, without locks."""
        rules: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields_of(Spot)}
        changes = {"board": board, "ranges": ranges, "pot": pot, "stack": stack, "locks": ()}
        return Spot(**rules | changes)

    def __str__(self) -> str:
        lines = [
            f"{name} = {player_range}"
            for name, player_range in zip(PLAYERS, self.ranges, strict=True)
        ]
        lines += [f"{key} = {getattr(self, key)}" for key in ("stack", "small_blind", "big_blind")]
        lines += [f"dead = {self.pot}"]
        lines += [
            f"{key} = {', '.join(map(str, getattr(self, key))) or '-'}"
            for key in ("opens", "reraises")
        ]
        shares = (
            f"{format_cards(flop_share.flop)}:{flop_share.share!r}" for flop_share in self.flops
        )
        lines += [f"flops = {', '.join(shares)}", *self._rest_of_lines(), *self._more_lines()]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str, *, name: str = "game", files: bool = False) -> Self:
        """Read ``key = value``, in lines or separated by semicolons. Raises `BadInput`."""
        try:
            return cls._of_fields(read_fields(text.replace(";", "\n")), files=files)
        except BadInput as problem:
            raise BadInput(f"{name}: {problem}") from None

    @classmethod
    def _of_fields(cls, stated: Mapping[str, str], *, files: bool) -> Self:
        fields = {option.key: option.if_absent for option in option_fields(cls) if option.if_absent}
        fields |= stated
        check_keys(cls, fields)
        plain = read_options(cls, fields)
        others: dict[str, Any] = {
            "ranges": tuple(
                named(player, lambda text: read_range(text, files=files), fields)
                for player in PLAYERS
            ),
            "sizes": betting_from(fields),
            "utilities": utilities_of(fields, plain["pot"], plain["stack"]),
            "opens": named("opens", read_sizes, fields),
            "reraises": named("reraises", read_sizes, {"reraises": "", **fields}),
            "flops": read_flops(fields["flops"]),
        }
        return cls(**plain, **others)


def _check_range(name: str, of: Range) -> None:
    if not len(of):
        raise BadInput(f"{name}: no holding; such as QQ+,AKs:0.5")
    if not all(np.array_equal(of.weights[suits], of.weights) for suits in HOLDING_UNDER):
        raise BadInput(f"{name}: suits differ; allowed: classes such as AKs or 77")


def read_flops(text: str) -> tuple[FlopShare, ...]:
    """Read the size of a shipped set, or flops with or without shares. Raises `BadInput`.

    >>> [flop.share for flop in read_flops("Ks7d2c, Ah8d3s:0.5")]
    [1.0, 0.5]
    """
    if text.strip().isdigit():
        return flops_of(int(text))
    flop_shares = []
    for word in re.split(r"[\s,]+", text.strip()):
        cards, colon, share = word.partition(":")
        try:
            flop, weight = parse_cards(cards), float(share) if colon else 1.0
        except ValueError as error:
            raise BadInput(f"flops: {word!r}: {error}") from None
        if len(flop) != 3 or not 0 < weight < float("inf"):
            raise BadInput(f"flops: {word!r}; such as Ks7d2c or Ah8d3s:0.5")
        flop_shares.append(FlopShare(flop, weight))
    return tuple(flop_shares)
