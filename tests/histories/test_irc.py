"""The IRC poker database: its two documented hands, and random ones told in its way."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import format_holding
from railbird.game import Call, Fold, Raise
from railbird.histories import HandRecord, ReadOptions, Skipped, SkipReason, format_named, read
from railbird.units import Chips
from reference.irc_text import irc_rules, irc_text
from reference.slow_histories import random_record

IRC = format_named("irc")

HAND = """\
820830094  20  1163  2  2/20    2/40    2/80     2/80     Qc 4s 6s 5d 4d
820830094  2 Jak num
Jak       820830094  2  1 Bc  kc    kc    k          850   40   80 7c Ac
num       820830094  2  2 Bk  b     b     k         1420   40    0 9h Kh
"""


def read_text(text: str) -> list[HandRecord | Skipped]:
    return list(IRC.read(text.splitlines(keepends=True), ReadOptions()))


@pytest.mark.parametrize("what", ["hdb", "."])
def test_the_documented_hands(what: str, shared_data: Path) -> None:
    first, second = read(shared_data / "irc" / what)
    assert isinstance(first, HandRecord)
    assert isinstance(second, HandRecord)
    assert (first.rules.blinds[:3], first.rules.bet_sizes) == ((25, 50, 0), (50, 50, 100, 100))
    assert list(map(int, first.payoffs)) == [-300, -300, -500, 0, 0, -300, -500, 1900]
    shown = [hole and format_holding(hole) for hole in first.holes]
    assert shown == [None, None, "QhJh", None, None, None, "AsKc", "AdQs"]
    assert sum(isinstance(action, Raise) for action in first.actions) == 6
    assert sum(isinstance(action, Fold) for action in first.actions) == 5
    assert second.rules.bet_sizes == (10, 10, 20, 20)
    assert second.rules.first_to_act == (0, 0, 0, 0)
    assert list(map(int, second.payoffs)) == [40, -40]
    assert second.played_at == datetime(1996, 1, 5, 8, 21, 34, tzinfo=UTC)
    assert second.number == 1163


def test_players_in_files_of_their_own(shared_data: Path, tmp_path: Path) -> None:
    for name in ("hdb", "hroster"):
        shutil.copy(shared_data / "irc" / name, tmp_path / name)
    (tmp_path / "pdb").mkdir()
    for line in (shared_data / "irc" / "pdb.all").read_text().splitlines():
        (tmp_path / "pdb" / f"pdb.{line.split()[0]}").write_text(line + "\n")
    assert list(read(tmp_path)) == list(read(shared_data / "irc"))
    (tmp_path / "pdb" / "pdb.maurer").unlink()
    first, second = read(tmp_path)
    assert isinstance(second, HandRecord)
    assert isinstance(first, Skipped)
    assert first.detail == "no line of maurer for hand 766303976 of 8 players"


@given(st.integers(0, 2**32 - 1))
def test_random_hands_read_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hand = random_record(rng, irc_rules(rng), number=seed % 1000)
    (back,) = read_text(irc_text(hand, 800_000_000))
    if isinstance(back, Skipped):
        # If all have gone all-in at once, or nobody put in a whole bet, the size is not told.
        assert "A" in irc_text(hand, 800_000_000) or not any(hand.payoffs), back
        return
    assert back.players == hand.players
    assert (back.holes, back.low_first, back.board) == (hand.holes, hand.low_first, hand.board)
    assert back.payoffs == hand.payoffs
    assert back.actions == hand.actions
    assert back.rules.stacks == hand.rules.stacks


def test_an_all_in_is_a_call_or_a_raise() -> None:
    """Jak has 30: he calls 10 of num's 20 on the turn, or raises num's 10 on the flop by 10."""
    call = """\
820830094 20 1163 2 2/20 2/40 2/60 2/60 Qc 4s 6s 5d 4d
820830094 2 Jak num
Jak 820830094 2 1 Bc kc kA - 30 30 60 7c Ac
num 820830094 2 2 Bk b b - 1420 30 0 9h Kh
"""
    (hand,) = read_text(call)
    assert isinstance(hand, HandRecord), hand
    assert hand.actions[-2:] == (Raise(Chips(20)), Call())
    rise = call.replace("2/40 2/60", "2/60 2/60").replace("kc kA", "kA -").replace("b b", "bc -")
    (hand,) = read_text(rise)
    assert isinstance(hand, HandRecord), hand
    assert hand.actions[-2:] == (Raise(Chips(20)), Call())
    assert hand.rules.bet_sizes == (10, 10, 20, 20)


@pytest.mark.parametrize(
    ("old", "new", "reason", "detail"),
    [
        ("2/40 ", "2/50 ", SkipReason.WRONG_PAYOFF, "a pot of 50, but 40 were put in"),
        ("40   80 7c", "40   90 7c", SkipReason.WRONG_PAYOFF, "the log pays 50|-40"),
        ("Bk  b ", "Bk  k ", SkipReason.ILLEGAL_ACTION, "Jak acts after the betting"),
        ("kc    kc    k ", "kc    k     k ", SkipReason.ILLEGAL_ACTION, "Jak does nothing on the"),
        ("7c Ac", "7c Qc", SkipReason.DUPLICATE_CARD, "Qc comes twice"),
        ("Jak num", "Jak Num", SkipReason.CUT, "no line of Num for hand 820830094 of 2 players"),
        ("2  2 Bk", "2  3 Bk", SkipReason.WRONG_SEATS, "positions are not 1 to 2"),
        ("1163  2  2/20", "1163  0  2/20", SkipReason.CUT, "2 players' lines for hand"),
        ("4s 6s 5d 4d", "4s 6s", SkipReason.WRONG_BOARD, "cards"),
        ("1163  2  2/20", "1163  2  2/2x", SkipReason.UNREADABLE, "820830094"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, reason: SkipReason, detail: str) -> None:
    assert old in HAND
    (bad,) = read_text(HAND.replace(old, new))
    assert isinstance(bad, Skipped)
    assert (bad.reason, bad.line) == (reason, 1), bad
    assert detail in bad.detail


def test_a_hand_of_nobody() -> None:
    """Neither has it a roster, nor players' lines that would be missing."""
    (bad,) = read_text(HAND.splitlines(keepends=True)[0].replace("1163  2  2/20", "1163  0  2/20"))
    assert isinstance(bad, Skipped)
    assert bad.reason is SkipReason.WRONG_SEATS
