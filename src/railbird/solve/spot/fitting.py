"""Finds the largest tree of a heads-up no-limit spot that fits, giving up details step by step.

`railbird.solve.spot.tree` builds the tree of a spot and refuses one that is too large. Here details
are given up until the tree fits, the cheapest first: digits, then what happens late and seldom, and
last the raises that make it poker. `STEPS` has the order. The cost of each step was measured on
similar spots (`COSTS`); a step that was not measured says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from railbird.errors import BadInput, TooLarge
from railbird.solve import settings
from railbird.solve.spot.boards import expected_bytes, holdings_by_street
from railbird.solve.spot.preflop import PreflopSpot
from railbird.solve.spot.spot import STREETS, BetSize, BetSizes, Kind, Spot
from railbird.solve.spot.tree import (
    MOST_NODES,
    Ends,
    StreetForest,
    action_index,
    build_tree,
    left_out,
    read_line,
)

FULL: Final = 32
"""Bits of a number in the full tree; the first step halves them."""
_HALF: Final = 16
_ROOM_MB: Final = 4
"""Memory that each thread needs besides; usual trees take 2 to 7 MB."""
_FLOP: Final = 3
_MOST_SIZES: Final = 12
"""The most sizes of a street that are taken away one by one."""
_USUAL_BET: Final = 2 / 3
_USUAL_RAISE: Final = 3
_LEAST_PART: Final = 1e-9


class MeasuredCost(NamedTuple):
    """The cost of a step against the tree before it, on similar spots, in per cent of the pot."""

    ev: float
    """Mean absolute change of the first player's EV."""
    most: float
    """The largest of these changes."""
    exploited: float
    """How much more best responses gain that use what was given up, on average: the strategy's gap
    in the tree before the step minus its gap in its own tree."""
    spots: int
    street: str
    """The street on which these spots begin."""


class GivenUp(NamedTuple):
    """A step that was taken, with its cost."""

    key: str
    words: str
    cost: MeasuredCost | None
    """None if it was not measured on similar spots."""


@dataclass(frozen=True, slots=True, eq=False)
class FittedTree:
    """A spot with some details given up, and what solving it takes."""

    spot: Spot
    store: int
    """Bits of a regret and of an average, 16 or 32."""
    given_up: tuple[GivenUp, ...]
    """The steps that were taken, in order."""
    nodes: int
    """Points of the betting; more than the largest number allowed if the tree was not built."""
    numbers: int
    memory_mb: float
    """Memory of the whole solver, at most a few per cent too high; infinite if not built."""
    seconds: float
    """Rough processor time of all threads to a gap of some 0.3 % of the pot."""
    left_out: tuple[str, ...]
    """The actions that the tree lacks, in the words of `left_out`."""

    def fits(self, memory_mb: float, seconds: float | None = None) -> bool:
        """Return whether it needs at most this memory and time."""
        return self.memory_mb <= memory_mb and (seconds is None or self.seconds <= seconds)


_Change = Callable[[BetSizes, Spot, int], BetSizes]
"""Changes a player's sizes on a street, given by number."""


def _no_reraises(sizes: BetSizes, *_: object) -> BetSizes:
    """Allow raises only as the first on a street; geometric and all-in raises stay."""
    raises = [
        size if size.kind in (Kind.GEOMETRIC, Kind.ALL_IN) else replace(size, most=1)
        for size in sizes.raises
    ]
    return replace(sizes, raises=tuple(raises))


def _without_farthest(sizes: tuple[BetSize, ...], spot: Spot, street: int) -> tuple[BetSize, ...]:
    """Leave out the size that is farthest from the usual one, but never the last size."""
    if len(sizes) < 2:
        return sizes
    farthest = max(sizes, key=lambda size: abs(math.log(_beside_usual(size, spot, street))))
    return tuple(size for size in sizes if size != farthest)


def _beside_usual(size: BetSize, spot: Spot, street: int) -> float:
    """Return a size relative to the usual one: two thirds of the pot, or three times a bet."""
    match size.kind:
        case Kind.PREVIOUS:
            return size.number / _USUAL_RAISE
        case Kind.CHIPS:
            fraction = size.number / spot.pot
        case Kind.GEOMETRIC:
            behind, streets = spot.stack / spot.pot, size.most or len(STREETS) - street
            fraction = ((2 * behind + 1) ** (1 / streets) - 1) / 2
            fraction = min(fraction, size.number) if size.number else fraction
        case Kind.ALL_IN:
            return math.inf
        case _:
            fraction = size.number
    return max(fraction, _LEAST_PART) / _USUAL_BET


def _one_raise_less(sizes: BetSizes, spot: Spot, street: int) -> BetSizes:
    return replace(sizes, raises=_without_farthest(sizes.raises, spot, street))


