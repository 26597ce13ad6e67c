"""Tournaments of six for money (Booker 2004, section 8)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from railbird.estimates import Moments
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.estimates.estimate import estimate
from railbird.estimates.settings import ALPHA
from railbird.experiments.booker2004.curves import means_with_intervals
from railbird.experiments.booker2004.sessions import PlayedSessions, Sessions, play_sessions
from railbird.experiments.booker2004.setting import ENTRY, MOST_AT_A_TABLE, PRIZES, TABLE_SESSION
from railbird.experiments.booker2004.verdicts import faultless
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, Verdict, measured, published_as_positive
from railbird.report.toolkit import number_format

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

PLAYERS: Final = {
    "Booker 1": "booker:1",
    "Booker 4": "booker:4",
    "rollout": "rollout",
    "tight": "tight:nolimit",
    "Booker 1n": "booker:1n",
    "always-raise": "always-raise:random",
}
"""The source's other four were programs of fellow students, which are lost."""


def perform(workspace: Workspace) -> Result:
    """Play until neighbours in the ranking are told apart, or for long enough."""
    most = max(2, round(MOST_AT_A_TABLE * workspace.scale / TABLE_SESSION))
    sessions = Sessions(
        players=tuple(PLAYERS.values()),
        length=TABLE_SESSION,
        count=most,
        seed=workspace.seed,
        payouts=PRIZES,
        entry=ENTRY,
    )
    played = play_sessions(workspace, sessions, enough=_told_apart)
    by_session = played.profits.mean(axis=1)
    profits = {
        label: estimate(by_session[:, place], unit="money") for place, label in enumerate(PLAYERS)
    }
    ranking = sorted(profits, key=lambda label: -profits[label].value)
    rows = [measured(f"profit of {label}", profits[label]) for label in ranking]
    rows += [
        _neighbours(better, worse, moments)
        for (better, worse), moments in zip(pairwise(ranking), _leads(played), strict=True)
    ]
    rows += _said(by_session)
    rows.append(faultless(played.faults, played.hands))
    tournaments = played.places.shape[0] * TABLE_SESSION
    return Result(
        hands=tournaments,
        noun="tournament",
        rows=tuple(rows),
        drawings=(
            means_with_intervals(
                "profits",
                "Six players for money",
                {label: profits[label] for label in ranking},
                amount=f"profit a tournament, entry {float(ENTRY):g}",
                subtitle=f"{tournaments:,} tournaments, prizes 70/30, seed {workspace.seed}",
                note="Means over sessions of ten tournaments, with 95 % intervals.",
            ),
        ),
    )


def _leads(played: PlayedSessions) -> list[Moments]:
    """Return the leads between neighbours in the ranking, each session one value."""
    by_session = played.profits.mean(axis=1)
    order = np.argsort(-by_session.mean(axis=0), kind="stable").tolist()
    return [
        Moments.of(by_session[:, better] - by_session[:, worse])
        for better, worse in pairwise(order)
    ]


def _at_any_time(lead: Moments) -> AnytimeInterval:
    """Return an interval that is valid for all pairs at once, since any may become neighbours."""
    pairs = len(PLAYERS) * (len(PLAYERS) - 1) // 2
    return confidence_sequence(
        lead,
        alpha=ALPHA / pairs,
        tuned_for=MOST_AT_A_TABLE // TABLE_SESSION // 2,
        unit="money",
    )


def _told_apart(played: PlayedSessions) -> bool:
    return all(_at_any_time(lead).low > 0 for lead in _leads(played))


def _neighbours(better: str, worse: str, lead: Moments) -> Row:
    """Return a row whose verdict is by the anytime-valid interval."""
    interval = _at_any_time(lead)
    finite = np.isfinite(interval.low)
    ends = number_format.interval(interval.low, interval.high, 2) if finite else "none so early"
    return Row(
        name=f"{better} less {worse}, its neighbour",
        ours=lead.estimate("money"),
        verdict=Verdict.HOLDS if interval.low > 0 else Verdict.UNDECIDED,
        rule="anytime-valid interval above 0, for all fifteen pairs at once",
        note=f"{better} less {worse}, at any time: {ends}.",
    )


def _said(by_session: NDArray[np.float64]) -> list[Row]:
    """Compare with the source's ranking: Booker 1 first, Booker 4 second."""
    labels = list(PLAYERS)
    rows = []
    for better in ("Booker 1", "Booker 4"):
        for worse in labels:
            if worse == better or (better, worse) == ("Booker 4", "Booker 1"):
                continue
            lead = by_session[:, labels.index(better)] - by_session[:, labels.index(worse)]
            rows.append(
                published_as_positive(f"{better} less {worse}", estimate(lead, unit="money"))
            )
    return rows
