"""The IRC poker database: its two documented hands, and random ones told in its way."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.site_texts import irc_rules, irc_text
from railbird.cards import format_holding, holding_of, parse_cards
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    Action,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    HandState,
    Phase,
    Raise,
    Rules,
    act,
    initial,
    legal,
    limit_holdem,
    no_limit_holdem,
    payoffs,
    step,
)
from railbird.histories import (
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    WriteOptions,
    format_named,
    read,
)
from railbird.histories.irc import write
from railbird.units import Chips
from twins.slow_histories import random_record

IRC = format_named("irc")
NINETEEN_NINETY_FIVE = datetime.fromtimestamp(800_000_000, UTC)

HAND = """\
820830094  20  1163  2  2/20    2/40    2/80     2/80     Qc 4s 6s 5d 4d
820830094  2 Jak num
Jak       820830094  2  1 Bc  kc    kc    k          850   40   80 7c Ac
num       820830094  2  2 Bk  b     b     k         1420   40    0 9h Kh
"""


def read_text(text: str, rules: Rules | None = None) -> list[HandRecord | Skipped]:
    return list(IRC.read(text.splitlines(keepends=True), ReadOptions(rules=rules)))


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


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_random_hands_read_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hand = random_record(rng, irc_rules(rng), number=seed % 1000)
    text = irc_text(hand, 800_000_000)
    (back,) = read_text(text)
    if isinstance(back, Skipped):
        # If all have gone all-in at once, or nobody put in a whole bet, the size is not told.
        assert "A" in text or not any(hand.payoffs), back
        return
    assert back == dataclasses.replace(hand, rules=back.rules, played_at=NINETEEN_NINETY_FIVE)
    assert back.low_first == hand.low_first
    assert back.rules.stacks == hand.rules.stacks


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_random_hands_are_written_as_they_are_told(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hand = random_record(rng, irc_rules(rng), number=seed % 1000)
    text = irc_text(hand, 100_000)
    (written,) = write([hand], WriteOptions())
    if isinstance(written, Skipped):
        assert "A" in text or not any(hand.payoffs), written
        return
    assert written == text
    assert read_text(written) == [dataclasses.replace(hand, rules=hand.rules)]


@pytest.mark.slow(but=["3"])
@pytest.mark.parametrize("seats", [2, 3])
def test_no_limit_is_read_only_where_no_other_hand_is_told_so(seats: int) -> None:
    """Every hand of a small game, the cards apart: 2,258 heads-up, 1,324 between three."""
    rules = no_limit_holdem(seats, blinds=(1, 2), stack=(9, 9) if seats == 2 else (7, 5, 6))
    told: dict[str, list[HandRecord]] = {}
    for hand in every_hand(rules):
        told.setdefault(irc_text(hand, 100_000), []).append(hand)
    refused = 0
    for text, hands in told.items():
        (back,) = read_text(text, rules)
        if isinstance(back, Skipped):
            assert "does not follow from the pots" in back.detail, text
            refused += 1
        else:
            assert [hand.actions for hand in hands] == [back.actions], text
    assert sum(len(hands) for hands in told.values()) == {2: 2258, 3: 1324}[seats]
    assert refused / len(told) < 0.34


@given(st.integers(0, 2**32 - 1))
def test_random_no_limit_hands_are_read_right_or_refused(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hand = random_record(rng, irc_rules(rng, betting=Betting.NO_LIMIT), number=seed % 1000)
    (back,) = read_text(irc_text(hand, 100_000), hand.rules)
    (written,) = write([hand], WriteOptions())
    if isinstance(back, Skipped):
        assert back.reason is SkipReason.UNREADABLE
        assert isinstance(written, Skipped)
        return
    assert back == dataclasses.replace(hand, rules=back.rules)
    assert written == irc_text(hand, 100_000)


def test_no_limit_with_its_blinds(tmp_path: Path) -> None:
    """A raise and a call, a bet and a fold; seats and stacks are the hand's."""
    folder = tmp_path / "nolimit" / "199504"
    folder.mkdir(parents=True)
    (folder / "hdb").write_text(
        "797000000 1 7 3 2/85 2/165 0/0 0/0 2c 7d 9h Ts\n"
        "797000000 3 Ann Bob Cid\n"
        "Ann 797000000 3 1 Bf - - - 1000 5 0\n"
        "Bob 797000000 3 2 Bc kc b - 900 180 265\n"
        "Cid 797000000 3 3 r b f - 800 80 0\n"
    )
    (hand,) = read(folder, game="holdem.nolimit.6p.game,blind=5/10/0/0/0/0")
    assert isinstance(hand, HandRecord), hand
    assert [action.to for action in hand.actions if isinstance(action, Raise)] == [40, 40, 100]
    assert hand.rules.stacks == (1000, 900, 800)
    with pytest.raises(BadInput, match="nolimit has no fixed limit; allowed: its blinds"):
        list(read(folder))


