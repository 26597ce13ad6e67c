"""Short matches, as those in Las Vegas, each repeated so that one can be set beside many.

In the source's matches (5.3) a program met the winner of a tournament, a person met that winner,
and the program met the person. The program was two, an adaptive one and an equilibrium, switched by
the chips that were left, and is so here; the winner was made of rules after Loki's descendant; for
the person stands an equilibrium. Stakes are fixed, as the source's are in its analysis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import polars as pl

from railbird.estimates.estimate import estimate
from railbird.estimates.wilson_proportion import Proportion
from railbird.experiments.framework.figures import Drawing, round_lines, running_sums
from railbird.experiments.framework.result import Result
from railbird.experiments.framework.rows import Row, beside, measured
from railbird.experiments.framework.statistics import reduction, sd
from railbird.experiments.limit_players import published
from railbird.experiments.limit_players.scores import judged, known_of

if TYPE_CHECKING:
    from railbird.experiments.framework.workspace import Workspace

EQUILIBRIUM: Final = "equilibrium:small"
SWITCHED: Final = f"coach:vexbot+{EQUILIBRIUM},switch=chips"
RULES: Final = "loki:som"
SESSIONS: Final = 20
"""Matches of each kind; players forget between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Short:
    """One of the source's matches."""

    players: tuple[str, str]
    words: str
    hands: int
    figures: tuple[int, int, int]
    """Numbers of the source's figures of money, of DIVAT and by betting round."""
    printed: published.ShortMatch


MATCHES: Final = (
    Short(
        players=(SWITCHED, RULES),
        words="two programs switched by the chips, against rules",
        hands=900,
        figures=(7, 8, 9),
        printed=published.POKI_X_AND_POKERPROBOT,
    ),
    Short(
        players=(EQUILIBRIUM, RULES),
        words="an equilibrium against rules",
        hands=399,
        figures=(10, 11, 12),
        printed=published.LAAK_AND_POKERPROBOT,
    ),
    Short(
        players=(SWITCHED, EQUILIBRIUM),
        words="two programs switched by the chips, against an equilibrium",
        hands=290,
        figures=(13, 14, 15),
        printed=published.POKI_X_AND_LAAK,
    ),
)


def perform(workspace: Workspace) -> Result:
    """Play every match as often as the scale says, and draw the first of each."""
    sessions = workspace.hands(SESSIONS, least=2)
    rows: list[Row] = []
    drawings: list[Drawing] = []
    for short in MATCHES:
        match = workspace.match(*short.players, sessions * short.hands)
        played = workspace.play(replace(match, chunk=short.hands))
        known = known_of(dict(zip(match.names, short.players, strict=True)))
        scores = judged(workspace, played, known).scores
        rows += _rows(short, scores)
        drawings += _drawings(short, scores.head(short.hands), workspace.seed)
    hands = sessions * sum(short.hands for short in MATCHES)
    return Result(hands=hands, rows=tuple(rows), drawings=tuple(drawings))


def _rows(short: Short, scores: pl.DataFrame) -> list[Row]:
    printed, which = short.printed, " v ".join(short.players)
    money, divat = scores["money"].to_numpy(), scores["divat"].to_numpy()
    both = {"money": money, "DIVAT": divat}
    if "aivat" in scores.columns:
        both["AIVAT"] = scores["aivat"].to_numpy()
    sessions = len(money) // short.hands
    rows = []
    for name, found, text in (
        (f"money, {which}", estimate(money), printed.money),
        (f"DIVAT, {which}", estimate(divat), printed.divat),
        (f"money sd, {which}", sd(money), printed.money_sd),
        (f"DIVAT sd, {which}", sd(divat), printed.divat_sd),
        (f"variance reduction, {which}", reduction(money, divat), printed.reduction),
    ):
        rows.append(beside(name, text, found) if text else measured(name, found))
    if "AIVAT" in both:
        rows.append(measured(f"AIVAT, {which}", estimate(both["AIVAT"])))
        rows.append(measured(f"AIVAT sd, {which}", sd(both["AIVAT"])))
    for name, values in both.items():
        # Each match is one trial.
        ahead = values.reshape(sessions, short.hands).sum(axis=1) > 0
        share = Proportion.of_trials(ahead)
        note = f"Matches of {short.hands} hands, as long as the source's."
        rows.append(measured(f"ahead after one match by {name}, {which}", share, note))
    return rows


def _drawings(short: Short, scores: pl.DataFrame, seed: int) -> list[Drawing]:
    """Draw the first match: money and DIVAT together, and DIVAT by betting round."""
    money, divat, rounds = short.figures
    player, other = short.players
    subtitle = f"{player} against {other}, {short.hands} hands, seed {seed}"
    note = f"The first of the matches. {short.words.capitalize()}."
    return [
        running_sums(
            f"figures-5.{money}-and-5.{divat}",
            f"Figures 5.{money} and 5.{divat}: a short match at fixed stakes",
            scores,
            player=player,
            subtitle=subtitle,
            note=note,
        ),
        round_lines(
            f"figure-5.{rounds}",
            f"Figure 5.{rounds}: DIVAT by betting round",
            scores,
            player=player,
            subtitle=subtitle,
            note=note,
        ),
    ]
