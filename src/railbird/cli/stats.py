"""``railbird stats``: what trackers say of players, from logs and archives."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import assessment, cards, histories, report
from railbird._files import replace_files
from railbird.cli._completion import FILE, OUTPUT_FILE, OneOf, Within
from railbird.cli._console import (
    errors,
    json_option,
    log_game_option,
    output,
    print_document,
    print_json,
    progress,
)
from railbird.cli._hand_files import (
    HandPlaces,
    SkipList,
    batches_of_files,
    check_ending,
    check_inputs,
    check_output,
    force_option,
    is_of_other_games,
    other_game_of,
    same_names,
    same_option,
)
from railbird.cli._keyed_options import Setting, set_option, show_option
from railbird.cli._stats_boardless import show_boardless_statistics
from railbird.cli._tournament_results import (
    Returns,
    say_refused,
    show_tournaments,
    tournament_returns,
    tournaments_json,
)
from railbird.cli.bankroll import check_bankroll
from railbird.errors import BadInput, NothingUsable, absent_player, unknown_name
from railbird.report.number_format import counted, display_name

if TYPE_CHECKING:
    import polars as pl

_BY: Final = ("position", "stake", "session", "month", "hand")


@click.command(name="stats")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
@log_game_option
@click.option("--player", "players", multiple=True, help="Only this player; may be repeated.")
@same_option
@click.option(
    "--since",
    default="",
    show_default=False,
    metavar="DATE",
    help="Hands from this day on: 2009-07-01.",
)
@click.option(
    "--until", default="", show_default=False, metavar="DATE", help="Hands up to this day."
)
@click.option("--stake", "stakes", multiple=True, help="Only this stake, as --by stake names it.")
@click.option(
    "--where",
    "conditions",
    multiple=True,
    metavar="SPOT",
    help="Only hands like this: 3bet pot, in position, faced turn bet, 60-100bb, paired flop; "
    "if repeated, hands that fit any.",
)
@click.option(
    "--hands",
    "listed",
    is_flag=True,
    help="List the hands that are counted, by their places in the log.",
)
@click.option("--by", type=OneOf(_BY), help="Divide each player's hands.")
@show_option(field="also how one --player differs from all others in these hands")
@set_option(
    definitions=Setting(
        "trackers",
        "count PFR and folds to 3-bets as trackers do; by default as the manual says",
        OneOf(("railbird", "trackers")),
        "railbird",
    )
)
@click.option(
    "--bankroll",
    type=Within(),
    metavar="BB",
    help="Also compute the risk of losing this many big blinds, N0 and Kelly's bankroll.",
)
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="Write a .csv, or a page (.html, .md) with own hands, positions, sessions and stakes.",
)
@force_option
@json_option
def command(
    *,
    files: Sequence[str],
    game: str | None,
    players: Sequence[str],
    same: Sequence[str],
    since: str,
    until: str,
    stakes: Sequence[str],
    conditions: Sequence[str],
    listed: bool,
    by: str | None,
    field: bool,
    definitions: str,
    bankroll: float | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Show statistics of players: VPIP, PFR, 3-bets, c-bets, showdowns, winnings, with intervals.

    FILE is a log of any known format, a folder of logs or an archive. Winnings are in big blinds
    per hundred hands, where each hand counts in its own big blind; money is added up only within a
    stake. Sites' summaries of tournaments are read too: they give buy-ins, prizes and the return.
    The keys of --json, such as wtsd, are defined in the manual under "Statistics of players"
    (docs/stats.md).

    \b
    Examples:
      railbird stats hands.txt --player Hero
      railbird stats archive --by stake --json
      railbird stats sessions/ --player Hero --same Hero=Hero2,hero_ps --by session
      railbird stats sessions/ --player Hero --out hero.html
      railbird stats archive --player Hero --where "3bet pot, in position" --hands
      railbird stats archive --player Hero --bankroll 2000
      railbird stats archive --player Hero --show field
      railbird stats archive --player Hero --set definitions=trackers
    """
    wanted = _filter(players, same, since, until, stakes, conditions)
    _check(files, by, bankroll, out, force=force)
    if field:
        _check_field(players, divided=by is not None)

    chosen = assessment.player_statistics.By(by) if by else None

    places = HandPlaces()
    counted_log, log, skips = _read(files, game, wanted, places, everybody=field)
    returns, refused = _returns(files, wanted, chosen)
    if not counted_log.names:
        only_with_board = {
            "--same": same,
            "--since": since,
            "--until": until,
            "--stake": stakes,
            "--where": conditions,
            "--hands": listed,
            "--by": by,
            "--show field": field,
            "--bankroll": bankroll is not None,
            "--out": out,
        }
        tell = partial(show_tournaments, files, returns, refused, out, skips)
        tell_boardless = partial(show_boardless_statistics, files, players, game, only_with_board)
        (tell_boardless if _is_without_board(files, game, skips) else tell)(as_json=as_json)
        return
    _check_chosen(counted_log, wanted)
    whose = assessment.player_statistics.Definitions(definitions)
    choice = partial(_choice, replace(wanted, players=(), same=None), whose)
    statistics = assessment.counted_log.statistics_of_log(
        counted_log.of_people(wanted.players or counted_log.sizes),
        log,
        choice=choice,
        by=chosen,
        columns=assessment.player_statistics.LISTED if listed else (),
    )
    _check_left(counted_log, statistics)
    integrity = statistics.integrity
    why = _withheld(integrity, _only(players), wanted)
    by_outcome = _is_by_outcome(wanted)
    differences = _field(counted_log, choice, wanted.players[0]) if field else ()
    is_alone = len(files) == 1 and not Path(files[0]).is_dir()
    place_at = partial(places.place_at, files[0]) if is_alone else None
    document = partial(
        report.statistics_document,
        statistics,
        lambda name: choice(counted_log.rows_by([name])),
        returns,
        bankroll=bankroll,
        field=differences,
        cards=counted_log.cards,
        spots=wanted.spots,
        note=whose.words,
        place_at=place_at,
    )  # whose charts take a second
    if out is not None:
        _write(out, statistics, by, document)
    skips.show(wanted.players)
    say_refused(refused)
    if as_json:
        is_told = chosen is None and not by_outcome
        player_objects = _object(
            statistics,
            lucks=statistics.lucks if is_told else {},
            divided=chosen is not None,
            bankroll=bankroll,
            withheld=why,
        )
        print_json(
            {
                "files": list(files),
                "skipped": skips.counts,
                **whose.as_json(),
                "integrity": integrity.as_json(_only(players)) | {"verdict_withheld": why},
                **_chosen_json(statistics, wanted, listed=listed),
                "players": player_objects,
                **tournaments_json(returns, refused),
                **_told(differences, withheld=why is not None),
            }
        )
        return
    if listed:
        print_document(report.hands_document(statistics.columns, place_at))
    if chosen is None:
        print_document(page := document())
        lead = page.lead
    else:
        print_document(report.divided_document(statistics.divided, chosen))
        lead = _left_out(statistics, chosen)
    if not by_outcome:
        output.print(_integrity_words(integrity, _only(players), chosen, lead))
    if out is not None:
        output.print(f"written: {out}", soft_wrap=True)


