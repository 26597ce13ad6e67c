"""Asking for one decision of a recorded hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird.arena import Match, play
from railbird.errors import BadInput
from railbird.game import acpc_rules, limit_holdem
from railbird.histories import HandRecord, Skipped, SkipReason, read
from railbird.players import make_player
from railbird.players.advice.recorded_hands import ask, decisions_of, nth_hand
from railbird.units import Seat


@pytest.fixture(scope="module")
def hands(tmp_path_factory: pytest.TempPathFactory) -> list[HandRecord]:
    match = Match(
        players=("baseline", "always-call"), rules=acpc_rules(limit_holdem()), deals=12, seed=4
    )
    log = tmp_path_factory.mktemp("logs") / "log"
    play(match, log=log)
    return [hand for hand in read(log) if isinstance(hand, HandRecord)]


def test_who_played_answers_as_it_played(hands: list[HandRecord], tmp_path: Path) -> None:
    del tmp_path
    for record in hands:
        seat = Seat(record.players.index("baseline"))
        for decision in range(1, decisions_of(record, seat) + 1):
            asked = ask(make_player("baseline"), record, seat, decision=decision)
            assert asked.action == asked.played
            assert asked.view.state.actor == seat == asked.view.seat
            assert asked.before[-1].after.actor == seat


def test_the_last_decision_is_asked_for_by_default(hands: list[HandRecord]) -> None:
    seat = Seat(hands[0].players.index("baseline"))
    last = ask(make_player("baseline"), hands[0], seat)
    count = decisions_of(hands[0], seat)
    assert last == ask(make_player("baseline"), hands[0], seat, decision=count)


def test_hands_are_counted_from_one(hands: list[HandRecord]) -> None:
    before, wanted = nth_hand(hands, 3)
    assert wanted is hands[2]
    assert before == hands[:2]
    with pytest.raises(BadInput, match="hand 13; allowed: 1 to 12"):
        nth_hand(hands, 13)
    with pytest.raises(BadInput, match="allowed: 1 to 12"):
        nth_hand(hands, 1 << 64)
    with pytest.raises(BadInput, match="cannot be used: cut off"):
        nth_hand([Skipped(SkipReason.CUT, 1, "x")], 1)


def test_what_was_not_decided_is_refused(hands: list[HandRecord]) -> None:
    with pytest.raises(BadInput, match="decision 99; allowed: 1 to"):
        ask(make_player("baseline"), hands[0], Seat(0), decision=99)
