"""Hands as data frames: a row a hand, a seat and an action, each hand once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from helpers.random_records import random_hand
from railbird.assessment import statistics_by_player
from railbird.cards import HOLDING_CARDS, Holding
from railbird.errors import NothingUsable
from railbird.game import Call, Fold, Raise
from railbird.histories import Skipped, SkipReason, frames, read_hand, write
from railbird.histories.record import HandRecord


@pytest.fixture
def hands() -> list[HandRecord]:
    random = np.random.default_rng(5)
    return [random_hand(random, number=number) for number in range(30)]


def test_they_say_what_the_records_say(hands: list[HandRecord]) -> None:
    found = frames(hands)
    assert found.hands["hand"].to_list() == list(range(len(hands)))
    assert found.hands["number"].to_list() == [hand.number for hand in hands]
    assert found.hands["actions"].to_list() == [len(hand.actions) for hand in hands]
    won = found.players.sort("hand", "seat")["won"].to_list()
    assert won == [float(chips) for hand in hands for chips in hand.payoffs]
    words = {Fold: {"fold"}, Call: {"check", "call"}, Raise: {"bet", "raise"}}
    told = found.actions["action"].to_list()
    acted = [action for hand in hands for action in hand.actions]
    assert all(word in words[type(action)] for word, action in zip(told, acted, strict=True))
    raised = [action.to for action in acted if isinstance(action, Raise)]
    is_raise = pl.col("action").is_in(["bet", "raise"])
    assert found.actions.filter(is_raise)["amount"].to_list() == raised
    assert found.actions.filter(pl.col("action") == "check")["to_call"].sum() == 0


def test_what_is_not_known_is_null() -> None:
    hand = read_hand("Ts6s,??,Td5hTh/2d/2h SlCk/kBrC/bRrC/bF")
    found = frames(hand)
    assert found.players["cards"].to_list() == ["Ts6s", None]
    assert found.players["stack"].to_list() == [None, None]
    assert found.players["from_button"].to_list() == [1, 0]
    assert found.hands.select("number", "played_at").row(0) == (None, None)


def test_a_hand_seen_by_two_counts_once_with_all_cards(
    tmp_path: Path, hands: list[HandRecord]
) -> None:
    shown = [replace(hand, board=hand.board) for hand in hands if None not in hand.holes]
    paths = []
    for seat in (0, 1):
        paths.append(tmp_path / f"{seat}.phhs")
        write(
            [
                replace(
                    hand, holes=tuple(c if s == seat else None for s, c in enumerate(hand.holes))
                )
                for hand in shown
                if len(hand.board) == 5
            ],
            paths[-1],
        )
    one, both = frames(paths[0]), frames(paths)
    assert both.hands.height == one.hands.height > 5
    assert both.players["cards"].null_count() == 0
    assert one.players["cards"].null_count() == one.hands.height
    counted = statistics_by_player(paths)
    assert {of.hands for of in counted.players.values()} == {one.hands.height}


@pytest.mark.parametrize("copies", [1, 12])
def test_a_view_that_contradicts_is_told(hands: list[HandRecord], copies: int) -> None:
    """The first view stands, in the frames and in the counts."""
    whole = next(hand for hand in hands if None not in hand.holes and len(hand.board) == 5)
    known = [hole for hole in whole.holes if hole is not None]
    dealt = [*whole.board, *HOLDING_CARDS[known].flat]
    is_free = ~np.isin(HOLDING_CARDS, dealt).any(axis=1)
    free = [Holding(hole) for hole in np.flatnonzero(is_free).tolist()]
    others = [replace(whole, holes=(hole, *whole.holes[1:]), number=7) for hole in free[:copies]]
    views = [replace(whole, number=7), *others]
    for count in (frames, statistics_by_player):
        told: list[Skipped] = []
        counts: Callable[..., object] = count
        counts(views, on_skip=told.append)
        assert {each.reason for each in told} == {SkipReason.CONTRADICTED}
        assert "contradicts hand 7" in told[0].detail
        assert len(told) == min(copies, 11)
        assert copies == 1 or told[-1].detail.startswith("2 further views")
    assert frames(views).hands.height == 1


def test_what_cannot_be_read_is_told(tmp_path: Path, hands: list[HandRecord]) -> None:
    log = tmp_path / "log.txt"
    write(hands, log, format_name="line")
    log.write_text(log.read_text() + "no hand\n")
    skipped: list[Skipped] = []
    assert frames(log, on_skip=skipped.append).hands.height == len(hands)
    assert len(skipped) == 1
    for empty in (frames, statistics_by_player):
        reads: Callable[..., object] = empty
        with pytest.raises(NothingUsable):
            reads([])


def test_statistics_are_a_table_for_any_library(hands: list[HandRecord]) -> None:
    found = statistics_by_player(hands)
    table = found.to_polars()
    assert table["player"].to_list() == [*found.players]
    assert table["vpip"].is_between(0, 1).all()
    again = pl.DataFrame(found)
    assert again.equals(table)
