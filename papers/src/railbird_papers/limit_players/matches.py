"""Scores of a duplicate match by money, DIVAT and AIVAT, and the means of its pairs of hands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from railbird.arena import Seating
from railbird.assessment import Estimator, MatchAssessment, assess
from railbird.assessment.aivat.estimator import Aivat, strategy_of
from railbird.errors import BadInput
from railbird.estimates import Estimate
from railbird.estimates.bounded_mean import Proportion
from railbird.estimates.confidence_sequences import change_point
from railbird.estimates.estimate import Z_95, estimate, paired_difference
from railbird.report import number_format
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import (
    BY_ROUND,
    Drawing,
    round_lines,
    running_sums,
    significance_chart,
    sweep_lines,
)
from railbird_papers.framework.rows import (
    Row,
    beside,
    measured,
    reduction,
    sd,
    sigmas_for,
    zero,
)

if TYPE_CHECKING:
    from railbird_papers.framework.workspace import PlayedMatch, Workspace


def known_of(specs: dict[str, str]) -> dict[str, str]:
    """Return the players, by name, whose strategies are known beforehand."""
    known = {}
    for name, spec in specs.items():
        try:
            strategy_of(spec)
        except BadInput:
            continue
        known[name] = spec
    return known


def judged(workspace: Workspace, played: PlayedMatch, known: dict[str, str]) -> MatchAssessment:
    """Assess a match for its first player, by AIVAT too if any player is known."""
    more: list[Estimator] = [Aivat(known=known)] if known else []
    return assess(
        played.log,
        player=played.match.names[0],
        more=more,
        threads=workspace.workers,
        progress=workspace.progress,
    )


def pairs_of(scores: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """Return the mean of each deal's two hands, (pairs, columns)."""
    both = scores.filter(pl.col("pair").is_not_null())
    return both.group_by("pair", maintain_order=True).agg(pl.col(columns).mean()).drop("pair")


# Numbers as Kan (2007) prints them for matches between programs.


HYPERBOREAN_AVERAGE: Final = "0.39"
"""Winnings of the best program a hand, averaged over the others (table 5.1)."""

MONASH_FROM_TEDDY: Final = "1.17"
"""Winnings of an adaptive program from one that always raised (table 5.1)."""

UNFILTERED: Final = "0.07"
"""Winnings of the best program from one that folded too often, a hand, without its filter."""

UNFILTERED_SD: Final = "2.445"
"""Spread of that match, played in duplicate."""

FILTERED: Final = "0.11"
"""The same in the other competition, with the filter."""

THECOUNT_MONEY: Final = "0.0482"
"""What a professional, thecount, won a hand from PsOpti1 in 7,000 (figure 5.5)."""

THECOUNT_MONEY_SD: Final = "5.756"
"""By figure 5.5, and by the reduction of 7.4 in the text, which prints 5.576."""

THECOUNT_DIVAT: Final = "0.01091"
THECOUNT_DIVAT_SD: Final = "2.109"
THECOUNT_PREFLOP: Final = "-0.08"
"""DIVAT before the flop: thecount folded too much there, about 16 % of the hands."""

