"""Inference from an action to the holding behind it (Papp 1998, chapter 7).

A player is assumed to take an action with the holdings above a threshold. The threshold is the
share of hands with which, by its frequencies, it would not have taken the action. If holdings are
ranked against the opponents, the evidence also depends on what is believed about them. All inputs
are public, so players who have seen the same hands share arrays: beliefs and scales are cached, and
compared by identity.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDING_CARDS,
    HOLDINGS,
    Card,
    HandClass,
    Holding,
    cards_from,
    format_cards,
    format_holding,
    holdings_of_class,
    parse_class,
)
from railbird.cards.tables import CARD_MASK
from railbird.errors import BadInput
from railbird.game import Street
from railbird.modelling.kernels import BoardTables, fill_ranks_and_gains, normalise, value_by_field
from railbird.modelling.settings import LEAST_PREFLOP_MEAN, LOW, POSTFLOP_SPREAD, PREFLOP_SPREAD
from railbird.odds import Mode, equity
from railbird.odds.arguments import check_cards
from railbird.odds.rank_kernels import rank_all
from railbird.odds.rank_tables import IHR_WHOLE, open_tables

# The assumed ranking of an opponent's holdings on a board: EHS' with a crude but fast potential.
#
# A holding's strength is that against a random holding, which makes it a percentile. Its potential
# is the strength gained on the next cards that help; the strength lost on the other cards is
# ignored. Nothing here depends on the observer, so a process computes it once for each board.


_BOARDS = 4096
"""Number of boards that are cached: the boards of a chunk of a match, which come back in every
direction of play."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardValues:
    """Values of all holdings on one board, (1326,); 0 if a holding shares a card with it."""

    strength: NDArray[np.float64]
    """Strength against one random holding, 0 to 1."""
    gain: NDArray[np.float64]
    """Mean gain in strength by the next card, counting losses as 0; 0 on the river."""
    potential: NDArray[np.float64]
    """Crude PPot: the gain over the probability of being behind."""

    @property
    def ehs(self) -> NDArray[np.float64]:
        """EHS': strength plus gain."""
        return self.strength + self.gain


@dataclass(frozen=True, slots=True, eq=False)
class BoardOrder:
    """The order of the holdings on one board."""

    level: NDArray[np.int32]
    """(1326,) strength class of each holding; -1 if it shares a card with the board."""
    order: NDArray[np.int16]
    """(holdings,) the holdings that do not, weakest first."""


@checked
@lru_cache(maxsize=_BOARDS)
def board_values(board: tuple[Card, ...]) -> BoardValues:
    """Return the values of all holdings on a board of three to five cards, ascending.

    Raises `BadInput` if the board is not one of these.
    """
    dealt = cards_from(board)
    check_cards(dealt, board=dealt)
    if list(dealt) != sorted(dealt) or not dealt:
        raise BadInput(f"board {format_cards(dealt)}; allowed: three to five cards, ascending")
    ranks, gains = np.empty(HOLDINGS, np.int32), np.empty(HOLDINGS, np.int32)
    fill_ranks_and_gains(np.array(board, np.uint8), board_tables(), ranks, gains)
    street = Street(len(board) - 2)
    strength = ranks / IHR_WHOLE[street]
    gain = np.zeros(HOLDINGS)
    if street is not Street.RIVER:
        gain = gains / (IHR_WHOLE[street] * IHR_WHOLE[street + 1] * (50 - len(board)))
    potential = np.minimum(gain / np.maximum(1 - strength, 1e-9), 1.0)
    for array in (strength, gain, potential):
        array.flags.writeable = False
    return BoardValues(strength, gain, potential)


@lru_cache(maxsize=_BOARDS)
def board_order(board: tuple[Card, ...]) -> BoardOrder:
    """Rank all holdings on a board of three to five cards, ascending."""
    level, order = np.empty(HOLDINGS, np.int32), np.empty(HOLDINGS, np.int16)
    count = rank_all(np.array(board, np.uint8), level, order)
    return BoardOrder(level, order[:count])


