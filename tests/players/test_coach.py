"""The coach: whom it lets play, what it learns of those who did not, its filter, its specs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from railbird.arena import Match, play
from railbird.assessment import assess
from railbird.assessment.estimator import Contest, Scoring
from railbird.assessment.registry import estimator_named
from railbird.cards import HOLDING_CARDS, Card, parse_cards, parse_holding, strength
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Call,
    Fold,
    Raise,
    Street,
    act,
    limit_holdem,
    seeded_deals,
    start,
    view,
)
from railbird.players import coach as settings
from railbird.players import make_player
from railbird.players.coach import (
    ByChips,
    CoachPlayer,
    Expert,
    HandEnding,
    OwnDecision,
    UpperBounds,
    estimates,
    mixed,
    parse_coach,
    reach,
    tricked,
)
from railbird.players.equilibrium import StrategyPlayer
from railbird.players.policy import Distribution, RaiseSizes, why_not
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import BettingRound, betting_tree
from railbird.solve.limit.strategy import LimitStrategy, uniform_strategy
from railbird.solve.real_game.opponents import StatesStrategy
from railbird.units import Chips, Seat


@pytest.mark.slow
def test_it_lets_the_better_one_play() -> None:
    """Against a player who folds to every bet, who raises wins 0.75 a hand, who calls nothing."""
    match = Match(
        players=("coach:always-call+always-raise", "always-fold"), deals=3_000, seed=3, chunk=3_000
    )
    won = play(match).payoffs[0, :, 0] / 10
    assert won[1_500:].mean() > 0.7


def test_bounds_choose_whom_they_may_be_best() -> None:
    chooser = UpperBounds(3)
    rng = np.random.default_rng(1)
    means, played = (0.0, 0.5, 0.2), [0, 0, 0]
    for _ in range(4_000):
        number = chooser.choose()
        played[number] += 1
        told: list[float | None] = [None, None, None]
        told[number] = float(rng.normal(means[number], 1.0))
        chooser.learn(0.0, told)
    assert played[1] > 2_000
    assert min(played) >= 200
    for interval, mean in zip(chooser.intervals(), means, strict=True):
        assert interval.low < mean < interval.high


def test_who_does_not_play_is_told_of_by_others() -> None:
    chooser = UpperBounds(2)
    for _ in range(300):
        assert chooser.choose() == 0 or chooser.moments[0].n >= 200
        chooser.learn(0.0, [0.1, 0.2])
    assert [moments.n for moments in chooser.moments] == [300, 300]


def test_by_chips() -> None:
    chooser = ByChips(stake=100, lost=30, left=20)
    chosen = []
    for won in (-29, -1, 10, -20, -45, 30):
        chooser.learn(won, [None, None])
        chosen.append(chooser.choose())
    # 71, 70, 80, 60, 15 and 45 are left.
    assert chosen == [0, 1, 0, 1, 0, 1]


def test_in_turn() -> None:
    coach = make_player("coach:always-call+always-fold+always-raise,switch=hands,after=2")
    assert isinstance(coach, CoachPlayer)
    chosen = []
    for _ in range(8):
        chosen.append(coach.chooser.choose())
        coach.chooser.learn(-1.0, [None] * 3)
    assert chosen == [0, 0, 1, 1, 2, 2, 0, 0]


@pytest.fixture(scope="module")
def strategies() -> tuple[LimitStrategy, LimitStrategy]:
    """Two players that do not look at their cards."""
    uniform = uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind())
    rng = np.random.default_rng(4)
    tables = tuple(
        (table * rng.uniform(0.5, 1.5, table.shape)).astype(np.float32)
        for table in uniform.probabilities
    )
    tables = tuple(
        _normalised(table, part) for table, part in zip(tables, uniform.tree.rounds, strict=True)
    )
    return uniform, replace(uniform, probabilities=tables)


def _normalised(table: npt.NDArray[np.float32], part: BettingRound) -> npt.NDArray[np.float32]:
    by_slot = table.reshape(len(table), part.slots, part.sequences)
    total = np.add.reduceat(by_slot, part.first_slot[:-1], axis=1)[:, part.node]
    shares: npt.NDArray[np.float32] = np.ascontiguousarray((by_slot / total).reshape(table.shape))
    return shares


class OnlyFirst(UpperBounds):
    """Lets nobody play but the first."""

    def choose(self) -> int:
        return 0


class OnlySecond(UpperBounds):
    """Lets nobody play but the second."""

    def choose(self) -> int:
        return 1


@pytest.mark.slow
def test_what_others_would_have_won_has_no_bias(
    strategies: tuple[LimitStrategy, LimitStrategy],
) -> None:
    """Hands of one player, off policy, against the other player's own hands."""
    uniform, other = strategies
    deals = 2_000
    experts = [
        Expert(name, StrategyPlayer(strategy), StatesStrategy(strategy), tells_of_others=True)
        for name, strategy in (("a", uniform), ("b", other))
    ]
    coach = CoachPlayer(experts, OnlyFirst)
    play(Match(players=(coach, "random"), deals=deals, seed=6, chunk=deals))
    assert isinstance(coach.chooser, UpperBounds)
    assert coach.hands == [deals, 0]
    off = coach.chooser.moments[1].estimate()
    own = play(
        Match(players=(StrategyPlayer(other), "random"), deals=deals, seed=7, chunk=deals)
    ).payoffs[0, :, 0]
    on = own.mean() / 10
    error = np.hypot(off.stderr, own.std() / 10 / len(own) ** 0.5)
    assert off.n == deals
    assert abs(off.value - on) < 4 * error
    # Of the one that played, too, and with less spread than the money.
    assert coach.chooser.moments[0].n == deals
    assert coach.chooser.moments[0].sd < 6


