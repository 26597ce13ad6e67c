"""The betting of a heads-up limit game as arrays.

`railbird.solve.spot.tree` builds the betting of no-limit.

All betting sequences that reach a round continue in the same way. So a round is stored once: a
small tree of *nodes* (decisions) whose actions are *slots*, and the number of sequences that reach
it. Vectors over a round have a *lane* for each slot and sequence::

    lane = slot * sequences + sequence

so that the numbers of one action after all sequences are contiguous. The ways in which a round can
end without a fold are its *continuations*: sequence s followed by continuation c is sequence ``c *
sequences + s`` of the next round.

>>> from railbird.game import HEADS_UP_LIMIT
>>> tree = betting_tree(HEADS_UP_LIMIT)
>>> [table.sequences for table in tree.rounds], [table.decisions for table in tree.rounds]
([1, 7, 63, 567], [8, 70, 630, 5670])
>>> decision = tree.after("cr")
>>> decision.street, int(tree.rounds[0].player[decision.node]), tree.text(decision)
(0, 1, 'cr')
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._arguments import checked
from railbird.errors import BadInput
from railbird.game import ActionKind, Betting, Rules

FOLD, CALL, RAISE = map(int, ActionKind)
"""Kinds of actions as plain integers, for the kernels."""

_LETTERS = "fcr"
_SEATS = 2
_MOST_CHIPS = 2**20
_MOST_SEQUENCES = 10**5


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitBetting:
    """The betting structure of two players, in as many rounds as there are bet sizes."""

    posts: tuple[int, ...]
    """Blinds by seat."""
    bet_sizes: tuple[int, ...]
    """Size of every bet and raise, by round."""
    most_raises: tuple[int, ...]
    """Bets and raises allowed in each round; a blind does not count."""
    first: tuple[int, ...]
    """The seat that acts first in each round."""
    ante: int = 0
    """Chips that each seat has put in before the blinds."""

    def __post_init__(self) -> None:
        fields = (self.posts, self.bet_sizes, self.most_raises, self.first, (self.ante,))
        rounds = len(self.bet_sizes)
        if not all(type(n) is int and 0 <= n <= _MOST_CHIPS for field in fields for n in field):
            raise BadInput(f"betting in amounts other than whole numbers up to {_MOST_CHIPS}")
        if not (rounds and len(self.posts) == _SEATS and max(self.first, default=0) < _SEATS):
            raise BadInput(f"betting of {rounds} rounds; allowed: 1 or more, {_SEATS} seats")
        if not len(self.most_raises) == len(self.first) == rounds:
            raise BadInput(f"betting of {rounds} bet sizes; allowed: as many most_raises and first")
        if prod(2 * most + 2 for most in self.most_raises) > _MOST_SEQUENCES:
            raise BadInput(f"betting with raises {self.most_raises}; allowed: fewer")


class DecisionPlace(NamedTuple):
    """A decision: the round, the betting sequence that led to it, and the node within it."""

    street: int
    sequence: int
    node: int


@dataclass(frozen=True, slots=True, eq=False)
class BettingRound:
    """One round of betting, as read-only arrays. Nodes and slots precede their descendants."""

    before: npt.NDArray[np.int32]
    """(sequences,) chips that each player has put in before the round, antes included."""
    player: npt.NDArray[np.int32]
    """(nodes,) the seat to act."""
    first_slot: npt.NDArray[np.int32]
    """(nodes + 1,) node n has slots first_slot[n] .. first_slot[n + 1] - 1: fold, call, raise."""
    kind: npt.NDArray[np.int32]
    """(slots,) `FOLD`, `CALL` or `RAISE`."""
    node: npt.NDArray[np.int32]
    """(slots,) the node to which the action belongs."""
    child: npt.NDArray[np.int32]
    """(slots,) the next node of the round; -1 if the action ends the round or the hand."""
    fold_slot: npt.NDArray[np.int32]
    """(folds,) the slots that end the hand."""
    fold_paid: npt.NDArray[np.int32]
    """(folds,) chips that the player who folds has put in during the round, and loses."""
    end_slot: npt.NDArray[np.int32]
    """(continuations,) the slots that end the round; in the last round they lead to a showdown."""
    end_paid: npt.NDArray[np.int32]
    """(continuations,) chips that each player then has put in during the round."""

    @property
    def sequences(self) -> int:
        """Number of betting sequences that reach the round."""
        return len(self.before)

    @property
    def nodes(self) -> int:
        """Number of decisions after each sequence."""
        return len(self.player)

    @property
    def slots(self) -> int:
        """Number of actions after each sequence."""
        return len(self.kind)

    @property
    def decisions(self) -> int:
        """Number of decisions in the round, over all sequences."""
        return self.nodes * self.sequences

    @property
    def lanes(self) -> int:
        """Number of actions in the round, over all sequences."""
        return self.slots * self.sequences

    @property
    def folds(self) -> int:
        """Number of ends of the hand by a fold in the round."""
        return len(self.fold_slot) * self.sequences

    @property
    def ends(self) -> int:
        """Number of sequences that leave the round without a fold, or of showdowns in the last."""
        return len(self.end_slot) * self.sequences

    def lane(self, slot: int, sequence: int) -> int:
        """Return the lane of an action after a sequence."""
        return slot * self.sequences + sequence


@dataclass(frozen=True, slots=True, eq=False)
class BettingTree:
    """The rounds of a game's betting, in chips."""

    rounds: tuple[BettingRound, ...]
    betting: LimitBetting
    """The structure from which the tree was built."""

    @property
    def chips_per_unit(self) -> int:
        """Chips in a small bet, the unit of results."""
        return self.betting.bet_sizes[0]

    @property
    def root(self) -> DecisionPlace:
        """The first decision."""
        return DecisionPlace(0, 0, 0)

    def step(self, decision: DecisionPlace, kind: int) -> DecisionPlace | None:
        """Return the decision after an action; None if the hand is over.

        Raises `BadInput` for an impossible action.
        """
        betting_round = self.rounds[decision.street]
        slot = self.slot(decision, kind)
        if betting_round.child[slot] >= 0:
            return DecisionPlace(decision.street, decision.sequence, int(betting_round.child[slot]))
        if kind == FOLD or decision.street + 1 == len(self.rounds):
            return None
        end = int(np.searchsorted(betting_round.end_slot, slot))
        return DecisionPlace(
            decision.street + 1, end * betting_round.sequences + decision.sequence, 0
        )

    def slot(self, decision: DecisionPlace, kind: int) -> int:
        """Return the slot of an action at a decision. Raises `BadInput` if there is none."""
        betting_round = self.rounds[decision.street]
        first, last = betting_round.first_slot[decision.node : decision.node + 2]
        for slot in range(first, last):
            if betting_round.kind[slot] == kind:
                return slot
        can = "".join(_LETTERS[kind] for kind in betting_round.kind[first:last])
        got = _LETTERS[kind] if 0 <= kind < len(_LETTERS) else kind
        raise BadInput(f"action {got} after {self.text(decision)!r}; allowed: {', '.join(can)}")

    @checked
    def after(self, text: str) -> DecisionPlace:
        """Return the decision after actions such as ``crc/r`` (f fold, c call or check, r raise).

        Slashes between rounds may be left out. Raises `BadInput` for other text, or if nobody is to
        act after it.
        """
        decision: DecisionPlace | None = self.root
        for letter in text.replace("/", ""):
            if letter not in _LETTERS:
                raise BadInput(f"betting {text!r}; allowed: the letters f, c, r and slashes")
            if decision is None:
                raise BadInput(f"betting {text!r} goes on after the end of the hand")
            decision = self.step(decision, _LETTERS.index(letter))
        if decision is None:
            raise BadInput(f"nobody is to act after the betting {text!r}")
        return decision

    def text(self, decision: DecisionPlace) -> str:
        """Return the actions that led to a decision, with slashes between rounds."""
        street, sequence, node = decision
        texts = [_actions(self.rounds[street], node)]
        while street:
            street -= 1
            end, sequence = divmod(sequence, self.rounds[street].sequences)
            betting_round = self.rounds[street]
            slot = int(betting_round.end_slot[end])
            texts.append(
                _actions(betting_round, int(betting_round.node[slot]))
                + _LETTERS[betting_round.kind[slot]]
            )
        return "/".join(reversed(texts))


