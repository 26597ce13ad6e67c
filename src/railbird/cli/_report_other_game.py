"""``railbird report`` of a log of another game than hold'em."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from railbird import assessment, histories, report
from railbird.cli._console import errors, output, print_document, print_json, progress
from railbird.cli._hand_files import HandPlaces, reasons
from railbird.cli._own_play import nobody_named
from railbird.errors import BadInput, NothingUsable, absent_player

if TYPE_CHECKING:
    from railbird.histories import HandRecord


def report_other_game(
    files: Sequence[str],
    player: str | None,
    game: str | None,
    out: Path | None,
    *,
    holdem_options: Mapping[str, object],
    as_json: bool,
) -> None:
    """Report on one person's hands of the first game in files that is not hold'em.

    ``holdem_options`` are for hold'em alone. Raises `BadInput` if one of them is given or nobody is
    named, and `NothingUsable` if there is no hand of such a game.
    """
    extremes, places = _Extremes(player), HandPlaces()
    with progress() as notify:
        hands = (
            hand
            for file in files
            for hand in places.noted(
                file, histories.read(file, game=game, variants=True, progress=notify)
            )
        )
        assessed = assessment.assess_other_game(hands, notice=extremes.notice, progress=notify)
    if not assessed.hands:
        raise NothingUsable(f"no hand could be read: {reasons(assessed.skipped)}")
    title = assessed.variant.title
    for option, value in holdem_options.items():
        if value:
            raise BadInput(f"{option} in {title}; allowed: --player, --out and --json")
    if player is None:
        raise nobody_named(assessed.players, assessed.skipped)
    if player not in assessed.players:
        raise absent_player(player, assessed.players, where="this log")
    document = report.other_game_document(assessed, player, extremes.records, places.name)
    if out is not None:
        report.html_page.write(document, out)
    if as_json:
        written = None if out is None else str(out)
        luck = report.luck_in_other_game(assessed, player)
        of_luck = None if luck is None else luck.as_json()
        print_json({"player": player, **assessed.as_json(), "luck": of_luck, "report": written})
        return
    if assessed.skipped:
        errors.print(f"skipped: {reasons(assessed.skipped)}")
    print_document(document)
    if out is not None:
        output.print(f"report: {out}", soft_wrap=True)


class _Extremes:
    """The hands of which a report shows some: in which a player lost most, and won most."""

    def __init__(self, player: str | None) -> None:
        self.records: dict[int, HandRecord] = {}
        """By row."""
        self._player = player

    def notice(self, row: int, record: HandRecord) -> None:
        """Keep a hand as long as it is one of them."""
        if self._player not in record.players:
            return
        self.records[row] = record
        listed = report.LISTED
        if len(self.records) > 4 * listed:
            order = sorted(self.records, key=lambda row: (self._won(row), row))
            for row in order[listed:-listed]:
                del self.records[row]

    def _won(self, row: int) -> float:
        record = self.records[row]
        chips = record.payoffs[record.players.index(self._player)]
        return float(chips / record.rules.chips_per_unit)
