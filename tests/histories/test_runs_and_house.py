"""Hands run twice or thrice, and money of the house beside the pots."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from railbird.assessment.all_in import all_ins_of
from railbird.assessment.rake import paid_by_pots
from railbird.cards import DECK, Card, holding_of, parse_cards
from railbird.game import Action, Call, Raise, no_limit_holdem, payoffs, refusal, replay
from railbird.histories import (
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    archive,
    format_named,
    frames,
    money_by_player,
    read,
    write,
)
from railbird.histories.columns import batch_of, concat, records_of
from railbird.histories.verify import ending_of, run_again, settle_raked
from railbird.units import Chips

STARS = """\
PokerStars Hand #7100:  Hold'em No Limit ($0.25/$0.50) - 2025/03/02 12:00:00 ET
Table 'Alba' 6-max Seat #1 is the button
Seat 1: Ann ($50 in chips)
Seat 2: Bob ($50 in chips)
Seat 3: Cid ($40 in chips)
Bob: posts small blind $0.25
Cid: posts big blind $0.50
*** HOLE CARDS ***
Dealt to Cid [As Kd]
Ann: folds
Bob: raises $49.50 to $50 and is all-in
Cid: calls $39.50 and is all-in
Uncalled bet ($10) returned to Bob
*** FIRST FLOP *** [Ah 2h 4c]
*** FIRST TURN *** [Ah 2h 4c] [Kc]
*** FIRST RIVER *** [Ah 2h 4c Kc] [8c]
*** SECOND FLOP *** [2s 7s 3c]
*** SECOND TURN *** [2s 7s 3c] [Qh]
*** SECOND RIVER *** [2s 7s 3c Qh] [9c]
*** FIRST SHOW DOWN ***
Bob: shows [Qd Qs] (a pair of Queens)
Cid: shows [As Kd] (two pair, Aces and Kings)
Cid collected $39.25 from pot
*** SECOND SHOW DOWN ***
Bob: shows [Qd Qs] (three of a kind, Queens)
Cid: shows [As Kd] (high card Ace)
Bob collected $39.24 from pot
*** SUMMARY ***
Total pot $80 | Rake $1.51
Hand was run twice
FIRST Board [Ah 2h 4c Kc 8c]
SECOND Board [2s 7s 3c Qh 9c]
Seat 1: Ann (button) folded before Flop (didn't bet)
Seat 2: Bob (small blind) showed [Qd Qs] and lost with a pair of Queens, and won ($39.24) with three
Seat 3: Cid (big blind) showed [As Kd] and won ($39.25) with two pair, and lost with high card Ace
"""
THRICE = """\
Poker Hand #HD7200: Hold'em No Limit ($1/$2) - 2025/06/21 03:13:16
Table 'NLHGold4' 6-max Seat #3 is the button
Seat 1: a1 ($100 in chips)
Seat 2: b2 ($100 in chips)
Seat 3: Hero ($100 in chips)
a1: posts small blind $1
b2: posts big blind $2
*** HOLE CARDS ***
Dealt to Hero [Kh Ks]
Hero: raises $4 to $6
a1: calls $5
b2: folds
*** FLOP *** [Js 5s Jd]
a1: bets $94 and is all-in
Hero: calls $94 and is all-in
Hero: shows [Kh Ks] (Pair of Kings and Pair of Jacks)
a1: shows [Ac Ad] (Pair of Aces and Pair of Jacks)
*** FIRST TURN *** [Js 5s Jd] [7s]
*** FIRST RIVER *** [Js 5s Jd 7s] [2s]
*** SECOND TURN *** [Js 5s Jd] [4d]
*** SECOND RIVER *** [Js 5s Jd 4d] [Qs]
*** THIRD TURN *** [Js 5s Jd] [4s]
*** THIRD RIVER *** [Js 5s Jd 4s] [Ts]
*** FIRST SHOWDOWN ***
Hero collected $66 from pot
*** SECOND SHOWDOWN ***
a1 collected $66 from pot
*** THIRD SHOWDOWN ***
Hero collected $66 from pot
*** SUMMARY ***
Total pot $202 | Rake $4 | Jackpot $0 | Bingo $0 | Fortune $0 | Tax $0
Hand was run three times
FIRST Board [Js 5s Jd 7s 2s]
SECOND Board [4d Qs]
THIRD Board [4s Ts]
Seat 1: a1 (small blind) showed [Ac Ad] and lost with two pair, and won ($66) with two pair
Seat 2: b2 (big blind) folded before Flop
Seat 3: Hero (button) showed [Kh Ks] and won ($66) with a flush, and won ($66) with a flush
"""
GG = """\
Poker Hand #HD7300: Hold'em No Limit ($0.05/$0.10) - 2025/08/02 11:26:53
Table 'NLHWhite1' 6-max Seat #3 is the button
Seat 1: a1 ($10 in chips)
Seat 2: b2 ($10 in chips)
Seat 3: Hero ($10 in chips)
a1: posts small blind $0.05
b2: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Hero [Ah Ad]
Hero: raises $0.20 to $0.30
a1: folds
b2: raises $9.70 to $10 and is all-in
Hero: calls $9.70 and is all-in
b2: shows [Kd Ks]
Hero: shows [Ah Ad]
Hero: Chooses to EV Cashout
*** FLOP *** [2s 7s 3c]
*** TURN *** [2s 7s 3c] [Kh]
*** RIVER *** [2s 7s 3c Kh] [9c]
*** SHOWDOWN ***
b2 collected $19.05 from pot
Hero: Receives Cashout ($15.45)
*** SUMMARY ***
Total pot $20.05 | Rake $1 | Jackpot $0 | Bingo $0
Board [2s 7s 3c Kh 9c]
Seat 1: a1 (small blind) folded before Flop
Seat 2: b2 (big blind) showed [Kd Ks] and won ($19.05) with three of a kind, Kings
Seat 3: Hero (button) showed [Ah Ad] and won ($0) with a pair of Aces, EV Cashout ($15.45)
"""
SOLD_ON_STARS = """\
PokerStars Hand #7400:  Hold'em No Limit ($0.05/$0.10 USD) - 2025/08/02 11:26:53 ET
Table 'Wega' 6-max Seat #3 is the button
Seat 1: Ann ($10 in chips)
Seat 2: Bob ($10 in chips)
Seat 3: Cid ($10 in chips)
Ann: posts small blind $0.05
Bob: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Cid [Ah Ad]
Cid: raises $0.20 to $0.30
Ann: folds
Bob: raises $9.70 to $10 and is all-in
Cid: calls $9.70 and is all-in
*** FLOP *** [2s 7s 3c]
*** TURN *** [2s 7s 3c] [Kh]
*** RIVER *** [2s 7s 3c Kh] [9c]
*** SHOW DOWN ***
Bob: shows [Kd Ks] (three of a kind, Kings)
Cid: shows [Ah Ad] (a pair of Aces)
Bob cashed out the hand for $3.50 | Cash Out Fee $0.04
Cid cashed out the hand for $15.35 | Cash Out Fee $0.16
*** SUMMARY ***
Total pot $20.05 | Rake $1
Board [2s 7s 3c Kh 9c]
Seat 1: Ann (small blind) folded before Flop
Seat 2: Bob (big blind) showed [Kd Ks] and won ($19.05) with three of a kind, Kings\
 (pot not awarded as player cashed out)
Seat 3: Cid (button) showed [Ah Ad] and lost with a pair of Aces (cashed out)
"""


def items(text: str) -> list[HandRecord | Skipped]:
    name = "pokerstars" if text.startswith("PokerStars") else "ggpoker"
    return list(format_named(name).read(io.StringIO(text), ReadOptions()))


def one(text: str) -> HandRecord:
    (hand,) = items(text)
    assert isinstance(hand, HandRecord), hand
    return hand


def refused(text: str) -> Skipped:
    (skip,) = items(text)
    assert isinstance(skip, Skipped), skip
    return skip


def changed(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def chips(amounts: Sequence[Fraction], *, of: int = 100) -> list[str]:
    return [str(amount / of) for amount in amounts]


def boards(*texts: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(parse_cards(text)) for text in texts)


def test_run_twice_each_board_pays_half_of_the_pot() -> None:
    hand = one(STARS)
    assert hand.players == ("Bob", "Cid", "Ann")
    assert (hand.board, *hand.more_boards) == boards("Ah2h4cKc8c", "2s7s3cQh9c")
    assert chips(hand.payoffs) == ["-19/25", "-3/4", "0"], "the odd cent goes to the first board"
    assert hand.rake == 151
    assert hand.house == ()


def test_run_thrice_from_the_turn_on() -> None:
    hand = one(THRICE)
    assert (hand.board, *hand.more_boards) == boards("Js5sJd7s2s", "Js5sJd4dQs", "Js5sJd4sTs")
    assert chips(hand.payoffs) == ["-34", "-2", "32"]
    assert hand.rake == 400
    assert paid_by_pots(hand) == [Fraction(400, 3), 0, Fraction(800, 3)]


@pytest.mark.parametrize(
    ("pairs", "reason", "detail"),
    [
        (
            [("Bob collected $39.24", "Cid collected $39.24"), ("won ($39.24)", "lost")],
            SkipReason.WRONG_PAYOFF,
            "in the summary 3925",
        ),
        (
            [
                ("Bob collected $39.24", "Bob collected $78.49"),
                ("Cid collected $39.25 from", "Eh"),
                ("($39.24)", "($78.49)"),
                ("won ($39.25)", "lost"),
            ],
            SkipReason.WRONG_PAYOFF,
            "the rules pay 0|0|0 before rake",
        ),
        ([("run twice", "run three times")], SkipReason.WRONG_BOARD, "3 runs and 2 boards"),
        ([("[9c]", "[8c]")], SkipReason.DUPLICATE_CARD, "8c comes twice"),
        (
            [("[2s 7s 3c]", "[As 7s 3c]"), ("[2s 7s 3c Qh]", "[As 7s 3c Qh]")],
            None,
            "As comes twice",
        ),
        ([("*** SECOND RIVER *** [2s 7s 3c Qh] [9c]\n", "")], SkipReason.WRONG_BOARD, "of 5, 4"),
        ([("*** SECOND TURN *** [2s 7s 3c] [Qh]\n", "")], SkipReason.WRONG_BOARD, "not the next"),
        ([("*** SECOND FLOP", "*** THIRD FLOP")], SkipReason.WRONG_BOARD, "run 3 is not the next"),
        ([("Total pot $80", "Total pot $81")], SkipReason.WRONG_PAYOFF, "total pot 8100"),
        ([("Rake $1.51", "Rake $1.50")], SkipReason.WRONG_PAYOFF, "rake 150"),
    ],
)
def test_runs_that_do_not_agree_are_refused(
    pairs: list[tuple[str, str]], reason: SkipReason | None, detail: str
) -> None:
    skip = refused(changed(STARS, *pairs))
    assert skip.reason is (reason or SkipReason.DUPLICATE_CARD)
    assert detail in skip.detail


def test_the_boards_share_what_lay_before_the_last_bet() -> None:
    skip = refused(
        changed(
            THRICE,
            ("*** SECOND TURN *** [Js 5s Jd] [4d]", "*** SECOND FLOP *** [Js 5s 8d]"),
            ("*** SECOND RIVER *** [Js 5s Jd 4d] [Qs]", "*** SECOND TURN *** [Js 5s 8d] [4d]"),
            ("*** THIRD TURN *** [Js 5s Jd] [4s]", "*** SECOND RIVER *** [Js 5s 8d 4d] [Qs]"),
            ("*** THIRD RIVER *** [Js 5s Jd 4s] [Ts]\n", ""),
            ("three times", "two times"),
        )
    )
    assert (skip.reason, skip.detail) == (
        SkipReason.WRONG_BOARD,
        "the boards do not share the cards before the runs",
    )


def test_what_was_received_for_a_hand_stands_beside_what_the_cards_paid() -> None:
    hand = one(GG)
    assert chips(hand.payoffs) == ["-1/20", "181/20", "-10"]
    assert chips(hand.house) == ["0", "0", "309/20"]
    assert hand.rake == 100


def test_the_seller_who_wins_pays_the_house() -> None:
    hand = one(
        changed(
            GG,
            ("b2 collected", "Hero collected"),
            ("[Kh]", "[Qh]"),
            ("3c Kh", "3c Qh"),
            ("Receives Cashout ($15.45)", "Pays Cashout Risk ($3.60)"),
            ("and won ($19.05) with three of a kind, Kings", "and lost with a pair of Kings"),
            (
                "won ($0) with a pair of Aces, EV Cashout ($15.45)",
                "won ($15.45), Cashout Risk ($3)",
            ),
        )
    )
    assert chips(hand.payoffs) == ["-1/20", "-10", "181/20"]
    assert chips(hand.house) == ["0", "0", "-18/5"]


def test_a_pot_that_the_house_bought_is_the_winners_and_is_paid_to_it() -> None:
    hand = one(SOLD_ON_STARS)
    assert chips(hand.payoffs) == ["-1/20", "181/20", "-10"]
    assert chips(hand.house) == ["0", "-311/20", "307/20"], "3.50 less the pot of 19.05"
    won = money_by_player([batch_of([hand])])["$"]
    assert {name: float(amount) for name, amount in won.items()} == {
        "Ann": -0.05,
        "Bob": -6.5,
        "Cid": 5.35,
    }


def test_a_hand_sold_for_nobody_knows_what_is_refused() -> None:
    skip = refused(changed(GG, ("Hero: Receives Cashout ($15.45)\n", "")))
    assert skip.reason is SkipReason.ANOTHER_GAME
    assert "sells the hand to the house" in skip.detail


def test_an_insurance_is_no_part_of_the_pot() -> None:
    hand = one(
        changed(
            GG,
            (
                "Hero: Chooses to EV Cashout",
                "Hero: get an all-in insurance (premium ($0/$4/$0) for ($0/$10.8/$0) -)",
            ),
            ("Hero: Receives Cashout ($15.45)", "Hero: pay premium of all-in insurance ($4)"),
            (", EV Cashout ($15.45)", ""),
        )
    )
    assert chips(hand.house) == ["0", "0", "-4"]


DROPPED = changed(
    GG,
    ("HD7300", "HD7301"),
    ("Seat 3: Hero ($10 in chips)", "Seat 3: Hero ($10 in chips)\nCash Drop to Pot : total $0.5"),
    ("Hero: Chooses to EV Cashout\n", ""),
    ("Hero: Receives Cashout ($15.45)\n", ""),
    (", EV Cashout ($15.45)", ""),
    ("$19.05", "$19.55"),
)


@pytest.mark.parametrize("total", ["$20.05", "$20.55"])
def test_dropped_money_is_the_winners_and_no_play(total: str) -> None:
    """The total pot may have it in or not."""
    hand = one(changed(DROPPED, ("Total pot $20.05", f"Total pot {total}")))
    assert chips(hand.payoffs) == ["-1/20", "181/20", "-10"]
    assert chips(hand.house) == ["0", "1/2", "0"]
    assert hand.rake == 100


def test_dropped_money_is_divided_among_the_runs() -> None:
    text = changed(
        THRICE,
        ("Dealt to Hero", "Cash Drop to Pot : total $1\nDealt to Hero"),
        ("a1 collected $66 ", "a1 collected $66.33 "),
        ("Hero collected $66 ", "Hero collected $66.34 "),
        ("and won ($66) with two", "and won ($66.33) with two"),
        ("won ($66) with a flush", "won ($66.34) with a flush"),
        ("Total pot $202 | Rake $4", "Total pot $202 | Rake $3.99"),
    )
    hand = one(text)
    assert [int(amount) for amount in hand.house] == [33, 0, 67]
    assert [int(amount) for amount in hand.payoffs] == [-3400, -200, 3201]


def test_a_fold_wins_the_dropped_money() -> None:
    head, _, _ = DROPPED.partition("b2: raises")
    text = (
        f"{head}b2: folds\nUncalled bet ($0.20) returned to Hero\n*** SHOWDOWN ***\n"
        "Hero collected $0.75 from pot\n*** SUMMARY ***\nTotal pot $0.25 | Rake $0 | Jackpot $0\n"
    )
    hand = one(text)
    assert chips(hand.payoffs) == ["-1/20", "-1/10", "3/20"]
    assert chips(hand.house) == ["0", "0", "1/2"]


@pytest.mark.parametrize("amount", ["$99999999999", "$0.0000000001", "$", "-$1", "NaN"])
def test_dropped_money_that_is_none_is_refused(amount: str) -> None:
    skip = refused(changed(DROPPED, ("total $0.5", f"total {amount}")))
    assert skip.reason in (SkipReason.WRONG_PAYOFF, SkipReason.UNREADABLE, SkipReason.ANOTHER_GAME)


ALL = [one(text) for text in (STARS, THRICE, GG, SOLD_ON_STARS, DROPPED)]


def test_columns_and_archives_keep_runs_and_house(tmp_path: Path) -> None:
    assert list(records_of(concat([batch_of(ALL[:2]), batch_of(ALL[2:])]))) == ALL
    archive.add(ALL, tmp_path / "all")
    kept = [hand for hand in archive.read(tmp_path / "all") if isinstance(hand, HandRecord)]
    assert len(kept) == len(ALL)
    assert all(hand in ALL for hand in kept)
    players = frames(ALL).players
    assert players["house"].sum() == float(sum(sum(hand.house) for hand in ALL))


def test_phh_keeps_runs_and_house(tmp_path: Path) -> None:
    write(ALL, tmp_path / "all.phhs", format_name="phh")
    assert list(read(tmp_path / "all.phhs")) == ALL
    text = (tmp_path / "all.phhs").read_text()
    for old, new in (
        ("'2s7s3cQh9c'", "'2s7s3cQh8c'"),
        ("'2s7s3cQh9c'", "3"),
        ("'2s7s3cQh9c'", "'2s7s3cQh'"),
        ("['0', '0', '1545']", "['0', '0', 'NaN']"),
        ("['0', '0', '1545']", "['0', '1545']"),
        ("['0', '0', '1545']", "'1545'"),
    ):
        (tmp_path / "changed.phhs").write_text(changed(text, (old, new)))
        back = list(read(tmp_path / "changed.phhs"))
        assert sum(isinstance(item, Skipped) for item in back) == 1, (old, new)


@pytest.mark.parametrize("name", ["acpc", "irc", "line", "ohh", "poker-academy", "pokerstars"])
def test_other_formats_do_not_write_them(name: str, tmp_path: Path) -> None:
    heard: list[Skipped] = []
    write(ALL, tmp_path / "all", format_name=name, on_skip=heard.append)
    assert [skip.reason for skip in heard] == [SkipReason.NOT_REPRESENTABLE] * len(ALL)


@st.composite
def all_in_hands(draw: st.DrawFn) -> tuple[HandRecord, list[tuple[Card, ...]]]:
    """A hand all-in before the flop, and three boards for it."""
    seats = draw(st.integers(2, 4))
    stacks = draw(st.lists(st.integers(20, 300), min_size=seats, max_size=seats))
    rules = no_limit_holdem(seats, blinds=(5, 10), stack=tuple(stacks))
    cards = draw(st.permutations(list(DECK)))
    holes = tuple(holding_of(*cards[2 * seat : 2 * seat + 2]) for seat in range(seats))
    runs = [tuple(cards[2 * seats + 5 * run : 2 * seats + 5 * run + 5]) for run in range(3)]
    actions: tuple[Action, ...] = ()
    while (actor := (state := replay(rules, holes, (), actions)).actor) is not None:
        push = Raise(Chips(stacks[actor]))
        actions += (Call() if refusal(state, push) else push,)
    end = replay(rules, holes, runs[0], actions)
    record = HandRecord(
        rules=rules,
        players=tuple("ABCD"[:seats]),
        holes=holes,
        board=runs[0],
        actions=actions,
        payoffs=payoffs(end),
    )
    return record, runs


@settings(max_examples=60, deadline=None)
@given(drawn=all_in_hands(), data=st.data())
def test_all_in_equity_is_the_same_however_often_a_hand_is_run(
    drawn: tuple[HandRecord, list[tuple[Card, ...]]], data: st.DataObject
) -> None:
    """The mean of the payoffs is what the rules pay each run, and the equity that of one."""
    record, runs = drawn
    paid = [payoffs(replay(record.rules, record.holes, board, record.actions)) for board in runs]
    count = data.draw(st.integers(2, 3))
    mean = tuple(sum(of_seat) / count for of_seat in zip(*paid[:count], strict=True))
    ending = ending_of(record.rules, record.actions, record.holes, record.board)
    assert settle_raked(run_again(ending, runs[1:count]), mean) == mean
    again = dataclasses.replace(record, more_boards=tuple(runs[1:count]), payoffs=mean)
    alone, several = (all_ins_of(batch_of([hand])) for hand in (record, again))
    assert alone.known.all()
    assert np.array_equal(alone.chips, several.chips)
    assert np.array_equal(alone.cards, several.cards)
