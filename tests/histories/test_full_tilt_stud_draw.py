"""Stud, draw and capped Omaha as Full Tilt wrote them; the texts are ours, in the site's form."""

from __future__ import annotations

import io
from fractions import Fraction

import pytest

from railbird.cards import format_cards
from railbird.game import Betting, Discard
from railbird.histories import HandRecord, ReadOptions, Skipped
from railbird.histories.registry import format_named

STUD = """\
Full Tilt Poker Game #900000011: Table Alder - $2/$4 Ante $0.40 - Limit Stud H/L - \
13:19:27 ET - 2010/06/10
Seat 1: Ann ($26)
Seat 3: Bob ($105.20)
Seat 6: Cid Low ($4.40)
Ann antes $0.40
Bob antes $0.40
Cid Low antes $0.40
*** 3RD STREET ***
Dealt to Ann [Qs]
Dealt to Bob [Ah 3s] [5c]
Dealt to Cid Low [2d]
Cid Low is low with [2d]
Cid Low brings in for $0.50
Ann folds
Bob completes it to $2
Cid Low calls $1.50
*** 4TH STREET ***
Dealt to Bob [Ah 3s 5c] [4s]
Dealt to Cid Low [2d] [Kh]
Cid Low has 15 seconds left to act
Cid Low bets $2, and is all in
Bob calls $2
*** 5TH STREET *** (Total Pot: $9.20, 2 Players, 1 All-In)
Dealt to Bob [Ah 3s 5c 4s] [Kc]
Dealt to Cid Low [2d Kh] [Kd]
*** 6TH STREET *** (Total Pot: $9.20, 2 Players, 1 All-In)
Dealt to Bob [Ah 3s 5c 4s Kc] [7d]
Dealt to Cid Low [2d Kh Kd] [9d]
*** 7TH STREET *** (Total Pot: $9.20, 2 Players, 1 All-In)
Dealt to Bob [Ah 3s 5c 4s Kc 7d] [Td]
*** SHOW DOWN ***
Bob shows [Ah 3s 5c 4s Kc 7d Td] Ace King high, for high and 7,5,4,3,A, for low
Cid Low shows [7h 8h 2d Kh Kd 9d 7s] two pair, Kings and Sevens, for high
Cid Low wins the high pot ($4.60) with two pair, Kings and Sevens
Bob wins the low pot ($4.60) with 7,5,4,3,A
*** SUMMARY ***
Total pot $9.20 | Rake $0
Seat 1: Ann folded on 3rd St.
Seat 3: Bob showed [Ah 3s 5c 4s Kc 7d Td] and won ($4.60) with HI:Ace King high; LO: 7,5,4,3,A
Seat 6: Cid Low showed [7h 8h 2d Kh Kd 9d 7s] and won ($4.60) with two pair, Kings and Sevens
"""
DRAW = """\
Full Tilt Poker Game #900000012: Table Alder (6 max) - $4/$8 - Limit A-5 Triple Draw - \
22:28:00 ET - 2011/04/10
Seat 2: Ann ($100)
Seat 3: Bob ($50)
Ann posts the small blind of $2
Bob posts the big blind of $4
The button is in seat #2
*** HOLE CARDS ***
Dealt to Ann [As 2h Tc 8h 5c]
Ann calls $2
Bob checks
*** FIRST DRAW *** (Total Pot: $8, 2 Players)
Bob discards 3 cards
Ann discards 2 cards [Tc 8h]
Bob is dealt 3 cards
Dealt to Ann [As 2h 5c] [Jd 4s]
Bob checks
Ann bets $4
Bob calls $4
*** SECOND DRAW *** (Total Pot: $16, 2 Players)
Bob discards 1 card
Ann discards 1 card [Jd]
Bob is dealt 1 card
Dealt to Ann [As 2h 5c 4s] [6d]
Bob checks
Ann checks
*** THIRD DRAW *** (Total Pot: $16, 2 Players)
Bob stands pat
Ann stands pat on [As 2h 5c 4s 6d]
Bob bets $8
Ann calls $8
*** SHOW DOWN ***
Bob shows [7c 6s 4d 3h 2s] 7,6,4,3,2
Ann shows [As 2h 5c 4s 6d] 6,5,4,2,A
Ann wins the pot ($30.50) with 6,5,4,2,A
*** SUMMARY ***
Total pot $32 | Rake $1.50
Seat 2: Ann (small blind) showed [As 2h 5c 4s 6d] and won ($30.50) with 6,5,4,2,A
Seat 3: Bob (big blind) showed [7c 6s 4d 3h 2s] and lost with 7,6,4,3,2
"""
CAPPED = """\
Full Tilt Poker Game #900000013: Table Alder (6 max) - $5/$10 - $400 Pot Limit Omaha Hi - \
15:35:09 ET - 2010/10/02
Seat 1: Ann ($400)
Seat 2: Bob ($2,848.70)
Ann posts the small blind of $5
Bob posts the big blind of $10
The button is in seat #1
*** HOLE CARDS ***
Dealt to Ann [9h 2h 5d Tc]
Ann folds
Uncalled bet of $5 returned to Bob
Bob mucks
Bob wins the pot ($10)
*** SUMMARY ***
Total pot $10 | Rake $0
Seat 1: Ann (small blind) folded before the Flop
Seat 2: Bob (big blind) collected ($10), mucked
"""


