"""Vexbot's ranges: what they leave likely, what they do, and what is learnt of folded hands."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from railbird.cards import (
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDING_CARDS,
    HOLDINGS,
    cards_of,
    parse_cards,
    parse_holding,
)
from railbird.game import HEADS_UP_LIMIT, HandState, View, seeded_deals, start, view
from railbird.game.engine import _kernels_layout as at
from railbird.odds import open_tables
from railbird.odds.tables.rank_tables import IHR_WHOLE
from railbird.players.vexbot.contexts import Contexts, contexts_of
from railbird.players.vexbot.opponent_model import OpponentModel
from railbird.players.vexbot.player import VexbotPlayer
from railbird.players.vexbot.prior import shipped_priors
from railbird.players.vexbot.range_model import (
    Acted,
    RangeModel,
    cell_moves,
    preflop_cells,
    preflop_shares,
    range_cells,
    river_ranks,
)
from railbird.players.vexbot.search import search_street, searches
from railbird.players.vexbot.settings import HOLDING_CELLS, Choice
from railbird.solve.limit import CALL, FOLD, RAISE, Place, betting_tree
from railbird.units import Seat

BOARD = np.array(parse_cards("Td5hTh2cKs"), dtype=np.uint8)
OWN = parse_holding("KhJh")


@pytest.fixture(scope="module")
def contexts() -> Contexts:
    return contexts_of(betting_tree(HEADS_UP_LIMIT))


def random_model(contexts: Contexts) -> RangeModel:
    """A model whose every decision is another, and possible."""
    model = RangeModel(contexts, *shipped_priors(contexts))
    rng = np.random.default_rng(4)
    possible = model.chances[:, :1] > 0
    model.chances = rng.random(model.chances.shape) * possible
    model.chances /= model.chances.sum(axis=2, keepdims=True)
    return model


def acted_in(contexts: Contexts, text: str, opponent: int) -> Acted:
    """The opponent's actions in a betting sequence."""
    place: Place | None = contexts.tree.root
    acted: Acted = []
    for letter in text.replace("/", ""):
        assert place is not None
        kind = "fcr".index(letter)
        if contexts.tree.rounds[place.street].player[place.node] == opponent:
            acted.append((place.street, contexts.decision(place), kind))
        place = contexts.tree.step(place, kind)
    return acted


def test_cells() -> None:
    cells, tables = range_cells(BOARD), open_tables()
    known = {*BOARD.tolist()}
    free = np.array([not known & {*pair} for pair in HOLDING_CARDS.tolist()])
    assert np.array_equal(cells >= 0, np.broadcast_to(free, (4, HOLDINGS)))
    for name in ("Ts2s", "As3s", "KdTs", "9s8s"):
        holding = parse_holding(name)
        rank = int(tables.river_ihr[tables.place(BOARD.tolist(), holding)])
        assert river_ranks(BOARD)[holding] == rank
        share = Fraction(rank, IHR_WHOLE[3]) * HOLDING_CELLS
        assert cells[3, holding] == min(int(share), HOLDING_CELLS - 1)
    flop = cells[1, free]
    assert flop[np.argmax(river_ranks(BOARD)[free])] > flop.mean()
    turn = range_cells(BOARD[:4])
    assert len(turn) == 3
    assert np.array_equal(range_cells(BOARD, turn), cells)


def test_cells_before_the_flop_are_equal_parts_of_whole_classes() -> None:
    cells = preflop_cells()
    sizes = np.bincount(cells, minlength=HOLDING_CELLS)
    assert sizes.min() > 40
    assert sizes.max() < 95
    for hand_class in range(CLASSES):
        assert len(set(cells[hand_class == CLASS_OF_HOLDING].tolist())) == 1
    assert cells[parse_holding("AsAh")] == HOLDING_CELLS - 1
    assert cells[parse_holding("3s2h")] == 0


