"""Spectra of final hands, and odds against opponents who have acted (Peretz 2005)."""

# Four questions are asked of the same rows: how strong both sides end (`Spectrum`), what the
# holding wins against each opponent (`odds_against_each`), against all (`power_odds`,
# `joint_odds`), and what the odds become once the opponents have acted (`board_quantiles`,
# `reflective_odds`). A row is one completed board (`RunOuts`), and only the first question needs
# more than the sums in it, so a table of nine costs little more than one opponent.
#
# Peretz counts each player's final hand on a board of its own, and raises the odds to the power of
# the number of opponents (`separate_odds`). That is here so that his numbers can be compared with
# the odds. It is not the chance to win: a pair on the board is everybody's, and no card is in two
# hands. `power_odds` mends the first, `joint_odds` the second. Its correction by pairs is exact for
# two opponents, and needs no deals to be drawn; for more, it leaves out what three hands exclude
# together. `railbird experiment` measures how much that is: below one percent.
#
# Shares of pots with ties are an integral over z (`joint_odds`). The alternative, to sum over every
# set of opponents who tie, doubles with each opponent. Up to two opponents, the integrand is a
# polynomial in z of their number, which a few nodes of Gauss and Legendre integrate exactly.
#
# Before the flop there are two million boards, and a sample of `PREFLOP_BOARDS` is drawn. Its seed
# is fixed unless a generator is given, because two calls with one question should have one answer.
#
# What must stay: a board counts by the holdings that it leaves the opponents (`_given_board`). With
# equal weights, a board that takes the aces out of a narrow range would count as often as one that
# leaves them in.
#
# Who would notice: tests/odds/test_spectra.py enumerates the deals of one and two opponents;
# tests/papers/test_peretz2005.py has the numbers of the source.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird._arrays import Floats
from railbird._display import HasTable, table_of
from railbird.cards import (
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDINGS,
    STRENGTHS,
    Card,
    CardsLike,
    Category,
    Holding,
    HoldingLike,
    RangeLike,
    cards_from,
    cards_of,
    range_from,
)
from railbird.cards.isomorphism import board_index
from railbird.cards.isomorphism_kernels import COLUMN
from railbird.cards.ranges import CLASS_ORDER, StartingGroups, starting_groups
from railbird.cards.tables import CATEGORY_OF_STRENGTH, HOLDING_MASK
from railbird.errors import BadInput, ParseError, unknown_name
from railbird.odds.arguments import (
    CACHED_BOARDS,
    FLOPS_SEEN,
    LOOSENESS_HANDS,
    MOST_AT_TABLE,
    MOST_BOARDS,
    MOST_LOOSENESS,
    PREFLOP_BOARDS,
    SHARES,
    WeightsLike,
    check_cards,
    known_cards,
    weights_from,
)
from railbird.odds.potential import hand_strengths
from railbird.odds.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.rank_kernels import mask_of
from railbird.odds.rank_tables import HR7_WHOLE, IHR_WHOLE, Tables, built_tables
from railbird.odds.spectra_kernels import (
    ALL,
    ALL_ALL,
    TIE,
    TIE_TIE,
    TIE_WIN,
    WIN,
    WIN_TIE,
    WIN_WIN,
    count_spectra,
    find_winning,
    sum_final_ranks,
    sum_pairs,
    sum_run_outs,
)
from railbird.odds.win_probability import MOST_OPPONENTS

if TYPE_CHECKING:
    import polars as pl

# The results of a holding against weighted opponents on every completed board, as arrays.


@dataclass(frozen=True, kw_only=True)
class RunOuts:
    """The outcomes on completed boards, one row of the arrays for each.

    Opponents with the same weights share a range.
    """

    sums: Floats
    """(boards, ranges, 3) weight of opposing holdings that lose, that tie, and of all."""
    pairs: Floats | None
    """(boards, ranges * (ranges + 1) / 2, 5) for two holdings that share no card: both lose, the
    second ties, the first ties, both tie, all; ranges i <= j in row j * (j + 1) / 2 + i."""
    opponents: tuple[int, ...]
    """The range of each opponent."""
    sampled: bool
    """True before the flop, where the boards are a sample."""


