"""Card counting: systems, counts, the advantage that a count indicates, and how to use it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from railbird.blackjack.chart import ROWS, UPCARDS, chart_of
from railbird.blackjack.exact import Strategy, basic_strategy
from railbird.blackjack.rules import HIGHEST_INDEX, RANKS, Rules, Shoe
from railbird.blackjack.tables import CARDS, COUNTS, HANDS, PAIRED, SOFT, TOTAL
from railbird.errors import BadInput, unknown_name
from railbird.progress import Progress

_Counts = TypeVar("_Counts", float, npt.NDArray[np.float64])

STEPS: Final = 3
"""Number of shoes per true count for which strategies are computed."""


@dataclass(frozen=True, slots=True)
class CountSystem:
    """The tags of the ranks A, 2, ... T, and how the count is read."""

    name: str
    tags: tuple[float, ...]
    by_deck: bool = True
    """Whether the running count is divided by the decks left, which gives the true count."""

    @property
    def drift(self) -> float:
        """How much the count rises per card on average; 0 for a balanced system."""
        return float(np.dot(self.tags, _DECK) / 52.0)

    def start(self, rules: Rules) -> float:
        """Return the count for a new shoe, such that it ends at the sum of one deck's tags."""
        return 0.0 if self.by_deck else -52.0 * self.drift * (rules.decks - 1)

    def true_count(self, count: _Counts, rules: Rules, decks_left: float) -> _Counts:
        """Return the true count for a count that this system shows."""
        if self.by_deck:
            return count
        # An unbalanced count rises by its drift with each card seen, whatever comes; taking that
        # off leaves what the cards say.
        seen = 52.0 * (rules.decks - decks_left)
        return (count - self.start(rules) - self.drift * seen) / decks_left


_DECK: Final = np.array([4.0] * 9 + [16.0])

SYSTEMS: Final[Mapping[str, CountSystem]] = {
    system.name: system
    for system in (
        # Dubner (1963); Revere (1969)
        CountSystem("hi-lo", (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)),
        # Vancura and Fuchs, Knock-Out Blackjack (1998): starts at 4 less 4 per deck
        CountSystem("ko", (-1, 1, 1, 1, 1, 1, 1, 0, 0, -1), by_deck=False),
        # Carlson, Blackjack for Blood (1992)
        CountSystem("omega-ii", (0, 1, 1, 2, 2, 2, 1, 0, -1, -2)),
    )
}


def parse_system(text: str) -> CountSystem:
    """Read the name of a system, or ten tags for A, 2, ... T. Raises `BadInput`.

    >>> parse_system("hi-lo").tags[:3], parse_system("-1/1/1/1/1/1/0/0/0/-1").drift
    ((-1, 1, 1), 0.0)
    """
    name = text.strip().lower()
    if name in SYSTEMS:
        return SYSTEMS[name]
    if "/" not in name:
        raise unknown_name("counting system", text, SYSTEMS)
    try:
        tags = tuple(float(tag) for tag in name.split("/"))
    except ValueError:
        raise BadInput(
            f"tags {text!r}; allowed: ten numbers such as -1/1/1/1/1/1/0/0/0/-1"
        ) from None
    if len(tags) != len(RANKS) or not all(abs(tag) <= 10 for tag in tags) or not any(tags):
        raise BadInput(f"tags {text!r}; allowed: ten numbers from -10 to 10, for A, 2, ... T")
    return CountSystem(text, tags)


def expected_shoe(system: CountSystem, true_count: float, decks: float) -> Shoe:
    """Return the mean composition of ``decks`` decks at a true count, with fractions of cards.

    The tags of the remaining cards sum to minus the count. Given that sum, the expected number of
    cards of a rank falls linearly with the rank's tag (regression of hypergeometric counts).

    >>> expected_shoe(SYSTEMS["hi-lo"], 4.0, 2.0).round(2).tolist()[0]
    8.8
    """
    # The drift is taken off so that an average card has the tag nought and a full deck its own
    # composition.
    tags = np.array(system.tags) - system.drift
    slope = true_count / float(np.dot(_DECK, tags * tags))
    # Far from the mean the regression would have fewer than no cards of a rank.
    return np.maximum(decks * _DECK * (1.0 - slope * tags), 0.0)


@dataclass(frozen=True, slots=True)
class IndexPlay:
    """A cell of the chart whose play changes with the count."""

    row: str
    upcard: str
    below: str
    """The play at lower counts."""
    count: int
    """The lowest count, rounded down, for the other play."""
    above: str


def counted_strategies(
    rules: Rules, system: CountSystem, *, progress: Progress | None = None
) -> dict[int, Strategy]:
    """Return the basic strategy at each count, for the expected composition of the shoe.

    The count is that at the decision, with hand and upcard counted. Half of the shoe is assumed to
    be left, which matters little for a true count. A pair is split only once.
    """
    known = strategies_by_count(rules, system)
    strategies: dict[int, Strategy] = {}
    counts = index_counts(rules, system)
    for done, count in enumerate(counts):
        strategies[count] = known(count)
        if progress is not None:
            progress(done + 1, len(counts), "computing index plays")
    return strategies