def slow_street(
    contexts: Contexts, model: RangeModel, place: Place, weights: np.ndarray, opponent: int
) -> float:
    """Return the value of a decision on the river, holding by holding."""
    tree = contexts.tree
    part = tree.rounds[place.street]
    cells, ranks = range_cells(BOARD)[3], river_ranks(BOARD).astype(int)
    margins = np.sign(ranks[OWN] - ranks)
    acts = part.player[place.node] == opponent
    values = []
    for slot in range(*part.first_slot[place.node : place.node + 2].tolist()):
        kind = int(part.kind[slot])
        after = weights
        if acts:
            after = weights * model.chances[contexts.decision(place)][cells, kind]
        paid = part.before[place.sequence]
        if kind == FOLD:
            paid += part.fold_paid[list(part.fold_slot).index(slot)]
            values.append(float(after.sum() * (paid if acts else -paid)))
        elif (following := tree.step(place, kind)) is not None:
            values.append(slow_street(contexts, model, following, after, opponent))
        else:
            paid += part.end_paid[list(part.end_slot).index(slot)]
            values.append(float(paid * (after @ margins)))
    return sum(values) if acts else max(values)


@pytest.mark.parametrize(("text", "seat"), [("rc/crc/cc/", 0), ("crc/cc/crrc/", 1)])
def test_the_river_beside_a_search_through_all_holdings(
    contexts: Contexts, text: str, seat: int
) -> None:
    model = random_model(contexts)
    acted, place = acted_in(contexts, text, 1 - seat), contexts.tree.after(text)
    cells = range_cells(BOARD)
    known = {*BOARD.tolist(), *cards_of(OWN)}
    weights = np.array([float(not known & {*pair}) for pair in HOLDING_CARDS.tolist()])
    for street, decision, kind in acted:
        weights *= model.chances[decision][cells[street], kind]
    assert model.weights(cells, acted, OWN) == pytest.approx(weights)
    search = searches(OpponentModel(contexts, *shipped_priors(contexts)), 0.0)[1 - seat]
    found = search_street(search, place, BOARD, OWN, model, cells, acted)
    part = contexts.tree.rounds[3]
    nodes = [place] if part.player[0] == seat else []
    for kind in (CALL, RAISE):
        following = contexts.tree.step(place, kind)
        if following is not None and part.player[following.node] == seat:
            nodes.append(following)
    for node in nodes:
        reached = weights
        if node is not place:
            slot = int(np.flatnonzero(part.child == node.node)[0])
            row = model.chances[contexts.decision(place)]
            reached = weights * row[cells[3], part.kind[slot]]
        best = found.slots[slice(*part.first_slot[node.node : node.node + 2])].max()
        slow = slow_street(contexts, model, node, reached, 1 - seat) / reached.sum()
        assert best == pytest.approx(slow)


def test_replies_depend_on_the_board(contexts: Contexts) -> None:
    """Who bets its strong hands alone bets less often where nothing hits it."""
    model = RangeModel(contexts, *shipped_priors(contexts))
    place = contexts.tree.after("rc/c")
    first = contexts.decision(contexts.tree.after("rc/"))
    raised = contexts.decision(contexts.tree.after("r"))
    assert [contexts.tree.rounds[s].player[n] for s, n in ((0, 1), (1, 0))] == [0, 0]
    model.chances[raised] = [0, 1, 0]
    model.chances[raised, :10] = [1, 0, 0]
    model.chances[first] = [0, 1, 0]
    model.chances[first, 15:] = [0, 0, 1]
    search = searches(OpponentModel(contexts, *shipped_priors(contexts)), 0.0)[0]
    acted = acted_in(contexts, "rc/", 0)
    bets = []
    for text in ("AdKsQh", "3d4s2h"):
        board = np.array(parse_cards(text), dtype=np.uint8)
        cells, own = range_cells(board), parse_holding("7c6c")
        found = search_street(search, place, board, own, model, cells, acted)
        bets.append(found.replies[0, RAISE])
    assert bets[0] > 1.3 * bets[1]


