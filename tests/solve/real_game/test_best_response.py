"""Best responses in the real game: published values, small decks walked in full, two ways."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from railbird.cards import parse_cards
from railbird.cards.isomorphism import board_classes
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT
from railbird.solve.abstraction.percentile import PercentileAbstraction
from railbird.solve.limit import (
    CALL,
    FOLD,
    RAISE,
    BettingTree,
    LimitBetting,
    LimitStrategy,
    betting_tree,
    limit_tree,
)
from railbird.solve.real_game import (
    BoardMatch,
    CardBlindStrategy,
    OneRowStrategy,
    PublicTree,
    StatesStrategy,
    always,
    best_response_to_card_blind,
    expected_win,
    public_best_response,
)
from railbird.solve.real_game.card_blind import after_flops
from twins.slow_best_response import SlowBestResponse


def small_betting(raises: tuple[int, ...]) -> BettingTree:
    return limit_tree(
        LimitBetting(posts=(1, 2), bet_sizes=(2, 2, 4, 4), most_raises=raises, first=(0, 1, 1, 1))
    )


def random_shares(tree: BettingTree, states: tuple[int, ...], seed: int) -> list[np.ndarray]:
    """Return (states, slots, sequences) of each street; some actions are never taken."""
    rng = np.random.default_rng(seed)
    tables = []
    for part, count in zip(tree.rounds, states, strict=True):
        weight = rng.random((count, part.slots, part.sequences))
        weight[rng.random(weight.shape) < 0.2] = 0
        weight += 1e-9
        total = np.add.reduceat(weight, part.first_slot[:-1], axis=1)
        shares = weight / total[:, part.node]
        tables.append(np.where(shares < 1e-6, 0, shares))
    return tables


def random_card_blind(tree: BettingTree, seed: int) -> CardBlindStrategy:
    shares = random_shares(tree, (1, 1, 1, 1), seed)
    return CardBlindStrategy(tree, tuple(table[0] for table in shares))


def looking_at_cards(tree: BettingTree, seed: int = 7) -> StatesStrategy:
    flop = np.array([[8161, 23514], [13846, 31590]])
    turn = np.array([[1799], [2443], [4843]] * 2)
    river = np.array([[513 + 50 * state] for state in range(12)])
    preflop = (np.arange(169) % 13 < 6).astype(np.int32)
    abstraction = PercentileAbstraction((2, 3, 2, 2), preflop, (flop, turn, river))
    tables = [
        table.reshape(len(table), -1).astype(np.float32)
        for table in random_shares(tree, abstraction.states, seed)
    ]
    return StatesStrategy(LimitStrategy(tree, abstraction, tuple(tables)))


@pytest.mark.slow
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize(
    ("deck", "raises"),
    [("2c3c4c2d3d4d2h3h4h", (1, 1, 0, 1)), ("AcKcQcJcTcAdKdQdJd", (0, 2, 2, 0))],
)
def test_small_decks_walked_in_full(player: int, deck: str, raises: tuple[int, ...]) -> None:
    cards = parse_cards(deck)
    missing = tuple(card for card in range(52) if card not in cards)
    strategy = looking_at_cards(small_betting(raises))
    slow = SlowBestResponse(strategy, player, [int(card) for card in cards]).value()
    fast = public_best_response(strategy, player=player, missing=missing)
    assert fast == pytest.approx(slow, abs=1e-6)
    assert abs(slow) > 0.1


@pytest.mark.slow
def test_two_strategies_on_a_small_deck_walked_in_full() -> None:
    player = 1
    cards = parse_cards("2c3c4c2d3d4d2h3h4h")
    missing = tuple(card for card in range(52) if card not in cards)
    tree = small_betting((1, 1, 0, 1))
    strategy = looking_at_cards(tree)
    own = looking_at_cards(tree, seed=8)
    slow = SlowBestResponse(strategy, player, [int(card) for card in cards], own=own).value()
    fast = expected_win(own, strategy, player=player, missing=missing)
    assert fast == pytest.approx(slow, abs=1e-6)
    back = expected_win(strategy, own, player=1 - player, missing=missing)
    assert back == pytest.approx(-fast, abs=1e-6)
    assert abs(slow) > 0.01


@pytest.fixture(scope="module")
def small_deck() -> tuple[list[int], np.ndarray]:
    """Nine cards, and all boards of them."""
    cards = parse_cards("2c3c4c2d3d4d2h3h4h")
    # A flop is a set, but the turn is not the river.
    boards = [
        (*flop, *rest)
        for flop in combinations(cards, 3)
        for rest in permutations([card for card in cards if card not in flop], 2)
    ]
    return [int(card) for card in cards], np.array(boards, dtype=np.uint8)


def missing_from(cards: list[int]) -> tuple[int, ...]:
    return tuple(card for card in range(52) if card not in cards)


@pytest.mark.slow
def test_all_boards_of_a_small_deck_are_the_expected_win(
    small_deck: tuple[list[int], np.ndarray],
) -> None:
    cards, boards = small_deck
    missing = missing_from(cards)
    tree = small_betting((1, 1, 0, 1))
    strategy, own = looking_at_cards(tree), looking_at_cards(tree, seed=8)
    match = BoardMatch(own, strategy, missing=missing)
    found = match.on_boards(boards).mean(axis=0)
    for seat in (0, 1):
        expected = expected_win(own, strategy, player=seat, missing=missing)
        assert found[seat] == pytest.approx(expected, abs=1e-6)
        assert abs(expected) > 0.01


@pytest.mark.slow
def test_the_best_on_the_river_alone(small_deck: tuple[list[int], np.ndarray]) -> None:
    cards, boards = small_deck
    tree = small_betting((1, 1, 0, 1))
    strategy, own = looking_at_cards(tree), looking_at_cards(tree, seed=8)
    public = PublicTree(strategy, player=1, missing=missing_from(cards), own=own)
    slow = SlowBestResponse(strategy, 1, cards, own=own, own_until=3).value()
    assert public.best_on_rivers(boards).mean() == pytest.approx(slow, abs=1e-6)
    assert slow > expected_win(own, strategy, player=1, missing=missing_from(cards)) + 0.01
    with pytest.raises(BadInput, match="a best response on the river alone"):
        PublicTree(strategy, player=1).best_on_rivers(boards[:1])


def test_strategies_that_cannot_meet() -> None:
    one, other = (looking_at_cards(small_betting(raises)) for raises in ((1, 1, 0, 1), (1,) * 4))
    with pytest.raises(
        BadInput, match="strategies for different games; allowed: equal blinds, bets and caps"
    ):
        BoardMatch(one, other)


@pytest.mark.slow
def test_both_ways_agree_on_a_flop() -> None:
    tree = betting_tree(HEADS_UP_LIMIT)
    strategy = random_card_blind(tree, 3)
    public = PublicTree(OneRowStrategy(strategy), player=1)
    row = 0  # three of a kind, after which most suits are alike
    flop = board_classes(3).representative[row]
    values = public.after_flop(flop)
    reach = reach_before_flop(strategy, opponent=0)
    assert np.count_nonzero(reach) > 3
    for sequence in range(7):
        if reach[sequence] > 0:
            expected = after_flops(strategy, 1, sequence, np.array([row]))[0]
            # Per game, not per pair of holdings.
            found = values[:, sequence] / (reach[sequence] * 1081)
            by_hand = np.bincount(public.hand_of, weights=expected)
            wanted = by_hand / np.bincount(public.hand_of)
            assert np.abs(found - wanted).max() < 1e-3
            assert np.abs(expected).max() > 1


def reach_before_flop(strategy: CardBlindStrategy, opponent: int) -> np.ndarray:
    part = strategy.tree.rounds[0]
    node_reach = np.ones(part.nodes)
    ends = np.zeros(len(part.end_slot))
    for slot in range(part.slots):
        share = (
            strategy.probabilities[0][slot, 0] if part.player[part.node[slot]] == opponent else 1
        )
        if part.child[slot] >= 0:
            node_reach[part.child[slot]] = node_reach[part.node[slot]] * share
        elif slot in part.end_slot:
            ends[part.end_slot.tolist().index(slot)] = node_reach[part.node[slot]] * share
    return ends


@pytest.mark.parametrize(
    ("kind", "won"),
    [
        # The manual has it as an example, which is a test.
        pytest.param(FOLD, (0.5, 1.0), marks=pytest.mark.slow),
        # Johanson, Waugh, Bowling and Zinkevich (2011), table 1, has 1163.48 and 3697.69.
        pytest.param(CALL, (1.163476, 1.163476), marks=pytest.mark.slow),
        pytest.param(RAISE, (3.697693, 3.697693), marks=pytest.mark.slow),
    ],
)
def test_published_values_by_seat(kind: int, won: tuple[float, float]) -> None:
    found = [best_response_to_card_blind(always(kind), player=player) for player in (0, 1)]
    assert sorted(found) == pytest.approx(won, abs=1e-6)


def test_always_takes_what_is_possible() -> None:
    tree = betting_tree(HEADS_UP_LIMIT)
    fold, raising = always(FOLD), always(RAISE)
    for part, folds, raises in zip(
        tree.rounds, fold.probabilities, raising.probabilities, strict=True
    ):
        for node in range(part.nodes):
            slots = range(part.first_slot[node], part.first_slot[node + 1])
            kinds = [int(part.kind[slot]) for slot in slots]
            assert [folds[slot, 0] for slot in slots].index(1) == kinds.index(
                FOLD if FOLD in kinds else CALL
            )
            assert [raises[slot, 0] for slot in slots].index(1) == kinds.index(
                RAISE if RAISE in kinds else CALL
            )


def test_bad_arguments() -> None:
    tree = betting_tree(HEADS_UP_LIMIT)
    calling = OneRowStrategy(always(CALL))
    with pytest.raises(BadInput, match="player 2"):
        PublicTree(calling, player=2)
    with pytest.raises(BadInput, match="a deck of 8 cards"):
        PublicTree(calling, player=0, missing=tuple(range(44)))
    with pytest.raises(BadInput, match="card 52"):
        PublicTree(calling, player=0, missing=(52,))
    with pytest.raises(BadInput, match="player 2"):
        best_response_to_card_blind(always(CALL), player=2)
    with pytest.raises(BadInput, match="action 3"):
        always(3)
    with pytest.raises(BadInput, match="other shapes"):
        CardBlindStrategy(tree, tuple(np.ones((1, 1)) for _ in range(4)))
    with pytest.raises(BadInput, match="do not add up to 1"):
        CardBlindStrategy(tree, tuple(2 * table for table in always(CALL).probabilities))
