"""Results as tables for the terminal: who won how much, from whom, and whose code failed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from railbird import arena, assessment, cards, estimates, game
from railbird.cli._console import EXIT_FINDING, errors
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import (
    ALL_ALIKE,
    TOO_FEW,
    counted,
    decimals_for,
    interval,
    interval_of,
    signed,
    times,
)

if TYPE_CHECKING:
    from railbird._arrays import Floats
    from railbird.estimates.estimate import Estimate
    from railbird.progress import Progress


_HANDS_PER_FAULT = 100
"""A result with more than one fault per this many hands is decided by faults."""


def match_table(
    result: arena.MatchResult,
    players: Iterable[int],
    *,
    watch: estimates.StoppingRule | None = None,
) -> Table:
    """Lay out what these players won in a match, in this order, with intervals.

    ``watch`` is what decided when a match of two ended: an interval that forgets it would be too
    narrow.
    """
    raked = ""
    if result.match.rules.rake is not None:
        raked = f"; the house took {result.raked:,.1f} {result.unit}"
    rows = []
    for player in players:
        # A match that stopped when its interval excluded nought has looked many times, so an
        # interval for one look would be too narrow.
        if watch is None:
            cells = shown(result.money(player))
        else:
            cells = _shown_anytime(-watch.interval if player else watch.interval)
        rows.append((result.match.names[player], *cells))
    played = game_words(result.match.rules.betting, result.match.rules.variant)
    title = f"{counted(result.match.hands)} of {played}, {result.hands_per_s:,.0f} a second{raked}"
    return Table(("player", f"{result.unit} a hand", "95 % interval"), rows, title=title)


def paired_table(
    result: arena.PairedResult, *, watch: estimates.StoppingRule | None = None
) -> Table:
    """Lay out what two versions of a player won against others, and how much more the first.

    ``watch`` decided when the test ended; the difference over all is then the interval of its own.
    """
    rows = []
    for number, name in enumerate(result.against):
        money = (shown(result.money(number, version))[0] for version in range(2))
        rows.append((name, *money, *shown(result.difference(number))))
    overall = shown(result.overall) if watch is None else _shown_anytime(watch.interval)
    rows.append(("all", "", "", *overall))
    match = result.results[0][0].match
    title = f"{counted(result.hands)} of {game_words(match.rules.betting, match.rules.variant)}"
    if result.variance_reduction is not None:
        title += f"; on different cards it would take {result.variance_reduction:.1f} times as many"
    return Table(
        ("against", *result.versions, f"{result.unit} a hand more", "95 % interval"),
        rows,
        title=title,
    )


def game_words(betting: game.Betting, variant: cards.Variant) -> str:
    """Return the betting and, unless it is hold'em, the game."""
    return betting.value if variant is cards.HOLDEM else f"{betting.value} {variant.title}"


def shown(won: Estimate) -> tuple[str, str]:
    """Return a mean with its sign and its interval, as every screen shows them."""
    decimals = decimals_for(won.stderr)
    return signed(won.value, decimals), interval_of(won, decimals)


def _shown_anytime(won: estimates.AnytimeInterval) -> tuple[str, str]:
    decimals = decimals_for(won.half_width / 2)
    return signed(won.value, decimals), interval(won.low, won.high, decimals)


def crosstable_of(
    title: str,
    ranking: Sequence[str],
    total: Callable[[int], Estimate | estimates.AnytimeInterval | None],
    against: Callable[[int, int], Estimate | estimates.AnytimeInterval | None],
    hands: Callable[[int, int], int] | None = None,
) -> Table:
    """Lay out who won how much from whom; players are numbered by their place, from 0.

    ``hands`` says how many two of them played, where that is not the same for all.
    """
    rows = []
    for player, name in enumerate(ranking):
        cells = ["" for _ in ranking]
        for other in range(len(ranking)):
            if other != player:
                cells[other] = _cell(against(player, other))
                if hands is not None:
                    cells[other] += f"\n{hands(player, other):,} hands"
        rows.append((str(player + 1), name, _cell(total(player)), *cells))
    against_each = (f"against {place}" for place in range(1, len(ranking) + 1))
    return Table(("", "player", "all", *against_each), rows, title=title, names=2)


