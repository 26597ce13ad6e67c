"""AIVAT of no-limit hands: every kind of luck by enumeration, and a whole game with all cards."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from railbird._arrays import Floats
from railbird.arena import Match, play
from railbird.assessment import assess_table
from railbird.assessment.aivat.no_limit import NoLimitAivat, NoLimitScorer, less_luck
from railbird.assessment.anytime import anytime_intervals
from railbird.cards import (
    CLASS_OF_HOLDING,
    HOLDING_CARDS,
    HOLDING_INDEX,
    HOLDINGS,
    Card,
    parse_cards,
    parse_holding,
)
from railbird.cli import run
from railbird.errors import BadInput
from railbird.game import (
    HandDealer,
    Moment,
    Rules,
    acpc_rules,
    action_of,
    no_limit_holdem,
    seen_by,
)
from railbird.odds import open_matrix
from railbird.odds.range_showdowns import RangeShowdowns, met, met_by_many
from railbird.players.blueprint import BlueprintPlayer
from railbird.players.policy import RangeDistribution
from railbird.solve.abstraction.card_abstraction import is_blocked
from railbird.solve.limit.solving import holdem_game
from railbird.solve.nolimit.betting import next_decision, nolimit_tree
from railbird.solve.nolimit.kernels import deal_edges, follow_deals
from railbird.solve.nolimit.strategy import Depth, NoLimitStrategy, write_nolimit
from railbird.solve.nolimit.values import BlueprintValues, find_lines, fit_lines
from railbird.solve.spot.tree import Ends, Node
from railbird.units import Seat

MENU = "opens = 2x, a; reraises = a; bets = 60%, a; raises = a"
ALL_IN = "opens = a; reraises = a; bets = a"
DECK = np.arange(52, dtype=np.uint8)
BOARD, SPARE = ([int(card) for card in parse_cards(text)] for text in ("Ks7d2c9h3d", "4c4d"))


def random_strategy(stack: int, menu: str = MENU, *, no_limps: bool = False) -> NoLimitStrategy:
    """Somebody who plays anything, differently with each bucket."""
    rng, abstraction = np.random.default_rng(stack), holdem_game((5, 5, 5, 5))[1]
    tree = nolimit_tree(menu, stack)
    tables = [
        rng.integers(1, 256, (states, actions)).astype(np.uint8)
        for states, actions in zip(abstraction.states, tree.actions, strict=True)
    ]
    if no_limps:
        tables[0][:, 1] = 0
    return NoLimitStrategy(menu, abstraction, (Depth(menu, stack, tuple(tables)),), hash="random")


def rules_of(stack: int) -> Rules:
    return acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=100 * stack))


@pytest.fixture(scope="module")
def values() -> BlueprintValues:
    strategy = random_strategy(10)
    return BlueprintValues(
        strategy, [find_lines(strategy.depths[0], strategy.abstraction, deals=50)]
    )


def scorer(values: BlueprintValues, *known: int) -> NoLimitScorer:
    first, second = (BlueprintPlayer(values.strategy) if seat in known else None for seat in (0, 1))
    return NoLimitScorer(rules_of(values.strategy.depths[0].stack), (first, second), values)


def asked(
    strategy: NoLimitStrategy, board: Sequence[int], codes: Sequence[int]
) -> list[tuple[Seat, Floats, RangeDistribution]]:
    """Who was asked, how likely each holding (1326,) came there, and what each does.

    The last one was asked after all of the codes.
    """
    rules = rules_of(strategy.depths[0].stack)
    dealer = HandDealer(rules, (None, None), [Card(card) for card in board])
    players = [BlueprintPlayer(strategy) for _ in range(2)]
    dealt, *_ = dealer.begin()
    for number, player in enumerate(players):
        player.begin(Moment(dealt.after).view(Seat(number)))
    reach: list[Floats] = [np.ones(HOLDINGS), np.ones(HOLDINGS)]
    found: list[tuple[Seat, Floats, RangeDistribution]] = []
    for code in [*codes, None]:
        seat, state = dealer.asks, dealer.state
        assert seat is not None
        told = players[seat].range_distribution(Moment(state).view(seat), np.arange(HOLDINGS))
        reach[seat] = np.where(is_blocked(np.array(state.board, np.uint8)), 0.0, reach[seat])
        found.append((seat, reach[seat], told))
        if code is None:
            break
        reach[seat] = reach[seat] * told.probability(action_of(code))
        for event, _, after in dealer.act(action_of(code)):
            for each, player in enumerate(players):
                player.observe(Moment(after).view(Seat(each)), seen_by(event, Seat(each)))
    return found


def apart(holding: int) -> Floats:
    found: Floats = open_matrix().disjoint[holding].astype(np.float64)
    return found


CALLS = [0, 0, 0, 0]
"""Limped and checked through to the turn."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "known", [(0,), (1,), pytest.param((0, 1), marks=pytest.mark.slow)], ids=str
)
def test_the_luck_of_the_turn_is_none_on_average(
    values: BlueprintValues, known: tuple[int, ...]
) -> None:
    """All turns, each by how many pairs of holdings may come there."""
    found = scorer(values, *known)
    other = int(parse_holding("QsQh"))
    holdings = [-1 if seat in known else other for seat in (0, 1)]
    flop = BOARD[:3]
    ranges = [np.ones(HOLDINGS), np.ones(HOLDINGS)]
    for seat, reach, told in asked(values.strategy, BOARD, CALLS)[:-1]:
        ranges[seat] = reach * told.call
    for unknown in {0, 1} - {*known}:
        ranges[unknown] = (np.arange(HOLDINGS) == other).astype(np.float64)
    total = weight = 0.0
    for card in DECK.tolist():
        live = ~is_blocked(np.array([*flop, card], dtype=np.uint8))
        pairs = float((ranges[0] * live) @ met(ranges[1] * live))
        if card in flop or not pairs:
            continue
        luck = found.follow(holdings, [*flop, card], [*CALLS, 0]).luck
        # In turn: the deal, the actions before the flop, the flop, those on it, and then the turn.
        before = 2 if len(known) == 2 else 1
        total += pairs * luck[1 + before + 1 + before]
        weight += pairs
    assert abs(total / weight) < 1e-12
    assert weight > 0


