"""AIVAT for games that Railbird plays itself: by the specs of those players that are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from railbird.cli._result_tables import crosstable_of
from railbird.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

    from railbird.arena import League, LeagueResult, Match
    from railbird.arena.names import PlayerLike
    from railbird.assessment.aivat.estimator import Aivat
    from railbird.assessment.estimator import Floats
    from railbird.estimates import Estimate
    from railbird.game import Rules
    from railbird.progress import Progress


def aivat_of(match: Match) -> list[Aivat]:
    """Return AIVAT with the players of a match that are known. Raises `BadInput` if none is."""
    known = known_among(match.rules, match.names, match.players)
    from railbird.assessment.aivat.estimator import Aivat

    return [Aivat(known=known)]


def known_among(
    rules: Rules, names: Sequence[str], players: Sequence[PlayerLike]
) -> dict[str, str]:
    """Return the specs of known players by name.

    Raises `BadInput` if there are none, and in games other than heads-up limit.
    """
    from railbird.arena.names import specs_of
    from railbird.assessment.aivat.estimator import strategy_of
    from railbird.assessment.scorable_batch import is_heads_up_limit

    if not is_heads_up_limit(rules):
        raise BadInput("--aivat in another game; allowed: heads-up limit")
    known: dict[str, str] = {}
    reasons: list[str] = []
    for name, spec in zip(names, specs_of(players), strict=True):
        try:
            strategy_of(spec)
            known[name] = spec
        except BadInput as reason:
            reasons.append(str(reason))
    if not known:
        raise BadInput(f"--aivat with no player known: {reasons[0]}")
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
        found = self.pairs.get((opponent, player))
        return None if found is None else -found

    def add_to(self, document: dict[str, Any], league: League) -> None:
        """Add what is known to the output of ``--json``."""
        document["known"] = self.known
        for player, name in enumerate(league.names):
            total = self.totals.get(player)
            document["players"][name]["aivat"] = None if total is None else total.as_json()
        for pair, played in zip(league.pairs, document["pairs"], strict=True):
            found = self.pairs.get(pair)
            played["aivat"] = None if found is None else found.as_json()


def league_by_aivat(
    result: LeagueResult, known: dict[str, str], progress: Progress | None
) -> LeagueByAivat:
    """Score the matches of a league in which a player is known."""
    import numpy as np

    from railbird.assessment import assess
    from railbird.assessment.aivat.estimator import Aivat
    from railbird.assessment.score_frame import deals_of_pairs
    from railbird.estimates.estimate import estimate

    league = result.league
    deals: dict[tuple[int, int], Floats] = {}
    for pair in league.pairs:
        match = result.matches[pair]
        names = [league.names[player] for player in pair]
        here = {
            name: known[of_league]
            for name, of_league in zip(match.match.names, names, strict=True)
            if of_league in known
        }
        if not here:
            continue
        aivat = Aivat(known=here)
        found = assess(match, player=match.match.names[0], more=[aivat], progress=progress)
        deal = deals_of_pairs(found.scores["pair"])
        sums = np.bincount(deal, found.scores[aivat.name].to_numpy())
        hands = np.bincount(deal)
        deals[pair] = sums[hands > 0] / hands[hands > 0]
    totals = {}
    for player in range(len(league.players)):
        # All pairs play the same deals, so that a deal's mean over the opponents is one value.
        mine = [
            values if pair[0] == player else -values
            for pair, values in deals.items()
            if player in pair
        ]
        if len(mine) == len(league.players) - 1 and len({len(values) for values in mine}) == 1:
            totals[player] = estimate(np.mean(mine, axis=0))
    return LeagueByAivat(known, {pair: estimate(each) for pair, each in deals.items()}, totals)


def aivat_table(result: LeagueResult, found: LeagueByAivat) -> Table:
    """Lay the results out in the order of the league's ranking by money."""
    ranking = result.ranking
    known = ", ".join(name for name in result.league.names if name in found.known)
    return crosstable_of(
        f"AIVAT, {result.unit} a hand, 95 % intervals; known: {known}",
        [result.league.names[player] for player in ranking],
        lambda place: found.totals.get(ranking[place]),
        lambda place, other: found.against(ranking[place], ranking[other]),
    )