@cache
def board_tables() -> BoardTables:
    """Return the tables that the kernels read. They are cached: opening the files is slow.

    Raises `RailbirdError` if tables are missing and cannot be built.
    """
    tables = open_tables()
    return BoardTables(
        tables.flop_start,
        tables.flop_pattern,
        tables.flop_ihr,
        np.zeros(len(tables.flop_ihr), np.int32),
        tables.turn_start,
        tables.turn_pattern,
        tables.turn_ihr,
        np.zeros(len(tables.turn_ihr), np.int32),
        tables.river_start,
        tables.river_pattern,
        tables.river_ihr,
    )


# Income rates: the gain of each of the 169 starting-hand classes if everybody calls (Papp 1998).
#
# Everybody puts in one small bet, all cards are dealt, and the best hand wins (ties split the pot).
# The rate of a class is its mean gain per deal, in thousandths of that bet. The tables come with
# the package. `roll_out` computed them: exactly against one opponent, by sampling against three and
# six.


TABLES = (1, 3, 6)
"""Numbers of opponents that have a table of income rates."""

_FILE = "income_rates.csv"


@checked
@cache
def income_rates(opponents: int) -> NDArray[np.float64]:
    """Return the rate of each class, (169,) in thousandths of a small bet.

    Raises `BadInput` for a number of opponents without a table.

    >>> rates = income_rates(6)
    >>> best = np.argsort(-rates)[:5]
    >>> [CLASS_NAMES[i] for i in best]
    ['AA', 'KK', 'QQ', 'JJ', 'AKs']
    """
    if opponents not in TABLES:
        raise BadInput(f"income rates against {opponents}; allowed: {', '.join(map(str, TABLES))}")
    file = resources.files("railbird.modelling").joinpath("data", _FILE)
    rates = np.empty(len(CLASS_NAMES))
    for line in io.StringIO(file.read_text("utf-8")):
        hand, *by_opponents = line.split(",")
        if hand != "hand":
            rates[parse_class(hand)] = float(by_opponents[TABLES.index(opponents)])
    rates.flags.writeable = False
    return rates


_MOST_OPPONENTS = 9
"""Most opponents in a roll-out, because `equity` takes ten players."""


@checked
def roll_out(
    opponents: int, *, samples: int, rng: np.random.Generator, classes: range | None = None
) -> NDArray[np.float64]:
    """Compute the rates of classes, from ``samples`` deals each or exactly against one opponent.

    Raises `BadInput` for fewer than one opponent or more than nine.

    >>> rates = roll_out(6, samples=20_000, rng=np.random.default_rng(1), classes=range(1))
    >>> 1900 < float(rates[0]) < 2200
    True
    """
    if not 1 <= opponents <= _MOST_OPPONENTS:
        raise BadInput(f"{opponents} opponents; allowed: 1 to {_MOST_OPPONENTS}")
    rates = []
    for kind in classes or range(len(CLASS_NAMES)):
        holding = format_holding(holdings_of_class(HandClass(kind))[0])
        result = equity(
            [holding, *["random"] * opponents],
            mode=Mode.AUTO if opponents == 1 else Mode.SAMPLED,
            samples=samples,
            rng=rng,
        )
        rates.append(1000 * ((opponents + 1) * result.players[0].equity - 1))
    return np.array(rates)


# The weights after an action.


Weights = NDArray[np.float64]
"""(1326,), 0 to 1, proportional to the probabilities of the holdings; 0 if a card is exposed."""

_HANDS = 1 << 10
"""Number of arrays of each kind that are cached: enough for all observers of some dozens of hands.
More would hardly help. When the same cards return with exchanged seats, the actions differ."""


class Side(Enum):
    """Which holdings an action makes more likely."""

    ABOVE = "above"
    """Those above the threshold: a call, a bet or a raise."""
    BELOW = "below"
    """Those below it: a check, when better holdings would have bet. This goes beyond the source."""


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Weights of one player's holdings after some actions; later board cards are still in."""

    weights: Weights


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """How a player is assumed to rank its holdings from the flop on, (1326,) each."""

    values: NDArray[np.float64]
    """EHS' against one opponent, with crude potential."""
    potential: NDArray[np.float64]
    """The crude potential."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one action says about its player's holding."""

    board: tuple[Card, ...]
    """The board's cards, ascending; empty before the flop."""
    mean: float
    """The action's threshold, as the share of hands below it."""
    pot_odds: float
    """Potential from which a draw keeps its weight, the pot odds of the action; 1 for never."""
    scale: Scale | None = None
    """Ranking of holdings from the flop on; None before it, where income rates rank them."""
    spread: float = 1.0
    """How much the player's thresholds vary, relative to the usual spread."""
    side: Side = Side.ABOVE
    floor: float = LOW
    """The smallest factor and weight."""

    @property
    def rank(self) -> tuple[bool, float]:
        """Sort key: only a street's highest evidence counts, and checks rank lowest."""
        return self.side is Side.ABOVE, self.mean


