"""An opponent: the range that he was dealt, what he did, and how loosely he plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.cards import CardsLike, RangeLike, cards_from, range_from
from railbird.errors import BadInput, ParseError, unknown_name
from railbird.odds._checks import check_cards
from railbird.odds.settings import (
    FLOPS_SEEN,
    LOOSENESS_HANDS,
    MOST_LOOSENESS,
    SHARES,
)
from railbird.odds.spectra.bettable import Act, board_quantiles, kept_share
from railbird.odds.tables.rank_tables import built_tables

Floats = npt.NDArray[np.float64]

STREETS: Final = ("preflop", "flop", "turn", "river")
_BOARD_CARDS: Final = (0, 3, 4, 5)
_LOOSE: Final = "loose"


@dataclass(frozen=True, slots=True)
class StreetAct:
    """Something that an opponent did."""

    street: int
    """0 preflop to 3 river."""
    act: Act

    def __str__(self) -> str:
        return f"{STREETS[self.street]}:{self.act.value}"


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """One opponent.

    Raises `BadInput` for a looseness that is not positive and finite, and for a check or a bet
    after something else on the same street.
    """

    range: RangeLike = "random"
    """His holdings before anything that ``acts`` say."""
    acts: tuple[StreetAct, ...] = ()
    looseness: float = 1.0
    """Starting hands that he plays, as a multiple of the usual."""

    def __post_init__(self) -> None:
        if not 0 < self.looseness <= MOST_LOOSENESS:
            raise BadInput(
                f"looseness of {self.looseness:g}; allowed: above 0, up to {MOST_LOOSENESS}"
            )
        streets: set[int] = set()
        for each in self.acts:
            if each.street in streets and each.act in (Act.CHECK, Act.BET):
                raise BadInput(f"{each} after an action; allowed there: call, raise")
            streets.add(each.street)

    @classmethod
    def parse(cls, text: str, *, dealt: RangeLike = "random") -> Opponent:
        """Read what an opponent did, street by street, and perhaps his looseness.

        ``dealt`` is his range before.

        >>> Opponent.parse("preflop:raise flop:bet,call loose=2").looseness
        2.0

        Raises `ParseError`, which points at the character, and `BadInput`.
        """
        acts: list[StreetAct] = []
        looseness, position = 1.0, 0
        for word in text.replace(";", " ").split(" "):
            if word.startswith(f"{_LOOSE}="):
                if f"{_LOOSE}=" in text[:position]:
                    raise ParseError(
                        "loose= given twice", text=text, position=position, allowed="once"
                    )
                looseness = _number(word.partition("=")[2], text, position + len(_LOOSE) + 1)
            elif word:
                acts.extend(_acts(word, text, position))
            position += len(word) + 1
        acts.sort(key=lambda each: each.street)
        return cls(range=dealt, acts=tuple(acts), looseness=looseness)

    def __str__(self) -> str:
        words = [str(each) for each in self.acts]
        return " ".join([*words, f"loose={self.looseness:g}"] if self.looseness != 1 else words)


def _acts(word: str, text: str, position: int) -> list[StreetAct]:
    street, colon, done = word.partition(":")
    if not colon:
        raise ParseError("no action", text=text, position=position, allowed="flop:bet,call")
    if street.lower() not in STREETS:
        raise unknown_name("street", street, STREETS)
    names = [act.value for act in Act]
    for name in done.split(","):
        if name.lower() not in names:
            raise unknown_name("action", name, names)
    return [StreetAct(STREETS.index(street.lower()), Act(name.lower())) for name in done.split(",")]


def _number(digits: str, text: str, position: int) -> float:
    try:
        return float(digits)
    except ValueError:
        raise ParseError("not a number", text=text, position=position, allowed="2, 0.5") from None


@checked
def reflected_weights(
    opponent: Opponent, board: CardsLike = (), *, softness: float = 0.0
) -> Floats:
    """Return the weights (1326,) that an opponent's actions leave of his range.

    Each action keeps the holdings that were worth it on the board of its street, all of them or
    none with a ``softness`` of 0. Raises `BadInput` for an action on a street that is to come, and
    if the actions leave nothing.

    >>> int(reflected_weights(Opponent.parse("preflop:raise")).sum())
    134
    """
    if not 0 <= softness <= 1:
        raise BadInput(f"softness of {softness:g}; allowed: 0 to 1")
    cards = cards_from(board)
    check_cards(cards, board=cards)
    weights = range_from(opponent.range).weights.copy()
    tables = built_tables()  # a tenth of the time of counting, and the same to the last bit
    for each in opponent.acts:
        seen = _BOARD_CARDS[each.street]
        if seen > len(cards):
            raise BadInput(
                f"an action on the {STREETS[each.street]}, on a board of {len(cards)} cards"
            )
        share = SHARES[each.street][each.act.value]
        if each.street == 0:
            share = min(1.0, share * opponent.looseness)
        kept = kept_share(board_quantiles(cards[:seen], tables=tables), share, softness)
        weights *= np.nan_to_num(kept)  # holdings that clash with the board
    if not weights.any():
        raise BadInput(f"no holding is worth {opponent}; a softness above 0 keeps some")
    return weights


@checked
def looseness_of(
    flops_seen: float, hands: float, *, ideal: float = FLOPS_SEEN, prior: float = LOOSENESS_HANDS
) -> float:
    """Return how loosely somebody plays: his rate of flops seen over the ideal one.

    ``prior`` hands at the ideal rate are added, so that few hands say little. Raises `BadInput`
    for counts that cannot be.

    >>> round(looseness_of(40, 100), 2), looseness_of(0, 0)
    (1.83, 1.0)
    """
    if not 0 <= flops_seen <= hands < float("inf"):
        raise BadInput(f"{flops_seen:g} flops seen in {hands:g} hands; allowed: 0 up to the hands")
    if not 0 < ideal < 1 or not prior > 0:
        raise BadInput(f"a rate of {ideal:g} and {prior:g} hands; allowed: 0 to 1, above 0")
    return (flops_seen + prior * ideal) / (hands + prior) / ideal