@pytest.mark.slow
@pytest.mark.parametrize("codes", [[], [0], [200], [0, 0], [0, 0, 120], [0, 0, 0]], ids=str)
def test_the_luck_of_an_action_is_none_on_average(
    values: BlueprintValues, codes: list[int]
) -> None:
    """All that the known player may do, by how often it does; before the flop and on it."""
    seat, reach, told = asked(values.strategy, BOARD, codes)[-1]
    other = int(parse_holding("QsQh"))
    holdings = [other if each != seat else -1 for each in (0, 1)]
    found, total, chances = scorer(values, seat), 0.0, 0.0
    for code in (-1, 0, *(to for to, _ in told.sizes)):
        some = reach * told.probability(action_of(code))
        chance = float(some @ apart(other)) / float(reach @ apart(other))
        if chance:
            total += chance * found.follow(holdings, BOARD, [*codes, code]).luck[-1]
            chances += chance
    assert chances == pytest.approx(1)
    assert abs(total) < 1e-12


@pytest.mark.slow(but=["(0, 1)"])
@pytest.mark.parametrize("known", [(0,), (1,), (0, 1)], ids=str)
def test_a_whole_game_has_the_mean_that_it_should(known: tuple[int, ...]) -> None:
    """Fold or all-in with 2 big blinds, over all holdings, boards and actions.

    An unknown player plays otherwise than the model says.
    """
    strategy = random_strategy(2, ALL_IN, no_limps=True)
    depth = strategy.depths[0]
    values = BlueprintValues(strategy, [find_lines(depth, strategy.abstraction, deals=1)])
    found = scorer(values, *known)
    tables = depth.tables[0][
        np.maximum(strategy.abstraction.next_states(np.empty(0, np.uint8), None), 0)
    ]
    rng = np.random.default_rng(8)
    plays = []
    for seat in (0, 1):
        # The dealer's first decision, and the big blind's against all-in.
        node = depth.tree.root if seat == 1 else next_decision(depth.tree.root.children[-1])
        assert node is not None
        _, first = depth.tree.place(node)
        some = tables[:, first : first + len(node.actions)].astype(np.float64)
        goes_on = some[:, -1] / some.sum(axis=1)
        plays.append(goes_on if seat in known else rng.random(169)[CLASS_OF_HOLDING])
    disjoint = open_matrix().disjoint.astype(np.float64)
    edges = 2 * np.nan_to_num(open_matrix().equity) - disjoint
    calls, shoves = plays
    pairs = disjoint.sum()
    exact = (
        (disjoint @ (1 - shoves)).sum() * 0.5
        - (1 - calls) @ disjoint @ shoves
        + 2 * calls @ edges @ shoves
    ) / pairs
    total = 0.0
    for each in range(169) if len(known) == 1 else [0]:
        holding = int(np.argmax(each == CLASS_OF_HOLDING))
        alike = np.equal(CLASS_OF_HOLDING, each).astype(np.float64)
        big, dealer = (alike if seat not in known else np.ones(HOLDINGS) for seat in (0, 1))
        if len(known) == 2:
            holding = -1
        holdings = [-1 if seat in known else holding for seat in (0, 1)]
        for codes, one, other in (
            ([-1], big, dealer * (1 - shoves)),
            ([200, -1], big * (1 - calls), dealer * shoves),
            ([200, 0], big * calls, dealer * shoves),
        ):
            cards = [] if holding < 0 else HOLDING_CARDS[holding].tolist()
            board = [card for card in BOARD + SPARE if card not in cards][: 5 * (codes[-1] == 0)]
            chance = float(one @ disjoint @ other) / pairs
            if chance:
                total += chance * found.score(holdings, board, codes)
    assert total == pytest.approx(exact, abs=1e-9)


