"""Irish as Full Tilt wrote it: after the flop everybody throws away two of four cards.

The texts are ours, in the form of the site's; only the hero's cards that go are named there.
"""

from __future__ import annotations

import io
from fractions import Fraction
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from railbird.cards import parse_cards
from railbird.game import Betting, Discard
from railbird.histories import HandRecord, ReadOptions, Skipped, read
from railbird.histories.registry import format_named

SHOWN = """\
Full Tilt Poker Game #900000001: Table Alder (6 max) - $1/$2 - Pot Limit Irish - \
20:15:30 ET - 2012/11/05
Seat 1: Ann ($200)
Seat 2: Bob ($40)
Seat 5: Cid ($150.50)
Bob posts the small blind of $1
Cid posts the big blind of $2
The button is in seat #1
*** HOLE CARDS ***
Dealt to Cid [Ac 9d Kd 9c]
Ann raises to $7
Bob calls $6
Cid calls $5
*** FLOP *** [9s 8h 2h] (Total Pot: $21, 3 Players)
Bob bets $21
Cid raises to $60
Ann has 15 seconds left to act
Ann calls $60
Bob calls $12, and is all in
*** DISCARD ROUND *** (Total Pot: $174, 3 Players)
Bob discards
Cid discards [Ac Kd]
Ann discards
*** TURN *** [9s 8h 2h] [4c] (Total Pot: $174, 3 Players)
Cid checks
Ann checks
*** RIVER *** [9s 8h 2h 4c] [Th] (Total Pot: $174, 3 Players)
Cid bets $50
Ann calls $50
*** SHOW DOWN ***
Cid shows [9d 9c] three of a kind, Nines
Ann shows [Qh Jh] a flush, Queen high
Ann wins the side pot ($153) with a flush, Queen high
Bob shows [Ah 3h] a flush, Ace high
Bob wins the main pot ($119) with a flush, Ace high
*** SUMMARY ***
Total pot $274 Main pot $120. Side pot $154. | Rake $2
Board: [9s 8h 2h 4c Th]
Seat 1: Ann (button) showed [Qh Jh] and won ($153) with a flush, Queen high
Seat 2: Bob (small blind) showed [Ah 3h] and won ($119) with a flush, Ace high
Seat 5: Cid (big blind) showed [9d 9c] and lost with three of a kind, Nines
"""
"""Two pots, and somebody all-in who throws away, too."""
FOLDED = """\
Full Tilt Poker Game #900000002: Table Alder (6 max) - $1/$2 - No Limit Irish - \
20:17:02 ET - 2012/11/05
Seat 1: Ann ($200)
Seat 2: Bob ($40)
Bob posts the small blind of $1
Ann posts the big blind of $2
The button is in seat #2
*** HOLE CARDS ***
Dealt to Bob [5h 5s 6d Kc]
Bob calls $1
Ann checks
*** FLOP *** [Qh 7c Jd] (Total Pot: $4, 2 Players)
Ann checks
Bob checks
*** DISCARD ROUND *** (Total Pot: $4, 2 Players)
Ann discards
Bob discards [6d Kc]
*** TURN *** [Qh 7c Jd] [2s] (Total Pot: $4, 2 Players)
Ann bets $4
Bob folds
Uncalled bet of $4 returned to Ann
Ann mucks
Ann wins the pot ($4)
*** SUMMARY ***
Total pot $4 | Rake $0
Board: [Qh 7c Jd 2s]
Seat 1: Ann (big blind) collected ($4), mucked
Seat 2: Bob (small blind) folded on the Turn
"""


def item(text: str) -> HandRecord | Skipped:
    options = ReadOptions(variants=True)
    (hand,) = format_named("full-tilt").read(io.StringIO(text), options)
    return hand


def test_a_hand_with_a_side_pot_and_a_showdown() -> None:
    hand = item(SHOWN)
    assert isinstance(hand, HandRecord), hand
    assert (hand.rules.variant.name, hand.rules.betting) == ("irish", Betting.POT_LIMIT)
    won = dict(zip(hand.players, hand.payoffs, strict=True))
    assert {name: chips * hand.denomination for name, chips in won.items()} == {
        "Ann": 36,
        "Bob": 79,
        "Cid": -117,
    }
    assert hand.rake * hand.denomination == 2
    own = dict(zip(hand.players, hand.cards, strict=True))
    assert set(own["Cid"]) == {*parse_cards("Ac9dKd9c")}
    assert [card for card in own["Ann"] if card is not None] == [*parse_cards("QhJh")]
    assert len(own["Ann"]) == len(own["Bob"]) == 4, "the two that went are unknown"
    thrown = [action.cards for action in hand.actions if isinstance(action, Discard)]
    assert thrown == [(None, None), parse_cards("AcKd"), (None, None)]


def test_a_hand_that_ends_after_the_discards() -> None:
    hand = item(FOLDED)
    assert isinstance(hand, HandRecord), hand
    assert hand.rules.betting is Betting.NO_LIMIT
    won = dict(zip(hand.players, hand.payoffs, strict=True))
    assert {name: chips * hand.denomination for name, chips in won.items()} == {
        "Ann": Fraction(2),
        "Bob": Fraction(-2),
    }
    assert sum(isinstance(action, Discard) for action in hand.actions) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("discards [Ac Kd]", "discards [Ac Kd 9c]"),
        ("discards [Ac Kd]", "discards [Ac]"),
        ("discards [Ac Kd]", "discards [Ac Qd]"),
        ("discards [Ac Kd]", "discards [Ac Ac]"),
        ("discards [Ac Kd]", "discards [9d 9c]"),
        ("Ann discards\n", ""),
        ("Bob discards\n", "Bob discards\nBob discards\n"),
        ("[Ac 9d Kd 9c]", "[Ac 9d Kd 9c 4d]"),
        ("shows [Qh Jh]", "shows [Qh 9s]"),
        ("Ann wins the side pot ($153)", "Ann wins the side pot ($151)"),
        ("Pot Limit Irish", "Pot Limit Irish Omaha"),
    ],
)
def test_a_hand_that_does_not_fit_the_rules_is_refused_by_name(old: str, new: str) -> None:
    assert SHOWN.count(old) >= 1
    hand = item(SHOWN.replace(old, new, 1))
    assert isinstance(hand, Skipped), hand
    assert hand.reason.value
    assert "\n" not in hand.detail


def test_verbs_read_a_file_of_the_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, copy = tmp_path / "irish.txt", tmp_path / "irish.phhs"
    log.write_text(f"{SHOWN}\n\n\n{FOLDED}")
    assert call(capsys, "convert", str(log), str(copy))[0] == 0
    both = [[*read(path, variants=True)] for path in (log, copy)]
    for hand, again in zip(*both, strict=True):
        assert isinstance(hand, HandRecord)
        assert isinstance(again, HandRecord)
        assert (again.actions, again.payoffs) == (hand.actions, hand.payoffs)
    told = call_json(capsys, "assess", str(log), "--player", "Ann")
    assert told["game"] == "irish"
    assert told["evidence"]["verdict_by"] == "money"