HYPERBOREAN_FROM_GS2: Final = "0.18"
"""Winnings from the program that solved turn and river while it played (table 5.2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortMatch:
    """One of the matches in Las Vegas, in small bets a hand; empty if nothing is printed."""

    money: str = ""
    money_sd: str = ""
    divat: str = ""
    divat_sd: str = ""
    reduction: str = ""


POKI_X_AND_POKERPROBOT: Final = ShortMatch(money_sd="4.680", divat_sd="2.168", reduction="4.7")
LAAK_AND_POKERPROBOT: Final = ShortMatch(
    money="0.1765", money_sd="3.2289", divat="0.1652", divat_sd="2.081", reduction="2.4"
)
POKI_X_AND_LAAK: Final = ShortMatch()


# Everybody against everybody in duplicate, by money, duplicate money, DIVAT and AIVAT.
#
# The source's competitions were ranked by all winnings (*bankroll*) and by matches won (*series*).
# So are these players, by the estimator that tells most of each meeting: all four are unbiased, and
# the one with the smallest standard error counts. These differ so much that it is no choice by the
# result: mostly it is AIVAT where a player's strategy is known, and DIVAT elsewhere.


PLAYERS = (
    "equilibrium:small",
    "baseline",
    "loki:basic",
    "killer",
    "booker:1",
    "vexbot",
    "always-call",
    "always-raise",
)
ROUND_ROBIN_HANDS = 2000
"""In each match."""

_Meeting = dict[str, Estimate]
"""Results of the first player a hand, by money, duplicate, divat and, if a player is known,
aivat."""
_Results = dict[tuple[str, str], Estimate]
"""Of the first player of each meeting."""


def round_robin(workspace: Workspace) -> ExperimentResult:
    """Play all matches and rank the players by winnings and by matches won."""
    deals = workspace.hands(ROUND_ROBIN_HANDS) // 2
    meetings: dict[tuple[str, str], _Meeting] = {}
    rows: list[Row] = []
    everybody = list(combinations(PLAYERS, 2))
    for player, opponent in everybody:
        match = workspace.match(player, opponent, deals, seating=Seating.DUPLICATE)
        known = known_of({player: player, opponent: opponent})
        assessment = judged(workspace, workspace.play(match), known)
        names = ["money", "divat", *(["aivat"] if known else [])]
        pairs = pairs_of(assessment.scores, names)
        meetings[player, opponent] = {
            "money": estimate(assessment.scores["money"].to_numpy()),
            "duplicate": estimate(pairs["money"].to_numpy()),
            **{name: estimate(pairs[name].to_numpy()) for name in names[1:]},
        }
        less = paired_difference(pairs["money"].to_numpy(), pairs[names[-1]].to_numpy())
        title = "AIVAT" if known else "DIVAT"
        sigmas = sigmas_for(len(everybody))
        rows.append(zero(f"duplicate less {title}, {player} from {opponent}", less, sigmas=sigmas))
    return ExperimentResult(
        hands=len(everybody) * 2 * deals,
        rows=(*_ranking_rows(meetings), *rows),
        drawings=_round_robin_drawings(
            meetings, f"In standard errors; {2 * deals:,} hands each, seed {workspace.seed}"
        ),
        tables={"crosstable": _crosstable(meetings)},
        printed={
            "small bets a hand that the row's player wins": _matrix(meetings),
            "small bets a hand by each estimator": _by_estimator(meetings),
        },
    )


def _surest(meeting: _Meeting) -> str:
    """Return the name of the estimate with the smallest standard error; if several, the last."""
    return min(reversed(meeting), key=lambda name: meeting[name].stderr)


def _against(results: _Results, player: str) -> list[Estimate]:
    """Return a player's results against each of the others."""
    return [
        result if player == pair[0] else -result
        for pair, result in results.items()
        if player in pair
    ]


def _average(results: list[Estimate]) -> Estimate:
    """Average results; the cards of all matches are the same, so errors do not shrink for sure."""
    return replace(
        results[0],
        value=fmean(result.value for result in results),
        stderr=fmean(result.stderr for result in results),
    )


def _ranking_rows(meetings: dict[tuple[str, str], _Meeting]) -> list[Row]:
    surest: _Results = {pair: meeting[_surest(meeting)] for pair, meeting in meetings.items()}
    money: _Results = {pair: meeting["duplicate"] for pair, meeting in meetings.items()}
    bankroll, by_money = (
        {player: _average(_against(results, player)) for player in PLAYERS}
        for results in (surest, money)
    )
    series = {p: sum(result.value > 0 for result in _against(surest, p)) for p in PLAYERS}
    by_bankroll = sorted(PLAYERS, key=lambda p: -bankroll[p].value)
    by_series = sorted(PLAYERS, key=lambda p: (-series[p], -bankroll[p].value))
    moved = sum(p != q for p, q in zip(by_bankroll, by_series, strict=True))
    by_luck = sorted(PLAYERS, key=lambda p: -by_money[p].value)
    misplaced = sum(p != q for p, q in zip(by_bankroll, by_luck, strict=True))
    first = by_bankroll[0]
    rows = [
        beside(
            f"the first by winnings, {first}",
            HYPERBOREAN_AVERAGE,
            bankroll[first],
            note="Hyperborean's average in the source's fast event.",
        ),
        measured(
            "places that differ by matches won",
            Estimate(float(moved), 0.0, len(PLAYERS), unit="places"),
            note=f"First by matches won: {by_series[0]}, {series[by_series[0]]} of "
            f"{len(PLAYERS) - 1}.",
        ),
    ]
    rows.append(
        measured(
            "places that differ by duplicate money",
            Estimate(float(misplaced), 0.0, len(PLAYERS), unit="places"),
            note=f"First by duplicate money: {by_luck[0]}.",
        )
    )
    for place, player in enumerate(by_bankroll, start=1):
        rows.append(
            measured(
                f"{place}. {player}, winnings a hand",
                bankroll[player],
                note=f"{series[player]} matches won; duplicate money "
                f"{number_format.signed(by_money[player].value, 3)} "
                f"± {by_money[player].stderr * Z_95:.3f}.",
            )
        )
    return rows


