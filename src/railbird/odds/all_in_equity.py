"""All-in equity of two to ten hands or ranges on any board.

There are four methods; the cheapest exact one is used:

- the preflop matrix, for two players without a board;
- a sweep, for two players: on each completed board all holdings are ranked once and counted with
  card removal, so that the cost is linear in the size of the ranges;
- every deal on every completed board, for few deals of any number of players;
- random deals with a standard error, if an exact answer would take too long. Deals are independent,
  without random walks or stratification, so the error is that of a mean of independent values.

Exact counts are integers unless a range has weights other than 0 and 1; then they are sums of
weights. A deal's weight is the product of its holdings' weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from functools import cache
from itertools import combinations
from math import comb, inf, prod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked, choice
from railbird._display import HasTable, table_of
from railbird._threads import in_slices
from railbird.cards import CardsLike, RangeLike, cards_from, range_from
from railbird.cards.tables import CARD_KEY, CARD_MASK, HOLDING_MASK
from railbird.errors import BadInput
from railbird.odds.arguments import MOST_DEALS, MOST_SAMPLES, SAMPLES, WORK_LIMIT, check_cards
from railbird.odds.equity_kernels import (
    SHARES,
    Deck,
    Groups,
    alias_table,
    list_deals,
    play_deals,
    play_random_deals,
    sweep_boards,
)
from railbird.odds.preflop_matrix import PAIR_BOARDS, open_matrix
from railbird.odds.rank_kernels import HIGH, LOW, key_of, mask_of
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl


# The input and output of all methods of computing an equity.


NO_DEAL = "no deal gives every player a holding: they need the same cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class EquityQuestion:
    """Players' ranges and the board, validated."""

    weights: tuple[npt.NDArray[np.float64], ...]
    """By player (1326,); zero for holdings that contain a board card or a dead card."""
    board: npt.NDArray[np.uint8]
    dead: np.uint64
    """Mask of the dead cards."""
    completions: int
    """Number of completed boards for each deal."""

    @property
    def unweighted(self) -> bool:
        """Whether every weight is 0 or 1, so that all counts are integers."""
        return all(np.all((weights == 0) | (weights == 1)) for weights in self.weights)

    @property
    def sizes(self) -> list[int]:
        """Number of holdings of each player."""
        return [int(np.count_nonzero(weights)) for weights in self.weights]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """The outcomes by player, int64 or float64 (players,)."""

    wins: npt.NDArray[Any]
    ties: npt.NDArray[Any]
    shares: npt.NDArray[Any]
    """Parts of pots won; a whole pot has `SHARES` parts."""
    squares: npt.NDArray[Any]
    """Sum of the squared shares, for samples only."""
    trials: int | float


# The methods; each turns an `EquityQuestion` into a `Tally`.


_SLICE_SECONDS = 0.005
_MOST_SLICES = 256


def matrix_answers(question: EquityQuestion) -> bool:
    """Return whether the preflop matrix applies; it is always the cheapest method."""
    return len(question.weights) == 2 and question.board.size == 0 and question.dead == 0


def by_matrix(question: EquityQuestion, progress: Progress | None) -> Tally:
    """Sum the weighted entries of the preflop matrix."""
    wins = open_matrix(progress=progress).wins
    first, second = (np.flatnonzero(weights) for weights in question.weights)
    dtype, number = (np.int64, int) if question.unweighted else (np.float64, float)
    mine, others = (
        weights[held].astype(dtype)
        for weights, held in zip(question.weights, (first, second), strict=True)
    )
    won = wins[np.ix_(first, second)].astype(dtype)
    lost = wins[np.ix_(second, first)].T.astype(dtype)
    # Pairs that share a card are zero both ways. No other pair ties on every board, so these
    # can be recognised without another table.
    pairs = ((won != 0) | (lost != 0)).astype(dtype)
    win, lose = number(mine @ won @ others), number(mine @ lost @ others)
    trials = number(mine @ pairs @ others) * PAIR_BOARDS
    return _tally_of_two(win, trials - win - lose, trials)


