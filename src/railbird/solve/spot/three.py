"""Solves no-limit spots of three people on the turn or the river, approximately, by vector CFR.

`railbird.solve.spot.solving` solves spots of two players.

No algorithm is known to find an equilibrium of three players in general, and this one does not
claim to. Instead it measures how much each player could gain alone: the value of a best response to
the others' average strategies minus the value of the player's own average (`ThreeSolution.gains`).
If all three gains are small, no player has a reason to deviate alone.

Stacks may differ. A player who is all-in contests only the part of the pot that he has matched; the
others also contest the rest. Odd chips are split. An all-in that raises by less than the last bet
or raise is not offered.

River cards that differ by suits alone are solved once, for one card of each class; its values are
carried over to the others by permuting suits. This requires that turn strategies are the same,
digit for digit, for holdings that differ by these suits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird._provenance import Provenance
from railbird.cards import (
    DECK,
    HOLDING_CARDS,
    HOLDINGS,
    Card,
    Range,
    cards_from,
    format_cards,
    strengths,
)
from railbird.cards.isomorphism_kernels import CARD_UNDER, HOLDING_UNDER
from railbird.errors import BadInput, TooLarge
from railbird.solve.spot.boards import orbits_of_cards, suits_alike
from railbird.solve.spot.solution import megabytes, most_memory
from railbird.solve.spot.solving import DiscountSchedule
from railbird.solve.spot.spot import BetSizes, Kind, naming, read_fields, read_range, read_text
from railbird.solve.spot.three_kernels import (
    ACTIONS,
    AVERAGE,
    BEST,
    CHILD,
    DECISION,
    END,
    KIND,
    LATER,
    PAY,
    ROW,
    SEAT,
    UPDATE,
    three_down,
    three_mix,
    three_up,
)
from railbird.solve.spot.tree import ActKind, SpotAction, half_up, read_line

Floats = npt.NDArray[np.float64]
SEATS: Final = ("first", "second", "third")
"""The players in the order in which they act."""
_STREETS: Final = ("turn", "river")
_PLAYERS: Final = 3
_MOST_NODES: Final = 60_000
_MOST_CHIPS: Final = 10**9
_CHECK_EVERY: Final = 10
GAP_PERCENT: Final = 1.0
MOST_ITERATIONS: Final = 1_000


@dataclass(frozen=True, slots=True)
class ThreeSpot:
    """A spot of three players on the turn or the river, who have all paid the same so far."""

    board: tuple[Card, ...]
    ranges: tuple[Range, Range, Range]
    pot: int
    stacks: tuple[int, int, int]
    """Chips behind, in the order in which the players act."""
    sizes: Mapping[str, BetSizes]
    """Bet sizes by street, the same for all players."""

    def __post_init__(self) -> None:
        if len(self.board) not in (4, 5) or len(set(self.board)) < len(self.board):
            raise BadInput(f"board {format_cards(self.board)}; allowed: 4 or 5 different cards")
        if not 1 <= self.pot <= _MOST_CHIPS:
            raise BadInput(f"pot {self.pot}; allowed: 1 to {_MOST_CHIPS:,} chips")
        if not all(1 <= stack <= _MOST_CHIPS for stack in self.stacks):
            raise BadInput(f"stacks {self.stacks}; allowed: 1 to {_MOST_CHIPS:,} chips each")
        for sizes in self.sizes.values():
            if any(size.kind is Kind.GEOMETRIC for size in (*sizes.bets, *sizes.raises)):
                raise BadInput("the size e; allowed with three players: 50%, 2.5x, 120c, a")

    @classmethod
    def parse(cls, text: str, *, name: str = "spot", files: bool = False) -> ThreeSpot:
        """Read a spot from ``key = value`` lines. Raises `BadInput`.

        The keys are ``board``, ``pot``, ``stacks`` (three numbers, or one for all), ``first``,
        ``second`` and ``third`` for the ranges, and ``bets`` and ``raises``, which a prefix
        ``turn_`` or ``river_`` limits to one street.
        """
        fields = read_fields(text)
        sizes = ("bets", "raises")
        streets = [f"{street}_{key}" for street in _STREETS for key in sizes]
        allowed = ("board", "pot", "stacks", *SEATS, *sizes, *streets)
        for key in fields:
            if key not in allowed:
                raise BadInput(f"{name}: unknown key {key!r}; allowed: {', '.join(allowed)}")
        for key in ("board", "pot", "stacks", *SEATS):
            if key not in fields:
                raise BadInput(f"{name}: no line {key} = …")
        with naming(name):
            with naming("board"):
                board = tuple(Card(card) for card in cards_from(fields["board"]))
            ranges = []
            for seat in SEATS:
                with naming(seat):
                    ranges.append(read_range(fields[seat], files=files).without(board))
            stacks = [_chips(word, "stacks") for word in fields["stacks"].split(",")]
            stacks = stacks * _PLAYERS if len(stacks) == 1 else stacks
            if len(stacks) != _PLAYERS:
                raise BadInput(f"stacks: {len(stacks)} numbers; allowed: 1 or 3")
            by_street = {}
            for street in _STREETS:
                bets, raises = (fields.get(f"{street}_{key}", fields.get(key, "")) for key in sizes)
                with naming(f"{street}_bets"):
                    by_street[street] = BetSizes.parse(bets, raises)
            return cls(
                board,
                (ranges[0], ranges[1], ranges[2]),
                _chips(fields["pot"], "pot"),
                (stacks[0], stacks[1], stacks[2]),
                by_street,
            )

    def __str__(self) -> str:
        """Return the lines that `parse` reads."""
        lines = [
            f"board = {format_cards(self.board)}",
            f"pot = {self.pot}",
            f"stacks = {', '.join(map(str, self.stacks))}",
            *(f"{seat} = {of_seat}" for seat, of_seat in zip(SEATS, self.ranges, strict=True)),
        ]
        for street, sizes in self.sizes.items():
            for key, of_key in (("bets", sizes.bets), ("raises", sizes.raises)):
                if of_key:
                    lines.append(f"{street}_{key} = {', '.join(map(str, of_key))}")
        return "\n".join(lines) + "\n"

    @classmethod
    def read(cls, path: Path | str) -> ThreeSpot:
        """Read a file whose lines `parse` understands. Raises `BadInput`."""
        return cls.parse(read_text(Path(path)), name=str(path), files=True)


def _chips(text: str, key: str) -> int:
    word = text.strip()
    if not word.isdecimal() or len(word) > 10:
        raise BadInput(f"{key}: {word[:40]!r}; allowed: whole chips")
    return int(word)


# The betting.


@dataclass(slots=True, eq=False)
class ThreeNode:
    """A point of the betting of three players."""

    kind: int
    seat: int = -1
    paid: tuple[int, ...] = (0, 0, 0)
    folded: tuple[bool, ...] = (False, False, False)
    actions: list[SpotAction] = field(default_factory=list)
    children: list[ThreeNode] = field(default_factory=list)
    """One for each action; before the river, the root of the river's betting."""
    number: int = -1
    """Its place in its plan."""
    row: int = -1


