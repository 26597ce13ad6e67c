"""Exact values against an enumeration of one deck, card by card."""

from __future__ import annotations

import numpy as np
import pytest

from railbird.blackjack import exact_kernels as fast
from railbird.blackjack.exact import Action, hand_index, kernel_table
from railbird.blackjack.exact_kernels import open_hands_values
from railbird.blackjack.rules import Rules, cards_text, parse_rules
from railbird.blackjack.tables import CHILD, HANDS, PAIRED
from twins.slow_blackjack import Enumeration, Shoe, SlowRules, less

ONE_DECK: Shoe = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
SMALL: Shoe = (3, 0, 1, 0, 0, 2, 0, 5, 2, 6)
FEW: Shoe = (2, 0, 0, 3, 0, 0, 0, 0, 1, 9)


def _slow_rules(rules: Rules) -> SlowRules:
    return SlowRules(
        hits_soft_17=rules.soft_17.value == "H17",
        peeks=rules.hole_card.value == "peek",
        double_after_split=rules.double_after_split,
        most_hands=2 + rules.resplits,
        resplit_aces=rules.resplit_aces,
        hit_split_aces=rules.hit_split_aces,
        charlie=rules.charlie or 99,
    )


def _fast(shoe: Shoe, upcard: int, cards: tuple[int, ...], rules: Rules) -> tuple[np.ndarray, ...]:
    """Values (5,) of a hand, and of a pair's split again and once."""
    hand = hand_index([card - 1 for card in cards])
    table = kernel_table(rules)
    open_ = np.array(less(shoe, upcard), float)
    values, strategy = np.full((5, HANDS), np.nan), np.zeros((3, HANDS), np.int8)
    pair = int(PAIRED[hand])
    start = int(CHILD[0, pair]) if pair >= 0 else hand
    fast.solve_upcard(open_, upcard - 1, start, table, values, strategy)
    splits = (np.nan, np.nan)
    if pair >= 0:
        left = np.array(less(shoe, upcard, *cards), float)
        splits = open_hands_values(left, upcard - 1, pair, 2, 2, strategy, True, table)
    return values[:, hand], np.array(splits)


@pytest.mark.slow(
    but=["H17-10-cards0", "S17-10-cards1", "enhc-10-cards5", "S17-7-cards7", "charlie=5-9-cards9"]
)
@pytest.mark.parametrize(
    ("text", "upcard", "cards"),
    [
        ("H17", 10, (10, 6)),
        ("S17", 10, (9, 3)),
        ("H17", 1, (6, 5)),
        ("S17", 1, (8, 8)),
        ("enhc", 1, (6, 5)),
        ("enhc", 10, (1, 7)),
        ("H17", 6, (1, 8)),
        ("S17", 7, (5, 4, 3)),
        ("H17", 5, (10, 2)),
        ("charlie=5", 9, (2, 3, 4, 5)),
    ],
)
def test_stand_hit_and_double_agree_with_the_enumeration_of_one_deck(
    text: str, upcard: int, cards: tuple[int, ...]
) -> None:
    rules = parse_rules(text)
    slow = Enumeration(upcard, _slow_rules(rules)).values(less(ONE_DECK, upcard, *cards), cards)
    values, _ = _fast(ONE_DECK, upcard, cards, rules)
    for action in (Action.STAND, Action.HIT, Action.DOUBLE):
        if action.word in slow:
            assert values[action] == pytest.approx(slow[action.word], abs=1e-12)


@pytest.mark.slow(
    only=[
        "shoe0-resplit=2-6-10",
        "shoe1-resplit=2,rsa,S17-10-1",
        "shoe2-resplit=1,rsa-1-1",
        "shoe3-resplit=2,rsa,enhc-10-1",
    ]
)
@pytest.mark.parametrize(
    ("shoe", "text", "upcard", "card"),
    [
        (ONE_DECK, "resplit=2", 6, 10),  # every second card but an ace or a deuce stands
        (ONE_DECK, "resplit=2,rsa,S17", 10, 1),  # a peek that excludes the pair's own rank
        (ONE_DECK, "resplit=1,rsa", 1, 1),
        (ONE_DECK, "resplit=2,rsa,enhc", 10, 1),
        (FEW, "resplit=2", 1, 10),
        (FEW, "resplit=1,rsa,hsa", 10, 4),
        (SMALL, "resplit=2", 10, 8),  # hits and doubles after the split
        (SMALL, "resplit=1,nodas", 1, 8),
        (SMALL, "enhc", 10, 8),
    ],
)
def test_splits_and_resplits_agree_with_the_enumeration_of_every_hand(
    shoe: Shoe, text: str, upcard: int, card: int
) -> None:
    rules = parse_rules(text)
    enumeration = Enumeration(upcard, _slow_rules(rules))
    left = less(shoe, upcard, card, card)
    _, (again, once) = _fast(shoe, upcard, (card, card), rules)
    assert again == pytest.approx(enumeration.split(left, card, again=True), abs=1e-12)
    assert once == pytest.approx(enumeration.split(left, card, again=False), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("upcard", [1, 2, 6, 10])
def test_every_two_cards_of_one_deck_agree_with_the_enumeration(upcard: int) -> None:
    rules = parse_rules("decks=1,S17")
    enumeration = Enumeration(upcard, _slow_rules(rules))
    for first in range(1, 11):
        for second in range(max(first, 5), 11):
            cards = (first, second)
            slow = enumeration.values(less(ONE_DECK, upcard, *cards), cards)
            values, _ = _fast(ONE_DECK, upcard, cards, rules)
            for action in (Action.STAND, Action.HIT, Action.DOUBLE):
                where = f"{cards_text([card - 1 for card in cards])} v {upcard}"
                assert values[action] == pytest.approx(slow[action.word], abs=1e-12), where
