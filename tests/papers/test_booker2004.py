"""The experiments of Booker (2004), much shrunk: verdicts, rows and figures."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from railbird.errors import DamagedFile
from railbird.game import Action, Call, Raise, View
from railbird.units import Chips
from railbird_papers import EXPERIMENTS, ExperimentRun, Verdict, Workspace, run
from railbird_papers.booker2004 import activities, learning
from railbird_papers.booker2004 import learning as aggression
from railbird_papers.booker2004 import learning as bandit
from railbird_papers.booker2004 import learning as heads_up
from railbird_papers.booker2004 import learning as multiplayer
from railbird_papers.booker2004.activities import (
    ProbedSituation,
    experienced,
    rules,
    share_changed,
    share_played,
)
from railbird_papers.booker2004.learning import Bandit
from railbird_papers.booker2004.sessions import (
    Sessions,
    between_equals,
    play_sessions,
    play_tables,
    said_to_win,
)
from railbird_papers.booker2004.trees import SITUATIONS, tree_of

NAMES = [name for name, one in EXPERIMENTS.items() if one.source.startswith("Booker 2004")]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace for a thousandth of each experiment, with fewer and quicker players."""
    agents = {"Booker 1": "booker:1", "Booker 2": "booker:2", "Booker 3": "booker:3"}
    monkeypatch.setattr(heads_up, "AGENTS", {**agents, "Booker 4": "booker:4"})
    monkeypatch.setattr(heads_up, "SESSION", 5)
    monkeypatch.setattr(activities, "AGENTS", {"Booker 1": "booker:1", "Booker 2": "booker:2"})
    monkeypatch.setattr(activities, "HANDS", 20)
    monkeypatch.setattr(activities, "AFTER_CHANGE", 10)
    monkeypatch.setattr(activities, "FLOPS", 6)
    monkeypatch.setattr(learning, "_LENGTHS", {"Booker 1": 4, "Booker 4": 6})
    monkeypatch.setattr(learning, "ENDS", 2)
    monkeypatch.setattr(aggression, "TABLE_SESSION", 2)
    monkeypatch.setattr(multiplayer, "TABLE_SESSION", 2)
    monkeypatch.setattr(multiplayer, "MOST_AT_A_TABLE", 4000)
    return Workspace(scale=0.001, seed=2, folder=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_rows_and_figures_are_complete(name: str, workspace: Workspace) -> None:
    done: ExperimentRun = run(name, workspace)
    rows = done.result.rows
    assert [row.name for row in rows if row.verdict is Verdict.FAILS] == []
    assert len({row.name for row in rows}) == len(rows) > 5
    assert done.result.drawings
    for drawing in done.result.drawings:
        assert drawing.figure.spec()["description"]
    assert run(name, workspace).result.rows == rows


def test_the_verdict_on_a_pair_needs_an_interval_clear_of_one_half() -> None:
    clear, level = np.ones((20, 20)), np.tile([1.0, 0.0], (20, 10))
    clear[:, :4] = 0.0
    assert said_to_win("a v b", clear).verdict is Verdict.AGREES
    assert said_to_win("a v b", 1 - clear).verdict is Verdict.DIFFERS
    assert said_to_win("a v b", level).verdict is Verdict.UNDECIDED
    assert between_equals("a v a", level).verdict is Verdict.HOLDS
    assert between_equals("a v a", clear).verdict is Verdict.FAILS


@pytest.mark.parametrize(
    ("values", "said", "verdict"),
    [
        ([0.5, 0.6, 0.0] * 10, True, Verdict.AGREES),
        ([0.5, 0.6, 0.0] * 10, False, Verdict.DIFFERS),
        ([0.0] * 30, False, Verdict.AGREES),
        ([0.0] * 30, True, Verdict.DIFFERS),
        ([0.5, -0.6, 0.0] * 10, False, Verdict.UNDECIDED),
        ([0.5, 0.6], False, Verdict.UNDECIDED),
    ],
)
def test_the_source_says_that_an_activity_is_shown(
    values: list[float], said: bool, verdict: Verdict
) -> None:
    (activity,) = [one for one in activities.ACTIVITIES if one.name == "4 individual differences"]
    row = activities._row(activity, "a", activities._mean(values), said)
    assert row.verdict is verdict


@pytest.mark.slow
def test_the_stand_in_comes_to_play_what_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Against somebody who always folds, raising wins and folding loses."""
    monkeypatch.setattr(bandit, "ARMS", {"fold": "always-fold", "raise": "always-raise:max"})
    made: list[Bandit] = []

    def make() -> Bandit:
        made.append(Bandit())
        return made[-1]

    monkeypatch.setattr(bandit, "Bandit", make)
    players = (f"python:{bandit.__name__}:Bandit", "always-fold")
    sessions = Sessions(players=players, length=60, count=1, seed=1)
    play_sessions(Workspace(folder=tmp_path), sessions)
    (player,) = made
    assert player.stretches["raise"] > 3 * player.stretches["fold"]


@pytest.mark.slow
def test_answers_change_with_experience_only_if_something_is_remembered() -> None:
    opened = ProbedSituation(rules=rules(), actions=(Raise(Chips(300)),))
    for spec, changes in (("booker:1", False), ("tight:nolimit", True)):
        maniac, rock = (
            experienced(spec, other, 40, 1) for other in ("always-raise:random", "booker:1")
        )
        assert (share_changed(maniac, rock, opened) > 0) is changes
        assert share_changed(rock, rock, opened) == 0.0


@pytest.mark.slow
def test_probes_change_nothing_and_see_experience() -> None:
    """A learner who has seen a maniac's cards plays more hands against a raise than a rock's."""
    opened = ProbedSituation(rules=rules(), actions=(Raise(Chips(60)),))
    player = experienced("booker:4,pay=0", "always-raise:random", 60, 1)
    shares = [share_played(player, opened) for _ in range(2)]
    assert shares[0] == shares[1]
    assert 0 < shares[0] <= 1
    assert share_played(experienced("always-call", "random", 1, 1), opened) == 1.0
    limped = ProbedSituation(rules=rules(), actions=(Call(),))
    assert share_played(experienced("always-fold", "random", 1, 1), limped) == 1.0
    assert share_played(experienced("always-fold", "random", 1, 1), opened) == 0.0


def test_what_is_learned_is_told_from_the_cards() -> None:
    """Everybody wins less in the end, on the same cards; Booker 3 less so."""
    rng = np.random.default_rng(5)
    cards = rng.normal(size=(30, 100)) - np.linspace(0, 1, 100)
    won = {f"{agent} v always-raise": cards for agent in ("Booker 1", "Booker 2", "Booker 4")}
    noise = rng.normal(scale=0.01, size=cards.shape)  # equal differences would decide nothing
    won["Booker 3 v always-raise"] = cards + np.linspace(0, 0.5, 100) + noise
    won["Booker 1 v always-call"] = 2 * cards
    won["Booker 4 v always-call"] = won["Booker 1 v always-call"] + np.linspace(0, 1, 100) + noise
    two, three, four, called = heads_up._learning(won)
    assert (two.ours.value, four.ours.value) == (0, 0)
    assert called.ours.value == pytest.approx(0.8, abs=0.01)
    assert three.ours.value == pytest.approx(0.4, abs=0.01)
    assert three.verdict is Verdict.AGREES


def test_who_wins_at_both_ends_wins_less_in_between() -> None:
    won = np.ones((2, 50))
    won[0, 10:40] = 0
    won[1, :10] = 0
    assert heads_up._ends_less_middle(won).tolist() == [1.0, -0.5]


# Tournaments in sessions: memory within them, none between them, and a file to resume from.


PAIR = ("always-raise:random", "random")
RESETS: list[int] = []
"""Hands seen before each reset of a `Counting`."""


class Counting:
    """Counts its decisions since it was reset."""

    def __init__(self) -> None:
        self.decisions = 0

    def reset(self, rng: np.random.Generator) -> None:
        RESETS.append(self.decisions)
        self.decisions = 0

    def act(self, view: View) -> Action:
        self.decisions += 1
        return Call()


def sessions(count: int, players: tuple[str, ...] = PAIR, length: int = 4) -> Sessions:
    return Sessions(players=players, length=length, count=count, seed=3)


def test_an_interrupted_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = play_sessions(Workspace(folder=tmp_path / "one"), sessions(6))
    first = play_sessions(Workspace(folder=tmp_path / "two"), sessions(2))
    rest = play_sessions(Workspace(folder=tmp_path / "two"), sessions(6))
    assert np.array_equal(whole.places[:2], first.places)
    assert np.array_equal(whole.places, rest.places)
    assert whole.hands == rest.hands


@pytest.mark.slow(only=["2"])
@pytest.mark.parametrize("workers", [1, 2])
def test_tables_of_one_job_are_played_as_each_alone(tmp_path: Path, workers: int) -> None:
    """One of them after a stop."""
    tables = [sessions(3), sessions(2, ("random", "booker:1")), sessions(1, ("random", "random"))]
    alone = [play_sessions(Workspace(folder=tmp_path / "alone"), table) for table in tables]
    play_sessions(Workspace(folder=tmp_path), sessions(1))
    workspace = Workspace(folder=tmp_path, workers=workers)
    together = play_tables(workspace, tables, title="all")
    for one, other, table in zip(alone, together, tables, strict=True):
        assert one.sessions == other.sessions == table
        assert np.array_equal(one.places, other.places)
        assert (one.hands, one.faults) == (other.hands, other.faults)
        kept = [folder / table.file_name for folder in (tmp_path, tmp_path / "alone")]
        assert kept[0].read_bytes() == kept[1].read_bytes()
    play_tables(again := Workspace(folder=tmp_path), tables, title="all")
    assert [work.hands for work in again.work] == [0]


def test_nothing_is_played_twice(tmp_path: Path) -> None:
    played = play_sessions(Workspace(folder=tmp_path), sessions(3))
    again = Workspace(folder=tmp_path)
    assert np.array_equal(play_sessions(again, sessions(3)).places, played.places)
    assert [work.hands for work in again.work] == [0]


def test_players_are_reset_between_sessions_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "counting", SimpleNamespace(Counting=Counting))
    RESETS.clear()
    play_sessions(Workspace(folder=tmp_path), sessions(3, ("python:counting:Counting", "random")))
    # The first reset comes before any hand; the other two after four tournaments.
    assert len(RESETS) == 3
    assert RESETS[0] == 0
    assert min(RESETS[1:]) > 0


def test_enough_ends_the_play(tmp_path: Path) -> None:
    played = play_sessions(
        Workspace(folder=tmp_path), sessions(50), enough=lambda so_far: len(so_far.places) >= 5
    )
    assert len(played.places) == 5
    assert len(json.loads((tmp_path / sessions(50).file_name).read_text())) == 5


@pytest.mark.parametrize(
    "content", ["", "{}", "[[1, 2]]", "[[[[1, 1]], 3, 0]]", '[[[[1, 9]], 3, 0], "x"]', "[3]"]
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    path = tmp_path / sessions(2).file_name
    path.write_text(content)
    with pytest.raises(DamagedFile, match="delete it") as refusal:
        play_sessions(Workspace(folder=tmp_path), sessions(2))
    assert "\n" not in str(refusal.value)
    assert path.read_text() == content


def test_a_shared_first_place_is_half_a_win(tmp_path: Path) -> None:
    path = tmp_path / sessions(1, length=2).file_name
    path.write_text("[[[[1, 2], [1, 1]], 9, 0]]")
    played = play_sessions(Workspace(folder=tmp_path), sessions(1, length=2))
    assert played.won.tolist() == [[[1.0, 0.0], [0.5, 0.5]]]
    assert played.profits.sum() == pytest.approx(0.0)


def test_discarding_logs_deletes_the_file(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    play_sessions(workspace, sessions(1))
    assert list(tmp_path.iterdir())
    workspace.discard_logs()
    assert not list(tmp_path.iterdir())


def test_the_trees_are_the_rules_in_their_order() -> None:
    """Booker (2004), 7.6.1 and 7.6.4: the fourth compares estimates, then looks at aggression."""
    bet = SITUATIONS["before the flop, a bet to call"]
    assert tree_of("booker:1", bet) == (
        ("a probability of 75.0 %", "raise"),
        ("a probability of at least the pot odds", "call"),
        ("none of these", "fold"),
    )
    asked = [branch.asks for branch in tree_of("booker:4", bet)]
    assert asked[1:3] == [
        "a probability above the best opponent's",
        "aggression over 50.0 %, a probability over 60.0 %",
    ]
    later = tree_of("booker:3", SITUATIONS["later, nothing to call"])
    assert ("a rating more than 1 above the opponents'", "raise") in later


def test_the_trees_are_drawn_without_a_hand(tmp_path: Path) -> None:
    found = run("booker-trees", Workspace(folder=tmp_path))
    assert [drawing.figure.title for drawing in found.result.drawings] == [
        f"Decisions of Booker {number}" for number in range(1, 5)
    ]
    assert not list(tmp_path.iterdir())