def _actions(betting_round: BettingRound, node: int) -> str:
    """Return the actions within a round that lead to a node."""
    text = ""
    while node:
        slot = int(np.flatnonzero(betting_round.child == node)[0])
        text = _LETTERS[betting_round.kind[slot]] + text
        node = int(betting_round.node[slot])
    return text


@checked
def betting_tree(rules: Rules) -> BettingTree:
    """Lay out the betting of heads-up limit.

    Raises `BadInput` for other games: more seats, other betting structures, no cap, antes that
    differ, a rake, or stacks that the betting could use up.
    """
    if rules.seats != 2 or rules.betting is not Betting.LIMIT:
        got = f"{rules.seats} seats, {rules.betting.value}"
        raise BadInput(f"a betting tree of {got}; allowed: heads-up limit")
    if rules.max_raises is None or rules.lift_cap_heads_up:
        raise BadInput("a betting tree without a cap on raises; allowed: a number for each street")
    if rules.rake is not None or len(set(rules.antes)) > 1:
        raise BadInput("a betting tree with a rake or several antes; allowed: neither")
    tree = limit_tree(
        LimitBetting(
            posts=rules.blinds,
            bet_sizes=rules.bet_sizes,
            most_raises=rules.max_raises,
            first=rules.first_to_act,
            ante=rules.antes[0] if rules.antes else 0,
        )
    )
    last = tree.rounds[-1]
    most = int(last.before.max() + last.end_paid.max())
    if rules.stacks is not None and min(rules.stacks) < most:
        raise BadInput(f"stacks {rules.stacks}; allowed in a betting tree: {most} or more")
    return tree