def test_times(tmp_path: Path) -> None:
    """Two hands of one second, one of nobody knows when, one of an unknown zone."""
    rng = np.random.default_rng(4)
    second = datetime(1999, 5, 6, 7, 8, 9, tzinfo=UTC)
    moments = (second, second, None, second.replace(tzinfo=None), second + timedelta(days=1))
    hands = [
        dataclasses.replace(
            random_record(rng, irc_rules(rng), number=number), played_at=moment, table="somewhere"
        )
        for number, moment in enumerate(moments)
    ]
    pieces = list(write(hands, WriteOptions()))
    back = read_text("".join(piece for piece in pieces if isinstance(piece, str)))
    assert [hand.played_at for hand in back if isinstance(hand, HandRecord)] == [
        second,
        None,
        None,
        None,
        second + timedelta(days=1),
    ]
    assert [hand.payoffs for hand in back if isinstance(hand, HandRecord)] == [
        hand.payoffs for hand in hands
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": ("a b", "c")}, "the name 'a b'"),
        ({"payoffs": (Fraction(1, 2), Fraction(-1, 2))}, "1/2 chips; allowed: whole ones"),
        ({"number": 10**15}, "not as the database would have it"),
    ],
)
def test_what_cannot_be_said_is_refused(change: dict[str, Any], words: str) -> None:
    hand = dataclasses.replace(random_record(np.random.default_rng(5), limit_holdem()), **change)
    (refused,) = write([hand], WriteOptions())
    assert isinstance(refused, Skipped)
    assert refused.reason is SkipReason.NOT_REPRESENTABLE
    assert words in refused.detail


def every_hand(rules: Rules) -> Iterator[HandRecord]:
    """Every betting that the rules allow, with the same cards."""
    holes = tuple(
        holding_of(*parse_cards(text)) for text in ("AsAh", "3c4d", "QdQc")[: rules.seats]
    )
    board = parse_cards("2c7d9hTsKc")

    def ahead(state: HandState, done: tuple[Action, ...]) -> Iterator[HandRecord]:
        while state.phase is Phase.DEAL_BOARD:
            first, last = BOARD_CARDS[state.street : state.street + 2]
            state = step(state, DealBoard(board[first:last]))
        if state.phase is not Phase.BETTING:
            yield HandRecord(
                rules=rules,
                players=tuple("ABC"[: rules.seats]),
                holes=holes,
                board=state.board,
                actions=done,
                payoffs=payoffs(state),
                number=1,
            )
            return
        allowed = legal(state)
        actions: list[Action] = [Call()]
        if allowed.to_call:
            actions.append(Fold())
        if allowed.min_raise_to is not None and allowed.max_raise_to is not None:
            sizes = range(allowed.min_raise_to, allowed.max_raise_to + 1)
            actions += [Raise(Chips(size)) for size in sizes]
        for action in actions:
            yield from ahead(act(state, action), (*done, action))

    yield from ahead(step(initial(rules), DealHoles(holes)), ())


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
