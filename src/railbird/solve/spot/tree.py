"""The betting of a heads-up no-limit spot: sizes become actions, and each street a forest.

`railbird.solve.limit.betting_tree` builds the betting of heads-up limit.

Betting does not depend on the cards, so one forest serves all boards of a street. It has a root for
each way in which the street before can end. Nodes are numbered in the order in which
`railbird.solve.spot.kernels` walks them.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np

from railbird.cards import CARD_OF_TEXT
from railbird.errors import BadInput, TooLarge
from railbird.solve.simd_kernels import LINE
from railbird.solve.spot.kernels import StreetPlan
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.spot import STREETS, BetSize, Kind, Spot, naming

MOST_NODES: Final = 250_000
"""The largest number of nodes in all forests together."""

_BLOCK_NODES = 256
_MERGED = 1e-12  # relative: sizes that differ by rounding alone are equal


class ActKind(IntEnum):
    """The kind of an action. Actions are sorted by kind, and by amount within a kind."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    BET = 3
    RAISE = 4
    ALL_IN = 5


class SpotAction(NamedTuple):
    """An action. The amount is the total that the player then has put in on this street."""

    act: ActKind
    amount: int = 0

    def __str__(self) -> str:
        word = self.act.name.lower().replace("_", "-")
        return f"{word} {self.amount}" if self.amount else word


class Ends(IntEnum):
    """What happens at a node."""

    DECISION = 0
    FOLD = 1
    SHOWDOWN = 2
    LATER = 3
    """The next street."""


@dataclass(slots=True, eq=False)
class Node:
    """A point of the betting."""

    street: int
    """-1 before the flop, 0 the flop, 2 the river."""
    kind: Ends
    player: int
    """The player who acts or, at a fold, who folded; -1 for nobody."""
    paid: tuple[int, int]
    """Chips that each player has put in since the spot began."""
    actions: list[SpotAction] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    """One for each action; at a leaf of the street, the root of the next street."""
    number: int = -1
    """Its place among the nodes of its block; children have consecutive numbers."""
    block: int = -1
    slot: int = -1
    """Place of its first action among all the player's actions on this street."""
    leaf: int = -1
    """At the end of a street, the number of the next street's root."""


@dataclass(frozen=True, slots=True)
class _Betting:
    """The state of the betting when a player is to act."""

    street: int
    player: int
    paid: tuple[int, int]
    level: int = 0
    """The highest bet of the street."""
    bets: int = 0
    """Number of bets and raises on the street."""
    opened: bool = False
    """Whether somebody has acted on the street."""
    all_in: bool = False
    called: bool = False
    """Whether the first to act called on the street before: a bet now is a donk bet."""


