"""A table for one person that shows what each decision costs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from railbird.blackjack.exact import Action, HandValues, hand_values, peeks
from railbird.blackjack.round import Round
from railbird.blackjack.rules import Rules, Surrender, full_shoe, without
from railbird.blackjack.tables import ACTION, DEALER, INSURANCE, TEN
from railbird.errors import IllegalAction

INSURE, NO_INSURANCE, PLAY_ON = "insurance", "no insurance", "play on"
"""Choices that are not actions; `PLAY_ON` declines early surrender."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceVerdict:
    """A choice, and its cost compared with the best one."""

    hand: tuple[int, ...]
    upcard: int
    chosen: str
    best: str
    cost: float
    """Cost in wagers at the moment of the choice; 0 for the best choice."""
    values: dict[str, float]
    """The value of each choice that there was."""


@dataclass(slots=True)
class TrainingRound:
    """One round from a full shoe, dealt up to the next choice."""

    rules: Rules
    rng: np.random.Generator
    round: Round = field(init=False)
    verdicts: list[ChoiceVerdict] = field(default_factory=list)
    _shoe: list[int] = field(init=False)
    _hole: int | None = field(init=False, default=None)
    _insurance_answered: bool = field(init=False, default=False)
    _surrender_answered: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        counts = full_shoe(self.rules).astype(int)
        self._shoe = np.repeat(np.arange(len(counts)), counts).tolist()
        self.round = Round(self.rules)
        for _ in range(3):
            self.round.add(self._draw())
        if peeks(self.rules, self.round.dealer[0]):
            self._hole = self._draw()
        self._go_on()

    @property
    def over(self) -> bool:
        """Whether the round has been played."""
        return self.round.over

    @property
    def choices(self) -> tuple[str, ...]:
        """The choices available now."""
        if self.over:
            return ()
        if self._asks_insurance:
            return (NO_INSURANCE, INSURE)
        if self._asks_surrender:
            return (PLAY_ON, Action.SURRENDER.word)
        early_gone = self.rules.surrender is Surrender.EARLY and self._surrender_answered
        return tuple(
            action.word
            for action in self.round.legal
            if not (early_gone and action is Action.SURRENDER)
        )

    def choose(self, choice: str) -> ChoiceVerdict:
        """Make a choice, and deal up to the next one. Raises `IllegalAction`."""
        if choice not in self.choices:
            raise IllegalAction(f"no {choice} now; allowed: {', '.join(self.choices) or 'nothing'}")
        values = self._values()
        best = max(values, key=lambda option: values[option])
        verdict = ChoiceVerdict(
            hand=tuple(self.round.hands[self.round.current].cards),
            upcard=self.round.dealer[0],
            chosen=choice,
            best=choice if values[choice] == values[best] else best,
            cost=values[best] - values[choice],
            values=values,
        )
        self.verdicts.append(verdict)
        if choice in (INSURE, NO_INSURANCE):
            self._insurance_answered = True
            if choice == INSURE:
                self.round.add(INSURANCE)
        elif choice == PLAY_ON:
            self._surrender_answered = True
        else:
            self.round.add(ACTION + Action[choice.upper()])
        self._go_on()
        return verdict

    @property
    def skill(self) -> float:
        """Minus the sum of all costs so far."""
        return -sum(verdict.cost for verdict in self.verdicts)

    @property
    def _asks_insurance(self) -> bool:
        return self.round.may_insure and not self._insurance_answered

    @property
    def _asks_surrender(self) -> bool:
        return (
            self.round.must_peek
            and self.rules.surrender is Surrender.EARLY
            and not self._surrender_answered
            and bool(self.round.legal)
        )

    def _values(self) -> dict[str, float]:
        values = self._hand_values()
        if self._asks_insurance:
            return {NO_INSURANCE: 0.0, INSURE: values.insurance}
        if self._asks_surrender:
            played_on = max(
                values.of(action) for action in self.round.legal if action < Action.SURRENDER
            )
            return {
                PLAY_ON: played_on * (1.0 - values.natural) - values.natural,
                Action.SURRENDER.word: -0.5,
            }
        return {choice: values.of(Action[choice.upper()]) for choice in self.choices}

    def _hand_values(self) -> HandValues:
        """Return the values for the hand in question, with all other cards out of the shoe."""
        played = self.round
        hand = tuple(played.hands[played.current].cards)
        others = [card for place, own in enumerate(played.hands) for card in own.cards
                  if place != played.current]  # fmt: skip
        if not others:
            return _cached_values(hand, played.dealer[0], self.rules)
        left = max(self.rules.most_hands - len(played.hands) - 1, 0)
        shoe = without(full_shoe(self.rules), others) if self.rules.decks else None
        return hand_values(hand, played.dealer[0], replace(self.rules, resplits=left), shoe=shoe)

    def _go_on(self) -> None:
        played = self.round
        while not played.over:
            if played.needs_card:
                dealers = played.dealer_plays and len(played.dealer) == 1 and self._hole is not None
                played.add(self._turn_up() if dealers else self._draw())
            elif self._asks_insurance or self._asks_surrender:
                return
            elif played.must_peek and self._hole is not None:
                if self._hole + played.dealer[0] == TEN:
                    played.add(DEALER)
                else:
                    played.no_blackjack()
            elif played.legal:
                return
            else:
                played.add(DEALER)

    def _turn_up(self) -> int:
        hole = self._hole
        assert hole is not None
        return hole

    def _draw(self) -> int:
        place = int(self.rng.integers(len(self._shoe)))
        self._shoe[place], self._shoe[-1] = self._shoe[-1], self._shoe[place]
        return self._shoe.pop() if self.rules.decks else self._shoe[-1]


@lru_cache(maxsize=4096)
def _cached_values(hand: tuple[int, ...], upcard: int, rules: Rules) -> HandValues:
    return hand_values(hand, upcard, rules)
