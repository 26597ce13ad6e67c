"""Vexbot: its contexts and estimates, its search beside a slow one, what it learns."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import comb
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match, play
from railbird.cards import (
    CLASS_OF_HOLDING,
    CLASSES,
    HOLDING_CARDS,
    HOLDINGS,
    Card,
    cards_of,
    parse_cards,
    parse_holding,
)
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Call,
    Fold,
    HandState,
    Raise,
    View,
    limit_holdem,
    seeded_deals,
    start,
    view,
)
from railbird.game import kernels as at
from railbird.odds import open_tables
from railbird.odds.rank_tables import IHR_WHOLE
from railbird.players import make_player
from railbird.players.vexbot.contexts import (
    HOLDING_CELLS,
    OWN_CELLS,
    RANK_CELLS,
    SEARCH_STRENGTH,
    STRENGTHS,
    ChoiceRule,
    Contexts,
    chances_ahead,
    contexts_of,
    count_transitions,
    river_cell,
    transitions,
)
from railbird.players.vexbot.opponent_model import (
    Acted,
    OpponentCounts,
    Prior,
    RangeModel,
    cell_moves,
    preflop_cells,
    preflop_shares,
    range_cells,
    read_expected,
    river_ranks,
    shipped_priors,
    write_expected,
)
from railbird.players.vexbot.player import Search, VexbotPlayer, search_street, searches
from railbird.solve.limit import CALL, FOLD, RAISE, DecisionPlace, betting_tree
from railbird.solve.real_game.opponents import BoardTable, read_only
from railbird.units import Seat
from railbird_papers.billings2004.prior import expect

ALWAYS_CALL = 1.163476
"""What a best response wins from always-call (Johanson et al., IJCAI 2011)."""


@pytest.fixture(scope="module")
def contexts() -> Contexts:
    return contexts_of(betting_tree(HEADS_UP_LIMIT))


def callers_priors(contexts: Contexts) -> tuple[Prior, Prior]:
    """What an opponent does that always calls, with any hand alike."""
    actions = np.zeros((len(contexts.decision_rows.parent), 3))
    actions[:, CALL] = 1
    prior = Prior(
        actions,
        np.full((len(contexts.showdown_rows.parent), RANK_CELLS), 0.05),
        np.repeat(actions[:, np.newaxis], HOLDING_CELLS, axis=1),
    )
    return prior, prior


def test_contexts(contexts: Contexts) -> None:
    tree = contexts.tree
    assert contexts.decisions.shape == (4, 6_378)
    assert contexts.showdowns.shape == (4, 10_206)
    for groups, rows in (
        (contexts.decisions, contexts.decision_rows),
        (contexts.showdowns, contexts.showdown_rows),
    ):
        assert np.array_equal(groups[0], np.arange(groups.shape[1]))
        for fine, coarse in pairwise(groups):
            assert np.array_equal(rows.parent[fine], coarse)
        assert set(rows.parent[groups[-1]].tolist()) == {-1}

    def group(text: str) -> list[int]:
        rows: list[int] = contexts.decisions[:, contexts.decision(tree.after(text))].tolist()
        return rows

    # One raise each before the flop, by whoever was first.
    one, other = group("rrc/c"), group("crrc/c")
    assert [a == b for a, b in zip(one, other, strict=True)] == [False, True, True, True]
    # One raise in all by the player who acts, on another street.
    one, other = group("cc/rc/c"), group("rc/cc/c")
    assert [a == b for a, b in zip(one, other, strict=True)] == [False, False, False, True]
    one, other = group("cc/cr"), group("rc/cr")
    assert [a == b for a, b in zip(one, other, strict=True)] == [False, False, False, True]


def test_showdowns_are_counted_from_either_seat(contexts: Contexts) -> None:
    tree = contexts.tree
    place = tree.after("cc/cc/cc/r")
    slot = tree.slot(place, CALL)
    groups = [contexts.showdowns[:, contexts.showdown(place, slot, seat)] for seat in (0, 1)]
    labels, last = contexts.showdown_rows.labels, contexts.showdown_rows.start[-2]
    assert [labels[group[-1] - last] for group in groups] == [(1,), (0,)]


def test_the_source_s_weights_of_levels(contexts: Contexts) -> None:
    """Five observations count for 0.23, twenty for 0.64 of what is left."""
    model = OpponentCounts(contexts, *callers_priors(contexts), kept=0.95)
    decision = contexts.decision(contexts.tree.after("r"))
    for _ in range(5):
        model.saw_action(decision, FOLD)
    left = 0.95**5
    assert 1 - left == pytest.approx(0.23, abs=5e-3)
    assert model.action_chances()[decision] == pytest.approx([1 - left**4, left**4, 0])
    assert model.seen(decision) == [5, 5, 5, 5]
    for _ in range(15):
        model.saw_action(decision, CALL)
    left = 0.95**20
    folds = 0.25 * (1 - left**4)
    assert model.action_chances()[decision] == pytest.approx([folds, 1 - folds, 0])


def test_levels_that_tell_nothing_new_count_little(contexts: Contexts) -> None:
    """A habit by place is learned at once, one of a betting sequence only if there is one."""
    tree, rng = contexts.tree, np.random.default_rng(1)
    places = ["cc/r", "rc/r", "rrc/r"]
    alike = OpponentCounts(contexts, *callers_priors(contexts))
    different = OpponentCounts(contexts, *callers_priors(contexts))
    for text, folds in zip(places, (0.9, 0.5, 0.1), strict=True):
        decision = contexts.decision(tree.after(text))
        for _ in range(200):
            alike.saw_action(decision, FOLD if rng.random() < 0.5 else CALL)
            different.saw_action(decision, FOLD if rng.random() < folds else CALL)
    decisions = [contexts.decision(tree.after(text)) for text in places]
    pooled = alike.actions[decisions, FOLD].sum() / 600
    assert alike.action_chances()[decisions, FOLD] == pytest.approx(pooled, abs=0.02)
    own = different.actions[decisions, FOLD] / 200
    assert different.action_chances()[decisions, FOLD] == pytest.approx(own, abs=0.03)


@pytest.mark.slow
def test_strengths_by_a_slow_search_for_the_best(contexts: Contexts) -> None:
    """Each level's strength is the one that foretells its observations from the others'."""
    model = OpponentCounts(contexts, *shipped_priors(contexts))
    rng = np.random.default_rng(2)
    for _ in range(300):
        model.saw_rank(int(rng.integers(0, 10_206, 1)[0]) % 40, int(rng.integers(12, 20)))
    rows, counts = contexts.showdown_rows, model.ranks
    base = found = model.prior.ranks[rows.start[-2] :]
    for level in (3, 2, 1, 0):
        own = slice(rows.start[level], rows.start[level + 1])
        if level < 3:
            base = found[rows.parent[own] - rows.start[level + 1]]
        seen, total = counts[own], counts[own].sum(axis=1, keepdims=True)
        scores = []
        for strength in STRENGTHS:
            share = (np.maximum(seen - 1, 0) + strength * base) / (total - 1 + strength)
            scores.append(np.sum((seen * np.log(share))[total[:, 0] >= 2]))
        strength = STRENGTHS[int(np.argmax(scores))]
        found = (seen + strength * base) / (total + strength)
    assert model.rank_chances() == pytest.approx(found)


@pytest.mark.slow
def test_what_the_prior_tells_of_each_betting_by_a_slow_walk(contexts: Contexts) -> None:
    """A coarser group's expectation is changed as its prior is to the finer one's."""
    model = OpponentCounts(contexts, *shipped_priors(contexts), detailed=True)
    rng = np.random.default_rng(2)
    for _ in range(300):
        model.saw_rank(int(rng.integers(0, 10_206, 1)[0]) % 40, int(rng.integers(0, 20)))
    rows, prior = contexts.showdown_rows, model.detail.ranks
    found = prior.copy()
    for level in (3, 2, 1, 0):
        for row in range(*rows.start[level : level + 2].tolist()):
            up, seen = rows.parent[row], model.ranks[row]
            if level < 3:
                found[row] = found[up] * prior[row] / prior[up]
                found[row] /= found[row].sum()
            total = seen.sum() + SEARCH_STRENGTH
            found[row] = (seen + SEARCH_STRENGTH * found[row]) / total
    assert model.rank_chances() == pytest.approx(found[: rows.start[1]])


def test_a_mucked_hand_is_one_that_was_beaten(contexts: Contexts) -> None:
    model = OpponentCounts(contexts, *callers_priors(contexts))
    model.saw_beaten(17, 9)
    for row in contexts.showdowns[:, 17]:
        assert model.ranks[row, :9] == pytest.approx(1 / 9.5)
        assert model.ranks[row, 9] == pytest.approx(0.5 / 9.5)
        assert not model.ranks[row, 10:].any()


def test_what_follows_a_hand() -> None:
    tables = open_tables()
    board, holding = parse_cards("Td5hTh2c"), parse_holding("Jh9h")
    known = {*board, *cards_of(holding)}
    shares = np.zeros(OWN_CELLS)
    for river in set(range(52)) - known:
        place = tables.place([*board, Card(river)], holding)
        cell = min(int(tables.river_ihr[place]) * OWN_CELLS // IHR_WHOLE[3], OWN_CELLS - 1)
        shares[cell] += 1 / 46
    assert chances_ahead(np.array(board, dtype=np.uint8), holding) == pytest.approx(shares)
    flop = chances_ahead(np.array(board[:3], dtype=np.uint8), holding)
    assert flop.sum() == pytest.approx(1)
    whole = np.array([*board, *parse_cards("Kh")], dtype=np.uint8)
    assert chances_ahead(whole, holding)[river_cell(whole, holding, OWN_CELLS)] == 1


@pytest.mark.slow
def test_shipped_transitions_are_those_of_random_deals() -> None:
    """Of deals other than those that were counted."""
    shipped, counted = transitions(), count_transitions(np.random.default_rng(7), 200_000)
    assert counted.flop_edges == pytest.approx(shipped.flop_edges, rel=0.03)
    assert counted.turn_edges == pytest.approx(shipped.turn_edges, rel=0.03)
    for table, other, most in (
        (shipped.turn, counted.turn, 0.03),
        (shipped.river, counted.river, 0.03),
        (shipped.flop, counted.flop, 0.12),
    ):
        assert np.allclose(table.sum(axis=1), 1)
        assert np.abs(table - other).max() < most
    aces = CLASS_OF_HOLDING[parse_holding("AsAh")]
    assert shipped.flop[aces, -4:].sum() > 0.8


def slow_value(search: Search, place: DecisionPlace, ahead: np.ndarray, *, mix: float) -> float:
    """Return the value of a decision by recursion, street by street from `Search.later`."""
    tree = search.contexts.tree
    part = tree.rounds[place.street]
    first, last = part.first_slot[place.node : place.node + 2].tolist()
    values = []
    for slot in range(first, last):
        kind = int(part.kind[slot])
        following = tree.step(place, kind)
        if kind == FOLD:
            lost = part.before[place.sequence] + part.fold_paid[list(part.fold_slot).index(slot)]
            values.append(float(lost if part.player[place.node] == search.opponent else -lost))
        elif following is not None and following.street == place.street:
            values.append(slow_value(search, following, ahead, mix=mix))
        else:
            end = int(np.searchsorted(part.end_slot, slot)) * part.sequences + place.sequence
            values.append(float(search.later[place.street][end] @ ahead))
    if part.player[place.node] == search.opponent:
        row = search.chances[place.street][place.node * part.sequences + place.sequence]
        return float(np.dot(row[part.kind[first:last]], values))
    if mix == 0:
        return max(values)
    if part.kind[first] == FOLD and max(values) > values[0]:
        values = [value for value in values if value > values[0]]
    weights = np.exp((np.array(values) - max(values)) / mix)
    return float(weights @ values / weights.sum())


@pytest.mark.parametrize("mix", [0.0, 5.0])
def test_the_search_beside_a_slow_one(contexts: Contexts, mix: float) -> None:
    model, rng = OpponentCounts(contexts, *shipped_priors(contexts)), np.random.default_rng(5)
    for _ in range(3_000):
        model.saw_action(int(rng.integers(0, 6_378)), CALL)
        model.saw_rank(int(rng.integers(0, 10_206)), int(rng.integers(0, RANK_CELLS)))
    both = searches(model, mix)
    for text in ("", "r", "rc", "cc/r", "crc/rrc", "rc/rc/c", "rc/rc/rc", "cc/cc/cc/cr"):
        place = contexts.tree.after(text)
        for search in both:
            cells = search.later[place.street].shape[1]
            ahead = rng.dirichlet(np.ones(cells))
            part = contexts.tree.rounds[place.street]
            street, sequence, node = place
            own = slice(*part.first_slot[node : node + 2])
            ends, replies = search.ends(street, sequence, ahead), search.replies(street, sequence)
            slots = search.slots(street, sequence, ends, replies)[own]
            kinds = part.kind[own].tolist()
            for kind, value in zip(kinds, slots, strict=True):
                following = contexts.tree.step(place, kind)
                if following is not None and following.street == place.street:
                    expected = slow_value(search, following, ahead, mix=mix)
                    assert value == pytest.approx(expected)
    # A street's table is what its first decision is worth in each cell.
    search, cell = both[0], 30
    for sequence in (0, 200, 566):
        ahead = np.eye(OWN_CELLS)[cell]
        expected = slow_value(search, DecisionPlace(3, sequence, 0), ahead, mix=mix)
        assert search.later[2][sequence, cell] == pytest.approx(expected)


def test_what_it_expects_of_a_caller_is_nearly_a_best_response(contexts: Contexts) -> None:
    """If it knew everything it would win what is possible, less what its cells do not tell."""
    model = OpponentCounts(contexts, *callers_priors(contexts))
    classes = np.bincount(CLASS_OF_HOLDING) / len(CLASS_OF_HOLDING)
    worth = []
    for search in searches(model, 0.0):
        values = [
            slow_value(search, contexts.tree.root, ahead, mix=0.0) for ahead in transitions().flop
        ]
        worth.append(classes @ values / contexts.tree.chips_per_unit)
    assert np.mean(worth) == pytest.approx(ALWAYS_CALL, rel=0.02)


@pytest.mark.slow
def test_it_learns_that_an_opponent_folds() -> None:
    """The best response to always-fold wins 0.75 small bets a hand."""
    won = play(Match(players=("vexbot", "always-fold"), deals=400, seed=1)).payoffs[0, :, 0] / 10
    assert won[200:].mean() == pytest.approx(0.75, abs=0.05)


def test_it_mixes_what_is_better_than_folding() -> None:
    player = VexbotPlayer(ChoiceRule.MIXIMIX, temperature=1.0)
    player.reset(np.random.default_rng(3))
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    seen = view(start(HEADS_UP_LIMIT, row), Seat(1))
    player.begin(seen)
    said = player.distribution(seen)
    actions = [player.act(seen) for _ in range(2_000)]
    chances = said.fold, said.call, 1 - said.fold - said.call
    for kind, chance in zip((Fold, Call, Raise), chances, strict=True):
        share = sum(type(action) is kind for action in actions) / len(actions)
        assert share == pytest.approx(chance, abs=0.06)
    assert 0 < said.call < 1


def test_explanation() -> None:
    player = VexbotPlayer()
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    seen = view(start(HEADS_UP_LIMIT, row), Seat(1))
    player.reset(np.random.default_rng(0))
    player.begin(seen)
    with pytest.raises(LookupError, match="not decided"):
        player.explain(seen)
    action = player.act(seen)
    reasons = player.explain(seen)
    assert [type(action) is kind for kind in (Fold, Call, Raise)] == [
        each.decided for each in reasons.requirements
    ]
    assert reasons.readings[0].value == "none"
    answers = reasons.estimates[0].readings
    assert sum(float(each.value or 0) for each in answers[:2]) <= 1
    assert [each.value for each in answers[-4:]] == [0, 0, 0, 0]
    player.observe(seen, Act(Seat(1), action))


def test_where_it_plays() -> None:
    player = make_player("vexbot:miximix,temperature=0.3,kept=0.95,ranges=off")
    assert isinstance(player, VexbotPlayer)
    assert (player.choice, player.temperature, player.kept) == (ChoiceRule.MIXIMIX, 0.3, 0.95)
    assert not player.ranges
    assert player.supports(HEADS_UP_LIMIT) is None
    assert player.supports(limit_holdem(max_raises=(2, 2, 2, 2))) is None
    assert "heads-up limit" in str(player.supports(HEADS_UP_NO_LIMIT))
    assert "run out" in str(player.supports(limit_holdem(stack=1_000), carries_over=True))


# Vexbot's ranges: what they leave likely, what they do, and what is learnt of folded hands.


BOARD = np.array(parse_cards("Td5hTh2cKs"), dtype=np.uint8)
OWN = parse_holding("KhJh")


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
    place: DecisionPlace | None = contexts.tree.root
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
    contexts: Contexts, model: RangeModel, place: DecisionPlace, weights: np.ndarray, opponent: int
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
    search = searches(OpponentCounts(contexts, *shipped_priors(contexts)), 0.0)[1 - seat]
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
    search = searches(OpponentCounts(contexts, *shipped_priors(contexts)), 0.0)[0]
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
    counted = OpponentCounts(contexts, *shipped_priors(contexts))
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
    player = VexbotPlayer(ChoiceRule.MIXIMIX)
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


# What Vexbot expects before it has seen anything: its making, and what becomes of it.


_CARDS = 0, 3, 4, 5


class _ByHolding:
    """A strategy by nothing but the number of the holding."""

    tree = betting_tree(HEADS_UP_LIMIT)

    def on(self, board: np.ndarray, before: BoardTable | None) -> BoardTable:
        part = self.tree.rounds[max(len(board) - 2, 0)]
        rng = np.random.default_rng(len(board))
        table = rng.random((3, part.slots, part.sequences)) + 0.1
        for node in range(part.nodes):
            own = slice(*part.first_slot[node : node + 2])
            table[:, own] /= table[:, own].sum(axis=1, keepdims=True)
        rows = np.arange(len(HOLDING_CARDS), dtype=np.int32) % 3
        table = table.reshape(3, -1)[rows]
        return BoardTable(read_only(table), np.arange(len(rows), dtype=np.int32))


@pytest.mark.slow
def test_before_anything_was_seen_it_expects_the_prior(contexts: Contexts) -> None:
    """Of the very betting that it meets, unless the finer groups are not to count."""
    both = shipped_priors(contexts)
    for detailed, prior in enumerate(both):
        model = OpponentCounts(contexts, *both, detailed=bool(detailed))
        actions, ranks = model.action_chances(), model.rank_chances()
        assert actions == pytest.approx(prior.actions[: len(actions)])
        assert ranks == pytest.approx(prior.ranks[: len(ranks)])
        ranges = RangeModel(contexts, *both)
        ranges.estimate(detailed=bool(detailed))
        assert ranges.chances == pytest.approx(prior.by_cell[: len(ranges.chances)])
    coarse = both[0].actions
    assert np.array_equal(coarse[contexts.decisions[0]], coarse[contexts.decisions[3]])


def test_a_habit_of_all_places_changes_what_the_prior_tells_of_each(contexts: Contexts) -> None:
    """Who folds less than expected wherever it was seen is expected to do so elsewhere."""
    _, prior = shipped_priors(contexts)
    model = OpponentCounts(contexts, *shipped_priors(contexts), detailed=True)
    tree, rng = contexts.tree, np.random.default_rng(3)
    for text in ("cc/r", "rrc/r"):
        decision = contexts.decision(tree.after(text))
        less = prior.actions[decision] / [4, 1, 1]
        for kind in rng.choice(3, size=2_000, p=less / less.sum()):
            model.saw_action(decision, int(kind))
    unseen = [contexts.decision(tree.after(text)) for text in ("rc/r", "crc/r")]
    before, found = (table[unseen] for table in (prior.actions, model.foretold()))
    assert (found[:, FOLD] < 0.65 * before[:, FOLD]).all()
    for kinds in ([FOLD, CALL], [RAISE, CALL]):
        odds, now = (table[:, kinds[0]] / table[:, kinds[1]] for table in (before, found))
        assert now[0] / now[1] == pytest.approx(odds[0] / odds[1], rel=1e-3)


@pytest.mark.slow
def test_the_prior_is_what_a_strategy_does_against_itself() -> None:
    """Beside a walk through the betting of some decisions on one board."""
    strategy, board = _ByHolding(), np.array(parse_cards("Td5hTh2cKs"), dtype=np.uint8)
    tree, contexts = strategy.tree, contexts_of(strategy.tree)
    expected = expect(strategy, board[np.newaxis])
    cells = range_cells(board)
    live = np.flatnonzero(cells[-1] >= 0)
    for text in ("", "cr", "rrc/r", "cc/crc/", "rc/rc/rrc/cr"):
        place = tree.after(text)
        seat = int(tree.rounds[place.street].player[place.node])
        reach = [np.full(len(live), 1 / len(live)) for _ in range(2)]
        here = tree.root
        for letter in text.replace("/", ""):
            slot = tree.slot(here, "fcr".index(letter))
            lane = tree.rounds[here.street].lane(slot, here.sequence)
            actor = tree.rounds[here.street].player[here.node]
            reach[actor] *= strategy.on(board[: _CARDS[here.street]], None).table[live, lane]
            here = tree.step(here, "fcr".index(letter)) or here
        assert here == place
        part = tree.rounds[place.street]
        table = strategy.on(board[: _CARDS[place.street]], None).table[live]
        for slot in range(*part.first_slot[place.node : place.node + 2].tolist()):
            done = reach[seat] * table[:, part.lane(slot, place.sequence)]
            by_cell = np.bincount(cells[place.street, live], done, HOLDING_CELLS)
            found = expected.by_cell[contexts.decision(place), :, part.kind[slot]]
            assert found == pytest.approx(by_cell * reach[1 - seat].sum(), rel=1e-4)
    # All that is dealt is folded or shown, by both seats.
    folded = expected.by_cell[..., FOLD].sum()
    assert folded + expected.ranks.sum() / 2 == pytest.approx(1, rel=1e-4)


@pytest.mark.slow
def test_a_prior_that_was_written(contexts: Contexts, tmp_path: Path) -> None:
    """What is kept of it is right to a percent or two."""
    expected = expect(_ByHolding(), np.array([parse_cards("Td5hTh2cKs")], dtype=np.uint8))
    write_expected(tmp_path / "prior.npz", expected)
    found = read_expected(tmp_path / "prior.npz")
    for ours, theirs in ((found.by_cell, expected.by_cell), (found.ranks, expected.ranks)):
        sums, known = theirs.sum(axis=-1), theirs.sum(axis=-1) > 0
        assert np.allclose(ours.sum(axis=-1), sums, rtol=0.1)
        one, other = (
            each[known] / each[known].sum(axis=-1, keepdims=True) for each in (ours, theirs)
        )
        assert np.allclose(one, other, rtol=0, atol=0.004)


def test_the_prior_of_other_caps_is_that_of_the_same_betting(contexts: Contexts) -> None:
    _, prior = shipped_priors(contexts)
    other = contexts_of(betting_tree(limit_holdem(max_raises=(2, 2, 2, 2))))
    coarse, found = shipped_priors(other)
    for text, same in (("cr", True), ("rc/cr", True), ("rc/rc/cr", True), ("crr", False)):
        one, two = (each.decision(each.tree.after(text)) for each in (contexts, other))
        if same:
            assert found.actions[two] == pytest.approx(prior.actions[one], abs=1e-3)
            assert found.by_cell[two, 10] == pytest.approx(prior.by_cell[one, 10], abs=0.01)
        else:  # nobody may raise again
            assert found.actions[two, RAISE] == 0
    for each in (coarse, found):
        assert np.allclose(each.actions.sum(axis=1), 1)
        assert np.allclose(each.by_cell.sum(axis=2), 1)


@pytest.mark.parametrize("like_it", [True, False])
def test_the_prior_s_detail_counts_while_it_foretells_more(
    contexts: Contexts, like_it: bool
) -> None:
    """Of a player who does what the prior tells, and of one who always raises if it may."""
    rng = np.random.default_rng(9)
    model = OpponentCounts(contexts, *shipped_priors(contexts))
    assert not model.detailed
    often = model.detail.actions[: contexts.decisions.shape[1]]
    for _ in range(40):
        model.choose_detail()
        for decision in rng.choice(len(often), size=10).tolist():
            chances = often[decision]
            if like_it:
                model.saw_action(decision, int(rng.choice(3, p=chances / chances.sum())))
            else:
                model.saw_action(decision, RAISE if chances[RAISE] > 0 else CALL)
    model.choose_detail()
    assert model.detailed == like_it
