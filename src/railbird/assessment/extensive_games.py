"""Any game of two players as a tree with explicit chance; exact values by enumeration.

`railbird.solve.cfr` describes games of two players as arrays, with chance in payoff matrices.

A play of such a game is one of its leaves. Chance may act anywhere; a player's knowledge at a
decision is its information set. Nodes are numbered from the root on, children after parents.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arrays import Floats
from railbird.errors import BadInput
from railbird.solve.cfr import PUBLIC, TERMINAL, Game

Profile = tuple[Floats, Floats]
"""For each player (information sets, most actions): probabilities of the actions, 0 beyond."""

Known = tuple[Floats | None, Floats | None]
"""For each player its probabilities as in a `Profile`, or None if they are not known."""

ChooseActions = Callable[[int, Hashable, int], Sequence[float]]
"""Gives the probabilities of the actions to player, information set and number of actions."""

CHANCE: Final = -1
LEAF: Final = -2
_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Payoff:
    """An end of the game, and what the first player wins."""

    amount: float


class Signal(NamedTuple):
    """The information that a branch of chance reveals; equal labels are indistinguishable."""

    public: Hashable = None
    """To both players."""
    private: tuple[Hashable, Hashable] = (None, None)
    """To the first alone and to the second alone."""


@dataclass(frozen=True, slots=True)
class ChanceEvent:
    """A random event: probabilities and what follows."""

    branches: tuple[tuple[float, Tree], ...]
    signals: tuple[Signal, ...] = ()
    """By branch; if left out, all is public."""


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """A decision of a player, who knows ``knows`` and nothing else."""

    player: int
    knows: Hashable
    children: tuple[Tree, ...]


Tree = Payoff | ChanceEvent | PlayerChoice
"""A game as it is written down."""


@dataclass(frozen=True, slots=True, eq=False)
class ExtensiveGame:
    """A game as arrays over its nodes; make one with `compile_tree` or `unfold`."""

    actor: npt.NDArray[np.int64]
    """(nodes,) 0 or 1, `CHANCE` or `LEAF`."""
    parent: npt.NDArray[np.int64]
    """(nodes,) -1 for the root."""
    action: npt.NDArray[np.int64]
    """(nodes,) place among the parent's children."""
    chance: Floats
    """(nodes,) probability by which chance goes here from its parent, where it is chance's."""
    information: npt.NDArray[np.int64]
    """(nodes,) information set of the player to act, else -1."""
    payoff: Floats
    """(nodes,) what the first player wins at a leaf, else 0."""
    signals: npt.NDArray[np.int64]
    """(3, nodes) what the step to each node shows to both, to the first and to the second, as
    labels: those of two children of a node are equal if the observer cannot tell them apart."""
    sets: tuple[tuple[Hashable, ...], tuple[Hashable, ...]]
    """Each player's information sets in order."""
    actions: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    """Number of actions in each of them."""

    @property
    def leaves(self) -> npt.NDArray[np.int64]:
        """(leaves,) nodes at which the game is over."""
        return np.flatnonzero(self.actor == LEAF)

    def uniform(self) -> Profile:
        """Return the profile in which all actions are equally likely."""
        return self.profile(lambda _player, _knows, actions: [1 / actions] * actions)

    def profile(self, choose: ChooseActions) -> Profile:
        """Make a profile from a function of player, information set and number of actions.

        Raises `BadInput` for values that are no probabilities.
        """
        tables = []
        for player in (0, 1):
            counts = self.actions[player]
            table = np.zeros((len(counts), int(counts.max(initial=1))))
            for row, (knows, count) in enumerate(zip(self.sets[player], counts, strict=True)):
                chances = np.asarray(choose(player, knows, int(count)), dtype=np.float64)
                if len(chances) != count or min(chances) < 0 or abs(sum(chances) - 1) > _TOLERANCE:
                    raise BadInput(f"probabilities {chances} of {count} actions at {knows!r}")
                table[row, :count] = chances
            tables.append(table)
        return tables[0], tables[1]

    def steps(self, profile: Known) -> Floats:
        """Return the probability of each node given its parent, (nodes,); 1 at the root.

        It is nan where a player moved whose probabilities are not known.
        """
        probability = self.chance.copy()
        probability[0] = 1.0
        mover = np.where(self.parent >= 0, self.actor[self.parent], LEAF)
        for player in (0, 1):
            here, table = mover == player, profile[player]
            probability[here] = (
                np.nan
                if table is None
                else table[self.information[self.parent[here]], self.action[here]]
            )
        return probability

    def reach(self, profile: Profile) -> Floats:
        """Return the probability of reaching each node, (nodes,)."""
        steps = self.steps(profile)
        probability = np.ones(len(steps))
        for node in range(1, len(steps)):
            probability[node] = probability[self.parent[node]] * steps[node]
        return probability

    def values(self, profile: Profile) -> Floats:
        """Return the first player's mean winnings from each node on, (nodes,)."""
        steps = self.steps(profile)
        value = self.payoff.copy()
        for node in range(len(steps) - 1, 0, -1):
            value[self.parent[node]] += steps[node] * value[node]
        return value

    def sample(
        self, profile: Profile, plays: int, rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """Draw plays: (plays,) leaves."""
        leaves = self.leaves
        chances = self.reach(profile)[leaves]
        drawn: npt.NDArray[np.int64] = rng.choice(leaves, size=plays, p=chances / chances.sum())
        return drawn


def compile_tree(root: Tree) -> ExtensiveGame:
    """Convert a game to arrays.

    Raises `BadInput` for chances that do not add up to one, and where a player could tell apart
    what it is said not to: decisions of one information set with different numbers of actions.
    """
    labels: dict[Hashable, int] = {}
    signals: list[tuple[int, ...]] = []
    actor, parent, action, information = (list[int]() for _ in range(4))
    chance, payoff = list[float](), list[float]()
    numbers: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
    counts: tuple[list[int], list[int]] = ([], [])
    queue: deque[tuple[Tree, int, int, float, Signal]] = deque([(root, -1, 0, 0.0, Signal())])
    while queue:
        # Breadth first, so that a node's number is above its parent's: `reach` walks the arrays
        # forwards and `values` backwards.
        node, above, place, probability, signal = queue.popleft()
        number = len(actor)
        parent.append(above)
        action.append(place)
        chance.append(probability)
        signals.append(
            tuple(
                labels.setdefault(observation, len(labels))
                for observation in (signal.public, *signal.private)
            )
        )
        match node:
            case Payoff(amount):
                actor.append(LEAF)
                information.append(-1)
                payoff.append(amount)
                continue
            case ChanceEvent(branches, shows):
                if abs(sum(p for p, _ in branches) - 1) > _TOLERANCE:
                    raise BadInput(f"chances {[p for p, _ in branches]}; allowed: sum 1")
                if shows and len(shows) != len(branches):
                    raise BadInput(f"{len(shows)} labels; allowed: {len(branches)}, one a branch")
                actor.append(CHANCE)
                information.append(-1)
                for i, (p, child) in enumerate(branches):
                    queue.append((child, number, i, p, shows[i] if shows else Signal(i)))
            case PlayerChoice(player, knows, children):
                row = numbers[player].setdefault(knows, len(numbers[player]))
                if row == len(counts[player]):
                    counts[player].append(len(children))
                if counts[player][row] != len(children):
                    raise BadInput(f"{len(children)} and {counts[player][row]} actions: {knows!r}")
                actor.append(player)
                information.append(row)
                queue.extend((child, number, i, 0.0, Signal(i)) for i, child in enumerate(children))
        payoff.append(0.0)
    return ExtensiveGame(
        actor=np.array(actor),
        parent=np.array(parent),
        action=np.array(action),
        chance=np.array(chance),
        information=np.array(information),
        payoff=np.array(payoff, dtype=np.float64),
        signals=np.array(signals).T,
        sets=(tuple(numbers[0]), tuple(numbers[1])),
        actions=(np.array(counts[0], dtype=np.int64), np.array(counts[1], dtype=np.int64)),
    )


def unfold(game: Game) -> ExtensiveGame:
    """Write out a game of the solver, whose chance is in its payoff matrices.

    The deal becomes one event and every public card another. Information sets are pairs of a
    decision's number and a private state. Works where somebody can fold in every branch, since
    folding's matrix is the probability of the deal and the cards; raises `BadInput` elsewhere.
    """
    likely = _likelihoods(game)
    pairs = [(i, j) for i in range(game.states[0]) for j in range(game.states[1])]
    deals = [(i, j) for i, j in pairs if likely[0][i, j] > 0]
    branches = [(float(likely[0][i, j]), _branch(game, likely, 0, i, j)) for i, j in deals]
    signals = tuple(Signal(private=(i, j)) for i, j in deals)
    return compile_tree(ChanceEvent(tuple(branches), signals))


def unfolded_profile(game: Game, tree: ExtensiveGame, strategy: Sequence[Floats]) -> Profile:
    """Write a strategy of the solver, (rows, states) by player, for the unfolded game."""

    def chances(player: int, knows: Hashable, actions: int) -> Sequence[float]:
        assert isinstance(knows, tuple)
        row, state = knows
        probabilities: list[float] = strategy[player][row : row + actions, state].tolist()
        return probabilities

    return tree.profile(chances)


def _likelihoods(game: Game) -> list[Floats]:
    """Return by node the probability of the deal and of the cards shown, (states, states)."""
    size = len(game.player)
    likelihood = [np.zeros(game.states) for _ in range(size)]
    for node in range(size - 1, -1, -1):
        if game.player[node] == TERMINAL:
            # The matrices are of the second player: probability times what it wins.
            likelihood[node] = np.abs(game.payoffs[1][game.matrix[node]])
        children = range(game.first[node], game.first[node] + game.count[node])
        if game.player[node] == PUBLIC:
            likelihood[node] = sum((likelihood[child] for child in children), np.zeros(game.states))
        elif game.player[node] != TERMINAL:
            likelihood[node] = np.maximum.reduce([likelihood[child] for child in children])
    return likelihood


def _branch(game: Game, likely: Sequence[Floats], node: int, i: int, j: int) -> Tree:
    children = range(game.first[node], game.first[node] + game.count[node])
    likelihood = float(likely[node][i, j])
    player = int(game.player[node])
    if player == TERMINAL:
        raise AssertionError("a terminal's probability is that of its parent")

    def follow(child: int, probability: float) -> Tree:
        if game.player[child] == TERMINAL:
            won = -game.payoffs[1][game.matrix[child]][i, j] * game.scale[child]
            return Payoff(float(won / probability))
        if abs(float(likely[child][i, j]) - probability) > _TOLERANCE:
            raise BadInput("a game in which nobody can fold; allowed: a fold in every branch")
        return _branch(game, likely, child, i, j)

    if player == PUBLIC:
        shares = [(float(likely[child][i, j]), child) for child in children]
        possible = [(place, p, c) for place, (p, c) in enumerate(shares) if p > 0]
        return ChanceEvent(
            tuple((p / likelihood, follow(c, p)) for _, p, c in possible),
            tuple(Signal(place) for place, _, _ in possible),
        )
    row = int(game.row[node])
    state = (i, j)[player]
    return PlayerChoice(
        player, (row, state), tuple(follow(child, likelihood) for child in children)
    )


# A game whose players are seated by chance, so that the value of a seat is luck as well.


def either_seat(game: ExtensiveGame) -> ExtensiveGame:
    """Let a coin, seen by both, decide which of two players moves first in ``game``.

    Payoffs are those of one of the two, who moves first below the root's first child. Either has
    the information sets of the first player, then those of the second.
    """
    size = len(game.actor)
    below = [np.where(game.parent >= 0, game.parent + 1 + size * copy, 0) for copy in (0, 1)]
    swapped_actor = np.where(game.actor >= 0, 1 - game.actor, game.actor)
    information = np.where(game.actor == 1, game.information + len(game.sets[0]), game.information)
    chance = np.concatenate([[0.5], game.chance[1:]])
    signals = [game.signals.copy(), game.signals[[0, 2, 1]]]
    for copy, labels in enumerate(signals):
        labels[0, 0] = game.signals.max() + 1 + copy
    sets = tuple((seat, knows) for seat in (0, 1) for knows in game.sets[seat])
    actions = np.concatenate(game.actions)
    return ExtensiveGame(
        actor=_joined(CHANCE, game.actor, swapped_actor),
        parent=_joined(-1, *below),
        action=_joined(0, game.action, np.concatenate([[1], game.action[1:]])),
        chance=_joined(0.0, chance, chance),
        information=_joined(-1, information, information),
        payoff=_joined(0.0, game.payoff, -game.payoff),
        signals=np.concatenate([game.signals[:, :1], *signals], axis=1),
        sets=(sets, sets),
        actions=(actions, actions),
    )


def seated(first: Profile, second: Profile) -> Profile:
    """Write how two players play both seats of a game as a profile of `either_seat` of it."""
    return _stacked(first), _stacked(second)


def _joined(root: float, first: npt.NDArray[Any], second: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.concatenate([np.array([root], dtype=first.dtype), first, second])


def _stacked(both: Profile) -> Floats:
    width = max(table.shape[1] for table in both)
    return np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1]))) for table in both])


# A battle of two armies: random damage, hidden strength (after Kan 2007, 6.4).
#
# Each side has an army whose strength, 1, 2 or 3, is drawn evenly and known to it alone. There are
# two rounds. In each the first side attacks or holds, then the second, who sees it. An attack deals
# the attacker's strength and a die of 0, 1 or 2 on top; a side that holds is entrenched, takes 2
# less (never below nothing) and strikes the attacker back with its strength. All damage is seen;
# whoever has dealt more wins the difference. So to attack an army that holds pays only if it is
# much weaker, who is attacked does better to hold, and what was dealt so far tells how strong the
# other side is.
#
# All 2,304 endings can be enumerated, so every value here is exact.


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
        answers.append(PlayerChoice(1, (armies[1], (*seen, (first,))), fights))
    return PlayerChoice(0, (armies[0], seen), tuple(answers))


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