def _write(
    out: Path,
    statistics: assessment.counted_log.LogStatistics,
    by: str | None,
    document: Callable[[], report.Document],
) -> None:
    """Write what is said of players as the file's ending says."""
    if out.suffix.lower() == ".csv":
        replace_files({out: _csv(statistics.divided, by).encode()})
    else:
        report.html_page.write(document(), out)


def _is_without_board(files: Sequence[str], game: str | None, skips: SkipList) -> bool:
    """Return whether the other game that was left out has no board, and so other statistics."""
    variant = other_game_of(files, game) if is_of_other_games(files, skips) else None
    return variant is not None and assessment.boardless_statistics.is_boardless(variant)


def _read(
    files: Sequence[str],
    game: str | None,
    wanted: assessment.player_statistics.Filter,
    places: HandPlaces,
    *,
    everybody: bool,
) -> tuple[assessment.counted_log.CountedLog, assessment.Log, SkipList]:
    """Read all hands as rows, with the log's account; those of the players alone are kept.

    With ``everybody`` the rows of all are kept, to compare the players with. Where no hand is of
    hold'em, those of the first other game are read, their betting alone.
    """
    read_variant = partial(_read_variant, files, game, wanted, places, everybody)
    counted_log, _, skips = read = read_variant(cards.HOLDEM)
    if not counted_log.names and is_of_other_games(files, skips):
        variant = other_game_of(files, game)
        if variant is not None and not assessment.boardless_statistics.is_boardless(variant):
            errors.print(f"hands of {variant.title}, whose betting and results count, no cards")
            return read_variant(variant)
    return read


