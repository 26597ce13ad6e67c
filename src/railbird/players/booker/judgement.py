"""What a Booker player believes when it decides: its own chances and its opponents' hands.

Everything is computed when a rule asks for it, and what is said about an opponent names the number
of shown hands behind it. An opponent is judged by its latest action in the hand, on whichever
street that was; one who has not acted, or of whose hands after such an action none was shown, has
no estimate. No rule that compares with an estimate applies where nobody has one.
"""

from __future__ import annotations

from functools import cached_property

from railbird.cards import CLASS_OF_HOLDING, cards_of, strength
from railbird.cards.starting_groups import starting_groups
from railbird.modelling.opponent_statistics import OpponentObserver, OpponentStatistics, SeenAction
from railbird.modelling.opponent_statistics.opponent import Mean
from railbird.modelling.opponent_statistics.rolling import stage_of
from railbird.odds.hand_rank.final_strength import state_rating
from railbird.odds.win_probability.win_probability import WinProbability, state_probability
from railbird.players.booker.settings import SAMPLED_DEALS, Amounts, BookerSettings, Prob, Ties
from railbird.players.booker.situation import Situation
from railbird.units import Seat

Estimates = tuple[tuple[Seat, Mean | None], ...]
"""By opponent who is still in the hand."""


class Judgement:
    """The beliefs behind one decision."""

    def __init__(
        self, situation: Situation, settings: BookerSettings, observer: OpponentObserver | None
    ) -> None:
        self.situation = situation
        self.settings = settings
        self._observer = observer

    @cached_property
    def probability(self) -> WinProbability:
        """The own probability of winning against any two cards of each opponent."""
        now, settings = self.situation, self.settings
        deals = SAMPLED_DEALS if settings.prob is Prob.SAMPLED else None
        seconds = None if settings.ms is None else settings.ms / 1000
        return state_probability(now.holding, now.board, len(now.opponents), deals, seconds)

    @property
    def worth(self) -> float:
        """The probability that the rules use, with the settings' value of a tie."""
        found = self.probability
        return found.unbeaten if self.settings.ties is Ties.WIN else found.share

    @property
    def raise_from(self) -> float:
        """The probability that is worth a raise."""
        return self.settings.multiple * self.situation.average

    @cached_property
    def group(self) -> int:
        """The group of the own starting hand, from 1."""
        groups = self.settings.groups
        number = starting_groups(groups).item(CLASS_OF_HOLDING[self.situation.holding])
        return int(number) + 1 - groups.first

    @cached_property
    def groups(self) -> Estimates:
        """Mean group of the starting hands that opponents have shown where they now are."""
        blinds, groups = self.situation.state.rules.blinds, self.settings.groups
        means = []
        for seat in self.situation.opponents:
            mean = self._known[seat].mean_group(groups, on_blind=blinds[seat] > 0)
            shifted = None if mean is None else Mean(mean.value + 1 - groups.first, mean.n)
            means.append((seat, shifted))
        return tuple(means)

    @cached_property
    def strength(self) -> int:
        """Strength of the own cards now, 0 to 7461; from the flop on."""
        return int(strength((*cards_of(self.situation.holding), *self.situation.board)))

    @cached_property
    def strengths(self) -> Estimates:
        """Mean strength that opponents have shown down."""
        known = self._known
        return tuple([(seat, known[seat].showdown_strength) for seat in self.situation.opponents])

    @cached_property
    def rating(self) -> float:
        """Rating of the own hand on this board."""
        return state_rating(self.situation.holding, self.situation.board)

    @cached_property
    def ratings(self) -> Estimates:
        """Mean rating of the hands that opponents have shown after what they did last."""
        found = []
        for seat in self.situation.opponents:
            seen = self._known.last_action(seat)
            mean = None if seen is None else self._known[seat].rating(seen.street, seen.action)
            found.append((seat, mean))
        return tuple(found)

    @cached_property
    def estimates(self) -> Estimates:
        """Opponents' estimated probability of winning, by what they did last and paid for it."""
        return tuple([(seat, self._estimate(seat)) for seat in self.situation.opponents])

    def last_action(self, seat: Seat) -> SeenAction | None:
        """Return an opponent's latest action in the hand."""
        return self._known.last_action(seat)

    @property
    def lone_aggression(self) -> Mean | None:
        """Aggression of the only opponent at the table; None at a larger table."""
        if self.situation.state.rules.seats != 2:
            return None
        return self._known[self.situation.opponents[0]].aggression

    def _estimate(self, seat: Seat) -> Mean | None:
        seen = self._known.last_action(seat)
        if seen is None:
            return None
        blinds = self.situation.state.rules.blinds
        big_blind = max(blinds) if self.settings.amounts is Amounts.BLINDS else None
        found = self._known[seat].probability(
            stage_of(seen.street, on_blind=blinds[seat] > 0),
            seen.action,
            seen.paid,
            big_blind=big_blind or None,
        )
        needed = min(self.settings.trust, self.settings.memory)
        return found if found is not None and found.n >= needed else None

    @property
    def learns(self) -> bool:
        """Whether there are statistics of opponents."""
        return self._observer is not None

    def known(self, seat: Seat) -> OpponentStatistics:
        """Return the statistics of an opponent."""
        return self._known[seat]

    @property
    def _known(self) -> OpponentObserver:
        assert self._observer is not None  # only players that observe have rules that ask
        return self._observer


def highest(estimates: Estimates) -> float | None:
    """Return the highest estimate; None if there is none."""
    return max([mean.value for _, mean in estimates if mean is not None], default=None)


def lowest(estimates: Estimates) -> float | None:
    """Return the lowest estimate; None if there is none."""
    return min([mean.value for _, mean in estimates if mean is not None], default=None)
