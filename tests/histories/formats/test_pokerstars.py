"""PokerStars: every amount that the site prints is compared with what the engine makes of it."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from railbird.cards import format_holding
from railbird.game import Betting, Fold, Raise
from railbird.histories import (
    HandRecord,
    Skipped,
    SkipReason,
    convert,
    read,
    read_hand,
    write,
)
from railbird.histories.pokerstars.header import time_text
from railbird.units import Chips

HAND = """\
PokerStars Hand #12:  Hold'em No Limit ($0.50/$1.00 USD) - 2014/01/06 7:09:08 ET
Table 'Ascanios II' 6-max Seat #4 is the button
Seat 1: Ann ($40.14 in chips)
Seat 3: Bo: [b] (c) ($100 in chips)
Seat 4: Cy ($26.91 in chips)
Seat 6: Di ($10 in chips) is sitting out
Bo: [b] (c): posts big blind $1
Ann: posts small blind $0.50
*** HOLE CARDS ***
Dealt to Cy [As Kd]
Eve joins the table at seat #2
Cy: raises $1 to $2
Ann said, "Bo: folds"
Ann: folds
Bo: [b] (c): calls $1
*** FLOP *** [2c 3d 4h]
Bo: [b] (c): checks
Cy: bets $3
Bo: [b] (c): folds
Uncalled bet ($3) returned to Cy
Cy collected $4.28 from pot
Cy: doesn't show hand
*** SUMMARY ***
Total pot $4.50 | Rake $0.22
Board [2c 3d 4h]
Seat 1: Ann (small blind) folded before Flop
Seat 3: Bo: [b] (c) (big blind) folded on the Flop
Seat 4: Cy (button) collected ($4.28)
"""

TOURNAMENT = """\
PokerStars Game #34: Tournament #567, $1.00+$0.10 USD Hold'em Limit - Level II (20/40) - \
2014/07/06 7:09:08 WET [2014/07/06 2:09:08 ET]
Table '567 1' 9-max Seat #9 is the button
Seat 2: Ann (1500 in chips) is sitting out
Seat 9: Bo (8 in chips)
Bo: posts small blind 8 and is all-in
Ann: posts big blind 20
*** HOLE CARDS ***
Dealt to Ann [2c 7d]
*** FLOP *** [As Ad Ah]
*** TURN *** [As Ad Ah] [3c]
*** RIVER *** [As Ad Ah 3c] [4c]
Uncalled bet (12) returned to Ann
*** SHOW DOWN ***
Ann: shows [2c 7d] (three of a kind, Aces)
Bo: mucks hand
Ann collected 16 from pot
Bo finished the tournament in 2nd place
*** SUMMARY ***
Total pot 16 | Rake 0
Board [As Ad Ah 3c 4c]
Seat 2: Ann (big blind) showed [2c 7d] and won (16) with three of a kind, Aces
Seat 9: Bo (button) (small blind) mucked [5h 2h]
"""


def skipped(text: str, tmp_path: Path) -> Skipped:
    (tmp_path / "hands.txt").write_text(text, encoding="utf-8")
    (found,) = read(tmp_path / "hands.txt")
    assert isinstance(found, Skipped)
    return found


def test_a_cash_game() -> None:
    hand = read_hand(HAND)
    assert hand.players == ("Ann", "Bo: [b] (c)", "Cy")  # left of the button, round the table
    assert hand.rules.blinds == (50, 100, 0)
    assert hand.rules.stacks == (4014, 10_000, 2691)
    assert list(map(int, hand.payoffs)) == [-50, -200, 228]
    assert hand.rake == 22
    assert (hand.currency, hand.denomination) == ("$", Fraction(1, 100))
    assert [hole and format_holding(hole) for hole in hand.holes] == [None, None, "AsKd"]
    assert hand.played_at == datetime(2014, 1, 6, 12, 9, 8, tzinfo=UTC)
    assert hand.table == "Ascanios II"


def test_a_tournament() -> None:
    """The one who sits out is dealt in, for he posts; the blind that was short counts in full."""
    hand = read_hand(TOURNAMENT.replace("[5h 2h]", "[5h 6h]"))
    assert hand.players == ("Ann", "Bo")
    assert hand.rules.betting is Betting.LIMIT
    assert (hand.rules.blinds, hand.rules.bet_sizes) == ((20, 10), (20, 20, 40, 40))
    assert (hand.currency, hand.denomination) == ("", Fraction(1))
    assert hand.played_at == datetime(2014, 7, 6, 6, 9, 8, tzinfo=UTC)


def test_bounties_freerolls_and_who_is_moved(tmp_path: Path) -> None:
    """Written after the texts of such tournaments: antes, a short stack, two that are not there."""
    path = Path(__file__).with_name("pokerstars_tournaments.txt")
    bounty, freeroll, split = read(path)
    assert isinstance(bounty, HandRecord), bounty
    assert bounty.players == ("shorty", "gone", "Älva_99", "hero(x)", "big: fish")
    assert bounty.rules.antes == (75,) * 5
    assert list(map(int, bounty.payoffs)) == [-1275, -675, -75, 11025, -9000]
    hidden = [hole is None for hole in bounty.holes]
    assert hidden == [False, True, True, False, False], "what was mucked is in the summary"
    assert isinstance(freeroll, HandRecord), freeroll
    assert (freeroll.players, freeroll.rules.blinds) == (("a", "b"), (20, 10))
    assert isinstance(split, HandRecord), split
    assert (split.rules.betting, *split.payoffs) == (Betting.POT_LIMIT, 0, 0)
    convert(path, tmp_path / "again.txt", target_format="pokerstars")
    assert list(read(tmp_path / "again.txt")) == [bounty, freeroll, split]


def test_a_hand_whose_cards_belie_the_pot_is_skipped(tmp_path: Path) -> None:
    """With 5h 2h Bo has a straight and Ann wins nothing."""
    assert skipped(TOURNAMENT, tmp_path).reason is SkipReason.WRONG_PAYOFF


def test_cap_games_are_played_for_no_more_than_the_cap() -> None:
    text = HAND.replace("$1.00 USD", "$1.00 - $20 Cap -  USD").replace("$26.91", "$12")
    assert read_hand(text).rules.stacks == (2000, 2000, 1200)


@pytest.mark.parametrize(
    "head",
    [
        "PokerStars Zoom Hand #12:  Hold'em No Limit ($0.50/$1.00) - 2014/01/06 7:09:08 ET",
        "PokerStars Home Game Hand #12: {Club #9}  Hold'em No Limit ($0.50/$1.00 USD)",
        "PokerStars Game #12:  8-Game (Hold'em No Limit, $0.50/$1.00 USD) - 2014/01/06 7:09:08 ET",
    ],
)
def test_other_heads(head: str) -> None:
    hand = read_hand(head + HAND[HAND.index("\n") :])
    assert hand.number == 12
    assert hand.rules.blinds == (50, 100, 0)


def test_whoever_comes_back_posts_what_he_missed() -> None:
    """The big blind is a bet, the small one is not; the betting begins where it always does."""
    late = HAND.replace(" is sitting out", "").replace("Ann said", "Di: folds\nAnn said")
    late = late.replace("*** HOLE", "Di: posts small & big blinds $1.50\n*** HOLE")
    late = late.replace("$4.50", "$6").replace("$4.28", "$5.78")
    hand = read_hand(late)
    assert hand.players == ("Di", "Ann", "Bo: [b] (c)", "Cy")
    assert hand.rules.blinds == (100, 50, 100, 0)
    assert hand.rules.antes == (50, 0, 0, 0)
    assert hand.rules.first_to_act[0] == 3
    assert list(map(int, hand.payoffs)) == [-150, -50, -200, 378]


def test_straddles() -> None:
    text = HAND.replace("*** HOLE", "Cy: posts straddle $2\n*** HOLE")
    text = text.replace("Cy: raises $1 to $2\n", "").replace("calls $1\n", "calls $1\nCy: checks\n")
    hand = read_hand(text)
    assert hand.rules.blinds == (50, 100, 200)
    assert hand.rules.bet_sizes == (200, 100, 100, 100)
    assert hand.actions[0] == Fold()


@pytest.mark.parametrize(
    ("old", "new", "reason", "detail"),
    [
        ("Hold'em No Limit", "Omaha Pot Limit", SkipReason.ANOTHER_GAME, "Omaha Pot Limit"),
        ("*** FLOP ***", "*** FIRST FLOP ***", SkipReason.ANOTHER_GAME, "FIRST FLOP"),
        ("Rake $0.22", "Rake $0.21", SkipReason.WRONG_PAYOFF, "450 were put in and 428 won"),
        ("Total pot $4.50", "Total pot $4.60", SkipReason.WRONG_PAYOFF, "total pot 460"),
        ("collected ($4.28)", "collected ($4.27)", SkipReason.WRONG_PAYOFF, "seat 4 wins 428"),
        ("calls $1\n", "calls $2\n", SkipReason.ILLEGAL_ACTION, "calls 200 where 100 is due"),
        ("raises $1 to", "raises $1.50 to", SkipReason.ILLEGAL_ACTION, "by 150 from 100 to 200"),
        ("Ann: folds\n", "", SkipReason.ILLEGAL_ACTION, "out of turn"),
        ("[2c 3d 4h]\nBo", "[2c 3d As]\nBo", SkipReason.DUPLICATE_CARD, "As"),
        ("Cy: bets $3", "Cy: bets three", SkipReason.UNREADABLE, "bets three"),
        ("returned to Cy", "returned to Eve", SkipReason.UNREADABLE, "'Eve' has no seat"),
        (" is sitting out", "", SkipReason.UNREADABLE, "Di neither acts nor sits out"),
        ("Seat 3: Bo", "Seat 1: Bo", SkipReason.SAME_NAME, "seat 1"),
        ("posts big blind", "posts a button", SkipReason.UNREADABLE, "posts 'a button'"),
        ("Seat 4: Cy ($26.91", "Seat 4: Cy (S26.91", SkipReason.UNREADABLE, "Seat 4: Cy (S26.91"),
        ("Seat 1: Ann ($", "Sat 1: Ann ($", SkipReason.UNREADABLE, "'Ann' has no seat"),
        ("Ann: posts", "Anna: posts", SkipReason.UNREADABLE, "'Anna' has no seat"),
        ("Seat #4 is the", "Seat 4 is the", SkipReason.UNREADABLE, "button is in seats 0 and 4"),
        ("Seat #4 is", "Seat #1 is", SkipReason.UNREADABLE, "the button is in seats 1 and 4"),
        ("Seat 1: Ann (small", "Seat 2: Ann (small", SkipReason.UNREADABLE, "another player"),
    ],
)
def test_what_is_wrong_is_said(
    old: str, new: str, reason: SkipReason, detail: str, tmp_path: Path
) -> None:
    assert old in HAND
    found = skipped(f"{HAND.replace(old, new)}\n\n", tmp_path)
    assert (found.reason, found.line) == (reason, 1)
    assert detail in found.detail


@pytest.mark.parametrize("name", ["b: folds", "x [As Kd]", "*** FLOP ***", "Seat 1: b", "a (5)"])
def test_names_that_look_like_something_else(name: str, tmp_path: Path) -> None:
    """They are written, as whatever is written has been read back, or refused."""
    hand = dataclasses.replace(read_hand(HAND), players=("b", name, "Cy"))
    written = write([hand], tmp_path / "out.txt", format_name="pokerstars")
    assert (tmp_path / "out.txt").exists() == bool(written.hands)
    if written.hands:
        assert list(read(tmp_path / "out.txt", format_name="pokerstars")) == [hand]
    start = dataclasses.replace(hand, players=("PokerStars Hand #1: Hold'em", "b", "Cy"))
    assert write([start], tmp_path / "out.txt", format_name="pokerstars").hands == 0


def test_without_the_button_nobody_knows_who_sits_where(tmp_path: Path) -> None:
    text = HAND.replace("Seat #4 is the button", "").replace(" (button)", "")
    assert skipped(text, tmp_path).detail == "no line gives the button"


def test_the_samples_of_the_site(shared_data: Path, tmp_path: Path) -> None:
    """What is printed in the texts, found by patterns of its own, is what the records say."""
    hands = 0
    for path in sorted((shared_data / "sites" / "pokerstars").glob("*.txt")):
        texts = path.read_text(encoding="utf-8-sig").replace("\r", "").split("PokerStars ")[1:]
        for hand, text in zip(read(path), texts, strict=True):
            assert isinstance(hand, HandRecord), hand
            hands += 1
            assert hand.number == int(re.findall(r"#(\d+)", text)[0])
            (rake,) = re.findall(r"Rake .([\d.]+)", text)
            assert hand.rake == Fraction(rake) * 100
            spent = {name: Fraction(0) for name in hand.players}
            for name, payoff in zip(hand.players, hand.payoffs, strict=True):
                spent[name] -= payoff
            for name, amount in re.findall(r"\n(.+) collected .([\d.]+) from", text):
                spent[name] += Fraction(amount) * 100
            (total,) = re.findall(r"Total pot .([\d.]+)", text)
            assert sum(spent.values()) == Fraction(total) * 100
            assert min(spent.values()) >= 0
    assert hands == 18
    for path in sorted((shared_data / "sites" / "pokerstars").glob("*.txt")):
        convert(path, tmp_path / "out.txt", target_format="pokerstars")
        assert list(read(tmp_path / "out.txt")) == list(read(path))


def test_a_damaged_hand_costs_only_itself(shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / "sites" / "pokerstars" / "10MultipleHands.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    hands = list(read(path))
    starts = [hand.source.line for hand in hands if isinstance(hand, HandRecord) and hand.source]
    for number, line in enumerate(lines):
        if not re.search(r": (raises|calls|bets|posts)|collected .* from|PokerStars|Total", line):
            continue
        damaged = [*lines[:number], line[: len(line) // 2] + "\n", *lines[number + 1 :]]
        (tmp_path / "damaged.txt").write_text("".join(damaged), encoding="utf-8")
        found = list(read(tmp_path / "damaged.txt", format_name="pokerstars"))
        place = max(n for n, start in enumerate(starts) if start <= number + 1)
        bad = found[place]
        assert isinstance(bad, Skipped), line
        assert bad.line == starts[place]
        assert found[:place] + found[place + 1 :] == hands[:place] + hands[place + 1 :]


def test_side_pots(shared_data: Path) -> None:
    (hand,) = read(shared_data / "sites" / "pokerstars" / "SidePot.txt")
    assert isinstance(hand, HandRecord)
    won = dict(zip(hand.players, hand.payoffs, strict=True))
    assert won["T_Leroy"] == 3828 - 1457  # collected 30.37 and 7.91, put in what ilya44rus had
    assert Raise(Chips(846)) in hand.actions
    assert [hole is None for hole in hand.holes] == [False, True, True, False, True, True]


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2014, 1, 6, 6, 42, 52, tzinfo=UTC), "2014/01/06 1:42:52 ET"),
        (datetime(2014, 7, 6, 5, 42, 52, tzinfo=UTC), "2014/07/06 1:42:52 ET"),
        (datetime(2014, 3, 9, 6, 59, 59, tzinfo=UTC), "2014/03/09 1:59:59 ET"),
        (datetime(2014, 3, 9, 7, 0, 0, tzinfo=UTC), "2014/03/09 3:00:00 ET"),
        (datetime(2014, 11, 2, 4, 30, 0, tzinfo=UTC), "2014/11/02 0:30:00 ET"),
        (datetime(2014, 11, 2, 6, 30, 0, tzinfo=UTC), "2014/11/02 1:30:00 ET"),
        (datetime(2014, 11, 2, 7, 30, 0, tzinfo=UTC), "2014/11/02 2:30:00 ET"),
        (datetime(2014, 7, 6, 5, 42, 52), "2014/07/06 5:42:52"),
    ],
)
def test_times_of_new_york(moment: datetime, text: str) -> None:
    """The clocks changed on 9 March and 2 November 2014."""
    assert time_text(moment) == text
    head = HAND.replace("2014/01/06 7:09:08 ET", text)
    assert read_hand(head).played_at == moment
