"""One hand seen by several people counts once: every kind of game, every verb that counts hands."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.fold_logs import fold_hand, fold_log
from railbird.arena import Tournaments
from railbird.arena.tournament import TournamentTables
from railbird.assessment.all_in import where_all_in
from railbird.assessment.divat.any_game import LIMIT, NO_LIMIT
from railbird.cli import run
from railbird.game import Betting, Rules, acpc_rules, limit_holdem, no_limit_holdem
from railbird.histories import HandRecord, read, write
from railbird.histories.columns import UNKNOWN, records_of
from railbird.report.play_data import made_report
from railbird.tournament import parse_payouts, parse_schedule
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies

HERO = "Ann"
NAMES = (HERO, "Bob", "Cy", "Dee", "Ed", "Flo")
INTEGRITY = ("luck_z", "gaps", "duplicates_merged", "contradictions", "verdict_withheld")
STREETS = {"total", "deal", "flop", "turn", "river"}


def at_a_table(rules: Rules, hands: int = 30, *, of: str | None = None) -> list[HandRecord]:
    """Play hands; those ``of`` one person have its cards, and those of others at a showdown."""
    policy = LIMIT if rules.betting is Betting.LIMIT else NO_LIMIT
    players = [
        PolicyPlayer(name=name, policy=replace(policy, sizes=(0.75,) * 4), deviation=0.2)
        for name in NAMES[: rules.seats]
    ]
    batch = play_policies(rules, players, hands, seed=3)
    if of is not None:
        _, live = where_all_in(batch)
        shown = live & (live.sum(axis=1, keepdims=True) > 1)
        shown |= batch.player == batch.names.index(of)
        batch = replace(batch, holding=np.where(shown, batch.holding, UNKNOWN).astype(np.int16))
    return [replace(hand, table="Halley") for hand in records_of(batch)]


def tournaments() -> list[HandRecord]:
    series = Tournaments(
        players=("random:fold=0.2", "always-raise", "always-call"),
        count=6,
        seed=2,
        stack=300,
        schedule=parse_schedule("10/20x3,25/50/5x3"),
        payouts=parse_payouts("70/30"),
        entry=Fraction(1),
    )
    tables = TournamentTables(series)
    return [hand for index in range(series.count) for hand in tables.play(index)[1]]


def seen_by(name: str, hand: HandRecord) -> HandRecord:
    """Return a hand with the cards of one player alone."""
    both = zip(hand.players, hand.holes, strict=True)
    return replace(hand, holes=tuple(hole if player == name else None for player, hole in both))


@dataclass(frozen=True)
class Logs:
    """Files of a game: one with all hands, and the same hands as several people saw them."""

    whole: Path
    views: list[Path]
    folder: Path
    """Of the views alone."""
    hands: int
    player: str
    options: list[str]


GAMES: dict[str, Callable[[], list[HandRecord]]] = {
    "heads-up limit": lambda: at_a_table(acpc_rules(limit_holdem(2))),
    "limit, three players": lambda: at_a_table(acpc_rules(limit_holdem(3))),
    "heads-up no-limit": lambda: at_a_table(no_limit_holdem(2, blinds=(50, 100), stack=5_000)),
    "no-limit, six players": lambda: at_a_table(no_limit_holdem(6, blinds=(50, 100), stack=5_000)),
    "one person's log": lambda: at_a_table(
        no_limit_holdem(3, blinds=(50, 100), stack=5_000), of=HERO
    ),
    "tournaments": tournaments,
}


@pytest.fixture(scope="module", params=GAMES)
def logs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Logs:
    hands = GAMES[request.param]()
    folder = tmp_path_factory.mktemp("logs")
    names = sorted({name for hand in hands for name in hand.players})
    parts = {name: [seen_by(name, one) for one in hands if name in one.players] for name in names}
    if request.param == "one person's log":
        parts = {"first": hands, "again": hands}
    views = []
    (folder / "views").mkdir()
    for name, part in parts.items():
        views.append(folder / "views" / f"{name.replace(':', '-').replace('=', '-')}.phhs")
        write(part, views[-1])
    whole = folder / "whole.phhs"
    write(hands, whole)
    return Logs(
        whole=whole,
        views=views,
        folder=folder / "views",
        hands=len(hands),
        player=HERO if HERO in names else names[0],
        options=["--payouts", "70,30"] if request.param == "tournaments" else [],
    )


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    capsys.readouterr()
    assert run([*map(str, arguments), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def amounts(value: Any) -> Iterator[float]:
    """Yield the numbers of nested objects, in order."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from amounts(value[key])
    elif isinstance(value, list):
        for each in value:
            yield from amounts(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


def check_merged(both: dict[str, Any], whole: dict[str, Any], copies: int) -> None:
    """Require the checks of the whole log, and the number of copies."""
    for found in (both, whole):
        assert set(INTEGRITY) <= found.keys()
        assert found["luck_z"].keys() >= STREETS
    assert (both["duplicates_merged"], whole["duplicates_merged"]) == (copies, 0)
    assert both["contradictions"] == 0
    assert both["verdict_withheld"] == whole["verdict_withheld"]
    for key in ("luck_z", "gaps", "button_jumps"):
        assert both[key] == pytest.approx(whole[key], nan_ok=True) or both[key] == whole[key]


def copies_of(logs: Logs) -> int:
    """Return how many views are of hands that another one has."""
    views = sum(isinstance(hand, HandRecord) for view in logs.views for hand in read(view))
    return views - logs.hands


@pytest.mark.slow(
    only=[
        "heads-up limit-1",
        "limit, three players-1",
        "limit, three players--1",
        "heads-up no-limit-1",
        "heads-up no-limit--1",
        "no-limit, six players-1",
        "no-limit, six players--1",
        "one person's log-1",
    ]
)
@pytest.mark.parametrize("order", [1, -1])
def test_assess(logs: Logs, order: int, capsys: pytest.CaptureFixture[str]) -> None:
    both = said(capsys, "assess", *logs.views[::order], *logs.options)
    whole = said(capsys, "assess", logs.whole, *logs.options)
    check_merged(both["integrity"], whole["integrity"], copies_of(logs))
    assert both["hands"] == whole["hands"] == logs.hands
    assert both["players"].keys() == whole["players"].keys()
    for name, of in whole["players"].items():
        money = "prize" if logs.options else "money"
        assert [*amounts(both["players"][name][money])] == pytest.approx([*amounts(of[money])])


@pytest.mark.slow(but=["heads-up limit"])
@pytest.mark.parametrize("logs", [one for one in GAMES if one != "tournaments"], indirect=True)
def test_sweep(logs: Logs, capsys: pytest.CaptureFixture[str]) -> None:
    """But for tournaments by their prizes, which have no settings."""
    options = ("--sweep", "standard,tight-high")
    both = said(capsys, "assess", *logs.views, *options)
    whole = said(capsys, "assess", logs.whole, *options)
    check_merged(both["integrity"], whole["integrity"], copies_of(logs))
    for settings, players in whole["sweep"].items():
        for name, of in players.items():
            mine = both["sweep"][settings][name]["money"]
            assert mine["value"] == pytest.approx(of["money"]["value"])


@pytest.mark.slow(but=["limit, three players"])
def test_report(logs: Logs, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--player", logs.player, "--ask", "none")
    both = said(capsys, "report", *logs.views, *options)
    whole = said(capsys, "report", logs.whole, *options)
    assert both["hands"] == whole["hands"]
    assert both["integrity"]["duplicates_merged"] > 0
    check_merged(both["integrity"], whole["integrity"], both["integrity"]["duplicates_merged"])
    money = [one["estimates"]["money"] for one in (both, whole)]
    assert [*amounts(money[0])] == pytest.approx([*amounts(money[1])])


def test_stats(logs: Logs, capsys: pytest.CaptureFixture[str]) -> None:
    both, whole = (said(capsys, "stats", *files) for files in (logs.views, [logs.whole]))
    check_merged(both["integrity"], whole["integrity"], copies_of(logs))
    assert both["players"] == whole["players"]


@pytest.mark.slow(but=["one person's log"])
def test_archive(logs: Logs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An archive has each hand once, and what is told of it is told of the whole log."""
    archive = tmp_path / "archive"
    for view in logs.views:
        said(capsys, "archive", "add", archive, view)
    again = said(capsys, "archive", "add", archive, *logs.views)
    assert (again["hands"], again["contradictions"]) == (0, [])
    of_archive, of_log = (said(capsys, "stats", path) for path in (archive, logs.whole))
    assert of_archive["players"].keys() == of_log["players"].keys()
    for name, of in of_log["players"].items():
        assert [*amounts(of_archive["players"][name])] == pytest.approx([*amounts(of)])
    check_merged(of_archive["integrity"], of_log["integrity"], 0)
    both = said(capsys, "stats", archive, *logs.views)
    check_merged(both["integrity"], of_log["integrity"], copies_of(logs) + logs.hands)


@pytest.mark.slow
def test_upload_page(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page shows of a folder, or a zip archive, with several people's logs."""
    # What decisions cost is not asked.
    monkeypatch.setattr("railbird.report.play_data.SOLVING_S", 0.0)
    both, whole = (
        made_report(str(path), logs.player, lambda *_: None) for path in (logs.folder, logs.whole)
    )
    assert len(both["hands"]) == len(whole["hands"])
    copies = both["integrity"]["duplicates_merged"]
    assert copies > 0
    check_merged(both["integrity"], whole["integrity"], copies)
    money = [next(iter(one["lines"]["sums"].values())) for one in (both, whole)]
    assert money[0] == pytest.approx(money[1])


@pytest.mark.slow
def test_a_failed_check_is_told_of_every_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hands that lost most are missing; a comparison of settings or matches must say so, too."""
    hands = at_a_table(acpc_rules(limit_holdem(2)), 1_500)
    hands.sort(key=lambda hand: hand.payoffs[hand.players.index(HERO)])
    cut = sorted(hands[150:], key=lambda hand: hand.number or 0)
    log = tmp_path / "cut.phhs"
    write(cut, log)
    found = said(capsys, "assess", log, "--sweep", "standard,tight-high")
    assert "too kind to Ann" in found["integrity"]["verdict_withheld"]
    assert run(["assess", str(log), "--sweep", "standard,tight-high"]) == 0
    assert "No verdict: " in capsys.readouterr().out
    found = said(capsys, "assess", "--show", "crosstable", log)
    assert "too kind to Ann" in found["withheld"][0]
    assert run(["assess", "--show", "crosstable", str(log)]) == 0
    assert "No verdict on Ann v Bob: " in capsys.readouterr().out


def test_a_copy_of_a_log_that_differs_in_one_card_is_told_by_every_verb(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """In logs without tables and times, by the neighbours of the hand."""
    logs = [str(tmp_path / name) for name in ("one.log", "copy.log")]
    hands = fold_log("")
    write(hands, logs[0])
    write([*hands[:7], fold_hand(7, "", "Ts6h"), *hands[8:]], logs[1])
    why = f"{logs[1]} line 9 contradicts {logs[0]} line 9: the same hand with other hole cards"
    assert run(["assess", "--show", "crosstable", *logs, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["withheld"] == [f"these matches: {why}"]
    for verb in ("assess", "stats"):
        assert run([verb, *logs, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["integrity"]["verdict_withheld"] == why
    assert run(["ledger", *logs, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["withheld"] == why
    assert run(["archive", "add", str(tmp_path / "hands"), *logs, "--json"]) == 0
    added = json.loads(capsys.readouterr().out)
    assert (added["hands"], added["duplicates"], added["contradictions"]) == (12, 11, [why])