class _Round(NamedTuple):
    """The state of a betting round when a player is to act."""

    river: bool
    seat: int
    paid: tuple[int, ...]
    before: tuple[int, ...]
    """What each player had paid when the street began."""
    folded: tuple[bool, ...]
    waiting: tuple[bool, ...]
    """Which players have yet to act since the last bet."""
    bet: int = 0
    """The highest bet of the street."""
    raised: int = 0
    """The size of the last bet or raise."""
    bets: int = 0


class _ThreeBuilder:
    def __init__(self, spot: ThreeSpot) -> None:
        self.spot = spot
        self.count = 0

    def root(self) -> ThreeNode:
        nobody = (False,) * _PLAYERS
        return self.street((0,) * _PLAYERS, nobody, river=len(self.spot.board) == 5)

    def node(self, kind: int, at: Sequence[int], folded: tuple[bool, ...]) -> ThreeNode:
        self.count += 1
        if self.count > _MOST_NODES:
            raise TooLarge(f"the betting has more than {_MOST_NODES:,} points; use fewer sizes")
        return ThreeNode(kind, paid=tuple(at), folded=folded)

    def can_bet(self, paid: Sequence[int], folded: Sequence[bool]) -> list[bool]:
        return [
            not out and put < stack
            for put, out, stack in zip(paid, folded, self.spot.stacks, strict=True)
        ]

    def street(self, paid: tuple[int, ...], folded: tuple[bool, ...], *, river: bool) -> ThreeNode:
        """Build a street from its beginning."""
        active = self.can_bet(paid, folded)
        if sum(active) < 2:
            return self.over(paid, folded, river=river)
        first = active.index(True)
        return self.decision(_Round(river, first, paid, paid, folded, tuple(active)))

    def over(self, paid: tuple[int, ...], folded: tuple[bool, ...], *, river: bool) -> ThreeNode:
        """Build what follows the end of a street's betting: the river, or the end of the hand."""
        if river or sum(folded) == _PLAYERS - 1:
            return self.node(END, paid, folded)
        node = self.node(LATER, paid, folded)
        node.children.append(self.street(paid, folded, river=True))
        return node

    def decision(self, at: _Round) -> ThreeNode:
        node = self.node(DECISION, at.paid, at.folded)
        node.seat = at.seat
        for action in self.actions(at):
            node.actions.append(action)
            node.children.append(self.after(at, action))
        return node

    def actions(self, at: _Round) -> list[SpotAction]:
        spot, seat = self.spot, at.seat
        put = at.paid[seat] - at.before[seat]
        stack = spot.stacks[seat] - at.before[seat]
        to_call = min(at.bet, stack) - put
        passive = [SpotAction(ActKind.CHECK)]
        if to_call > 0:
            passive = [SpotAction(ActKind.FOLD), SpotAction(ActKind.CALL)]
        # A bet is cut at the largest stack that can still call it: chips beyond that would return
        # at once.
        others = [
            spot.stacks[rival] - at.before[rival]
            for rival in range(_PLAYERS)
            if rival != seat and not at.folded[rival] and at.paid[rival] < spot.stacks[rival]
        ]
        # With this bound a bet may set the opponents all-in without being all-in for the player who
        # makes it; it counts as an all-in action all the same, since nobody can raise it.
        most = min(stack, max(others, default=0))
        least = at.bet + max(at.raised, 1)
        if most < least:
            return passive
        # As in `tree`, sizes are shares of the pot after the player has called.
        pot = spot.pot + sum(at.paid) + to_call
        sizes = spot.sizes["river" if at.river else "turn"]
        wanted = set()
        for size in sizes.raises if at.bet else sizes.bets:
            if size.most and at.bets > size.most:
                continue
            match size.kind:
                case Kind.POT:
                    amount = at.bet + half_up(pot * size.number)
                case Kind.PREVIOUS:
                    amount = half_up(at.bet * size.number)
                case Kind.CHIPS:
                    amount = at.bet + int(size.number)
                case _:
                    amount = most
            wanted.add(min(max(amount, least), most))
        act = ActKind.RAISE if at.bet else ActKind.BET
        return passive + [
            SpotAction(ActKind.ALL_IN if amount == most else act, amount)
            for amount in sorted(wanted)
        ]

    def after(self, at: _Round, action: SpotAction) -> ThreeNode:
        """Build what follows an action."""
        seat = at.seat
        paid, folded, waiting = list(at.paid), list(at.folded), list(at.waiting)
        waiting[seat] = False
        bet, raised, bets = at.bet, at.raised, at.bets
        if action.act is ActKind.FOLD:
            folded[seat] = True
        elif action.act is ActKind.CALL:
            paid[seat] = at.before[seat] + min(at.bet, self.spot.stacks[seat] - at.before[seat])
        elif action.act is not ActKind.CHECK:
            paid[seat] = at.before[seat] + action.amount
            bet, raised, bets = action.amount, action.amount - at.bet, at.bets + 1
            active = self.can_bet(paid, folded)
            waiting = [can and rival != seat for rival, can in enumerate(active)]
        now, out = tuple(paid), tuple(folded)
        if sum(out) == _PLAYERS - 1 or not any(waiting):
            return self.over(now, out, river=at.river)
        # The only player who can still bet has nobody to bet against, and owes nothing: it is over.
        active = self.can_bet(now, out)
        later = next(
            rival % _PLAYERS for rival in range(seat + 1, seat + 4) if waiting[rival % _PLAYERS]
        )
        owes = now[later] - at.before[later] < bet
        if sum(active) < 2 and not owes:
            return self.over(now, out, river=at.river)
        return self.decision(
            _Round(at.river, later, now, at.before, out, tuple(waiting), bet, raised, bets)
        )


