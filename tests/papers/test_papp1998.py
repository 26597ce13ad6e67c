"""Loki's experiments that play nothing, and a little of one that does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from railbird.cards import (
    CLASS_NAMES,
    CLASS_OF_HOLDING,
    HOLDINGS,
    Holding,
    parse_cards,
    parse_holding,
)
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.estimate import estimate
from railbird.game import (
    Action,
    Call,
    Event,
    Fold,
    HandState,
    Raise,
    Street,
    View,
    act,
    legal,
    limit_holdem,
    seeded_deals,
    start,
)
from railbird.histories import HandRecord, read
from railbird.modelling import income_rates
from railbird.players.advice import steps
from railbird.players.loki.preflop import MEASURED_STRATEGIES, ExpectedPlayers, ThresholdCell
from railbird.units import Seat
from railbird_papers import EXPERIMENTS, Verdict, Workspace, run, write
from railbird_papers.framework.rows import must_exceed_zero, published_as_positive
from railbird_papers.framework.workspace import log_name
from railbird_papers.papp1998.income_rates import (
    PAIRS,
    SKLANSKY_MALMUTH,
    betting_sequences,
    changing_styles,
    crude_potential,
    crude_potentials,
    differences,
    errors,
    game_tree,
    groups,
    real_errors,
    shifts,
)
from railbird_papers.papp1998.matchups import (
    DATA,
    LEARNED_RULES,
    MANIACS,
    SEATS,
    Lead,
    Said,
    Standings,
    Version,
    VersionComparison,
    averages,
    check_raises,
    match_of,
    play_versions,
    published_income_rates,
    result_of,
)
from railbird_papers.papp1998.preflop_thresholds import Observed, crossings, table_text
from railbird_papers.papp1998.weights import (
    RuleScores,
    calibrate,
    free_of,
    new_scores,
    order_of_play,
    reliability,
    table,
    watch,
)


@pytest.mark.slow
def test_income_rates_are_the_published_ones_but_for_chance(tmp_path: Path) -> None:
    """Rank correlation above 0.99; the same first two groups, KTs for JTs in the third."""
    found = run("loki-income-rates", Workspace(folder=tmp_path))
    ranks = [row for row in found.result.rows if row.name.startswith("rank correlation")]
    assert [row.verdict for row in ranks] == [Verdict.HOLDS] * 3
    assert all(row.ours.value > 0.999 for row in ranks)
    counts = {row.name: row for row in found.result.rows if row.name.startswith("classes")}
    assert [row.ours.value for row in counts.values()] == [20, 89, 21, 88]
    assert counts["classes that do not lose against six, published"].verdict is Verdict.AGREES
    first, second, third, *_ = groups(published_income_rates(6))
    assert (first, second) == tuple(map(set, SKLANSKY_MALMUTH[:2]))
    assert third ^ set(SKLANSKY_MALMUTH[2]) == {"KTs", "JTs"}
    write([found], tmp_path)
    assert (tmp_path / "loki-income-rates-differences.csv").read_text().count("\n") == 170


def test_most_hands_stand_in_their_group_or_the_next() -> None:
    """Papp 1998, appendix A: where the order differs, big cards gain on connected ones."""
    everywhere = shifts(published_income_rates(6))
    assert list(everywhere) == list(CLASS_NAMES)
    assert sum(abs(shift) <= 1 for shift in everywhere.values()) == 148
    apart = {hand: everywhere[hand] for group in SKLANSKY_MALMUTH for hand in group}
    assert len(apart) == 85
    assert sum(abs(shift) <= 1 for shift in apart.values()) == 70
    assert min(apart, key=lambda hand: -apart[hand]) == "65s"
    assert {hand for hand in apart if apart[hand] < -1} == {"K9s", "K8s", "Q8s", "A9o"}


def test_every_difference_is_listed() -> None:
    table = differences()
    assert table["hand"].to_list() == list(CLASS_NAMES)
    assert table.null_count().to_numpy().sum() == 0


def test_shortcuts_are_worse_the_more_the_opponents_differ() -> None:
    alike = errors(PAIRS["any two"], 3, situations=30, seed=1)
    apart = errors(PAIRS["tight and any two"], 3, situations=30, seed=1)
    assert alike.power == pytest.approx(alike.product)
    assert np.abs(apart.power).mean() > 3 * np.abs(apart.product).mean()


@pytest.mark.slow
def test_shortcuts_with_three_opponents_are_those_of_a_match(tmp_path: Path) -> None:
    """Each of four hands is a situation; beliefs that differ make the power worse."""
    workspace = Workspace(folder=tmp_path, seed=1)
    found = real_errors(workspace, situations=20)
    assert list(found) == [Street.FLOP, Street.TURN, Street.RIVER]
    for street in found.values():
        assert len(street.exact) >= 4
        assert len(street.exact) % 4 == 0
        assert ((street.exact >= 0) & (street.exact <= 1)).all()
        assert np.abs(street.power).mean() > np.abs(street.product).mean()


@pytest.mark.slow(but=["loki-seats"])
@pytest.mark.parametrize("name", ["loki-heads-up", "loki-preflop", "loki-seats"])
def test_a_little_of_those_of_other_numbers_of_seats(name: str, tmp_path: Path) -> None:
    found = run(name, Workspace(scale=1e-4, folder=tmp_path)).result
    assert found.drawings
    if name == "loki-heads-up":
        assert [row.name.partition(",")[0] for row in found.rows[14:]] == [
            f"against loki:bpl: check-raises of {version}" for version in ("loki:som", "loki:best")
        ]
        assert [row.verdict for row in found.rows[:7]] == [Verdict.MEASURED] * 7
        assert found.hands == 14 * 80
    if name == "loki-seats":
        assert [row.name for row in found.rows][::8] == [
            "SOM less BPL, 2 seats",
            "SOM less BPL, 10 seats",
        ]
        assert found.hands == 40 * sum(range(2, 11))


def test_thresholds_are_found_where_a_bolder_strategy_begins_to_gain() -> None:
    """Gains of lines that cross zero at known rates, with noise."""
    rng = np.random.default_rng(1)
    cell = ThresholdCell(ExpectedPlayers.TWO, "small-blind", "unraised")
    rates = income_rates(1)[CLASS_OF_HOLDING]
    seen = []
    for holding in rng.integers(0, HOLDINGS, 4000).tolist():
        leads = [(rates[holding] - least) / 100 + rng.normal() for least in (-200, 0, 200)]
        gains = tuple(np.cumsum([0.0, *leads]).tolist())
        seen.append(Observed(cell, 0, Holding(holding), gains))
    found = crossings(seen)[cell]
    for strategy, least in zip(MEASURED_STRATEGIES, (-200, 0, 200), strict=True):
        one = found[strategy]
        assert one.middle == pytest.approx(least, abs=4 * one.stderr)
        assert 0 < one.stderr < 10
        assert one.increment == 0
    assert table_text({cell: found}).startswith("# Where each strategy")


def test_strategies_whose_gains_do_not_decide_have_no_threshold() -> None:
    rng = np.random.default_rng(1)
    cell = ThresholdCell(ExpectedPlayers.TWO, "small-blind", "unraised")
    seen = [
        Observed(cell, 0, Holding(holding), tuple(rng.normal(size=4).tolist()))
        for holding in rng.integers(0, HOLDINGS, 150).tolist()
    ]
    assert crossings(seen)[cell] == {}
    assert "[" not in table_text(crossings(seen)).partition("anew.\n")[2]


@pytest.mark.slow(but=["loki-tightness"])
@pytest.mark.parametrize("name", ["loki-tightness", "loki-calibration"])
def test_a_little_of_what_is_played(name: str, tmp_path: Path) -> None:
    result = run(name, Workspace(scale=1e-3, folder=tmp_path)).result
    assert result.hands == 400
    assert result.drawings
    assert Verdict.FAILS not in {row.verdict for row in result.rows}


def test_all_of_them_are_listed() -> None:
    assert sum(name.startswith("loki-") for name in EXPERIMENTS) == 20


def test_rules_by_learned_probabilities_are_left_out_one_at_a_time_in_every_field() -> None:
    assert len({comparison.name for comparison in LEARNED_RULES}) == 8
    for comparison in LEARNED_RULES:
        match = match_of(comparison.versions, 20, seed=0)
        given, without = (version.spec for version in comparison.versions[:2])
        assert without in (f"{given},semi-bluff=off", f"{given},pot-odds=off")
        assert match.players.count(given) == match.players.count(without) >= 3


def test_tables_with_maniacs_have_ten_players_whose_leads_are_of_those_seated() -> None:
    for comparison in MANIACS:
        assert len(match_of(comparison.versions, 20, seed=0).players) == 10
        labels = {version.label for version in comparison.versions}
        assert {each for lead in comparison.leads for each in (lead.label, lead.other)} <= labels


# Scoring weight arrays: who knows nothing gains nothing, who knows all gains all there is.


TEST_CALIBRATION_CALLERS = [
    Version("caller", "always-call", 9),
    Version("wild", "random,fold=0,raise=3", 1),
]


class Ignorant:
    """Believes nothing."""

    def __init__(self) -> None:
        self.hands = 0

    def begin(self, view: View) -> None:
        del view
        self.hands += 1

    def observe(self, view: View, event: Event) -> None:
        pass

    def end(self, view: View) -> None:
        pass

    def weights(self, seat: Seat) -> NDArray[np.float64]:
        del seat
        return np.full(1326, 0.3)


class Seer(Ignorant):
    """Knows what everybody holds."""

    def __init__(self, record: HandRecord) -> None:
        super().__init__()
        self.holes = record.holes

    def weights(self, seat: Seat) -> NDArray[np.float64]:
        found = np.zeros(1326)
        holding = self.holes[seat]
        assert holding is not None
        found[holding] = 0.7
        return found


def test_a_score_by_hand() -> None:
    scores = RuleScores()
    known = parse_cards("AsKs2c3d4h")
    truth = parse_holding("QcQd")
    weights = np.where(CLASS_OF_HOLDING[truth] == CLASS_OF_HOLDING, 1.0, 0.0)
    scores.add(weights, known, truth, deal=0)
    assert scores.gain.value == pytest.approx(np.log2(1081 / 6))
    assert scores.hits.sum() == 1
    assert scores.predicted.sum() == pytest.approx(1)
    assert scores.uniform.sum() == pytest.approx(1)
    assert free_of(known).sum() == 1081


def test_a_calibrated_array_gains_its_information() -> None:
    """If truth is drawn from the array itself, mean gain is its divergence from uniform."""
    rng = np.random.default_rng(1)
    known = parse_cards("AsKs2c3d4h")
    weights = rng.random(1326) ** 4
    mass = np.where(free_of(known), weights, 0)
    mass /= mass.sum()
    scores = RuleScores()
    for deal in range(4000):
        scores.add(weights, known, Holding(int(rng.choice(1326, p=mass))), deal)
    divergence = float((mass[mass > 0] * np.log2(mass[mass > 0] * 1081)).sum())
    gain = scores.gain
    assert abs(gain.value - divergence) < 4 * gain.stderr < 0.1
    kept = scores.hits > 200
    assert scores.hits[kept] == pytest.approx(scores.predicted[kept], rel=0.2)


@pytest.mark.slow
def test_who_knows_nothing_gains_nothing_and_who_knows_all_gains_all(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    match = match_of(TEST_CALIBRATION_CALLERS, 40, seed=2)
    log = workspace.play(match).log
    nothing = calibrate(log, match, Ignorant, progress=lambda *_: None)
    for street in Street:
        assert nothing[street].count == 400 * 9
        assert nothing[street].gain.value == pytest.approx(0, abs=1e-9)
    record = next(iter(read(log)))
    assert isinstance(record, HandRecord)
    everything = new_scores()
    watch(Seer(record), record, Seat(0), 0, everything)
    river = everything[Street.RIVER].gain
    assert river.value == pytest.approx(np.log2(45 * 44 / 2))
    assert set(table(nothing)["street"]) == {"preflop", "flop", "turn", "river"}
    drawing = reliability("x", "y", nothing, subtitle="z")
    assert drawing.figure.spec()["description"]


@pytest.mark.slow
def test_memory_is_fresh_where_the_players_forgot(tmp_path: Path) -> None:
    match = match_of(TEST_CALIBRATION_CALLERS, 40, seed=2)
    log = Workspace(folder=tmp_path).play(match).log
    made: list[Ignorant] = []

    def make() -> Ignorant:
        made.append(Ignorant())
        return made[-1]

    calibrate(log, match, make, progress=lambda *_: None)
    assert [each.hands for each in made[1:]] == [20] * 20
    order = list(order_of_play(match))
    assert len(order) == 400
    assert [deal for _, deal in order[:21]] == [*range(20), 0]
    for record, (_, deal) in zip(read(log), order, strict=True):
        assert isinstance(record, HandRecord)
        assert deal in range(40)
        assert list(steps(record))


# Tables of versions: rows, verdicts by the sign of an interval, figures.


TABLE = VersionComparison(
    name="simple",
    title="Who looks at no card",
    versions=(
        Version("caller", "always-call", 5),
        Version("folder", "always-fold", 3),
        Version("wild", "random,raise=3", 2),
    ),
    leads=(Lead("caller", "wild", Said.MUST, "as it should"), Lead("folder", "wild")),
    published=(("caller", "0.07"),),
)


@pytest.mark.parametrize(
    ("value", "must", "source"),
    [
        (0.5, Verdict.HOLDS, Verdict.AGREES),
        (-0.5, Verdict.FAILS, Verdict.DIFFERS),
        (0.1, Verdict.UNDECIDED, Verdict.UNDECIDED),
    ],
)
def test_the_sign_decides_if_the_interval_does(
    value: float, must: Verdict, source: Verdict
) -> None:
    ours = Estimate(value, 0.1, 100)
    assert must_exceed_zero("x", ours).verdict is must
    assert published_as_positive("x", ours).verdict is source


def test_a_table_has_everybody_the_leads_and_no_faults(tmp_path: Path) -> None:
    result = TABLE.perform(Workspace(folder=tmp_path, scale=0.01))
    rows = {row.name: row for row in result.rows}
    assert list(rows) == [
        "caller",
        "folder",
        "wild",
        "caller less wild",
        "folder less wild",
        "illegal or failed answers",
    ]
    assert result.hands == 1000
    assert rows["caller"].verdict is Verdict.OTHER_PLAYERS
    assert rows["caller less wild"].verdict is Verdict.HOLDS
    note = rows["caller less wild"].note
    assert note.startswith("as it should caller less wild: ± ")
    assert note.endswith(" by blocks of 20 deals.")
    assert rows["illegal or failed answers"].verdict is Verdict.HOLDS
    total = sum(version.copies * rows[version.label].ours.value for version in TABLE.versions)
    assert total == pytest.approx(0, abs=1e-9)
    (drawing,) = result.drawings
    assert drawing.subtitle.startswith("5 caller, 3 folder, 2 wild; 100 deals")


def test_several_tables_keep_their_rows_apart(tmp_path: Path) -> None:
    workspace = Workspace(folder=tmp_path)
    standings = play_versions(workspace, TABLE.versions, deals=40)
    other = VersionComparison(name="other", title="", versions=TABLE.versions, leads=TABLE.leads)
    result = result_of([(TABLE, standings), (other, standings)], 0)
    assert len({row.name for row in result.rows}) == len(result.rows)
    assert result.rows[0].name == "simple: caller"
    assert len(result.drawings) == 2


# The laboratory of ten seats: the seating of the source, sums that vanish, intervals by deal.


TEST_TEN_SEATS_CALLERS = Version("caller", "always-call", 5)
WILD = Version("wild", "random,fold=1,call=3,raise=1", 5)


@pytest.fixture(scope="module")
def standings(tmp_path_factory: pytest.TempPathFactory) -> Standings:
    workspace = Workspace(seed=3, folder=tmp_path_factory.mktemp("logs"))
    return play_versions(workspace, [TEST_TEN_SEATS_CALLERS, WILD], deals=60)


def test_check_raises_are_those_of_the_players(standings: Standings) -> None:
    """A caller never raises; of five answers to a bet at random one is a raise."""
    callers, wild = check_raises("", standings.log, standings.hands, standings.label_of_name)
    assert callers.ours.n > 1_000
    assert callers.ours.value == 0
    assert wild.ours.n > 500
    assert wild.ours.low < 0.2 < wild.ours.high


def test_every_player_holds_every_hand_in_every_seat_with_other_neighbours() -> None:
    """Papp 1998, chapter 8: player p sits in round r in seat r * p modulo 11."""
    match = match_of([TEST_TEN_SEATS_CALLERS, WILD], 1, seed=0)
    seats = np.array([match.seatings(range(1), round_)[0] for round_ in range(SEATS)])
    for players in (seats, seats.T):
        assert [sorted(each) for each in players] == [list(range(SEATS))] * SEATS
    places = np.argsort(seats, axis=1) + 1
    assert all(places[r, p] == (r + 1) * (p + 1) % 11 for r in range(SEATS) for p in range(SEATS))
    for p, q in ((0, 1), (2, 7), (3, 9)):
        apart = [(places[r, p] - places[r, q]) % 11 for r in range(SEATS)]
        assert sorted(apart) == list(range(1, 11))


def test_what_some_win_others_lose(standings: Standings) -> None:
    assert standings.won.shape == (60, 2)
    assert standings.won @ [5, 5] == pytest.approx(np.zeros(60), abs=1e-9)
    assert standings.hands == 600
    assert standings.faults == 0


def test_results_are_those_of_the_log(standings: Standings) -> None:
    total = 0.0
    for record in read(standings.log):
        assert isinstance(record, HandRecord)
        callers = [name.startswith("always-call") for name in record.players]
        total += sum(float(p) for p, own in zip(record.payoffs, callers, strict=True) if own)
    assert standings.of("caller").value == pytest.approx(total / 10 / 600 / 5)


def test_a_lead_is_paired_by_deal(standings: Standings) -> None:
    lead = standings.lead("caller", "wild")
    assert lead == estimate(standings.won[:, 0] - standings.won[:, 1])
    assert lead.n == 60
    assert lead.value == pytest.approx(2 * standings.of("caller").value)


def test_blocks_are_what_a_player_remembers(standings: Standings) -> None:
    assert standings.block == 20
    lead = standings.won[:, 0] - standings.won[:, 1]
    a, b, c = (lead[i : i + 20].mean() for i in (0, 20, 40))
    spread = np.std([a, b, c], ddof=1) / np.sqrt(3)
    assert standings.margin("caller", "wild") == pytest.approx(4.302653 * spread)  # t, 2 degrees
    assert replace(standings, block=60).margin("caller") == np.inf


def test_who_never_looks_at_its_cards_wins_nothing_of_its_like(tmp_path: Path) -> None:
    """Ten callers hold all ten hands of each deal in turn: every deal comes to exactly nothing."""
    same = [Version("one", "always-call", 5), Version("other", "always-call", 5)]
    found = play_versions(Workspace(folder=tmp_path), same, deals=40)
    assert np.abs(found.won).max() < 1e-9


@pytest.mark.slow
def test_a_stopped_table_goes_on_from_its_log(standings: Standings, tmp_path: Path) -> None:
    workspace = Workspace(seed=3, folder=tmp_path, workers=2)
    match = match_of([TEST_TEN_SEATS_CALLERS, WILD], 60, seed=3)
    whole = standings.log.read_bytes()
    (tmp_path / log_name(match)).write_bytes(whole[: len(whole) // 2])
    again = play_versions(workspace, [TEST_TEN_SEATS_CALLERS, WILD], deals=60)
    assert 0 < workspace.work[0].hands < 600
    assert np.array_equal(again.won, standings.won)
    assert again.log.read_bytes() == whole


def test_ten_seats_must_be_taken() -> None:
    with pytest.raises(BadInput, match="5 players at a table of 10"):
        match_of([TEST_TEN_SEATS_CALLERS], 10, seed=0)


def test_the_figure_ends_at_the_estimates(standings: Standings) -> None:
    drawing = averages("table", "A table", standings, subtitle="x", note="y")
    table = drawing.data[DATA].table
    assert table["hand"][-1] == standings.hands
    assert table["line_0"][-1] == pytest.approx(standings.of("caller").value, abs=1e-5)
    assert "caller" in drawing.figure.spec()["description"]


# Crude potential by outs, and the size of the game.


@pytest.mark.parametrize(
    ("hole", "board", "worth"),
    [
        ("As5s", "Ks9s2d", 9 * 1.0 + 3 * 0.5),  # spades, and aces above the board
        ("2s5d", "Ks9s7s", 9 * 0.5),  # three on the board: by the rank, from a two ...
        ("As5d", "Ks9s7s", 9 * 1.0 + 3 * 0.5),  # ... to an ace
        ("8s2d", "KsQs7s", 9 * 0.75),
        ("7c6d", "8h9s2c", 8 * 0.85),
        ("Jh2c", "8h9sTd", 8 * 0.6 + 3 * 0.5),  # queens and sevens by one card; jacks pair
        ("Ah3c", "2d4h5s", 4 * 0.6 + 3 * 0.5),  # the wheel is made, and a six makes a higher one
        ("8c8d", "KhQs2c", 2 * 0.9),
        ("Kc7d", "Kh9s2c", 2 * 0.9 + 3 * 0.7),
    ],
)
def test_outs_are_worth_what_they_make(hole: str, board: str, worth: float) -> None:
    found = crude_potential(parse_holding(hole), parse_cards(board))
    assert found == pytest.approx(worth / 47)


@pytest.mark.parametrize("players", [2, 3])
def test_ways_to_bet_are_those_of_the_rules(players: int) -> None:
    """Counted by walking the engine's hands of limit, with four bets a street."""
    assert betting_sequences(players, blinds=True) == _walked(players, Street.PREFLOP)
    assert betting_sequences(players) == _walked(players, Street.FLOP)