class _Builder:
    def __init__(self, spot: Spot) -> None:
        self.spot = spot
        self.first = len(spot.board) - 3
        self.count = 0

    def start(self) -> _Betting:
        """Return the state in which the betting begins."""
        return _Betting(self.first, 0, (0, 0))

    def act(self, at: _Betting) -> Node:
        """Build a decision and everything that can follow it."""
        node = self._node(at.street, Ends.DECISION, at.player, at.paid)
        for action in self.actions(at):
            self.add(node, at, action)
        return node

    def _node(self, street: int, kind: Ends, player: int, paid: tuple[int, int]) -> Node:
        self.count += 1
        if self.count > MOST_NODES:
            raise TooLarge(
                f"the betting has more than {MOST_NODES:,} nodes; fewer sizes, or "
                "all_in_threshold and force_all_in, make it smaller"
            )
        return Node(street, kind, player, paid)

    def add(self, node: Node, at: _Betting, action: SpotAction) -> None:
        """Add an action and all that follows it, keeping the actions sorted."""
        index = sum(earlier < action for earlier in node.actions)
        node.actions.insert(index, action)
        node.children.insert(index, self.after(at, action))

    def next(self, at: _Betting, action: SpotAction) -> _Betting | None:
        """Return the state after an action, or None if it ends the street or the hand."""
        me, you = at.player, 1 - at.player
        if action.act is ActKind.CHECK:
            if me == 1:
                return None
            return _Betting(at.street, you, at.paid, opened=True)
        if action.act in (ActKind.FOLD, ActKind.CALL):
            return None
        here = at.paid[you] - at.level  # what each had paid when the street began
        paid = [0, 0]
        paid[me], paid[you] = here + action.amount, at.paid[you]
        return _Betting(
            at.street,
            you,
            (paid[0], paid[1]),
            level=action.amount,
            bets=at.bets + 1,
            opened=True,
            all_in=action.act is ActKind.ALL_IN,
        )

    def after(self, at: _Betting, action: SpotAction) -> Node:
        """Build what follows an action: a decision, the next street, or the end of the hand."""
        coming = self.next(at, action)
        if coming is not None:
            return self.act(coming)
        if action.act is ActKind.FOLD:
            return self._node(at.street, Ends.FOLD, at.player, at.paid)
        both = max(at.paid)
        called = action.act is ActKind.CALL and at.player == 0
        return self.later(at.street, both, called=called)

    def later(self, street: int, both: int, *, called: bool) -> Node:
        """Build what follows the end of a street's betting, when each player has paid ``both``."""
        paid = both, both
        if street == len(STREETS) - 1:
            return self._node(street, Ends.SHOWDOWN, -1, paid)
        node = self._node(street, Ends.LATER, -1, paid)
        # With both players all-in nobody acts again, but the remaining cards are still dealt: each
        # street keeps a leaf of its own, since its cards decide which holdings are possible.
        if both == self.spot.stack:
            node.children.append(self.later(street + 1, both, called=False))
        else:
            node.children.append(self.act(_Betting(street + 1, 0, paid, called=called)))
        return node

    def limits(self, at: _Betting) -> tuple[int, int]:
        """Return the smallest and the largest amount of a bet or raise."""
        to_call = at.paid[1 - at.player] - at.paid[at.player]
        most = self.spot.stack - at.paid[1 - at.player] + at.level
        # A raise must add at least as much as the last bet or raise, which is what remains to be
        # called; an all-in for less is allowed, hence the outer minimum.
        return min(max(at.level + to_call, 1), most), most

    def actions(self, at: _Betting) -> list[SpotAction]:
        """Return the actions that the spot's sizes and rules allow, sorted."""
        spot = self.spot
        # Sizes are shares of the pot after a call, as players name raises: "half the pot" is half
        # of what lies there once the raiser has called.
        pot = spot.pot + 2 * max(at.paid)
        least, most = self.limits(at)
        sizes, passive = self.offered(at)
        if at.all_in:
            return passive
        wanted = [self.amount(size, at, pot) for size in sizes]
        if most <= at.level + half_up(pot * spot.all_in_threshold):
            wanted.append(most)
        bets = set()
        # Several sizes may come to the same amount once they are cut to what is allowed, so they
        # meet in a set. A bet that would leave too little behind becomes all-in: such a remainder
        # costs a whole subtree and changes hardly anything.
        for amount in wanted:
            if amount is None:
                continue
            amount = min(max(amount, least), most)
            left = half_up((pot + 2 * (amount - at.level)) * spot.force_all_in)
            if most <= amount + left:
                bets.add(SpotAction(ActKind.ALL_IN, most))
            else:
                bets.add(SpotAction(ActKind.RAISE if at.bets else ActKind.BET, amount))
        return passive + self.merged(sorted(bets), pot, at.level)

    def offered(self, at: _Betting) -> tuple[Sequence[BetSize], list[SpotAction]]:
        """Return the sizes that may be bet or raised, and the other actions allowed."""
        sizes = self.spot.sizes[at.street][at.player]
        if at.bets:
            return sizes.raises, [SpotAction(ActKind.FOLD), SpotAction(ActKind.CALL)]
        donk = at.called and not at.opened and sizes.donks is not None
        return (sizes.donks or ()) if donk else sizes.bets, [SpotAction(ActKind.CHECK)]

    def amount(self, size: BetSize, at: _Betting, pot: int) -> int | None:
        """Return the amount of a size, or None if it is not offered after so many bets."""
        streets = len(STREETS) - at.street
        if size.kind is not Kind.GEOMETRIC and size.most and at.bets > size.most:
            return None
        match size.kind:
            case Kind.POT:
                return at.level + half_up(pot * size.number)
            case Kind.PREVIOUS:
                return half_up(at.level * size.number)
            case Kind.CHIPS:
                return at.level + int(size.number)
            case Kind.GEOMETRIC:
                # The same share of the pot is bet on each of the remaining streets, or on as many
                # as the size says, so that the last bet is all-in. With s the stack behind in pots
                # and n bets to come, the pot grows by 1 + 2p each time, so (1 + 2p)^n = 1 + 2s
                # gives the share p.
                left = size.most or streets
                left = max(left - at.bets + 1, 1) if at.bets else left
                # The first raise still has all n bets ahead of it, and each later raise one fewer.
                behind = (self.spot.stack - max(at.paid)) / pot
                part = ((2 * behind + 1) ** (1 / left) - 1) / 2
                return at.level + half_up(pot * (min(part, size.number) if size.number else part))
            case Kind.ALL_IN:
                return self.limits(at)[1]

    def merged(self, bets: Sequence[SpotAction], pot: int, level: int) -> list[SpotAction]:
        """Drop sizes that are close to a larger one that stays."""
        distinct: list[SpotAction] = []
        # From the largest size down, so that each is compared with the next larger one that stays,
        # and the largest itself, often all-in, is never dropped. A size s goes if it is at least (L
        # - m) / (1 + m), with L the larger one and m the margin, both in pots.
        for bet in reversed(bets):
            size = (bet.amount - level) / pot
            if distinct:
                margin = self.spot.merging
                last = (distinct[-1].amount - level) / pot
                if size >= (last - margin) / (1 + margin) * (1 - _MERGED):
                    continue
            distinct.append(bet)
        return distinct[::-1]

    def change(self, root: Node, line: str, *, add: bool) -> None:
        """Add a line to the tree or remove one. Raises `BadInput` for a line that does not fit."""
        at = self.start()
        node, words = root, read_line(line)
        if not words:
            raise BadInput(f"no action; such as {'add' if add else 'remove'} = check bet 50")
        for number, word in enumerate(words):
            if isinstance(word, int):
                raise BadInput(f"a card in {line!r}; allowed: actions alone")
            if node.kind is not Ends.DECISION:
                raise BadInput(f"{line!r} goes beyond the end of the hand")
            last = number + 1 == len(words)
            if last and not add:
                index = action_index(node, word, line)
                if len(node.actions) == 1:
                    raise BadInput(f"no action would be left after {line!r}")
                del node.actions[index], node.children[index]
                return
            if last:
                self._add_last(node, at, word, line)
                return
            index = action_index(node, word, line)
            node, at = self._follow(node, at, index)

    def _follow(self, node: Node, at: _Betting, index: int) -> tuple[Node, _Betting]:
        action, child = node.actions[index], node.children[index]
        coming = self.next(at, action)
        # The action ended the street. The line goes on at the root of the next one, and the state
        # of its betting is not stored in the tree, so it is made again here.
        if coming is None and child.kind is Ends.LATER:
            called = action.act is ActKind.CALL and at.player == 0
            child = child.children[0]
            coming = _Betting(child.street, 0, child.paid, called=called)
        return child, coming or at

    def _add_last(self, node: Node, at: _Betting, action: SpotAction, line: str) -> None:
        least, most = self.limits(at)
        if action.act is ActKind.ALL_IN or action.amount == most:
            action = SpotAction(ActKind.ALL_IN, most)
        act = ActKind.RAISE if at.bets else ActKind.BET
        allowed = f"{act.name.lower()} {least} to {most}"
        fits = action.act in (act, ActKind.ALL_IN) and least <= action.amount <= most
        if action.act in (ActKind.FOLD, ActKind.CALL):
            fits = at.bets > 0
        elif action.act is ActKind.CHECK:
            fits = at.bets == 0
        elif at.all_in:
            fits = False
        if not fits or action in node.actions:
            raise BadInput(f"{line!r} cannot be added; allowed here: {allowed}")
        self.add(node, at, action)


