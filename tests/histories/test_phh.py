"""PHH and PHHS: the format's own reference, pokerkit, reads and plays what we write."""

from __future__ import annotations

import dataclasses
import io
import tomllib
import tracemalloc
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pokerkit
import pytest

from railbird.cards import format_holding
from railbird.game import (
    Betting,
    Call,
    Fold,
    OddChips,
    OpenFold,
    Raise,
    Rules,
    ShortAllIn,
    limit_holdem,
    no_limit_holdem,
)
from railbird.histories import (
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    WriteOptions,
    convert,
    format_named,
    read,
    read_hand,
)
from railbird.histories.phh import fields_of
from railbird.units import Chips
from twins.slow_histories import random_record

PHH = format_named("phh")
GOLDEN = Path(__file__).parents[1] / "golden" / "histories" / "hands.phhs"

THREE = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = [ # by hand
  'd dh p1 3c9s', 'd dh p2 6d5s', "d dh p3 ????",
  'p3 cc', 'p1 cbr 300 # a squeeze', 'p2 f', 'p3 f',
]
"""


def written(*hands: HandRecord) -> str:
    assert PHH.write is not None
    return "".join(str(piece) for piece in PHH.write(hands, WriteOptions()))


def skipped(text: str) -> Skipped:
    (found,) = PHH.read(io.StringIO(text), ReadOptions(file="x"))
    assert isinstance(found, Skipped)
    return found


def test_a_hand_written_by_hand() -> None:
    hand = read_hand(THREE)
    assert hand.players == ("p1", "p2", "p3")
    assert hand.actions == (Call(), Raise(Chips(300)), Fold(), Fold())
    assert list(map(int, hand.payoffs)) == [200, -100, -100]
    assert [hole and format_holding(hole) for hole in hand.holes] == ["9s3c", "6d5s", None]
    assert hand.low_first == 0b001
    assert hand.rules.first_to_act == (2, 0, 0, 0)


def test_money_in_decimals_is_counted_in_cents() -> None:
    text = THREE.replace("50, 100", "0.5, 1.00").replace("min_bet = 100", "min_bet = 1")
    hand = read_hand(text.replace("10000", "100").replace("300", "3.25"))
    assert hand.denomination == Fraction(1, 100)
    assert hand.rules.blinds == (50, 100, 0)
    assert hand.actions[1] == Raise(Chips(325))
    assert list(map(int, hand.payoffs)) == [200, -100, -100]


@pytest.mark.parametrize(
    ("old", "new", "reason", "detail"),
    [
        ("'NT'", "'PO'", SkipReason.ANOTHER_GAME, "variant 'PO'; allowed: FT, NT, PT"),
        ("min_bet = 100\n", "", SkipReason.UNREADABLE, "no field 'min_bet'"),
        ("'p2 f'", "'p3 f'", SkipReason.ILLEGAL_ACTION, "p3 folds out of turn"),
        ("'p2 f'", "'p9 f'", SkipReason.UNREADABLE, "player 'p9'"),
        ("'p2 f'", "'p2 jumps'", SkipReason.UNREADABLE, "action 'p2 jumps'"),
        ("300 ", "150 ", SkipReason.ILLEGAL_ACTION, "raise to 150"),
        ("300 ", "nan ", SkipReason.UNREADABLE, "'NaN' is no amount"),
        ("'p3 f',", "", SkipReason.UNFINISHED, "seat 2 is to act"),
        ("6d5s", "6d3c", SkipReason.DUPLICATE_CARD, "3c"),
        ("6d5s", "6x5s", SkipReason.UNREADABLE, "6x5s"),
        ("[0, 0, 0]", "[0, 0]", SkipReason.ANOTHER_GAME, "2 antes, 3 posts and 3 stacks"),
        ("10000, 10000, 10000", "10000", SkipReason.ANOTHER_GAME, "3 antes, 3 posts and 1 stacks"),
        ("'p1 cbr", "'p1 cbr' 'p1", SkipReason.UNREADABLE, "Unclosed array"),
        ("min_bet", "finishing_stacks = [1, 2, 3]\nmin_bet", SkipReason.WRONG_PAYOFF, "the log"),
        ("min_bet", f"hand = {'9' * 5000}\nmin_bet", SkipReason.UNREADABLE, "digits"),
        ("10000, 10000, 10000", f"1, 1, {'9' * 4000}", SkipReason.ANOTHER_GAME, "stacks (1, 1"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, reason: SkipReason, detail: str) -> None:
    assert old in THREE
    found = skipped(THREE.replace(old, new))
    assert (found.reason, found.line) == (reason, 1)
    assert detail in found.detail
    assert len(found.detail) <= 200


def test_a_damaged_hand_costs_only_itself() -> None:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines(keepends=True)
    good = list(read(GOLDEN))
    for number, line in enumerate(lines):
        if not line.startswith(("actions", "[")):
            continue
        damaged = [*lines[:number], line.replace("]", ""), *lines[number + 1 :]]
        found = list(PHH.read(damaged, ReadOptions()))
        bad = [item for item in found if isinstance(item, Skipped)]
        assert len(found) == len(good)
        assert [item for item in found if isinstance(item, HandRecord)] == [
            hand for hand in good if hand in found
        ]
        assert len(bad) <= 1
        for item in bad:
            assert lines[item.line - 1].startswith("[")


def test_a_single_hand_has_no_header(tmp_path: Path) -> None:
    hand = random_record(np.random.default_rng(1), no_limit_holdem(2, blinds=(1, 2), stack=50))
    (tmp_path / "one.phh").write_text(written(hand))
    assert "[1]" not in written(hand)
    assert list(read(tmp_path / "one.phh")) == [hand]


def test_rules_are_those_of_the_acpc_or_of_a_card_room() -> None:
    """Folding where checking is free is what the ACPC's dealer refuses and people do."""
    folded = THREE.replace("'p3 cc', 'p1 cbr 300 # a squeeze', 'p2 f', 'p3 f'", "'p3 cc', 'p1 cc'")
    folded = folded.replace("'p1 cc',", "'p1 cc', 'p2 f', 'd db 2c2d2h', 'p1 f',")
    assert read_hand(THREE).rules.open_fold is OpenFold.REFUSED
    assert read_hand(folded).rules.open_fold is OpenFold.ALLOWED
    assert read_hand(folded).rules.odd_chips is OddChips.FIRST_LEFT