def three_tree(spot: ThreeSpot) -> ThreeNode:
    """Return the tree of the betting. Raises `TooLarge` for too many points."""
    return _ThreeBuilder(spot).root()


_BASIS: Final = np.array([[1.0, 0, 0], [0, 1.0, 0], [-1.0, -1.0, 1.0]])
"""Turns payments by (weaker, equal, stronger) opponent into payments by (weaker, equal, all).

The kernel then needs the sums of reach over all opponents and over those that are weaker or equal,
but none over those that are stronger.
"""


def end_pays(pot: int, paid: Sequence[int], folded: Sequence[bool]) -> npt.NDArray[np.float64]:
    """Return what each player wins at an end, (3, 3, 3), by how the two opponents compare.

    The axes are the player and, for each of the next two players in order, (weaker, equal, all);
    see `_BASIS`. A part of the pot above what somebody has paid is contested only by those who have
    paid it.
    """
    pays = np.zeros((_PLAYERS, 3, 3))
    for player in range(_PLAYERS):
        others = (player + 1) % _PLAYERS, (player + 2) % _PLAYERS
        for a in range(3):
            for b in range(3):
                pays[player, a, b] = _won(pot, paid, folded, player, others, (a, b))
        pays[player] = _BASIS.T @ pays[player] @ _BASIS
    return pays


