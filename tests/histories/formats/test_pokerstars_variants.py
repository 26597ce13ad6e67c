"""PokerStars' texts of other years, of its archive and of other programs read as the plain ones."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from railbird.game import Call, Fold, Raise, Rules
from railbird.histories import HandRecord, Skipped, SkipReason, read, read_hand
from railbird.units import Chips

PLAIN = """\
PokerStars Game #12:  Hold'em No Limit ($1/$2 USD) - 2009/10/12 13:51:22 ET
Table 'Teucer II' 10-max Seat #3 is the button
Seat 1: Ann ($30 in chips)
Seat 2: Bo ($40 in chips)
Seat 3: Cy ($50 in chips)
Ann: posts small blind $1
Bo: posts big blind $2
*** HOLE CARDS ***
Dealt to Cy [Qh Th]
Cy: raises $4 to $6
Ann: calls $5
Bo: folds
*** FLOP *** [6d 9c Jd]
Ann: bets $10
Cy: raises $20 to $30
Ann: folds [Ah Ad]
Uncalled bet ($20) returned to Cy
Cy collected $32.60 from pot
Cy: doesn't show hand
*** SUMMARY ***
Total pot $34 | Rake $1.40
Board [6d 9c Jd]
Seat 1: Ann (small blind) folded on the Flop
Seat 2: Bo (big blind) folded before Flop
Seat 3: Cy (button) collected ($32.60)
"""

SHORT_BLIND = """\
PokerStars Game #48: Tournament #29, $1.00+$0.25 USD Hold'em No Limit - Level XVI (350/700) - \
2010/08/03 13:43:31 ET
Table '29 7' 9-max Seat #4 is the button
Seat 2: Ann (45871 in chips)
Seat 4: Bo (37301 in chips)
Seat 5: Cy (20279 in chips)
Seat 6: Di (715 in chips)
Ann: posts the ante 85
Bo: posts the ante 85
Cy: posts the ante 85
Di: posts the ante 85
Cy: posts small blind 350
Di: posts big blind 630 and is all-in
*** HOLE CARDS ***
Ann: raises 1470 to 2100
Bo: folds
Cy: calls 1750
Di: folds
*** FLOP *** [Td 5s 4c]
Cy: checks
Ann: bets 1000
Cy: folds
Uncalled bet (1000) returned to Ann
*** TURN *** [Td 5s 4c] [6d]
*** RIVER *** [Td 5s 4c 6d] [5c]
*** SHOW DOWN ***
Ann: shows [Ah Ad] (two pair, Aces and Fives)
Ann collected 2940 from side pot
Di: mucks hand
Ann collected 2230 from main pot
*** SUMMARY ***
Total pot 5170 Main pot 2230. Side pot 2940. | Rake 0
Board [Td 5s 4c 6d 5c]
Seat 2: Ann showed [Ah Ad] and won (5170) with two pair, Aces and Fives
Seat 4: Bo (button) folded before Flop (didn't bet)
Seat 5: Cy (small blind) folded on the Flop
Seat 6: Di (big blind) folded before Flop
"""

ANTE_IS_ALL = """\
PokerStars Game #47: Tournament #29, $1.00+$0.25 USD Hold'em No Limit - Level VIII (60/120) - \
2010/08/03 12:18:45 ET
Table '29 8' 9-max Seat #9 is the button
Seat 1: Ann (4960 in chips)
Seat 2: Bo (11 in chips)
Seat 9: Cy (3460 in chips)
Ann: posts the ante 15
Bo: posts the ante 11 and is all-in
Cy: posts the ante 15
Ann: posts small blind 60
*** HOLE CARDS ***
Cy: calls 120
Ann: calls 60
*** FLOP *** [9s 5s Qd]
Ann: checks
Cy: checks
*** TURN *** [9s 5s Qd] [2c]
Ann: checks
Cy: checks
*** RIVER *** [9s 5s Qd 2c] [3c]
Ann: checks
Cy: checks
*** SHOW DOWN ***
Ann: shows [6c 4s] (a straight, Two to Six)
Cy: mucks hand
Ann collected 248 from side pot
Bo: mucks hand
Ann collected 33 from main pot
*** SUMMARY ***
Total pot 281 Main pot 33. Side pot 248. | Rake 0
"""


def rules_and_course(hand: HandRecord) -> tuple[object, ...]:
    return hand.rules, hand.players, hand.holes, hand.board, hand.actions, hand.payoffs


@pytest.mark.parametrize(
    "changes",
    [
        {"Uncalled bet ($20) returned to Cy\n": ""},
        {" 10-max Seat #3": " Seat #3"},
        {" 10-max Seat": " 10-max (Play Money) Seat"},
        {"PokerStars Game": "\ufeffPokerStars Game"},
        {"PokerStars Game": "POKERSTARS GAME", "Hold'em No Limit": "HOLD'EM NO LIMIT"},
        {"2009/10/12 13:51:22 ET": "2009/10/12 - 13:51:22 (ET)"},
        {"raises $4 to $6": "raises $6 to $6", "raises $20 to $30": "raises $30 to $30"},
        {"pot $34": "pot $32.60"},
        {"\n": "\n\n"},
        {"\n": "\n "},
        {"doesn't show hand": "shows [Qh XX]"},
        {"doesn't show hand": "Table deposit $10"},
        {"doesn't show hand\n": f'doesn\'t show hand\nBo said, "{"a" * 5000}"\n'},
    ],
    ids=lambda changes: str(changes)[:50],
)
def test_other_ways_to_write_the_same_hand(changes: dict[str, str]) -> None:
    text, plain = PLAIN, read_hand(PLAIN)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    hand = read_hand(text)
    assert rules_and_course(hand) == rules_and_course(plain)
    assert hand.played_at == plain.played_at
    assert hand.table == plain.table


def test_one_open_card_says_too_little() -> None:
    hand = read_hand(PLAIN.replace("folds [Ah Ad]", "folds [Ah]"))
    assert hand.holes == (None, *read_hand(PLAIN).holes[1:])


def test_without_words_for_it_an_uncalled_bet_may_be_in_the_pot() -> None:
    text = PLAIN.replace("Uncalled bet ($20) returned to Cy\n", "")
    text = text.replace("$32.60", "$52.60").replace("pot $34", "pot $54")
    assert read_hand(text).payoffs == read_hand(PLAIN).payoffs


def test_a_pot_that_neither_holds_nor_returns_the_uncalled_bet_is_wrong(tmp_path: Path) -> None:
    text = PLAIN.replace("Uncalled bet ($20) returned to Cy\n", "").replace("pot $34", "pot $35")
    (tmp_path / "hand.txt").write_text(text)
    (found,) = read(tmp_path / "hand.txt")
    assert isinstance(found, Skipped)
    assert (found.reason, found.detail) == (
        SkipReason.WRONG_PAYOFF,
        "total pot 3500 and rake 140; 3400 were put in and 3260 won",
    )


def test_a_short_big_blind_is_called_in_full_and_raised_from_what_was_posted() -> None:
    hand = read_hand(SHORT_BLIND)
    assert hand.players == ("Cy", "Di", "Ann", "Bo")
    assert hand.rules.blinds == (350, 700, 0, 0)
    assert hand.actions[:3] == (Raise(Chips(2100)), Fold(), Call())
    assert list(map(int, hand.payoffs)) == [-2185, -715, 2985, -85]
    wrong = SHORT_BLIND.replace("raises 1470 to 2100", "raises 1471 to 2100")
    with pytest.raises(ValueError, match="Ann raises by 1471 from 700 to 2100"):
        read_hand(wrong)


def test_whoever_the_ante_puts_all_in_may_owe_the_big_blind() -> None:
    hand = read_hand(ANTE_IS_ALL)
    assert hand.players == ("Ann", "Bo", "Cy")
    assert hand.rules.blinds == (60, 120, 0)
    assert hand.rules.antes == (15, 15, 15)
    assert list(map(int, hand.payoffs)) == [146, -11, -135]


def test_heads_up_the_button_may_have_the_big_blind() -> None:
    """As the site dealt until 2005 when somebody had left."""
    text = PLAIN.replace("Seat 3: Cy ($50 in chips)\n", "").replace("Seat #3", "Seat #2")
    head, _, _ = text.partition("Dealt")
    hand = read_hand(
        f"{head}Ann: folds\nBo collected $2 from pot\n*** SUMMARY ***\nTotal pot $2 | Rake $0\n"
    )
    assert (hand.players, hand.rules.blinds) == (("Ann", "Bo"), (100, 200))


def test_the_archive_numbers_hands_and_may_indent_lines(tmp_path: Path) -> None:
    star = "*********** # {} **************\n"
    text = star.format(1) + PLAIN + "\n\n" + star.format(2) + PLAIN.replace("#12", "#13")
    (tmp_path / "plain.txt").write_text(text)
    (tmp_path / "indented.txt").write_text(text.replace("\n", "\n "))
    for name in ("plain.txt", "indented.txt"):
        hands = list(read(tmp_path / name))
        assert [hand.number for hand in hands if isinstance(hand, HandRecord)] == [12, 13]
        assert len(hands) == 2
    first = next(read(tmp_path / "plain.txt"))
    assert isinstance(first, HandRecord)
    assert first.source is not None
    assert first.source.line == 2


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("no_uncalled.txt", 1),
        ("old_table.txt", 1),
        ("raise_nobody_calls.txt", 1),
        ("s_arch.txt", 6),
        ("s_arch2.txt", 6),
        ("short_bb.txt", 1),
    ],
)
def test_texts_that_were_refused(name: str, count: int, shared_data: Path) -> None:
    hands = list(read(shared_data / "faults" / name))
    assert len(hands) == count
    for hand in hands:
        assert isinstance(hand, HandRecord), hand
        assert isinstance(hand.rules, Rules)
        assert 0 <= hand.rake <= Fraction(1, 4) * sum(map(abs, hand.payoffs))