def test_rake_is_what_the_stacks_lack() -> None:
    text = THREE + "finishing_stacks = [10190, 9900, 9900]\n"
    hand = read_hand(text)
    assert list(map(int, hand.payoffs)) == [190, -100, -100]
    assert hand.rake == 10
    assert read_hand(written(hand)) == hand
    more = THREE + "finishing_stacks = [10210, 9900, 9900]\n"
    assert "more than was put in" in skipped(more).detail
    loser = THREE + "finishing_stacks = [10200, 9890, 9900]\n"
    assert skipped(loser).reason is SkipReason.WRONG_PAYOFF
    cut = THREE + "finishing_stacks = [1020, 9900, 9900]\n"  # a digit is missing
    assert "more than somebody put in" in skipped(cut).detail


COLLECTED = """\
variant = 'NT'
antes = [0, 0, 0, 0, 0, 0]
blinds_or_straddles = [0.25, 0.50, 0, 0, 0, 0]
min_bet = 0.50
starting_stacks = [53.20, 67.10, 15.15, 115.90, 61.80, 65.30]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'd dh p4 ????', 'd dh p5 ????', \
'd dh p6 ????', 'p3 f', 'p4 f', 'p5 cc', 'p6 f', 'p1 f', 'p2 cc', 'd db 7h5d4s', 'p2 cc', \
'p5 cbr 1', 'p2 f']
winnings = [0, 0, 0, 0, 1.20, 0]
"""
"""Of the 1.25 in the pot five hundredths were rake; nobody called the bet of 1."""