def _won(
    pot: int,
    paid: Sequence[int],
    folded: Sequence[bool],
    player: int,
    others: tuple[int, int],
    compared: tuple[int, int],
) -> float:
    """Return what a player wins who beats (0), ties with (1) or loses to (2) each opponent."""
    won = -float(paid[player])
    if folded[player]:
        return won
    # Side pots: the pot is cut into layers at the amounts paid, and each layer is split among the
    # best hands of those who paid for all of it. The chips that were there before the spot began
    # belong to the lowest layer, which ends at 0 and which everybody contests.
    low = 0
    for high in sorted({*paid, 0}):
        chips = sum(min(put, high) - min(put, low) for put in paid) + (pot if high == 0 else 0)
        low = high
        if paid[player] < high:
            continue
        rivals = [
            how
            for rival, how in zip(others, compared, strict=True)
            if not folded[rival] and paid[rival] >= high
        ]
        if 2 not in rivals:
            won += chips / (1 + rivals.count(1))
    return won


# The plans of the betting and the boards that are solved.


class _Plan:
    """The betting of a street from one root on, as a table for the kernels."""

    def __init__(self, root: ThreeNode, pot: int) -> None:
        self.nodes: list[ThreeNode] = [root]
        at = 0
        while at < len(self.nodes):
            node = self.nodes[at]
            node.number = at
            if node.kind == DECISION:
                self.nodes += node.children
            at += 1
        self.table = np.zeros((len(self.nodes), 6), dtype=np.int64)
        pays: list[npt.NDArray[np.float64]] = []
        self.leaves: list[ThreeNode] = []
        self.rows = 0
        for number, node in enumerate(self.nodes):
            self.table[number, KIND] = node.kind
            if node.kind == DECISION:
                node.row = self.rows
                self.table[number, SEAT] = node.seat
                self.table[number, CHILD] = node.children[0].number
                self.table[number, ACTIONS] = len(node.actions)
                self.table[number, ROW] = self.rows
                self.rows += len(node.actions)
            elif node.kind == END:
                self.table[number, PAY] = len(pays)
                pays.append(end_pays(pot, node.paid, node.folded))
            else:
                self.table[number, PAY] = len(self.leaves)
                self.leaves.append(node)
        self.pays = np.array(pays).reshape(-1, _PLAYERS, 3, 3)


class _Board:
    """The holdings that a board leaves, on the river in order of strength."""

    def __init__(self, cards: Sequence[Card], held: npt.NDArray[np.int64]) -> None:
        self.cards = tuple(cards)
        blocked = np.isin(HOLDING_CARDS[held], [int(card) for card in cards]).any(axis=1)
        holdings = held[~blocked]
        ranks = np.zeros(len(holdings), dtype=np.int64)
        if len(cards) == 5:
            hands = np.hstack(
                [HOLDING_CARDS[holdings], np.tile(np.array(cards), (len(holdings), 1))]
            ).astype(np.uint8)
            ranks = strengths(hands).astype(np.int64)
        order = np.argsort(ranks, kind="stable")
        self.holdings, ranks = holdings[order], ranks[order]
        self.pairs = np.ascontiguousarray(HOLDING_CARDS[self.holdings].astype(np.int64))
        begins = np.searchsorted(ranks, ranks, side="left")
        self.levels = np.stack([begins, np.searchsorted(ranks, ranks, side="right")], axis=1)
        self.where = np.full((len(DECK), len(DECK)), len(holdings), dtype=np.int64)
        for number, (low, high) in enumerate(self.pairs.tolist()):
            self.where[low, high] = self.where[high, low] = number
        self.place = np.full(HOLDINGS, -1, dtype=np.int64)
        self.place[self.holdings] = np.arange(len(self.holdings))

    def __len__(self) -> int:
        return len(self.holdings)


class _Tables(NamedTuple):
    regrets: npt.NDArray[np.float32]
    averages: npt.NDArray[np.float32]


class ThreeNeeds(NamedTuple):
    """How large a spot of three players is, and how much memory it takes."""

    nodes: int
    numbers: int
    """Number of regrets and averages on all boards."""
    memory_mb: float


