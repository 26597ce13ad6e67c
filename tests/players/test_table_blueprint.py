"""The player of charts and of a blueprint at tables of two to six seats: equilibrium:nolimit6."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import pytest

from railbird.arena import Match, PlayerLike, Ring, play, play_ring
from railbird.cards import CLASSES, HOLDINGS, parse_cards, parse_class, parse_holding
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Call,
    Fold,
    HandDealer,
    Moment,
    Raise,
    Rules,
    Street,
    View,
    no_limit_holdem,
)
from railbird.players import make_player
from railbird.players.equilibrium import why_not_unmade
from railbird.players.spec import parse_spec
from railbird.players.table_blueprint import TableBlueprintPlayer, street_starts, why_no_charts
from railbird.solve import preflop_seats
from railbird.solve.nolimit.settings import BlueprintSize
from railbird.solve.nolimit.solving import solve_nolimit
from railbird.solve.nolimit.strategy import NoLimitStrategy
from railbird.solve.preflop_seats import SeatsCharts, SeatsGame, nearest_chart, seats_charts
from railbird.units import Chips, Seat

MENU = "opens = 2x, 3x, a; reraises = 3x, a; bets = 60%, a; raises = a"
SIX = no_limit_holdem(6, blinds=(50, 100), stack=10_000)
BOARD = parse_cards("7c 9h Jd Ks 2h")
OTHERS = ("3c3d", "4c4d", "5c5d", "6c6d", "8c8d", "TcTd")
RAISE = Raise(Chips(250))


@pytest.fixture(scope="module")
def strategy(tmp_path_factory: pytest.TempPathFactory) -> NoLimitStrategy:
    path = tmp_path_factory.mktemp("blueprint") / "some.strategy"
    size = BlueprintSize(MENU, (169, 1, 1, 1), 3_000)
    return solve_nolimit(path, size, stacks=(5, 20, 100))


@pytest.fixture
def player(strategy: NoLimitStrategy) -> TableBlueprintPlayer:
    return TableBlueprintPlayer(strategy)


def shown(
    player: TableBlueprintPlayer,
    rules: Rules,
    actions: Sequence[Action],
    seat: int,
    holding: str = "AsAd",
) -> View:
    """Let a player see a hand up to a decision; return its view there."""
    holdings = [parse_holding(text) for text in OTHERS[: rules.seats]]
    holdings[seat] = parse_holding(holding)
    dealer = HandDealer(rules, holdings, BOARD)
    dealt, *_ = dealer.begin()
    player.reset(np.random.default_rng(1))
    player.begin(Moment(dealt.after).view(Seat(seat)))
    for action in actions:
        for event, _, state in dealer.act(action):
            player.observe(Moment(state).view(Seat(seat)), event)
    return Moment(dealer.state).view(Seat(seat))


def seat_of(rules: Rules, index: int) -> int:
    """Return the seat that acts at a place before the flop."""
    return (rules.first_to_act[0] + index) % rules.seats


def chances(player: TableBlueprintPlayer, view: View) -> tuple[float, float, float]:
    told = player.distribution(view)
    return told.fold, told.call, sum(sizes.probability for sizes in told.raises)


def test_charts_open_good_hands_and_fold_bad_ones(player: TableBlueprintPlayer) -> None:
    utg = seat_of(SIX, 0)
    assert chances(player, shown(player, SIX, [], utg))[2] > 0.9
    assert chances(player, shown(player, SIX, [], utg, "7s2d"))[0] > 0.5
    view = shown(player, SIX, [], utg)
    told = player.range_distribution(view, np.arange(HOLDINGS))
    assert told.sizes == ((250, 250), (10_000, 10_000))


def test_a_raise_between_two_of_the_charts_counts_as_both(player: TableBlueprintPlayer) -> None:
    seat = seat_of(SIX, 1)
    shown(player, SIX, [RAISE], seat)
    assert [point.weight for point in player._points] == [1.0]
    shown(player, SIX, [Raise(Chips(2_000))], seat)
    low, high = sorted(player._points, key=lambda point: point.node)
    # Raises of 0.6 and 39.6 pots after a call, and one of 7.6 between them.
    weight = (39.6 - 7.6) * 1.6 / ((39.6 - 0.6) * 8.6)
    assert (low.weight, high.weight) == pytest.approx((weight, 1 - weight))
    shown(player, SIX, [Raise(Chips(10_000))], seat)
    (point,) = player._points
    assert point.node == high.node


def test_who_limps_is_raised_more(player: TableBlueprintPlayer) -> None:
    """The charts have no limpers but the small blind: they are as if they had folded."""
    view = shown(player, SIX, [Call(), Call()], seat_of(SIX, 2))
    assert {sizes.low for sizes in player.distribution(view).raises} == {450, 10_000}
    again = shown(player, SIX, [Call(), RAISE, *[Fold()] * 4, Raise(Chips(900))], seat_of(SIX, 1))
    assert sum(chances(player, again)) == pytest.approx(1)


def test_ranges_are_narrowed_by_the_charts(player: TableBlueprintPlayer) -> None:
    shown(player, SIX, [RAISE], seat_of(SIX, 1))
    charts = seats_charts(6, 100)
    opened = charts.at(0)[charts.tree.actions[0].index("raise 2.5")]
    assert player._reach[0] == pytest.approx(np.maximum(opened, 1e-3))
    assert player._reach[0][parse_class("72o")] < 0.5
    assert (player._reach[1] == 1).all()


def test_two_at_the_flop_go_on_as_heads_up(player: TableBlueprintPlayer) -> None:
    """From the place of the blueprint with the nearest stacks in pots, and the same raiser."""
    actions: list[Action] = [*[Fold()] * 3, RAISE, Fold(), Call()]
    view = shown(player, SIX, actions, seat_of(SIX, 5))
    (place,) = player._line.places
    assert place.depth.stack == 100
    (start,) = (start for start in street_starts(place.depth, 1) if start.node is place.node)
    assert start.raiser == 1
    deep = np.log(9_750 / 550)
    others = [start for start in street_starts(place.depth, 1) if start.raiser == 1]
    assert abs(start.deep - deep) == min(abs(rival.deep - deep) for rival in others)
    assert sum(chances(player, view)) == pytest.approx(1)
    assert "blueprint" in player_words(player, view)
    bet = shown(player, SIX, [*actions, Raise(Chips(300))], seat_of(SIX, 3))
    assert sum(chances(player, bet)) == pytest.approx(1)


def player_words(player: TableBlueprintPlayer, view: View) -> str:
    player.act(view)
    return str(player.explain(view).rule)


def test_pots_of_three_follow_the_rule(player: TableBlueprintPlayer) -> None:
    actions: list[Action] = [Fold(), Fold(), RAISE, Call(), Fold(), Call()]
    view = shown(player, SIX, actions, seat_of(SIX, 5), "AsAd")
    assert view.state.street is Street.FLOP
    assert player._line.places == ()
    assert "rule for pots of many players" in player_words(player, view)
    table = player.range_distribution(view, np.arange(HOLDINGS))
    assert set((table.call + table.raises.sum(axis=1)).round(9)) == {1.0}
    bet = shown(
        player, SIX, [*actions, Call(), Raise(Chips(10_000 - 250))], seat_of(SIX, 3), "3s2d"
    )
    assert chances(player, bet)[0] == 1
    later: list[Action] = [*actions, Call(), Call(), Raise(Chips(500)), Fold(), Call()]
    shown(player, SIX, later, seat_of(SIX, 3))
    assert len(player._line.places) == 1, "a turn that begins with two is the blueprint's"


@pytest.mark.slow
def test_what_it_tells_adds_up_wherever_it_is_asked(
    strategy: NoLimitStrategy,
) -> None:
    asked = []

    class Watched(TableBlueprintPlayer):
        def act(self, view: View) -> Action:
            table = self.range_distribution(view, np.arange(HOLDINGS))
            total = table.fold + table.call + table.raises.sum(axis=1)
            assert total == pytest.approx(np.ones(HOLDINGS))
            asked.append(view.state.street)
            copy = deepcopy(self)
            action = super().act(view)
            assert TableBlueprintPlayer.act(copy, view) == action
            assert self.explain(view).requirements
            return action

    players: tuple[PlayerLike, ...] = (
        Watched(strategy),
        "random",
        "always-call",
        "always-raise:min",
        "random",
        "random",
    )
    ring = Ring(players=players, hands=150, seed=4, buy_in=80, session=30)
    result = play_ring(ring)
    assert result.faults(0).as_json() == {}
    assert {Street.PREFLOP, Street.FLOP, Street.RIVER} <= set(asked)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_never_at_fault_at_other_tables(strategy: NoLimitStrategy, seats: int) -> None:
    players: tuple[PlayerLike, ...] = (TableBlueprintPlayer(strategy), *["random"] * (seats - 1))
    ring = Ring(players=players, hands=40, seed=seats, buy_in=300, session=20)
    assert play_ring(ring).faults(0).as_json() == {}


def test_the_seed_determines_a_match(strategy: NoLimitStrategy) -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=5_000)
    players: tuple[PlayerLike, ...] = (TableBlueprintPlayer(strategy), "killer")
    one, two = (play(Match(players=players, rules=rules, deals=15, seed=3)) for _ in range(2))
    assert (one.payoffs == two.payoffs).all()


def test_charts_are_normalised() -> None:
    charts = seats_charts(3, 20)
    assert charts.at(0).sum(axis=0) == pytest.approx(np.ones(CLASSES))
    assert isinstance(charts, SeatsCharts)
    assert charts.game == SeatsGame(seats=3, stack=20.0, opens=preflop_seats.CHART_OPENS)
    assert [nearest_chart(stack) for stack in (0.0, 10.0**30)] == [20, 200]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (HEADS_UP_LIMIT, "no-limit of 2 to 6 seats"),
        (no_limit_holdem(7, blinds=(50, 100), stack=1_000), "2 to 6 seats"),
        (no_limit_holdem(6, blinds=(50, 100), stack=1_000, ante=10), "without antes"),
        (no_limit_holdem(6, blinds=(40, 100), stack=1_000), "half the big one"),
        (no_limit_holdem(6, blinds=(50, 100), stack=1_000, straddle=200), "half the big one"),
    ],
    ids=["limit", "seven", "ante", "blinds", "straddle"],
)
def test_games_that_it_does_not_play(rules: Rules, words: str) -> None:
    reason = why_no_charts(rules)
    assert reason is not None
    assert words in reason
    spec = parse_spec("equilibrium:nolimit6")
    assert why_not_unmade(spec, rules, carries_over=True) == reason
    assert why_not_unmade(spec, SIX, carries_over=True) is None


@pytest.mark.parametrize("option", ["resolve=turn", "seconds=1", "solving=safe"])
def test_it_does_not_solve_while_it_plays(option: str) -> None:
    with pytest.raises(BadInput, match="nolimit6 with resolve="):
        make_player(f"equilibrium:nolimit6,{option}")