class _PreflopBuilder(_Builder):
    """The betting before the flop, followed by the betting of all later streets.

    A player who can only check gets no decision: it would take memory on every board.
    """

    def __init__(self, spot: PreflopSpot) -> None:
        super().__init__(spot)
        self.game, self.first = spot, -1

    def start(self) -> _Betting:
        game = self.game
        return _Betting(-1, 1, (game.big_blind, game.small_blind), level=game.big_blind, bets=1)

    def act(self, at: _Betting) -> Node:
        actions = self.actions(at)
        return self.after(at, actions[0]) if len(actions) == 1 else super().act(at)

    def next(self, at: _Betting, action: SpotAction) -> _Betting | None:
        if at.street >= 0 or action.act not in (ActKind.CHECK, ActKind.CALL):
            return super().next(at, action)
        # Only the small blind's first call, a limp, leaves the big blind an action. A check, and
        # every other call, ends the street.
        if action.act is ActKind.CHECK or at.opened or at.bets > 1:
            return None
        level = self.game.big_blind
        return _Betting(-1, 0, (level, level), level=level, bets=1, opened=True)

    def limits(self, at: _Betting) -> tuple[int, int]:
        least, most = super().limits(at)
        if at.street >= 0:
            return least, most
        return min(max(least, at.level + self.game.big_blind), most), most

    def offered(self, at: _Betting) -> tuple[Sequence[BetSize], list[SpotAction]]:
        if at.street >= 0:
            return super().offered(at)
        sizes = self.game.opens if at.bets == 1 else self.game.reraises
        is_level = at.paid[0] == at.paid[1]
        return sizes, [SpotAction(ActKind.CHECK)] if is_level else [
            SpotAction(ActKind.FOLD),
            SpotAction(ActKind.CALL),
        ]