def _cell(won: Estimate | estimates.AnytimeInterval | None) -> str:
    """A mean, and under it the half-width of its interval."""
    if won is None:
        return ""
    half = (won.high - won.low) / 2
    if math.isfinite(half):
        within = f"± {half:.3f}"
    else:
        within = ALL_ALIKE if getattr(won, "stderr", None) == 0 else TOO_FEW
    return f"{signed(won.value, 3)}\n{within}"


def warn_unfit(players: Iterable[str], rules: game.Rules) -> None:
    """Say on standard error who is known to play badly by these rules, but for drills."""
    from railbird.players.registry import why_unfit

    for spec in dict.fromkeys(arena.specs_of(tuple(players))):
        if why := why_unfit(spec, rules, drills=True):
            errors.print(f"{why}; railbird players says who is fit for what", soft_wrap=True)


def tell_faults(
    faults: Iterable[tuple[str, arena.FaultTally]], hands: int, *, strict: bool = False
) -> None:
    """List players' faults on standard error, and end with a finding where they decided.

    They did where a player failed in more than one hand of `_HANDS_PER_FAULT`: the results say more
    about the faults then than about the play. A ``strict`` game stops at a fault, so here faults
    are those of hands that its log had before.
    """
    failed, failed_before = [], False
    for name, tally in faults:
        for fault, count in tally.counts.items():
            noun = fault.value if count == 1 else f"{fault.value} faults"
            errors.print(f"{name}: {count:,} {noun}, first: {tally.first[fault]}")
        failed_before = failed_before or bool(tally.counts)
        if sum(tally.counts.values()) * _HANDS_PER_FAULT > hands:
            failed.append(f"{name} ({counted(sum(tally.counts.values()), 'fault')})")
    if strict and failed_before:
        errors.print(
            "hands that the log had already have faults; --force plays them anew",
            style="bold red",
        )
        click.get_current_context().exit(EXIT_FINDING)
    if failed:
        errors.print(
            f"faults decided: more than 1 in {_HANDS_PER_FAULT} hands is too many in "
            f"{counted(hands)}: {', '.join(failed)} (--debug shows tracebacks, --strict stops at "
            "the first)",
            style="bold red",
        )
        click.get_current_context().exit(EXIT_FINDING)


# AIVAT for games that Railbird plays itself: by the specs of those players that are known.


def aivat_of(match: arena.Match, *, assessed: bool) -> list[assessment.Aivat]:
    """Return AIVAT with the players of a match that are known. Raises `BadInput` if none is.

    In limit it is a part of what is ``assessed``.
    """
    if not assessed and assessment.is_heads_up_limit(match.rules):
        raise BadInput("--show aivat without --show assessment in limit; allowed: together")
    return [aivat_for(match.rules, known_among(match.rules, match.names, match.players))]


def aivat_for(rules: game.Rules, known: Mapping[str, str]) -> assessment.Aivat:
    """Return AIVAT of a game, with players of these specs by name."""
    aivat = (assessment.Aivat if assessment.is_heads_up_limit(rules) else assessment.NoLimitAivat)(
        known=known
    )
    if (why := aivat.needs(rules)) is not None:
        raise BadInput(f"--show aivat is {why}")
    return aivat


def aivat_match_table(results: Mapping[str, assessment.LessLuck], unit: str) -> Table:
    """Lay out what both players of a match won by AIVAT."""
    rows = [
        (name, *shown(less_luck.aivat), times(less_luck.variance_reduction))
        for name, less_luck in results.items()
    ]
    return Table(("player", f"{unit} a hand by AIVAT", "95 % interval", "variance ÷"), rows)


