"""The betting tree of heads-up limit, counted, and compared with the engine."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Call,
    Fold,
    Raise,
    Rules,
    act,
    limit_holdem,
    parse_rake,
    payoffs,
    seeded_deals,
    start,
)
from railbird.solve.limit import (
    CALL,
    FOLD,
    RAISE,
    BettingTree,
    DecisionPlace,
    LimitBetting,
    betting_tree,
    limit_tree,
)
from railbird.units import Chips


@pytest.fixture(scope="module")
def tree() -> BettingTree:
    return betting_tree(HEADS_UP_LIMIT)


def test_counts(tree: BettingTree) -> None:
    rounds = tree.rounds
    assert [part.sequences for part in rounds] == [1, 7, 63, 567]
    assert [part.decisions for part in rounds] == [8, 70, 630, 5670]
    assert [part.lanes for part in rounds] == [21, 182, 1638, 14742]
    assert [part.folds for part in rounds] == [7, 56, 504, 4536]
    assert [part.ends for part in rounds] == [7, 63, 567, 5103]
    for part, each in zip(rounds, (4, 5, 5, 5), strict=True):
        assert np.bincount(part.player).tolist() == [each, each]


def test_information_sets_add_up_to_the_published_number(tree: BettingTree) -> None:
    # Johanson, "Measuring the size of large no-limit poker games" (2013): 1.38e13 information
    # sets, from the canonical hands of each round.
    hands = (169, 1_286_792, 55_190_538, 2_428_287_420)
    total = sum(count * part.decisions for count, part in zip(hands, tree.rounds, strict=True))
    assert total == pytest.approx(1.38e13, rel=5e-3)


def test_largest_pot_is_24_small_bets_each(tree: BettingTree) -> None:
    last = tree.rounds[-1]
    assert (last.before.max() + last.end_paid.max()) / tree.chips_per_unit == 24


@pytest.mark.parametrize("seed", range(4))
def test_the_engine_agrees(tree: BettingTree, seed: int) -> None:
    """Decisions, actions, pots and losses, in hands of random actions."""
    rng = np.random.default_rng(seed)
    for row in seeded_deals(rng, seats=2, deals=20):
        state, place = start(HEADS_UP_LIMIT, row), tree.root
        while True:
            part = tree.rounds[place.street]
            assert (state.actor, state.street) == (part.player[place.node], place.street)
            slots = range(*part.first_slot[place.node : place.node + 2].tolist())
            legal = [FOLD] * bool(state.to_call) + [CALL]
            legal += [RAISE] * (state.min_raise_to is not None)
            assert [part.kind[slot] for slot in slots] == legal
            kind = int(
                rng.choice(legal, p=[0.1, 0.3, 0.6][-len(legal) :] if len(legal) == 3 else None)
            )
            slot = tree.slot(place, kind)
            before = part.before[place.sequence]
            state = act(state, (Fold(), Call(), Raise(state.min_raise_to or Chips(1)))[kind], row)
            following = tree.step(place, kind)
            if kind == FOLD:
                lost = before + part.fold_paid[part.fold_slot == slot][0]
                assert payoffs(state)[part.player[place.node]] == -lost
            elif slot in part.end_slot:
                level = before + part.end_paid[part.end_slot == slot][0]
                assert state.pot == 2 * level
                if following is not None:
                    assert tree.rounds[following.street].before[following.sequence] == level
            if following is None:
                assert state.actor is None
                break
            assert tree.after(tree.text(following)) == following
            place = following


@pytest.mark.slow
def test_every_decision_has_a_text(tree: BettingTree) -> None:
    texts = set()
    for street, part in enumerate(tree.rounds):
        for sequence in range(part.sequences):
            for node in range(part.nodes):
                place = DecisionPlace(street, sequence, node)
                texts.add(text := tree.text(place))
                assert tree.after(text) == tree.after(text.replace("/", "")) == place
    assert len(texts) == 8 + 70 + 630 + 5670


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rr/x", "letters"),
        ("f", "nobody is to act"),
        ("ff", "goes on after the end"),
        ("rrrr", "action r after 'rrr'; allowed: f, c"),
        ("cf", "action f after 'c'; allowed: c, r"),
        ("cc/cc/cc/cc", "nobody is to act"),
    ],
)
def test_refused_texts(tree: BettingTree, text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        tree.after(text)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (HEADS_UP_NO_LIMIT, "2 seats, no-limit"),
        (limit_holdem(3), "3 seats, limit"),
        (limit_holdem(max_raises=None), "without a cap"),
        (limit_holdem(stack=230), "allowed in a betting tree: 240 or more"),
        (limit_holdem(ante=(1, 2)), "several antes"),
        (replace(HEADS_UP_LIMIT, rake=parse_rake("5%")), "rake"),
    ],
)
def test_refused_rules(rules: Rules, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        betting_tree(rules)


def test_stacks_that_are_deep_enough_change_nothing() -> None:
    deep = betting_tree(limit_holdem(stack=240))
    assert deep.rounds[-1].ends == 5103


def test_kuhn_and_leduc() -> None:
    kuhn = limit_tree(
        LimitBetting(posts=(0, 0), bet_sizes=(1,), most_raises=(1,), first=(0,), ante=1)
    )
    assert [part.decisions for part in kuhn.rounds] == [4]
    (part,) = kuhn.rounds
    assert (part.folds, part.ends) == (2, 3)
    leduc = limit_tree(
        LimitBetting(posts=(0, 0), bet_sizes=(2, 4), most_raises=(2, 2), first=(0, 0), ante=1)
    )
    assert [part.decisions for part in leduc.rounds] == [6, 30]
    assert sorted(set(leduc.rounds[1].before.tolist())) == [1, 3, 5]