def _read_variant(
    files: Sequence[str],
    game: str | None,
    wanted: assessment.player_statistics.Filter,
    places: HandPlaces,
    everybody: bool,
    variant: cards.Variant,
) -> tuple[assessment.counted_log.CountedLog, assessment.Log, SkipList]:
    merged = wanted.same or {}
    players = () if everybody else wanted.players
    log = assessment.Log(merged)
    is_chosen = partial(assessment.player_statistics.is_chosen, wanted=wanted)
    skips = SkipList(log, is_chosen=is_chosen)
    archive = _only_archive(files, game) if variant is cards.HOLDEM else None
    if archive is None or not assessment.counted_archive.is_counted(archive):
        histories.check_players({*merged, *wanted.players} - set(merged.values()), files)
    if archive is not None:
        with progress() as notify:
            counted_log, log.signs, skipped = assessment.counted_archive.counted_archive(
                archive, players=players, same=merged, apart=True, progress=notify
            )
        for skip in skipped:
            skips.add(skip)
        return counted_log, log, skips
    selector = histories.columns.with_blinds
    with progress() as notify:
        batches = batches_of_files(
            files,
            game,
            log,
            skips,
            notify,
            selector=selector,
            variant=variant,
            places=places,
        )
        counted_log = assessment.counted_log.counted_log(batches, players=players, same=merged)
    return counted_log, log, skips


def _only_archive(files: Sequence[str], game: str | None) -> str | None:
    """Return the archive that is all there is to read, as it is; None for anything else."""
    is_one = len(files) == 1 and game is None and histories.archive.is_archive(files[0])
    return files[0] if is_one else None


def _is_by_outcome(wanted: assessment.player_statistics.Filter) -> bool:
    """Return whether what happened in hands chose them, so that they are no fair sample."""
    return wanted.spots is not None and not wanted.spots.beforehand


def _withheld(
    integrity: assessment.Integrity,
    player: str | None,
    wanted: assessment.player_statistics.Filter,
) -> str | None:
    """Say why there is no verdict; None if there is one."""
    if _is_by_outcome(wanted):
        return assessment.spot_language.BY_OUTCOME
    return integrity.withheld(player, display=display_name)


def _chosen_json(
    statistics: assessment.counted_log.LogStatistics,
    wanted: assessment.player_statistics.Filter,
    *,
    listed: bool,
) -> dict[str, object]:
    """Return the condition on the hands, and the hands, where they were asked for."""
    result: dict[str, object] = {}
    if wanted.spots is not None:
        result["where"] = list(wanted.spots.texts)
    if listed:
        result["hands"] = assessment.player_statistics.hands_of(statistics.columns).to_dicts()
    return result


def _left_out(
    statistics: assessment.counted_log.LogStatistics, chosen: assessment.player_statistics.By
) -> str:
    """Say how many rows have no key; the lead of a table by key is empty."""
    keyed = sum(part.hands for of in statistics.divided.values() for part in of.values())
    if left := statistics.rows - keyed:
        what = "cards that were not shown" if chosen.value == "hand" else "no time"
        output.print(f"left out: {counted(left, 'row')} of a hand and seat with {what}")
    return ""


def _integrity_words(
    integrity: assessment.Integrity,
    player: str | None,
    chosen: assessment.player_statistics.By | None,
    lead: str,
) -> str:
    """Say what the checks found."""
    if chosen is None:
        return integrity.words(player, display=display_name, lead=lead)
    return integrity.sentences(player, display=display_name)


def _check(
    files: Sequence[str],
    by: str | None,
    bankroll: float | None,
    out: Path | None,
    *,
    force: bool,
) -> None:
    """Refuse options that do not go together, and files that are not there or in the way."""
    if bankroll is not None and by:
        raise BadInput("--bankroll and --by; allowed: one of them")
    check_bankroll(bankroll)
    check_inputs(files)
    if out is not None:
        check_output(out, inputs=files, force=force)
        check_ending(out, [".csv", ".html", ".md"])


def _check_field(players: Sequence[str], *, divided: bool) -> None:
    """Refuse a comparison of nobody or several, or of parts of a player."""
    if divided:
        raise BadInput("--show field and --by; allowed: one of them")
    if len(players) != 1:
        raise BadInput(f"--show field with {len(players)} --player; allowed: one")


def _field(
    counted_log: assessment.counted_log.CountedLog,
    choice: Callable[[pl.DataFrame], pl.DataFrame],
    player: str,
) -> Sequence[assessment.FieldDifference]:
    """Compare the player with all others, of the hands that the other options choose."""
    compared = assessment.player_statistics.COMPARED
    return assessment.field_differences(counted_log.columns(compared, choice), player)


def _told(
    differences: Sequence[assessment.FieldDifference], *, withheld: bool
) -> dict[str, list[dict[str, object]]]:
    """Return what is told of the field, if it was asked for."""
    difference_objects = [difference.as_json(withheld=withheld) for difference in differences]
    return {"field": difference_objects} if difference_objects else {}


def _only(players: Sequence[str]) -> str | None:
    """Return the player who is asked for, if it is one."""
    return players[0] if len(players) == 1 else None


