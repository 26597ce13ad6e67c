"""Booker's players: the first by its probability alone, the others with what opponents showed."""

from __future__ import annotations

import numpy as np

from railbird.game import Action, Call, Event, Raise, View
from railbird.modelling.opponent_statistics import OpponentObserver
from railbird.players.booker.explain import explained
from railbird.players.booker.judgement import Judgement
from railbird.players.booker.rules import Decision, Rule, decide
from railbird.players.booker.settings import BookerSettings
from railbird.players.booker.situation import situation_of
from railbird.players.explanation import Explanation
from railbird.players.policy import Distribution, RaiseSizes
from railbird.units import Chips

_CALL = Call()


class BookerPlayer:
    """Plays the list of rules of its generation; remembers nothing."""

    def __init__(self, settings: BookerSettings) -> None:
        self.settings = settings
        self._last: tuple[Judgement, Decision] | None = None

    def reset(self, rng: np.random.Generator) -> None:
        """Do nothing but forget the last decision."""
        self._last = None

    def act(self, view: View) -> Action:
        """Decide by the first rule that applies."""
        self._last = self._decide(view)
        return self._last[1].action

    def distribution(self, view: View) -> Distribution:
        """Return its one action: what is drawn is drawn before the hand."""
        return Distribution.certain(self._decide(view)[1].action)

    def explain(self, view: View) -> Explanation:
        """Explain the last answer. Raises `LookupError` before the first."""
        if self._last is None:
            raise LookupError("this player has not decided anything yet")
        return explained(*self._last)

    def _decide(self, view: View) -> tuple[Judgement, Decision]:
        mind = Judgement(situation_of(view), self.settings, self._observer)
        return mind, self._special(mind) or decide(mind)

    @property
    def _observer(self) -> OpponentObserver | None:
        return None

    def _special(self, mind: Judgement) -> Decision | None:
        """Return a decision that goes before the list."""
        return None


class Countdown:
    """Chooses hands at random intervals: after 0 to ``most`` others comes one that is chosen."""

    def __init__(self, most: int, rng: np.random.Generator) -> None:
        self._most = most
        self._rng = rng
        self._left = self._drawn()

    def next_hand(self) -> bool:
        """Begin a hand; return whether it is chosen. A chosen one stays due until `done`."""
        if self._left:
            self._left -= 1
            return False
        return True

    def done(self) -> None:
        """Count the chosen hand as played, and draw the next interval."""
        self._left = self._drawn()

    def _drawn(self) -> int:
        return int(self._rng.integers(self._most + 1))


class NoisyBooker(BookerPlayer):
    """Plays like the first generation, but some hands as `always-raise:random`."""

    def __init__(self, settings: BookerSettings) -> None:
        super().__init__(settings)
        self.reset(np.random.default_rng(0))

    def reset(self, rng: np.random.Generator) -> None:
        """Start anew."""
        super().reset(rng)
        self._rng = rng
        self._countdown = Countdown(self.settings.noise, rng)
        self._raises = False

    def begin(self, view: View) -> None:
        """Draw whether this hand is raised throughout."""
        self._raises = self._countdown.next_hand()
        if self._raises:
            self._countdown.done()

    def observe(self, view: View, event: Event) -> None:
        """Do nothing."""

    def end(self, view: View) -> None:
        """Do nothing."""

    def distribution(self, view: View) -> Distribution:
        """Return one action, or a raise of any size in a hand that is raised throughout."""
        state = view.state
        low, high = state.min_raise_to, state.max_raise_to
        if self._raises and low is not None and high is not None:
            return Distribution(raises=(RaiseSizes(low, high, 1.0),))
        return super().distribution(view)

    def _special(self, mind: Judgement) -> Decision | None:
        if not self._raises:
            return None
        low, high = mind.situation.low, mind.situation.high
        if low is None or high is None:
            return Decision(Rule.NOISE, _CALL)
        return Decision(Rule.NOISE, Raise(Chips(int(self._rng.integers(low, high + 1)))))


class LearningBooker(BookerPlayer):
    """Keeps statistics of its opponents, and pays to see their cards if the settings say so."""

    def __init__(self, settings: BookerSettings) -> None:
        super().__init__(settings)
        self.opponents = OpponentObserver(memory=settings.memory, place=settings.database)
        self.reset(np.random.default_rng(0))

    def reset(self, rng: np.random.Generator) -> None:
        """Forget all opponents, except in the database."""
        super().reset(rng)
        self.opponents.reset()
        self._countdown = Countdown(self.settings.pay, rng) if self.settings.pay else None
        self._pays = False

    def meet(self, people: tuple[int, ...]) -> None:
        """Set the player in each seat of the next hand."""
        self.opponents.meet(people)

    def introduce(self, names: tuple[str, ...]) -> None:
        """Set players' names by number; those in the database are recognised."""
        self.opponents.introduce(names)

    def begin(self, view: View) -> None:
        """Begin a hand; it may be one that is called down."""
        self.opponents.begin(view)
        self._pays = self._countdown is not None and self._countdown.next_hand()

    def observe(self, view: View, event: Event) -> None:
        """Record an event."""
        self.opponents.observe(view, event)

    def end(self, view: View) -> None:
        """Learn from the hand."""
        self.opponents.end(view)
        if self._pays and self._countdown is not None:
            self._countdown.done()

    def commit(self) -> None:
        """Write what was learned, if there is a database, and forget everybody."""
        self.opponents.commit()

    def rollback(self) -> None:
        """Forget what was learned since `commit`, which will be played again."""
        self.opponents.rollback()

    def close(self) -> None:
        """Write what the last session taught, if there is a database."""
        self.opponents.close()

    @property
    def _observer(self) -> OpponentObserver:
        return self.opponents

    def _special(self, mind: Judgement) -> Decision | None:
        """Call in a hand that is paid for, but never for all the chips.

        Information is worth nothing to a player who is out; the payment stays due.
        """
        if not self._pays or mind.situation.is_all_in_call:
            return None
        return Decision(Rule.PAY, _CALL)
