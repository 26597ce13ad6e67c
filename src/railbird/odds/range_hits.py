"""How a range hits a board: classes of made hands, and draws, by street.

Holdings on boards are classified only here, row by row in arrays. The pages of a solved spot group
hands by these classes, and `range_hits` counts them.

A hand is named after what the holding adds. A pair, two pair or three of a kind on the board alone
belongs to nobody, so ace-king on 9955 is "ace high". From a straight upwards the five best cards
give the name, whether they are in the holding or on the board. Straights are looked up by ranks as
bits, with the ace both below the deuce and above the king.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntFlag
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._display import HasTable, table_of
from railbird.cards import (
    CLASS_OF_HOLDING,
    CLASSES,
    DECK,
    HOLDING_CARDS,
    HOLDINGS,
    Card,
    CardsLike,
    Category,
    RangeLike,
    cards_from,
    format_cards,
    range_from,
    strengths,
)
from railbird.cards.tables import CATEGORY_OF_STRENGTH
from railbird.errors import BadInput
from railbird.odds.arguments import check_cards
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl

Bytes: TypeAlias = npt.NDArray[np.uint8]
Bits: TypeAlias = npt.NDArray[np.uint16]

MADE_HANDS: Final = (
    *("high card", "ace high", "pair below the board", "bottom pair", "fourth pair"),
    *("third pair", "second pair", "pair below top pair", "top pair", "overpair"),
    *("two pair", "three of a kind", "set"),
    *("straight", "flush", "full house", "four of a kind", "straight flush"),
)
"""Classes from the worst to the best; a set is a pocket pair with a third card on the board."""

_MADE: Final = {name: np.uint8(place) for place, name in enumerate(MADE_HANDS)}
_BY_PLACE: Final = np.array(
    [_MADE[name] for name in ("top pair", "second pair", "third pair", "fourth pair")]
)
_FROM_STRAIGHT: Final = np.zeros(len(Category), np.uint8)
_FROM_STRAIGHT[Category.STRAIGHT :] = np.arange(_MADE["straight"], len(MADE_HANDS))


class Draw(IntFlag):
    """A hand that one more card would complete, or two for a backdoor draw."""

    FLUSH = 1
    OPEN_ENDED = 2
    DOUBLE_GUTSHOT = 4
    GUTSHOT = 8
    BACKDOOR_FLUSH = 16
    BACKDOOR_STRAIGHT = 32
    TWO_OVERCARDS = 64
    ONE_OVERCARD = 128


_TO_A_STRAIGHT: Final = Draw.OPEN_ENDED | Draw.DOUBLE_GUTSHOT | Draw.GUTSHOT
DRAWS: Final[Mapping[str, tuple[Draw, ...]]] = {
    "flush draw": (Draw.FLUSH,),
    "open-ended straight draw": (Draw.OPEN_ENDED,),
    "double gutshot": (Draw.DOUBLE_GUTSHOT,),
    "gutshot": (Draw.GUTSHOT,),
    "flush and straight draw": (Draw.FLUSH, _TO_A_STRAIGHT),
    "any of these": (Draw.FLUSH | _TO_A_STRAIGHT,),
    "backdoor flush draw": (Draw.BACKDOOR_FLUSH,),
    "backdoor straight draw": (Draw.BACKDOOR_STRAIGHT,),
    "two overcards": (Draw.TWO_OVERCARDS,),
    "one overcard": (Draw.ONE_OVERCARD,),
}
"""The draws that are reported: a hand has one if it has any of its sets; they overlap."""

_TELLS: Final = np.array(
    [[all(Draw(flags) & some for some in needed) for needed in DRAWS.values()]
     for flags in range(256)]
)  # fmt: skip

_STREETS: Final = ("flop", "turn", "river")
_FLOP, _RIVER = 3, 5
_ACE: Final = 12
_BITS: Final = np.array([value.bit_count() for value in range(1 << 14)], np.uint8)
_STRAIGHTS: Final = tuple(0b11111 << low for low in range(10))
_ROWS: Final = 1 << 17
"""Holdings on boards that are classified at a time: some 20 MB."""


class HandsOnBoard(NamedTuple):
    """Classes by holding, (1326,); 0 for holdings that the board blocks."""

    made: Bytes
    """Places in `MADE_HANDS`."""
    draws: Bytes
    """Sums of `Draw`, none on the river."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeHits(HasTable):
    """Shares of a range by made hand and draw; draws overlap, and none are left on the river."""

    board: tuple[Card, ...]
    combinations: float
    """Sum of the weights of the holdings that the board leaves."""
    made: dict[str, dict[str, float]]
    """By street from the board's on, for each of `MADE_HANDS` its share, which sum to 1."""
    draws: dict[str, dict[str, float]]
    """By street before the river, for each of `DRAWS` its share."""

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each made hand and draw, with its share on each street."""
        names = dict.fromkeys(
            name for shares in (*self.made.values(), *self.draws.values()) for name in shares
        )
        return table_of(
            {
                "hand": name,
                **{
                    street: {**of, **self.draws.get(street, {})}.get(name)
                    for street, of in self.made.items()
                },
            }
            for name in names
        )

    def as_json(self) -> dict[str, object]:
        """Return the numbers unrounded."""
        return {
            "board": format_cards(self.board),
            "combinations": self.combinations,
            "made": self.made,
            "draws": self.draws,
        }


@checked
def range_hits(
    hands: RangeLike, board: CardsLike = (), *, progress: Progress | None = None
) -> RangeHits:
    """Return a range's made hands and draws on a board and on later streets, by enumeration.

    Every holding counts with its weight, on every board that can follow. Without a board the result
    is the mean over all 22,100 flops, for the flop alone; suits are equivalent there, so one
    holding of each of the 169 classes stands for all.

    Raises `railbird.errors.BadInput` as `hand_odds` does, and if the board leaves no holding.

    >>> hits = range_hits("QQ+, AKs", "Kd9s2h")
    >>> {name: round(18 * share) for name, share in hits.made["flop"].items() if share}
    {'pair below top pair': 6, 'top pair': 3, 'overpair': 6, 'set': 3}
    """
    weights, known = range_from(hands).weights, cards_from(board)
    check_cards(known, board=known)
    if known:
        weights = range_from(hands).without(known).weights
        holdings = np.flatnonzero(weights)
    else:
        # `holdings` has the first holding of each class.
        holdings = np.unique(CLASS_OF_HOLDING, return_index=True)[1]
        by_class = np.bincount(CLASS_OF_HOLDING, weights, CLASSES)
        weights = np.zeros(HOLDINGS)
        weights[holdings] = by_class
        holdings = holdings[by_class > 0]
    if not holdings.size:
        raise BadInput(f"the range has no holding on {format_cards(known) or 'any flop'}")
    made: dict[str, dict[str, float]] = {}
    draws: dict[str, dict[str, float]] = {}
    for cards in range(max(len(known), _FLOP), (_RIVER if known else _FLOP) + 1):
        street = _STREETS[cards - _FLOP]
        by_made, by_draws = _summed(holdings, weights, known, cards - len(known), progress)
        made[street] = dict(zip(MADE_HANDS, (by_made / by_made.sum()).tolist(), strict=True))
        if cards < _RIVER:
            draw_shares = by_draws @ _TELLS / by_draws.sum()
            draws[street] = dict(zip(DRAWS, draw_shares.tolist(), strict=True))
    return RangeHits(board=tuple(known), combinations=float(weights.sum()), made=made, draws=draws)


@checked
def hands_on_board(board: CardsLike) -> HandsOnBoard:
    """Return the made hand and draws of every holding on a flop, turn or river.

    Raises `railbird.errors.BadInput` as `hand_odds` does.

    >>> from railbird.cards import parse_holding
    >>> made, draws = hands_on_board("Th7s4s")
    >>> for hand in ("QsJs", "6s5s", "9h8c", "7d7h"):
    ...     holding = parse_holding(hand)
    ...     print(MADE_HANDS[made[holding]], Draw(int(draws[holding])).name)
    high card FLUSH|BACKDOOR_STRAIGHT|TWO_OVERCARDS
    high card FLUSH|OPEN_ENDED
    high card OPEN_ENDED
    set None
    """
    known = cards_from(board)
    check_cards(known, board=known)
    made, draws = np.zeros(HOLDINGS, np.uint8), np.zeros(HOLDINGS, np.uint8)
    if known:
        free = ~np.isin(HOLDING_CARDS, known).any(axis=1)
        boards = np.tile(np.array(known, np.uint8), (int(free.sum()), 1))
        made[free], draws[free] = _classified(HOLDING_CARDS[free], boards)
    return HandsOnBoard(made, draws)


def _summed(
    holdings: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    board: tuple[Card, ...],
    to_come: int,
    progress: Progress | None,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Sum weights by made hand and by set of draws, over all boards that can follow.

    Every holding can be followed by equally many boards, so the sums give the shares.
    """
    by_made, by_draws = np.zeros(len(MADE_HANDS)), np.zeros(256)
    cards, done = HOLDING_CARDS[holdings], 0
    for following in _run_outs(board, to_come, at_a_time=max(1, _ROWS // len(holdings))):
        free = ~(cards[None, :, :, None] == following[:, None, None, :]).any(axis=(2, 3))
        row, place = np.nonzero(free)
        known = np.tile(np.array(board, np.uint8), (len(row), 1))
        made, draws = _classified(cards[place], np.hstack((known, following[row])))
        weight = weights[holdings[place]]
        by_made += np.bincount(made, weight, len(by_made))
        by_draws += np.bincount(draws, weight, len(by_draws))
        done += len(following)
        if progress is not None:
            progress(done, comb(len(DECK) - len(board), to_come), "boards")
    return by_made, by_draws


def _run_outs(board: tuple[Card, ...], to_come: int, *, at_a_time: int) -> Iterator[Bytes]:
    """Yield all cards that can follow, in arrays (n, to_come)."""
    left = [card for card in DECK if card not in board]
    every = np.array(list(combinations(left, to_come)), np.uint8)
    for first in range(0, len(every), at_a_time):
        yield every[first : first + at_a_time]


def _classified(own: Bytes, boards: Bytes) -> tuple[Bytes, Bytes]:
    """Classify rows of holdings, (n, 2), on boards, (n, 3) to (n, 5), without a card twice."""
    cards = np.hstack((own, boards))
    category = CATEGORY_OF_STRENGTH[strengths(cards)]
    shared, every = _ranks(boards), _ranks(cards)
    # Ranks as bits, shifted down past the own card: what remains are the board's higher ranks.
    above = _BITS[shared[:, None] >> ((own >> 2) + 1)]
    below = np.where(
        own[:, 0] >> 2 == own[:, 1] >> 2,
        _pocket_pairs(own, boards, above[:, 0], _BITS[shared]),
        _other_hands(own, boards, above, _BITS[shared]),
    )
    made = np.where(category < Category.STRAIGHT, below, _FROM_STRAIGHT[category])
    draws = np.zeros(len(own), np.uint8)
    if boards.shape[1] < _RIVER:
        on_flop = boards.shape[1] == _FLOP
        draws |= _straight_draws(every, shared, on_flop) * (category < Category.STRAIGHT)
        draws |= _flush_draws(own, boards, on_flop) * (category < Category.FLUSH)
        # Overcards are counted only where nothing is made yet; with a pair they are kickers.
        overcards = (above == 0).sum(axis=1) * (made <= _MADE["ace high"])
        draws |= np.array([0, Draw.ONE_OVERCARD, Draw.TWO_OVERCARDS], np.uint8)[overcards]
    return made, draws


def _ranks(cards: Bytes) -> Bits:
    """Return the ranks of each row as bits, the deuce's the lowest."""
    bits: Bits = np.bitwise_or.reduce(np.uint16(1) << (cards >> 2).astype(np.uint16), axis=1)
    return bits


def _same_rank(own: Bytes, boards: Bytes) -> npt.NDArray[np.int64]:
    """Count the board's cards of each own card's rank, (n, 2)."""
    counts: npt.NDArray[np.int64] = (own[:, :, None] >> 2 == boards[:, None, :] >> 2).sum(axis=2)
    return counts


def _pocket_pairs(own: Bytes, boards: Bytes, above: Bytes, distinct: Bytes) -> Bytes:
    """Return the class of pairs in hand, below a straight."""
    return np.select(
        [_same_rank(own, boards)[:, 0] > 0, above == 0, above == distinct],
        [_MADE["set"], _MADE["overpair"], _MADE["pair below the board"]],
        _MADE["pair below top pair"],
    )


def _other_hands(own: Bytes, boards: Bytes, above: Bytes, distinct: Bytes) -> Bytes:
    """Return the class of two ranks in hand, below a straight."""
    meets = _same_rank(own, boards)
    ranks_above = np.where(
        meets[:, 0] > 0, above[:, 0], above[:, 1]
    )  # the rank of the pair, if there is one
    # A board of one rank has its top pair as its last; it is called the top pair.
    is_last = (ranks_above > 0) & (ranks_above + 1 == distinct)
    return np.select(
        [
            (meets > 1).any(axis=1),
            (meets > 0).all(axis=1),
            (meets > 0).any(axis=1) & is_last,
            (meets > 0).any(axis=1),
            (own >> 2 == _ACE).any(axis=1),
        ],
        [
            _MADE["three of a kind"],
            _MADE["two pair"],
            _MADE["bottom pair"],
            _BY_PLACE[np.minimum(ranks_above, len(_BY_PLACE) - 1)],
            _MADE["ace high"],
        ],
        _MADE["high card"],
    )


def _straight_draws(every: Bits, shared: Bits, on_flop: bool) -> Bytes:
    """Return the straight draws in which an own card takes part, given ranks as bits."""
    # Bit 0 is the ace below the deuce.
    ranks, board = ((bits << 1) | (bits >> _ACE & 1) for bits in (every, shared))
    outs, two_away = np.zeros_like(ranks), np.zeros(len(ranks), np.bool_)
    for straight in _STRAIGHTS:
        # A draw that is on the board alone belongs to everybody.
        own = (ranks & straight) != (board & straight)
        missing = straight & ~ranks
        outs |= np.where(own & (_BITS[missing] == 1), missing, 0)
        two_away |= own & (_BITS[missing] == 2)
    # Four in a row with an out at either end; two outs inside are a double gutshot.
    run = ranks & ranks >> 1 & ranks >> 2 & ranks >> 3
    # `outs << 1 & run & outs >> 4` finds a run of four that begins just above one out and ends just
    # below another.
    open_ended = (outs << 1 & run & outs >> 4) > 0
    several = _BITS[outs] > 1
    return np.select(
        [open_ended, several, outs > 0, two_away & on_flop],
        [
            np.uint8(draw)
            for draw in (Draw.OPEN_ENDED, Draw.DOUBLE_GUTSHOT, Draw.GUTSHOT, Draw.BACKDOOR_STRAIGHT)
        ],
        np.uint8(0),
    )


def _flush_draws(own: Bytes, boards: Bytes, on_flop: bool) -> Bytes:
    """Return the flush draws, in which an own card takes part."""
    suits = (own[:, :, None] & 3 == np.hstack((own, boards))[:, None, :] & 3).sum(axis=2)
    most = suits.max(axis=1)  # cards of an own card's suit, itself included
    return np.select(
        [most == 4, (most == 3) & on_flop],
        [np.uint8(Draw.FLUSH), np.uint8(Draw.BACKDOOR_FLUSH)],
        np.uint8(0),
    )
