"""Card counting: systems, counts, what a count says of the shoe, and what to do about it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from scipy.special import ndtr

from railbird.blackjack.chart import ROWS, UPCARDS, chart_of
from railbird.blackjack.exact.strategy import Strategy, basic_strategy
from railbird.blackjack.rules import Rules
from railbird.blackjack.settings import HIGHEST_INDEX
from railbird.blackjack.shoe import RANKS, Shoe
from railbird.errors import BadInput, unknown_name
from railbird.progress import Progress


@dataclass(frozen=True, slots=True)
class CountSystem:
    """Tags of the ranks A, 2, ... T, and how the count is read."""

    name: str
    tags: tuple[float, ...]
    by_deck: bool = True
    """The running count is divided by the decks left (the true count)."""

    @property
    def drift(self) -> float:
        """What the count gains per card on average; 0 for a balanced system."""
        return float(np.dot(self.tags, _DECK) / 52.0)

    def start(self, rules: Rules) -> float:
        """Return the count of a new shoe: what lets it end at the sum of one deck's tags."""
        return 0.0 if self.by_deck else -52.0 * self.drift * (rules.decks - 1)

    def true_count(self, count: float, rules: Rules, decks_left: float) -> float:
        """Return the true count for a count as this system reads it."""
        if self.by_deck:
            return count
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
    """Read a system's name, or ten tags for A, 2, ... T. Raises `BadInput`.

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

    Given a sum of tags, the expected number of cards of a rank falls linearly with the rank's tag
    (regression of hypergeometric counts): the remaining tags add up to minus the count.

    >>> expected_shoe(SYSTEMS["hi-lo"], 4.0, 2.0).round(2).tolist()[0]
    8.8
    """
    tags = np.array(system.tags) - system.drift
    slope = true_count / float(np.dot(_DECK, tags * tags))
    return np.maximum(decks * _DECK * (1.0 - slope * tags), 0.0)


@dataclass(frozen=True, slots=True)
class IndexPlay:
    """A cell of the chart that changes with the count."""

    row: str
    upcard: str
    below: str
    """What to do at lower counts."""
    count: int
    """The lowest count, rounded down, for the other play."""
    above: str


def counted_strategies(
    rules: Rules, system: CountSystem, *, progress: Progress | None = None
) -> dict[int, Strategy]:
    """Return the basic strategy for the expected shoe at each count.

    Half of the shoe is left, which matters little for a true count; a pair is split only once.
    """
    known = _counted(rules, system)
    strategies: dict[int, Strategy] = {}
    counts = index_counts(rules, system)
    for done, count in enumerate(counts):
        strategies[count] = known(count)
        if progress is not None:
            progress(done + 1, len(counts), "computing index plays")
    return strategies


class _Known:
    def __init__(self, rules: Rules, system: CountSystem) -> None:
        self.rules, self.system = rules, system
        self.found: dict[int, Strategy] = {}

    def __call__(self, count: int) -> Strategy:
        if count not in self.found:
            decks = max(self.rules.decks, 1) / 2.0
            shoe = _shoe_at(self.rules, self.system, count, decks)
            self.found[count] = basic_strategy(self.rules, shoe=shoe)
        return self.found[count]


def _shoe_at(rules: Rules, system: CountSystem, count: int, decks: float) -> Shoe:
    """The expected shoe for a count that is rounded down: half way to the next true count."""
    middle = count + 0.5 if system.by_deck else float(count)
    return expected_shoe(system, system.true_count(middle, rules, decks), decks)


@lru_cache(maxsize=4)
def _counted(rules: Rules, system: CountSystem) -> _Known:
    return _Known(rules, system)


def index_counts(rules: Rules, system: CountSystem) -> range:
    """Return the counts for which strategies are computed."""
    if system.by_deck:
        return range(-HIGHEST_INDEX, HIGHEST_INDEX + 1)
    return range(-2 * HIGHEST_INDEX, HIGHEST_INDEX + 1)


def index_plays(
    rules: Rules, system: CountSystem, *, progress: Progress | None = None
) -> list[IndexPlay]:
    """Compute at which counts the chart changes, by exact values of the expected shoes."""
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
        shoe = _shoe_at(rules, system, count, decks)
        if shoe[-1] / (shoe.sum() - 1.0) > 1.0 / 3.0:  # the dealer's ace is out
            return count
    return None


def risk_of_ruin(mean: float, sd: float, bankroll: float, *, rounds: float = math.inf) -> float:
    """Return the probability of losing a bankroll, ever or within a number of rounds.

    Winnings are taken as a Brownian motion with this mean and standard deviation a round, which
    many rounds are; with no mean above zero the bankroll is lost sooner or later. Raises
    `BadInput` for a bankroll or a deviation that is none.

    >>> round(risk_of_ruin(0.01, 1.15, 500.0), 5), risk_of_ruin(-0.005, 1.15, 500.0)
    (0.00052, 1.0)
    """
    if not (bankroll > 0 and sd > 0 and rounds > 0):
        raise BadInput(f"bankroll {bankroll:g}, deviation {sd:g}; allowed: more than 0")
    ever = math.exp(min(-2.0 * mean * bankroll / sd**2, 700.0))
    if math.isinf(rounds):
        return min(ever, 1.0)
    spread = sd * math.sqrt(rounds)
    low = float(ndtr((-bankroll - mean * rounds) / spread))
    return min(low + ever * float(ndtr((-bankroll + mean * rounds) / spread)), 1.0)