class _Known:
    """Strategies by count, assembled from strategies for shoes before the deal."""

    def __init__(self, rules: Rules, system: CountSystem) -> None:
        self.rules, self.system = rules, system
        self.decks = max(rules.decks, 1) / 2.0
        self.found: dict[int, Strategy] = {}
        self.before: dict[int, Strategy] = {}
        self.tags = _mean_tags(system)

    def __call__(self, count: int) -> Strategy:
        if count not in self.found:
            actions = np.zeros((len(RANKS), 3, HANDS), np.int8)
            for upcard, tag in enumerate(self.system.tags):
                # Strategies are computed for a few shoes per true count only, and hands that lead
                # to one shoe share it.
                steps = np.rint(STEPS * self._true_count_before(count, tag)).astype(int)
                for step in np.unique(steps):
                    same = steps == step
                    actions[upcard][:, same] = self._before(int(step)).actions[upcard][:, same]
            self.found[count] = Strategy(name="basic", rules=self.rules, actions=actions)
        return self.found[count]

    def _true_count_before(self, count: int, tag: float) -> npt.NDArray[np.float64]:
        """Return true counts before the deal, (hands,), from one after it and the upcard's tag."""
        seen = self.tags + tag
        if not self.system.by_deck:
            running = count - seen
            return self.system.true_count(running, self.rules, self.decks)
        # The count is a whole number, rounded down, so on average the true count lies half above
        # it. From there the tags of the upcard and of the hand are put back, as the exact values
        # are for shoes before the deal.
        cards = 1.0 + CARDS
        left = self.decks - cards / 52.0
        before: npt.NDArray[np.float64] = (count + 0.5) * left - seen + self.system.drift * cards
        return before / self.decks

    def _before(self, step: int) -> Strategy:
        if step not in self.before:
            shoe = expected_shoe(self.system, step / STEPS, self.decks)
            self.before[step] = basic_strategy(replace(self.rules, resplits=0), shoe=shoe)
        return self.before[step]


def _mean_tags(system: CountSystem) -> npt.NDArray[np.float64]:
    """Return the mean sum of tags, (hands,), over hands that a chart does not distinguish."""
    chances = np.array([_orders(cards) for cards in COUNTS]) * np.prod(
        (_DECK / 52.0) ** COUNTS, axis=1
    )
    # A chart tells hands of two cards from longer ones, since only those may be doubled, but not by
    # how many cards are longer.
    kinds = np.stack([TOTAL, SOFT, np.minimum(CARDS, 3), PAIRED], axis=1)
    _, kind = np.unique(kinds, axis=0, return_inverse=True)
    sums = np.bincount(kind.ravel(), chances * (COUNTS @ np.array(system.tags)))
    means: npt.NDArray[np.float64] = (sums / np.bincount(kind.ravel(), chances))[kind.ravel()]
    return means


def _orders(cards: npt.NDArray[np.int8]) -> float:
    """Return the number of orders in which the cards can come."""
    counts = [int(count) for count in cards]
    return math.factorial(sum(counts)) / math.prod(math.factorial(count) for count in counts)


@lru_cache(maxsize=4)
def strategies_by_count(rules: Rules, system: CountSystem) -> Callable[[int], Strategy]:
    """Return a function that gives the strategy at a count, and caches it."""
    return _Known(rules, system)


def index_counts(rules: Rules, system: CountSystem) -> range:
    """Return the counts for which strategies are computed."""
    if system.by_deck:
        return range(-HIGHEST_INDEX, HIGHEST_INDEX + 1)
    return range(-2 * HIGHEST_INDEX, HIGHEST_INDEX + 1)


def index_plays(
    rules: Rules, system: CountSystem, *, progress: Progress | None = None
) -> list[IndexPlay]:
    """Return the counts at which the chart changes, by exact values for the expected shoes."""
    charts = {
        count: chart_of(strategy)
        for count, strategy in counted_strategies(rules, system, progress=progress).items()
    }
    counts = sorted(charts)
    return [
        IndexPlay(row, upcard, charts[count - 1][row][upcard], count, charts[count][row][upcard])
        for row in ROWS
        for upcard in UPCARDS
        for count in counts[1:]
        if charts[count - 1][row][upcard] != charts[count][row][upcard]
    ]


def insurance_index(rules: Rules, system: CountSystem) -> int | None:
    """Return the lowest count, rounded down, at which insurance wins; None if there is none."""
    decks = max(rules.decks, 1) / 2.0
    for count in index_counts(rules, system):
        middle = count + 0.5 if system.by_deck else float(count)
        shoe = expected_shoe(system, system.true_count(middle, rules, decks), decks)
        if shoe[-1] / shoe.sum() > 1.0 / 3.0:  # the count includes the dealer's ace
            return count
    return None
