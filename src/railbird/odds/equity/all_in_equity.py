"""All-in equity of two to ten hands or ranges on any board.

There are four methods, of which the cheapest exact one is used:

- the preflop matrix, for two players without a board;
- a sweep, for two players: on each completed board all holdings are ranked once and counted with
  card removal, so that the cost is linear in the size of the ranges;
- every deal on every completed board, for few deals of any number of players;
- random deals with a standard error, if an exact answer would take too long. Deals are independent,
  without a random walk or stratification, so the error is that of a mean of independent values.

Exact counts are integers unless a range has weights other than 0 and 1; then they are sums of
weights. A deal's weight is the product of its holdings' weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from math import comb, inf
from typing import TYPE_CHECKING

import numpy as np

from railbird._arguments import checked, choice
from railbird._display import Tabular, table_of
from railbird.cards import CardsLike, RangeLike, cards_from, range_from
from railbird.cards.hand_strength._kernels_evaluator import HOLDING_MASK
from railbird.errors import BadInput
from railbird.odds._checks import check_cards
from railbird.odds.equity._equity_methods import (
    by_deals,
    by_matrix,
    by_sweep,
    deals_seconds,
    matrix_answers,
    sweep_seconds,
)
from railbird.odds.equity._equity_request import Question, Tally
from railbird.odds.equity._kernels_equity import SHARES
from railbird.odds.equity._random_deals import by_random_deals
from railbird.odds.settings import MOST_DEALS, SAMPLES, WORK_LIMIT
from railbird.odds.tables._kernels_ranking import mask_of
from railbird.progress import Progress

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Equity", "Method", "Mode", "PlayerEquity", "equity"]


class Mode(Enum):
    """Choice between exact and sampled results."""

    AUTO = "auto"
    """Exact if the work is within the limit, otherwise sampled."""
    EXACT = "exact"
    SAMPLED = "sampled"


class Method(Enum):
    """Method by which an equity was computed."""

    MATRIX = "preflop matrix"
    SWEEP = "sweep"
    DEALS = "all deals"
    SAMPLED = "sampled"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEquity:
    """One player's result: trials won outright, tied for best, and lost, out of `Equity.trials`."""

    win: int | float
    tie: int | float
    lose: int | float
    equity: float
    """Share of the pot, 0 to 1."""
    stderr: float
    """Standard error of ``equity``; 0 if exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equity(Tabular):
    """The players' equities, which sum to 1."""

    players: tuple[PlayerEquity, ...]
    trials: int | float
    """Deals times completed boards, weighted; or the number of samples."""
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


def _exact(question: Question, limit: float, progress: Progress | None) -> Equity | None:
    """Use the cheapest exact method; return None if that is beyond the limit."""
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
) -> Question:
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
    cards_left = 52 - len(board) - len(dead) - 2 * len(players)
    if cards_left < to_come:
        raise BadInput(f"{cards_left} cards are left for {to_come} to come")
    return Question(
        weights=tuple(weights),
        board=board_cards,
        dead=dead_mask,
        completions=comb(cards_left, to_come),
    )