ANYTHING = Belief(np.ones(HOLDINGS))
"""The belief before anything has been observed."""
ANYTHING.weights.flags.writeable = False


@lru_cache(maxsize=_HANDS)
def reweight(belief: Belief, evidence: Evidence) -> Belief:
    """Return the belief after an action's evidence."""
    weights = np.maximum(belief.weights * factors(evidence), evidence.floor)
    weights.flags.writeable = False
    return Belief(weights)


@lru_cache(maxsize=_HANDS)
def weights_given_board(belief: Belief, board: tuple[Card, ...]) -> Weights:
    """Return the weights of a belief on a board, 0 for holdings that share a card with it."""
    if not board:
        return belief.weights
    weights = np.where(_blocked(board), 0.0, belief.weights)
    weights.flags.writeable = False
    return weights


@lru_cache(maxsize=_HANDS)
def field_of(beliefs: tuple[Belief, ...], board: tuple[Card, ...]) -> Weights:
    """Return the mean of the normalised weights of several players on a board."""
    field = chances_of(beliefs[0], board).copy()
    for belief in beliefs[1:]:
        field += chances_of(belief, board)
    field /= len(beliefs)
    field.flags.writeable = False
    return field


@lru_cache(maxsize=_HANDS)
def chances_of(belief: Belief, board: tuple[Card, ...]) -> Weights:
    """Return the normalised weights of a belief on a board."""
    chances = np.empty(HOLDINGS)
    normalise(belief.weights, CARD_MASK[list(board)].sum(), chances)
    return chances


@lru_cache(maxsize=_HANDS)
def field_scale(opponents: tuple[Belief, ...], board: tuple[Card, ...]) -> Scale:
    """Rank the holdings on a board by strength against the field of a player's opponents.

    However many opponents there are, the strength is that against one of them, as in the source.
    """
    potential, ranked = board_values(board).potential, board_order(board)
    values = np.empty(HOLDINGS)
    value_by_field(ranked.level, ranked.order, field_of(opponents, board), potential, values)
    return Scale(values, potential)


@lru_cache(maxsize=1 << 12)
def percentile_scale(board: tuple[Card, ...]) -> Scale:
    """Rank the holdings on a board by strength against a random holding."""
    values = board_values(board)
    return Scale(values.ehs, values.potential)


def factors(evidence: Evidence) -> Weights:
    """Return the factors by which an action multiplies the weight of each holding."""
    if evidence.scale is None:
        return _preflop_factors(evidence.mean, evidence.spread, evidence.floor)
    spread = POSTFLOP_SPREAD * (1 - evidence.mean) * evidence.spread
    floor = evidence.floor
    rising = interpolated(evidence.scale.values, evidence.mean, spread, least=0.0, floor=floor)
    if evidence.side is Side.BELOW:
        return 1 + floor - rising
    return np.where(evidence.scale.potential >= evidence.pot_odds, 1.0, rising)


@lru_cache(maxsize=_HANDS)
def _preflop_factors(mean: float, spread: float, floor: float) -> Weights:
    if mean < LEAST_PREFLOP_MEAN:
        return np.ones(HOLDINGS)
    rates, ascending = _rates()
    place = mean * (HOLDINGS - 1)
    below = min(int(place), HOLDINGS - 2)
    step = ascending[below + 1] - ascending[below]
    middle = float(ascending[below] + (place - below) * step)
    return interpolated(rates, middle, PREFLOP_SPREAD * spread, least=-np.inf, floor=floor)


