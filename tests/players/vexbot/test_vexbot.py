"""Vexbot: its contexts and estimates, its search beside a slow one, what it learns."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from railbird.arena import Match, play
from railbird.cards import CLASS_OF_HOLDING, Card, cards_of, parse_cards, parse_holding
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Call,
    Fold,
    Raise,
    limit_holdem,
    seeded_deals,
    start,
    view,
)
from railbird.odds import open_tables
from railbird.odds.tables.rank_tables import IHR_WHOLE
from railbird.players import make_player
from railbird.players.vexbot.contexts import Contexts, contexts_of
from railbird.players.vexbot.opponent_model import OpponentModel
from railbird.players.vexbot.own_hand import (
    chances_ahead,
    count_transitions,
    river_cell,
    transitions,
)
from railbird.players.vexbot.player import VexbotPlayer
from railbird.players.vexbot.prior import Prior, shipped_priors
from railbird.players.vexbot.search import Search, searches
from railbird.players.vexbot.settings import (
    HOLDING_CELLS,
    OWN_CELLS,
    RANK_CELLS,
    SEARCH_STRENGTH,
    STRENGTHS,
    Choice,
)
from railbird.solve.limit import CALL, FOLD, Place, betting_tree
from railbird.units import Seat

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
    model = OpponentModel(contexts, *callers_priors(contexts), kept=0.95)
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
    alike = OpponentModel(contexts, *callers_priors(contexts))
    different = OpponentModel(contexts, *callers_priors(contexts))
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


def test_strengths_by_a_slow_search_for_the_best(contexts: Contexts) -> None:
    """Each level's strength is the one that foretells its observations from the others'."""
    model = OpponentModel(contexts, *shipped_priors(contexts))
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


def test_what_the_prior_tells_of_each_betting_by_a_slow_walk(contexts: Contexts) -> None:
    """A coarser group's expectation is changed as its prior is to the finer one's."""
    model = OpponentModel(contexts, *shipped_priors(contexts), detailed=True)
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
    model = OpponentModel(contexts, *callers_priors(contexts))
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


def slow_value(search: Search, place: Place, ahead: np.ndarray, *, mix: float) -> float:
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
    model, rng = OpponentModel(contexts, *shipped_priors(contexts)), np.random.default_rng(5)
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
        expected = slow_value(search, Place(3, sequence, 0), ahead, mix=mix)
        assert search.later[2][sequence, cell] == pytest.approx(expected)


def test_what_it_expects_of_a_caller_is_nearly_a_best_response(contexts: Contexts) -> None:
    """If it knew everything it would win what is possible, less what its cells do not tell."""
    model = OpponentModel(contexts, *callers_priors(contexts))
    classes = np.bincount(CLASS_OF_HOLDING) / len(CLASS_OF_HOLDING)
    worth = []
    for search in searches(model, 0.0):
        values = [
            slow_value(search, contexts.tree.root, ahead, mix=0.0) for ahead in transitions().flop
        ]
        worth.append(classes @ values / contexts.tree.chips_per_unit)
    assert np.mean(worth) == pytest.approx(ALWAYS_CALL, rel=0.02)


def test_it_learns_that_an_opponent_folds() -> None:
    """The best response to always-fold wins 0.75 small bets a hand."""
    won = play(Match(players=("vexbot", "always-fold"), deals=400, seed=1)).payoffs[0, :, 0] / 10
    assert won[200:].mean() == pytest.approx(0.75, abs=0.05)


def test_it_mixes_what_is_better_than_folding() -> None:
    player = VexbotPlayer(Choice.MIXIMIX, temperature=1.0)
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
    assert (player.choice, player.temperature, player.kept) == (Choice.MIXIMIX, 0.3, 0.95)
    assert not player.ranges
    assert player.supports(HEADS_UP_LIMIT) is None
    assert player.supports(limit_holdem(max_raises=(2, 2, 2, 2))) is None
    assert "heads-up limit" in str(player.supports(HEADS_UP_NO_LIMIT))
    assert "run out" in str(player.supports(limit_holdem(stack=1_000), carries_over=True))