def _round_robin_drawings(
    meetings: dict[tuple[str, str], _Meeting], subtitle: str
) -> tuple[Drawing, ...]:
    drawings = []
    for name, title in (("duplicate", "Duplicate money"), ("divat", "DIVAT"), ("aivat", "AIVAT")):
        cells = {}
        for player in PLAYERS:
            for (first, second), meeting in meetings.items():
                if player not in (first, second) or name not in meeting:
                    continue
                result = meeting[name] if player == first else -meeting[name]
                away = result.value / result.stderr if result.stderr else 0.0
                cells[player, second if player == first else first] = float(np.clip(away, -99, 99))
        drawings.append(
            significance_chart(
                name,
                f"Tables 5.1 and 5.2: {title}",
                cells,
                subtitle=subtitle,
                note="What the player of the row won from that of the column, in standard errors."
                + (" Empty where neither strategy is known." if name == "aivat" else ""),
            )
        )
    return tuple(drawings)


def _crosstable(meetings: dict[tuple[str, str], _Meeting]) -> pl.DataFrame:
    """Lay out both sides of every meeting: the surest estimate, and all with standard errors."""
    rows = []
    for (first, second), meeting in meetings.items():
        for player, opponent, sign in ((first, second, 1.0), (second, first, -1.0)):
            row: dict[str, object] = {"player": player, "opponent": opponent}
            row["surest"] = _surest(meeting)
            for name in ("money", "duplicate", "divat", "aivat"):
                result = meeting.get(name)
                row[name] = None if result is None else sign * result.value
                row[f"{name}_stderr"] = None if result is None else result.stderr
            rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


_MARKS: Final = {"aivat": "", "divat": " D", "duplicate": " M", "money": " M"}
"""Of a meeting's estimator, where it is not AIVAT."""


def _matrix(meetings: dict[tuple[str, str], _Meeting]) -> pl.DataFrame:
    """Return each player's surest result against each other, ordered by average winnings."""
    cells: dict[tuple[str, str], str] = {}
    surest: _Results = {}
    for (first, second), meeting in meetings.items():
        name = _surest(meeting)
        surest[first, second] = meeting[name]
        for pair, result in (
            ((first, second), meeting[name]),
            ((second, first), -meeting[name]),
        ):
            cells[pair] = _plus_or_minus(result) + _MARKS[name]
    order = sorted(PLAYERS, key=lambda player: -_average(_against(surest, player)).value)
    rows = [
        {"": player} | {opponent: cells.get((player, opponent), "") for opponent in order}
        for player in order
    ]
    return pl.DataFrame(rows)


def _by_estimator(meetings: dict[tuple[str, str], _Meeting]) -> pl.DataFrame:
    """Return what each estimator says of the first player of each meeting."""
    titles = {"money": "money", "duplicate": "duplicate", "divat": "DIVAT", "aivat": "AIVAT"}
    rows = [
        {"match": f"{first} from {second}"}
        | {
            title: _plus_or_minus(meeting[name]) if name in meeting else ""
            for name, title in titles.items()
        }
        for (first, second), meeting in meetings.items()
    ]
    return pl.DataFrame(rows)


def _plus_or_minus(result: Estimate) -> str:
    """Write a result with half of its 95 % interval."""
    decimals = number_format.decimals_for(result.stderr)
    value = number_format.number(result.value, decimals)
    return f"{value} ± {result.stderr * Z_95:.{decimals}f}" if result.stderr else value


# A trickiness filter on and off: the same deals played with it and without.
#
# The source's Hyperborean slow-played strong hands and bluffed with weak ones on the flop in one of
# two competitions, won more from the same opponent there, and by DIVAT did so on the turn and the
# river. That may have been chance; here the cards are the same, and so is everything but the
# filter.


