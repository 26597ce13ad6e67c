"""What every estimator keeps to, and `check_estimator`, which tries one out.

An estimator of hands is tried on those that two players play at random in both seats, in heads-up
limit and no-limit, with all cards known and with some hidden; one of tournaments on some of three
players.
"""

# That an estimator has no bias cannot be seen in one hand. Its mean is compared with that of the
# money over hands played at random, by players whose styles differ: between equal players, an
# estimator that always answers zero would pass. The logs with hidden cards are the same hands, so
# what an estimator does with them can be compared with what it does when it sees everything.
#
# Halves of a log must score as the log does. Assessments score hands in batches, and a result must
# not depend on where one ends and the next begins.

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

import numpy as np
import polars as pl

from railbird.arena import Match, Seating, Tournaments, hands, play_tournaments
from railbird.assessment import (
    ESTIMATORS,
    Assessment,
    Contest,
    Estimator,
    EstimatorKind,
    assess,
    assess_table,
    assess_tournaments,
    open_scorer,
)
from railbird.assessment.divat.any_game import baseline_for
from railbird.assessment.estimator import CardsNeeded, Scoring
from railbird.assessment.prizes import PrizeAssessment
from railbird.baseline import STANDARD
from railbird.extending.contract import Contract, require
from railbird.game import HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT
from railbird.histories import HandRecord, batch_of
from railbird.histories.columns import records_of
from railbird.tournament import parse_payouts

DEALS: Final = 100
"""Deals of each sample, which both players play in both seats."""
BOARDS: Final = 4
"""Boards that are drawn before the flop, where the form draws them: few, for the time they take."""
TOURNAMENTS: Final = 120
MOST_STANDARD_ERRORS: Final = 4.5
"""Distance of an unbiased estimator's mean from the money's."""
_WORDS: Final = ("name", "title", "meaning", "assumes")


@dataclass(frozen=True, slots=True)
class TriedEstimator:
    """An estimator, and the hands by which it is tried out: some logs, each of one game."""

    estimator: Estimator
    logs: tuple[tuple[HandRecord, ...], ...]
    tournaments: tuple[HandRecord, ...] = ()

    def assessments(
        self,
    ) -> Iterator[tuple[Contest, Sequence[HandRecord], Assessment[Any] | PrizeAssessment]]:
        """Assess each log that it can score, once for each of its forms."""
        is_ours = any(known is self.estimator for known in ESTIMATORS)
        own = [] if is_ours else [self.estimator]
        if Contest.TOURNAMENT in self.estimator.forms and self.tournaments:
            prizes = assess_tournaments(self.tournaments, payouts=parse_payouts(_PAYOUTS), more=own)
            yield Contest.TOURNAMENT, self.tournaments, prizes
        for log in self.logs:
            if self.estimator.needs(log[0].rules) is not None:
                continue
            if Contest.TABLE in self.estimator.forms:
                yield Contest.TABLE, log, assess_table(list(log), boards=BOARDS, more=own)
            if Contest.MATCH in self.estimator.forms and log[0].rules == HEADS_UP_LIMIT:
                yield Contest.MATCH, log, assess(list(log), more=own)


def check_estimator(
    estimator: Estimator,
    *,
    logs: Sequence[Sequence[HandRecord]] | None = None,
    only: Collection[str] = (),
) -> None:
    """Test an estimator against `ESTIMATOR_CONTRACTS`; return if it keeps them.

    ``logs`` are hands of two players, each of one game, instead of 200 hands each of heads-up limit
    and no-limit. An estimator of tournaments is tested on `TOURNAMENTS` of three players. ``only``
    names the contracts to check, by default all. Raises `BrokenContract` with the first contract
    that it breaks.
    """
    name = str(getattr(estimator, "name", type(estimator).__name__))
    forms = getattr(estimator, "forms", None)
    is_of_tournaments = isinstance(forms, Contest) and Contest.TOURNAMENT in forms
    if isinstance(forms, Contest) and not forms & (Contest.MATCH | Contest.TABLE):
        logs = ()
    tried = TriedEstimator(
        estimator,
        sample_logs() if logs is None else tuple(map(tuple, logs)),
        sample_tournaments() if is_of_tournaments else (),
    )
    require(name, tried, ESTIMATOR_CONTRACTS, only)


