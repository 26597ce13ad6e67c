"""Rules and shoes as text."""

from __future__ import annotations

from fractions import Fraction

import pytest

from railbird.blackjack import (
    Doubles,
    HoleCard,
    Rules,
    Soft17,
    Surrender,
    basic_strategy,
    full_shoe,
    hand_values,
    parse_ranks,
    parse_rules,
    parse_shoe,
    shoe_text,
)
from railbird.errors import BadInput


def test_the_defaults_are_the_source_s_rules() -> None:
    rules = Rules()
    assert (rules.decks, rules.soft_17, rules.hole_card) == (4, Soft17.HIT, HoleCard.PEEK)
    assert (rules.double_after_split, rules.resplits, rules.doubles) == (True, 0, Doubles.ANY)
    assert (rules.surrender, rules.payout) == (Surrender.NONE, Fraction(3, 2))


@pytest.mark.parametrize(
    "text",
    [
        "decks=inf,S17,enhc,nodas,resplit=3,rsa,hsa,es,bj=6:5,dbl=10-11,charlie=5",
        "decks=1,H17,peek,das,resplit=0,ls,bj=1:1,dbl=9-11",
        "decks=8,S17,peek,das,resplit=2,bj=7:5,dbl=any",
    ],
)
def test_rules_survive_being_written_and_read(text: str) -> None:
    assert parse_rules(text).text() == text
    assert parse_rules(parse_rules(text).text().upper()) == parse_rules(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("h18", "no rule 'h18'"),
        ("das,nodas", "das and nodas; allowed: one of them"),
        ("decks=2,decks=6", "decks=2 and decks=6"),
        ("decks=0", "decks=0; allowed: 1 or more"),
        ("decks=1001", "1001 decks; allowed: 1 to 1000"),
        ("decks=²", "allowed: a whole number"),
        ("bj=3:0", "allowed: odds such as 3:2"),
        ("bj=100:1", "allowed: more than 0, to 10:1"),
        ("dbl=8", "allowed: any, 9-11, 10-11"),
        ("resplit=9", "allowed: 0 to 8"),
        ("charlie=4", "allowed: 5 to 11"),
    ],
)
def test_bad_rules_are_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says) as refused:
        parse_rules(text)
    assert "\n" not in str(refused.value)


def test_cards_are_read_in_every_usual_way() -> None:
    for text in ("T,5,A", "10 5 A", "t5a", "Kd5sAh", "J-5-A"):
        assert parse_ranks(text) == (9, 4, 0)
    for text in ("", "1", "B", "4,", "4x", "A" * 22):
        with pytest.raises(BadInput):
            parse_ranks(text, least=2)


def test_shoes_are_read_by_rank_and_by_range() -> None:
    assert (parse_shoe("A-9:16,T:64") == full_shoe(Rules())).all()
    assert shoe_text(parse_shoe("T:3,2:1")) == "A:0,2:1,3:0,4:0,5:0,6:0,7:0,8:0,9:0,T:3"
    for text in ("", "T", "T:-1", "9-2:3", "2:1,2-3:4", "T:10000000", "X:2"):
        with pytest.raises(BadInput):
            parse_shoe(text)


def test_a_hand_that_the_shoe_lacks_is_refused() -> None:
    with pytest.raises(BadInput, match="too many cards 5; allowed: 1, as in the shoe"):
        hand_values((4, 4), 6, Rules(), shoe=parse_shoe("A-9:1,T:20"))
    with pytest.raises(BadInput, match="T,T,2: more than 21"):
        hand_values((9, 9, 1), 6, Rules())


def test_a_shoe_that_a_round_could_use_up_is_refused() -> None:
    for text in ("T:7", "A:20", "A:3,2-5:2,T:2"):
        with pytest.raises(BadInput, match="cards; allowed: enough for any round"):
            hand_values((9, 9), 9, Rules(), shoe=parse_shoe(text))
    assert hand_values((9, 9), 9, Rules(), shoe=parse_shoe("T:8")).stand == 0.0
    with pytest.raises(BadInput, match="enough for any round"):
        basic_strategy(Rules(), shoe=parse_shoe("T:4"))
    assert hand_values((9, 9), 9, Rules(decks=0), shoe=parse_shoe("T:1")).stand == 0.0


def test_values_after_a_peek_that_finds_a_blackjack_for_sure_are_refused() -> None:
    shoe = parse_shoe("A:1,T:20")
    with pytest.raises(BadInput, match="surely has a blackjack"):
        hand_values((9, 9), 0, Rules(), shoe=shoe)
    assert hand_values((9, 9), 0, Rules(hole_card=HoleCard.NONE), shoe=shoe).stand == -1.0
