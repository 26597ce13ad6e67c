"""External sampling of no-limit, against exact counterfactual regret minimisation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.cards import CLASS_OF_HOLDING, HOLDING_CARDS, HOLDING_INDEX, strengths
from railbird.errors import BadInput
from railbird.solve import cfr
from railbird.solve.abstraction import buckets as bucket_building
from railbird.solve.abstraction.buckets import BucketAbstraction, bucket_abstraction
from railbird.solve.external_sampling import Deals, ExternalSampler, laid_out
from railbird.solve.nolimit import solving
from railbird.solve.nolimit.betting import NoLimitTree, next_decision, nolimit_tree
from railbird.solve.nolimit.kernels import DEALT
from railbird.solve.nolimit.settings import BlueprintSize
from railbird.solve.nolimit.solving import Dealer, solve_nolimit
from railbird.solve.nolimit.strategy import as_bytes, open_nolimit
from railbird.solve.spot.tree import Ends, Node

MENU = "opens = a; reraises = a; bets = 100%; raises = a"
CARDS = 3


@pytest.fixture(scope="module")
def tree() -> NoLimitTree:
    return nolimit_tree(MENU, 4)


def one_card(rng: np.random.Generator, deals: int) -> Deals:
    """Deal one of three cards to each; all streets have the same states, and no card is shown."""
    pairs = np.array([(a, b) for a in range(CARDS) for b in range(CARDS) if a != b])
    drawn = pairs[rng.integers(len(pairs), size=deals)].astype(np.int32)
    states = np.repeat(drawn[:, :, np.newaxis], 4, axis=2)
    return states, np.sign(drawn[:, 0] - drawn[:, 1]).astype(np.int8)


def sampler(tree: NoLimitTree, seed: int = 1, least: float = np.inf) -> ExternalSampler:
    states = (CARDS,) * 4
    streets = laid_out(tree.forests, states)
    return ExternalSampler(streets, states, 100.0, one_card, np.random.default_rng(seed), least)


def exactly(tree: NoLimitTree) -> cfr.Game:
    """The same game for a solver that knows nothing of poker."""
    deal = (1 - np.eye(CARDS)) / (CARDS * (CARDS - 1))
    card = np.arange(CARDS)
    wins = deal * np.sign(card[:, None] - card[None, :])

    def of(node: Node) -> cfr.Node:
        found = next_decision(node)
        if found is not None:
            street, first = tree.place(found)
            names = tuple(map(str, found.actions))
            where = f"{street} {first}"
            return cfr.Decision(found.player, where, names, tuple(map(of, found.children)))
        if node.kind is Ends.FOLD:
            lost = node.paid[node.player] / 100
            return cfr.Terminal(0, lost if node.player else -lost)
        return cfr.Terminal(1, node.paid[0] / 100)

    return cfr.compile_game(of(tree.root), [deal, wins])


def strategy_of(solved: ExternalSampler, game: cfr.Game) -> cfr.Strategy:
    sums = [solved.by_action(street) for street in range(4)]
    tables = []
    for decisions in game.decisions:
        rows = []
        for decision in decisions:
            street, first = map(int, decision.name.split())
            rows.append(sums[street][:, first : first + len(decision.actions)].T)
        tables.append(np.concatenate(rows).astype(np.float64))
    return cfr.normalised(game, (tables[0], tables[1]))


@pytest.mark.slow(but=["inf"])
@pytest.mark.parametrize("least", [np.inf, 20.0])
def test_it_comes_to_the_value_and_cannot_be_exploited(tree: NoLimitTree, least: float) -> None:
    game = exactly(tree)
    exact = cfr.solve(game, tolerance=1e-4)
    solved = sampler(tree, least=least)
    solved.run(20_000)
    early = cfr.exploitability(game, strategy_of(solved, game))
    solved.run(480_000)
    found = strategy_of(solved, game)
    late = cfr.exploitability(game, found)
    assert late < min(0.02, early)
    # Nobody can be kept from winning the value, and a best response wins little more.
    best = [float(cfr.best_response_values(game, found, player=p).sum()) for p in (0, 1)]
    assert -best[1] - 1e-4 <= exact.value <= best[0] + 1e-4
    assert exact.exploitability < 1e-4


def test_the_same_seed_gives_the_same_tables_in_any_steps(tree: NoLimitTree) -> None:
    one, other, third = sampler(tree), sampler(tree), sampler(tree, seed=2)
    one.run(700)
    for deals in (1, 199, 500):
        other.run(deals)
    third.run(700)
    assert np.array_equal(one.regrets, other.regrets)
    assert np.array_equal(one.sums, other.sums)
    assert one.decisions == other.decisions
    assert not np.array_equal(one.sums, third.sums)


def test_it_goes_on_where_it_stopped(tree: NoLimitTree) -> None:
    whole, cut, resumed = (sampler(tree, least=5.0) for _ in range(3))
    whole.run(900)
    cut.run(400)
    for name, table in resumed.tables.items():
        table[:] = cut.tables[name]
    resumed.resume(cut.state)
    resumed.run(500)
    assert np.array_equal(whole.regrets, resumed.regrets)
    assert np.array_equal(whole.sums, resumed.sums)


def test_regrets_of_a_deal_by_hand() -> None:
    """All-in or fold: what the first deal adds follows from the rules."""
    tree = nolimit_tree("opens = a; reraises = a", 2)
    assert [str(action) for action in tree.root.actions] == ["fold", "call", "all-in 200"]
    shown = sampler(tree)
    shown.draw = lambda rng, deals: (
        np.repeat(np.array([[[0], [2]]], dtype=np.int32), 4, axis=2),
        np.array([-1], dtype=np.int8),
    )
    shown.run(1)
    part = shown.streets[0]
    first, width = int(part.first[1]), int(part.width[1])
    dealer = shown.regrets[first + 2 * width : first + 2 * width + 3]
    # The dealer folds, calls and checks down or wins more, or goes all-in and is called or not.
    assert dealer[0] < min(dealer[1:])
    assert abs(float(dealer.mean()) - float(np.dot(dealer, np.full(3, 1 / 3)))) < 1e-6
    assert float(dealer.sum()) == pytest.approx(0, abs=1e-5)


def test_all_in_may_follow_every_decision_of_the_sizes() -> None:
    from railbird.solve.nolimit.settings import SIZES
    from railbird.solve.spot.tree import ActKind

    for size in SIZES.values():
        tree = nolimit_tree(size.menu, 20)
        for nodes in tree.decisions:
            for node in nodes:
                acts = [action.act for action in node.actions]
                facing = max(node.paid) == 2_000
                assert facing or ActKind.ALL_IN in acts
                assert len({*acts}) == len(acts) or ActKind.BET in acts or ActKind.RAISE in acts


def test_payoffs_of_a_tree_are_what_was_put_in(tree: NoLimitTree) -> None:
    def walk(node: Node, paid: tuple[int, int]) -> int:
        assert min(node.paid) >= min(paid)
        assert max(node.paid) <= 400
        return 1 + sum(walk(child, node.paid) for child in node.children)

    assert walk(tree.root, (0, 0)) > 50


@pytest.mark.parametrize("stack", [0, 1, 1_001])
def test_stacks_without_a_tree(stack: int) -> None:
    with pytest.raises(BadInput, match="allowed: 2 to 1,000"):
        nolimit_tree(MENU, stack)


def test_a_menu_that_cannot_be_read() -> None:
    with pytest.raises(BadInput, match="menu"):
        nolimit_tree("opens = huge", 20)


# Deals.


@pytest.fixture(scope="module")
def abstraction() -> BucketAbstraction:
    """Tables in which every entry is a bucket of its own, as far as two bytes can tell."""
    tables = []
    for entries in bucket_building.ENTRIES:
        table = (np.arange(entries) % 60_000).astype(np.uint16)
        table.flags.writeable = False
        tables.append(table)
    return BucketAbstraction((169, 60_000, 60_000, 60_000), ("",) * 3, tuple(tables))


def cards_of(draws: np.ndarray) -> list[int]:
    deck = list(range(52))
    for place, draw in enumerate(draws):
        other = place + int(draw * (52 - place))
        deck[place], deck[other] = deck[other], deck[place]
    return deck[: len(draws)]


def test_deals_are_those_of_the_cards(abstraction: BucketAbstraction) -> None:
    states, results = Dealer(abstraction)(np.random.default_rng(5), 40)
    for draws, found, result in zip(
        np.random.default_rng(5).random((40, DEALT)), states, results, strict=True
    ):
        cards = cards_of(draws)
        board = np.array(cards[4:], dtype=np.uint8)
        strength = []
        for seat in range(2):
            low, high = cards[2 * seat : 2 * seat + 2]
            holding = HOLDING_INDEX[low, high]
            assert {*HOLDING_CARDS[holding].tolist()} == {low, high}
            assert found[seat, 0] == CLASS_OF_HOLDING[holding]
            for street, count in enumerate((3, 4, 5), start=1):
                assert found[seat, street] == abstraction.next_states(board[:count], None)[holding]
            strength.append(int(strengths(np.array([[low, high, *board]], dtype=np.uint8))[0]))
        assert result == np.sign(strength[0] - strength[1])


def test_deals_do_not_depend_on_how_many_are_drawn_at_once(
    abstraction: BucketAbstraction,
) -> None:
    deal, rng = Dealer(abstraction), np.random.default_rng(6)
    whole, _ = deal(np.random.default_rng(6), 30)
    parts = [deal(rng, deals)[0] for deals in (1, 9, 20)]
    assert np.array_equal(whole, np.concatenate(parts))


# Files and runs.

BLIND = BlueprintSize(MENU, (169, 1, 1, 1), 2_000)


@pytest.fixture(scope="module")
def _one_bucket() -> None:
    bucket_abstraction(BLIND.states)


@pytest.mark.usefixtures("_one_bucket")
def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "DEALS_A_STEP", 500)
    whole = solve_nolimit(tmp_path / "whole.strategy", BLIND, stacks=(3, 5))
    path = tmp_path / "cut.strategy"

    def interrupt(done: int, total: int, what: str) -> None:
        if done >= 2_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_nolimit(path, BLIND, stacks=(3, 5), progress=interrupt)
    assert not path.exists()
    numbers: list[int] = []
    found = solve_nolimit(
        path, BLIND, stacks=(5, 3), progress=lambda done, *_: numbers.append(done)
    )
    assert numbers == [3_000, 4_000]
    assert found.hash == whole.hash
    assert [depth.stack for depth in found.depths] == [3, 5]
    more = solve_nolimit(path, BLIND, stacks=(3, 5), deals=2_500)
    assert more.training["deals"] == 2_500
    assert more.hash != whole.hash


@pytest.mark.usefixtures("_one_bucket")
def test_a_damaged_checkpoint_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "some.strategy"
    whole = solve_nolimit(path, BLIND, stacks=(3,))
    kept = path.with_suffix(".3.part.npz")
    content = kept.read_bytes()
    for damaged in (b"", b"nothing", content[:-100], content.replace(b"record", b"rekord")):
        kept.write_bytes(damaged)
        again = solve_nolimit(path, BLIND, stacks=(3,))
        assert again.hash == whole.hash
        assert again.training["deals"] == BLIND.deals


def test_shares_out_of_bytes() -> None:
    tree = nolimit_tree(MENU, 3)
    sums = np.zeros((2, tree.actions[0]), dtype=np.float32)
    sums[1, :3] = [1e30, 0, 3e30]
    found = as_bytes(sums, tree, 0)
    assert found[1, :3].tolist() == [64, 0, 191]
    assert found[0, :3].tolist() == [0, 255, 0]  # nobody came: call


@pytest.mark.usefixtures("_one_bucket")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda content: content[:-1], "cut, or of another shape"),
        (lambda content: content + b"\0", "cut, or of another shape"),
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "changed"),
        (lambda content: content.replace(b"opens = a", b"opens = q"), "bet size"),
        (lambda content: content.replace(b'"stacks": [3]', b'"stacks": [1]'), "big blinds"),
        (lambda content: content.replace(b"opens = a; ", b"           "), "opens"),
        (lambda content: b"railbird limit strategy 1\n" + content, "no strategy of no-limit"),
        (lambda content: content.split(b"{")[0], "without a header"),
        (lambda content: b"", "no strategy of no-limit"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, change, words: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "some.strategy"
    solve_nolimit(path, BLIND, stacks=(3,), deals=100)
    assert open_nolimit(path, verify=True).depths[0].tree.stack == 3
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(BadInput, match=words) as refused:
        open_nolimit(path, verify=True)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("stacks", [(), (1,), (20, 20), (2.5,), (2_000,)])
def test_stacks_that_are_refused(tmp_path: Path, stacks: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="big blinds"):
        solve_nolimit(tmp_path / "some.strategy", BLIND, stacks=stacks)
