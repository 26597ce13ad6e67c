"""PHH of other games than hold'em: written and read back, others' hands, and bad ones."""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from helpers.random_hands import random_action, random_discard, random_rules
from railbird.cards import HOLDEM, VARIANTS, format_cards
from railbird.game import (
    Action,
    Discard,
    Phase,
    Rules,
    act,
    in_variant,
    legal,
    payoffs,
    seeded_deals,
    start,
)
from railbird.histories import HandRecord, Skipped, WriteOptions, format_named
from railbird.histories.format import ReadOptions
from railbird.histories.variant_hands import cards_of_row, without_unknown

PHH = format_named("phh")
PLAYED = [name for name, variant in VARIANTS.items() if variant is not HOLDEM]
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
    while state.actor is not None:
        draws = state.phase is Phase.DRAW
        actions.append(random_discard(rng, state) if draws else random_action(rng, legal(state)))
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
    (skipped,) = read(EXAMPLE.replace("'PO'", "'PX'"))
    assert isinstance(skipped, Skipped)
    assert skipped.detail.startswith("variant 'PX'; allowed: F, N or P before one of T, T2, S, ")


# the format's own example of a draw game: Arieh against Yockey, 2019 (Kim 2023, figure 3)
DRAW_EXAMPLE = """\
variant = "F2L3D"
antes = [0, 0, 0, 0]
blinds_or_straddles = [75000, 150000, 0, 0]
small_bet = 150000
big_bet = 300000
starting_stacks = [1180000, 4340000, 5910000, 10765000]
actions = [
  "d dh p1 7h6c4c3d2c", "d dh p2 ??????????", "d dh p3 ??????????", "d dh p4 AsQs6s5c3c",
  "p3 f", "p4 cbr 300000", "p1 cbr 450000", "p2 f", "p4 cc",
  "p1 sd", "p4 sd AsQs", "d dh p4 2hQh", "p1 cbr 150000", "p4 cc",
  "p1 sd", "p4 sd Qh", "d dh p4 4d", "p1 cbr 300000", "p4 cc",
  "p1 sd", "p4 sd 6s", "d dh p4 7c", "p1 cbr 280000", "p4 cc",
  "p1 sm 7h6c4c3d2c", "p4 sm 2h4d7c5c3c",
]
"""


def test_the_example_of_a_draw_game() -> None:
    (hand,) = read(DRAW_EXAMPLE)
    assert isinstance(hand, HandRecord)
    assert list(map(int, hand.payoffs)) == [-1180000, -150000, 0, 1330000]
    thrown = [action for action in hand.actions if isinstance(action, Discard)]
    assert [len(action.cards) for action in thrown] == [0, 2, 0, 1, 0, 1]
    assert format_cards(card for card in hand.cards[3] if card is not None) == "AsQs6s5c3c2hQh4d7c"
    (back,) = read(written(hand))
    assert back == hand


def test_cards_drawn_unseen_and_shown_at_the_end() -> None:
    """Nobody knows when they were dealt: they stand last."""
    hidden = DRAW_EXAMPLE
    for text in ("AsQs6s5c3c", "AsQs", "2hQh", "Qh", "4d", "6s", "7c"):
        hidden = hidden.replace(f' {text}"', f' {"??" * (len(text) // 2)}"', 1)
    (hand,) = read(hidden)
    assert isinstance(hand, HandRecord)
    assert hand.cards[3][:4] == (None,) * 4
    assert format_cards(card for card in hand.cards[3] if card is not None) == "2h4d7c5c3c"
    assert int(hand.payoffs[3]) == 1330000
    (back,) = read(written(hand))
    assert back == hand


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("p4 sd AsQs", "p4 sd AsQd", "cannot throw away AsQd: it does not hold these cards"),
        ("p4 sd AsQs", "p1 sd", "seat 3 is to act"),
        ('"p4 sd AsQs"', '"p4 cbr 300000"', "seat 3 exchanges cards now: up to 5"),
        ("d dh p4 2hQh", "d dh p4 2hAs", "comes twice"),
        ("p4 sd Qh", "p4 sd Q", "'Q'"),
        ("p4 sm 2h4d7c5c3c", "p4 sm 2h4d7c5c3d", "other cards"),
    ],
)
def test_bad_draws_are_skipped_with_a_reason(old: str, new: str, words: str) -> None:
    assert old in DRAW_EXAMPLE
    text = DRAW_EXAMPLE if "sm" in old else DRAW_EXAMPLE.replace('"p4 sm 2h4d7c5c3c",', "")
    (skipped,) = read(text.replace(old, new, 1))
    assert isinstance(skipped, Skipped), skipped
    assert words in skipped.detail


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
        ("'PO'", "'PI'", "seat 1 is to act"),  # Irish, in which nobody threw cards away
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
