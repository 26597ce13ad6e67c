"""Tables of policies, partners at them, and experiments on any hold'em, much shrunk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from railbird.assessment.any_table import assess_batches
from railbird.assessment.crosstable import Partiality
from railbird.assessment.divat.any_game import LIMIT, NO_LIMIT
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.game import acpc_rules, limit_holdem, no_limit_holdem, payoffs, replay
from railbird.histories.columns import UNKNOWN, HandBatch, records_of
from railbird_papers import Verdict, Workspace, run
from railbird_papers.any_holdem import honesty
from railbird_papers.any_holdem import pluribus as unbiased_forms
from railbird_papers.any_holdem.missing_hands import players_of, without_losers
from railbird_papers.any_holdem.pluribus import FORMS
from railbird_papers.any_holdem.tables import Collusion, PolicyPlayer, play_policies
from railbird_papers.any_holdem.verdicts import REMOVED
from railbird_papers.framework.rows import sigmas_for

THREE = acpc_rules(limit_holdem(3))


def table(hands: int, how: Collusion = Collusion.NONE, *, seed: int = 3) -> HandBatch:
    players = [
        PolicyPlayer(name=name, policy=replace(LIMIT, gamma=0.0), deviation=0.1)
        for name in ("one", "two", "three")
    ]
    return play_policies(THREE, players, hands, seed=seed, collusion=how)


def test_hands_are_those_of_the_rules() -> None:
    rules = no_limit_holdem(4, blinds=(50, 100), stack=3_000)
    players = [
        PolicyPlayer(name=str(k), policy=NO_LIMIT, deviation=0.3) for k in range(rules.seats)
    ]
    batch = play_policies(rules, players, 300, seed=1)
    for record in records_of(batch):
        state = replay(rules, record.holes, record.board, record.actions)
        assert payoffs(state) == record.payoffs
    assert set(np.unique(batch.dealt)) == {0, 3, 4, 5}


def test_a_hand_depends_on_its_number_and_the_seed_alone() -> None:
    whole = table(50)
    players = [
        PolicyPlayer(name=name, policy=replace(LIMIT, gamma=0.0), deviation=0.1)
        for name in whole.names
    ]
    rest = play_policies(THREE, players, 20, seed=3, first=30)
    assert np.array_equal(rest.holding, whole.holding[30:])
    assert np.array_equal(rest.action, whole.action[whole.start[30] :])
    assert np.array_equal(rest.player, whole.player[30:])


def test_soft_players_do_not_bet_when_they_are_alone() -> None:
    batch = table(400, Collusion.SOFT_PLAY)
    for record in records_of(batch):
        left = set(range(3))
        order = [record.players.index(name) for name in ("one", "two")]
        hand = record.number
        assert hand is not None
        first, end = batch.start[hand], batch.start[hand + 1]
        for seat, action in zip(
            batch.answers.seat[first:end], batch.action[first:end], strict=True
        ):
            if left == set(order):
                assert action <= 0
            if action < 0:
                left.discard(int(seat))


@pytest.mark.slow
def test_the_pair_that_squeezes_stands_out() -> None:
    found = assess_batches([(table(1500, Collusion.SQUEEZE), ())], boards=4)
    pairs = found.form.crosstable.partiality
    assert set(pairs) == {("one", "two"), ("one", "three"), ("two", "three")}
    partners = pairs["one", "two"]
    assert partners.mutual.value > 5 * partners.mutual.stderr
    assert partners.gives == (True, True)
    assert partners.others == 1
    listed = found.as_json()["partiality"]
    assert listed[0]["players"] == ["one", "two"]
    assert pairs["one", "three"].mutual.value < 0


def test_partiality_is_what_the_crosstable_says() -> None:
    """With three players the other is one: gifts to each other less those to the third."""
    found = assess_batches([(table(200), ())], boards=2).form.crosstable
    cell = {pair: mean.value for pair, mean in found.cells.items()}
    expected = cell["one", "two"] - cell["one", "three"] + cell["two", "one"] - cell["two", "three"]
    pair = found.partiality["one", "two"]
    assert pair.mutual.value == pytest.approx(expected)
    assert pair.gives == (cell["one", "two"] > 0, cell["two", "one"] > 0)
    assert pair.takes == (int(cell["one", "three"] < 0), int(cell["two", "three"] < 0))
    assert pair.pattern.endswith("of 1")


@pytest.mark.slow
def test_heads_up_has_no_partiality() -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=5_000)
    batch = play_policies(rules, players_of(rules), 60, seed=1)
    assert assess_batches([(batch, ())], boards=2).form.crosstable.partiality == {}


def test_a_pattern_needs_all_signs() -> None:
    mean = Estimate(1.0, 0.1, 100)
    for gives, takes, expected in (
        ((True, True), (2, 2), True),
        ((True, False), (2, 2), False),
        ((True, True), (2, 1), False),
    ):
        pair = Partiality(mutual=mean, gives=gives, takes=takes, others=2)
        assert pair.both_for_each_other is expected


def test_losers_cards_are_taken_out() -> None:
    rules = no_limit_holdem(3, blinds=(50, 100), stack=10_000)
    batch = play_policies(rules, players_of(rules), 400, seed=2)
    left = without_losers(batch, "hero")
    hero = batch.player == batch.names.index("hero")
    assert np.array_equal(left.holding[hero], batch.holding[hero])
    shown = (left.holding != UNKNOWN) & ~hero
    assert shown.any()
    assert (batch.payoff[shown] > 0).all()
    assert not shown[batch.action[batch.start[1:] - 1] < 0].any()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["collusion", "hidden-cards"])
def test_what_must_hold_holds(name: str, tmp_path: Path) -> None:
    scale = {"collusion": 0.25, "hidden-cards": 0.002}[name]
    result = run(name, Workspace(scale=scale, seed=1, folder=tmp_path)).result
    assert [row.name for row in result.rows if row.verdict is Verdict.FAILS] == []
    assert any(row.verdict is Verdict.HOLDS for row in result.rows)
    for drawing in result.drawings:
        assert drawing.figure.spec()["description"]


@pytest.mark.slow
def test_leaving_one_out_has_no_bias_where_losers_always_or_never_show(tmp_path: Path) -> None:
    """The rules before it have one: by 0.06 bb a hand where losers muck, or where they show."""
    result = run("losers-show", Workspace(scale=0.25, seed=1, folder=tmp_path)).result
    assert [row.verdict for row in result.rows].count(Verdict.HOLDS) == 4
    table = result.tables["bias"].filter(pl.col("hands") == 150)
    z = table.with_columns(z=pl.col("bias") / pl.col("stderr"))

    def z_of(rule: str, shown: float) -> float:
        chosen = z.filter((pl.col("rule") == rule) & (pl.col("shown") == shown))
        return float(chosen["z"].item())

    assert z_of("every hand known", 0.0) > 10
    assert z_of("won ones known", 1.0) < -10
    for shown in (0.0, 1.0):
        assert abs(z_of("leave one out", shown)) < 3


@pytest.mark.slow
def test_whole_logs_pass_the_check_and_cut_ones_do_not(tmp_path: Path) -> None:
    workspace = Workspace(scale=0.1, seed=1, folder=tmp_path)
    table = run("missing-hands", workspace).result.tables["caught"]
    assert table["hands"].unique().to_list() == [1_000]
    check_caught(table.filter(pl.col("cards") == "all cards"), least=0.7)


@pytest.mark.slow
def test_whole_logs_of_people_pass_the_check(shared_data: Path, tmp_path: Path) -> None:
    log = shared_data / "pluribus" / "pluribus_10000.phhs.gz"
    workspace = Workspace(scale=0.1, seed=1, folder=tmp_path, data=log)
    table = run("missing-hands", workspace).result.tables["caught"]
    long = (pl.col("cards") == "all cards") & (pl.col("hands") == 3_000)
    check_caught(table.filter(long), least=0.7)


def check_caught(table: pl.DataFrame, *, least: float) -> None:
    """Require few false alarms, and that logs without 2 % of the hands have no verdict."""
    withheld = dict(table.select("removed", "withheld").iter_rows())
    assert withheld[0.0] <= 0.05
    assert withheld[0.02] >= least
    assert withheld[0.05] >= withheld[0.02] >= withheld[0.01]


def test_pluribus_asks_for_its_hands(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="pluribus needs --data; the hands are not part"):
        run("pluribus", Workspace(folder=tmp_path))


@pytest.mark.slow
def test_pluribus_beside_the_published_estimate(shared_data: Path, tmp_path: Path) -> None:
    log = shared_data / "pluribus" / "pluribus_10000.state.log.gz"
    workspace = Workspace(folder=tmp_path, data=log, scale=0.05)
    result = run("pluribus", workspace).result
    assert result.hands == 500
    rows = {row.name: row for row in result.rows}
    published = rows["fitted of Pluribus"].published
    assert published is not None
    assert (published.text, published.stderr) == ("0.048", 0.025)
    assert rows["variance of money ÷ that of fitted, all seats"].ours.value > 1


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS, ids=unbiased_forms.name_of)
def test_no_estimator_has_a_bias(form: object, tmp_path: Path) -> None:
    """A hundred thousand hands; the farthest of all differences, by Bonferroni's bound."""
    chosen = next(each for each in FORMS if each is form)
    workspace = Workspace(seed=11, folder=tmp_path)
    found = unbiased_forms.differences(workspace, chosen, unbiased_forms.UNBIASED_FORMS_HANDS)
    bound = sigmas_for(len(unbiased_forms.ESTIMATORS) * sum(one.rules.seats for one in FORMS))
    for key, difference in found.items():
        assert abs(difference.value) <= bound * difference.stderr, key