EXPERT = "equilibrium:small"
"""The coach's only expert: it plays all hands, twice named, because the filter belongs to the
coach."""
OPPONENTS: Final = ("baseline:tight-medium", "baseline", "loki:basic")
"""The first folds too often, as the source's opponent did."""
TRICKINESS_HANDS: Final = 20_000
FILTER: Final = "tricky=flop"


def trickiness(workspace: Workspace) -> ExperimentResult:
    """Play each opponent twice and compare deal by deal."""
    deals = workspace.hands(TRICKINESS_HANDS) // 2
    rows: list[Row] = []
    drawings: list[Drawing] = []
    for number, opponent in enumerate(OPPONENTS):
        coach = f"coach:{EXPERT}+{EXPERT}"
        off, on = (
            _pairs(workspace, spec, opponent, deals) for spec in (coach, f"{coach},{FILTER}")
        )
        rows += _trickiness_rows(opponent, off, on, first=number == 0)
        subtitle = f"{EXPERT}, {2 * deals:,} hands in duplicate, seed {workspace.seed}"
        if number == 0:
            drawings += _as_the_sources(opponent, "without the filter", off, subtitle, 16)
            drawings += _as_the_sources(opponent, "with the filter", on, subtitle, 18)
        drawings.append(
            sweep_lines(
                f"filter-{number + 1}",
                f"With the filter and without, against {opponent}",
                {"with the filter": on["divat"], "without": off["divat"]},
                subtitle=subtitle,
                note="DIVAT, the two plays of each deal averaged; the curves are at one standard "
                "deviation.",
                counted="pairs",
            )
        )
    return ExperimentResult(
        hands=len(OPPONENTS) * 4 * deals, rows=tuple(rows), drawings=tuple(drawings)
    )


def _pairs(workspace: Workspace, player: str, opponent: str, deals: int) -> pl.DataFrame:
    """Play a match in duplicate; return money and DIVAT of each deal, (deals, columns)."""
    match = workspace.match(player, opponent, deals, seating=Seating.DUPLICATE)
    played = workspace.play(match)
    assessment = assess(
        played.log,
        player=match.names[0],
        threads=workspace.workers,
        progress=workspace.progress,
    )
    return pairs_of(assessment.scores, ["money", "divat", *BY_ROUND])


def _as_the_sources(
    opponent: str, label: str, pairs: pl.DataFrame, subtitle: str, number: int
) -> list[Drawing]:
    """Draw one match, averaged over the plays of a deal, like figures 5.``number`` and the next."""
    return [
        running_sums(
            f"figure-5.{number}",
            f"Figure 5.{number}: {label}, against {opponent}",
            pairs,
            player=EXPERT,
            subtitle=subtitle,
            counted="pairs",
            note="The two plays of each deal averaged.",
        ),
        round_lines(
            f"figure-5.{number + 1}",
            f"Figure 5.{number + 1}: {label}, against {opponent}, by betting round",
            pairs,
            player=EXPERT,
            subtitle=subtitle,
            counted="pairs",
            note="DIVAT, the two plays of each deal averaged.",
        ),
    ]


def _trickiness_rows(
    opponent: str, off: pl.DataFrame, on: pl.DataFrame, *, first: bool
) -> list[Row]:
    rows = []
    without, with_it = (estimate(match_pairs["divat"].to_numpy()) for match_pairs in (off, on))
    if first:
        note = "Hyperborean from Bluffbot."
        rows += [
            beside(f"without the filter, from {opponent}", UNFILTERED, without, note),
            beside(f"with it, from {opponent}", FILTERED, with_it, note),
            beside(
                f"money sd, pairs averaged, without the filter, from {opponent}",
                UNFILTERED_SD,
                sd(off["money"].to_numpy()),
                "Hyperborean and Bluffbot; the source calls it the variance.",
            ),
        ]
    else:
        rows += [
            measured(f"without the filter, from {opponent}", without),
            measured(f"with it, from {opponent}", with_it),
        ]

    for name, columns in (
        ("money", ["money"]),
        ("DIVAT", ["divat"]),
        ("DIVAT on the flop", ["divat_flop"]),
        ("DIVAT on the turn and the river", ["divat_turn", "divat_river"]),
    ):
        more, less = (
            match_pairs.select(pl.sum_horizontal(columns)).to_series() for match_pairs in (on, off)
        )
        gain = paired_difference(more.to_numpy(), less.to_numpy())
        rows.append(measured(f"what the filter gains from {opponent}, {name}", gain))
    return rows


