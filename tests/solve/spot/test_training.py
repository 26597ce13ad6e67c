"""Decisions at a solved spot: what they cost, against what is computed without dealing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from railbird import odds
from railbird.cards import HOLDING_CARDS, format_holding, parse_cards, parse_holding
from railbird.errors import BadInput
from railbird.solve.spot import BetSizes, Spot, SpotSolution, same_sizes, solve_spot
from railbird.solve.spot.drills import TEXTURES, Drill
from railbird.solve.spot.kernels import AVERAGE
from railbird.solve.spot.training import SpotQuestion, SpotTrainer, losses_by

RIVER = Spot.of(
    "Td9d6hQc2s",
    "QQ,99,AKs,KJs,87s,A5s:0.5",
    "TT,66,KQs,J8s,AJs,76s:0.25",
    pot=20,
    stack=60,
    sizes=same_sizes(BetSizes.parse("50%", "a")),
)


@pytest.fixture(scope="module")
def solved() -> SpotSolution:
    return solve_spot(RIVER, gap_percent=0.2, threads=1)


def _by_solution(rng: np.random.Generator) -> Callable[[SpotQuestion], int]:
    def chosen(question: SpotQuestion) -> int:
        mix = np.nan_to_num(question.node.strategy[question.holding])
        return int(rng.choice(len(mix), p=mix / mix.sum()))

    return chosen


def _calls(question: SpotQuestion) -> int:
    return next(k for k, name in enumerate(question.actions) if name in ("call", "check"))


def _trained(
    solution: SpotSolution, hands: int, choose: Callable[[SpotQuestion], int], seat: int
) -> tuple[SpotTrainer, np.ndarray, np.ndarray]:
    trainer = SpotTrainer(solution, np.random.default_rng(5))
    loss, behind = np.zeros(hands), np.zeros(hands)
    for number in range(hands):
        for question in trainer.hand(seat):
            decision = question.decide(choose(question))
            loss[number] += decision.loss
            behind[number] += decision.behind
    return trainer, loss, behind


def _value_of_calling(spot: Spot, seat: int) -> float:
    """Compute what always checking and calling wins against the solution, without dealing."""
    solution = solve_spot(spot, gap_percent=0.2, threads=1)
    solver = solution.solver
    before = solution.values()[seat]
    for forest in solver.forests:
        for node in forest.nodes():
            if node.player != seat or not node.actions:
                continue
            _, padded, _, base = solver.streets[0].boards.sizes[0, seat]
            place = base + node.slot * padded
            for k, action in enumerate(node.actions):
                chance = float(str(action) in ("call", "check"))
                solver.averages[place + k * padded : place + (k + 1) * padded] = chance
    return before - (solver.value(seat, AVERAGE) + spot.pot / 2)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("hands", [600, pytest.param(10_000, marks=pytest.mark.slow)])
def test_who_plays_the_solution_loses_nothing(solved: SpotSolution, seat: int, hands: int) -> None:
    """No more than its gap, which is what perfect play would win beside it."""
    rng = np.random.default_rng(9)
    trainer, loss, behind = _trained(solved, hands, _by_solution(rng), seat)
    stderr = behind.std() / math.sqrt(hands)
    assert abs(behind.mean()) < 4 * stderr + 1e-9
    assert trainer.uncertainty == 2 * solved.gap
    assert -1e-6 <= loss.mean() <= trainer.uncertainty + 4 * loss.std() / math.sqrt(hands)
    assert trainer.hands == trainer.seats[seat] == hands


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("hands", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_who_always_calls_loses_what_is_computed(
    solved: SpotSolution, seat: int, hands: int
) -> None:
    _, loss, behind = _trained(solved, hands, _calls, seat)
    expected = _value_of_calling(RIVER, seat)
    assert expected > 0.5
    stderr = behind.std() / math.sqrt(hands)
    assert abs(behind.mean() - expected) < 4 * stderr
    # Against the best action it loses as much, but for what the solution leaves open.
    assert abs(loss.mean() - expected) < 4 * stderr + 2 * solved.gap


def test_a_line_deals_what_comes_there(solved: SpotSolution) -> None:
    trainer = SpotTrainer(solved, np.random.default_rng(1), line="check bet 10")
    reach = solved.node("check bet 10").reach
    for _ in range(200):
        (question, *_) = list(_answered(trainer.hand(0)))
        assert question.node.line == "check bet 10"
        assert reach[0, question.holding] > 0
        assert reach[1, question.opponent] > 0
        both = np.concatenate(HOLDING_CARDS[[question.holding, question.opponent]])
        assert len(set(both.tolist())) == 4
        assert np.isfinite(question.values).all()


TURN = Spot.of(
    "Td9d6hQc",
    "QQ,99,AKs,KJs,87s,A5s",
    "TT,66,KQs,J8s,AJs,76s",
    pot=20,
    stack=30,
    sizes=same_sizes(BetSizes.parse("a")),
)


@pytest.fixture(scope="module")
def turn() -> SpotSolution:
    return solve_spot(TURN, gap_percent=2, threads=1)


@pytest.mark.slow(but=["paired", "gutshot"])
@pytest.mark.parametrize(
    ("drill", "street"),
    [
        ("river, paired, one street", "river"),
        ("river, monotone", "river"),
        ("turn, set", "turn"),
        ("top pair, one street", ""),
        ("gutshot", "turn"),
        ("river, flush", "river"),
    ],
    ids=["paired", "monotone", "set", "top-pair", "gutshot", "flush"],
)
def test_a_drill_asks_first_what_it_says(turn: SpotSolution, drill: str, street: str) -> None:
    parsed = Drill.parse(drill)
    assert Drill.parse(str(parsed)) == parsed
    trainer = SpotTrainer(turn, np.random.default_rng(3), drill=parsed)
    for number in range(40):
        asked = list(_answered(trainer.hand(number % 2)))
        first = asked[0].answered
        assert first is not None
        assert street in ("", first.street)
        if parsed.texture:
            assert TEXTURES[parsed.texture](first.board)
        hands = odds.hands_on_board(first.board)
        if parsed.hand in odds.MADE_HANDS:
            assert first.made == parsed.hand
        elif parsed.hand:
            flags = int(hands.draws[first.holding])
            assert all(flags & some for some in odds.DRAWS[parsed.hand])
        streets = {question.answered.street for question in asked if question.answered}
        assert not parsed.one_street or streets == {first.street}
    assert trainer.hands == 40


def test_a_drill_does_not_change_how_often_holdings_come(turn: SpotSolution) -> None:
    """Hands of a drill at once are those of all hands, without the others."""

    def counts(drill: str) -> np.ndarray:
        trainer = SpotTrainer(turn, np.random.default_rng(4), drill=Drill.parse(drill))
        seen = np.zeros(1326)
        for _ in range(1500):
            (question, *_) = list(_answered(trainer.hand(0)))
            if Drill.parse("set").takes(question.node.board)[question.holding]:
                seen[question.holding] += 1
        shares: np.ndarray = seen / seen.sum()
        return shares

    assert np.abs(counts("set") - counts("one street")).max() < 0.08


def test_drills_that_cannot_be(turn: SpotSolution, solved: SpotSolution) -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(BadInput, match="a drill of the flop; here follows turn"):
        SpotTrainer(turn, rng, drill=Drill.parse("flop"))
    with pytest.raises(BadInput, match="here follows river"):
        SpotTrainer(turn, rng, line="check check", drill=Drill.parse("turn"))
    with pytest.raises(BadInput, match="no hand of this drill comes there: river, straight flush"):
        list(SpotTrainer(solved, rng, drill=Drill.parse("straight flush, river")).hand(0))
    with pytest.raises(BadInput, match="no decision of this drill came in 400 hands"):
        list(SpotTrainer(turn, rng, drill=Drill.parse("straight flush")).hand(0))
    for words in ("x" * 200, "turn, river", "paired, paired", "\0", "flop turn"):
        with pytest.raises(BadInput, match="allowed: "):
            Drill.parse(words)


@pytest.mark.parametrize(
    ("board", "names"),
    [
        ("KsKd2c", "paired rainbow"),
        ("7s2sKs", "unpaired monotone"),
        ("7s5sKc6h", "unpaired two-tone connected"),
        ("As2d5cTh", "unpaired rainbow connected ace-high"),
        ("AcKdTh2s", "unpaired rainbow connected ace-high"),
        ("KcAd2h7s9s", "unpaired two-tone ace-high"),
    ],
    ids=["paired", "monotone", "low", "wheel", "broadway", "around"],
)
def test_textures(board: str, names: str) -> None:
    cards = tuple(parse_cards(board))
    assert {name for name, tells in TEXTURES.items() if tells(cards)} == {*names.split()}


def test_no_bound_is_claimed_where_none_is_known(solved: SpotSolution) -> None:
    rng = np.random.default_rng(1)
    assert SpotTrainer(solved, rng, line="check").uncertainty is None
    raked = solve_spot(replace(RIVER, rake=0.05), gap_percent=1, threads=1)
    assert SpotTrainer(raked, rng).uncertainty is None


def _answered(questions: Iterator[SpotQuestion]) -> Iterator[SpotQuestion]:
    for question in questions:
        question.decide(0)
        yield question


def test_later_streets_are_dealt_from_what_nobody_has() -> None:
    turn = Spot.of(
        "Td9d6hQc", "QQ,99,AKs", "TT,KQs", pot=20, stack=20, sizes=same_sizes(BetSizes.parse("a"))
    )
    trainer = SpotTrainer(solve_spot(turn, gap_percent=2, threads=1), np.random.default_rng(2))
    streets = set()
    for number in range(60):
        for question in trainer.hand(number % 2):
            decision = question.decide(_calls(question))
            streets.add(decision.street)
            own = set(HOLDING_CARDS[question.holding].tolist())
            other = set(HOLDING_CARDS[question.opponent].tolist())
            assert not (own | other) & set(map(int, question.node.board))
    assert streets == {"turn", "river"}
    assert trainer.seats == [30, 30]
    by_street = losses_by(trainer.decisions, lambda decision: decision.street)
    total = sum(estimate.value * estimate.n for estimate in by_street.values())
    assert total == pytest.approx(sum(decision.loss for decision in trainer.decisions))


def test_what_cannot_be_trained_is_refused(solved: SpotSolution) -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(BadInput, match="nobody acts after 'check check'"):
        SpotTrainer(solved, rng, line="check check")
    with pytest.raises(BadInput, match="allowed here"):
        SpotTrainer(solved, rng, line="bet 11")
    trainer = SpotTrainer(solved, rng)
    with pytest.raises(BadInput, match="seat 2"):
        next(trainer.hand(2))
    question = next(trainer.hand(0))
    with pytest.raises(BadInput, match="action 7; allowed: 0 to"):
        question.decide(7)
    assert format_holding(question.holding) != format_holding(question.opponent)
    assert parse_holding(format_holding(question.holding)) == question.holding
