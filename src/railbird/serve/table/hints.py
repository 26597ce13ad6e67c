"""What is known of a decision at a practice table, in words."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from railbird.errors import RailbirdError
from railbird.game import (
    Action,
    Event,
    HandState,
    Raise,
    View,
    seen_by,
    view,
)
from railbird.game.notation import name_of
from railbird.hosting.games.house_players import shown_name
from railbird.hosting.games.house_seats import so_far
from railbird.hosting.games.ring_play import RingPlay
from railbird.hosting.house import House
from railbird.odds import pot_odds
from railbird.odds.win_probability.win_probability import win_probability
from railbird.players.advice.at_table import advise, adviser_for
from railbird.serve.view.words import amount
from railbird.units import Seat

_LOG = logging.getLogger(__name__)
ADVISERS: Final = ("booker:4", "tight:nolimit", "loki", "tight", "baseline", "rollout")
"""House players that are asked where none at the table can say why it acts."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision as whoever takes it sees it."""

    seat: Seat
    seen: tuple[tuple[View, Event], ...]
    """What has happened, each event with the view that it led to; the deal is the first."""
    specs: tuple[str, ...] = ()
    """House players at the table."""
    top_up: bool = False
    """Whether stacks are filled up before each hand."""

    @property
    def view(self) -> View:
        """The hand now."""
        return self.seen[-1][0]


def asked(house: House, name: str) -> Decision | None:
    """Return the decision of an account that is to act at a practice table; None if it is not.

    It is what a house player in this seat would have seen.
    """
    account = house.accounts.get(name)
    task = None if account is None else account.task
    number = None if task is None else task.number_of(name)
    if task is None or number is None or task.play.opened.kind != "practice":
        return None
    table = task.play.table_of(number)
    hand = None if table is None else task.play.hands.get(table)
    if hand is None or hand.to_act != number or hand.moment.state.actor is None:
        return None
    seat = hand.moment.state.actor
    specs = tuple(player.entrant.spec for player in task.play.players if player.entrant.spec)
    seen = so_far(view(hand.moment.state, seat), hand.moment.history)
    play = task.play
    return Decision(seat, seen, specs, isinstance(play, RingPlay) and play.form.top_up)


def hint(decision: Decision) -> tuple[str, ...]:
    """Return the probability of winning, the pot odds, and what a house player would do and why."""
    return (*_odds(decision.view.state), *_advice(decision))


def _odds(state: HandState) -> Iterator[str]:
    actor = state.actor
    holding = None if actor is None else state.holdings[actor]
    if holding is None:
        return
    others = len(state.in_hand) - 1
    chance = win_probability(holding, state.board, opponents=others)
    against = "one opponent" if others == 1 else f"{others} opponents"
    plus = f" ± {196 * chance.share_stderr:.1f}" if chance.deals else ""
    yield f"You win {100 * chance.share:.1f}{plus} % against {against} with any two cards."
    if state.to_call:
        needed = pot_odds(state.to_call, state.pot)
        yield (
            f"Calling {amount(state.to_call)} for a pot of {amount(state.pot)}"
            f" needs {100 * needed:.1f} %."
        )


def _advice(decision: Decision) -> Iterator[str]:
    state = decision.view.state
    (dealt, _), *later = decision.seen
    news = [(shown, seen_by(event, decision.seat)) for shown, event in later]
    for spec in dict.fromkeys((*decision.specs, *ADVISERS)):
        try:
            adviser_for([spec], state.rules, carries_over=not decision.top_up, explains=True)
        except RailbirdError:
            continue
        try:
            advice = advise(spec, dealt, news)
        except RailbirdError:
            _LOG.exception("no advice from %s", spec)
            continue
        yield f"{shown_name(spec)} would {_verb(state, advice.action)}: {advice.reasons}"
        return


def _verb(state: HandState, action: Action) -> str:
    word = name_of(action, to_call=state.to_call, bet=state.bet).word
    if isinstance(action, Raise):
        return f"{word} {'to ' if word == 'raise' else ''}{amount(action.to)}"
    return word