# A player that changes its style against an equilibrium, and whose line shows the bend.
#
# The source (5.2) reads from the lines of a match of 7,000 hands that a professional, thecount,
# folded too much before the flop, made up for it on the flop, and played better after about 3,700
# hands, when he reassessed his style. Here a player does all this for sure: first it is aggressive
# and folds as much before the flop, then it plays the equilibrium itself.


EQUILIBRIUM: Final = "equilibrium:small"
BEFORE: Final = "baseline:aggressive-high,preflop.fold=0.15"
CHANGE_OF_STYLE_HANDS: Final = 7000
CHANGED: Final = 3700 / 7000
"""Part of the match before the change."""
_BEND: Final = (
    "Largest distance of the running sum from the straight line to its end, in standard deviations "
    "times the root of the hands: above 1.36 in one of twenty lines without a bend, above 1.95 in "
    "one of a thousand."
)
_TITLES: Final = {"money": "money", "divat": "DIVAT", "aivat": "AIVAT"}


def change_of_style(workspace: Workspace) -> ExperimentResult:
    """Play both parts, and test their line for a change by every estimator."""
    hands = workspace.hands(CHANGE_OF_STYLE_HANDS)
    first = round(hands * CHANGED)
    before = _scores(workspace, BEFORE, first, workspace.seed)
    after = _scores(workspace, EQUILIBRIUM, hands - first, workspace.seed + 1)
    scores = pl.concat([before, after])
    return ExperimentResult(
        hands=hands,
        rows=(*_change_of_style_rows(scores), *_change_rows(before, after)),
        drawings=_change_of_style_drawings(scores, first, workspace.seed),
    )


def _scores(workspace: Workspace, player: str, hands: int, seed: int) -> pl.DataFrame:
    """Play one part, and score it with the equilibrium as the known player."""
    match = workspace.match(player, EQUILIBRIUM, hands, seed=seed)
    known = {match.names[1]: EQUILIBRIUM}
    assessment = judged(workspace, workspace.play(match), known)
    return assessment.scores.select(*_TITLES, *BY_ROUND)


def _change_of_style_rows(scores: pl.DataFrame) -> list[Row]:
    money, divat, aivat = (scores[name].to_numpy() for name in _TITLES)
    note = "Of thecount against PsOpti1."
    return [
        beside("money", THECOUNT_MONEY, estimate(money), note),
        beside("DIVAT", THECOUNT_DIVAT, estimate(divat), note),
        measured("AIVAT, the equilibrium known", estimate(aivat)),
        beside("money sd", THECOUNT_MONEY_SD, sd(money), note),
        beside("DIVAT sd", THECOUNT_DIVAT_SD, sd(divat), note),
        measured("AIVAT sd", sd(aivat)),
        measured("variance reduction by DIVAT", reduction(money, divat)),
        measured("variance reduction by AIVAT", reduction(money, aivat)),
    ]


def _change_rows(early_hands: pl.DataFrame, late_hands: pl.DataFrame) -> list[Row]:
    """Compare both parts, and test where each estimator's line bends, and how surely."""
    rows = [
        beside(
            "DIVAT before the flop, before the change",
            THECOUNT_PREFLOP,
            estimate(early_hands["divat_preflop"].to_numpy()),
            "Of thecount, in the whole match.",
        ),
        measured(
            "DIVAT on the flop, before the change", estimate(early_hands["divat_flop"].to_numpy())
        ),
    ]
    for name, title in _TITLES.items():
        early, late = early_hands[name], late_hands[name]
        early_mean, late_mean = estimate(early.to_numpy()), estimate(late.to_numpy())
        gain = Estimate(
            late_mean.value - early_mean.value,
            (early_mean.stderr**2 + late_mean.stderr**2) ** 0.5,
            len(early) + len(late),
        )
        bend = change_point(pl.concat([early, late]).to_numpy())
        hands = len(early) + len(late)
        rows += [
            measured(f"{title}, after the change less before", gain),
            measured(f"{title}, bend", Estimate(bend.statistic, 0.0, hands, unit=""), _BEND),
            measured(
                f"{title}, hands before the bend (true: {len(early):,})",
                Estimate(float(bend.place), 0.0, hands, unit="hands"),
                "Where it is farthest from that straight line.",
            ),
        ]
    return rows