@pytest.mark.parametrize(
    ("winnings", "payoff", "rake"),
    [
        ("1.20", 70, 5),
        ("2.20", 70, 5),  # with the uncalled bet in it
        ("2.25", 75, 0),
        ("1.25", 75, 0),
        ("0", 75, 0),  # nothing but zeros: not known
    ],
)
def test_winnings_are_what_was_collected(winnings: str, payoff: int, rake: int) -> None:
    hand = read_hand(COLLECTED.replace("1.20", winnings))
    assert list(map(int, hand.payoffs)) == [-25, -50, 0, 0, payoff, 0]
    assert hand.rake == rake
    again = read_hand(written(hand))
    assert again == hand
    ends = fields_of(written(hand).splitlines())["finishing_stacks"]
    assert ends[4] == Decimal("61.80") + Decimal(payoff) / 100


def test_winnings_that_cannot_be() -> None:
    for amounts in ("1.30", "1.20, 0", "9"):
        found = skipped(COLLECTED.replace("1.20", amounts))
        assert found.reason in (SkipReason.WRONG_PAYOFF, SkipReason.UNREADABLE)
    somebody_else = COLLECTED.replace("0, 0, 0, 0, 1.20, 0", "0, 1.20, 0, 0, 0, 0")
    assert skipped(somebody_else).reason is SkipReason.WRONG_PAYOFF


def test_finishing_stacks_win_over_winnings() -> None:
    ends = "finishing_stacks = [52.95, 66.60, 15.15, 115.90, 62.51, 65.30]\n"
    assert read_hand(COLLECTED + ends).rake == 4


def test_the_shared_hand_with_winnings(shared_data: Path, tmp_path: Path) -> None:
    (hand,) = read(shared_data / "faults" / "winnings.phhs")
    assert isinstance(hand, HandRecord)
    assert (int(hand.payoffs[4]), int(hand.rake)) == (70, 5)
    convert(shared_data / "faults" / "winnings.phhs", tmp_path / "again.phhs")
    assert list(read(tmp_path / "again.phhs")) == [hand]


@pytest.mark.parametrize(
    "number", ["1e99999999", "1e-99999999", "9e999999999999", "0." + "1" * 9000]
)
@pytest.mark.parametrize(
    "field", ["finishing_stacks", "winnings", "starting_stacks", "blinds_or_straddles", "min_bet"]
)
def test_numbers_of_any_size_take_no_room(number: str, field: str) -> None:
    """The digits of 1e99999999 alone would be 40 megabytes, and their arithmetic minutes."""
    value = number if field == "min_bet" else f"[{number}, 1, 2]"
    text = "".join(line for line in THREE.splitlines(keepends=True) if not line.startswith(field))
    raised = THREE.replace("cbr 300", f"cbr {number}")
    tracemalloc.start()
    try:
        assert skipped(text.replace("antes", f"{field} = {value}\nantes", 1)).reason in SkipReason
        assert skipped(raised).reason in (SkipReason.UNREADABLE, SkipReason.ILLEGAL_ACTION)
        assert tracemalloc.get_traced_memory()[1] < 5e6
    finally:
        tracemalloc.stop()


def test_times_read_back_as_the_same_moment() -> None:
    day = "day = 3\nmonth = 5\nyear = 2019\n"
    text = f"{THREE}time = 01:30:00\ntime_zone = 'America/Denver'\n{day}"
    hand = read_hand(text)
    assert hand.played_at == datetime(2019, 5, 3, 7, 30, tzinfo=UTC)
    assert read_hand(written(hand)) == hand
    nowhere = read_hand(text.replace("America/Denver", "Middle/Earth"))
    assert nowhere.played_at == datetime(2019, 5, 3, 1, 30)


def test_plain_lines_are_read_as_tomls_own_parser_does() -> None:
    golden = GOLDEN.read_text(encoding="utf-8").split("\n\n")
    odd = "a = 1 # one\n# two\n\nb = 0.50\nc = \"x = 1\"\nd = 'é'\ne = [1, [2]]\nf = 12:12:03\n"
    more = "g = inf\nh = [0.5, inf]\ni = {x = [1]}\nj = ''\nk = []\nl = ['', 'a']\nm = -1\n"
    lines = 'n = [1,\n2]\no = """\np = 1\nq = 2"""\nr-s = true\nt.u = 1\n'
    hands = [part.partition("\n")[2] for part in golden]
    for block in [THREE, odd, odd + more, more, lines, *hands]:
        assert fields_of(block.splitlines(keepends=True)) == tomllib.loads(
            block, parse_float=Decimal
        )