_ByPlayer = Mapping[str, Mapping[str, "assessment.PlayerStatistics"]]


def _returns(
    files: Sequence[str],
    wanted: assessment.player_statistics.Filter,
    by: assessment.player_statistics.By | None,
) -> tuple[Returns, list[tuple[str, str]]]:
    """Read the entries in tournaments of the players that are shown, and what is left out of them.

    None of a part of the hands: finishes have neither a stake nor a position.
    """
    if any((wanted.since, wanted.until, wanted.stakes, wanted.spots, by)):
        return {}, []
    return tournament_returns(files, wanted.players, wanted.same or {})


def _filter(
    players: Sequence[str],
    same: Sequence[str],
    since: str,
    until: str,
    stakes: Sequence[str],
    conditions: Sequence[str],
) -> assessment.player_statistics.Filter:
    """Read the options. Raises `BadInput` for one that does not read."""
    for date in filter(None, (since, until)):
        assessment.player_statistics.moment(date)
    return assessment.player_statistics.Filter(
        players=tuple(players),
        same=same_names(same),
        since=since,
        until=until,
        stakes=tuple(stakes),
        spots=assessment.spot_language.spots_from(conditions),
    )


def _check_chosen(
    counted_log: assessment.counted_log.CountedLog, wanted: assessment.player_statistics.Filter
) -> None:
    """Raise for a name or a stake that is not there."""
    for name in wanted.same or {}:
        if name not in counted_log.names:
            raise absent_player(name, counted_log.names, where="these hands")
    people = {counted_log.same.get(name, name) for name in counted_log.names}
    for player in wanted.players:
        if player not in people:
            raise absent_player(player, people, where="these hands")
    for stake in wanted.stakes:
        if stake not in counted_log.stakes:
            raise NothingUsable(str(unknown_name("stake", stake, counted_log.stakes)))


def _check_left(
    counted_log: assessment.counted_log.CountedLog, statistics: assessment.counted_log.LogStatistics
) -> None:
    """Raise if nothing counts."""
    if not statistics.rows:
        rows = counted(counted_log.seats, "row")
        raise NothingUsable(f"none of {rows} of a hand and seat is left to count")


def _choice(
    wanted: assessment.player_statistics.Filter,
    whose: assessment.player_statistics.Definitions,
    rows: pl.DataFrame,
) -> pl.DataFrame:
    """Keep what counts of some players' rows, as it is counted."""
    chosen = assessment.player_statistics.chosen_rows(rows, wanted)
    return assessment.player_statistics.counted_by(whose, chosen)


def _object(
    statistics: assessment.counted_log.LogStatistics,
    *,
    lucks: Mapping[str, assessment.PlayerLuck],
    divided: bool,
    bankroll: float | None,
    withheld: str | None,
) -> dict[str, object]:
    if divided:
        return {
            name: {key: part.as_json() for key, part in of.items()}
            for name, of in statistics.divided.items()
        }

    def bankroll_of(of: assessment.PlayerStatistics) -> dict[str, object]:
        if bankroll is None:
            return {}
        figures = assessment.player_statistics.bankroll_of_player(of, bankroll)
        return {"bankroll": None if figures is None or withheld else figures.as_json(per=100)}

    rates = statistics.rates
    return {
        name: {
            **of.as_json(),
            "luck": None if name not in lucks else lucks[name].as_json(),
            "style": statistics.styles[name].as_json(),
            "hourly": None if name not in rates else rates[name].as_json(),
            **bankroll_of(of),
        }
        for name, of in statistics.players.items()
    }


def _csv(by_player: _ByPlayer, by: str | None) -> str:
    """One row for each player, or player and key; a share with its count of chances."""
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for name, parts in by_player.items():
        for key, of in parts.items():
            row: dict[str, object] = {"player": name}
            if key:
                row[by or "position"] = key
            row["hands"] = of.hands
            for label, won in of.winnings.items():
                row |= {label: won.value, f"{label}_stderr": won.stderr}
            for statistic, share in of.shares.items():
                row |= {
                    statistic.key: share.value if share.n else "",
                    f"{statistic.key}_n": share.n,
                }
            row["aggression"] = "" if math.isnan(of.aggression) else of.aggression
            currency, money = next(iter(of.money.items()), ("", ""))
            row |= {"money": money, "currency": currency, "unknown_all_ins": of.unknown_all_ins}
            row |= {"straddled": of.straddled, "all_ins": of.all_ins}
            row |= {"adjusted_all_ins": of.adjusted_all_ins}
            if writer is None:
                writer = csv.DictWriter(text, row.keys(), lineterminator="\n")
                writer.writeheader()
            writer.writerow(row)
    return text.getvalue()
