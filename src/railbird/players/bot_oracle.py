"""A bot by what it says it would do, at any decision of any game and with any holding.

`bot_program` has the bot as it really plays.

The bot never plays here. It is asked with the message ``ask_strategy``, and so can be measured as
our own strategies are: by a local best response, which needs its range, and by AIVAT, which takes
out the luck of its actions. Whether it really plays as it says is another question. Its hands
answer that (`railbird.assessment.aivat`).
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from railbird.acpc import Disconnected
from railbird.cards import Holding, format_holding
from railbird.errors import BadInput, IllegalAction
from railbird.game import Action, DealHoles, Event, HandState, Moment, Rules, View, initial, step
from railbird.game.rules import HEADS_UP_NO_LIMIT
from railbird.players.bot_program import BotProgramPlayer, OneSeat
from railbird.players.policy import Distribution, RangeDistribution
from railbird.protocol import chosen_action
from railbird.protocol.messages import ActMessage, StrategyMessage
from railbird.units import Seat

MOST_HOLDINGS: Final = 128
"""Most holdings in one question. The answer is one line, and a line has at most 64 KiB."""

_TOLERANCE: Final = 1e-3
"""How far the probabilities of a holding may be from summing to one; they are then scaled."""


class _Bot:
    """A program that answers, started at the first question, and the hash it has named."""

    def __init__(self, command: str) -> None:
        self.program = BotProgramPlayer(command)
        self.name = f"bot:{command}"
        self.hash: str | None = None
        self.numbers = count(1)
        self._is_started = False
        weakref.finalize(self, self.program.close)

    def answers(self, seat: OneSeat, holdings: Sequence[int]) -> list[StrategyMessage]:
        """Return the answers, asking for `MOST_HOLDINGS` at a time. Raises `BadInput`."""
        texts = [format_holding(Holding(holding)) for holding in holdings]
        questions = [
            seat.asks_strategy(f"q{next(self.numbers)}", texts[first : first + MOST_HOLDINGS])
            for first in range(0, len(texts), MOST_HOLDINGS)
        ]
        try:
            if not self._is_started:
                self.program.reset(np.random.default_rng(0))
                self._is_started = True
            answers = self.program.answers(questions)
        except (Disconnected, TimeoutError) as problem:
            raise BadInput(f"{self.name} does not tell its strategy: {problem}") from None
        for answer in answers:
            self.hash = self.hash or answer.hash
            if answer.hash != self.hash:
                raise BadInput(
                    f"{self.name} tells of a strategy {answer.hash}, after one of {self.hash}; "
                    "allowed: one that does not change"
                )
        return answers


class BotOracle:
    """Draws its actions with the probabilities that a bot names."""

    def __init__(self, command: str) -> None:
        self._bot = _Bot(command)
        self._rng = np.random.default_rng(0)
        self._seat: OneSeat | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> BotOracle:
        """Return an independent copy that asks the same program."""
        copied = object.__new__(type(self))
        copied.__dict__ |= self.__dict__
        copied._seat = None if self._seat is None else self._seat.copy()
        return copied

    @property
    def strategy_hash(self) -> str:
        """The name that the bot gives its strategy. Raises `BadInput` if it gives none."""
        if self._bot.hash is None:
            self._bot.answers(*_first_decision(HEADS_UP_NO_LIMIT))
        assert self._bot.hash is not None
        return self._bot.hash

    def reset(self, rng: np.random.Generator) -> None:
        """Start a new stream of draws; the bot itself has nothing to forget."""
        self._rng, self._seat = rng, None

    def begin(self, view: View) -> None:
        """Begin a hand."""
        self._seat = _seat_of(view)

    def observe(self, view: View, event: Event) -> None:
        """Follow an event."""
        if self._seat is not None:
            self._seat.happened(View(view.seat, view.public), event)

    def end(self, view: View) -> None:
        """Do nothing: this player learns nothing."""

    def act(self, view: View) -> Action:
        """Draw an action."""
        return self.distribution(view).draw(self._rng)

    def distribution(self, view: View) -> Distribution:
        """Return what the bot says it would do with its own cards."""
        return self.range_distribution(view, np.array([view.holding])).row(0)

    def range_distribution(
        self, view: View, holdings: npt.NDArray[np.integer]
    ) -> RangeDistribution:
        """Return what the bot says it would do with each of the given holdings.

        Raises `BadInput` if the answers are not probabilities of legal actions.
        """
        if self._seat is None:
            raise BadInput(f"{self._bot.name} has seen no hand begin")
        answers = self._bot.answers(self._seat, holdings.tolist())
        columns: dict[Action, npt.NDArray[np.float64]] = {}
        for first, answer in zip(range(0, len(holdings), MOST_HOLDINGS), answers, strict=True):
            end = min(first + MOST_HOLDINGS, len(holdings))
            actions, table = self._table(answer, view.state, end - first)
            for action, shares in zip(actions, table.T, strict=True):
                columns.setdefault(action, np.zeros(len(holdings)))[first:end] = shares
        return RangeDistribution.by_action(list(columns), np.stack(list(columns.values()), axis=1))

    def close(self) -> None:
        """End the program."""
        self._bot.program.close()

    def _table(
        self, answer: StrategyMessage, state: HandState, holdings: int
    ) -> tuple[list[Action], npt.NDArray[np.float64]]:
        """Return the actions and their probabilities, (holdings, actions)."""
        name = self._bot.name
        try:
            actions = [
                chosen_action(ActMessage(turn="-", action=0, verb=said.verb, to=said.to), state)
                for said in answer.actions
            ]
        except IllegalAction as problem:
            raise BadInput(f"{name} tells of an action that is not allowed: {problem}") from None
        if len(set(actions)) < len(actions):
            raise BadInput(f"{name} tells of an action twice; allowed: each once")
        counts = {len(row) for row in answer.probabilities}
        if len(answer.probabilities) != holdings or counts != {len(actions)}:
            raise BadInput(
                f"{name} tells {len(answer.probabilities)} rows of probabilities; allowed: "
                f"{holdings}, each of {len(actions)}"
            )
        table = np.array(answer.probabilities, np.float64)
        total = table.sum(axis=1, keepdims=True)
        if (off := np.abs(total - 1)).max() > _TOLERANCE:
            wrong = float(total[int(off.argmax()), 0])
            raise BadInput(f"{name} tells probabilities that sum to {wrong:.4g}; allowed: 1")
        return actions, table / total


def _seat_of(view: View) -> OneSeat:
    """Begin to follow a hand in which no cards are known."""
    names = tuple(
        "asked" if seat == view.seat else f"other {seat}" for seat in range(view.rules.seats)
    )
    return OneSeat(0, View(view.seat, view.public), names)


def _first_decision(rules: Rules) -> tuple[OneSeat, list[int]]:
    """Return the first decision of a hand, and a holding to ask about."""
    state = step(initial(rules), DealHoles((None,) * rules.seats))
    assert state.actor is not None
    return _seat_of(Moment(state).view(Seat(state.actor))), [0]
