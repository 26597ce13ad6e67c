"""The panel of odds, and of what a house player would do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.text import Text
from textual.message import Message
from textual.widgets import Static

from railbird.client.play.advice import advice_on, odds_of
from railbird.client.play.event_words import chips
from railbird.client.play.settings import OPPONENTS
from railbird.client.play.table_model import TableModel
from railbird.client.terminal.canvas import shown
from railbird.errors import RailbirdError
from railbird.game import Betting
from railbird.protocol.messages.game import Turn

Situation = tuple[object, ...]
"""What odds and advice are about: empty where there is nothing to say."""


class Answered(Message):
    """A house player has answered, which the log says, too."""


class AdvicePanel(Static):
    """Computed in threads of its own, so that keys are answered meanwhile."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(id="panel")
        self._model = model
        self._odds_of: Situation | None = None
        self._odds = ""
        self._asked: Situation | None = None
        self._advice = ""

    def show(self) -> None:
        """Show the odds of this situation; they are computed once."""
        now = self._situation()
        if now != self._odds_of:
            self._odds_of = now
            self._odds = "computing …" if now else "no hand to compute odds of"
            if now:
                compute = partial(self._compute, now)
                self.run_worker(compute, thread=True, group="odds", exclusive=True)
        advice = self._advice if self._asked == now else "h: what would a house player do?"
        lines = [*self._odds.split("\n"), *(advice.split("\n") if now else [])]
        self.update(Text("\n".join(map(shown, lines))))

    def ask(self, specs: Sequence[str]) -> None:
        """Ask the first of these house players that can play, by default one for this game."""
        model = self._model
        if model.turn is None or model.table is None:
            return
        self._asked, self._advice = self._situation(), "a house player thinks …"
        betting = Betting(model.table.format.betting)
        ask = partial(self._ask, self._asked, tuple(specs) or OPPONENTS[betting], model.turn)
        self.run_worker(partial(ask, betting), thread=True, group="advice", exclusive=True)

    def _situation(self) -> Situation:
        model, hand = self._model, self._model.hand
        if hand is None or not model.my_cards or not model.opponents_in or not model.is_in:
            return ()
        return (hand.hand, len(hand.history), model.turn is not None)

    def _compute(self, situation: Situation) -> None:
        model = self._model
        price, pot, others = model.price, model.pot, model.opponents_in
        try:
            odds = odds_of(model.my_cards, model.board, opponents=others, to_call=price, pot=pot)
        except RailbirdError as problem:
            text = str(problem)
        else:
            against = "1 opponent" if others == 1 else f"{others} opponents"
            text = f"wins {100 * odds.win:.0f} % against {against} with any cards"
            text += f"\nshare of the pot {100 * odds.equity:.0f} %"
            if odds.needed is not None:
                text += f"; calling {chips(price)} needs {100 * odds.needed:.0f} %"
        self.app.call_from_thread(self._computed, situation, text)

    def _computed(self, situation: Situation, text: str) -> None:
        if situation == self._odds_of:
            self._odds = text
            self.show()

    def _ask(
        self, situation: Situation, specs: Sequence[str], turn: Turn, betting: Betting
    ) -> None:
        try:
            text = advice_on(specs, betting, turn.hand)
        except RailbirdError as problem:
            text = str(problem)
        self.app.call_from_thread(self._answered, situation, text)

    def _answered(self, situation: Situation, text: str) -> None:
        if situation == self._asked:
            self._advice = text
            self._model.say(text.replace("\n", ": "))  # where there is room for all of it
            self.post_message(Answered())