def _walked(players: int, street: Street) -> int:
    rules = limit_holdem(players)
    (row,) = seeded_deals(np.random.default_rng(1), seats=players, deals=1)
    state = start(rules, row)
    while state.street < street:
        state = act(state, Call(), row)

    def ways(now: HandState) -> int:
        if now.actor is None or now.street != street:
            return 1
        allowed = legal(now)
        choices: list[Action] = [Call()]
        choices += [Fold()] if now.to_call else []
        choices += [] if now.min_raise_to is None else [Raise(now.min_raise_to)]
        assert allowed.seat == now.actor
        return sum(ways(act(now, choice, row)) for choice in choices)

    return ways(state)


def test_sizes_of_the_game_are_the_published_ones(tmp_path: Path) -> None:
    found = game_tree(Workspace(folder=tmp_path))
    verdicts = [row.verdict for row in found.rows if row.published is not None]
    assert verdicts == [Verdict.AGREES, Verdict.AGREES]


@pytest.mark.slow
def test_small_runs_of_potential_and_of_changing_styles(tmp_path: Path) -> None:
    rows = {row.name: row for row in crude_potentials(Workspace(scale=0.05, folder=tmp_path)).rows}
    sizes = [row.ours.value for name, row in rows.items() if "size of the error" in name]
    assert len(sizes) == 4
    assert all(0 < size < 0.2 for size in sizes)
    found = changing_styles(Workspace(scale=1e-3, folder=tmp_path))
    assert found.hands == 40 * 12
    alone = {row.name: row.ours.value for row in found.rows if "against" in row.name}
    assert len(alone) == 3
    assert len(found.rows) == 12