@pytest.mark.slow
def test_who_does_not_do_everything_tells_of_itself_alone() -> None:
    """Always-call never raises, so what a raise would have won is not seen in its hands."""
    for spec, told in (("random", [250, 250]), ("always-raise", [0, 250])):
        coach = make_player(f"coach:always-call+{spec}")
        assert isinstance(coach, CoachPlayer)
        coach = CoachPlayer(coach.team, OnlySecond)
        play(Match(players=(coach, "random"), deals=250, seed=8))
        assert isinstance(coach.chooser, UpperBounds)
        assert [moments.n for moments in coach.chooser.moments] == told


def test_runtime_divat_counts_hands_whose_cards_were_shown(tmp_path: Path) -> None:
    """What an assessment with all cards known says of these hands, and else the money."""
    deals = 400
    experts = make_player("coach:always-call+random,feed=divat")
    assert isinstance(experts, CoachPlayer)
    told: list[tuple[float, list[float | None]]] = []

    class Told(UpperBounds):
        def choose(self) -> int:
            return len(told) % 2

        def learn(self, won: float, estimates: list[float | None]) -> None:
            told.append((won, estimates))

    coach = CoachPlayer(experts.team, Told, feed=settings.Feed.DIVAT)
    log = tmp_path / "match.log"
    match = Match(players=(coach, "baseline"), deals=deals, seed=6, chunk=deals)
    play(match, log=log)
    assessment = assess(log, player=match.names[0])
    scores = assessment.scores
    full = (scores["divat"] + scores["position"]).to_list()
    runtime = estimator_named(Contest.MATCH, "runtime").values(scores, Scoring()).to_list()
    seen = {True: 0, False: 0}
    rows = zip(told, scores["money"], full, runtime, scores["kind"], strict=True)
    for number, ((won, values), money, divat, at_showdown, kind) in enumerate(rows):
        assert won == pytest.approx(money)
        assert values[1 - number % 2] is None
        value = values[number % 2]
        if kind == "showdown" and money < 0:  # the opponent has won, and so has shown
            assert value == pytest.approx(divat)
            assert value == pytest.approx(at_showdown)
            seen[True] += 1
        elif kind == "fold":
            assert value == at_showdown == money
            seen[False] += 1
    assert min(seen.values()) > 20


def test_reach_is_the_product_of_ones_own_actions(
    strategies: tuple[LimitStrategy, LimitStrategy],
) -> None:
    _, other = strategies
    tree = other.tree
    places = [tree.after(text) for text in ("c", "cr", "crc/c")]
    decided = [OwnDecision(place, tree.slot(place, 1)) for place in places]
    tables = [other.probabilities[place.street][0] for place in places]
    lanes = [tree.rounds[p.street].lane(slot, p.sequence) for p, slot in decided]
    expected = np.prod([table[lane] for table, lane in zip(tables, lanes, strict=True)])
    board = np.array(parse_cards("AsKsQs"), dtype=np.uint8)
    reached = reach(StatesStrategy(other), board, decided)
    blocked = np.isin(HOLDING_CARDS, board).any(axis=1)
    assert not reached[blocked].any()
    assert reached[~blocked] == pytest.approx(expected, rel=1e-5)


def test_only_holdings_that_look_alike_count() -> None:
    board = np.array(parse_cards("AsKsQsJs2d"), dtype=np.uint8)
    own, shown = parse_holding("3c4c"), parse_holding("2c2h")
    ending = HandEnding(board, own, -4.0, 4.0, at_showdown=True, shown=shown, opponent_first=True)
    everything = np.ones(1326)
    value, _ = estimates(ending, [everything, everything], 0)
    used = {*board.tolist(), *HOLDING_CARDS[shown].tolist()}
    theirs = strength(parse_cards("AsKsQsJs2d2c2h"))
    ahead = [
        np.sign(int(strength(parse_cards("AsKsQsJs2d") + tuple(map(Card, cards)))) - int(theirs))
        for cards in HOLDING_CARDS.tolist()
        if not used & set(cards)
    ]
    wins, losses = ahead.count(1), ahead.count(-1)
    live, ties = len(ahead), ahead.count(0)
    assert live == 45 * 44 // 2
    assert value == pytest.approx(4 * (wins - losses) / live)
    # Where the opponent would have mucked beaten hands, only those count that it beats or ties.
    second = ending._replace(opponent_first=False)
    assert estimates(second, [everything, everything], 0)[1] == pytest.approx(
        -4 * losses / (losses + ties)
    )
    # A mucked hand tells of the actual holding alone, an unknown expert of itself alone.
    mucked = ending._replace(shown=None)
    weights = everything.copy()
    weights[own] = 0.25
    assert estimates(mucked, [everything, weights], 0) == [-4, -1]
    assert estimates(ending, [None, everything], 0) == [-4, None]
    assert estimates(ending, [everything, None], 0)[1] is None