def _one_bet_less(sizes: BetSizes, spot: Spot, street: int) -> BetSizes:
    donks = sizes.donks and _without_farthest(sizes.donks, spot, street)
    return replace(sizes, bets=_without_farthest(sizes.bets, spot, street), donks=donks)


_KINDS: Final[dict[str, tuple[str, _Change, int]]] = {
    "donks": ("bets into who bet last", lambda sizes, *_: replace(sizes, donks=()), 1),
    "reraises": ("re-raises", _no_reraises, 1),
    "raise": ("raises of {}", _one_raise_less, _MOST_SIZES),
    "bet": ("bets of {}", _one_bet_less, _MOST_SIZES),
    "raises": ("raises", lambda sizes, *_: replace(sizes, raises=()), 1),
}
"""For each kind of step: its name, what it does, and how often it may be taken."""

STEPS: Final = (
    *((kind, street) for street in ("river", "turn") for kind in ("donks", "reraises")),
    *((kind, street) for street in ("river", "turn") for kind in ("raise", "bet")),
    *((kind, "flop") for kind in ("reraises", "raise", "bet")),
    *(("raises", street) for street in ("river", "turn", "flop")),
)
"""Kind and street of each step, in order, after the digits are halved. The cheapest by measurement
come first."""

HALF: Final = "half"
"""The key of the first step."""

COSTS: Final = {
    HALF: MeasuredCost(0.00, 0.00, 0.00, 3, "turn"),
    "river-donks": MeasuredCost(0.03, 0.07, 0.10, 3, "turn"),
    "river-reraises": MeasuredCost(0.02, 0.06, 0.65, 3, "turn"),
    "river-raise": MeasuredCost(0.03, 0.09, 1.17, 3, "turn"),
    "river-bet": MeasuredCost(0.14, 0.30, 0.90, 3, "turn"),
    "turn-bet": MeasuredCost(0.09, 0.20, 0.75, 3, "turn"),
    "river-raises": MeasuredCost(0.27, 0.79, 6.64, 3, "turn"),
    "turn-raises": MeasuredCost(0.40, 0.94, 5.47, 3, "turn"),
}
"""Costs by the step's key, as ``release/tree_steps.py`` printed them: each detail alone was taken
from a rich tree. Two of the spots are three-bet pots, where all-in raises stay and a raise costs
little. In the third, with seven pots behind, raises on the river cost 0.8 % of the pot, and a
player who uses them wins 20 % more."""


def fitted_trees(spot: Spot, *, threads: int = 1) -> Iterator[FittedTree]:
    """Yield a spot's trees, the full one first, each with one detail less than the one before.

    A detail that the spot lacks, or that one of its lines needs, is skipped. No boards are dealt,
    and only the betting takes memory. Raises `BadInput`.
    """
    if isinstance(spot, PreflopSpot):
        raise BadInput("a game from the blinds on; allowed: a spot after the flop")
    holdings = holdings_by_street(spot)
    fixed_mb = expected_bytes(spot) / 2**20 + _ROOM_MB * max(1, threads)
    given_up: tuple[GivenUp, ...] = ()
    numbers: int | None = 0
    for key, words, store, smaller, forests in _smaller_spots(spot):
        before = numbers
        numbers = None if forests is None else _numbers(forests, holdings)
        if key not in ("", HALF) and numbers is not None and numbers == before:
            continue  # the step changed nothing
        if key:
            cost = COSTS.get(key)
            given_up = (*given_up, GivenUp(key, words, cost))
        if forests is None or numbers is None:
            large = math.inf
            yield FittedTree(smaller, store, given_up, MOST_NODES + 1, 0, large, large, ())
            continue
        yield FittedTree(
            smaller,
            store,
            given_up,
            sum(len(block) for forest in forests for block in forest.blocks),
            numbers,
            2 * numbers * store / 8 / 2**20 + fixed_mb,
            numbers * settings.SPOT_SECONDS_PER_NUMBER * settings.SPOT_ITERATIONS,
            tuple(left_out(forests)),
        )


def _smaller_spots(
    spot: Spot,
) -> Iterator[tuple[str, str, int, Spot, list[StreetForest] | None]]:
    """Yield a spot and its versions after each step: key, words, bits of a number, betting."""
    forests = _forests(spot)
    yield "", "", FULL, spot, forests
    yield HALF, "half of the digits (no gap below 0.03 %)", _HALF, spot, forests
    first = len(spot.board) - _FLOP
    for kind, name in STEPS:
        street = STREETS.index(name)
        if street < first or (kind == "donks" and street == first):
            continue
        title, change, most = _KINDS[kind]
        for _ in range(most):
            smaller, gone = _changed(spot, change, street)
            try:
                forests = _forests(smaller)
            except BadInput:
                break  # a line of the spot needs what would go
            if not gone:
                break
            spot = smaller
            words = f"{title.format(_listed(gone))} on the {name}"
            yield f"{name}-{kind}", words, _HALF, spot, forests