@pytest.mark.slow
def test_fold_offsets_break_even_above_the_pot_odds(tmp_path: Path) -> None:
    rows = run("fold-offsets", Workspace(scale=0.001, seed=1, folder=tmp_path)).result.rows
    by_odds = [row for row in rows if "from the pot odds" in row.name]
    assert [row.verdict for row in by_odds] == [Verdict.HOLDS] * 2
    flop = next(row for row in rows if row.name == "fold offset on the flop")
    assert flop.ours.value == pytest.approx(0.06, abs=0.03)


# Honesty: players who are equal by construction.


def test_names_dealt_out_anew_make_players_equal(shared_data: Path) -> None:
    """The hands are the log's; who is called what is drawn in each."""
    log = shared_data / "pluribus" / "pluribus_10000.phhs.gz"
    batch = honesty._renamed(str(log), 2, seed=1)
    assert len(batch) == 2 * honesty.PIECE_HANDS
    seats = batch.player.shape[1]
    assert (np.sort(batch.player, axis=1) == np.arange(seats)).all()
    counts = np.bincount(batch.player[:, 0], minlength=seats)
    assert counts.min() > len(batch) / seats * 0.7
    assert not batch.payoff.sum(axis=1).any()


def test_a_cut_piece_lacks_its_worst_hands_and_has_gaps() -> None:
    batch = honesty._played(acpc_rules(limit_holdem(2)), 1, seed=2)
    money = honesty._money(batch)
    remains = REMOVED["the worst 2 %"](money, np.random.default_rng(1))
    assert money[~remains].max() <= money[remains].min()
    piece = honesty._numbered_as_sites_do(batch, np.random.default_rng(1))
    assert np.diff(piece.number).max() > 1


