"""``railbird assess`` of a heads-up limit match, by exact tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from railbird.cli._assess_options import Tell, Wanted, chosen_estimators
from railbird.cli._console import output, print_json
from railbird.cli._skipped_hands import SkipList, reasons
from railbird.errors import BadInput, NothingUsable

if TYPE_CHECKING:
    from railbird.assessment import Assessment
    from railbird.assessment.aivat.estimator import Aivat
    from railbird.histories import HandRecord, Skipped
    from railbird.histories.columns import HandBatch
    from railbird.progress import Progress


def match_of(
    wanted: Wanted, hands: Iterator[HandRecord | HandBatch | Skipped], report: Progress
) -> Tell:
    """Assess a match, write the requested files; return the function that prints it."""
    from railbird.assessment import Form, assess, estimators_of
    from railbird.assessment.anytime import anytime_intervals
    from railbird.assessment.change_of_play import course_of_match

    shown, more = None, aivat_of(wanted.known, wanted.model, wanted.estimators)
    if wanted.estimators is not None:
        known = [estimator.name for estimator in (*estimators_of(Form.MATCH), *more)]
        shown = chosen_estimators(wanted.estimators, known)
    assessment = assess(
        hands,
        settings=wanted.settings,
        player=wanted.player,
        forward=wanted.forward,
        more=more,
        threads=wanted.workers,
        on=wanted.on,
        progress=report,
    )
    anytime = anytime_intervals(assessment, shown) if wanted.anytime else None
    page = None
    if assessment.hands:
        page = _write(assessment, wanted, shown)

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            print_json(
                {
                    "files": list(wanted.files),
                    **assessment.as_json(shown),
                    "change_of_play": course_of_match(assessment),
                    **({} if anytime is None else {"anytime": [row.as_json() for row in anytime]}),
                    "report": None if page is None else str(page),
                }
            )
        if not assessment.hands:
            raise NothingUsable(f"no hand could be assessed: {reasons(assessment.skipped)}")
        if as_json:
            return
        skips.show()
        from railbird.report import text
        from railbird.report.match.terminal import anytime_table

        output.print(text(assessment, estimators=shown))
        if anytime is not None:
            output.print(anytime_table(anytime, assessment.players[0]))
        for label, written in (("report", page), ("table", wanted.table)):
            if written is not None:
                output.print(f"{label}: {written}")

    return tell


def aivat_of(
    known: Mapping[str, str], model: str | None, estimators: str | None = None
) -> list[Aivat]:
    """Return the forms of AIVAT that are asked for, by default one, if any player is known.

    Raises `BadInput` for AIVAT without a known player, and for one that tells no probabilities.
    """
    from railbird.assessment.aivat.settings import DEFAULT, NAMES

    asked = [name.strip() for name in ("" if estimators is None else estimators).split(",")]
    chosen = [exact for exact, name in NAMES.items() if name in asked]
    if not known:
        if model is not None:
            raise BadInput(f"--model {model} with no player known; allowed: with --known")
        if chosen:
            raise BadInput(
                f"{NAMES[chosen[0]]} with no player known; allowed: with --known NAME=SPEC"
            )
        return []
    from railbird.assessment.aivat.estimator import Aivat

    return [Aivat(known=known, model=model, exact=exact) for exact in chosen or [DEFAULT]]


def _write(assessment: Assessment, wanted: Wanted, shown: Sequence[str] | None) -> Path | None:
    """Write the report and the table that are asked for; return where the report is."""
    page = None
    if wanted.out is not None:
        from railbird.report import Image, write

        page = write(assessment, wanted.out, images=[Image(image) for image in wanted.images])
    if wanted.table is not None:
        _write_table(assessment, wanted.table, shown)
    return page


def _write_table(assessment: Assessment, path: Path, shown: Sequence[str] | None) -> None:
    from railbird._files import replace_files
    from railbird.report.toolkit.paper_table import paper_table
    from railbird.report.toolkit.rake_text import rake_of_match
    from railbird.report.toolkit.result_rows import match_rows

    rows = match_rows(assessment, shown)
    note = rake_of_match(assessment.raked.items(), assessment.unit)
    table = paper_table(rows, path.suffix, note=note)
    replace_files({path: table.encode()})