def _numbers(forests: Sequence[StreetForest], holdings: Sequence[tuple[int, int]]) -> int:
    """Return the number of regrets of a tree."""
    return sum(
        count * slots
        for counts, forest in zip(holdings, forests, strict=True)
        for count, slots in zip(counts, forest.slots, strict=True)
    )


def steps_alone(spot: Spot) -> Iterator[tuple[str, Spot]]:
    """Yield the key of each step, and the spot without only that detail, to measure its cost."""
    holdings = holdings_by_street(spot)
    numbers = _numbers(build_tree(spot), holdings)
    for kind, name in STEPS:
        street = STREETS.index(name)
        if street < len(spot.board) - _FLOP:
            continue
        smaller, gone = _changed(spot, _KINDS[kind][1], street)
        forests = _forests(smaller) if gone else None
        if forests is not None and _numbers(forests, holdings) < numbers:
            yield f"{name}-{kind}", smaller


def _changed(spot: Spot, change: _Change, street: int) -> tuple[Spot, list[BetSize]]:
    """Return a spot with changed sizes on a street, and the sizes that are gone or limited."""
    both = spot.sizes[street]
    after = change(both[0], spot, street), change(both[1], spot, street)
    after = after[0], replace(after[1], donks=both[1].donks)  # nobody bets into who acts first
    gone = dict.fromkeys(
        size
        for old, new in zip(both, after, strict=True)
        for key in ("bets", "raises", "donks")
        for size in set(_menu(old, key)) - set(_menu(new, key))
    )
    flop, turn, river = (after if k == street else sizes for k, sizes in enumerate(spot.sizes))
    return replace(spot, sizes=(flop, turn, river)), sorted(gone, key=str)


def _listed(sizes: Sequence[BetSize]) -> str:
    """List sizes without their limits of raises."""
    plain = [size if size.kind is Kind.GEOMETRIC else replace(size, most=0) for size in sizes]
    words = ["all-in" if size.kind is Kind.ALL_IN else str(size) for size in plain]
    return " and ".join(dict.fromkeys(words))


def _menu(sizes: BetSizes, key: str) -> tuple[BetSize, ...]:
    """Return the sizes of a kind; donk bets default to the bets."""
    menu: tuple[BetSize, ...] | None = getattr(sizes, key)
    return sizes.bets if menu is None else menu


def _forests(spot: Spot) -> list[StreetForest] | None:
    """Return the betting, or None if it has too many points. Raises `BadInput` for its lines."""
    try:
        forests = build_tree(spot)
    except TooLarge:
        return None
    for lock in spot.locks:
        node = forests[0].roots[0]
        for word in read_line(lock.line):
            if isinstance(word, int) or node.kind is not Ends.DECISION:
                node = next(iter(node.children), node)
            else:
                node = node.children[action_index(node, word, lock.line)]
        for action, _ in lock.mix:
            (word, *_) = read_line(action) or [0]
            if not isinstance(word, int):
                action_index(node, word, lock.line)
    return forests


def fit_tree(
    spot: Spot, memory_mb: float, *, seconds: float | None = None, threads: int = 1
) -> FittedTree:
    """Return the first of `fitted_trees` that fits. Raises `TooLarge` if none does."""
    for tree in fitted_trees(spot, threads=threads):
        if tree.fits(memory_mb, seconds):
            return tree
    raise too_large(tree)


def too_large(smallest: FittedTree) -> TooLarge:
    """Return the refusal of a spot that does not fit even after the last step."""
    return TooLarge(
        f"with nothing left to give up the tree takes {smallest.memory_mb:,.0f} MB and about "
        f"{smallest.seconds:,.0f} s; narrower ranges or a later street make it smaller"
    )


def spot_lines(tree: FittedTree) -> str:
    """Return the lines of a fitted spot's file, with remarks about what was given up."""
    remarks = [f"# without {step.words}; {cost_words(step.cost)}" for step in tree.given_up]
    return "\n".join([*remarks, str(tree.spot)])


def cost_words(cost: MeasuredCost | None) -> str:
    """Describe the cost of a step.

    >>> cost_words(MeasuredCost(0.02, 0.05, 0.4, 6, "turn"))[30:]
    '(up to 0.05), and who uses it wins 0.40 % more, in 6 spots from the turn on'
    >>> cost_words(None)
    'its cost was not measured'
    """
    if cost is None:
        return "its cost was not measured"
    return (
        f"EV moved by {cost.ev:.2f} % of the pot (up to {cost.most:.2f}), and who uses it wins "
        f"{cost.exploited:.2f} % more, in {cost.spots} spots from the {cost.street} on"
    )