def compare_run_outs(
    holding: Holding,
    board: Sequence[Card],
    weights: Sequence[Floats],
    *,
    with_pairs: bool = True,
    samples: int = PREFLOP_BOARDS,
    rng: np.random.Generator | None = None,
) -> RunOuts:
    """Compare a holding with each opponent's ``weights`` (1326,) on every completed board.

    Before the flop ``samples`` boards are drawn with ``rng``, by default with a fixed seed. Pairs
    need two opponents. Raises `BadInput` for weights that the known cards leave empty.
    """
    # Opponents with equal ranges are computed once, so nine random opponents cost about as much as
    # one.
    ranges, opponents = distinct_ranges(weights)
    boards = run_out_boards(holding, board, rng, samples)
    free, reduced = reduced_ranges(holding, board, ranges)
    sums = np.empty((len(boards), len(reduced), 3))
    pairs = None
    if with_pairs and len(opponents) > 1:
        pairs = np.empty((len(boards), len(reduced) * (len(reduced) + 1) // 2, 5))
        sum_pairs(holding, boards, free, reduced, sums, pairs)
    else:
        sum_run_outs(holding, boards, free, reduced, sums)
    if not (sums[:, :, ALL].sum(axis=0) > 0).all():
        raise BadInput("the known cards leave an opponent no holdings of the range")
    return RunOuts(sums=sums, pairs=pairs, opponents=opponents, sampled=not board)


def distinct_ranges(weights: Sequence[Floats]) -> tuple[list[Floats], tuple[int, ...]]:
    """Return the ranges that differ, and the place of each opponent's among them."""
    places: dict[bytes, int] = {}
    ranges: list[Floats] = []
    opponents = []
    for opponent_weights in weights:
        place = places.setdefault(opponent_weights.tobytes(), len(ranges))
        if place == len(ranges):
            ranges.append(opponent_weights)
        opponents.append(place)
    return ranges, tuple(opponents)


def reduced_ranges(
    holding: Holding, board: Sequence[Card], ranges: Sequence[Floats]
) -> tuple[npt.NDArray[np.int64], Floats]:
    """Return the holdings that an opponent may have, and their weights, (ranges, n).

    The greatest weight of each range becomes 1. Raises `BadInput` for a range that the known cards
    leave empty.
    """
    weights = np.where(holdings_without(holding, board), np.array(ranges, dtype=np.float64), 0.0)
    most = weights.max(axis=1, keepdims=True)
    if not (most > 0).all():
        raise BadInput("the known cards leave an opponent no holdings of the range")
    free: npt.NDArray[np.int64] = np.flatnonzero(weights.any(axis=0))
    return free, np.ascontiguousarray(weights[:, free] / most)


def run_out_boards(
    holding: Holding,
    board: Sequence[Card],
    rng: np.random.Generator | None = None,
    samples: int = PREFLOP_BOARDS,
) -> npt.NDArray[np.uint8]:
    """Return all completed boards (n, 5), or before the flop a sample of them."""
    known = {*cards_of(holding), *board}
    left = np.array([card for card in range(52) if card not in known], dtype=np.uint8)
    if board:
        return completed_boards(board, left)
    if not 1 <= samples <= MOST_BOARDS:
        raise BadInput(f"{samples} boards; allowed: 1 to {MOST_BOARDS:,}")
    generator = np.random.default_rng(0) if rng is None else rng
    decks = generator.permuted(np.tile(left, (samples, 1)), axis=1)
    return np.ascontiguousarray(decks[:, :5])


def completed_boards(board: Sequence[Card], left: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return all completions of a board of 3 to 5 cards by the cards ``left``, shape (n, 5)."""
    if len(board) == 3:
        come = left[np.column_stack(np.triu_indices(len(left), 1))]
    else:
        come = left[:, np.newaxis] if len(board) == 4 else np.empty((1, 0), dtype=np.uint8)
    boards = np.empty((len(come), 5), dtype=np.uint8)
    boards[:, : len(board)] = board
    boards[:, len(board) :] = come
    return boards


def holdings_without(holding: Holding, board: Sequence[Card]) -> npt.NDArray[np.bool_]:
    """Return (1326,) whether each holding shares no card with a holding and a board."""
    known = HOLDING_MASK[holding] | mask_of(np.array(board, dtype=np.uint8))
    free: npt.NDArray[np.bool_] = HOLDING_MASK & known == 0
    return free


# Spectra, from the rows of `RunOuts`.


@dataclass(frozen=True, slots=True, kw_only=True)
class Spectrum(HasTable):
    """Final hands of a holding and of an opponent's range, by strength, worst first."""

    own: Floats
    """(7462,) probability of each strength at the end."""
    opponent: Floats
    """(7462,) the same for the opponent's range; on a given board, holdings count by weight."""
    sampled: bool
    """True before the flop, where the boards are a sample."""

    def bins(self, count: int) -> tuple[Floats, Floats]:
        """Sum both over ``count`` equally wide bins of strength, worst first."""
        edges = np.arange(count) * STRENGTHS // count
        return np.add.reduceat(self.own, edges), np.add.reduceat(self.opponent, edges)

    def by_category(self) -> dict[Category, tuple[float, float]]:
        """Sum both over the categories of hands, from high card on."""
        category = CATEGORY_OF_STRENGTH.astype(np.int64)
        sums = [np.bincount(category, side, len(Category)) for side in (self.own, self.opponent)]
        return {
            hand_category: (float(sums[0][i]), float(sums[1][i]))
            for i, hand_category in enumerate(Category)
        }

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each category of hands, with the probabilities of both sides."""
        return table_of(
            {"category": category.name.lower().replace("_", " "), "own": own, "opponent": opponent}
            for category, (own, opponent) in self.by_category().items()
        )

    @property
    def medians(self) -> tuple[int, int]:
        """Median strengths of the holding and of the opponent."""
        half = [int(np.searchsorted(np.cumsum(side), 0.5)) for side in (self.own, self.opponent)]
        return half[0], half[1]

    def separate_odds(self, opponents: int = 1) -> float:
        """Return the odds as the source counts them, each player's final hand on its own board.

        The odds against one are raised to the power of the number of opponents for each own final
        hand. In truth all share a board, which is what `reflective_odds` computes.
        """
        # Of opposing hands of the same strength half count as beaten.
        below = np.cumsum(self.opponent) - self.opponent / 2
        return float(self.own @ below**opponents)


@checked
def spectrum(
    hole: HoldingLike,
    board: CardsLike = (),
    weights: WeightsLike | None = None,
    *,
    samples: int = PREFLOP_BOARDS,
    rng: np.random.Generator | None = None,
) -> Spectrum:
    """Return the final hands of a holding and of an opponent with ``weights`` (1326,) or a range.

    Exact from the flop on; before it, over ``samples`` of boards drawn with ``rng``.

    >>> draw = spectrum("As5s", "Ks9s2d")
    >>> f"{draw.by_category()[Category.FLUSH][0]:.4f}"  # 1 - (38 * 37) / (47 * 46)
    '0.3497'
    """
    holding, cards = known_cards(hole, board)
    boards = run_out_boards(holding, cards, rng, samples)
    free, reduced = reduced_ranges(holding, cards, [weights_from(weights).astype(np.float64)])
    own, theirs = np.zeros(STRENGTHS), np.zeros(STRENGTHS)
    count_spectra(holding, boards, free, reduced[0], own, theirs)
    return Spectrum(own=own / own.sum(), opponent=theirs / theirs.sum(), sampled=not cards)


def winning_share(
    holding: Holding, board: Sequence[Card], weights: Sequence[Floats]
) -> list[float]:
    """Return the share of each opponent's weights (1326,) that wins on some run-out.

    If it is 0 against all, the source calls the hand the nuts, or the reflective nuts.
    """
    free, reduced = reduced_ranges(holding, board, weights)
    winning = np.zeros(len(free), dtype=np.uint8)
    boards = run_out_boards(holding, board)
    find_winning(holding, boards, free, winning)
    shares: list[float] = (reduced @ winning / reduced.sum(axis=1)).tolist()
    return shares


# The odds of the best hand at showdown, from the rows of `RunOuts`.
#
# Against n opponents the odds against one are raised to the power of n for each final hand
# separately, then averaged (Peretz 2005, "Raw Hand Odds vs. n Opponents"). That takes opponents for
# independent, given the board. They are not quite: no card can be in two hands. `joint_odds`
# corrects this by pairs of opponents, which makes it exact for two of them.


_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(12)
_NODES, _NODE_WEIGHTS = (_NODES + 1) / 2, _NODE_WEIGHTS / 2


def odds_against_each(run_outs: RunOuts) -> Floats:
    """Return the exact odds against each opponent alone, ties half, (opponents,)."""
    total = run_outs.sums.sum(axis=0)
    odds = (total[:, WIN] + total[:, TIE] / 2) / total[:, ALL]
    return np.array([odds[place] for place in run_outs.opponents])


def power_odds(run_outs: RunOuts) -> float:
    """Return the odds against all, opponents independent given the board, ties half for each."""
    odds, weight = _given_board(run_outs)
    return float(odds @ weight / weight.sum())


def power_stderr(run_outs: RunOuts) -> float:
    """Return the standard error of `power_odds`: 0 unless the boards are a sample."""
    if not run_outs.sampled:
        return 0.0
    odds, weight = _given_board(run_outs)
    mean = odds @ weight / weight.sum()
    # The odds are a ratio of two sums over the sampled boards, so the error is that of a ratio:
    # deviations are weighted as the boards are.
    spread = weight * (odds - mean)
    return float(np.sqrt(spread @ spread) / weight.sum())


def _given_board(run_outs: RunOuts) -> tuple[Floats, Floats]:
    """Return the odds on each board, and the board's weight."""
    odds, weight = np.ones(len(run_outs.sums)), np.ones(len(run_outs.sums))
    for place in run_outs.opponents:
        sums = run_outs.sums[:, place]
        # A board may leave no holding of a range. Its weight is zero then, and the divisor only has
        # to be no zero.
        everything = np.where(sums[:, ALL] > 0, sums[:, ALL], 1.0)
        odds *= (sums[:, WIN] + sums[:, TIE] / 2) / everything
        # A board counts by how many holdings it leaves the opponents: it is the likelier, the fewer
        # of their cards it has.
        weight *= sums[:, ALL]
    return odds, weight


def joint_odds(run_outs: RunOuts) -> float:
    """Return the expected share of the pot against all, no card being in two hands.

    Exact against one opponent and against two. Against more, the product of the odds against each
    is corrected for every pair of opponents by how much the pair differs from independence.

    The share of a pot with ties is an integral: with 1 for a holding that loses and z for one that
    ties, the product over opponents integrated over z from 0 to 1 has 1 / (ties + 1) for its terms.

    Raises `BadInput` for several opponents if ``run_outs`` has no pairs.
    """
    if len(run_outs.opponents) > 1 and run_outs.pairs is None:
        raise BadInput("run-outs without pairs and several opponents; allowed: with pairs, or one")
    boards = len(run_outs.sums)
    shares = np.zeros((len(_NODES), boards))
    weight = np.ones(boards)
    z = _NODES[:, np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        single = [
            np.nan_to_num((run_outs.sums[:, r, WIN] + z * run_outs.sums[:, r, TIE]) / total)
            for r, total in enumerate(run_outs.sums[:, :, ALL].T)
        ]
        shares[:] = 1.0
        for place in run_outs.opponents:
            shares *= single[place]
            weight *= run_outs.sums[:, place, ALL]
        for first, second in combinations(run_outs.opponents, 2):
            assert run_outs.pairs is not None
            i, j = min(first, second), max(first, second)
            pair = run_outs.pairs[:, j * (j + 1) // 2 + i]
            better = pair[:, WIN_WIN] + z * (pair[:, WIN_TIE] + pair[:, TIE_WIN])
            better = better + z * z * pair[:, TIE_TIE]
            together = np.nan_to_num(better / pair[:, ALL_ALL])
            alone = single[i] * single[j]
            # The pair's odds over the product of its two odds: how much likelier both lose together
            # than if they were independent.
            shares *= np.where(alone > 0, together / np.where(alone > 0, alone, 1.0), 0.0)
            both = run_outs.sums[:, i, ALL] * run_outs.sums[:, j, ALL]
            weight *= np.where(both > 0, pair[:, ALL_ALL] / np.where(both > 0, both, 1.0), 0.0)
    if not weight.sum() > 0:
        raise BadInput("the known cards leave the opponents no holdings of their ranges together")
    return float((_NODE_WEIGHTS @ shares) @ weight / weight.sum())


# Which holdings an opponent would have played as he did: the "is-bettable" heuristic of Peretz.
#
# A holding is bettable if it is among a share of the best holdings on the board, which depends on
# the street and on what was done with it. The order after the flop is by the greater of the rank
# now and the rank at the end, so that draws are among the good hands before the river; before the
# flop it is by the groups of Sklansky and Malmuth, which the source builds on, and within a group
# by the odds against a random hand.


class StreetAction(Enum):
    """An action on a street."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"


def kept_share(quantiles: Floats, share: float, softness: float = 0.0) -> Floats:
    """Return the probability that each holding takes an action, by its quantile (0 is the best).

    The best ``share`` of the holdings are worth the action. With ``softness`` 0 exactly these take
    it; else the probability falls from one to zero around the share as a logistic function of this
    width.

    >>> kept_share(np.array([0.1, 0.2, 0.3]), 0.2).tolist()
    [1.0, 0.0, 0.0]
    >>> kept_share(np.array([0.1, 0.2, 0.3]), 0.2, 0.1).round(2).tolist()
    [0.73, 0.5, 0.27]
    """
    if share >= 1:
        return np.ones_like(quantiles)
    if softness == 0:
        return (quantiles < share).astype(np.float64)
    # clipped far from the edge of what a float holds, where the result is 0 or 1 all the same
    shares: Floats = 1 / (1 + np.exp(np.clip((quantiles - share) / softness, -500, 500)))
    return shares


def board_quantiles(board: Sequence[Card], *, tables: Tables | None = None) -> Floats:
    """Return the share of better holdings, (1326,), 0 for the best; NaN for clashes with the board.

    All holdings count alike. Of holdings that are equally good, half count as better than each of
    them. With ``tables``, ranks at the end are looked up; counting them takes ten times as long on
    a flop.
    """
    if not board:
        return _preflop_quantiles()
    ascending = tuple(sorted(board))
    return _counted(ascending) if tables is None else _ordered(ascending, tables)


@lru_cache(maxsize=1)
def _preflop_quantiles() -> Floats:
    groups = starting_groups(StartingGroups.LIMIT)
    place = np.empty(CLASSES)
    place[list(CLASS_ORDER)] = np.arange(CLASSES)
    order = (groups * CLASSES + place)[CLASS_OF_HOLDING]
    return _frozen(_middle_of_equals(-order))


@lru_cache(maxsize=CACHED_BOARDS)
def _counted(board: tuple[Card, ...]) -> Floats:
    return _ordered(board, None)


def _ordered(board: tuple[Card, ...], tables: Tables | None) -> Floats:
    measure = hand_strengths(board)
    if len(board) < 5:
        later = _final_ranks(board) if tables is None else _known_final_ranks(board, tables)
        measure = np.where(np.isnan(measure), np.nan, np.maximum(measure, later))
    return _frozen(_middle_of_equals(measure))


def _final_ranks(board: tuple[Card, ...]) -> Floats:
    """Return each holding's mean rank on the completions of a flop or a turn, (1326,)."""
    left = np.setdiff1d(np.arange(52, dtype=np.uint8), np.array(board, dtype=np.uint8))
    sums, counts = np.zeros(HOLDINGS, dtype=np.int64), np.zeros(HOLDINGS, dtype=np.int64)
    sum_final_ranks(completed_boards(board, left), sums, counts)
    ranks: Floats = sums / (IHR_WHOLE[3] * np.maximum(counts, 1))
    return ranks


def _known_final_ranks(board: tuple[Card, ...], tables: Tables) -> Floats:
    """Return what `_final_ranks` counts from the tables, the same to the last bit."""
    index, flop = board_index(board), len(board) == 3
    pattern = (tables.flop_pattern if flop else tables.turn_pattern)[index]
    start = int((tables.flop_start if flop else tables.turn_start)[index])
    sums = (tables.flop_hr7 if flop else tables.turn_hr7)[start:][COLUMN[pattern]]
    ranks: Floats = sums / HR7_WHOLE[len(board) - 2]
    return ranks


def _middle_of_equals(measure: Floats) -> Floats:
    """Return the share of holdings with a greater measure, of equal ones half."""
    quantiles = np.full(HOLDINGS, np.nan)
    live = np.flatnonzero(np.isfinite(measure))
    _, place, count = np.unique(-measure[live], return_inverse=True, return_counts=True)
    quantiles[live] = (np.cumsum(count) - count / 2)[place] / len(live)
    return quantiles


def _frozen(array: Floats) -> Floats:
    array.flags.writeable = False
    return array


# An opponent: the range that he was dealt, what he did, and how loosely he plays.


STREETS: Final = ("preflop", "flop", "turn", "river")
_BOARD_CARDS: Final = (0, 3, 4, 5)
_LOOSE: Final = "loose"


@dataclass(frozen=True, slots=True)
class StreetAct:
    """An opponent's action on a street."""

    street: int
    """0 preflop to 3 river."""
    act: StreetAction

    def __str__(self) -> str:
        return f"{STREETS[self.street]}:{self.act.value}"


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """One opponent: the starting range, and the actions so far.

    Raises `BadInput` for a looseness that is not positive and finite, and for a check or a bet
    after something else on the same street.
    """

    range: RangeLike = "random"
    """The opponent's holdings before anything that ``acts`` say."""
    acts: tuple[StreetAct, ...] = ()
    looseness: float = 1.0
    """How many starting hands the opponent plays, as a multiple of the usual number."""

    def __post_init__(self) -> None:
        if not 0 < self.looseness <= MOST_LOOSENESS:
            raise BadInput(
                f"looseness of {self.looseness:g}; allowed: above 0, up to {MOST_LOOSENESS}"
            )
        streets: set[int] = set()
        for street_act in self.acts:
            if street_act.street in streets and street_act.act in (
                StreetAction.CHECK,
                StreetAction.BET,
            ):
                raise BadInput(f"{street_act} after an action; allowed there: call, raise")
            streets.add(street_act.street)

    @classmethod
    def parse(cls, text: str, *, dealt: RangeLike = "random") -> Opponent:
        """Read an opponent's actions by street, and optionally the looseness.

        ``dealt`` is the starting range.

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
        acts.sort(key=lambda street_act: street_act.street)
        return cls(range=dealt, acts=tuple(acts), looseness=looseness)

    def __str__(self) -> str:
        words = [str(street_act) for street_act in self.acts]
        return " ".join([*words, f"loose={self.looseness:g}"] if self.looseness != 1 else words)


def _acts(word: str, text: str, position: int) -> list[StreetAct]:
    street, colon, done = word.partition(":")
    if not colon:
        raise ParseError("no action", text=text, position=position, allowed="flop:bet,call")
    if street.lower() not in STREETS:
        raise unknown_name("street", street, STREETS)
    names = [act.value for act in StreetAction]
    for name in done.split(","):
        if name.lower() not in names:
            raise unknown_name("action", name, names)
    return [
        StreetAct(STREETS.index(street.lower()), StreetAction(name.lower()))
        for name in done.split(",")
    ]


def _number(digits: str, text: str, position: int) -> float:
    try:
        return float(digits)
    except ValueError:
        raise ParseError("not a number", text=text, position=position, allowed="2, 0.5") from None


@checked
def reflected_weights(
    opponent: Opponent, board: CardsLike = (), *, softness: float = 0.0
) -> Floats:
    """Return the weights (1326,) that an opponent's actions leave of the range.

    Each action keeps the holdings that were worth it on the board of its street; with a
    ``softness`` of 0 a holding is kept whole or not at all. Raises `BadInput` for an action on a
    future street, and if the actions leave nothing.

    >>> int(reflected_weights(Opponent.parse("preflop:raise")).sum())
    134
    """
    if not 0 <= softness <= 1:
        raise BadInput(f"softness of {softness:g}; allowed: 0 to 1")
    cards = cards_from(board)
    check_cards(cards, board=cards)
    weights = range_from(opponent.range).weights.copy()
    tables = built_tables()  # a tenth of the time of counting, and the same to the last bit
    for street_act in opponent.acts:
        seen = _BOARD_CARDS[street_act.street]
        if seen > len(cards):
            raise BadInput(
                f"an action on the {STREETS[street_act.street]}, on a board of {len(cards)} cards"
            )
        share = SHARES[street_act.street][street_act.act.value]
        if street_act.street == 0:
            share = min(1.0, share * opponent.looseness)
        shares = kept_share(board_quantiles(cards[:seen], tables=tables), share, softness)
        weights *= np.nan_to_num(shares)  # holdings that clash with the board
    if not weights.any():
        raise BadInput(f"no holding is worth {opponent}; a softness above 0 keeps some")
    return weights


@checked
def looseness_of(
    flops_seen: float, hands: float, *, ideal: float = FLOPS_SEEN, prior: float = LOOSENESS_HANDS
) -> float:
    """Return a player's looseness: the rate of flops seen over the ideal rate.

    ``prior`` hands at the ideal rate are added, so that few hands say little. Raises `BadInput`
    for impossible counts.

    >>> round(looseness_of(40, 100), 2), looseness_of(0, 0)
    (1.83, 1.0)
    """
    if not 0 <= flops_seen <= hands < float("inf"):
        raise BadInput(f"{flops_seen:g} flops seen in {hands:g} hands; allowed: 0 up to the hands")
    if not 0 < ideal < 1 or not prior > 0:
        raise BadInput(f"a rate of {ideal:g} and {prior:g} hands; allowed: 0 to 1, above 0")
    return (flops_seen + prior * ideal) / (hands + prior) / ideal


# Odds of a holding against several opponents with weighted holdings, in one result.


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowdownOdds(HasTable):
    """Odds of the best hand at showdown if nobody folds."""

    against_each: tuple[float, ...]
    """Exact, against each opponent alone, ties half."""
    power: float
    """Against all, independent of each other given the board, as the source has it."""
    joint: float
    """Expected share of the pot: exact against one or two, corrected by pairs against more."""
    stderr: float
    """Standard error: 0, or that of a sample of boards before the flop."""


@checked
def showdown_odds(
    hole: HoldingLike,
    board: CardsLike,
    opponents: Sequence[WeightsLike],
    *,
    samples: int = PREFLOP_BOARDS,
    rng: np.random.Generator | None = None,
) -> ShowdownOdds:
    """Compute a holding's odds against opponents with weights (1326,) or ranges.

    Before the flop the boards are ``samples`` drawn with ``rng``, by default with a fixed seed,
    except against one opponent. Raises `BadInput` for no opponents or too many, and for ranges that
    the known cards leave empty.

    >>> odds = showdown_odds("As5s", "Ks9s2d", ["top 20%", "QQ+, AK:0.5, 76s"])
    >>> f"{odds.power:.4f} {odds.joint:.4f}"
    '0.3828 0.3854'
    """
    holding, cards = known_cards(hole, board)
    if not 1 <= len(opponents) <= MOST_OPPONENTS:
        raise BadInput(f"{len(opponents)} opponents; allowed: 1 to {MOST_OPPONENTS}")
    weights = [weights_from(opponent).astype(np.float64) for opponent in opponents]
    if not cards:
        return _before_flop(holding, weights, samples, rng)
    run_outs = compare_run_outs(holding, cards, weights)
    return ShowdownOdds(
        against_each=tuple(odds_against_each(run_outs).tolist()),
        power=power_odds(run_outs),
        joint=joint_odds(run_outs),
        stderr=0.0,
    )


@checked
def odds_by_opponents(
    hole: HoldingLike,
    board: CardsLike = (),
    weights: WeightsLike | None = None,
    *,
    most: int = MOST_AT_TABLE,
) -> tuple[ShowdownOdds, ...]:
    """Compute a holding's odds against one opponent, two, and so on, all with the same range.

    Before the flop all use the same sample of boards, except the exact odds against one opponent.
    """
    holding, cards = known_cards(hole, board)
    if not 1 <= most <= MOST_OPPONENTS:
        raise BadInput(f"{most} opponents; allowed: 1 to {MOST_OPPONENTS}")
    array = weights_from(weights).astype(np.float64)
    both = compare_run_outs(holding, cards, [array, array])
    heads_up = showdown_odds(holding, cards, [array])
    odds_by_number = [heads_up]
    for number in range(2, most + 1):
        against = replace(both, opponents=(0,) * number)
        odds_by_number.append(
            ShowdownOdds(
                against_each=heads_up.against_each * number,
                power=power_odds(against),
                joint=joint_odds(against),
                stderr=power_stderr(against),
            )
        )
    return tuple(odds_by_number)


def _before_flop(
    holding: Holding, weights: Sequence[Floats], samples: int, rng: np.random.Generator | None
) -> ShowdownOdds:
    matrix = open_matrix()
    free, reduced = reduced_ranges(holding, (), weights)
    # Before the flop the matrix has wins alone; ties are the boards that neither holding wins, so
    # wins less losses give the share.
    balance = matrix.wins[holding, free].astype(np.int64) - matrix.wins[free, holding]
    exact = reduced @ ((PAIR_BOARDS + balance) / (2 * PAIR_BOARDS)) / reduced.sum(axis=1)
    odds = tuple(exact.tolist())
    if len(weights) == 1:
        return ShowdownOdds(against_each=odds, power=odds[0], joint=odds[0], stderr=0.0)
    run_outs = compare_run_outs(holding, (), weights, samples=samples, rng=rng)
    return ShowdownOdds(
        against_each=odds,
        power=power_odds(run_outs),
        joint=joint_odds(run_outs),
        stderr=power_stderr(run_outs),
    )


def average_weights(holding: Holding, board: Sequence[Card], weights: Sequence[Floats]) -> Floats:
    """Return the mean weights (1326,) of several opponents, equally likely."""
    free, reduced = reduced_ranges(holding, board, weights)
    average = np.zeros(len(weights[0]))
    # Each opponent counts alike, however wide his range is, so ranges are normalised before they
    # are averaged.
    average[free] = (reduced / reduced.sum(axis=1, keepdims=True)).mean(axis=0)
    return average


# Odds against opponents who have shown something by betting (Peretz 2005).


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectiveOdds(HasTable):
    """The odds before and after reflection on what the opponents did."""

    raw: ShowdownOdds
    """Against the opponents' ranges."""
    reflective: ShowdownOdds
    """Against what their actions leave."""
    kept: tuple[float, ...]
    """Share of each opponent's range that his actions leave."""
    better: tuple[float, ...] | None
    """Share of what is left of each that wins on some run-out; None before the flop."""
    nuts: bool | None
    """True if no holding of the opponents' ranges can win; None before the flop."""
    reflective_nuts: bool | None
    """The same for the holdings that the opponents' actions leave."""
    before: Spectrum
    """Final hands of the holding and of the average opponent."""
    after: Spectrum
    """The same for what the actions leave."""

    def to_polars(self) -> pl.DataFrame:
        """Return a row for the odds before reflection, and one for those after it."""
        odds = {"raw": self.raw, "reflective": self.reflective}
        return table_of(
            {"odds": name, **of.to_polars().row(0, named=True)} for name, of in odds.items()
        )


@checked
def reflective_odds(
    hole: HoldingLike,
    board: CardsLike = (),
    opponents: Sequence[Opponent] = (Opponent(),),
    *,
    softness: float = 0.0,
    samples: int = PREFLOP_BOARDS,
) -> ReflectiveOdds:
    """Compute a holding's odds against opponents, before and after reflection on their actions.

    ``softness`` is the width of the fuzzy filter, in shares of all holdings; 0 is the boolean one.
    Before the flop the boards are always the same ``samples``. Raises `BadInput` for too
    many opponents, and for ranges or actions that leave no holding.

    >>> odds = reflective_odds("AsTh", "Ts8d2c", [Opponent.parse("preflop:call flop:bet")])
    >>> f"{odds.raw.joint:.4f} {odds.reflective.joint:.4f} {odds.kept[0]:.3f}"
    '0.8114 0.6633 0.102'
    """
    holding, cards = known_cards(hole, board)
    weights_before = [
        reflected_weights(Opponent(range=opponent.range), ()) for opponent in opponents
    ]
    weights_after = [
        reflected_weights(opponent, cards, softness=softness) for opponent in opponents
    ]
    raw, winning, dealt = _against(holding, cards, weights_before, samples)
    if all(map(np.array_equal, weights_before, weights_after)):  # nothing was done yet
        reflective, better, spread = raw, winning, dealt
    else:
        reflective, better, spread = _against(holding, cards, weights_after, samples)
    free = holdings_without(holding, cards)
    return ReflectiveOdds(
        raw=raw,
        reflective=reflective,
        kept=tuple(
            float(left[free].sum() / full_range[free].sum())
            for full_range, left in zip(weights_before, weights_after, strict=True)
        ),
        better=better,
        nuts=None if winning is None else not any(winning),
        reflective_nuts=None if better is None else not any(better),
        before=dealt,
        after=spread,
    )


def _against(
    holding: Holding, board: Sequence[Card], weights: Sequence[Floats], samples: int
) -> tuple[ShowdownOdds, tuple[float, ...] | None, Spectrum]:
    """Return the odds, what still can win, and the spectrum, against opponents' weights."""
    return (
        showdown_odds(holding, board, weights, samples=samples),
        _winning(holding, board, weights),
        spectrum(holding, board, average_weights(holding, board, weights), samples=samples),
    )


def _winning(
    holding: Holding, board: Sequence[Card], weights: Sequence[Floats]
) -> tuple[float, ...] | None:
    return tuple(winning_share(holding, board, weights)) if board else None
