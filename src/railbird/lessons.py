"""Exercises of the manual's lectures, which mark themselves; each serves one lecture and one game.

`check` computes the truth with the library when an answer is handed in, so nothing here holds an
answer. It accepts every answer that is right: any strategy in equilibrium, any function with the
right values, any number that is close enough. Of a wrong one it says what is wrong, and names the
usual mistake where the answer is one.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from railbird import blackjack, cards, solve, tournament
from railbird._arrays import Floats
from railbird.assessment.control_variates import corrected
from railbird.assessment.extensive_games import ExtensiveGame, Profile, unfold, unfolded_profile
from railbird.assessment.extensive_games_aivat import GameAivat, GameEstimator, exact_utility
from railbird.blackjack.assessment import baseline_of, score_rounds
from railbird.errors import RailbirdError, unknown_name

_CLOSE: Final = 1e-9
_TRIES: Final = 200
"""Random arguments with which a function is tried."""
_LISTED: Final = 12
"""Numbers of an array that are said."""
_CHARACTERS: Final = 200
"""Of a value or a failure that are said."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Whether an answer is right, and what there is to say of it."""

    is_right: bool
    words: str

    def __bool__(self) -> bool:
        return self.is_right

    def __repr__(self) -> str:
        return f"{'Right' if self.is_right else 'Not yet'}: {self.words}"


class _Wrong(Exception):
    """An answer is wrong; the message says why."""


def check(exercise: str, answer: Any) -> Mark:
    """Mark an answer to an exercise of a lecture, which says what an answer is.

    Raises `railbird.errors.BadInput` for a name that no exercise has.

    >>> check("blackjack: rounds", lambda first, second, difference: first / difference)
    Not yet: your function gives 114.8 for (1.148, 1.148, 0.01), not 105432.32
    """
    if exercise not in EXERCISES:
        raise unknown_name("exercise", exercise, EXERCISES)
    if answer is None or answer is ...:
        return Mark(is_right=False, words="there is no answer")
    try:
        return Mark(is_right=True, words=EXERCISES[exercise](answer))
    except _Wrong as reason:
        return Mark(is_right=False, words=str(reason))
    except RailbirdError as refusal:  # of a text or a table that the library cannot use
        return Mark(is_right=False, words=str(refusal))


def _check_number(
    answer: Any, truth: float, *, tolerance: float, mistakes: Mapping[str, float] | None = None
) -> None:
    """Compare a number with the truth, and with what ``mistakes`` lead to."""
    value = _number(answer)
    if abs(value - truth) <= tolerance:
        return
    for mistake, result in (mistakes or {}).items():
        if abs(value - result) <= tolerance:
            raise _Wrong(mistake)
    direction = "large" if value > truth else "small"
    raise _Wrong(f"{value:g} is too {direction}; the answer is wanted to within {tolerance:g}")


def _number(answer: Any) -> float:
    """Return an answer that is a number."""
    try:
        value = float(answer)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if math.isnan(value):
        raise _Wrong(f"{reprlib.repr(answer)} is not a number")
    return value


