"""Trunks: what the turn's buckets are worth, by enumeration, and files without turn and river."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena import Match, play
from railbird.assessment.aivat.no_limit import NoLimitAivat
from railbird.errors import BadInput, DamagedFile
from railbird.game import acpc_rules, no_limit_holdem
from railbird.players import make_player
from railbird.players.blueprint import ResolvingBlueprintPlayer
from railbird.solve.external_sampling import Deals
from railbird.solve.nolimit import solving
from railbird.solve.nolimit.betting import next_decision, nolimit_tree
from railbird.solve.nolimit.settings import BlueprintSize
from railbird.solve.nolimit.solving import solve_nolimit
from railbird.solve.nolimit.strategy import TRUNK, Depth, open_nolimit
from railbird.solve.nolimit.values import TurnValues
from railbird.solve.spot.tree import Ends, Node

MENU = "opens = 2x, a; reraises = a; bets = 100%, a; raises = a"
CARDS = 3
PAIRS = [(a, b) for a in range(CARDS) for b in range(CARDS) if a != b]


def every_pair(rng: np.random.Generator, deals: int) -> Deals:
    """Deal every pair of three cards equally often; all streets have the same states."""
    pairs = np.array(PAIRS * (deals // len(PAIRS)), dtype=np.int32)
    states = np.repeat(pairs[:, :, np.newaxis], 4, axis=2)
    return states, np.sign(pairs[:, 0] - pairs[:, 1]).astype(np.int8)


@pytest.fixture(scope="module")
def depth() -> Depth:
    """Somebody who plays anything, but some actions never."""
    rng, tree = np.random.default_rng(5), nolimit_tree(MENU, 20)
    tables = tuple(
        rng.integers(0, 3, (CARDS, actions)).astype(np.uint8) for actions in tree.actions
    )
    for table, forest in zip(tables, tree.forests, strict=True):
        table[:, forest.first[:-1]] += 1
    return Depth(MENU, 20, tables)


def won(depth: Depth, node: Node, cards: tuple[int, int]) -> float:
    """What seat 0 wins from a node on."""
    decision = next_decision(node)
    if decision is not None:
        (shares,) = depth.shares(decision, np.array([cards[decision.player]]))
        children = zip(shares.tolist(), decision.children, strict=True)
        return math.fsum(p * won(depth, child, cards) for p, child in children if p)
    if node.kind is Ends.FOLD:
        lost = node.paid[node.player]
        return float(lost if node.player else -lost)
    return float(node.paid[0] * np.sign(cards[0] - cards[1]))


def turns(depth: Depth, card: int, seat: int) -> dict[int, float]:
    """How likely a seat comes with a card to each turn, by the number of its first action."""
    tree, reached = depth.tree, dict[int, float]()
    todo = [(tree.root, 1.0)]
    while todo:
        node, reach = todo.pop()
        street, first = tree.place(node)
        if street == TRUNK:
            reached[first] = reach
            continue
        (shares,) = depth.shares(node, np.array([card]))
        for number, child in enumerate(node.children):
            after = next_decision(child)
            if after is not None:
                own = float(shares[number]) if node.player == seat else 1.0
                todo.append((after, reach * own))
    return reached


def test_a_buckets_value_is_what_it_wins_against_who_comes_there(depth: Depth) -> None:
    finding = TurnValues(depth, (CARDS,) * 4, every_pair, seed=1)
    finding.add(600)
    weight, sums, _ = np.moveaxis(finding.sums, -1, 0)
    forest, nodes = depth.tree.forests[TRUNK], depth.tree.decisions[TRUNK]
    reach = [[turns(depth, card, seat) for card in range(CARDS)] for seat in range(2)]
    compared = blocked = 0
    for root, number in enumerate(forest.root[:-1].tolist()):
        node, first = nodes[number], int(forest.first[number])
        for seat in range(2):
            for card in range(CARDS):
                others = [other for other in range(CARDS) if other != card]
                likely = [reach[1 - seat][other][first] for other in others]
                assert weight[seat, root, card] == pytest.approx(100 * sum(likely))
                if not sum(likely):
                    continue
                worth = 0.0
                for p, other in zip(likely, others, strict=True):
                    pair = (card, other) if seat == 0 else (other, card)
                    worth += p * won(depth, node, pair) * (1 if seat == 0 else -1)
                worth /= sum(likely)
                exact = sums[seat, root, card] / weight[seat, root, card]
                assert exact == pytest.approx(worth, abs=1e-9)
                compared += 1
                blocked += not reach[seat][card][first]
    assert compared > 30
    assert blocked > 0, "values of buckets that do not come there themselves"


def test_more_deals_draw_less_towards_the_line(depth: Depth) -> None:
    few, many = (TurnValues(depth, (CARDS,) * 4, every_pair, seed=1) for _ in range(2))
    few.add(60)
    many.add(60_000)
    weight, sums, _ = np.moveaxis(many.sums, -1, 0)
    known = weight > 0
    exact = sums[known] / weight[known]
    far = np.abs(few.values()[known] - exact).mean()
    assert np.abs(many.values()[known] - exact).mean() < far / 100


SIZE = BlueprintSize(MENU, (169, 1, 1, 1), 500)


@pytest.fixture(scope="module")
def trunk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trunk") / "some.trunk"
    solve_nolimit(path, SIZE, stacks=(5, 8), trunk=True, value_deals=10_000)
    return path


def test_a_trunk_is_the_strategy_before_the_turn(trunk: Path, tmp_path: Path) -> None:
    whole = solve_nolimit(tmp_path / "some.strategy", SIZE, stacks=(5, 8))
    strategy = open_nolimit(trunk, verify=True)
    assert strategy.is_trunk
    assert not whole.is_trunk
    assert trunk.stat().st_size < (tmp_path / "some.strategy").stat().st_size
    for stack, of_whole in zip(strategy.depths, whole.depths, strict=True):
        assert len(stack.tables) == TRUNK
        for table, same in zip(stack.tables, of_whole.tables, strict=False):
            assert np.array_equal(table, same)
        tree = stack.tree
        root = tree.decisions[TRUNK][0]
        forest, nodes = tree.forests[TRUNK], tree.decisions[TRUNK]
        roots = [nodes[number] for number in forest.root[:-1]]
        values = np.array([[stack.turn_values(each, seat) for each in roots] for seat in range(2)])
        assert values.shape == (2, len(roots), 1)
        assert values.any()
        assert np.abs(values).max() < 100 * stack.stack
        shares = stack.shares(root, np.zeros(3, dtype=np.int64))
        calls = [str(action) in ("check", "call") for action in root.actions]
        assert shares.tolist() == [[float(call) for call in calls]] * 3
        with pytest.raises(BadInput, match="where a turn begins"):
            stack.turn_values(tree.root, 0)
    with pytest.raises(BadInput, match="of a trunk"):
        whole.depths[0].turn_values(whole.depths[0].tree.decisions[TRUNK][0], 0)


@pytest.mark.parametrize("cut", [1, 2_000])
def test_a_trunk_that_was_cut_is_refused(trunk: Path, tmp_path: Path, cut: int) -> None:
    broken = tmp_path / "cut.trunk"
    broken.write_bytes(trunk.read_bytes()[:-cut])
    with pytest.raises(DamagedFile, match="was cut"):
        open_nolimit(broken)


def test_values_go_on_where_they_stopped(
    trunk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "VALUE_DEALS_A_STEP", 2_500)
    paths = [tmp_path / f"{name}.trunk" for name in ("straight", "stopped")]

    def stop(done: int, total: int, words: str) -> None:
        if words.startswith("values") and done >= 5_000:
            raise KeyboardInterrupt

    how: dict[str, Any] = {"stacks": (5,), "trunk": True, "value_deals": 10_000}
    straight = solve_nolimit(paths[0], SIZE, **how)
    with pytest.raises(KeyboardInterrupt):
        solve_nolimit(paths[1], SIZE, **how, progress=stop)
    assert not paths[1].exists()
    assert solve_nolimit(paths[1], SIZE, **how).hash == straight.hash
    assert solve_nolimit(paths[1], SIZE, **how | {"value_deals": 12_500}).hash != straight.hash


@pytest.mark.slow
def test_a_trunk_is_played_by_solving_on(trunk: Path) -> None:
    spec = f"equilibrium:{trunk}"
    assert isinstance(make_player(spec), ResolvingBlueprintPlayer)
    rules = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=700))
    for opponent in ("random", "always-call"):
        match = Match(players=(spec, opponent), rules=rules, deals=30, seed=2)
        assert play(match).faults[0].as_json() == {}


def test_what_a_trunk_cannot_do_is_refused(trunk: Path) -> None:
    with pytest.raises(BadInput, match="ends with the turn; allowed: resolve=turn"):
        make_player(f"equilibrium:{trunk},resolve=river")
    with pytest.raises(BadInput, match="as a model, which ends with the turn"):
        NoLimitAivat(known={"me": "always-call"}, model=f"equilibrium:{trunk}")