def test_all_cells_together_act_as_often_as_was_counted(contexts: Contexts) -> None:
    """At every decision, with the cells that come there, by a slow walk through the betting."""
    tree, rng = contexts.tree, np.random.default_rng(6)
    model = RangeModel(contexts, *shipped_priors(contexts))
    plain = model.chances.copy()
    direct = rng.random((len(plain), 3)) * (plain[:, 0] > 0)
    direct /= direct.sum(axis=1, keepdims=True)
    model.estimate(direct)
    assert np.allclose(model.chances.sum(axis=2), 1)
    assert not model.chances[plain == 0].any()
    for text in ("", "cr", "rc/", "rc/rr", "cc/cr", "crc/cc/r", "rc/crc/cc/", "cc/cc/cc/rrr"):
        place = tree.after(text)
        seat = int(tree.rounds[place.street].player[place.node])
        reach, street = preflop_shares(), 0
        for acted_on, decision, kind in [*acted_in(contexts, text, seat), (place.street, -1, 0)]:
            for move in cell_moves()[street:acted_on]:
                reach = reach @ move
            street = acted_on
            if decision >= 0:
                reach = reach * model.chances[decision, :, kind]
        found = reach @ model.chances[contexts.decision(place)] / reach.sum()
        assert found == pytest.approx(direct[contexts.decision(place)], abs=0.03), text
    model.estimate()
    assert np.array_equal(model.chances, plain)


def test_hands_that_nobody_saw_are_not_strong_because_strong_hands_raise(
    contexts: Contexts,
) -> None:
    """Who always raises again before the flop, and is never called, does so with weak hands too."""
    model = RangeModel(contexts, *shipped_priors(contexts))
    counted = OpponentModel(contexts, *shipped_priors(contexts))
    raised = acted_in(contexts, "rr", 0)
    decision = raised[0][1]
    cells = range_cells(np.empty(0, dtype=np.uint8))
    for _ in range(40):
        counted.saw_action(decision, RAISE)
        model.saw_hand(cells, raised, model.weights(cells, raised, OWN))
    model.estimate()
    assert model.chances[decision, :5, RAISE].mean() < 0.2
    model.estimate(counted.action_chances())
    assert model.chances[decision, :5, RAISE].mean() > 0.9


def test_folded_hands_count_where_folds_are_likely(contexts: Contexts) -> None:
    model = RangeModel(contexts, *shipped_priors(contexts))
    fold = acted_in(contexts, "rf", 0)
    cells = range_cells(np.empty(0, dtype=np.uint8))
    for _ in range(50):
        model.saw_hand(cells, fold, model.weights(cells, fold, OWN))
    groups = contexts.decisions[:, fold[0][1]]
    assert model.counts[groups, :, FOLD].sum(axis=1) == pytest.approx(50)
    assert model.counts.sum() == pytest.approx(50 * len(groups))
    by_cell = model.counts[groups[0], :, FOLD]
    assert by_cell[:10].sum() > 5 * by_cell[10:].sum()
    shown = acted_in(contexts, "rc", 0)
    model.saw_hand(cells, shown, np.eye(1, HOLDINGS, parse_holding("AsAd"))[0])
    assert model.counts[groups[0], HOLDING_CELLS - 1, CALL] == 1


def test_a_range_that_nothing_is_left_of_is_everything(contexts: Contexts) -> None:
    model = RangeModel(contexts, *shipped_priors(contexts))
    acted = acted_in(contexts, "rc", 0)
    model.chances[acted[0][1], :, CALL] = 0
    cells = range_cells(np.empty(0, dtype=np.uint8))
    assert model.weights(cells, acted, OWN).sum() == comb(50, 2)


def test_what_it_would_do_with_other_hands() -> None:
    """As local best responses ask before it acts; its own answer is not touched by that."""
    player = VexbotPlayer(Choice.MIXIMIX)
    player.reset(np.random.default_rng(0))
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    seen = view(start(HEADS_UP_LIMIT, row), Seat(1))
    player.begin(seen)
    own = player.distribution(seen)
    answers = []
    for name in ("AsAh", "3s2h", "AsAh"):
        vector = seen.state.vector.copy()
        vector[at.HEADER + at.STRIDE * seen.seat + at.HOLDING] = parse_holding(name)
        answers.append(player.distribution(View(seen.seat, HandState(HEADS_UP_LIMIT, vector))))
    assert answers[0] == answers[2] != answers[1]
    assert player.distribution(seen) == own
