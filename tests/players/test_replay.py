"""Telling an observer of a recorded hand is telling it of the hand as it is played."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from railbird.arena import Match, Seating, play
from railbird.game import Action, Call, Event, View, acpc_rules, is_settled, limit_holdem, payoffs
from railbird.histories import HandRecord, read
from railbird.players.replay import steps, tell
from railbird.units import Seat


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