class ThreeSolver:
    """Solves a spot of three players; the result is the same with any number of threads."""

    def __init__(self, spot: ThreeSpot, *, threads: int = 1, isomorphism: bool = True) -> None:
        self.spot, self.threads, self.isomorphism = spot, threads, isomorphism
        self.root = three_tree(spot)
        self.iterations = 0
        held = np.sum([of_player.weights for of_player in spot.ranges], axis=0)
        self.board = _Board(spot.board, np.flatnonzero(held))
        self.plan = _Plan(self.root, spot.pot)
        self.rivers: list[_Board] = []
        """The boards of the river, one for each class of cards that differ by suits alone."""
        self.suits: list[list[int]] = []
        """For each river, the permutations of suits that turn its card into those of its class."""
        self.river_plans: list[_Plan] = []
        self.alike = np.arange(len(self.board))
        """(n,) for each holding of the first board, the one that represents its class."""
        if len(spot.board) == 4:
            weights = [of_player.weights for of_player in spot.ranges]
            deck = [int(card) for card in DECK]
            group = suits_alike(spot.board, weights, deck) if isomorphism else [0]
            images = self.board.place[HOLDING_UNDER[group][:, self.board.holdings]]
            self.alike = images.min(axis=0)
            for card, suits in orbits_of_cards(deck, [int(card) for card in spot.board], group):
                river = _Board((*spot.board, Card(card)), self.board.holdings)
                if len(river):
                    self.rivers.append(river)
                    self.suits.append(suits)
            self.river_plans = [_Plan(leaf.children[0], spot.pot) for leaf in self.plan.leaves]
        self.weights = [self._on(self.board, spot.ranges[seat].weights) for seat in range(3)]
        self.total = self._total()
        if not self.total > 0:
            raise BadInput("the ranges leave no three holdings that differ in all cards")
        self._tables: dict[tuple[int, int], _Tables] = {}

    @staticmethod
    def _on(board: _Board, weights: npt.NDArray[np.float64]) -> Floats:
        """Return weights by the holdings of a board, followed by a zero.

        Kernels look holdings that the board blocks up at this last place.
        """
        with_zero: Floats = np.append(np.asarray(weights, dtype=np.float64)[board.holdings], 0.0)
        return with_zero

    @cached_property
    def needs(self) -> ThreeNeeds:
        """The size of the betting and the memory of the arrays."""
        numbers = self.plan.rows * len(self.board)
        river_rows = sum(plan.rows for plan in self.river_plans)
        numbers += river_rows * sum(map(len, self.rivers))
        plans = [self.plan, *self.river_plans]
        widest = max(len(plan.nodes) for plan in plans) * (len(self.board) + 1) * 4 * 8
        nodes = sum(len(plan.nodes) for plan in plans)
        bytes_ = 8 * numbers + widest * (1 + self.threads)
        return ThreeNeeds(nodes, 2 * numbers, bytes_ / 2**20)

    def tables(self, plan: int, board: int) -> _Tables:
        """Return the regrets and averages of a plan on a board; plan -1 is the first street."""
        key = plan, board
        if key not in self._tables:
            rows = self.plan.rows if plan < 0 else self.river_plans[plan].rows
            width = len(self.board) if plan < 0 else len(self.rivers[board])
            shape = (rows, width)
            self._tables[key] = _Tables(
                np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
            )
        return self._tables[key]

    def places(self) -> Iterator[tuple[int, int]]:
        """Yield the plan and the board of every pair of `tables`."""
        yield -1, 0
        for plan in range(len(self.river_plans)):
            for board in range(len(self.rivers)):
                yield plan, board

    def chances(self, plan: int, board: int) -> npt.NDArray[np.float64]:
        """Return the average strategy, (rows, holdings); zeros for holdings not reached."""
        of_plan = self.plan if plan < 0 else self.river_plans[plan]
        chances = np.abs(self.tables(plan, board).averages.astype(np.float64))
        for node in of_plan.nodes:
            if node.kind == DECISION:
                rows = chances[node.row : node.row + len(node.actions)]
                total = rows.sum(axis=0)
                np.divide(rows, total, out=rows, where=total > 0)
        return chances

    def run(self, iterations: int) -> None:
        """Make iterations, each of which updates all players in turn."""
        schedule = DiscountSchedule()
        for _ in range(iterations):
            step = schedule.step(self.iterations)
            factors = np.array([step.gain, step.loss, step.keep, step.add])
            for player in range(_PLAYERS):
                self._pass(player, UPDATE, factors)
                # Holdings of a class sum the same values in different orders, so their last digits
                # differ. `_rivers` needs them equal: each takes the numbers of its representative.
                for table in self.tables(-1, 0):
                    table[:] = table[:, self.alike]
            self.iterations += 1

    def root_values(self, player: int, mode: int) -> Floats:
        """Return the value of each holding of the first board, summed over the opponents' reach."""
        values: Floats = self._pass(player, mode, np.zeros(4))[0]
        return values

    def value(self, player: int, mode: int = AVERAGE) -> float:
        """Return what a player wins from the spot's beginning on, in chips a hand."""
        return float(self.weights[player][:-1] @ self.root_values(player, mode)) / self.total

    def _total(self) -> float:
        """Return the total weight of all triples of holdings without a common card."""
        board = self.board
        pays = np.zeros((3, 3))
        pays[2, 2] = 1.0
        met = self.met(0, board, self.weights[1], self.weights[2])
        return float(self.weights[0][:-1] @ met)

    def met(self, player: int, board: _Board, reach_j: Floats, reach_k: Floats) -> Floats:
        """Return the total weight of opponents' pairs that each holding of a player can meet."""
        from railbird.solve.spot.three_kernels import three_ends

        # An end that pays 1 whatever the opponents hold: its value is the weight of all pairs.
        pays = np.zeros((3, 3))
        pays[2, 2] = 1.0
        out = np.zeros(len(board))
        own = np.ones(len(board))
        three_ends(
            board.pairs, board.levels, board.where, own, reach_j, reach_k, pays,
            np.zeros((9, 52)), out,
        )  # fmt: skip
        return out

    def _pass(self, player: int, mode: int, factors: Floats) -> npt.NDArray[np.float64]:
        """Return the first street's values for a player; in mode UPDATE, update its tables."""
        plan, board = self.plan, self.board
        reach = np.zeros((len(plan.nodes), _PLAYERS, len(board) + 1))
        reach[0] = self.weights
        tables = self.tables(-1, 0)
        mix = np.zeros(64)
        average = mode != UPDATE
        table = tables.averages if average else tables.regrets
        three_down(plan.table, player, average, table, reach, mix)
        leaves = np.zeros((max(len(plan.leaves), 1), len(board)))
        if plan.leaves:
            for number, values in enumerate(self._rivers(player, mode, factors, reach)):
                leaves[number] = values
        return self._up(plan, board, tables, player, mode, factors, reach, leaves, mix)

    def _rivers(
        self, player: int, mode: int, factors: Floats, reach: npt.NDArray[np.float64]
    ) -> Iterator[Floats]:
        """Yield the value of each leaf: the mean over the river cards that nobody holds.

        Requires that holdings of one class in `alike` have exactly the same reach.
        """
        left = len(DECK) - len(self.spot.board) - 2 * _PLAYERS

        def on(board_number: int) -> list[Floats]:
            board = self.rivers[board_number]
            images = self.board.place[HOLDING_UNDER[self.suits[board_number]][:, board.holdings]]
            worth = []
            for number, plan in enumerate(self.river_plans):
                leaf = self.plan.leaves[number].number
                entering = self._entering(plan, board, reach[leaf])
                values = np.zeros(len(self.board))
                met = entering[0, [(player + 1) % 3, (player + 2) % 3]]
                # Nobody is met here, so the values are zero. An update must go on all the same:
                # regrets and averages are discounted on every iteration, whether or not they are
                # reached.
                if mode != UPDATE and not met.any(axis=1).all():
                    worth.append(values)
                    continue
                tables = self.tables(number, board_number)
                mix = np.zeros(64)
                average = mode != UPDATE
                table = tables.averages if average else tables.regrets
                three_down(plan.table, player, average, table, entering, mix)
                every = self._up(
                    plan, board, tables, player, mode, factors, entering,
                    np.zeros((1, len(board))), mix,
                )  # fmt: skip
                # The river was solved for one card of its class; under each permutation the same
                # values belong to other holdings.
                for to in images:
                    values[to] += every[0]
                worth.append(values)
            return worth

        totals = np.zeros((len(self.river_plans), len(self.board)))
        numbers = range(len(self.rivers))
        if self.threads == 1:
            for board_number in numbers:
                totals += np.array(on(board_number))
        else:
            for place in self.places():  # allocated here: two threads must not both do it
                self.tables(*place)
            # The results come in the order of the rivers, whichever thread is done first, so the
            # sums do not depend on the number of threads.
            with ThreadPoolExecutor(self.threads) as pool:
                for worth in pool.map(on, numbers):
                    totals += np.array(worth)
        yield from totals / left

    def _up(
        self,
        plan: _Plan,
        board: _Board,
        tables: _Tables,
        player: int,
        mode: int,
        factors: Floats,
        reach: npt.NDArray[np.float64],
        leaves: npt.NDArray[np.float64],
        mix: Floats,
    ) -> npt.NDArray[np.float64]:
        own = self._on(board, self.spot.ranges[player].weights)[:-1]
        values = np.zeros((len(plan.nodes), len(board)))
        three_up(
            plan.table, player, mode, tables.regrets, tables.averages, factors, board.pairs,
            board.levels, board.where, own, reach, plan.pays, leaves, np.zeros((9, 52)), mix,
            values,
        )  # fmt: skip
        return values

    def walk(self, line: str) -> tuple[list[str], list[ThreePlace]]:
        """Return a line's steps in their standard form, and the places before and after each step.

        A line consists of actions, and of a river card where one is dealt. Raises `BadInput`.
        """
        words: list[str] = []
        places = [ThreePlace(self.root, self.spot.board)]
        for word in read_line(line):
            reached = places[-1]
            if isinstance(word, int):
                places.append(self._after_card(reached, word, line))
                words.append(format_cards(places[-1].board[-1:]))
                continue
            actions = reached.node.actions
            alike = [
                number
                for number, action in enumerate(actions)
                if action == word or (not word.amount and action.act is word.act)
            ]
            if len(alike) != 1:
                allowed = ", ".join(map(str, actions)) or _NO_ACTION[reached.node.kind]
                raise BadInput(f"{word} in {line[:80]!r}; allowed there: {allowed}")
            places.append(reached._replace(node=reached.node.children[alike[0]]))
            words.append(str(actions[alike[0]]))
        return words, places

    def _after_card(self, reached: ThreePlace, card: int, line: str) -> ThreePlace:
        if reached.node.kind != LATER:
            raise BadInput(f"a card in {line[:80]!r} where none is dealt; allowed there: actions")
        for number, (river, permutations) in enumerate(zip(self.rivers, self.suits, strict=True)):
            for suits in permutations:
                if CARD_UNDER[suits, river.cards[-1]] == card:
                    leaf = int(self.plan.table[reached.node.number, PAY])
                    board = (*self.spot.board, Card(card))
                    return ThreePlace(reached.node.children[0], board, leaf, number, suits)
        raise BadInput(f"a river card in {line[:80]!r}; allowed: a card that is not on the board")

    def check_decision(self, line: str) -> None:
        """Raise `BadInput` unless a player is to act after a line."""
        kind = self.walk(line)[1][-1].node.kind
        if kind != DECISION:
            raise BadInput(f"nobody acts after {line[:80]!r}{_ENDS[kind]}")

    def at(self, line: str) -> ThreePoint:
        """Return the decision after a line. Raises `BadInput` if there is none."""
        self.check_decision(line)
        words, places = self.walk(line)
        node, cards, plan_number, board_number, suits = places[-1]
        seat = node.seat
        plan, board, tables, reach = self.plan, self.board, self.tables(-1, 0), self._all_reach()
        if plan_number < 0:
            values = self._pass(seat, AVERAGE, np.zeros(4))
        else:
            before = reach[plan.leaves[plan_number].number]
            plan, board = self.river_plans[plan_number], self.rivers[board_number]
            tables = self.tables(plan_number, board_number)
            reach = self._entering(plan, board, before)
            three_down(plan.table, -1, True, tables.averages, reach, np.zeros(64))
            values = self._up(
                plan, board, tables, seat, AVERAGE, np.zeros(4), reach, np.zeros((1, len(board))),
                np.zeros(64),
            )  # fmt: skip
        here = reach[node.number]
        met = self.met(seat, board, here[(seat + 1) % 3], here[(seat + 2) % 3])
        actions = len(node.actions)
        mix = np.zeros(64)
        strategy = np.zeros((actions, len(board)))
        for h in range(len(board)):
            three_mix(tables.averages, node.row, actions, h, True, mix)
            strategy[:, h] = mix[:actions]
        first = node.children[0].number
        with np.errstate(divide="ignore", invalid="ignore"):
            worth = values[first : first + actions] / met
        # The kernels count from the beginning of the spot; chips already paid are spent here.
        worth += node.paid[seat]
        weights = here[seat, :-1]
        share = weights * met
        frequency = strategy @ share / share.sum() if share.sum() > 0 else np.full(actions, np.nan)
        return ThreePoint(
            line=" ".join(words),
            board=cards,
            seat=seat,
            pot=self.spot.pot + sum(node.paid),
            actions=tuple(node.actions),
            frequency=tuple(frequency.tolist()),
            holdings=HOLDING_UNDER[suits][board.holdings].astype(np.int64),
            weights=weights,
            strategy=strategy,
            action_values=worth,
        )

    def _all_reach(self) -> Floats:
        """Return the reach of all three players' average strategies on the first street."""
        reach = np.zeros((len(self.plan.nodes), _PLAYERS, len(self.board) + 1))
        reach[0] = self.weights
        three_down(self.plan.table, -1, True, self.tables(-1, 0).averages, reach, np.zeros(64))
        return reach

    def _entering(self, plan: _Plan, board: _Board, before: Floats) -> Floats:
        """Return an array for the reach on a river, with the reach at its beginning filled in."""
        reach = np.zeros((len(plan.nodes), _PLAYERS, len(board) + 1))
        reach[0, :, :-1] = before[:, self.board.place[board.holdings]]
        return reach