def half_up(number: float) -> int:
    """Round to whole chips, halves up."""
    return int(number + 0.5)


ANY_CARD: Final = -1
"""The number that stands for ``*``, any card, in a line."""

_WORDS: Final = {act.name.lower().replace("_", "-"): act for act in ActKind} | {
    "allin": ActKind.ALL_IN
}


def read_line(text: str) -> list[SpotAction | int]:
    """Read a line, ``check bet 120 call Td``: actions and card numbers. Raises `BadInput`.

    >>> [str(step) for step in read_line("check bet 120 call")]
    ['check', 'bet 120', 'call']
    """
    steps: list[SpotAction | int] = []
    for word in re.split(r"[\s,]+", text.strip()):
        if not word:
            continue
        if word.isdigit() and steps and isinstance(last := steps[-1], SpotAction) and last.act >= 3:
            steps[-1] = SpotAction(last.act, int(word))
        elif word.lower() in _WORDS:
            steps.append(SpotAction(_WORDS[word.lower()]))
        elif word == "*":
            steps.append(ANY_CARD)
        elif len(word) == 2 and (card := word[0].upper() + word[1].lower()) in CARD_OF_TEXT:
            steps.append(int(CARD_OF_TEXT[card]))
        else:
            raise BadInput(
                f"{word!r} in the line {text!r}; allowed: {', '.join(_WORDS)}, amounts "
                "after a bet or raise, and cards, as in check bet 120 call Td"
            )
    return steps