def test_the_filter() -> None:
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    row[:9] = [*parse_cards("AsAh"), *parse_cards("3c2d"), *parse_cards("AdKc8h4s5s")]
    state = start(HEADS_UP_LIMIT, row)
    for action in (Call(), Call()):
        state = act(state, action, row)
    flop = frozenset({Street.FLOP})
    strong = view(state, Seat(0))
    assert tricked(Raise(Chips(10)), strong, flop) == Call()
    assert tricked(Call(), strong, flop) == Call()
    assert tricked(Raise(Chips(10)), strong, frozenset({Street.TURN})) == Raise(Chips(10))
    state = act(state, Call(), row)
    weak = view(state, Seat(1))
    assert tricked(Call(), weak, flop) == Raise(Chips(10))
    assert tricked(Raise(Chips(10)), weak, flop) == Raise(Chips(10))
    often = settings.TRICKY
    said = Distribution(call=0.75, raises=(RaiseSizes(Chips(10), Chips(10), 0.25),))
    bluffs = mixed(said, weak, flop)
    assert bluffs.call == pytest.approx(0.75 * (1 - often))
    assert bluffs.probability(Raise(Chips(10))) == pytest.approx(0.25 + 0.75 * often)
    slow = mixed(said, strong, flop)
    assert slow.call == pytest.approx(0.75 + 0.25 * often)
    assert mixed(Distribution(fold=1.0), weak, flop).fold == pytest.approx(1 - often)


@pytest.mark.slow
def test_explanation() -> None:
    coach = make_player("coach:vexbot+equilibrium:blind")
    assert isinstance(coach, CoachPlayer)
    coach.reset(np.random.default_rng(0))
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    seen = view(start(HEADS_UP_LIMIT, row), Seat(1))
    coach.begin(seen)
    assert isinstance(coach.act(seen), (Fold, Call, Raise))
    said = coach.explain(seen)
    assert said.rule.startswith("vexbot plays this hand. The values of all actions")
    assert [each.value for each in said.readings] == [1, None, None, 0, None, None]


def test_experts_that_do_not_explain_themselves() -> None:
    coach = make_player("coach:always-call+always-fold")
    assert isinstance(coach, CoachPlayer)
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    seen = view(start(HEADS_UP_LIMIT, row), Seat(1))
    coach.begin(seen)
    coach.act(seen)
    assert coach.explain(seen).rule == "always-call plays this hand."


def test_specs() -> None:
    found = parse_coach("loki:som,jitter=0.1+vexbot,kept=0.9,switch=chips,lost=5,tricky=flop&river")
    assert found.experts == ("loki:som,jitter=0.1", "vexbot,kept=0.9")
    assert (found.switch, found.lost) == (settings.Switch.CHIPS, 5)
    assert found.tricky == {Street.FLOP, Street.RIVER}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("coach", "without players"),
        ("coach:vexbot", "two or more"),
        ("coach:vexbot+", "two or more"),
        ("coach:always-call+nobody", "no player 'nobody'"),
        ("coach:always-call+always-fold,switch=chip", "did you mean chips"),
        ("coach:always-call+always-fold,feed=skill", "did you mean|imagined, money, divat"),
        ("coach:always-call+always-fold,feed=divat,switch=chips", "with switch=bounds"),
        ("coach:always-call+always-fold,after=5", "with switch=hands"),
        ("coach:always-call+always-fold,after=0,switch=hands", "1 to"),
        ("coach:always-call+always-fold,lost=5", "with switch=chips"),
        ("coach:always-call+always-fold+random,switch=chips", "of 3 players"),
        ("coach:always-call+always-fold,tricky=preflop", "flop&turn&river"),
        ("coach:always-call+always-fold,tricky=flop,tricky=turn", "given twice"),
        ("coach:always-call+loki:som,database=x.sqlite3", "without database="),
    ],
)
def test_refused_specs(spec: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        make_player(spec)


def test_where_it_plays() -> None:
    coach = make_player("coach:always-call+equilibrium:blind")
    assert why_not(coach, HEADS_UP_LIMIT) is None
    assert "feed=divat: " in str(
        why_not(make_player("coach:always-call+random,feed=divat"), limit_holdem(3))
    )
    assert "equilibrium:blind: it plays heads-up limit" in str(why_not(coach, limit_holdem(3)))
