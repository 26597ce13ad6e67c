"""Classes of opponents, told from players whose class is known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import Match, play
from railbird.cards import parse_cards, parse_holding
from railbird.game import Action, Call, Event, Street, View, no_limit_holdem
from railbird.modelling import settings
from railbird.modelling.opponent_classes import (
    ClassVerdict,
    OpponentClass,
    opponent_classes,
    outs_to_draw,
)
from railbird.modelling.opponent_statistics import OpponentObserver, OpponentStatistics, ShownHand
from railbird.modelling.public_hand import PlayedAction, SeenAction
from railbird.units import Chips, Seat

CALL, CHECK, RAISE = PlayedAction.CALL, PlayedAction.CHECK, PlayedAction.RAISE


class Watcher:
    """Calls everything, and watches."""

    seen: OpponentStatistics

    def __init__(self) -> None:
        self.opponents = OpponentObserver()

    def reset(self, rng: np.random.Generator) -> None:
        self.opponents.reset()

    def act(self, view: View) -> Action:
        return Call()

    def meet(self, people: tuple[int, ...]) -> None:
        self.opponents.meet(people)

    def introduce(self, names: tuple[str, ...]) -> None:
        self.opponents.introduce(names)

    def begin(self, view: View) -> None:
        self.opponents.begin(view)

    def observe(self, view: View, event: Event) -> None:
        self.opponents.observe(view, event)

    def end(self, view: View) -> None:
        self.opponents.end(view)


def classes_of(spec: str, hands: int = 150) -> dict[str, OpponentClass]:
    watcher = Watcher()
    rules = no_limit_holdem(2, blinds=(10, 20), stack=1_500)
    play(Match(players=(watcher, f"other={spec}"), rules=rules, deals=hands, seed=4))
    found = opponent_classes(watcher.opponents.met["other"], seats=2)
    return {each.name: each for each in found}


def verdicts(found: dict[str, OpponentClass], verdict: ClassVerdict) -> set[str]:
    return {name for name, each in found.items() if each.verdict is verdict}


def test_a_caller() -> None:
    found = classes_of("always-call")
    assert verdicts(found, ClassVerdict.YES) == {"conservative", "loose"}
    assert {"aggressive", "tight", "pot stealer", "bets draws"} <= verdicts(found, ClassVerdict.NO)
    # Nobody ever bets against it, so nothing tells whether it would call.
    assert found["loose caller"].n == 0
    assert verdicts(found, ClassVerdict.TOO_FEW) >= {"loose caller", "trapper", "slow-player"}


def test_a_raiser() -> None:
    found = classes_of("always-raise:pot")
    assert {"aggressive", "loose", "pot stealer"} <= verdicts(found, ClassVerdict.YES)
    assert found["bets draws"].value > 0.9
    assert found["bets draws"].n > 5
    assert {"conservative", "tight", "bets its strength"} <= verdicts(found, ClassVerdict.NO)


def test_one_that_bets_by_its_cards() -> None:
    found = classes_of("baseline", 400)
    assert "bets its strength" in verdicts(found, ClassVerdict.YES)


def test_nothing_is_said_of_somebody_unknown() -> None:
    found = opponent_classes(OpponentStatistics(), seats=6)
    assert {each.verdict for each in found} == {ClassVerdict.TOO_FEW}
    assert all(each.as_json()["value"] is None for each in found)


@pytest.mark.parametrize(
    ("low", "high", "n", "verdict"),
    [
        (0.51, 0.7, 30, ClassVerdict.YES),
        (0.51, 0.7, 29, ClassVerdict.TOO_FEW),
        (0.50, 0.7, 30, ClassVerdict.UNDECIDED),
        (0.40, 0.6, 30, ClassVerdict.UNDECIDED),
        (0.40, 0.49, 30, ClassVerdict.NO),
    ],
)
def test_verdicts(low: float, high: float, n: int, verdict: ClassVerdict) -> None:
    told = OpponentClass(
        name="", cue="", n=n, value=0.5, low=low, high=high, threshold=0.5, least=30
    )
    assert told.verdict is verdict


def test_intervals_are_exact() -> None:
    statistics = OpponentStatistics()
    statistics.hands = 100
    told = {each.name: each for each in opponent_classes(statistics, seats=2)}["loose"]
    # Clopper and Pearson without a failure: the low end is (alpha / 2) ** (1 / n).
    assert told.low == pytest.approx(0.025**0.01)
    assert told.high == 1.0
    assert told.verdict is ClassVerdict.YES


def test_a_difference_of_shares() -> None:
    statistics = OpponentStatistics()
    statistics.cues.counts[2:] = [56, 56, 48, 0]
    told = {each.name: each for each in opponent_classes(statistics, seats=6)}["varies play"]
    assert (told.value, told.n, told.verdict) == (1.0, 48, ClassVerdict.YES)
    quiet, aggressive = 1 - 0.025 ** (1 / 56), 1 - 0.025 ** (1 / 48)
    assert told.low == pytest.approx(1 - np.hypot(quiet, aggressive))
    statistics.cues.counts[2:] = [50, 25, 50, 25]
    told = {each.name: each for each in opponent_classes(statistics, seats=6)}["varies play"]
    assert told.verdict is ClassVerdict.UNDECIDED
    assert told.low == pytest.approx(-told.high)


@pytest.mark.parametrize(
    ("hole", "board", "outs"),
    [
        ("AsKs", "Qs7s2d", 9),  # a flush draw; the gutshots need two cards
        ("9s8d", "7c6h2s", 8),  # open at both ends
        ("9s8s", "7s6s2d", 15),
        ("9s8d", "6c5h2s", 0),  # inside: four outs
        ("AsQd", "KcJh2s", 0),
        ("9s9d", "8c7h6s", 8),  # with a pair
        ("9s6d", "8c7hTs", 0),  # a straight already
        ("9s9d", "9c8h7s", 0),  # three of a kind
        ("2h3d", "AsKsQs7s", 0),  # the flush would be the board's
        ("2h3s", "AsKsQs7d", 9),
    ],
)
def test_draws(hole: str, board: str, outs: int) -> None:
    assert outs_to_draw(parse_cards(hole), parse_cards(board)) == outs


def shown(hole: str, board: str, *actions: tuple[Street, PlayedAction]) -> ShownHand:
    seen = [
        SeenAction(Seat(0), street, action, Chips(0), 0, 1, late=False)
        for street, action in actions
    ]
    return ShownHand(parse_holding(hole), parse_cards(board), False, Chips(20), tuple(seen))


def told(hands: Sequence[ShownHand], name: str) -> OpponentClass:
    statistics = OpponentStatistics()
    statistics.shown_hands.extend(hands)
    return {each.name: each for each in opponent_classes(statistics, seats=6)}[name]


def test_strong_flops_that_are_bet_late() -> None:
    flop, turn, river = Street.FLOP, Street.TURN, Street.RIVER
    board = "Ks9d4h2c7s"
    slow = shown("KdKc", board, (flop, CHECK), (flop, CALL), (turn, RAISE))
    fast = shown("KdKc", board, (flop, RAISE), (turn, CHECK), (river, RAISE))
    never = shown("KdKc", board, (flop, CALL), (turn, CALL), (river, CALL))
    weak = shown("5d3c", board, (flop, CALL), (turn, RAISE))
    early = shown("KdKc", board, (Street.PREFLOP, RAISE), (flop, CALL), (river, RAISE))
    found = told([slow, fast, never, weak, early], "slow-player")
    assert found.n == 3
    assert found.value == pytest.approx(2 / 3)
    assert told([slow] * 12, "slow-player").verdict is ClassVerdict.YES
    assert told([fast] * 12, "slow-player").verdict is ClassVerdict.NO
    assert told([slow] * 9, "slow-player").verdict is ClassVerdict.TOO_FEW


def test_draws_that_are_bet() -> None:
    flop, turn = Street.FLOP, Street.TURN
    bet = shown("AsKs", "Qs7s2d3hJc", (flop, CHECK), (flop, RAISE), (turn, CHECK))
    found = told([bet], "bets draws")
    assert (found.n, found.value) == (2, 0.5), "on the flop, and no more on the turn"
    assert told([shown("AsKs", "Qd7d2d3hJc", (flop, RAISE))], "bets draws").n == 0


def test_the_manual_defines_every_class() -> None:
    manual = Path(__file__).resolve().parents[2] / "docs" / "opponents.md"
    text = " ".join(manual.read_text().split())
    for each in opponent_classes(OpponentStatistics(), seats=6):
        assert f"| {each.name} | {each.cue}" in text
    for number in (settings.LEAST_ACTIONS, settings.LEAST_SHOWN):
        assert f"fewer than {number}" in text