def slowly(node: Node, depth: Depth, states: Floats, edge: float) -> float:
    """What seat 0 wins on a deal, by the tree."""
    if node.kind is Ends.FOLD:
        return float(node.paid[node.player]) * (1 if node.player else -1)
    if node.kind is Ends.SHOWDOWN:
        return edge * node.paid[0]
    after = next_decision(node)
    if after is None:
        return edge * node.paid[0]
    street, _ = depth.tree.place(after)
    shares = depth.shares(after, np.array([states[after.player, street]]))[0]
    return sum(
        float(share) * slowly(child, depth, states, edge)
        for share, child in zip(shares, after.children, strict=True)
    )


def test_lines_are_of_what_the_tree_is_worth() -> None:
    """The kernel that follows all betting, against a walk of the tree."""
    strategy = random_strategy(5)
    depth = strategy.depths[0]
    rng = np.random.default_rng(2)
    decks = rng.permuted(np.tile(DECK, (2, 1)), axis=1)
    edges = np.empty((2, 3))
    deal_edges(decks, edges)
    for deck, edge in zip(decks, edges, strict=True):
        for street in (1, 2, 3):
            board = deck[4 : 6 + street]
            own, other = (int(HOLDING_INDEX[deck[at], deck[at + 1]]) for at in (0, 2))
            one = (np.arange(HOLDINGS) == other).astype(np.float64)
            equity = RangeShowdowns(board).won(one)[own]
            assert edge[street - 1] == pytest.approx(2 * equity - 1)
    states = np.array([[[3, 7, 11, 600], [4, 20, 100, 3]], [[0, 1, 2, 3], [4, 5, 6, 7]]], np.int32)
    sums = tuple(np.zeros((len(each.root) - 1, 6)) for each in depth.tree.forests[1:])
    root, player, first, kind, to = zip(*depth.tree.forests, strict=True)
    arrays = root, player, first, kind, to
    follow_deals(arrays, depth.tables, states[:1], edges[:1], sums)
    roots = depth.tree.forests[1].root[:-1]
    for begin, (weight, _, _, won, xwon, _) in zip(roots, sums[0], strict=True):
        node = depth.tree.decisions[1][begin]
        assert won / weight == pytest.approx(slowly(node, depth, states[0], edges[0, 2]))
        assert xwon / won == pytest.approx(edges[0, 0])


def test_a_line_without_hands_is_a_showdown() -> None:
    assert fit_lines(np.zeros((1, 6)), np.array([300])) == pytest.approx(np.array([[0.0, 300.0]]))