def sweep_seconds(question: EquityQuestion) -> float:
    """Estimate the work of `by_sweep`, in seconds of one core; infinite if it does not apply."""
    if len(question.weights) != 2:
        return inf
    return _boards(question) * (0.7e-6 + 5e-9 * sum(question.sizes))


def by_sweep(question: EquityQuestion, progress: Progress | None) -> Tally:
    """Rank all holdings of two ranges once on each completed board."""
    # Weights of 0 and 1 fit into 16 bits, a quarter of a float, and give exact counts.
    dtype, total = (np.int16, np.int64) if question.unweighted else (np.float64, np.float64)
    first, second = (weights.astype(dtype) for weights in question.weights)
    mine = np.flatnonzero(first).astype(np.uint16)
    either = np.flatnonzero((first != 0) | (second != 0)).astype(np.uint16)

    def sweep(start: int, stop: int) -> npt.NDArray[Any]:
        counts = np.zeros(2, dtype=total)
        sweep_boards(
            first, second, mine, either, question.board, question.dead, start, stop, counts
        )
        return counts

    boards = _boards(question)
    size = _slice_size(boards, sweep_seconds(question))
    win, tie = np.sum(
        in_slices(sweep, boards, size=size, what="boards", progress=progress), axis=0
    ).tolist()
    return _tally_of_two(win, tie, _pairs(first, second) * question.completions)


def _boards(question: EquityQuestion) -> int:
    known = question.board.size + int(question.dead).bit_count()
    return comb(52 - known, 5 - question.board.size)