def item(text: str) -> HandRecord | Skipped:
    options = ReadOptions(variants=True)
    (hand,) = format_named("full-tilt").read(io.StringIO(text), options)
    return hand


def winnings(hand: HandRecord | Skipped) -> dict[str, Fraction]:
    assert isinstance(hand, HandRecord), hand
    won = zip(hand.players, hand.payoffs, strict=True)
    return {name: chips * hand.denomination for name, chips in won}


def test_stud_hi_lo_with_a_bring_in_and_two_halves() -> None:
    hand = item(STUD)
    assert winnings(hand) == {
        "Ann": Fraction("-0.4"),
        "Bob": Fraction("0.2"),
        "Cid Low": Fraction("0.2"),
    }
    assert isinstance(hand, HandRecord)
    assert hand.rules.variant.name == "stud-hilo"
    assert hand.rules.bring_in * hand.denomination == Fraction("0.5")
    own = dict(zip(hand.players, hand.cards, strict=True))
    assert format_cards(card for card in own["Bob"] if card is not None) == "Ah3s5c4sKc7dTd"


def test_triple_draw_with_the_heros_cards_by_name() -> None:
    hand = item(DRAW)
    assert winnings(hand) == {"Bob": Fraction(-16), "Ann": Fraction("14.5")}
    assert isinstance(hand, HandRecord)
    assert (hand.rules.variant.name, hand.rules.betting) == ("a5-triple", Betting.LIMIT)
    thrown = [action.cards for action in hand.actions if isinstance(action, Discard)]
    assert [len(cards) for cards in thrown] == [3, 2, 1, 1, 0, 0]
    assert [
        format_cards(card for card in cards if card is not None) for cards in thrown[1:4:2]
    ] == ["Tc8h", "Jd"]


def test_a_cap_without_the_word_is_a_cap() -> None:
    hand = item(CAPPED)
    assert winnings(hand) == {"Ann": Fraction(-5), "Bob": Fraction(5)}
    assert isinstance(hand, HandRecord)
    assert hand.rules.variant.name == "omaha"
    assert [stack * hand.denomination for stack in hand.rules.stacks or ()] == [400, 400]


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (STUD, "Limit Stud H/L", "Pot Limit Stud H/L"),
        (STUD, "Limit Stud H/L", "Limit 5 Card Stud"),
        (STUD, "wins the low pot ($4.60)", "wins the low pot ($4.50)"),
        (STUD, "brings in for $0.50", "brings in for $2.50"),
        (DRAW, "discards 2 cards [Tc 8h]", "discards 2 cards [Tc 9h]"),
        (DRAW, "discards 2 cards [Tc 8h]", "discards 3 cards [Tc 8h]"),
        (DRAW, "Bob stands pat\n", ""),
        (DRAW, "Triple Draw", "Quadruple Draw"),
    ],
)
def test_a_hand_that_does_not_fit_the_rules_is_refused(text: str, old: str, new: str) -> None:
    assert text.count(old) == 1
    hand = item(text.replace(old, new))
    assert isinstance(hand, Skipped), hand