_NO_ACTION: Final = {END: "nothing", LATER: "a river card, such as Ah"}
_ENDS: Final = {END: "", LATER: "; a river card comes next"}


class ThreePlace(NamedTuple):
    """The point of a hand that a line leads to."""

    node: ThreeNode
    board: tuple[Card, ...]
    plan: int = -1
    """The river's plan; -1 on the first street."""
    river: int = 0
    """Number of the river that was solved for this card."""
    suits: int = 0
    """Permutation of suits that brings that river's card to this one."""


class ThreePoint(NamedTuple):
    """A decision of three players."""

    line: str
    board: tuple[Card, ...]
    seat: int
    pot: int
    actions: tuple[SpotAction, ...]
    frequency: tuple[float, ...]
    """How often each action is taken, over all holdings that get here."""
    holdings: npt.NDArray[np.int64]
    """(n,) the holdings that are in any player's range."""
    weights: Floats
    """(n,) the weights with which the player gets here."""
    strategy: npt.NDArray[np.float64]
    """(actions, n) how often each holding takes each action."""
    action_values: npt.NDArray[np.float64]
    """(actions, n) chips won from here on; NaN for holdings that can meet no opponents."""


@dataclass(slots=True, eq=False)
class ThreeSolution:
    """Average strategies of three players, and what each could gain alone."""

    solver: ThreeSolver
    values: tuple[float, float, float]
    """What each player wins of the pot, in chips."""
    gains: tuple[float, float, float]
    """What each player's best response gains, in chips."""
    interrupted: bool = False
    made: Provenance | None = None
    """The program and arguments that made the file from which it was read."""

    @property
    def gap_percent(self) -> float:
        """The largest gain in per cent of the pot."""
        return 100 * max(self.gains) / self.solver.spot.pot


