"""What is drawn: lines of the log, and seats."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from railbird.protocol.messages.game import Presence, TableInfo


class Tone(Enum):
    """Kind of a line of the log."""

    PLAIN = "plain"
    HAND = "hand"
    BOARD = "board"
    MINE = "mine"
    NOTICE = "notice"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log, without any markup."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatShown:
    """A seat, as it is drawn."""

    name: str
    stack: int
    bet: int
    cards: tuple[str, ...] | None
    """None where they are hidden or thrown away; see ``holds_cards``."""
    holds_cards: bool
    is_me: bool
    is_to_act: bool
    is_button: bool
    folded: bool
    all_in: bool
    doing: str
    """The last action, the blind, or what was won."""
    absence: str
    """Empty, or: away, frozen, sitting out."""
    won: bool = False


def absence_words(presence: Presence) -> str:
    """Return why nobody plays a seat; nothing where somebody does."""
    return "" if presence is Presence.HERE else presence.value.replace("_", " ")


def seated_before_hand(table: TableInfo, me: str | None) -> list[SeatShown]:
    """Return whoever sits at a table between hands, mine first, clockwise."""
    players = sorted(table.players, key=lambda player: player.chair)
    mine = next((n for n, player in enumerate(players) if player.name == me), 0)
    return [
        SeatShown(
            name=player.name,
            stack=player.stack,
            bet=0,
            cards=None,
            holds_cards=False,
            is_me=player.name == me,
            is_to_act=False,
            is_button=False,
            folded=False,
            all_in=False,
            doing="",
            absence=absence_words(player.presence),
        )
        for player in [*players[mine:], *players[:mine]]
    ]