@pytest.mark.parametrize(
    "rules",
    [
        no_limit_holdem(2, blinds=(1, 2), stack=60),
        no_limit_holdem(3, blinds=(50, 100), stack=(2000, 900, 10000)),
        no_limit_holdem(6, blinds=(50, 100), stack=3000, ante=10),
        limit_holdem(2, stack=400, max_raises=(4, 4, 4, 4)),
        limit_holdem(4, stack=300, max_raises=(4, 4, 4, 4)),
    ],
    ids=str,
)
def test_pokerkit_plays_what_we_write(rules: Rules) -> None:
    """pokerkit replays the text to our finishing stacks; odd chips are left out on purpose."""
    rules = dataclasses.replace(rules, open_fold=OpenFold.REFUSED, short_all_in=ShortAllIn.CLOSED)
    rng = np.random.default_rng(17)
    for number in range(25):
        hand = random_record(rng, rules, number=number)
        history = pokerkit.HandHistory.loads(written(hand))
        assert history.players == list(hand.players)
        *_, end = history
        assert sum(end.stacks) == sum(history.starting_stacks)
        assert end.stacks == pytest.approx(history.finishing_stacks, abs=odd_chips(hand))


def odd_chips(hand: HandRecord) -> int:
    """How far apart two ways may be to give away what a pot split leaves: a chip a pot and seat."""
    winners = sum(payoff > 0 for payoff in hand.payoffs)
    return 0 if winners == 1 else hand.rules.seats


@pytest.mark.slow
def test_pluribus_hands_are_the_same_in_both_notations(shared_data: Path, tmp_path: Path) -> None:
    """All 10,000, in 8 of which a pot was split into half chips."""
    folder = shared_data / "pluribus"
    game = "holdem.nolimit.6p.game,stack=10000"
    hands = list(read(folder / "pluribus_10000.phhs.gz"))
    count = halves = 0
    others = read(folder / "pluribus_10000.state.log.gz", game=game)
    for hand, other in zip(hands, others, strict=True):
        assert isinstance(hand, HandRecord)
        assert isinstance(other, HandRecord)
        # The one notation calls a table what the other notes as the session.
        assert dataclasses.replace(hand, table="", comment=f"session {hand.table}") == other
        assert hand.low_first == other.low_first
        count += 1
        halves += any(payoff.denominator == 2 for payoff in hand.payoffs)
    assert (count, halves) == (10_000, 8)
    betting = {hand.rules.betting for hand in hands if isinstance(hand, HandRecord)}
    assert betting == {Betting.NO_LIMIT}
    assert convert(folder / "pluribus_10000.phhs.gz", tmp_path / "again.phhs.gz").hands == 10_000
    assert list(read(tmp_path / "again.phhs.gz")) == hands


OVERSHOVE = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [1000, 400, 1000]
actions = ['d dh p1 ????', 'd dh p2 AcAd', 'd dh p3 KcKd', 'p3 cbr 1000', 'p1 f', 'p2 cc',
 'd db 2c7dJh', 'd db Qs', 'd db 3h', 'p3 sm KcKd', 'p2 sm AcAd']
finishing_stacks = [995, {winner}, {loser}]
"""


@pytest.mark.parametrize(("winner", "loser", "good"), [(775, 600, True), (785, 590, False)])
def test_no_rake_is_taken_from_a_bet_that_nobody_called(
    winner: int, loser: int, good: bool, tmp_path: Path
) -> None:
    """Who covers and loses gets back all that was not called."""
    path = tmp_path / "hand.phh"
    path.write_text(OVERSHOVE.format(winner=winner, loser=loser))
    (hand,) = read(path)
    assert isinstance(hand, HandRecord) == good
