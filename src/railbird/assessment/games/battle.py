"""A battle of two armies: random damage, hidden strength (after Kan 2007, 6.4).

Each side has an army whose strength, 1, 2 or 3, is drawn evenly and known to it alone. There are
two rounds. In each the first side attacks or holds, then the second, who sees it. An attack deals
the attacker's strength and a die of 0, 1 or 2 on top; a side that holds is entrenched, takes 2 less
(never below nothing) and strikes the attacker back with its strength. All damage is seen; whoever
has dealt more wins the difference. So to attack an army that holds pays only if it is much weaker,
who is attacked does better to hold, and what was dealt so far tells how strong the other side is.

All 2,304 endings can be enumerated, so every value here is exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from typing import Final

from railbird.assessment.games.extensive_game import (
    ChanceEvent,
    Choice,
    ExtensiveGame,
    Payoff,
    Signal,
    Tree,
    compile_tree,
)

STRENGTHS: Final = (1, 2, 3)
ROUNDS: Final = 2
HOLD, ATTACK = 0, 1
_DICE: Final = (0, 1, 2)
_STRONG: Final = 3
_ENTRENCHED: Final = 2

Seen = tuple[tuple[int, ...], ...]
"""What both have seen: for each round who attacked, and the damage dealt by each side."""


@cache
def battle() -> ExtensiveGame:
    """Build the game; the information sets are pairs of own strength and `Seen`."""
    share = 1 / len(STRENGTHS) ** 2
    armies = [(own, other) for own in STRENGTHS for other in STRENGTHS]
    return compile_tree(
        ChanceEvent(
            tuple((share, _round(army, (), 0)) for army in armies),
            tuple(Signal(private=army) for army in armies),
        )
    )


def steady(_player: int, knows: Hashable, _actions: int) -> Sequence[float]:
    """Attack with the strongest army and no other: a plain baseline."""
    assert isinstance(knows, tuple)
    return [0.0, 1.0] if knows[0] >= _STRONG else [1.0, 0.0]


def rash(_player: int, _knows: Hashable, _actions: int) -> Sequence[float]:
    """Attack three times in four, whatever the army."""
    return [0.25, 0.75]


def _round(armies: tuple[int, int], seen: Seen, lead: int) -> Tree:
    """Build the game from a round on; ``lead`` is damage dealt less damage taken so far."""
    if len(seen) == ROUNDS:
        return Payoff(float(lead))
    answers = []
    for first in (HOLD, ATTACK):
        fights = tuple(_fight(armies, seen, lead, (first, second)) for second in (HOLD, ATTACK))
        answers.append(Choice(1, (armies[1], (*seen, (first,))), fights))
    return Choice(0, (armies[0], seen), tuple(answers))


def _fight(armies: tuple[int, int], seen: Seen, lead: int, attacks: tuple[int, int]) -> Tree:
    """Roll the dice of those who attack, and deal the damage."""
    rolls: list[tuple[int, ...]] = [()]
    for attack in attacks:
        dice = _DICE if attack else (0,)
        rolls = [(*roll, die) for roll in rolls for die in dice]
    branches, signals = [], []
    for roll in rolls:
        dealt = [0, 0]
        for side in (0, 1):
            if attacks[side]:
                entrenched = not attacks[1 - side]
                dealt[side] += max(0, armies[side] + roll[side] - _ENTRENCHED * entrenched)
                dealt[1 - side] += armies[1 - side] * entrenched
        after = (*seen, (*attacks, *dealt))
        branches.append((1 / len(rolls), _round(armies, after, lead + dealt[0] - dealt[1])))
        signals.append(Signal(tuple(dealt)))
    return ChanceEvent(tuple(branches), tuple(signals))
