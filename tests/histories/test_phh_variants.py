"""PHH of other games than hold'em: written and read back, others' hands, and bad ones."""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from helpers.random_hands import random_action, random_rules
from railbird.cards import HOLDEM, VARIANTS, format_cards
from railbird.game import Action, Phase, Rules, act, in_variant, legal, payoffs, seeded_deals, start
from railbird.game.rules import why_not_dealt
from railbird.histories import HandRecord, Skipped, WriteOptions, format_named
from railbird.histories.format import ReadOptions
from railbird.histories.variant_hands import cards_of_row, without_unknown

PHH = format_named("phh")
PLAYED = [
    name
    for name, variant in VARIANTS.items()
    if variant is not HOLDEM and why_not_dealt(variant) is None
]
OPEN = ReadOptions(variants=True)

# the form of PHH's own example of pot-limit Omaha: straddles are listed, cents are decimals
EXAMPLE = """\
variant = 'PO'
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [100, 40.50, 200]
actions = [
  'd dh p1 Ah3s4c5d', 'd dh p2 ????????', 'd dh p3 KdKcQdQc',
  'p3 cbr 3.50', 'p1 f', 'p2 cbr 11', 'p3 cbr 33.50', 'p2 cbr 40.50', 'p3 cc',
  'd db 7s8sKh', 'p3 cc', 'd db 2c', 'd db 9d',
  'p2 sm AsAcTd9h', 'p3 sm KdKcQdQc',
]
"""


def played(rng: np.random.Generator, rules: Rules) -> HandRecord:
    row = seeded_deals(rng, rules.seats, 1, rules.variant)[0]
    state = start(rules, row)
    actions: list[Action] = []
    while state.phase is Phase.BETTING:
        actions.append(random_action(rng, legal(state)))
        state = act(state, actions[-1], row)
    cards, (board, *more) = cards_of_row(rules, row, state.street, actions)
    return HandRecord(
        rules=rules,
        players=tuple(f"player {seat}" for seat in range(rules.seats)),
        holes=(None,) * rules.seats,
        board=board,
        more_boards=tuple(more),
        cards=cards,
        actions=tuple(actions),
        payoffs=payoffs(without_unknown(state)),
        number=1,
    )


def read(text: str, options: ReadOptions = OPEN) -> list[HandRecord | Skipped]:
    return list(PHH.read(io.StringIO(text), options))


def written(*records: HandRecord) -> str:
    assert PHH.write is not None
    pieces = list(PHH.write(records, WriteOptions()))
    assert all(isinstance(piece, str) for piece in pieces), pieces
    return "".join(map(str, pieces))


@pytest.mark.parametrize("name", PLAYED)
def test_random_hands_come_back(name: str) -> None:
    rng = np.random.default_rng([PLAYED.index(name), 3])
    variant = VARIANTS[name]
    for _ in range(25):
        rules = random_rules(rng, most_seats=min(8, variant.most_players), raked=True)
        record = played(rng, in_variant(rules, variant))
        (back,) = read(written(record))
        assert back == record


def test_unknown_cards_stay_unknown() -> None:
    rng = np.random.default_rng(8)
    rules = in_variant(random_rules(rng, most_seats=4), VARIANTS["omaha-hilo"])
    for _ in range(20):
        record = played(rng, rules)
        hidden = ((None,) * 4, *record.cards[1:])
        (back,) = read(written(replace(record, cards=hidden)))
        assert isinstance(back, HandRecord)
        assert back.cards == hidden
        assert back.payoffs == record.payoffs


def test_what_stands_beside_the_play_comes_back() -> None:
    rules = in_variant(random_rules(np.random.default_rng(2), most_seats=2), VARIANTS["omaha"])
    record = replace(
        played(np.random.default_rng(8), rules),
        house=(Fraction(5), Fraction(-1, 2)),
        shown_by_choice=(True, None),
        table="7",
        comment="a note",
    )
    (back,) = read(written(record))
    assert isinstance(back, HandRecord)
    assert (back, back.shown_by_choice) == (record, record.shown_by_choice)


def test_an_example_in_decimals_with_cards_shown_later() -> None:
    (hand,) = read(EXAMPLE)
    assert isinstance(hand, HandRecord)
    assert hand.denomination == Fraction(1, 100)
    assert format_cards(card for card in hand.cards[1] if card is not None) == "AsAcTd9h"
    assert list(map(int, hand.payoffs)) == [-50, -4050, 4100]
    (skipped,) = read(EXAMPLE, ReadOptions())
    assert isinstance(skipped, Skipped)
    assert skipped.detail == "variant 'PO'; allowed: FT, NT, PT"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Ah3s4c5d", "Ah3s4c5d6d", "5 cards in omaha; allowed: 4"),
        ("Ah3s4c5d", "Ah3s4cKd", "comes twice"),
        ("Ah3s4c5d", "Ah3s4c5", "'5'"),
        ("d dh p1", "d dh p9", "player 'p9'"),
        ("p1 f", "p2 f", "seat 0 is to act"),
        ("cbr 11'", "cbr 900'", "cannot raise to"),
        ("cbr 11'", "cbr x'", "amount"),
        (", 'd db 9d'", "", "4 cards on the board are not enough"),
        ("7s8sKh", "7s8s", "4 cards on the board are not enough"),
        ("AsAcTd9h", "AsAcTd", "other cards"),
        ("'PO'", "'PB'", "cannot be played"),
        ("'PO'", "'ZZ'", "variant 'ZZ'"),
        ("'PO'", "'NS'", "4 cards in short-deck; allowed: 2"),
        ("[100, 40.50, 200]", "[100, 40.50]", "stacks"),
        ("'p2 cbr 40.50', 'p3 cc',", "", "is to act"),
        ("antes =", "finishing_stacks = [1, 2, 3]\nantes =", "the log pays"),
        ("'p1 f'", "'p1 stands'", "action"),
    ],
    ids=range(17),
)
def test_bad_hands_are_skipped_with_a_reason(old: str, new: str, words: str) -> None:
    assert old in EXAMPLE
    (skipped,) = read(EXAMPLE.replace(old, new, 1))
    assert isinstance(skipped, Skipped), skipped
    assert words in skipped.detail
