"""What is known of a decision at a practice table, in words."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from railbird.errors import RailbirdError
from railbird.game import Action, HandState, Raise, View, view
from railbird.game.notation import name_of
from railbird.hosting.house import House
from railbird.odds import pot_odds
from railbird.odds.win_probability.win_probability import win_probability
from railbird.players import make_player, policy
from railbird.players.explanation import explanation_words
from railbird.players.policy import Explaining
from railbird.serve.view.words import amount

_LOG = logging.getLogger(__name__)
ADVISERS: Final = ("booker:4", "tight:nolimit", "loki", "tight", "baseline", "rollout")
"""House players that are asked where none at the table can say why it acts."""


def asked(house: House, name: str) -> tuple[View, tuple[str, ...]] | None:
    """Return the hand as an account that is to act sees it, and the house players at its table.

    It is the view that a house player in this seat would decide by.
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
    specs = tuple(player.entrant.spec for player in task.play.players if player.entrant.spec)
    return view(hand.moment.state, hand.moment.state.actor), specs


def hint(shown: View, specs: Sequence[str]) -> tuple[str, ...]:
    """Return the probability of winning, the pot odds, and what a house player would do and why."""
    return (*_odds(shown.state), *_advice(shown, specs))


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


def _advice(shown: View, specs: Sequence[str]) -> Iterator[str]:
    for spec in dict.fromkeys((*specs, *ADVISERS)):
        try:
            player = make_player(spec, writes=False)
        except RailbirdError:
            continue
        try:
            if (
                not isinstance(player, Explaining)
                or policy.why_not(player, shown.state.rules, carries_over=True) is not None
            ):
                continue
            player.reset(np.random.default_rng())
            action = player.act(shown)
            why = explanation_words(player.explain(shown))
            yield f"{spec} would {_verb(shown.state, action)}: {why}"
            return
        except (RailbirdError, ValueError):
            _LOG.exception("no advice from %s", spec)
        finally:
            policy.close(player)


def _verb(state: HandState, action: Action) -> str:
    word = name_of(action, to_call=state.to_call, bet=state.bet).word
    if isinstance(action, Raise):
        return f"{word} {'to ' if word == 'raise' else ''}{amount(action.to)}"
    return word