def _check_function(
    answer: Any, truth: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> None:
    """Compare a function with the truth, call by call."""
    if not callable(answer):
        raise _Wrong(f"{reprlib.repr(answer)} is not a function")
    for arguments in calls:
        wanted = truth(*arguments)
        try:
            result = answer(*arguments)
        except Exception as failure:  # whatever a reader's code may raise
            kind = type(failure).__name__
            raise _Wrong(
                f"your function raises {kind} for {_listed(arguments)}: {_shortened(failure)}"
            ) from None
        if not _is_close(result, wanted):
            raise _Wrong(
                f"your function gives {_text(result)} for {_listed(arguments)}, not {_text(wanted)}"
            )


def _is_close(result: Any, wanted: Any) -> bool:
    """Tell whether what a reader's function gives has the shape and the values that are wanted."""
    try:
        return np.shape(result) == np.shape(wanted) and np.allclose(result, wanted, atol=_CLOSE)
    except (TypeError, ValueError):  # no numbers, or lists of several lengths
        return False


def _check_text(answer: Any, example: str) -> str:
    """Return an answer that is a text."""
    if not isinstance(answer, str):
        raise _Wrong(f'{reprlib.repr(answer)} is not a text, such as "{example}"')
    return answer


def _listed(arguments: Sequence[Any]) -> str:
    return f"({', '.join(map(_text, arguments))})"


def _text(value: Any) -> str:
    """Show an argument or a result in a few characters."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        numbers = [_text(number) for number in value[:_LISTED]]
        return f"[{', '.join([*numbers, *['…'][: len(value) - _LISTED]])}]"
    if isinstance(value, float):
        return f"{round(value, 6):.12g}"
    text: str = getattr(value, "word", None) or str(value)
    return "the values" if "\n" in text else _shortened(text)


def _shortened(words: object) -> str:
    text = str(words)
    return text if len(text) <= _CHARACTERS else f"{text[: _CHARACTERS - 1]}…"


# DIVAT by blackjack (Kan 2007, section 2.3).


def _standing(answer: Any) -> str:
    values = _hand("T,6", "T")
    best = values.of(values.best)
    cost = best - values.stand
    mistakes = {
        "a cost is what is lost, so it is positive": -cost,
        "that is the value of standing; its cost is how much more the best action is worth": (
            values.stand
        ),
        "that is the value of the best action; the cost of standing is how much more that is "
        "worth than standing": best,
    }
    _check_number(answer, cost, tolerance=1e-4, mistakes=mistakes)
    return (
        f"{values.best.word} is worth {best:.4f} and stand {values.stand:.4f} wagers, so standing "
        f"costs {cost:.4f}"
    )


def _hand(player: str, dealer: str) -> blackjack.HandValues:
    (upcard,) = blackjack.parse_ranks(dealer)
    return blackjack.hand_values(blackjack.parse_ranks(player), upcard, blackjack.Rules())


def _skill(answer: Any) -> str:
    hands = [_hand(own, dealer) for own in ("4,5", "T,6", "A,7", "8,8") for dealer in "26TA"]
    calls = [
        (values, action, baseline_action)
        for values in hands
        for action in blackjack.Action
        for baseline_action in blackjack.Action
        if not math.isnan(values.of(action) + values.of(baseline_action))
    ]
    # Of a wrong function the first call is shown, so those come first that ask for more than a 0.
    calls.sort(key=lambda call: call[1] is call[2])

    def score(
        values: blackjack.HandValues, action: blackjack.Action, baseline_action: blackjack.Action
    ) -> float:
        return values.of(action) - values.of(baseline_action)

    try:
        _check_function(answer, score, calls)
    except _Wrong:
        try:
            _check_function(answer, lambda *call: -score(*call), calls)
        except _Wrong:
            pass
        else:
            raise _Wrong(
                "the sign is turned: a better action than the baseline's counts above 0"
            ) from None
        raise
    return f"the same as {len(calls):,} differences of exact values"


def _rounds(answer: Any) -> str:
    rng = np.random.default_rng(1)
    calls = [
        (1.148, 1.148, 0.01),
        *(
            (rng.uniform(0.01, 3), rng.uniform(0.01, 3), rng.uniform(0.001, 0.1))
            for _ in range(_TRIES)
        ),
    ]
    _check_function(
        answer,
        lambda first, second, difference: 4 * (first**2 + second**2) / difference**2,
        calls,
    )
    return "the variances of the two means add up"


def _baseline(answer: Any) -> str:
    rules = blackjack.Rules()
    player = blackjack.parse_seat("never-bust", rules)
    baseline = blackjack.parse_strategy(_check_text(answer, "mimic"), rules)
    (played,) = blackjack.play_logged(rules, [player], 300, penetration=0.0, seed=1)
    _, skill, luck, start = score_rounds(baseline_of(baseline), played.tokens, played.before).T
    if not np.allclose(skill, 0, atol=_CLOSE):
        raise _Wrong(
            f"by {baseline.name} the decisions of never-bust are worth {skill.mean():+.4f} wagers "
            "a round: it judges some of them otherwise than never-bust does"
        )
    return (
        "measured by itself, a player makes no difference: its money is "
        f"{start[0]:+.4f} before the deal, and luck of {luck.mean():+.4f} a round"
    )


# CFR by Kuhn poker (Kuhn 1950; Zinkevich and others 2007).


_KINGS: Final = (0, 0, 1)
_EVERY_CARD: Final = (1, 1, 1)


def _kuhn_careful(answer: Any) -> str:
    game = solve.kuhn()
    careful = kuhn_strategy(
        first_bets=_KINGS, first_calls=_KINGS, second_bets=_KINGS, second_calls=_KINGS
    )
    lost = float(solve.best_response_values(game, careful, player=1).sum())
    mistakes = {
        "that is what the second player wins": lost,
        "that is the exploitability, the mean of what both seats' best responses win": (
            solve.exploitability(game, careful)
        ),
        "that is the value if both play perfectly": -1 / 18,
    }
    _check_number(answer, -lost, tolerance=1e-4, mistakes=mistakes)
    return f"the first player loses {lost:.4f} a hand, six times as much as in an equilibrium"


def _regret_matching(answer: Any) -> str:
    def match(regrets: Floats) -> Floats:
        positive = np.maximum(regrets, 0)
        return (
            positive / positive.sum() if positive.any() else np.full(len(regrets), 1 / len(regrets))
        )

    rng = np.random.default_rng(1)
    calls = [(np.array([1.0, 3.0]),), (np.array([-2.0, 4.0, 1.0]),), (np.array([-1.0, -2.0]),)]
    calls += [(rng.normal(size=rng.integers(2, 5)),) for _ in range(_TRIES)]
    _check_function(answer, match, calls)
    return "positive regrets in proportion, and every action alike where there are none"


def kuhn_strategy(
    *,
    first_bets: Sequence[float],
    first_calls: Sequence[float],
    second_bets: Sequence[float],
    second_calls: Sequence[float],
) -> solve.Strategy:
    """Make a strategy of Kuhn poker from probabilities with jack, queen and king.

    ``first_bets`` at the start, ``first_calls`` after check and bet, ``second_bets`` after a check,
    ``second_calls`` after a bet.

    >>> kings = (0, 0, 1)
    >>> careful = kuhn_strategy(
    ...     first_bets=kings, first_calls=kings, second_bets=kings, second_calls=kings
    ... )
    >>> f"{solve.exploitability(solve.kuhn(), careful):.4f}"
    '0.2500'
    """
    by_decision = {
        "first": first_bets,
        "after check, bet": first_calls,
        "after a check": second_bets,
        "after a bet": second_calls,
    }
    tables = []
    for player in (0, 1):
        rows: list[Floats] = []
        for decision in solve.kuhn().decisions[player]:
            active = np.array(by_decision[decision.name], dtype=np.float64)
            rows += [1 - active, active]
        tables.append(np.array(rows))
    return tables[0], tables[1]


def _equilibrium(answer: Any) -> str:
    try:
        strategy = kuhn_strategy(**answer)
    except (TypeError, ValueError):
        raise _Wrong(
            "an answer is a dictionary of first_bets, first_calls, second_bets and second_calls, "
            "each with three probabilities"
        ) from None
    if not all(np.shape(table) == (4, 3) for table in strategy):
        raise _Wrong("each part has three probabilities, with jack, queen and king")
    if not all(np.all((table >= 0) & (table <= 1)) for table in strategy):
        raise _Wrong("probabilities lie between 0 and 1")
    game = solve.kuhn()
    gains = [
        float(
            (
                solve.best_response_values(game, strategy, player=seat)
                - solve.values(game, strategy, player=seat)
            ).sum()
        )
        for seat in (0, 1)
    ]
    if max(gains) > 1e-6:
        seat = gains.index(max(gains))
        raise _Wrong(
            f"the {('first', 'second')[seat]} player gains {gains[seat]:.4f} a hand by a best "
            "response, so this is no equilibrium"
        )
    return "neither player gains by a change of play"


def _exploiter(answer: Any) -> str:
    game = solve.kuhn()
    maniac = kuhn_strategy(
        first_bets=_EVERY_CARD,
        first_calls=_EVERY_CARD,
        second_bets=_EVERY_CARD,
        second_calls=_EVERY_CARD,
    )
    gain = float(solve.best_response_values(game, maniac, player=0).sum())
    mistakes = {
        "that is what a best response wins from uniform play": float(
            solve.best_response_values(game, solve.uniform(game), player=0).sum()
        ),
        "a bet with a queen or a jack is called by a king, too; look for a better answer": float(
            solve.values(game, maniac, player=0).sum()
        ),
    }
    _check_number(answer, gain, tolerance=1e-4, mistakes=mistakes)
    return f"a best response in the first seat wins {gain:.4f} a hand from the maniac"


# AIVAT by Leduc hold'em (Southey and others 2005; Burch and others 2018).


@cache
def leduc_equilibrium() -> tuple[ExtensiveGame, Profile]:
    """Return Leduc hold'em as a tree, and an equilibrium of it."""
    game = solve.leduc()
    tree = unfold(game)
    return tree, unfolded_profile(game, tree, solve.solve(game, tolerance=1e-5).strategy)


def _correction(answer: Any) -> str:
    rng = np.random.default_rng(1)
    calls = [
        (rng.normal(), rng.normal(size=events), rng.normal(size=events))
        for events in rng.integers(1, 4, size=_TRIES)
    ]

    def estimate(utility: float, after: Floats, expected: Floats) -> float:
        return float(corrected(np.array([utility]), (after - expected)[None])[0])

    _check_function(answer, estimate, calls)
    return "the utility less all changes of value that chance made"


def _value_function(answer: Any) -> str:
    tree, equilibrium = leduc_equilibrium()
    try:
        values = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # no numbers, or lists of several lengths
        values = np.empty(0)
    if values.shape != tree.payoff.shape:
        raise _Wrong(f"an answer is an array of {len(tree.payoff):,} values, one for each node")
    if not np.isfinite(values).all():
        raise _Wrong("every node has a finite value")
    utility = exact_utility(tree, equilibrium)
    estimate = GameAivat(game=tree, value=values, known=equilibrium).exact(equilibrium)
    share = estimate.variance / utility.variance
    if share > 1e-4:
        raise _Wrong(
            f"the mean is right, {estimate.mean:.4f}, as it is for any values, but "
            f"{share:.1%} of the variance is left"
        )
    return "no variance is left: every play counts as its mean"


def _bias(answer: Any) -> str:
    _number(answer)  # before seconds are spent on the truth
    tree, equilibrium = leduc_equilibrium()
    played = tree.uniform()[0], equilibrium[1]
    mean = exact_utility(tree, played).mean
    noise = np.random.default_rng(1).normal(size=len(tree.payoff))
    estimate = GameEstimator(name="noise", title="noise", game=tree, value=noise).exact(played)
    mistakes = {
        "the estimate has no bias, but the first player does not break even": 0.0,
        "that is the second player’s": -mean,
        "that is the mean if both play the equilibrium": exact_utility(tree, equilibrium).mean,
    }
    _check_number(answer, estimate.mean, tolerance=1e-3, mistakes=mistakes)
    return f"the mean stays {estimate.mean:.4f}, whatever the values are; only the variance grows"


def _plays(answer: Any) -> str:
    _number(answer)
    tree, equilibrium = leduc_equilibrium()
    guess, money = tree.values(tree.uniform()), exact_utility(tree, equilibrium)
    estimate = GameAivat(game=tree, value=guess, known=(equilibrium[0], None)).exact(equilibrium)
    rough = GameEstimator(name="divat", title="DIVAT", game=tree, value=guess).exact(equilibrium)
    factor = money.variance / estimate.variance
    mistakes = {
        "that is the score of step 5; AIVAT knows the first player, too": (
            money.variance / rough.variance
        ),
        "that is the share that is left; its inverse is how many times fewer plays do": 1 / factor,
        "that is the ratio of standard deviations; plays go with the variance": math.sqrt(factor),
    }
    _check_number(answer, factor, tolerance=0.02, mistakes=mistakes)
    return f"{factor:.2f} times fewer plays"


# Push/fold and the independent chip model (Harville 1973; Malmuth 1987).


def _chip_model(answer: Any) -> str:
    rng = np.random.default_rng(1)
    calls = [([5000.0, 3000.0, 2000.0], [50.0, 30.0, 20.0])]
    for players in rng.integers(2, 6, size=20):
        prizes = np.sort(rng.uniform(1, 50, size=rng.integers(1, players + 1)))[::-1]
        calls.append((rng.uniform(1, 50, size=players).tolist(), prizes.tolist()))
    _check_function(answer, tournament.prize_equities, calls)
    return "the same equities as the library’s for twenty random tables"


def _bubble(answer: Any) -> str:
    factors = tournament.bubble_factors([5000, 3000, 2000], [50, 30, 20])
    factor = float(factors[2, 0])
    needed = factor / (1 + factor)
    mistakes = {
        "that is what chips would ask for; a bubble factor above 1 asks for more": 0.5,
        "that is the bubble factor b; a call needs b / (1 + b)": factor,
        "that is 1 / (1 + b), how often the call may lose": 1 - needed,
        "that is in percent; the answer is a part of 1": 100 * needed,
        "that is the second player's call": float(factors[1, 0] / (1 + factors[1, 0])),
    }
    _check_number(answer, needed, tolerance=1e-3, mistakes=mistakes)
    return f"with a factor of {factor:.2f}, {needed:.1%}"


_STACK: Final = 10.0
"""Big blinds of the exercises on push/fold."""


def _calls(answer: Any) -> str:
    called = cards.range_from(
        answer if isinstance(answer, cards.Range) else _check_text(answer, "22+, AJs")
    )
    frequencies = _class_frequencies(called)
    push = np.ones(cards.CLASSES)
    values = solve.pushfold_ev(push, frequencies, stack=_STACK)
    gain = values.call_ev - values.fold_ev_bb
    lost = _dealt() * np.where(gain > 0, (1 - frequencies) * gain, -frequencies * gain)
    if lost.sum() > 1e-4:
        worst = int(lost.argmax())
        action = "fold" if gain[worst] > 0 else "call"
        raise _Wrong(
            f"these calls lose {lost.sum():.4f} big blinds a hand; the most costly mistake is to "
            f"{action} {cards.CLASS_NAMES[worst]}: a call {_gained(gain[worst], 3)} than a fold"
        )
    return f"they call {_dealt() @ frequencies:.1%} of hands and lose {lost.sum():.6f} big blinds"


def _gained(gain: float, digits: int) -> str:
    """Say a difference in words, without a sign."""
    return f"{'loses' if gain < 0 else 'wins'} {abs(gain):.{digits}f} more"


def _class_frequencies(weights: cards.Range) -> Floats:
    """Return (169,) how often a range holds the holdings of each class."""
    sums = np.bincount(cards.CLASS_OF_HOLDING, weights.weights, minlength=cards.CLASSES)
    return sums / np.bincount(cards.CLASS_OF_HOLDING, minlength=cards.CLASSES)


def _dealt() -> Floats:
    """Return (169,) how often each class is dealt."""
    return np.bincount(cards.CLASS_OF_HOLDING, minlength=cards.CLASSES) / cards.HOLDINGS


def _push(answer: Any) -> str:
    call = solve.solve_pushfold(_STACK).call
    hand = cards.parse_class("72o")
    values = solve.pushfold_ev(np.ones(cards.CLASSES), call, stack=_STACK)
    gain = float(values.push_ev[hand]) - values.fold_ev_sb
    mistakes = {
        "that is the value of the push; a fold, too, costs the small blind": float(
            values.push_ev[hand]
        ),
        "a push with 72o is worse than a fold here, so the difference is negative": -gain,
    }
    _check_number(answer, gain, tolerance=1e-3, mistakes=mistakes)
    return f"a push with 72o {_gained(gain, 4)} than a fold, in big blinds"


EXERCISES: Final[Mapping[str, Callable[[Any], str]]] = {
    "blackjack: standing": _standing,
    "blackjack: skill": _skill,
    "blackjack: rounds": _rounds,
    "blackjack: baseline": _baseline,
    "kuhn: careful": _kuhn_careful,
    "kuhn: regret matching": _regret_matching,
    "kuhn: equilibrium": _equilibrium,
    "kuhn: exploiter": _exploiter,
    "leduc: correction": _correction,
    "leduc: bias": _bias,
    "leduc: plays": _plays,
    "leduc: values": _value_function,
    "pushfold: chip model": _chip_model,
    "pushfold: bubble": _bubble,
    "pushfold: push": _push,
    "pushfold: calls": _calls,
}
"""What marks each exercise: says what is right of an answer, or raises for a wrong one."""