def action_index(node: Node, action: SpotAction, line: str) -> int:
    """Return the place of an action at a node. Its amount may be left out if only one fits."""
    same = [
        index
        for index, candidate in enumerate(node.actions)
        if candidate == action
        or (candidate.act is action.act and not action.amount)
        or (
            candidate.act is ActKind.ALL_IN
            and action.act >= ActKind.BET
            and candidate.amount == action.amount
        )
    ]
    if len(same) != 1:
        allowed = ", ".join(map(str, node.actions))
        raise BadInput(f"{action} in the line {line!r}; allowed here: {allowed}")
    return same[0]


@dataclass(slots=True, eq=False)
class StreetForest:
    """The betting of one street, on any board."""

    street: int
    roots: list[Node]
    blocks: list[list[Node]] = field(default_factory=list)
    """Nodes of each block by number: the roots first, and children side by side."""
    slots: list[int] = field(default_factory=lambda: [0, 0])
    """Number of actions of each player."""
    leaves: list[Node] = field(default_factory=list)
    """Ends of the street, in the order of the next street's roots."""

    def nodes(self) -> Iterator[Node]:
        """Yield all nodes."""
        for block in self.blocks:
            yield from block


def build_tree(spot: Spot) -> list[StreetForest]:
    """Return a forest for each street of a spot; the first has one root.

    Raises `BadInput` for lines that do not fit, and `TooLarge` for too many nodes.
    """
    builder = _PreflopBuilder(spot) if isinstance(spot, PreflopSpot) else _Builder(spot)
    root = builder.act(builder.start())
    for key, lines in (("remove", spot.removed), ("add", spot.added)):
        for line in lines:
            with naming(key):
                builder.change(root, line, add=key == "add")
    forests = []
    roots = [root]
    for street in range(builder.first, len(STREETS)):
        forest = _numbered(StreetForest(street, roots))
        forests.append(forest)
        roots = [leaf.children[0] for leaf in forest.leaves]
    return forests


def left_out(forests: Sequence[StreetForest]) -> list[str]:
    """Describe the actions that a tree lacks although both players have chips for them, by street.

    A missing third raise on a street is not mentioned.

    >>> from railbird.solve.spot import BetSizes, Spot, same_sizes
    >>> sizes = same_sizes(BetSizes.parse("50%"))
    >>> left_out(build_tree(Spot.of("2c3d7h9s", "AA", "KK", pot=10, stack=90, sizes=sizes)))
    ['raises on turn and river']
    """
    streets: dict[str, list[str]] = {}
    for forest in forests:
        if forest.street >= 0:
            for words in _left_out_of(forest):
                streets.setdefault(words, []).append(STREETS[forest.street])
    return [f"{words} on {_listed(names)}" for words, names in streets.items()]


def _left_out_of(forest: StreetForest) -> Iterator[str]:
    """Yield what is missing on a street, in the order in which a player would have the chance."""
    decisions = [decision for root in forest.roots for decision in _decisions(root, 0)]
    # Sets of truth values: {False} means that the chance is never taken up, {False, True} that only
    # some roots offer it, which is how a tree without donk bets looks.
    leads = {_has_sizes(root) for root in forest.roots if root.kind is Ends.DECISION}
    missing = {bets for node, bets in decisions if not _has_sizes(node)}
    in_position = {_has_sizes(node) for node, bets in decisions if node.player == 1 and not bets}
    if leads == {False}:
        yield "bets" if in_position == {False} else "bets by the first to act"
    elif in_position == {False}:
        yield "bets in position"
    if leads == {False, True}:
        yield "bets into who bet last"
    if 1 in missing:
        yield "raises"
    elif 2 in missing:
        yield "re-raises"


def _decisions(node: Node, bets: int) -> Iterator[tuple[Node, int]]:
    """Yield the decisions of a street where chips can be bet, and the number of bets so far."""
    if node.kind is not Ends.DECISION:
        return
    yield node, bets
    for action, child in zip(node.actions, node.children, strict=True):
        if action.act is not ActKind.ALL_IN and child.street == node.street:
            yield from _decisions(child, bets + (action.act >= ActKind.BET))


def _has_sizes(node: Node) -> bool:
    return node.actions[-1].act >= ActKind.BET


