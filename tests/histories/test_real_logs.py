"""Every hand of the real logs is read, verified and paid as the log says."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pokerkit
import pytest

from railbird.cards import format_cards
from railbird.game import BOARD_CARDS, Call, Fold, Raise
from railbird.histories import (
    HandRecord,
    Skipped,
    SkipReason,
    WriteOptions,
    convert,
    read,
    state_line,
)
from railbird.histories.betting import course_of
from railbird.histories.text_values import hole_cards
from railbird.units import Chips
from twins.slow_histories import slow_state_line

PLURIBUS = "holdem.nolimit.6p.game,stack=10000"


def good(path: Path, game: str | None = None) -> Iterator[HandRecord]:
    for hand in read(path, game=game):
        assert isinstance(hand, HandRecord), hand
        yield hand


def lines_of(path: Path) -> list[str]:
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    return [line for line in text.splitlines(keepends=True) if line.startswith("STATE:")]


@pytest.mark.slow(but=["limit2p", "nolimit2p"])
@pytest.mark.parametrize("name", ["limit2p", "limit3p", "nolimit2p", "nolimit3p"])
def test_logs_of_the_acpc_dealer(name: str, shared_data: Path, tmp_path: Path) -> None:
    """Byte for byte, the SCORE line included, which the dealer added up itself."""
    path = shared_data / "acpc_loopback" / f"{name}.log"
    hands = list(good(path))
    assert len(hands) == 1000
    for hand, line in zip(hands[:100], lines_of(path), strict=False):
        assert hand == slow_state_line(line, hand.rules)
    head = path.read_text().splitlines()[:4]
    seed = int(head[0].split()[-1])
    notes = tuple(line.removeprefix("#") for line in head[1:])
    options = WriteOptions(match=name, hands=1000, seed=seed, notes=notes)
    assert convert(path, tmp_path / "out.log", options=options).hands == 1000
    assert (tmp_path / "out.log").read_bytes() == path.read_bytes()


def test_the_dealers_transcript(shared_data: Path) -> None:
    """The file is cut in its twelfth hand."""
    folder = shared_data / "acpc_loopback"
    rename = {"player 1": "Alice", "player 2": "Bob"}
    *hands, last = read(folder / "limit2p.transcript.txt", rename=rename)
    assert hands == list(good(folder / "limit2p.log"))[:11]
    assert isinstance(last, Skipped)
    assert last.reason is SkipReason.CUT


@pytest.mark.slow
def test_poker_academy_hands(shared_data: Path) -> None:
    path = shared_data / "poker_academy" / "mvb1_mvb2.acpc.log.gz"
    lines = lines_of(path)
    total = {"Mvb1": Fraction(0), "Mvb2": Fraction(0)}
    for hand, line in zip(good(path), lines, strict=True):
        assert state_line(hand, hand.number or 0) == line
        for player, payoff in zip(hand.players, hand.payoffs, strict=True):
            total[player] += payoff
    assert len(lines) == 36_454
    assert sum(total.values()) == 0
    said = sum(
        int(line.split(":")[4].split("|")[line.split(":")[5].startswith("Mvb2")]) for line in lines
    )
    assert total["Mvb1"] == said


def test_poker_academys_own_text(shared_data: Path) -> None:
    """The first 202 hands of the same match, in both formats; the text is cut in the next one."""
    folder = shared_data / "poker_academy"
    *hands, last = read(folder / "original_text_sample.txt")
    assert isinstance(last, Skipped)
    assert last.reason is SkipReason.CUT
    assert len(hands) == 202
    lines = lines_of(folder / "mvb1_mvb2.acpc.log.gz")
    for number, hand in enumerate(hands):
        assert isinstance(hand, HandRecord)
        assert hand.number == 574_644 + number
        assert state_line(hand, number) == lines[number]


@pytest.mark.slow
def test_pluribus_hands(shared_data: Path) -> None:
    """All 10,000; in 8 of them the log has half chips, written with a needless decimal zero."""
    path = shared_data / "pluribus" / "pluribus_10000.state.log.gz"
    lines = lines_of(path)
    halves = 0
    for hand, line in zip(good(path, PLURIBUS), lines, strict=True):
        halves += any(payoff.denominator == 2 for payoff in hand.payoffs)
        plain = line.replace(".0|", "|").replace(".0:", ":")
        assert state_line(hand, hand.number or 0) == plain
    assert (len(lines), halves) == (10_000, 8)


@pytest.mark.slow
def test_pluribus_hands_in_the_other_notation(shared_data: Path) -> None:
    """The same hands in PHHS, which pokerkit reads: dealt, played and paid the same."""
    folder = shared_data / "pluribus"
    packed = gzip.decompress((folder / "pluribus_10000.phhs.gz").read_bytes())
    histories = pokerkit.HandHistory.load_all(io.BytesIO(packed))
    hands = good(folder / "pluribus_10000.state.log.gz", PLURIBUS)
    for history, hand in zip(histories, hands, strict=True):
        assert list(hand.players) == history.players
        shown = [event for event in history.actions if " sm" not in event]
        assert phh_actions(hand) == shown
        assert history.finishing_stacks is not None
        ends = zip(history.finishing_stacks, history.starting_stacks, strict=True)
        assert hand.payoffs == tuple([Fraction(end) - Fraction(start) for end, start in ends])


def phh_actions(hand: HandRecord) -> list[str]:
    """Deals and actions in the notation of PHH (Kim 2024), in which raises are to a total too."""
    events = [
        f"d dh p{seat + 1} {format_cards(hole_cards(hole, low_first=hand.low_first >> seat & 1))}"
        for seat, hole in enumerate(hand.holes)
        if hole is not None
    ]
    course = course_of(hand.rules, hand.actions)
    street = 0
    for move in course.moves:
        events += deals(hand, street, move.street)
        street = move.street
        match move.action:
            case Fold():
                events.append(f"p{move.seat + 1} f")
            case Call():
                events.append(f"p{move.seat + 1} cc")
            case Raise(to):
                events.append(f"p{move.seat + 1} cbr {to}")
    return events + deals(hand, street, course.street)


def deals(hand: HandRecord, done: int, until: int) -> list[str]:
    streets = range(done, until)
    return [
        f"d db {format_cards(hand.board[BOARD_CARDS[s] : BOARD_CARDS[s + 1]])}" for s in streets
    ]


def test_a_raise_that_those_still_to_act_could_not_call(shared_data: Path) -> None:
    """PokerStars let somebody raise to 5.90 over an all-in, against one who had 2.83."""
    (hand,) = good(shared_data / "faults" / "raise_nobody_calls.txt")
    assert Raise(Chips(590)) in hand.actions
    assert hand.rules.stacks is not None
    assert sorted(hand.rules.stacks)[1] == 283
