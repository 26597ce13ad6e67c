"""Asking for one decision of a recorded hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match, Seating, play
from railbird.errors import BadInput
from railbird.game import Action, Call, Event, View, acpc_rules, is_settled, limit_holdem, payoffs
from railbird.histories import HandRecord, Skipped, SkipReason, read
from railbird.players import make_player
from railbird.players.advice import ask, decisions_of, nth_hand, steps, tell
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


# Telling an observer of a recorded hand is telling it of the hand as it is played.


class Diary:
    """Writes down all that it is told."""

    def __init__(self) -> None:
        self.met: tuple[int, ...] = ()
        self.pages: list[tuple[str, View, Event | None]] = []

    def reset(self, rng: np.random.Generator) -> None:
        del rng

    def act(self, view: View) -> Action:
        del view
        return Call()

    def begin(self, view: View) -> None:
        self.pages.append(("begin", view, None))

    def meet(self, people: tuple[int, ...]) -> None:
        self.met = people

    def observe(self, view: View, event: Event) -> None:
        self.pages.append(("observe", view, event))

    def end(self, view: View) -> None:
        self.pages.append(("end", view, None))


PLAYED: list[Diary] = []


class Kept(Diary):
    """A diary that can be found again."""

    def __init__(self) -> None:
        super().__init__()
        PLAYED.append(self)


def test_the_same_is_told_as_at_the_table(tmp_path: Path) -> None:
    PLAYED.clear()
    match = Match(
        players=("random", f"python:{__name__}:Kept", "random,raise=2"),
        rules=acpc_rules(limit_holdem(3)),
        deals=20,
        seed=5,
        seating=Seating.SINGLE,
    )
    play(match, log=tmp_path / "log")
    (played,) = PLAYED
    later = Diary()
    for record in read(tmp_path / "log"):
        assert isinstance(record, HandRecord)
        people = tuple(match.names.index(name) for name in record.players)
        seat = Seat(next(i for i, name in enumerate(record.players) if "Kept" in name))
        for _ in tell(later, record, seat, people):
            pass
        assert people == later.met
    assert later.pages == played.pages
    assert later.met == played.met


def test_steps_end_where_the_record_does(tmp_path: Path) -> None:
    match = Match(
        players=("random", "always-call"), rules=acpc_rules(limit_holdem()), deals=30, seed=1
    )
    play(match, log=tmp_path / "log")
    for record in read(tmp_path / "log"):
        assert isinstance(record, HandRecord)
        last = list(steps(record))[-1].after
        assert is_settled(last)
        assert payoffs(last) == record.payoffs
