"""``railbird stats`` of a log of a game without a board: stud, razz and draw games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from railbird import assessment, histories
from railbird.cli._console import errors, output, print_json, print_table, progress
from railbird.cli._hand_files import reasons
from railbird.errors import BadInput, absent_player
from railbird.report.document import Table
from railbird.report.number_format import (
    counted,
    decimals_for,
    display_name,
    interval_of,
    percent,
    signed,
)

_TITLES = {
    "vpip": "VPIP",
    "completed": "completed",
    "steal": "steals",
    "fourth": "on fourth",
    "aggression": "aggression",
    "raised": "raised",
    "drew": "drew",
    "pat": "pat",
    "one": "one card",
    "many": "three or more",
    "wtsd": "WTSD",
    "wsd": "W$SD",
}


def show_boardless_statistics(
    files: Sequence[str],
    players: Sequence[str],
    game: str | None,
    without: Mapping[str, object],
    *,
    as_json: bool,
) -> None:
    """Print how everybody plays, or some players.

    ``without`` are options of games with a board alone. Raises `BadInput` if one of them is given,
    or for a player who is in none of the hands.
    """
    with progress() as notify:
        hands = (
            hand
            for file in files
            for hand in histories.read(file, game=game, variants=True, progress=notify)
        )
        counted_hands = assessment.statistics_without_board(hands, progress=notify)
    for option, value in without.items():
        if value:
            raise BadInput(
                f"{option} in {counted_hands.variant.title}; allowed: --player and --json"
            )
    for player in players:
        if player not in counted_hands.hands:
            raise absent_player(player, tuple(counted_hands.hands), where="this log")
    if as_json:
        document = counted_hands.as_json()
        chosen = {
            who: of for who, of in document["players"].items() if not players or who in players
        }
        print_json({"files": list(files), **document, "players": chosen})
        return
    if counted_hands.skipped:
        errors.print(f"skipped: {reasons(counted_hands.skipped)}")
    print_table(_table(counted_hands, players or list(counted_hands.hands)))
    for key, words in counted_hands.definitions.items():
        output.print(f"{_TITLES[key]}: {words}.", soft_wrap=True)


def _table(counted_hands: assessment.BoardlessStatistics, players: Sequence[str]) -> Table:
    rows = []
    for player in players:
        shares, won = counted_hands.shares[player], counted_hands.won[player]
        decimals = decimals_for(won.stderr)
        rows.append(
            (
                display_name(player),
                f"{counted_hands.hands[player]:,}",
                *(percent(share.value, 0) if share.n else "" for share in shares.values()),
                signed(won.value, decimals),
                interval_of(won, decimals),
            )
        )
    title = (
        f"{counted(max(counted_hands.hands.values()))} of {counted_hands.betting.value} "
        f"{counted_hands.variant.title}"
    )
    heads = (
        "player",
        "hands",
        *(_TITLES[key] for key in counted_hands.definitions),
        f"{counted_hands.unit} a hand",
        "95 % interval",
    )
    return Table(heads, rows, title=title)
