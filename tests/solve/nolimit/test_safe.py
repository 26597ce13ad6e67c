"""Safe solving on games that are small enough for exact best responses.

A blueprint of a turn is a solution that was stopped early. Every river of it is solved anew for one
player, and put in the place of the blueprint's; a best response to the whole is then exact.
No-limit Leduc is such a turn, too: see `leduc`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from railbird.cards import HOLDING_CARDS, HOLDING_INDEX, HOLDINGS, Card, Range, parse_cards
from railbird.errors import BadInput
from railbird.solve.nolimit.following import CHECK_OR_CALL, Alternative, Rest, solve_rest
from railbird.solve.nolimit.safe import LEAST_ENTRY, SafeSolver
from railbird.solve.spot import BetSizes, Spot, SpotSolution, SpotSolver, begun, resume, same_sizes
from railbird.solve.spot.kernels import AVERAGE, BEST
from railbird.solve.spot.tree import Ends, Node, SpotAction

BOARD = parse_cards("Ks7d2c9h")
RIVERS = parse_cards("AsAhKdQdQc9s8d7c4s4h")
SIZES = same_sizes(BetSizes.parse("60%, a", "a"))


def ten_cards(seed: int) -> tuple[Spot, tuple[int, ...]]:
    """Return a turn with ten river cards, every holding of them with a random weight; the deck."""
    rng = np.random.default_rng(seed)
    weights = np.zeros((2, HOLDINGS))
    dealt = np.isin(HOLDING_CARDS, RIVERS).all(axis=1)
    weights[:, dealt] = rng.random((2, int(dealt.sum())))
    ranges = Range(weights[0]), Range(weights[1])
    spot = Spot(board=BOARD, ranges=ranges, pot=10, stack=30, sizes=SIZES)
    return spot, tuple(sorted((*BOARD, *RIVERS)))


def leduc(sizes: BetSizes, later: BetSizes, *, stack: int) -> tuple[Spot, tuple[int, ...]]:
    """Return Leduc hold'em as a turn: three ranks of two suits, and the river is its public card.

    Each player's second card is a two, which nobody else has and no river makes better. The deck
    has both twos, for the chance of a river counts them among what is held; with one on the board a
    player has nothing, so nothing comes of these.
    """
    cards, twos = parse_cards("JcJdQcQdKcKd"), parse_cards("2s2h")
    weights = np.zeros((2, HOLDINGS))
    for player, two in enumerate(twos):
        weights[player, [HOLDING_INDEX[card, two] for card in cards]] = 1.0
    board = parse_cards("3s5h7s9h")
    betting = (SIZES[0], (sizes, sizes), (later, later))
    ranges = Range(weights[0]), Range(weights[1])
    spot = Spot(board=board, ranges=ranges, pot=2, stack=stack, sizes=betting)
    return spot, tuple(sorted((*board, *cards, *twos)))


def test_leduc_as_a_turn_has_the_value_of_leduc() -> None:
    """-0.0856 antes for the first player (Southey and others 2005): bets of two, then four."""
    spot, deck = leduc(BetSizes.parse("2c", "2x1r"), BetSizes.parse("4c", "2x1r"), stack=13)
    solver = SpotSolver(spot, deck=deck, threads=1)
    solution = resume(begun(solver), gap_percent=0.05)
    assert solution.finished
    assert solver.value(0, AVERAGE) == pytest.approx(-0.0856, abs=0.001)


NO_LIMIT_LEDUC = BetSizes.parse("50%, 100%, a", "100%, a")


def blueprint(spot: Spot, deck: tuple[int, ...], iterations: int) -> SpotSolution:
    solver = SpotSolver(spot, deck=deck, threads=1)
    return resume(begun(solver), gap_percent=1e-9, iterations=iterations)


def lines_to_the_river(node: Node, line: Sequence[int] = ()) -> Iterator[tuple[int, ...]]:
    if node.kind is Ends.LATER and node.children[0].kind is Ends.DECISION:
        yield tuple(line)
    elif node.kind is Ends.DECISION:
        for number, child in enumerate(node.children):
            yield from lines_to_the_river(child, [*line, number])


def total_of(action: SpotAction) -> int:
    return action.amount or CHECK_OR_CALL


def write(
    whole: SpotSolver, node: Node, solver: SpotSolver, root: Node, board: int, hero: int
) -> None:
    """Put what a solver of a river has for a player into the averages of the whole."""
    if node.kind is not Ends.DECISION:
        return
    if node.player == hero:
        _, padded, _, base = whole.streets[1].boards.sizes[board, hero]
        place = {int(holding): k for k, holding in enumerate(solver.streets[0].held[0][hero])}
        mix = solver.chances(0, 0, root)
        first, count = base + node.slot * padded, len(node.actions)
        table = whole.averages[first : first + count * padded].reshape(count, padded)
        for column, holding in enumerate(whole.streets[1].held[board][hero]):
            if int(holding) in place:
                table[:, column] = mix[place[int(holding)]]
    for child, same in zip(node.children, root.children, strict=True):
        write(whole, child, solver, same, board, hero)


def solve_rivers(solution: SpotSolution, hero: int, *, safe: bool) -> float:
    """Solve all rivers of a turn anew for a player; return the most excess, per cent of the pot."""
    whole, spot, worst = solution.solver, solution.spot, 0.0
    jobs = []
    for line in lines_to_the_river(whole.forests[0].roots[0]):
        point = solution.start()
        reach = np.array([player_range.weights for player_range in spot.ranges])
        totals = []
        for number in line:
            totals.append(total_of(point.node.actions[number]))
            mix = np.nan_to_num(solution.strategy(point)[:, number])
            reach[point.node.player] *= mix
            point = point.after(number)
        for board, cards in enumerate(whole.streets[1].cards):
            later = solution.after_card(point, Card(cards[-1]))
            values = Rest(solution).alternatives(totals, Card(cards[-1]), 1 - hero)
            assert values is not None
            jobs.append((board, later, reach, values))
    for board, later, reach, values in jobs:  # all values are of the blueprint
        free = ~np.equal(HOLDING_CARDS, later.cards[-1]).any(axis=1)
        weights = np.where(free, reach, 0.0)
        most = weights.max(axis=1, keepdims=True)
        if not (most > 0).all():
            continue
        weights /= most
        if safe:
            some = free & (spot.ranges[1 - hero].weights > 0)
            weights[1 - hero, some] = np.maximum(weights[1 - hero, some], LEAST_ENTRY)
        river = replace(
            spot, board=later.cards, ranges=(Range(weights[0]), Range(weights[1])), added=()
        )
        given: dict[str, Any] = {"deck": whole.deck, "threads": 1, "root": later.node}
        solver = (
            SafeSolver(river, **given, opponent=1 - hero, alternatives=values)
            if safe
            else SpotSolver(river, **given)
        )
        resume(begun(solver), gap_percent=1e-9, iterations=1_000)
        if isinstance(solver, SafeSolver):
            worst = max(worst, 100 * solver.excess() / spot.pot)
        write(whole, later.node, solver, solver.forests[0].roots[0], board, hero)
    return worst


def random_rivals(solution: SpotSolution, rival: int, seed: int) -> None:
    """Let a player play anything at all on the turn: what the other loses at most is the same."""
    solver, rng = solution.solver, np.random.default_rng(seed)
    _, padded, _, base = solver.streets[0].boards.sizes[0, rival]
    numbers = solver.averages[base : base + solver.forests[0].slots[rival] * padded]
    numbers[:] = rng.random(len(numbers)).astype(np.float32) ** 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "hero", "iterations"),
    [
        *[("leduc", hero, iterations) for hero in (0, 1) for iterations in (1, 5, 100)],
        *[("turn", 0, 20), ("turn", 1, 2), ("turn", 0, 200)],
    ],
    ids=lambda part: str(part),
)
def test_safe_solving_never_loses_more(game: str, hero: int, iterations: int) -> None:
    """Whatever range the rival is taken to have, a best response gains no more than before.

    Up to what 1,000 iterations of solving leave: a two-thousandth of the pot.
    """
    spot, deck = (
        ten_cards(iterations) if game == "turn" else leduc(NO_LIMIT_LEDUC, NO_LIMIT_LEDUC, stack=9)
    )
    for wrong in (False, True):
        solution = blueprint(spot, deck, iterations)
        if wrong:
            random_rivals(solution, 1 - hero, iterations)
        before = solution.solver.value(1 - hero, BEST)
        assert solve_rivers(solution, hero, safe=True) < 0.4
        assert solution.solver.value(1 - hero, BEST) <= before + 5e-4 * spot.pot


@pytest.mark.slow
def test_unsafe_solving_may_lose_more() -> None:
    """A good blueprint, and a rival who comes to the river with other holdings than is believed."""
    spot, deck = leduc(NO_LIMIT_LEDUC, NO_LIMIT_LEDUC, stack=9)
    for hero in (0, 1):
        solution = blueprint(spot, deck, 300)
        random_rivals(solution, 1 - hero, 1)
        before = solution.solver.value(1 - hero, BEST)
        solve_rivers(solution, hero, safe=False)
        assert solution.solver.value(1 - hero, BEST) > before + 0.02 * spot.pot


# As a player has it.


RIVER = np.array([*BOARD, parse_cards("3d")[0]], dtype=np.uint8)
MENU = "opens = 2x, a; reraises = a; bets = 60%, a; raises = a"
EVERYTHING = np.ones((2, HOLDINGS))


@pytest.mark.parametrize("opponent", [0, 1])
def test_alternatives_decide_who_enters(opponent: int) -> None:
    """Who has a better alternative leaves, who has a worse one enters; the gap is of both games."""
    for worth, entering in ((900.0, 0.0), (-900.0, 1.0)):
        alternative = Alternative(opponent, np.full(HOLDINGS, worth))
        rest = solve_rest(MENU, RIVER, EVERYTHING, pot=600, stack=600, alternative=alternative)
        solver = rest.solution.solver
        assert isinstance(solver, SafeSolver)
        held = np.flatnonzero(solver.spot.ranges[opponent].weights > 0)
        assert solver._entering[held] == pytest.approx(np.full(len(held), entering), abs=1e-3)
        assert -1e-3 < rest.solution.gap_percent_of_pot < 1


def test_an_edge_counts_as_the_chips_that_it_wins() -> None:
    """On the river it is how often a holding wins; with half of the pot, a check-down."""
    given: dict[str, Any] = {"pot": 600, "stack": 600}
    sloped = Alternative(1, np.zeros(HOLDINGS), 300.0)
    solver = solve_rest(MENU, RIVER, EVERYTHING, **given, alternative=sloped).solution.solver
    assert isinstance(solver, SafeSolver)
    quiet = solve_rest("opens = a; bets = -", RIVER, EVERYTHING, **given).solution.solver
    assert solver._left == pytest.approx(quiet.root_values(1, AVERAGE), rel=1e-4, abs=0.5)


@pytest.mark.parametrize(
    "rules", [{"rake": 0.05}, {"folded": (Range.parse("AA"),)}], ids=["rake", "folded"]
)
def test_what_safe_solving_cannot_have(rules: dict[str, Any]) -> None:
    spot, deck = ten_cards(1)
    with pytest.raises(BadInput, match="safe solving"):
        SafeSolver(replace(spot, **rules), deck=deck)