def _pairs(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> int | float:
    """Sum the weights of the pairs of holdings that share no card."""
    # Inclusion and exclusion: all holdings, minus those with either card; the identical holding has
    # been subtracted twice and is added back once.
    with_card = np.bincount(LOW, second, 52) + np.bincount(HIGH, second, 52)
    against = second.sum() - with_card[LOW] - with_card[HIGH] + second
    pairs = float(first @ against)
    return pairs if first.dtype == np.float64 else round(pairs)


def _tally_of_two(win: float, tie: float, trials: float) -> Tally:
    if trials == 0:
        raise BadInput(NO_DEAL)
    lose = trials - win - tie
    return Tally(
        wins=np.array([win, lose]),
        ties=np.array([tie, tie]),
        shares=np.array([2 * win + tie, 2 * lose + tie]) * (SHARES // 2),
        squares=np.zeros(2),
        trials=trials,
    )


def deals_seconds(question: EquityQuestion) -> float:
    """Estimate the work of `by_deals` in seconds of one core, ignoring clashes of holdings."""
    return prod(question.sizes) * question.completions * _trial_seconds(question)


def _trial_seconds(question: EquityQuestion) -> float:
    return 5e-9 + 12e-9 * len(question.weights)


def by_deals(question: EquityQuestion, limit: float, progress: Progress | None) -> Tally | None:
    """Evaluate every deal on every board; None if that takes more than ``limit`` seconds."""
    holdings, begins = _listed(question)
    # One deal more than fits the limit is noticed while deals are listed, before any is evaluated.
    most = int(min(MOST_DEALS, limit / (question.completions * _trial_seconds(question))))
    most = min(max(most, 1), prod(question.sizes))
    deals = np.empty((most, len(question.weights)), dtype=np.uint16)
    used = np.uint64(mask_of(question.board) | question.dead)
    n = list_deals(holdings, begins, used, most, deals)
    if n > most:
        return None
    if n == 0:
        raise BadInput(NO_DEAL)
    deals = deals[:n]
    dtype = np.int64 if question.unweighted else np.float64
    weights = np.prod(
        [weights[deals[:, p]] for p, weights in enumerate(question.weights)], axis=0
    ).astype(dtype)

    def play(start: int, stop: int) -> npt.NDArray[Any]:
        outcome = np.zeros((3, len(question.weights)), dtype=dtype)
        play_deals(
            deals,
            weights,
            question.board,
            question.dead,
            question.completions,
            start,
            stop,
            *outcome,
        )
        return outcome

    trials = n * question.completions
    size = _slice_size(trials, trials * _trial_seconds(question))
    wins, ties, shares = np.sum(
        in_slices(play, trials, size=size, what="boards", progress=progress), axis=0
    )
    return Tally(
        wins=wins,
        ties=ties,
        shares=shares,
        squares=np.zeros(len(wins)),
        trials=weights.sum().item() * question.completions,
    )


def _slice_size(total: int, seconds: float) -> int:
    """Return a slice size that is worth a thread but still interruptible.

    It depends on the work only, so that sums of floats are the same on every machine.
    """
    slices = min(_MOST_SLICES, max(1, int(seconds / _SLICE_SECONDS)))
    return -(-total // slices)


def _listed(question: EquityQuestion) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int64]]:
    """Return the players' holdings end to end, and the index at which each player's begin."""
    by_player = [np.flatnonzero(weights) for weights in question.weights]
    begins = np.cumsum([0, *map(len, by_player)])
    return np.concatenate(by_player).astype(np.uint16), begins


# Equity by random deals: preparing the draws, and counting the winners.


_AT_ONCE = 1 << 17
"""Trials per random stream; a thread needs one or two milliseconds for them."""
_ALWAYS_JOINED = 1 << 12
"""The most pairs of combinations for which two ranges are always drawn jointly."""
_MOST_JOINED = 1 << 18
"""The most such pairs if more than half of them share a card."""

_Masks = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class _Group:
    """Joint holdings of several players: combinations without a common card."""

    players: tuple[int, ...]
    holdings: npt.NDArray[np.uint16]
    """(n, players) holdings."""
    weights: npt.NDArray[np.float64]
    masks: _Masks

    def __len__(self) -> int:
        return len(self.masks)

    def joined(self, group: _Group) -> _Group:
        """Return the group of both groups' players together."""
        mine, its = np.nonzero((self.masks[:, None] & group.masks) == 0)
        return _Group(
            self.players + group.players,
            np.hstack([self.holdings[mine], group.holdings[its]]),
            self.weights[mine] * group.weights[its],
            self.masks[mine] | group.masks[its],
        )


def by_random_deals(
    question: EquityQuestion, samples: int, rng: np.random.Generator, progress: Progress | None
) -> Tally:
    """Deal and evaluate independent random trials.

    Each run of `_AT_ONCE` trials has its own stream, seeded with four numbers from ``rng``. So the
    seed determines every trial, whatever the number of threads.
    """
    if not 1 <= samples <= MOST_SAMPLES:
        raise BadInput(f"{samples} samples; allowed: 1 to {MOST_SAMPLES:,}")
    players = len(question.weights)
    known, anything, groups = _taken_apart(question)
    deck = _deck(question, known)
    hands = np.zeros(players, dtype=np.uint16)
    hands[list(known)] = list(known.values())
    parts = _in_arrays(groups, players)
    whoever = np.array(anything, dtype=np.int64)
    streams = rng.integers(2**64, size=(-(-samples // _AT_ONCE), 4), dtype=np.uint64)
    board_key, board_mask = np.uint64(key_of(question.board)), np.uint64(mask_of(question.board))

    def deal(start: int, stop: int) -> npt.NDArray[np.int64]:
        outcomes = np.zeros(1 << players, dtype=np.int64)
        play_random_deals(
            streams[start // _AT_ONCE],
            stop - start,
            hands,
            parts,
            whoever,
            deck,
            board_key,
            board_mask,
            outcomes,
        )
        return outcomes

    runs = in_slices(deal, samples, size=_AT_ONCE, what="samples", progress=progress)
    return _tally(np.sum(runs, axis=0), players)


def _tally(outcomes: npt.NDArray[np.int64], players: int) -> Tally:
    """Count wins, ties and shares from ``outcomes`` (2**players,), trials by winners' mask."""
    masks = np.arange(len(outcomes))
    winners = np.bitwise_count(masks).astype(np.int64)
    # `SHARES` is divisible by every number of winners, so shares of a tied pot are whole numbers.
    share = SHARES // np.maximum(winners, 1)
    among = (masks >> np.arange(players)[:, None] & 1).astype(np.int64)
    return Tally(
        wins=among @ np.where(winners == 1, outcomes, 0),
        ties=among @ np.where(winners > 1, outcomes, 0),
        shares=among @ (outcomes * share),
        squares=among @ (outcomes * share**2),
        trials=int(outcomes.sum()),
    )


def _taken_apart(question: EquityQuestion) -> tuple[dict[int, int], list[int], list[_Group]]:
    """Return the players with one holding, the players with any two cards, and groups of others.

    Raises `BadInput` if no deal gives everybody a holding.
    """
    used = np.uint64(mask_of(question.board) | question.dead)
    weights = dict(enumerate(question.weights))
    known: dict[int, int] = {}
    while True:
        # A certain holding removes its cards from the other ranges, which may make another
        # holding certain: repeat until nothing changes.
        weights = {
            p: np.where(HOLDING_MASK & used == 0, chances, 0) for p, chances in weights.items()
        }
        if not all(chances.any() for chances in weights.values()):
            raise BadInput(NO_DEAL)
        certain = next(
            (p for p, chances in weights.items() if np.count_nonzero(chances) == 1), None
        )
        if certain is None:
            break
        known[certain] = int(np.argmax(weights.pop(certain)))
        used |= HOLDING_MASK[known[certain]]
    pairs = comb(52 - int(used).bit_count(), 2)
    # A player who may have any two of the remaining cards needs no table of holdings: the deck
    # itself is one.
    anything = [p for p, chances in weights.items() if _is_any(chances, pairs)]
    ranges = {p: chances for p, chances in weights.items() if p not in anything}
    _check_dealable(list(weights.values()), used)
    return known, anything, _joined([_group(p, chances) for p, chances in ranges.items()])


def _is_any(weights: npt.NDArray[np.float64], pairs: int) -> bool:
    """Return whether a range has all pairs of the remaining cards, equally likely."""
    held = weights[weights != 0]
    return len(held) == pairs and bool((held == held[0]).all())


def _check_dealable(weights: Sequence[npt.NDArray[np.float64]], used: np.uint64) -> None:
    by_player = [np.flatnonzero(chances).astype(np.uint16) for chances in weights]
    if not by_player:
        return
    begins = np.cumsum([0, *map(len, by_player)])
    first = np.empty((1, len(by_player)), dtype=np.uint16)
    if list_deals(np.concatenate(by_player), begins, used, 1, first) == 0:
        raise BadInput(NO_DEAL)


def _group(player: int, weights: npt.NDArray[np.float64]) -> _Group:
    held = np.flatnonzero(weights)
    return _Group(
        (player,), held.astype(np.uint16)[:, None], weights[held], HOLDING_MASK[held].copy()
    )


def _joined(groups: list[_Group]) -> list[_Group]:
    """Join narrow ranges, whose separate draws would often share a card and be rejected."""
    groups = sorted(groups, key=len)
    while len(groups) > 1 and len(groups[0]) * len(groups[1]) <= _MOST_JOINED:
        first, second, *rest = groups
        both = first.joined(second)
        # A joint list is worth its memory if it is short, or if half of the pairs drawn apart would
        # have clashed.
        if len(both) > max(_ALWAYS_JOINED, len(first) * len(second) // 2):
            break
        groups = sorted([both, *rest], key=len)
    return groups


def _in_arrays(groups: Sequence[_Group], players: int) -> Groups:
    """Return the groups as arrays for the kernel, with alias tables for drawing by weight."""
    begins = np.cumsum([0, *map(len, groups)], dtype=np.int64)
    size = int(begins[-1])
    keep, alias = np.empty(size), np.empty(size, dtype=np.int64)
    masks = np.empty(size, dtype=np.uint64)
    holdings = np.zeros((size, players), dtype=np.uint16)
    members = np.zeros((len(groups), players), dtype=np.bool_)
    for number, (group, begin) in enumerate(zip(groups, begins.tolist(), strict=False)):
        rows = slice(begin, begin + len(group))
        alias_table(group.weights, keep[rows], alias[rows])
        alias[rows] += begin
        masks[rows] = group.masks
        holdings[rows, list(group.players)] = group.holdings
        members[number, list(group.players)] = True
    # A probability of one becomes the largest integer, since 2 to the 64 does not fit.
    most = np.iinfo(np.uint64).max
    parts = np.where(keep < 1, keep, 0) * 2.0**64
    threshold = np.where(keep < 1, parts.astype(np.uint64), most)
    return Groups(begins, threshold, alias, masks, holdings, members)


def _deck(question: EquityQuestion, known: dict[int, int]) -> Deck:
    """Return the possible draws from the unknown cards."""
    used = np.uint64(mask_of(question.board) | question.dead)
    for holding in known.values():
        used |= HOLDING_MASK[holding]
    to_come = 5 - question.board.size
    # Five cards are drawn as two and three: tables of 1,326 and 22,100 combinations instead of 2.6
    # million, with few rejected for a common card.
    first, second = {0: (0, 0), 1: (1, 0), 2: (2, 0), 5: (2, 3)}[to_come]
    free = np.flatnonzero(HOLDING_MASK & used == 0)
    return Deck(
        free.astype(np.uint16),
        HOLDING_MASK[free],
        *_free(first, used),
        *_free(second, used),
    )


def _free(cards: int, used: np.uint64) -> tuple[_Masks, _Masks]:
    """Return masks and keys of all combinations of ``cards`` unused cards; empty for 0 cards."""
    masks, keys = _all_combinations(cards)
    free = masks & used == 0
    return masks[free], keys[free]


@cache
def _all_combinations(cards: int) -> tuple[_Masks, _Masks]:
    if cards == 0:
        return np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint64)
    listed = np.array(list(combinations(range(52), cards)))
    return CARD_MASK[listed].sum(axis=1), CARD_KEY[listed].sum(axis=1)


# The public function: from a caller's arguments to the cheapest method.


class Mode(Enum):
    """The choice between exact and sampled results."""

    AUTO = "auto"
    """Exact if the work is within the limit, otherwise sampled."""
    EXACT = "exact"
    SAMPLED = "sampled"


class Method(Enum):
    """The method by which an equity was computed."""

    MATRIX = "preflop matrix"
    SWEEP = "sweep"
    DEALS = "all deals"
    SAMPLED = "sampled"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEquity:
    """One player's result: trials won outright, tied for best and lost, of `Equity.trials`."""

    win: int | float
    tie: int | float
    lose: int | float
    equity: float
    """Share of the pot, 0 to 1."""
    stderr: float
    """Standard error of ``equity``; 0 if exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equity(HasTable):
    """The players' equities, which sum to 1."""

    players: tuple[PlayerEquity, ...]
    trials: int | float
    """Deals times completed boards, by weight; or the number of samples."""
    method: Method

    @property
    def exact(self) -> bool:
        """True if nothing was sampled."""
        return self.method is not Method.SAMPLED

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each player, numbered from 1."""
        return table_of(
            {"player": number, **asdict(player)}
            for number, player in enumerate(self.players, start=1)
        )


@checked
def equity(
    players: Sequence[RangeLike],
    board: CardsLike = (),
    *,
    dead: CardsLike = (),
    mode: Mode | str = Mode.AUTO,
    samples: int = SAMPLES,
    work_limit: float = WORK_LIMIT,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> Equity:
    """Compute the equity of two to ten players' holdings or ranges, on 0, 3, 4 or 5 board cards.

    ``dead`` cards are out of play. ``work_limit`` is in seconds of one core. ``rng`` is used only
    for sampling; by default it is seeded with 0.

    Raises `BadInput` for a wrong number of players or cards, a range that the known cards leave
    empty, ranges that cannot all be dealt, and an exact result that is out of reach;
    `DuplicateCard` for a repeated card.

    >>> result = equity(["Ts6s", "Jd5d"], "Td5hTh")
    >>> result.players[0].win, result.players[0].tie, result.trials
    (950, 0, 990)
    >>> f"{result.players[0].equity:.6f}"
    '0.959596'
    """
    question, mode = _checked(players, board, dead), choice(Mode, mode)
    if mode is not Mode.SAMPLED:
        exact = _exact(question, work_limit if mode is Mode.AUTO else inf, progress)
        if exact is not None:
            return exact
        if mode is Mode.EXACT:
            raise BadInput(f"more than {MOST_DEALS:,} deals are too many to enumerate; sample them")
    rng = np.random.default_rng(0) if rng is None else rng
    return _equity(by_random_deals(question, samples, rng, progress), Method.SAMPLED)


def _exact(question: EquityQuestion, limit: float, progress: Progress | None) -> Equity | None:
    """Use the cheapest exact method; return None if all are beyond the limit."""
    if matrix_answers(question):
        return _equity(by_matrix(question, progress), Method.MATRIX)
    for_sweep, for_deals = sweep_seconds(question), deals_seconds(question)
    if for_sweep < for_deals:
        if for_sweep > limit:
            return None
        return _equity(by_sweep(question, progress), Method.SWEEP)
    tally = by_deals(question, limit, progress)
    return None if tally is None else _equity(tally, Method.DEALS)


def _equity(tally: Tally, method: Method) -> Equity:
    mean = tally.shares / (SHARES * tally.trials)
    # The difference of the two moments can fall below zero by rounding where a player always wins.
    variance = np.maximum(tally.squares / (SHARES**2 * tally.trials) - mean**2, 0)
    stderr = np.sqrt(variance / tally.trials) if method is Method.SAMPLED else np.zeros(len(mean))
    return Equity(
        players=tuple(
            PlayerEquity(
                win=win, tie=tie, lose=tally.trials - win - tie, equity=value, stderr=error
            )
            for win, tie, value, error in zip(
                tally.wins.tolist(),
                tally.ties.tolist(),
                mean.tolist(),
                stderr.tolist(),
                strict=True,
            )
        ),
        trials=tally.trials,
        method=method,
    )


def _checked(
    players: Sequence[RangeLike],
    board: CardsLike,
    dead: CardsLike,
) -> EquityQuestion:
    if isinstance(players, str) or not 2 <= len(players) <= 10:
        got = f"the text {players!r}" if isinstance(players, str) else len(players)
        raise BadInput(f"equity needs 2 to 10 hands, got {got}")
    board, dead = cards_from(board), cards_from(dead)
    check_cards([*board, *dead], board=board)
    board_cards = np.array(board, dtype=np.uint8)
    dead_mask = mask_of(np.array(dead, dtype=np.uint8))
    free = HOLDING_MASK & (mask_of(board_cards) | dead_mask) == 0
    weights = []
    for number, player in enumerate(players, start=1):
        given = range_from(player).weights
        left = np.where(free, given, 0.0)
        if not left.any():
            problem = "is empty" if not given.any() else "shares cards with the known ones"
            raise BadInput(f"the range of player {number}, {player}, {problem}")
        weights.append(left)
    to_come = 5 - len(board)
    # Every player's two cards are gone whatever they are, so all deals have equally many completed
    # boards.
    cards_left = 52 - len(board) - len(dead) - 2 * len(players)
    if cards_left < to_come:
        raise BadInput(f"{cards_left} cards left; allowed: {to_come} or more, for the board")
    return EquityQuestion(
        weights=tuple(weights),
        board=board_cards,
        dead=dead_mask,
        completions=comb(cards_left, to_come),
    )