def solve_three(
    spot: ThreeSpot | ThreeSolver,
    *,
    gap_percent: float = GAP_PERCENT,
    iterations: int = MOST_ITERATIONS,
    memory_mb: float | None = None,
    on_check: Callable[[ThreeSolution], object] | None = None,
    keep: bool = False,
) -> ThreeSolution:
    r"""Iterate until no player gains more than ``gap_percent`` of the pot alone.

    That may never happen, so ``iterations`` limits the work, and the solution's gains say what was
    reached. With ``keep``, a `KeyboardInterrupt` after the first iteration ends the work, and the
    strategies so far are returned; otherwise it is passed on. Raises `TooLarge` beyond
    ``memory_mb``.

    >>> lines = "board = 2c3d7h9sJs\npot = 30\nstacks = 20\nbets = a\n"
    >>> spot = ThreeSpot.parse(lines + "first = AA,QQ\nsecond = KK,JJ\nthird = TT,A5s")
    >>> solution = solve_three(spot, gap_percent=0.5)
    >>> round(sum(solution.values), 6), solution.gap_percent < 0.5
    (30.0, True)
    """
    if not 0 <= gap_percent < math.inf:
        raise BadInput(f"gap_percent: {gap_percent:g}; allowed: 0 or more")
    solver = spot if isinstance(spot, ThreeSolver) else ThreeSolver(spot)
    check_three_memory(solver, memory_mb)
    solution = None
    try:
        while solver.iterations < iterations:
            solver.run(min(_CHECK_EVERY, iterations - solver.iterations))
            solution = with_gains(solver)
            if on_check is not None:
                on_check(solution)
            if solution.gap_percent <= gap_percent:
                break
    except KeyboardInterrupt:
        if not keep or solver.iterations == 0:
            raise
        solution = with_gains(solver)
        solution.interrupted = True
    return with_gains(solver) if solution is None else solution


def check_three_memory(solver: ThreeSolver, memory_mb: float | None = None) -> None:
    """Raise `TooLarge` for a spot larger than ``memory_mb``; None stands for the free memory."""
    most, are = most_memory(memory_mb)
    if solver.needs.memory_mb > most:
        raise TooLarge(
            f"this takes {megabytes(solver.needs.memory_mb)} MB, and {megabytes(most)} are {are}; "
            "fewer sizes and narrower ranges take less"
        )


def with_gains(solver: ThreeSolver) -> ThreeSolution:
    """Return the solution so far: the averages' values, and what each player could gain."""
    values = [solver.value(player) for player in range(_PLAYERS)]
    gains = [max(solver.value(player, BEST) - value, 0.0) for player, value in enumerate(values)]
    return ThreeSolution(solver, (values[0], values[1], values[2]), (gains[0], gains[1], gains[2]))
