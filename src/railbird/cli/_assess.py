"""Options of an assessment, and the output of its results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from railbird import assessment, baseline, histories, players, report, tournament
from railbird._files import replace_files
from railbird.cli._assess_league import tell_errors
from railbird.cli._console import output, print_document, print_json, print_table, progress
from railbird.cli._hand_files import (
    SkipList,
    check_ending,
    check_inputs,
    check_output,
    errors_in_files,
    reasons,
    records_of_files,
)
from railbird.cli._model_usage import tell_usage, usage_json, usage_of
from railbird.cli._play import entry_of
from railbird.errors import BadInput, NothingUsable, absent_player, unknown_name
from railbird.report.document import Table
from railbird.report.number_format import decimals_for, display_name, interval_of, signed, times

if TYPE_CHECKING:
    from railbird.progress import Progress


class Printer(Protocol):
    """Prints the result of an assessment."""

    def __call__(self, skips: SkipList, *, as_json: bool) -> None:
        """Print the result, after the skipped hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The options of ``railbird assess`` common to all games."""

    files: Sequence[str]
    settings: Sequence[baseline.BaselineSettings]
    player: str | None
    estimators: str | None
    out: Path | None
    images: Sequence[str]
    table: Path | None
    forward: bool
    known: Mapping[str, str]
    """Specs of players by name, for AIVAT."""
    model: str | None
    """Spec by which it values unknown players."""
    anytime: bool
    record: Path | None
    """Record of the questions to models that played."""
    workers: int | None
    on: str | None


def check_known(known: Sequence[str], *, without: Mapping[str, object]) -> None:
    """Refuse options that ``--known`` goes without."""
    if known and (given := [name for name, value in without.items() if value]):
        raise BadInput(f"--known with {' and '.join(given)}; allowed: without")


def known_players(texts: Sequence[str]) -> dict[str, str]:
    """Parse ``NAME=SPEC``, or ``SPEC`` for a player of that name, in which ``=`` may occur as well.

    Raises `BadInput` for a spec that names no kind of player, or a player given twice.
    """
    if not texts:
        return {}

    def is_spec(text: str) -> bool:
        try:
            return players.parse_spec(text).name in players.REGISTRY
        except BadInput:
            return False

    specs_by_name: dict[str, str] = {}
    for text in texts:
        # A name may contain equals signs and so may a spec, so every cut is tried. The first whose
        # right side names a kind of player is meant.
        places = [place for place, letter in enumerate(text) if letter == "="]
        cuts = [(text[:place], text[place + 1 :]) for place in places]
        default_cut = (text, text) if is_spec(text) or not cuts else cuts[0]
        name, spec = next((cut for cut in cuts if is_spec(cut[1])), default_cut)
        players.registry.check_names([spec])
        if specs_by_name.setdefault(name, spec) != spec:
            raise BadInput(f"--known {name}: two strategies; allowed: one")
    return specs_by_name


def print_written(page: Path | str | None, table: Path | None) -> None:
    """Say which files were written."""
    for label, written in (("report", page), ("table", table)):
        if written is not None:
            output.print(f"{label}: {written}", soft_wrap=True)


def paper_table_of(
    evaluation: assessment.Assessment[Any], wanted: Wanted, estimator_names: Collection[str] | None
) -> dict[Path, bytes]:
    """Lay results out as a table for a paper; return what to write where, if it is asked for."""
    if wanted.table is None:
        return {}

    names = report.usual_estimators(evaluation) if estimator_names is None else estimator_names
    rows = report.result_rows(evaluation, wanted.player, names)
    text = report.paper_table(
        rows, wanted.table.suffix, note=report.assessment_report.note(evaluation, names)
    )
    return {wanted.table: text.encode()}


def check_player_in_hands(player: str | None, evaluation: assessment.Assessment[Any]) -> None:
    """Refuse a player who is in none of the hands."""
    if player is not None and player not in evaluation.players and evaluation.hands:
        raise absent_player(player, evaluation.players, where="this log")


def chosen_estimators(estimators: str, known: Sequence[str]) -> Sequence[str]:
    """Parse a list of estimators. Raises `BadInput` for an unknown one."""
    wanted = [name.strip() for name in estimators.split(",")]
    if unknown := [name for name in wanted if name not in known]:
        raise unknown_name("estimator", unknown[0], known)
    return wanted


def aivat_of(
    known: Mapping[str, str],
    model: str | None,
    estimators: str | None = None,
    *,
    in_limit: bool = True,
) -> list[assessment.Aivat]:
    """Return the forms of AIVAT that are asked for, by default one, if any player is known.

    In no-limit there is one.

    Raises `BadInput` for AIVAT without a known player, and for one that tells no probabilities.
    """
    named = "" if estimators is None else estimators
    if not known and model is None and "aivat" not in named:
        return []  # before the solvers are loaded, which takes a quarter of a second
    from railbird.assessment.aivat.scorer import DEFAULT, NAMES

    asked = [name.strip() for name in named.split(",")]
    chosen = [exact for exact, name in NAMES.items() if name in asked]
    if not known:
        if model is not None:
            raise BadInput(f"--model {model} with no player known; allowed: with --known")
        if chosen:
            raise BadInput(
                f"{NAMES[chosen[0]]} with no player known; allowed: with --known NAME=SPEC"
            )
        return []
    if not in_limit:
        if other := [NAMES[exact] for exact in chosen if exact is not DEFAULT]:
            raise BadInput(f"{other[0]} in no-limit; allowed: {NAMES[DEFAULT]}")
        return [assessment.NoLimitAivat(known=known, model=model)]

    return [
        assessment.Aivat(known=known, model=model, exact=exact) for exact in chosen or [DEFAULT]
    ]


# ``railbird assess`` of one log: what it says, and the files that are asked for.


Assess = Callable[..., "assessment.Assessment[Any]"]


def assessing(wanted: Wanted, *, by_rounds: bool) -> tuple[Assess, Sequence[str]]:
    """Choose how hands are assessed: by exact tables of heads-up limit, or decision by decision.

    Returns the function and the names of the estimators that there are.
    """
    if not by_rounds:
        more = aivat_of(wanted.known, wanted.model, wanted.estimators, in_limit=False)
        names = [
            estimator.name
            for estimator in (*assessment.estimators_of(assessment.Contest.TABLE), *more)
        ]
        return partial(assessment.assess_table, more=more), names

    more = aivat_of(wanted.known, wanted.model, wanted.estimators)
    known = [estimator.name for estimator in assessment.estimators_beside(more)]
    return partial(assessment.assess, player=wanted.player, more=more), known


def result_of(
    wanted: Wanted,
    hands: Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped],
    notify: Progress,
    *,
    by_rounds: bool,
) -> Printer:
    """Assess the hands, write the requested files; return the function that prints the result."""
    usage = usage_of(wanted.record)
    assess, known = assessing(wanted, by_rounds=by_rounds)
    estimator_names: Sequence[str] | None = None
    if wanted.estimators is not None:
        estimator_names = chosen_estimators(wanted.estimators, known)
    evaluation = assess(
        hands,
        settings=wanted.settings,
        forward=wanted.forward,
        threads=wanted.workers,
        on=wanted.on,
        progress=notify,
    ).with_recorded(errors_in_files(wanted.files))
    check_player_in_hands(wanted.player, evaluation)
    _check_scored(evaluation, wanted.known)
    anytime = assessment.anytime_intervals(evaluation, estimator_names) if wanted.anytime else None
    page = _write(evaluation, wanted, estimator_names, notify) if evaluation.hands else None

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            print_json(
                {
                    "files": list(wanted.files),
                    **evaluation.as_json(estimator_names),
                    "change_of_play": evaluation.course(),
                    **({} if anytime is None else {"anytime": [row.as_json() for row in anytime]}),
                    "report": None if page is None else str(page),
                    **usage_json(usage),
                }
            )
        # Programs get the JSON object even where nothing could be assessed, since it says what was
        # skipped.
        if not evaluation.hands:
            raise NothingUsable(f"no hand could be assessed: {reasons(evaluation.skipped)}")
        if as_json:
            return
        skips.show()

        output.print(
            report.text(
                evaluation, estimators=estimator_names, player=wanted.player, listed=skips.counts
            )
        )
        tell_errors(evaluation.errors)
        tell_usage(usage)
        if anytime is not None:
            output.print(report.anytime_table(anytime, evaluation.players[0]))
        print_written(page, wanted.table)

    return tell


def _check_scored(evaluation: assessment.Assessment[Any], known: Mapping[str, str]) -> None:
    """Refuse known players in a game for which there is no AIVAT."""
    if (
        known
        and evaluation.hands
        and not any("aivat" in estimator.name for estimator in evaluation.estimators)
    ):
        raise BadInput(
            "--known in another game; allowed: heads-up limit, and heads-up no-limit with a small "
            "blind of half the big one and stacks for which there is a blueprint"
        )


def _write(
    evaluation: assessment.Assessment[Any],
    wanted: Wanted,
    estimator_names: Sequence[str] | None,
    notify: Progress,
) -> Path | None:
    """Write the page, the scores and the table, all or none; return the path of the page."""
    table = paper_table_of(evaluation, wanted, estimator_names)
    if wanted.out is None:
        replace_files(table)
        return None

    images = [report.Image(image) for image in wanted.images]
    return report.write(
        evaluation, wanted.out, player=wanted.player, images=images, beside=table, progress=notify
    )


# ``railbird assess --sweep``: the same hands under several settings of the baseline.


_ALL: Final = "all"
_SHOWN: Final = ("money", "divat", "fitted")
"""Estimators compared."""


def sweep_of(
    wanted: Wanted,
    text: str,
    pot: str,
    hands: Iterator[histories.HandRecord | histories.HandBatch | histories.Skipped],
    notify: Progress,
    *,
    by_rounds: bool,
) -> Printer:
    """Assess the same hands under each of the settings of ``text``, each with ``pot`` behind it."""
    assess, _ = assessing(wanted, by_rounds=by_rounds)
    chosen = _settings(text, pot)
    # The same hands are assessed several times, and what reads them can be gone through once only.
    hand_list = list(hands)
    rows: list[report.ResultRow] = []
    # What was skipped and what the house took depend on the hands alone.
    last: assessment.Assessment[Any] | None = None
    for done, settings in enumerate(chosen):
        notify(done, len(chosen), "settings")
        last = None  # let go of its tables
        last = assess(
            hand_list,
            settings=settings,
            forward=wanted.forward,
            threads=wanted.workers,
            on=wanted.on,
            progress=notify,
        )
        check_player_in_hands(wanted.player, last)
        rows += report.result_rows(last, wanted.player, _SHOWN)
    notify(len(chosen), len(chosen), "settings")
    assert last is not None, "there are settings"
    who = wanted.player or last.hero
    why = last.integrity.withheld(who, display=display_name)
    words = filter(
        None,
        (
            "" if why is None else report.no_verdict(why),
            report.assessment_report.note(last, _SHOWN),
        ),
    )
    note = " ".join(words)
    if rows and wanted.table is not None:
        table = report.paper_table(rows, wanted.table.suffix, note=note)
        replace_files({wanted.table: table.encode()})

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            print_json(
                {
                    "files": list(wanted.files),
                    "skipped": last.skipped,
                    "integrity": last.integrity.as_json(who),
                    f"raked_{last.unit}": last.raked,
                    "sweep": _object(rows),
                }
            )
        if not rows:
            raise NothingUsable(f"no hand could be assessed: {reasons(last.skipped)}")
        if as_json:
            return
        skips.show()
        _show(rows, wanted.player)
        if note:
            output.print(note)
        if wanted.table is not None:
            output.print(f"table: {wanted.table}")

    return tell


def _settings(text: str, pot: str) -> Sequence[baseline.BaselineSettings]:
    """Return settings separated by commas, or all named ones. Raises `BadInput` for others."""
    names = baseline.SETTINGS if text == _ALL else [name.strip() for name in text.split(",")]
    chosen = [baseline.parse_settings(name + pot) for name in names]
    # Two names may stand for the same settings, and the same row twice would look like two results.
    if text != _ALL and len(set(chosen)) < len(chosen):
        raise BadInput(f"--sweep {text}: the same settings twice")
    return chosen


def _object(rows: Sequence[report.ResultRow]) -> dict[str, dict[str, dict[str, object]]]:
    """Return ``sweep.SETTINGS.PLAYER.ESTIMATOR``."""
    by_settings: dict[str, dict[str, dict[str, object]]] = {}
    for row in rows:
        of = by_settings.setdefault(row.settings, {}).setdefault(row.player, {})
        of[row.estimator] = {
            **row.estimate.as_json(),
            "unit": row.unit,
            "variance_reduction": row.variance_reduction,
        }
    return by_settings


def _show(rows: Sequence[report.ResultRow], player: str | None) -> None:
    """Print a table for a player, by default the first: a row for each of the settings."""
    name = player or rows[0].player
    mine = [row for row in rows if row.player == name]
    titles = {row.estimator: row.title for row in mine}
    reduced = [key for key in titles if any(_reduced(row, key) is not None for row in mine)]
    rows_shown = []
    for settings in dict.fromkeys(row.settings for row in mine):
        by_estimator = {row.estimator: row for row in mine if row.settings == settings}
        cells = []
        for key in titles:
            estimate = by_estimator[key].estimate
            decimals = decimals_for(estimate.stderr)
            cells.append(f"{signed(estimate.value, decimals)} ({interval_of(estimate, decimals)})")
        cells += [times(_reduced(by_estimator[key], key)) for key in reduced]
        rows_shown.append((settings, *cells))
    heads = ("settings", *titles.values(), *(f"variance ÷ {titles[key]}" for key in reduced))
    title = f"{display_name(name)}, {mine[0].unit} a hand (95 % interval)"
    print_table(Table(heads, rows_shown, title=title))


def _reduced(row: report.ResultRow, estimator: str) -> float | None:
    return row.variance_reduction if row.estimator == estimator else None


# ``railbird assess --payouts``: tournaments by their prizes, and less the luck of all-ins.


def check_payouts(
    payouts: str | None, *, without: Sequence[object], settings: tuple[str, str | None]
) -> None:
    """Refuse options that do not go together; ``settings`` are those of the baseline."""
    if payouts is None:
        raise BadInput("--entry without --payouts; allowed: with the prizes that it pays for")
    if any(without) or settings != ("standard", None):
        raise BadInput(
            "--payouts goes with --entry, --game, --player, --estimators, --out and --json alone"
        )


def print_prizes(
    files: Sequence[str],
    game: str | None,
    payouts: str | None,
    entry: str | None,
    player: str | None,
    estimators: str | None,
    out: Path | None,
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Assess tournaments, print what came of it, and write the page that is asked for."""
    known = assessment.estimators_of(assessment.Contest.TOURNAMENT)
    estimator_names: Sequence[str] = [estimator.name for estimator in known if estimator.listed]
    if estimators is not None:
        estimator_names = chosen_estimators(estimators, [estimator.name for estimator in known])
    shares, fee = tournament.parse_payouts(payouts or ""), entry_of("1" if entry is None else entry)
    check_inputs(files)
    if out is not None:
        check_ending(out, report.html_page.PAGES)
        check_output(out, force=force)

    histories.check_players(() if player is None else (player,), files)
    skips = SkipList()
    with progress() as notify:
        evaluation = assessment.assess_tournaments(
            records_of_files(files, game, skips, notify), payouts=shares, entry=fee
        )
    if player is not None and evaluation.players and player not in evaluation.players:
        raise absent_player(player, evaluation.players, where="this log")
    if not evaluation.tournaments:
        if as_json:
            print_json({"files": list(files), **evaluation.as_json(), "report": None})
        why = evaluation.unfinished.why or reasons(skips.counts)
        raise NothingUsable(f"no tournament could be assessed: {why}")

    document = report.prize_document(evaluation, player, estimator_names)
    if out is not None:
        report.html_page.write(document, out)
    if as_json:
        page = None if out is None else str(out)
        print_json({"files": list(files), **evaluation.as_json(), "report": page})
        return
    skips.show()
    print_document(replace(document, lead=""), titled=False)  # the table says it as well
    print_written(out, None)