def _listed(names: Sequence[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last


def river_forest(root: Node) -> StreetForest:
    """Return a copy of the betting from one root of the river on."""
    # A copy, because numbering writes into the nodes, and these still belong to the spot's own
    # forest.
    return _numbered(StreetForest(len(STREETS) - 1, [copy.deepcopy(root)]))


def _numbered(forest: StreetForest) -> StreetForest:
    """Divide the trees of a forest into blocks, and number nodes, slots and leaves."""
    trees = [_in_order([root]) for root in forest.roots]
    # A block is what a kernel computes at once. It has at most `LINE` roots, one for each place of
    # a vector, and no more nodes than keep its values in the processor's cache.
    start = 0
    while start < len(trees):
        end, nodes = start + 1, len(trees[start])
        while end < len(trees) and end - start < LINE and nodes + len(trees[end]) <= _BLOCK_NODES:
            nodes += len(trees[end])
            end += 1
        forest.blocks.append(_in_order(forest.roots[start:end]))
        start = end
    for number, block in enumerate(forest.blocks):
        for index, node in enumerate(block):
            node.number, node.block = index, number
        # Slots go backwards through a block because the kernels bring values up from the last node
        # to the first, and so read the regrets of a board from one end to the other.
        for node in reversed(block):
            if node.kind is Ends.DECISION:
                node.slot = forest.slots[node.player]
                forest.slots[node.player] += len(node.actions)
        for node in block:
            if node.kind is Ends.LATER:
                node.leaf = len(forest.leaves)
                forest.leaves.append(node)
    return forest


def _in_order(roots: Sequence[Node]) -> list[Node]:
    """Return all nodes of some trees, breadth first: children side by side, roots first."""
    nodes = list(roots)
    for node in nodes:
        if node.kind is Ends.DECISION:
            nodes.extend(node.children)
    return nodes


# Payoffs.


class Pays(NamedTuple):
    """What the end of a hand is worth to a player, in chips or in the unit of the utility."""

    win: float
    tie: float
    lose: float


def payoff(spot: Spot, player: int, node: Node) -> Pays:
    """Return what a fold or a showdown pays. At a fold, ``win`` goes to the player who stays.

    In chips, half of the starting pot counts as the player's own, so that the two players' results
    add up to minus the rake. With a utility, it is the gain over the utility of having that half.
    """
    matched = min(node.paid)
    pot = spot.pot + 2 * matched
    rake = min(pot * spot.rake, spot.rake_cap)
    if node.street < 0:
        rake = 0  # no flop, no drop
    if spot.utilities is None:
        return Pays(pot / 2 - rake, -rake / 2, -pot / 2)
    utility, behind = spot.utilities[player], spot.stack - matched
    start = utility(spot.stack + spot.pot / 2)
    return Pays(
        utility(behind + pot - rake) - start,
        utility(behind + (pot - rake) / 2) - start,
        utility(behind) - start,
    )


# Plans for kernels.


def plan(spot: Spot, forest: StreetForest, player: int, later: StreetForest | None) -> StreetPlan:
    """Return the tables by which the kernels update one player on this forest."""
    blocks, pays = [], []
    # `down` lists the opponent's decisions, at which reach is split among new rows. `up` lists all
    # decisions from the last to the first, at which values are combined.
    down: list[tuple[int, int, int, int]] = []
    ends: list[tuple[int, int, int]] = []
    up: list[tuple[int, int, int, int, int, int, int]] = []
    # A row holds the opponent's reach. It changes only where the opponent acts, so all nodes
    # between two of the opponent's actions share one: `rows` maps each node to its row.
    rows: dict[int, int] = {}
    first_node = first_row = 0
    known = set(map(id, forest.roots))
    for block in forest.blocks:
        roots = sum(id(node) in known for node in block[:LINE])
        starts = len(down), len(ends), len(up)
        count = roots
        acted: dict[int, int] = {}
        for number, node in enumerate(block):
            if number < roots:
                rows[id(node)] = number
            row = rows[id(node)]
            if node.kind is not Ends.DECISION:
                continue
            if node.player == player:
                for child in node.children:
                    rows[id(child)] = row
                acted[id(node)] = 0
            else:
                down.append((node.slot, len(node.actions), row, count))
                acted[id(node)] = count
                for index, child in enumerate(node.children):
                    rows[id(child)] = count + index
                count += len(node.actions)
        for node in reversed(block):
            if node.kind is Ends.DECISION:
                up.append(
                    (
                        node.number,
                        int(node.player == player),
                        node.slot,
                        len(node.actions),
                        node.children[0].number,
                        rows[id(node)],
                        acted[id(node)],
                    )
                )
        here = _ends(spot, player, block, rows)
        ends += [end for end, _ in here]
        pays += [pay for _, pay in here]
        blocks.append(
            (
                *(roots, len(block), count),
                *(starts[0], len(down), starts[1], len(ends), starts[2], len(up)),
                *(first_node, first_row),
            )
        )
        first_node += len(block)
        first_row += count
    table = np.array(blocks, dtype=np.int64).reshape(-1, 11)
    sizes = [table[:, 1].max(), table[:, 2].max(), first_node, first_row]
    return StreetPlan(
        sizes=np.array(sizes, dtype=np.int64),
        blocks=table,
        down=np.array(down, dtype=np.int64).reshape(-1, 4),
        ends=np.array(ends, dtype=np.int64).reshape(-1, 3),
        pays=np.array(pays, dtype=np.float32).reshape(-1, 4),
        up=np.array(up, dtype=np.int64).reshape(-1, 7),
        leaves=_leaves(table, forest, rows, later),
    )


def _leaves(
    table: np.ndarray, forest: StreetForest, rows: dict[int, int], later: StreetForest | None
) -> np.ndarray:
    """Return row and node of each leaf in its forest, by the next street's blocks and roots."""
    leaves = np.full((len(later.blocks) if later else 0, LINE, 2), -1, dtype=np.int64)
    for leaf in forest.leaves:
        root = leaf.children[0]
        node, row = table[leaf.block, 9:11]
        leaves[root.block, root.number] = row + rows[id(leaf)], node + leaf.number
    return leaves


def _ends(
    spot: Spot, player: int, block: Sequence[Node], rows: dict[int, int]
) -> list[tuple[tuple[int, int, int], tuple[float, float, float, float]]]:
    """Return the ends of the hand in a block, by row; rows with a fold alone come first.

    Each is the row, the node of the fold and the node of the showdown, with what these pay.
    """
    folds: dict[int, Node] = {}
    shows: dict[int, Node] = {}
    for node in block:
        if node.kind is Ends.FOLD:
            folds[rows[id(node)]] = node
        elif node.kind is Ends.SHOWDOWN:
            shows[rows[id(node)]] = node
    # A fold and a showdown on the same row meet the same reach of the opponent, so one pass over
    # the holdings serves both. The showdown's payment is split into a part that every opponent pays
    # and one that depends on who is stronger: the kernel multiplies each by a sum that it has
    # anyway.
    ends = []
    for row in sorted(
        {*folds, *shows}, key=lambda candidate: (candidate in shows, candidate in folds, candidate)
    ):
        fold, show = folds.get(row), shows.get(row)
        of_fold, all_, balance, ties = 0.0, 0.0, 0.0, 0.0
        if fold is not None:
            pays = payoff(spot, player, fold)
            of_fold = pays.lose if fold.player == player else pays.win
        if show is not None:
            pays = payoff(spot, player, show)
            all_ = (pays.win + pays.lose) / 2
            balance = (pays.win - pays.lose) / 2
            ties = pays.tie - all_
        numbers = (-1 if end is None else end.number for end in (fold, show))
        ends.append(((row, *numbers), (of_fold, all_, balance, ties)))
    return ends  # type: ignore[return-value]