@pytest.mark.parametrize(("happened", "holds"), [(8, True), (30, False)])
def test_a_rate_of_five_percent_is_refuted_by_chance_alone(happened: int, holds: bool) -> None:
    outcomes = np.zeros(150)
    outcomes[:happened] = 1
    row = honesty._row("row", outcomes, promised=100)
    assert (row.verdict is Verdict.HOLDS) is holds


def test_of_cut_logs_only_a_verdict_without_a_condition_is_promised() -> None:
    whole, cut = honesty.OUT[:2]
    assert honesty._is_promised(whole, "money's interval misses")
    assert honesty._is_promised(cut, honesty.WITHOUT_CONDITION)
    assert not honesty._is_promised(cut, "money's interval misses")
    assert not honesty._is_promised(cut, "verdict withheld")
    assert honesty._row("row", np.ones(150), None).verdict is Verdict.MEASURED


@pytest.mark.slow
def test_intervals_and_verdicts_on_equal_players(shared_data: Path, tmp_path: Path) -> None:
    log = shared_data / "pluribus" / "pluribus_10000.phhs.gz"
    done = run("honesty", Workspace(scale=0.01, seed=1, folder=tmp_path, data=log))
    names = [row.name for row in done.result.rows]
    assert len({*names}) == len(names)
    assert not [row.name for row in done.result.rows if row.verdict is Verdict.FAILS]
    verdicts, intervals, looks = done.result.printed.values()
    assert verdicts.columns[3:] == ["withheld", "if the log is whole", "without a condition"]
    assert {"money", "fitted", "divat"} <= {*intervals.columns}
    assert looks.columns == ["hands", "money", "fitted", "league", "night"]
    assert honesty.REAL in looks["hands"].to_list()