@cache
def sample_logs() -> tuple[tuple[HandRecord, ...], ...]:
    """Return hands of a loose and a passive player, with all cards and with some hidden."""
    logs = []
    for rules in (HEADS_UP_LIMIT, HEADS_UP_NO_LIMIT):
        match = Match(
            players=("random,fold=0.3", "always-call"),
            rules=rules,
            deals=DEALS,
            seed=20,
            seating=Seating.DUPLICATE,
        )
        log = tuple(hands(match))
        hidden = (replace(hand, holes=(None, *hand.holes[1:])) for hand in log[: DEALS // 2])
        logs += [log, (*hidden, *log[DEALS // 2 :])]
    return tuple(logs)


_PAYOUTS: Final = "70/30"


@cache
def sample_tournaments() -> tuple[HandRecord, ...]:
    """Return the hands of some tournaments of three players, with all cards."""
    series = Tournaments(
        players=("random", "always-raise:max", "always-call"),
        count=TOURNAMENTS,
        stack=100,
        seed=20,
        payouts=parse_payouts(_PAYOUTS),
    )
    batches = play_tournaments(series, keep=True).batches()
    return tuple(hand for batch in batches for hand in records_of(batch))


# The contracts.


def _lacks_members(tried: TriedEstimator) -> Iterator[str]:
    estimator = tried.estimator
    for member in _WORDS:
        value = getattr(estimator, member, None)
        if not isinstance(value, str) or not value or "\n" in value:
            yield f"its {member} is {value!r}; allowed: a line"
    for member, kind in (("kind", EstimatorKind), ("forms", Contest), ("cards", CardsNeeded)):
        value = getattr(estimator, member, None)
        if not isinstance(value, kind):
            yield f"its {member} is {value!r}; allowed: a {kind.__name__}"
    for member in ("listed", "in_crosstable"):
        if not isinstance(getattr(estimator, member, None), bool):
            yield f"its {member} is {getattr(estimator, member, None)!r}; allowed: True or False"
    for method in ("needs", "score", "values", "others"):
        if not callable(getattr(estimator, method, None)):
            yield f"it lacks {method}"


def _takes_another_s_name(tried: TriedEstimator) -> Iterator[str]:
    estimator = tried.estimator
    for known in ESTIMATORS:
        if (
            known.name == estimator.name
            and known.forms & estimator.forms
            and known is not estimator
        ):
            yield f"{known.title} has the same name"


def _scores_parts_otherwise(tried: TriedEstimator) -> Iterator[str]:
    for log in tried.logs:
        rules = log[0].rules
        why: object = tried.estimator.needs(rules)
        if why is not None:
            if not isinstance(why, str) or not why or "\n" in why:
                yield f"needs says {why!r} of {rules.betting.value}; allowed: None or a line"
            continue
        batch, half = batch_of(log), len(log) // 2
        how = Scoring(
            policies=(baseline_for(rules),),
            scorers=(open_scorer(STANDARD),) if rules == HEADS_UP_LIMIT else (),
            boards=BOARDS,
            position_deals=BOARDS,
        )
        columns = tried.estimator.score(batch, how)
        first = tried.estimator.score(batch.rows(np.arange(half)), replace(how, results={}))
        last = tried.estimator.score(
            batch.rows(np.arange(half, len(log))), replace(how, results={}, first=half)
        )
        for name, values in columns.items():
            if values.shape != batch.player.shape or values.dtype != np.float64:
                shape = batch.player.shape
                yield f"column {name} is {values.dtype} {values.shape}; allowed: float64 {shape}"
            elif not np.array_equal(
                values, np.concatenate([first[name], last[name]]), equal_nan=True
            ):
                yield f"column {name} of two halves of the hands differs from that of all"


def _rows(
    form: Contest, assessment: Assessment[Any] | PrizeAssessment, *, every: bool = False
) -> pl.DataFrame:
    """Return the rows that an estimator values, ``every`` one or those whose cards are known."""
    if isinstance(assessment, PrizeAssessment):
        return assessment.rows
    return assessment.form.every if every and form is Contest.TABLE else assessment.scores


def _values_rows_otherwise(tried: TriedEstimator) -> Iterator[str]:
    estimator = tried.estimator
    try:
        assessments = list(tried.assessments())
    except Exception as problem:
        yield f"hands cannot be assessed with it: {type(problem).__name__}: {problem}"
        return
    for form, log, assessment in assessments:
        rows = _rows(form, assessment, every=estimator.cards is not CardsNeeded.ALL)
        given_rows = rows.clone()
        how = Scoring(policies=(baseline_for(log[0].rules),))
        sides = [estimator.values] + ([estimator.others] if form is Contest.MATCH else [])
        for side in sides:
            values: object = side(rows, how)
            where = f"{side.__name__} of {form.name}".lower()
            if not isinstance(values, pl.Series) or not values.dtype.is_numeric():
                yield f"{where} are {type(values).__name__}; allowed: numbers in a polars.Series"
            elif len(values) != rows.height:
                yield f"{where} are {len(values)} for {rows.height} rows"
            elif not values.equals(side(rows, how), null_equal=True):
                yield f"{where} are others the second time"
        if not rows.equals(given_rows, null_equal=True):
            yield "values change the rows"


def _is_biased(tried: TriedEstimator) -> Iterator[str]:
    if tried.estimator.kind is not EstimatorKind.UNBIASED:
        return
    for form, log, assessment in tried.assessments():
        if any(hole is None for hand in log for hole in hand.holes):
            continue  # those shown are a selection
        rows, how = _rows(form, assessment), Scoring(policies=(baseline_for(log[0].rules),))
        is_match = form is not Contest.TOURNAMENT
        if is_match and tried.estimator.name not in rows:
            continue
        values = rows[tried.estimator.name] if is_match else tried.estimator.values(rows, how)
        money = rows["money" if is_match else "prize"]
        if form is not Contest.MATCH:
            player = rows["player"] == rows["player"][0]
            values, money = values.filter(player), money.filter(player)
        luck = (money - values).drop_nulls().to_numpy()
        error = float(luck.std(ddof=1)) / np.sqrt(len(luck)) if len(luck) > 1 else np.inf
        if abs(luck.mean()) > MOST_STANDARD_ERRORS * error + 1e-9:
            yield (
                f"over {len(luck)} {'hands' if is_match else 'tournaments'} of "
                f"{log[0].rules.betting.value} it is {-luck.mean():+.3f} a "
                f"{'hand' if is_match else 'tournament'} beside the money, whose luck explains "
                f"{MOST_STANDARD_ERRORS * error:.3f}"
            )


ESTIMATOR_CONTRACTS: Final[Sequence[Contract[TriedEstimator]]] = (
    Contract("members", "has every member of Estimator, of its type", _lacks_members),
    Contract(
        "own name", "shares its name with no other estimator of its forms", _takes_another_s_name
    ),
    Contract(
        "columns",
        "fills columns (hands, seats) of numbers that do not depend on how hands are divided",
        _scores_parts_otherwise,
    ),
    Contract(
        "values",
        "values every row of its forms, the same each time, and leaves the rows as they are",
        _values_rows_otherwise,
    ),
    Contract(
        "unbiased",
        "has the money's expectation, if it says that it is unbiased",
        _is_biased,
    ),
)
"""In the order of checking."""