@cache
def _rates() -> tuple[Weights, Weights]:
    """Return each holding's income rate against six opponents, and all rates ascending."""
    rates = income_rates(6)[CLASS_OF_HOLDING]
    return rates, np.sort(rates)


def interpolated(
    values: NDArray[np.float64], mean: float, spread: float, *, least: float, floor: float = LOW
) -> NDArray[np.float64]:
    """Return factors that rise from ``floor`` at ``mean - spread`` to 1 at ``mean + spread``.

    If the line would begin below ``least``, the smallest possible value, it begins at ``least``
    instead, at the height that leaves the area under it the same.

    >>> interpolated(np.array([0.0, 0.5, 0.6, 0.9]), 0.5, 0.2, least=0.0).round(3).tolist()
    [0.01, 0.505, 0.752, 1.0]
    >>> interpolated(np.array([0.0]), 0.1, 0.3, least=0.0).round(3).tolist()
    [0.5]
    """
    base, low, width = floor, mean - spread, max(2 * spread, 1e-9)
    if low < least:
        base = (spread - (mean - least)) / (spread + (mean - least))
        low, width = least, mean + spread - least
    return np.clip(base + (1 - base) * (values - low) / width, floor, 1.0)


@lru_cache(maxsize=_HANDS)
def _blocked(board: tuple[Card, ...]) -> NDArray[np.bool_]:
    either: NDArray[np.bool_] = np.isin(HOLDING_CARDS, board)
    return either[:, 0] | either[:, 1]


# How much a player's thresholds vary, learned from the hands that it shows. Beyond Papp 1998.
#
# The source gives everybody the same spread and leaves learning it to future work. Each candidate
# spread gives a shown hand a likelihood, given its player's actions. The likelihoods of all shown
# hands and a prior centred on the usual spread are multiplied, and the estimate is the posterior
# mean of the spread's logarithm. Folded hands are never shown; the estimate does not correct for
# that selection.


OCTAVES: NDArray[np.float64] = np.linspace(-2, 2, 9)
"""Candidate spreads, as base-2 logarithms of their ratio to the usual one."""
PRIOR: NDArray[np.float64] = -(OCTAVES**2) / 2
"""Log prior of these spreads: most players are within a factor of two of the usual one."""
STREETS = 2
"""Number of scales: income rates before the flop, EHS' from the flop on."""
_STEPS = 4
"""Estimates are rounded to 1/4 octave. Players with equal estimates can then share arrays."""


class ThresholdSpread:
    """Estimates one player's spreads from its shown hands."""

    def __init__(self, evidence: Sequence[Sequence[float]] | None = None) -> None:
        self._evidence = np.zeros((STREETS, len(OCTAVES)))
        if evidence is not None:
            self._evidence[:] = evidence

    @property
    def evidence(self) -> list[list[float]]:
        """Log-likelihoods of the shown hands, by scale and candidate spread."""
        return self._evidence.tolist()

    def show(self, start: Belief, evidence: Evidence, holding: Holding) -> None:
        """Add a shown holding, given an action's evidence and the belief when the street began."""
        self._evidence[_kind(evidence)] += chances(start, evidence, holding)

    def of(self, *, postflop: bool) -> float:
        """Return the estimated spread relative to the usual one; 1 before any hand was shown.

        >>> ThresholdSpread().of(postflop=True)
        1.0
        """
        logs = self._evidence[int(postflop)]
        if not logs.any():
            return 1.0
        weight = np.exp(logs + PRIOR - np.max(logs + PRIOR))
        octaves = float((OCTAVES * weight).sum() / weight.sum())
        return float(2 ** (round(octaves * _STEPS) / _STEPS))


@lru_cache(maxsize=1 << 12)
def chances(start: Belief, evidence: Evidence, holding: Holding) -> NDArray[np.float64]:
    """Return the log-likelihood of a holding given an action, for each candidate spread."""
    before = weights_given_board(start, evidence.board)
    logs = np.empty(len(OCTAVES))
    for i, octaves in enumerate(OCTAVES.tolist()):
        after = before * factors(replace(evidence, spread=2**octaves))
        logs[i] = np.log(after[holding] / after.sum())
    return logs


def _kind(evidence: Evidence) -> int:
    return int(bool(evidence.board))
