"""Blackjack: exact values, whole strategies, simulated tables; beside Gymnasium's environment."""

from __future__ import annotations

from importlib.util import find_spec

from bench.goals import Goal, Row
from bench.peers import gymnasium_blackjack
from bench.timing import least
from railbird._threads import threads_limited
from railbird.blackjack import hand_values, optimal_strategy, parse_rules
from railbird.blackjack._warm import warm_up_steps
from railbird.blackjack.assessment import baseline_of, score_rounds
from railbird.blackjack.simulation import parse_seat, play_logged, simulate

ROUNDS = 500_000

GOALS = (Goal("rounds, one core", "the same rounds in Gymnasium", 600),)
"""Measured beside Gymnasium 1.4.0: 722 to 734 times as many rounds a second, of 17,000."""


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    for _, step in warm_up_steps():
        step()
    rules = parse_rules("decks=6,S17,resplit=2")
    seat = parse_seat("basic", rules)
    counter = parse_seat("basic:count=hi-lo", rules)

    def play(which: object) -> None:
        simulate(rules, [seat if which is None else counter], ROUNDS, penetration=0.75, seed=1)

    with threads_limited(1):
        found = [
            (
                "values of 6,5 v 2",
                1e3 * least(lambda: hand_values((5, 4), 1, rules), times=5),
                "ms",
            ),
            (
                "values of 2,2 v 2",
                1e3 * least(lambda: hand_values((1, 1), 1, rules), times=5),
                "ms",
            ),
            ("a strategy with re-splits", least(lambda: optimal_strategy(rules), times=3), "s"),
            ("rounds, one core", ROUNDS / least(lambda: play(None), times=5), "rounds/s"),
            ("rounds with a count", ROUNDS / least(lambda: play(counter), times=5), "rounds/s"),
        ]
        baseline = baseline_of(seat.strategy)
        (logged,) = play_logged(
            rules, [parse_seat("source", rules)], 20_000, penetration=0.0, seed=1
        )
        took = least(lambda: score_rounds(baseline, logged.tokens, logged.before), times=3)
        found.append(("scoring rounds from fresh shoes", len(logged.won) / took, "rounds/s"))
    if find_spec("gymnasium"):
        took = least(lambda: gymnasium_blackjack(2_000), times=3)
        found.append(("the same rounds in Gymnasium", 2_000 / took, "rounds/s"))
    return found
