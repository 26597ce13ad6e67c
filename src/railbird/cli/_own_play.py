"""What ``report`` and ``rate`` share: whose play it is, and what solves spots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

import click

from railbird import assessment, game, histories
from railbird.cli._completion import OneOf
from railbird.cli._hand_files import HandPlaces, SkipList, reasons, records_of_files
from railbird.errors import NothingUsable
from railbird.progress import Progress

_NAMED: Final = 5
_STREETS: Final = ("flop", "turn", "river", "none")
_Command = TypeVar("_Command", bound=Callable[..., Any])
OwnHands = Iterator["histories.HandRecord | histories.HandBatch | histories.Skipped"]

_options: Final = (
    click.option(
        "--player",
        metavar="NAME",
        help="Whose play, by the name in the log; by default the owner of the log.",
    ),
    click.option(
        "--solve",
        "first",
        type=OneOf(_STREETS),
        default="river",
        help="First street on which decisions between two players are judged by solving the "
        "rest of the hand, in no-limit: half a second for each on the river, a minute or "
        "so for each on the flop. Solutions are kept, so the same command continues where "
        "it was stopped.",
    ),
    click.option(
        "--where",
        "conditions",
        multiple=True,
        metavar="SPOT",
        help="Only hands like this, as in stats: 3bet pot, in position, faced turn bet; if "
        "repeated, hands that fit any.",
    ),
)


def own_play_options(command: _Command) -> _Command:
    """Add ``--player``, ``--solve`` (as ``first``) and ``--where`` (as ``conditions``)."""
    for option in reversed(_options):
        command = option(command)
    return command


def spots_solved_from(first: str) -> assessment.SpotValues | None:
    """Return what solves spots from a street on, and keeps them."""
    if first == "none":
        return None
    from railbird._paths import cache_folder

    return assessment.SpotValues(
        folder=cache_folder() / "decisions", first=game.Street[first.upper()]
    )


def own_hands(
    files: Sequence[str],
    player: str | None,
    game: str | None,
    skips: SkipList,
    notify: Progress,
    places: HandPlaces | None = None,
) -> tuple[str, OwnHands]:
    """Return whose play it is, and the log. Raises `NothingUsable` where neither side says it."""
    hands = records_of_files(files, game, skips, notify, places=places)
    if player is not None:
        return player, hands
    name, names, again = assessment.own_play.owner_of(hands)
    if name is None:
        raise nobody_named(list(names), skips.counts)
    return name, again


def nobody_named(names: Sequence[str], skipped: Mapping[str, int]) -> NothingUsable:
    """Return the error of a log that does not say whose it is: ask for a player, or say why not."""
    if not names:
        return NothingUsable(f"no hand could be read: {reasons(skipped)}")
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return NothingUsable(
        f"whose play is it? name one by --player: {', '.join(names[:_NAMED])}{more}"
    )