def known_among(
    rules: game.Rules, names: Sequence[str], players: Sequence[arena.PlayerLike]
) -> dict[str, str]:
    """Return the specs of known players by name.

    Raises `BadInput` if there are none, and in games other than heads-up limit and no-limit.
    """
    from railbird.players.known_strategy import known_policy

    in_limit = assessment.is_heads_up_limit(rules)
    if not in_limit and (rules.betting is not game.Betting.NO_LIMIT or rules.seats != 2):
        raise BadInput("--show aivat in another game; allowed: heads-up limit and no-limit")
    known: dict[str, str] = {}
    reasons: list[str] = []
    for name, spec in zip(names, arena.specs_of(players), strict=True):
        try:
            if in_limit:
                assessment.strategy_of(spec)
            else:
                known_policy(spec, rules)
            known[name] = spec
        except BadInput as reason:
            reasons.append(str(reason))
    if not known:
        raise BadInput(f"--show aivat with no player known: {reasons[0]}")
    return known


class LeagueByAivat(NamedTuple):
    """A league's results by AIVAT, in small bets a hand."""

    known: dict[str, str]
    """Specs by name."""
    pairs: dict[tuple[int, int], Estimate]
    """Of the first player, for pairs of which one is known."""
    totals: dict[int, Estimate]
    """Against all others, for players with an estimate against each."""

    def against(self, player: int, opponent: int) -> Estimate | None:
        """Return a player's result against another; None if neither is known."""
        if (player, opponent) in self.pairs:
            return self.pairs[player, opponent]
        reverse_estimate = self.pairs.get((opponent, player))
        return None if reverse_estimate is None else -reverse_estimate

    def add_to(self, document: dict[str, Any], league: arena.League) -> None:
        """Add what is known to the output of ``--json``."""
        document["known"] = self.known
        for player, name in enumerate(league.names):
            total = self.totals.get(player)
            document["players"][name]["aivat"] = None if total is None else total.as_json()
        for pair, played in zip(league.pairs, document["pairs"], strict=True):
            pair_estimate = self.pairs.get(pair)
            played["aivat"] = None if pair_estimate is None else pair_estimate.as_json()


def league_by_aivat(
    result: arena.LeagueResult, known: dict[str, str], progress: Progress | None
) -> LeagueByAivat:
    """Score the matches of a league in which a player is known."""
    import numpy as np

    from railbird.estimates.estimate import estimate

    league = result.league
    deals: dict[tuple[int, int], Floats] = {}
    for pair in league.pairs:
        match = result.matches[pair]
        names = [league.names[player] for player in pair]
        # A match may name its players otherwise than the league does, so specs go over by position.
        match_specs = {
            name: known[of_league]
            for name, of_league in zip(match.match.names, names, strict=True)
            if of_league in known
        }
        if not match_specs:
            continue
        aivat = assessment.Aivat(known=match_specs)
        evaluation = assessment.assess(
            match, player=match.match.names[0], more=[aivat], progress=progress
        )
        deal = assessment.deals_of_pairs(evaluation.scores["pair"])
        sums = np.bincount(deal, evaluation.scores[aivat.name].to_numpy())
        hands = np.bincount(deal)
        # Hands of one deal share its cards, so the deal and not the hand is what is independent.
        deals[pair] = sums[hands > 0] / hands[hands > 0]
    totals = {}
    for player in range(len(league.players)):
        # All pairs play the same deals, so that a deal's mean over the opponents is one value.
        mine = [
            values if pair[0] == player else -values
            for pair, values in deals.items()
            if player in pair
        ]
        # Only with an estimate against each opponent is the mean that of the whole league.
        if len(mine) == len(league.players) - 1 and len({len(values) for values in mine}) == 1:
            totals[player] = estimate(np.mean(mine, axis=0))
    return LeagueByAivat(
        known, {pair: estimate(deal_values) for pair, deal_values in deals.items()}, totals
    )


def aivat_table(result: arena.LeagueResult, aivat_league: LeagueByAivat) -> Table:
    """Lay the results out in the order of the league's ranking by money."""
    ranking = result.ranking
    known = ", ".join(name for name in result.league.names if name in aivat_league.known)
    return crosstable_of(
        f"AIVAT, {result.unit} a hand, 95 % intervals; known: {known}",
        [result.league.names[player] for player in ranking],
        lambda place: aivat_league.totals.get(ranking[place]),
        lambda place, other: aivat_league.against(ranking[place], ranking[other]),
    )