def same_game(left: LimitBetting, right: LimitBetting) -> bool:
    """Return whether two games are the same but for the value of a chip."""
    amounts = [
        np.array([*betting.posts, *betting.bet_sizes, betting.ante], dtype=np.int64)
        for betting in (left, right)
    ]
    return (
        (left.most_raises, left.first) == (right.most_raises, right.first)
        and len(amounts[0]) == len(amounts[1])
        and np.array_equal(amounts[0] * right.bet_sizes[0], amounts[1] * left.bet_sizes[0])
    )


def limit_tree(betting: LimitBetting) -> BettingTree:
    """Lay out the betting of two players, such as one round of Kuhn's poker or two of Leduc's."""
    paid_before = np.array([betting.ante], dtype=np.int32)
    rounds = []
    for street, (size, most, seat) in enumerate(
        zip(betting.bet_sizes, betting.most_raises, betting.first, strict=True)
    ):
        posts = betting.posts if street == 0 else (0, 0)
        betting_round = _round(paid_before, size, most, seat, posts)
        rounds.append(betting_round)
        paid_before = (betting_round.end_paid[:, np.newaxis] + paid_before).ravel()
    return BettingTree(tuple(rounds), betting)


def _round(
    paid_before: npt.NDArray[np.int32], size: int, most: int, first: int, posts: tuple[int, ...]
) -> BettingRound:
    """Lay out a round, breadth first."""
    player: list[int] = []
    first_slot = [0]
    kind: list[int] = []
    node: list[int] = []
    child: list[int] = []
    folds: list[tuple[int, int]] = []
    ends: list[tuple[int, int]] = []
    # A decision: seat, chips by seat, raises so far, whether this seat's call ends the round.
    queue = deque([(first, posts, 0, False)])
    seen = 1
    while queue:
        seat, paid, raises, closes = queue.popleft()
        decision, level = len(player), max(paid)
        player.append(seat)
        if paid[seat] < level:
            folds.append((len(kind), paid[seat]))
            kind.append(FOLD)
            child.append(-1)
        called = (level, level)
        if closes:
            ends.append((len(kind), level))
            child.append(-1)
        else:
            queue.append((1 - seat, called, raises, True))
            child.append(seen)
            seen += 1
        kind.append(CALL)
        if raises < most:
            raised = (level + size, level) if seat == 0 else (level, level + size)
            # A call ends the round only if the other player has acted; a blind is no action, so
            # the call of one leaves the other player a decision.
            queue.append((1 - seat, raised, raises + 1, True))
            kind.append(RAISE)
            child.append(seen)
            seen += 1
        node += [decision] * (len(kind) - len(node))
        first_slot.append(len(kind))
    return BettingRound(
        before=_frozen(paid_before),
        player=_frozen(player),
        first_slot=_frozen(first_slot),
        kind=_frozen(kind),
        node=_frozen(node),
        child=_frozen(child),
        fold_slot=_frozen([slot for slot, _ in folds]),
        fold_paid=_frozen([paid for _, paid in folds]),
        end_slot=_frozen([slot for slot, _ in ends]),
        end_paid=_frozen([paid for _, paid in ends]),
    )


def _frozen(values: npt.ArrayLike) -> npt.NDArray[np.int32]:
    array = np.array(values, dtype=np.int32)
    array.flags.writeable = False
    return array
