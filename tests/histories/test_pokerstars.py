"""PokerStars: every amount that the site prints is compared with what the engine makes of it."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from railbird.cards import format_holding
from railbird.game import Betting, Call, Fold, Raise, Rules
from railbird.histories import HandRecord, Skipped, SkipReason, convert, read, read_hand, write
from railbird.histories.record import BadHand
from railbird.histories.sites.pokerstars_head import time_text
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


@pytest.mark.parametrize(
    "buy_in",
    [
        *("300 SC", "300SC", "150+150 SC", "80FPP", "2500 PM", "2500PM"),
        *("T$5+T$0.50", "R$5+R$0.50 BRL", "HK$40+HK$4", "Freeroll "),
        *("300 SC+30 SC", "CHF5+CHF0.50", "kr5+kr1", "300 StarsCoin"),
    ],
)
def test_buy_ins_in_anything_leave_the_game_plain(buy_in: str) -> None:
    played = TOURNAMENT.replace("[5h 2h]", "[5h 6h]")
    hand = read_hand(played.replace("$1.00+$0.10 USD", buy_in))
    assert (hand, hand.tournament) == (read_hand(played), True)


@pytest.mark.parametrize(
    ("sign", "code"), [("R$", "BRL"), ("kr", "SEK"), ("zł", "PLN"), ("SC", "SC")]
)
def test_other_currencies_are_no_dollars(sign: str, code: str, tmp_path: Path) -> None:
    dollars = read_hand(HAND)
    hand = read_hand(HAND.replace("$", sign).replace("USD", code))
    currency = hand.currency
    assert currency in (sign, code)
    assert hand == dataclasses.replace(dollars, currency=currency)
    assert not hand.tournament
    for name in ("again.txt", "again.ohh"):
        if name == "again.ohh" and sign != "R$":
            continue  # it has codes alone
        target_format = "pokerstars" if name.endswith(".txt") else None
        write([hand], tmp_path / name, format_name=target_format)
        (again,) = read(tmp_path / name)
        assert isinstance(again, HandRecord), again
        assert (again.currency, again.payoffs) == (currency, hand.payoffs)


def test_blanks_of_any_kind_stand_in_a_game_and_stakes_that_cannot_be_read_are_said() -> None:
    assert read_hand(HAND.replace("Hold'em No Limit", "Hold'em\tNo Limit")) == read_hand(HAND)
    (skipped,) = read(io.BytesIO(HAND.replace("($", "(some ", 1).encode()))
    assert isinstance(skipped, Skipped)
    assert (skipped.reason, skipped.detail[:10]) == (SkipReason.UNREADABLE, "no stakes:")


def test_converters_write_colons_in_the_summary(tmp_path: Path) -> None:
    free = HAND.replace("collected $4.28", "collected $4.50").replace("($4.28)", "($4.50)")
    plain = read_hand(free.replace("Rake $0.22", "Rake $0"))
    colons = free.replace("Total pot $4.50 | Rake $0.22", "Total pot: $4.50 | Rake 0")
    assert read_hand(colons) == plain
    without = skipped(HAND.replace("Total pot $4.50 | Rake $0.22\n", "") + "\n\n", tmp_path)
    assert (without.reason, without.detail) == (SkipReason.UNREADABLE, "no total pot")


@pytest.mark.parametrize(
    ("old", "new", "is_read"),
    [
        ("Total pot 16", "Total pot 18", True),
        ("Total pot 16", "Total pot 19", False),
        ("collected 16 from pot", "collected 15 from pot", True),
        ("collected 16 from pot", "collected 14 from pot", True),
        ("collected 16 from pot", "collected 13 from pot", False),
        ("collected 16 from pot", "collected 17 from pot", True),
    ],
)
def test_the_pot_of_a_tournament_may_be_rounded(old: str, new: str, is_read: bool) -> None:
    """By two chips; the payoffs are then those of the rules."""
    played = TOURNAMENT.replace("[5h 2h]", "[5h 6h]").replace("and won (16)", "and won")
    if is_read:
        assert read_hand(played.replace(old, new)).payoffs == read_hand(played).payoffs
    else:
        with pytest.raises(BadHand, match="wrong payoff"):
            read_hand(played.replace(old, new))


def test_a_hand_whose_cards_belie_the_pot_is_skipped(tmp_path: Path) -> None:
    """With 5h 2h Bo has a straight and Ann wins nothing."""
    assert skipped(TOURNAMENT, tmp_path).reason is SkipReason.WRONG_PAYOFF


def test_cap_games_are_played_for_no_more_than_the_cap() -> None:
    text = HAND.replace("$1.00 USD", "$1.00 - $20 Cap -  USD").replace("$26.91", "$12")
    hand = read_hand(text)
    assert hand.rules.stacks == (2000, 2000, 1200)
    assert hand.capped
    assert not read_hand(HAND).capped
    assert not read_hand(text.replace("$20 Cap", "$2000 Cap")).capped


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
        ("Hold'em No Limit", "Omaha Pot Limit", SkipReason.ANOTHER_GAME, "pot-limit Omaha"),
        ("1.00 USD)", "1.00? USD)", SkipReason.UNREADABLE, "stakes '($0.50/$1.00? USD)'"),
        ("1.00 USD)", "1.00 USD x2)", SkipReason.UNREADABLE, "stakes '($0.50/$1.00 USD x2)'"),
        ("($0.50/$1.00", "($1.00/$0.50", SkipReason.UNREADABLE, "stakes '($1.00/$0.50 USD)'"),
        ("($0.50/$1.00", "($0.50/$2.00", SkipReason.ILLEGAL_ACTION, "a big blind of 100"),
        ("*** FLOP ***", "*** FIRST FLOP ***", SkipReason.ANOTHER_GAME, "run twice"),
        ("Rake $0.22", "Rake $0.21", SkipReason.WRONG_PAYOFF, "450 were put in and 428 won"),
        ("Total pot $4.50", "Total pot $4.60", SkipReason.WRONG_PAYOFF, "total pot 460"),
        ("collected ($4.28)", "collected ($4.27)", SkipReason.WRONG_PAYOFF, "seat 4 wins 428"),
        ("calls $1\n", "calls $2\n", SkipReason.ILLEGAL_ACTION, "calls 200 where 100 is due"),
        ("raises $1 to", "raises $1.50 to", SkipReason.ILLEGAL_ACTION, "by 150 from 100 to 200"),
        ("Ann: folds\n", "", SkipReason.ILLEGAL_ACTION, "out of turn"),
        ("[2c 3d 4h]\nBo", "[2c 3d As]\nBo", SkipReason.DUPLICATE_CARD, "As"),
        ("Cy: bets $3", "Cy: bets three", SkipReason.UNREADABLE, "bets three"),
        ("returned to Cy", "returned to Eve", SkipReason.UNREADABLE, "'Eve' plays without a seat"),
        (" is sitting out", "", SkipReason.UNREADABLE, "Di neither acts nor sits out"),
        ("Seat 3: Bo", "Seat 1: Bo", SkipReason.SAME_NAME, "seat 1"),
        ("posts big blind", "posts a button", SkipReason.UNREADABLE, "posts a button $1"),
        ("Seat 4: Cy ($26.91", "Seat 4: Cy (S26.91", SkipReason.UNREADABLE, "Seat 4: Cy (S26.91"),
        ("Seat 1: Ann ($", "Sat 1: Ann ($", SkipReason.UNREADABLE, "'Ann' plays without a seat"),
        ("Ann: posts", "Anna: posts", SkipReason.UNREADABLE, "'Anna' plays without a seat"),
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


def test_hands_without_table_and_number_have_them_on_the_site(tmp_path: Path) -> None:
    bare = [dataclasses.replace(read_hand(HAND), table="", number=None) for _ in range(2)]
    assert write(bare, tmp_path / "out.txt", format_name="pokerstars").hands == 2
    text = (tmp_path / "out.txt").read_text(encoding="utf-8")
    assert [*re.findall(r"Hand #(\d+)", text)] == ["1", "2"]
    assert text.count("Table 'Unnamed' ") == 2
    back = list(read(tmp_path / "out.txt", format_name="pokerstars"))
    found = [hand for hand in back if isinstance(hand, HandRecord)]
    assert [dataclasses.replace(hand, number=None) for hand in found] == bare


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


# PokerStars' texts of other years, of its archive and of other programs read as the plain ones.


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


RUN_IT_ONCE = """\
Run It Once Poker Hand #30702949:  Hold'em No Limit (€0.02/€0.04) - 2019/02/08 15:19 UTC \
[2019/02/08 16:19 CET]
Table ID '30698037' 6-Max Seat #4 is the button
Seat 1: Ann R (€4.77 in chips)
Seat 4: Cy G (€8.35 in chips) [hero]
Seat 5: Di N (€4 in chips)
Seat 6: Bo (€7.16 in chips)
Di N: posts small blind €0.02
Bo: posts big blind €0.04
*** HOLE CARDS ***
Dealt to Ann R [Jh 8c]
Dealt to Cy G [2h 7c]
Dealt to Di N [3h 9c]
Dealt to Bo [4s 4d]
Ann R: raises €0.08 to €0.12
Cy G: folds
Di N: folds
Bo: calls €0.08
*** FLOP *** [4c Qc 5h]
Bo: checks
Ann R: bets €0.19
Bo: raises €0.39 to €0.58
Ann R: raises €0.54 to €1.12
Bo: calls €0.73
*** TURN *** [4c Qc 5h] [6d]
Bo: checks
Ann R: bets €3.34
Bo: calls €3.34
*** RIVER *** [4c Qc 5h 6d] [8s]
Bo: checks
Ann R: checks
*** SHOWDOWN ***
Bo shows [4s 4d] for Three of Kind [Qc 8s 4s 4d 4c]
Bo collected €9.01 from pot
*** SUMMARY ***
Total pot €9.56 | Rake €0.55
Board [4c Qc 5h 6d 8s]
Seat 4: Cy G (button) folded before Flop (timeout)
Seat 5: Di N (small blind) folded before Flop
Seat 6: Bo (big blind) showed [4s 4d] and won €9.01 with Three of Kind 4's and Q 8
Seat 1: Ann R mucked [Jh 8c] and lost
"""

POKER_MASTER = """\
PokerMaster Hand #3713015100020: Hold'em No Limit (¥2/¥4 CNY) - 2019/03/19 10:57:09 UTC
Table 'H28桌' 8-max Seat #9 is the button
Seat 1: 身轻如燕 (¥182 in chips)
Seat 2: 933215526 (¥998 in chips)
Seat 3: Ann (¥820.5 in chips)
Seat 9: Bo (¥390 in chips)
# {"gt":"NLH","tid":201509,"pn":{"2":"Ann"}}
身轻如燕: posts the ante ¥1
933215526: posts the ante ¥1
Ann: posts the ante ¥1
Bo: posts the ante ¥1
身轻如燕: posts small blind ¥2
933215526: posts big blind ¥4
Ann: posts big blind ¥8
*** HOLE CARDS ***
Dealt to Bo [Td Jd]
Bo: raises ¥25 to ¥33
身轻如燕: folds
933215526: folds
Ann: calls ¥25
*** FLOP *** [6h 6c 3s]
Ann: checks
Bo: bets ¥64.5
Ann: folds
Uncalled bet (¥64.5) returned to Bo
Bo collected ¥76 from pot
*** SUMMARY ***
Total pot ¥76 | Rake ¥0
"""


def test_run_it_once_shows_all_cards_and_first_wrote_raises_of_its_own_kind() -> None:
    """In the beginning of 2019, "to" is what is put in, and players check when all are all-in."""
    hand = read_hand(RUN_IT_ONCE)
    assert hand.players == ("Di N", "Bo", "Ann R", "Cy G")
    assert None not in hand.holes
    assert hand.actions[7] == Raise(Chips(131))
    assert [int(chips) for chips in hand.payoffs] == [-2, 424, -477, 0]
    assert hand.rake == 55
    assert (hand.currency, hand.number) == ("€", 30702949)
    assert hand.played_at == datetime(2019, 2, 8, 15, 19, tzinfo=UTC)
    with pytest.raises(ValueError, match="calls"):
        read_hand(RUN_IT_ONCE.replace("calls €0.73", "calls €0.72"))
    later = RUN_IT_ONCE.replace("raises €0.54 to €1.12", "raises €0.73 to €1.31")
    later = later.replace("Bo: checks\nAnn R: checks\n*** SHOW", "*** SHOW")
    assert rules_and_course(read_hand(later)) == rules_and_course(hand)


def test_run_it_once_adds_money_to_some_pots() -> None:
    text = RUN_IT_ONCE.replace("*** HOLE CARDS ***", "*** HOLE CARDS ***\nSTP added: €0.50")
    with pytest.raises(ValueError, match="illegal action"):
        read_hand(text)


def test_poker_master_calls_a_straddle_a_big_blind() -> None:
    hand = read_hand(POKER_MASTER)
    assert hand.players == ("身轻如燕", "933215526", "Ann", "Bo")
    assert (hand.rules.blinds, hand.rules.antes) == ((200, 400, 800, 0), (100,) * 4)
    assert hand.rules.first_to_act[0] == 3
    assert [int(chips) for chips in hand.payoffs] == [-300, -500, -3400, 4200]
    assert hand.currency == "¥"


def test_poker_bros_writes_as_pokerstars_does() -> None:
    text = PLAIN.replace("PokerStars Game", "PokerBros Hand").replace("$32.60", "$32.6")
    text = text.replace("13:51:22 ET", "17:51:22 UTC")
    hand = read_hand(text)
    assert rules_and_course(hand) == rules_and_course(read_hand(PLAIN))
    assert hand.played_at == read_hand(PLAIN).played_at


def test_a_converter_writes_antes_after_the_cards_and_raises_by_their_total() -> None:
    """As programs do that turn PokerNow's logs into such texts."""
    text = HAND.replace("Dealt to Cy [As Kd]\n", "").replace(
        "*** HOLE CARDS ***\n",
        "*** HOLE CARDS ***\nDealt to Cy [As Kd]\n"
        "Ann: posts an ante of $0.10\nBo: [b] (c): posts an ante of $0.10\n"
        "Cy: posts an ante of $0.10\n",
    )
    text = text.replace("raises $1 to $2", "raises to $2")
    text = text.replace("collected $4.28", "collected $4.58").replace("($4.28)", "($4.58)")
    hand = read_hand(text.replace("Total pot $4.50", "Total pot: $4.80"))
    assert hand.rules.antes == (10, 10, 10)
    assert [int(chips) for chips in hand.payoffs] == [-60, -210, 248]


def test_rooms_that_write_as_pokerstars_does_are_found_hand_by_hand(tmp_path: Path) -> None:
    log = tmp_path / "hands.txt"
    log.write_text(RUN_IT_ONCE + "\n" + POKER_MASTER + PLAIN, encoding="utf-8")
    assert [type(hand) for hand in read(log)] == [HandRecord] * 3


@pytest.mark.parametrize("spelt", [str.lower, str.upper])
def test_two_hands_without_an_empty_line_between_them_are_two(
    spelt: Callable[[str], str], tmp_path: Path
) -> None:
    first_line, _, rest = RUN_IT_ONCE.partition("\n")
    hand = f"{spelt(first_line[:16])}{first_line[16:]}\n{rest}".rstrip() + "\n"
    path = tmp_path / "two.txt"
    path.write_text(hand + hand)
    assert len(list(read(path))) == 2
