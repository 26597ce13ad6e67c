"""``railbird league``: everybody against everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import click

from railbird import arena, assessment, estimates, game, report
from railbird.arena.settings import HANDS, MOST_HANDS
from railbird.cli._completion import PLAYER, Whole
from railbird.cli._console import output, print_json, print_table, progress
from railbird.cli._keyed_options import show_option
from railbird.cli._play import (
    Playing,
    chunk_for,
    game_option,
    naming_option,
    playing_options,
    rake_option,
    rules_of,
    stack_option,
)
from railbird.cli._result_tables import (
    aivat_table,
    crosstable_of,
    known_among,
    league_by_aivat,
    match_table,
    tell_faults,
)
from railbird.errors import BadInput
from railbird.report.number_format import counted

RING_LOG = "ring.log"


@click.command(name="league")
@click.argument("players", nargs=-1, required=True, metavar="A B...", type=PLAYER)
@game_option
@stack_option
@click.option(
    "-n",
    "--hands",
    type=Whole(min=1),
    help=f"In each match, with --ring in all: {HANDS:,} by default; with --stop the most that are "
    f"played, {MOST_HANDS:,} by default.",
)
@click.option("--duplicate", is_flag=True, help="Play each deal once from every seat.")
@click.option("--ring", is_flag=True, help="Seat all players at one table instead of in pairs.")
@click.option(
    "--stop",
    "until",
    help="Stop each match when it is known to within 0.02sb, say, or when decided.",
)
@rake_option
@show_option(
    aivat="in heads-up limit also a table by AIVAT, for players whose strategies are known"
)
@playing_options(log="Folder for ACPC logs; unfinished ones are resumed.", folder=True)
def command(
    *,
    players: Sequence[str],
    game: str,
    stack: str | None,
    hands: int | None,
    duplicate: bool,
    ring: bool,
    until: str | None,
    rake: str | None,
    aivat: bool,
    how: Playing,
) -> None:
    """Play every player against every other and rank them.

    Every pair plays the same deals. With --ring all sit at one table. --duplicate then plays each
    deal as often as there are seats, so that everybody holds every seat's cards; if the number of
    players is one less than a prime, the neighbours change each time. A stopped league with a log
    is resumed. --stop ends each match separately; its intervals hold for all matches together.

    \b
    Examples:
      railbird league always-call always-raise random --hands 10000 --duplicate
      railbird league baseline baseline:tight-low random random --ring --duplicate --log logs
      railbird league baseline baseline:tight-low random --duplicate --stop decided
      railbird league baseline killer always-call --duplicate --show aivat
    """
    if ring and until is not None:
        raise BadInput("--stop with --ring; allowed: matches of two")
    if aivat and (ring or until is not None):
        raise BadInput(
            "--show aivat with --ring or --stop; allowed: matches of two of a fixed length"
        )
    if hands is None:
        hands = HANDS if until is None else MOST_HANDS
    if ring:
        seats, several = len(players), arena.Seating.PERMUTED
    else:
        seats, several = 2, arena.Seating.DUPLICATE
    plan = _Plan(
        players=tuple(players),
        rules=rules_of(game, seats, rake=rake, stack=stack),
        deals=-(-hands // seats) if duplicate else hands,
        seating=several if duplicate else arena.Seating.SINGLE,
        chunk=chunk_for(players),
    )
    if until is not None and plan.rules.rake is not None:
        raise BadInput(f"--stop with a rake of {plan.rules.rake}; allowed: one of the two")
    if ring:
        _play_ring(plan, how)
    else:
        _play_pairs(plan, until, aivat, how)


class _Plan(NamedTuple):
    players: tuple[str, ...]
    rules: game.Rules
    deals: int
    seating: arena.Seating
    chunk: int


def _play_ring(plan: _Plan, how: Playing) -> None:
    match = arena.Match(**plan._asdict(), seed=how.seed, faults=how.faults)
    log = None if how.log is None else how.log / RING_LOG
    with how.begun(log), progress() as notify:
        result = arena.play(match, log=log, workers=how.workers, on=how.on, progress=notify)
    faults = list(zip(match.names, result.faults, strict=True))
    if how.as_json:
        print_json(result.as_json(log))
        tell_faults(faults, match.hands, strict=how.strict)
        return
    everybody = range(len(match.players))
    ranking = sorted(everybody, key=lambda player: -result.money(player).value)
    print_table(match_table(result, ranking))
    tell_faults(faults, match.hands, strict=how.strict)


def _play_pairs(plan: _Plan, until: str | None, aivat: bool, how: Playing) -> None:
    league = arena.League(**plan._asdict(), seed=how.seed, faults=how.faults)

    if aivat and not assessment.is_heads_up_limit(league.rules):
        raise BadInput("--show aivat in another game; allowed: heads-up limit")
    known = known_among(league.rules, league.names, league.players) if aivat else {}
    watches = {} if until is None else _watches(league, until)
    logs = [] if how.log is None else [how.log / arena.log_name(pair) for pair in league.pairs]
    with how.begun(*logs), progress() as notify:
        result = arena.play_league(
            league,
            logs=how.log,
            workers=how.workers,
            on=how.on,
            until=watches or None,
            keep=aivat and how.log is None,
            progress=notify,
        )
        by_aivat = league_by_aivat(result, known, notify) if aivat else None
    for pair, match in result.matches.items() if until is None else ():
        less_luck = None if by_aivat is None else by_aivat.pairs.get(pair)
        arena.evaluations.record_match(match, less_luck, known.values())
    faults = [(name, result.faults(player)) for player, name in enumerate(league.names)]
    if how.as_json:
        document = result.as_json(how.log)
        if until is not None:
            document["until"] = until
            for pair, played in zip(league.pairs, document["pairs"], strict=True):
                played |= watches[pair].as_json()
        if by_aivat is not None:
            by_aivat.add_to(document, league)
        print_json(document)
        tell_faults(faults, result.hands, strict=how.strict)
        return
    print_table(_crosstable(result, watches))
    if by_aivat is not None:
        print_table(aivat_table(result, by_aivat))
    if until is not None:
        reached = sum(watch.reached for watch in watches.values())
        output.print(f"{until} reached in {reached} of {len(watches)} matches")
    tell_faults(faults, result.hands, strict=how.strict)


def _watches(league: arena.League, until: str) -> dict[arena.league.Pair, estimates.StoppingRule]:
    """Watches for the matches; they share the error rate equally (Bonferroni)."""
    from railbird.estimates.estimate import ALPHA

    unit, chips = league.rules.result_unit, league.rules.chips_per_unit
    alpha = ALPHA / len(league.pairs)
    with naming_option("--stop"):
        goal = estimates.parse_goal(until, unit=unit)
    return {
        pair: estimates.StoppingRule(goal, chips=chips, unit=unit, alpha=alpha)
        for pair in league.pairs
    }


def _crosstable(
    result: arena.LeagueResult, watches: Mapping[arena.league.Pair, estimates.StoppingRule]
) -> report.Table:
    """Winnings a hand, by winner and loser, in the order of the ranking."""
    league, ranking = result.league, result.ranking
    betting = league.rules.betting.value
    played = f"{counted(result.hands)} of {betting}, {result.hands_per_s:,.0f} a second"
    names = [league.names[player] for player in ranking]
    if not watches:
        return crosstable_of(
            f"{result.unit} a hand, 95 % intervals; {played}",
            names,
            lambda row: result.money(ranking[row]),
            lambda row, column: result.money_against(ranking[row], ranking[column]),
        )
    return crosstable_of(
        f"{result.unit} a hand, intervals that hold 95 % together, at any time; {played}",
        names,
        lambda row: _watched_total(watches, ranking[row]),
        lambda row, column: _watched(watches, ranking[row], ranking[column]),
        lambda row, column: result.match_of(ranking[row], ranking[column]).match.hands,
    )


def _watched(
    watches: Mapping[arena.league.Pair, estimates.StoppingRule], player: int, opponent: int
) -> estimates.AnytimeInterval:
    if player < opponent:
        return watches[player, opponent].interval
    return -watches[opponent, player].interval


def _watched_total(
    watches: Mapping[arena.league.Pair, estimates.StoppingRule], player: int
) -> estimates.AnytimeInterval:
    opponents = [sum(pair) - player for pair in watches if player in pair]
    return estimates.confidence_sequences.averaged(
        [_watched(watches, player, opponent) for opponent in opponents]
    )
