"""A decision of a Loki in words."""

from __future__ import annotations

from typing import Any, cast

import pytest

from railbird.cards import parse_holding
from railbird.game import Action, Call, Fold, Raise
from railbird.players.loki import Rule, Verb
from railbird.players.loki.decision_record import DecisionRecord
from railbird.players.loki.explain import rule_words
from railbird.units import Chips, Seat


@pytest.mark.parametrize(
    ("rule", "verb", "action", "words"),
    [
        (Rule.MAKE2, Verb.RAISE, Raise(Chips(40)), "EHS' is worth a raise."),
        (Rule.MAKE2, Verb.RAISE, Call(), "EHS' is worth a raise, but no raise is allowed."),
        (Rule.MAKE2, Verb.CALL, Call(), "EHS' is worth a raise, and enough bets are in already."),
        (Rule.MAKE1, Verb.CALL, Call(), "EHS' is worth a bet."),
        (Rule.STRATEGY, Verb.RAISE, Call(), "The strategy chosen before the flop, but no raise is"),
        (Rule.FOLD, Verb.FOLD, Fold(), "There is no reason to call."),
    ],
)
def test_a_rule_says_what_keeps_its_action_from_being_taken(
    rule: Rule, verb: Verb, action: Action, words: str
) -> None:
    explanation = DecisionRecord(
        seat=Seat(0),
        holding=parse_holding("AsKs"),
        board=(),
        spot=cast("Any", None),
        reason=cast("Any", None),
        rule=rule,
        verb=verb,
        action=action,
    )
    assert rule_words(explanation).startswith(words)