def _change_of_style_drawings(scores: pl.DataFrame, first: int, seed: int) -> tuple[Drawing, ...]:
    subtitle = f"against {EQUILIBRIUM}, {scores.height:,} hands, seed {seed}"
    note = f"The style changes after {first:,} hands."
    player = "a player that changes its style"
    return (
        running_sums(
            "figures-5.4-and-5.5",
            "Figures 5.4 and 5.5: a player that changes its style",
            scores,
            player=player,
            subtitle=subtitle,
            note=note,
        ),
        round_lines(
            "figure-5.6",
            "Figure 5.6: DIVAT by betting round",
            scores,
            player=player,
            subtitle=subtitle,
            note=f"{note} Before, it folds too much before the flop, and comes to the flop with "
            "the better hands.",
        ),
    )


# Short matches, as those in Las Vegas, each repeated so that one can be set beside many.
#
# In the source's matches (5.3) a program met the winner of a tournament, a person met that winner,
# and the program met the person. The program was two, an adaptive one and an equilibrium, switched
# by the chips that were left, and is so here; the winner was made of rules after Loki's descendant;
# for the person stands an equilibrium. Stakes are fixed, as the source's are in its analysis.


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
    printed: ShortMatch


MATCHES: Final = (
    Short(
        players=(SWITCHED, RULES),
        words="two programs switched by the chips, against rules",
        hands=900,
        figures=(7, 8, 9),
        printed=POKI_X_AND_POKERPROBOT,
    ),
    Short(
        players=(EQUILIBRIUM, RULES),
        words="an equilibrium against rules",
        hands=399,
        figures=(10, 11, 12),
        printed=LAAK_AND_POKERPROBOT,
    ),
    Short(
        players=(SWITCHED, EQUILIBRIUM),
        words="two programs switched by the chips, against an equilibrium",
        hands=290,
        figures=(13, 14, 15),
        printed=POKI_X_AND_LAAK,
    ),
)


def short_matches(workspace: Workspace) -> ExperimentResult:
    """Play every match as often as the scale says, and draw the first of each."""
    sessions = workspace.hands(SESSIONS, least=2)
    rows: list[Row] = []
    drawings: list[Drawing] = []
    for short in MATCHES:
        match = workspace.match(*short.players, sessions * short.hands)
        played = workspace.play(replace(match, chunk=short.hands))
        known = known_of(dict(zip(match.names, short.players, strict=True)))
        scores = judged(workspace, played, known).scores
        rows += _short_matches_rows(short, scores)
        drawings += _short_matches_drawings(short, scores.head(short.hands), workspace.seed)
    hands = sessions * sum(short.hands for short in MATCHES)
    return ExperimentResult(hands=hands, rows=tuple(rows), drawings=tuple(drawings))


def _short_matches_rows(short: Short, scores: pl.DataFrame) -> list[Row]:
    printed, pairing = short.printed, " v ".join(short.players)
    money, divat = scores["money"].to_numpy(), scores["divat"].to_numpy()
    both = {"money": money, "DIVAT": divat}
    if "aivat" in scores.columns:
        both["AIVAT"] = scores["aivat"].to_numpy()
    sessions = len(money) // short.hands
    rows = []
    for name, ours, text in (
        (f"money, {pairing}", estimate(money), printed.money),
        (f"DIVAT, {pairing}", estimate(divat), printed.divat),
        (f"money sd, {pairing}", sd(money), printed.money_sd),
        (f"DIVAT sd, {pairing}", sd(divat), printed.divat_sd),
        (f"variance reduction, {pairing}", reduction(money, divat), printed.reduction),
    ):
        rows.append(beside(name, text, ours) if text else measured(name, ours))
    if "AIVAT" in both:
        rows.append(measured(f"AIVAT, {pairing}", estimate(both["AIVAT"])))
        rows.append(measured(f"AIVAT sd, {pairing}", sd(both["AIVAT"])))
    for name, values in both.items():
        # Each match is one trial.
        ahead = values.reshape(sessions, short.hands).sum(axis=1) > 0
        share = Proportion.of_trials(ahead)
        note = f"Matches of {short.hands} hands, as long as the source's."
        rows.append(measured(f"ahead after one match by {name}, {pairing}", share, note))
    return rows


def _short_matches_drawings(short: Short, scores: pl.DataFrame, seed: int) -> list[Drawing]:
    """Draw the first match: money and DIVAT together, and DIVAT by betting round."""
    money, divat, rounds = short.figures
    player, opponent = short.players
    subtitle = f"{player} against {opponent}, {short.hands} hands, seed {seed}"
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
