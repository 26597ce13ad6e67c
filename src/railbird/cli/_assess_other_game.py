"""``railbird assess`` of a log of another game than hold'em."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from railbird import assessment, histories
from railbird.cli._assess import Printer, Wanted
from railbird.cli._console import errors, output, print_json, print_table
from railbird.cli._hand_files import SkipList, reasons
from railbird.errors import BadInput, NothingUsable, absent_player
from railbird.report.document import Table
from railbird.report.number_format import (
    counted,
    decimals_for,
    display_name,
    interval_of,
    signed,
    times,
)

if TYPE_CHECKING:
    from railbird.progress import Progress

_TITLES = {"money": "money", "allin": "all-in equity", "fitted": "fitted"}


def other_game_result(
    wanted: Wanted, game: str | None, notify: Progress, *, without: Mapping[str, object]
) -> Printer:
    """Assess the hands of another game; return the function that prints the result.

    ``without`` are options of hold'em alone. Raises `BadInput` if one of them is given, or if the
    player who is asked for is in none of the hands.
    """
    assessed = assessment.assess_other_game(
        (
            hand
            for file in wanted.files
            for hand in histories.read(file, game=game, variants=True, progress=notify)
        ),
        forward=wanted.forward,
        progress=notify,
    )
    only_holdem = {
        "--out": wanted.out or wanted.table,
        "--estimators": wanted.estimators,
        "--known": wanted.known,
        "--show anytime": wanted.anytime,
        "--record": wanted.record,
        "--on": wanted.on,
        **without,
    }
    if assessed.hands:
        _check(assessed, wanted.player, [option for option, value in only_holdem.items() if value])

    def tell(skips: SkipList, *, as_json: bool) -> None:
        if as_json:
            print_json({"files": list(wanted.files), **assessed.as_json()})
        if not assessed.hands:
            if not as_json:
                skips.show()
            raise NothingUsable(f"no hand could be assessed: {reasons(skips.counts)}")
        if not as_json:
            _print(assessed, assessed.players if wanted.player is None else (wanted.player,))

    return tell


def _check(
    assessed: assessment.OtherGameAssessment, player: str | None, given: Sequence[str]
) -> None:
    if given:
        raise BadInput(
            f"{given[0]} in {assessed.variant.title}; allowed: --player, --forward and --json"
        )
    if player is not None and player not in assessed.players:
        raise absent_player(player, assessed.players, where="this log")


def _print(assessed: assessment.OtherGameAssessment, players: Sequence[str]) -> None:
    if assessed.skipped:
        errors.print(f"skipped: {reasons(assessed.skipped)}")
    print_table(_table(assessed, players))
    output.print(f"{_TITLES[assessed.headline].capitalize()} decides: {assessed.reason}.")
    for player in players:
        low, high = assessed.estimates[player][assessed.headline].interval()
        if low > 0 or high < 0:
            words = "wins" if low > 0 else "loses"
            output.print(f"{display_name(player)} {words} beyond what luck explains.")


def _table(assessed: assessment.OtherGameAssessment, players: Sequence[str]) -> Table:
    rows = []
    for player in players:
        for name in assessed.usable:
            mean = assessed.estimates[player][name]
            decimals = decimals_for(mean.stderr)
            reduction = assessed.variance_reduction.get(name)
            rows.append(
                (
                    display_name(player),
                    _TITLES[name],
                    signed(mean.value, decimals),
                    interval_of(mean, decimals),
                    "" if reduction is None else f"{times(reduction)} times less",
                )
            )
    title = f"{counted(assessed.hands)} of {assessed.betting.value} {assessed.variant.title}"
    heads = ("player", "by", f"{assessed.unit} a hand", "95 % interval", "variance")
    return Table(heads, rows, title=title, names=2)
