"""Luck of other games than hold'em: means of zero, all-ins at their equity, what is left out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from railbird import arena
from railbird.arena.ring import RingTable
from railbird.assessment import OtherGameAssessment, assess_other_game, hand_luck
from railbird.cards import DECK, VARIANTS, Card, parse_cards
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Call,
    Discard,
    Fold,
    Raise,
    in_variant,
    limit_holdem,
    no_limit_holdem,
)
from railbird.histories import HandRecord
from railbird.odds import variant_equity
from railbird.units import Chips

CALLED = (Call(),) * 8


def record(
    name: str, cards: list[str], boards: list[str], actions: tuple[Action, ...] = CALLED
) -> HandRecord:
    """Return a hand with these cards; its payoffs are of no matter here."""
    holdem = no_limit_holdem(len(cards), blinds=(1, 2), stack=40)
    first, *more = map(parse_cards, boards)
    return HandRecord(
        rules=in_variant(holdem, VARIANTS[name]),
        players=tuple(f"p{seat}" for seat in range(len(cards))),
        holes=(None,) * len(cards),
        board=first,
        actions=actions,
        payoffs=(Fraction(0),) * len(cards),
        cards=tuple(map(parse_cards, cards)),
        more_boards=tuple(more),
    )


def played(name: str, *players: str, deals: int, seed: int = 0) -> list[HandRecord]:
    rules = in_variant(HEADS_UP_LIMIT, VARIANTS[name])
    return list(arena.hands(arena.Match(players=players, rules=rules, deals=deals, seed=seed)))


HANDS = {
    "omaha": (["AsAhKs2c", "QdJd9h8h"], ["Td9s3c2d"]),
    "omaha-hilo": (["As2sKdQd", "JhJcTh9c"], ["3s4s8hTd"]),
    "double-board-holdem": (["AsAh", "QdJd"], ["Td9s3c2d", "Kd4d5s8c"]),
    "short-deck": (["AsAh", "QdJd"], ["Td9s7c6d"]),
}


@pytest.mark.parametrize("name", ["omaha", "omaha-hilo", "short-deck"])
def test_the_luck_of_the_river_is_zero_over_all_rivers(name: str) -> None:
    cards, (board,) = HANDS[name]
    seen = set(parse_cards("".join(cards) + board))
    rivers = [card for card in VARIANTS[name].deck if card not in seen]
    base = record(name, cards, [board])
    total, largest = np.zeros(2), 0.0
    for river in rivers:
        luck = hand_luck(replace(base, board=(*base.board, river)), deals=100)
        assert luck.by_street.sum(axis=0) == pytest.approx(0, abs=1e-9)
        total += luck.by_street[:, 3]
        largest = max(largest, luck.by_street[0, 3])
    assert total == pytest.approx(0, abs=1e-9)
    assert largest > 0


def test_the_luck_of_two_boards_is_zero_over_all_rivers() -> None:
    cards, boards = HANDS["double-board-holdem"]
    seen = set(parse_cards("".join([*cards, *boards])))
    rivers = [Card(card) for card in range(52) if card not in seen]
    base = record("double-board-holdem", cards, boards)
    total = np.zeros(2)
    for first in rivers:
        for second in rivers:
            if first != second:
                hand = replace(
                    base,
                    board=(*base.board, first),
                    more_boards=((*base.more_boards[0], second),),
                )
                total += hand_luck(hand, deals=50).by_street[:, 3]
    assert total == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("name", ["stud", "stud-hilo", "razz"])
def test_the_luck_of_seventh_street_is_zero_over_all_last_cards(name: str) -> None:
    small = replace(VARIANTS[name], name=f"{name} with 20 cards", deck=DECK[:20])
    rules = replace(in_variant(limit_holdem(2), VARIANTS[name]), variant=small)
    own = [parse_cards("2c2d3c3d5h6c"), parse_cards("4c4d5c6h2h3h")]
    base = replace(record("omaha", *HANDS["omaha"]), rules=rules, board=(), actions=(Call(),) * 10)
    total, largest = np.zeros(2), 0.0
    for last in permutations(sorted(set(small.deck) - {*own[0], *own[1]}), 2):
        cards = tuple((*cards, card) for cards, card in zip(own, last, strict=True))
        luck = hand_luck(replace(base, cards=cards), deals=100)
        assert luck.by_street.sum(axis=0) == pytest.approx(0, abs=1e-9)
        total += luck.by_street[:, 4]
        largest = max(largest, luck.by_street[0, 4])
    assert total == pytest.approx(0, abs=1e-9)
    assert largest > 0


@pytest.mark.parametrize("street", [1, 2, 3])
def test_the_luck_of_irish_is_zero_over_all_cards_of_a_street(street: int) -> None:
    """Of sixteen cards, whatever the players throw away after the flop."""
    small = replace(VARIANTS["irish"], name="irish with 16 cards", deck=DECK[:16])
    rules = replace(in_variant(limit_holdem(2), VARIANTS["irish"]), variant=small)
    own = (parse_cards("2c2d3s5h"), parse_cards("4c4d3h5c"))
    thrown = (Discard(parse_cards("3s5h")), Discard(parse_cards("3h5c")))
    actions: tuple[Action, ...] = (*CALLED[:4], *thrown, *CALLED[:4])
    base = replace(record("omaha", *HANDS["omaha"]), rules=rules, cards=own, actions=actions)
    left = parse_cards("3c5d2h5s4h4s3d2s")
    size, before = small.board_sizes[street], small.board_sizes[street - 1]
    total, largest = np.zeros(2), 0.0
    for dealt in combinations(left[before:], size - before):
        board = (*left[:before], *dealt)
        board += tuple(card for card in left if card not in board)[: 5 - size]
        luck = hand_luck(replace(base, board=board), deals=100)
        assert luck.by_street.sum(axis=0) == pytest.approx(0, abs=1e-9)
        total += luck.by_street[:, street]
        largest = max(largest, luck.by_street[0, street])
    assert total == pytest.approx(0, abs=1e-9)
    assert largest > 0


def test_no_luck_is_in_the_two_cards_that_go_in_irish() -> None:
    """Who keeps the worse two has lost by a decision, whatever comes on the turn."""
    hands, flop = (parse_cards("AsAh7c2d"), parse_cards("KsKhQc8d")), parse_cards("AdKd3h")
    base = replace(
        record("omaha", *HANDS["omaha"]), rules=in_variant(limit_holdem(2), VARIANTS["irish"])
    )
    for kept in ("AsAh", "7c2d"):
        thrown = tuple(card for card in hands[0] if card not in parse_cards(kept))
        discards = (Discard(parse_cards("Qc8d")), Discard(thrown))
        actions = (*(Call(),) * 4, *discards, *(Call(),) * 4)
        left = [card for card in DECK if card not in {*hands[0], *hands[1], *flop}]
        luck = [
            hand_luck(
                replace(base, cards=hands[::-1], board=(*flop, turn, river), actions=actions)
            ).by_street[1]
            for turn, river in zip(left, left[1:] + left[:1], strict=True)
        ]
        assert np.mean(luck, axis=0)[2] == pytest.approx(0, abs=1e-9)
        assert np.ptp([of_hand[:2] for of_hand in luck], axis=0) == pytest.approx(0, abs=1e-9)


def test_eight_at_a_table_of_stud_have_no_luck_that_the_deck_could_not_deal() -> None:
    ring = arena.Ring(
        players=("always-call",) * 8, hands=2, seed=1, buy_in=100, variant=VARIANTS["stud"]
    )
    _, hands = RingTable(ring).play(0)
    for hand in hands:
        assert len(hand.board) == 1  # the last card of all
        assert {len(cards) for cards in hand.cards} == {6}
        luck = hand_luck(hand, deals=20)
        assert not luck.by_street.any()


def test_the_luck_of_a_draw_is_zero_over_all_that_may_be_dealt() -> None:
    """Of two hands one throws a card away, for which there are six cards in a short deck."""
    small = replace(VARIANTS["27-single"], name="27-single with 16 cards", deck=DECK[:16])
    rules = replace(in_variant(limit_holdem(2), VARIANTS["27-single"]), variant=small)
    own = [parse_cards("2c2d3c4c5c"), parse_cards("2h3d3h4d5d")]
    thrown = Discard(parse_cards("2d"))
    actions = (Call(), Call(), thrown, Discard(()), Call(), Call())
    base = replace(record("omaha", *HANDS["omaha"]), rules=rules, board=(), actions=actions)
    luck = []
    for card in sorted(set(small.deck) - {*own[0], *own[1]}):
        hand = replace(base, cards=((*own[0], card), own[1]))
        by_street = hand_luck(hand, deals=20_000).by_street
        assert by_street.sum(axis=0) == pytest.approx(0, abs=1e-9)
        luck.append(by_street[:, 1])
    assert np.mean(luck, axis=0) == pytest.approx(0, abs=0.4)  # of a pot of 20
    assert np.max(luck) > 5


def test_no_luck_is_in_what_a_player_throws_away() -> None:
    """Who throws away a made hand has lost by a decision, whatever is dealt for it."""
    hands = ["2c3c4c5c7d", "2d3d4d6sKs"]
    rules = in_variant(limit_holdem(2), VARIANTS["27-single"])
    luck = []
    for thrown in ((), parse_cards("2c3c4c5c7d")):
        for deal in ("8h9hThJhAh", "2h3h4h7h8s", "6h7hThJhQh", "KhKcKdAcAd"):
            cards = (hands[0] + deal * bool(thrown), hands[1])
            hand = record("omaha", *HANDS["omaha"])
            actions = (Call(), Call(), Discard(thrown), Discard(()), Call(), Call())
            own = tuple(map(parse_cards, cards))
            hand = replace(hand, rules=rules, board=(), cards=own, actions=actions)
            luck.append(hand_luck(hand, deals=2000).by_street[0, 1])
    assert luck[:4] == pytest.approx([0, 0, 0, 0], abs=1e-9)  # both pat: nothing is dealt
    assert min(luck[4:]) < 0 < max(luck[4:])


def test_the_luck_before_the_flop_is_the_equity_of_the_cards() -> None:
    cards = ["AsAhKsKh", "QdQcJdJc"]
    luck = hand_luck(record("omaha", cards, [""], (Raise(Chips(4)), Fold())), deals=20_000)
    equity = [player.equity for player in variant_equity("omaha", cards).players]
    assert luck.by_street[:, 0] == pytest.approx(4 * (np.array(equity) - 0.5), abs=0.03)
    assert not luck.by_street[:, 1:].any()


def test_an_all_in_counts_by_its_equity() -> None:
    """Three players with a side pot: less the luck after it, the result is the mean one."""
    cards = ["AsAhKsKh", "QdQcJdJc", "9s8s7d6d"]
    flop, rest = "Ts5c2h", "3d9h"
    actions = (Call(), Call(), Call(), Raise(Chips(38)), Call(), Call())
    hand = record("omaha", cards, [flop + rest], actions)
    short = replace(hand, rules=replace(hand.rules, stacks=(Chips(40), Chips(20), Chips(40))))
    luck = hand_luck(short)
    main = variant_equity("omaha", cards, [flop])
    side = variant_equity("omaha", [cards[0], cards[2]], [flop], dead=cards[1])
    final = variant_equity("omaha", cards, [flop + rest])
    final_side = variant_equity("omaha", [cards[0], cards[2]], [flop + rest], dead=cards[1])
    for seat in range(3):
        expected = 60 * (final.players[seat].equity - main.players[seat].equity)
        if seat != 1:
            place = [0, 2].index(seat)
            expected += 40 * (final_side.players[place].equity - side.players[place].equity)
        assert luck.all_in[seat] == pytest.approx(expected, abs=1e-9)
    assert luck.by_street[:, 2:].sum(axis=1) == pytest.approx(luck.all_in, abs=1e-9)


def test_random_cards_depend_on_the_number_alone() -> None:
    hand = record("omaha", *HANDS["omaha"], (Call(),) * 4 + (Raise(Chips(2)), Fold()))
    first, again, other = (hand_luck(hand, number=number, deals=900) for number in (5, 5, 6))
    assert np.array_equal(first.by_street, again.by_street)
    assert not np.array_equal(first.by_street[:, :2], other.by_street[:, :2])
    assert np.array_equal(first.by_street[:, 2:], other.by_street[:, 2:])  # all are counted


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        (record("omaha", ["AsAhKs", "QdQcJdJc"], [""], (Fold(),)), "a card unknown"),
        (replace(record("omaha", ["", ""], [""]), rules=HEADS_UP_LIMIT), "hand of hold'em"),
    ],
)
def test_hands_without_an_answer_are_refused(hand: HandRecord, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        hand_luck(hand)


def test_numbers_of_hands_may_be_any() -> None:
    hand = record("omaha", *HANDS["omaha"], (Call(),) * 4 + (Raise(Chips(2)), Fold()))
    for number in (-1, 10**30):
        hand_luck(hand, number=number, seed=number, deals=3)
    with pytest.raises(BadInput, match="0 deals"):
        hand_luck(hand, deals=0)


def test_fitted_takes_luck_out_of_a_match() -> None:
    result = assess_other_game(played("omaha-hilo", "always-call", "random", deals=200), deals=100)
    assert result.players == ("random", "always-call") or result.players[0] == "always-call"
    assert (result.hands, result.known, result.headline) == (200, 200, "fitted")
    assert result.variance_reduction["fitted"] > 1.3
    for of_player in result.estimates.values():
        assert list(of_player) == ["money", "allin", "fitted"]
    first, second = result.players
    for name in ("money", "allin", "fitted"):
        assert result.estimates[first][name].value == pytest.approx(
            -result.estimates[second][name].value
        )


def test_what_is_hidden_given_twice_or_of_another_game_is_counted() -> None:
    hands = played("omaha", "always-call", "random", deals=30)
    hidden = replace(hands[3], number=99, cards=(hands[3].cards[0], (None,) * 4))
    others = played("omaha5", "always-call", "random", deals=2)
    result = assess_other_game([*hands, hidden, *hands[:4], *others])
    assert result.skipped == {"given twice": 4, "another game": 2}
    assert (result.hands, result.known, result.headline) == (31, 30, "money")
    assert result.variance_reduction == {}
    assert all(list(of_player) == ["money"] for of_player in result.estimates.values())
    assert result.as_json()["evidence"]["reason"] == "some cards of 1 of 31 hands are not known"
    assert result.to_polars()["allin"].null_count() == 2


def test_a_log_without_a_hand_is_an_answer_too() -> None:
    result = assess_other_game([])
    assert (result.hands, result.players, result.estimates) == (0, (), {})


@pytest.mark.slow
@pytest.mark.parametrize("forward", [False, True])
@pytest.mark.parametrize(
    "name",
    [
        *("omaha", "omaha-hilo", "double-board-omaha", "courchevel", "irish"),
        *("stud", "stud-hilo", "razz"),
        *("five-card-draw", "27-single", "27-triple", "a5-triple", "badugi"),
    ],
)
def test_self_play_is_even(name: str, forward: bool) -> None:
    """Estimates of twenty matches of a player against itself, of few random cards each."""
    results: list[OtherGameAssessment] = [
        assess_other_game(
            played(name, "a=random", "b=random", deals=150, seed=seed), forward=forward, deals=20
        )
        for seed in range(20)
    ]
    for estimator in ("money", "allin", "fitted"):
        means = [result.estimates["a"][estimator] for result in results]
        z = sum(mean.value for mean in means) / sum(mean.stderr**2 for mean in means) ** 0.5
        assert abs(z) < 3, estimator
