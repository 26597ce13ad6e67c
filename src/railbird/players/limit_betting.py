"""Actions of heads-up limit as those of its betting tree, for players that follow one."""

from __future__ import annotations

from functools import lru_cache

from railbird.errors import BadInput
from railbird.game import Action, Call, Fold, Raise, Rules, View
from railbird.solve.limit.betting_tree import CALL, FOLD, RAISE, BettingTree, betting_tree

KINDS = {Fold: FOLD, Call: CALL, Raise: RAISE}
"""The tree's kind of an action, by its class."""

KIND_WORDS = {FOLD: "fold", CALL: "call or check", RAISE: "bet or raise"}


def action_of_kind(kind: int, view: View) -> Action:
    """Return the action of a kind where it is legal."""
    if kind == RAISE:
        to = view.state.min_raise_to
        assert to is not None
        return Raise(to)
    return Fold() if kind == FOLD else Call()


@lru_cache(maxsize=64)
def tree_of(rules: Rules) -> BettingTree:
    """Return the betting tree of rules. Raises `BadInput` for other games than heads-up limit."""
    return betting_tree(rules)


def why_no_tree(rules: Rules, *, carries_over: bool) -> str | None:
    """Return why a player that follows a tree cannot play; None if it can."""
    if carries_over and rules.stacks is not None:
        return "it plays heads-up limit without stacks that run out, as in matches or play --top-up"
    try:
        tree_of(rules)
    except BadInput as problem:
        return f"it plays heads-up limit: {problem}"
    return None
