"""What summaries and hands tell of entries in tournaments, as `stats` and `report` show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from railbird import assessment, histories, report
from railbird.cli._console import errors, output, print_document, print_json
from railbird.cli._hand_files import SkipList, check_ending, reasons
from railbird.errors import NothingUsable

Returns = Mapping[str, Mapping[str, "assessment.TournamentReturn"]]
"""By player and currency."""


def tournament_returns(
    files: Sequence[str], players: Sequence[str], same: Mapping[str, str]
) -> tuple[Returns, list[tuple[str, str]]]:
    """Read the entries of ``players``, by default of all, and which summaries are left out.

    None from standard input, which has been read.
    """
    if "-" in files:
        return {}, []
    results = histories.tournament_entries.results_of(files, players)
    returns = assessment.returns_of(results.entries, same)
    return {name: of for name, of in returns.items() if not players or name in players}, (
        results.refused
    )


def show_tournaments(
    files: Sequence[str],
    returns: Returns,
    refused: Sequence[tuple[str, str]],
    out: Path | None,
    skips: SkipList,
    *,
    as_json: bool,
) -> None:
    """Show what summaries tell, where there are no hands. Raises `NothingUsable` for nothing."""
    if not returns:
        skips.show()
        if refused and not skips.counts + skips.beside:
            raise NothingUsable(report.refused_summaries_words(refused))
        raise NothingUsable(f"no hand could be read: {reasons(skips.counts + skips.beside)}")
    document = report.tournaments_document(returns, refused)
    if out is not None:
        check_ending(out, [".html", ".md"])
        report.html_page.write(document, out)
    if as_json:
        print_json({"files": list(files), **tournaments_json(returns, refused)})
        return
    print_document(document)
    if out is not None:
        output.print(f"written: {out}", soft_wrap=True)


def say_refused(refused: Sequence[tuple[str, str]]) -> None:
    """Say which summaries of tournaments count for nothing."""
    if refused:
        errors.print(report.refused_summaries_words(refused), soft_wrap=True)


def tournaments_json(returns: Returns, refused: Sequence[tuple[str, str]]) -> dict[str, object]:
    by_name = {
        name: {currency: of_currency.as_json() for currency, of_currency in of.items()}
        for name, of in returns.items()
    }
    if not refused:
        return {"tournaments": by_name}
    listed = [{"file": file, "reason": reason} for file, reason in refused]
    return {"tournaments": by_name, "summaries_left_out": listed}