@pytest.mark.slow
def test_many_ranges_at_once_are_as_one_by_one() -> None:
    reach = np.random.default_rng(4).random((HOLDINGS, 3))
    for board in (BOARD[:0], BOARD[:3], BOARD[:4], BOARD):
        found = RangeShowdowns(board)
        some = reach * found.live[:, None]
        assert met_by_many(some)[:, 1] == pytest.approx(met(some[:, 1]))
        assert found.won_by_many(some)[:, 2] == pytest.approx(found.won(some[:, 2]))
        roughly = found.won_by_many(some, roughly=True)
        assert np.corrcoef(roughly[:, 0], found.won(some[:, 0]))[0, 1] > 0.98


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("blueprint") / "random.strategy"
    write_nolimit(path, random_strategy(10))
    return f"equilibrium:{path}"


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.solve.nolimit.values.DEALS", 50)


@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_a_match_by_aivat_alone_has_the_same_mean(spec: str) -> None:
    """Within the errors of money, of which hardly anything is left where both are known."""
    match = Match(players=(spec, "always-call"), rules=rules_of(10), deals=40, seed=3)
    result = play(match, keep=True)
    first, second = match.names
    found = less_luck(result, known={first: spec, second: "always-call"})
    money, aivat = found[first].money, found[first].aivat
    assert money == result.money(0)
    assert aivat.n == money.n
    assert aivat.stderr < money.stderr / 3
    assert abs(aivat.value - money.value) < 4 * money.stderr
    assert found[second].aivat.value == pytest.approx(-aivat.value)
    reduced = found[first].variance_reduction
    assert reduced is not None
    assert reduced > 9
    with pytest.raises(BadInput, match="does not play as always-fold, which never"):
        less_luck(result, known={second: "always-fold"}, model=spec)


@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_a_match_is_told_with_less_luck_and_for_the_same_mean(spec: str) -> None:
    match = Match(players=(spec, "always-call"), rules=rules_of(10), deals=60, seed=3)
    result = play(match, keep=True)
    first, second = match.names
    more = [NoLimitAivat(known={first: spec, second: "always-call"})]
    found = assess_table(result, more=more, boards=2)
    assert found.headline == "aivat"
    assert found.overall.reason == f"the strategies of {first} and {second} are known"
    estimate, money = (found.estimates[first][name] for name in ("aivat", "money"))
    assert estimate.stderr < money.stderr / 3
    assert abs(estimate.value - money.value) < 4 * money.stderr
    assert found.estimates[second]["aivat"].value == pytest.approx(-estimate.value)
    names = [row.name for row in anytime_intervals(found)]
    assert "aivat" in names
    assert "money" in names
    assert "fitted" not in names


@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_a_match_at_the_command_line_has_it(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    args = ("--game", "nolimit", "--stack", "10bb", "--hands", "10", "--show", "aivat")
    assert run(["match", spec, "killer", *args, "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    told = [each["aivat"] for each in players.values()]
    assert told[0]["n"] == 10
    assert told[0]["value"] == pytest.approx(-told[1]["value"])
    assert run(["match", spec, "killer", *args]) == 0
    assert "by AIVAT" in capsys.readouterr().out
    assert run(["match", "tight:nolimit", "killer", *args]) == 2
    assert "--show aivat with no player known: tight:nolimit" in capsys.readouterr().err
    assert run(["match", "always-call", "killer", "--hands", "10", "--show", "aivat"]) == 2
    assert "--show aivat without --show assessment in limit" in capsys.readouterr().err


def test_who_cannot_be_known_is_refused(spec: str) -> None:
    for other in (
        "killer",
        "tight:nolimit",
        "loki:som",
        "booker:4",
        f"{spec},resolve=river,seconds=1",
    ):
        with pytest.raises(
            BadInput, match=r"its play depends on (more than the hand|the time that it takes)"
        ):
            NoLimitAivat(known={"Ann": other})
    with pytest.raises(BadInput, match="as a model; allowed: a blueprint"):
        NoLimitAivat(known={"Ann": spec}, model="baseline")
    aivat = NoLimitAivat(known={"Ann": spec})
    assert aivat.needs(rules_of(10)) is None
    assert "up to 10 big blinds" in str(aivat.needs(rules_of(11)))
    assert "heads-up" in str(
        aivat.needs(acpc_rules(no_limit_holdem(3, blinds=(50, 100), stack=900)))
    )
    assert spec in aivat.sources[0]
