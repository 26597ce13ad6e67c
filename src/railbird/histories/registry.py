"""Table of the formats of hand histories."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from railbird._arguments import checked
from railbird.errors import BadInput, unknown_name
from railbird.histories import (
    irc,
    kaggle,
    open_hand_history,
    phh,
    poker_academy_write,
    pokerstars_write,
)
from railbird.histories import irc as irc_write
from railbird.histories import open_hand_history as open_hand_history_write
from railbird.histories import phh as phh_write
from railbird.histories.acpc import log as acpc
from railbird.histories.acpc import log as acpc_write
from railbird.histories.acpc import transcript
from railbird.histories.format import Format, seated_in
from railbird.histories.one_line import read as read_lines
from railbird.histories.one_line import recognises as recognises_lines
from railbird.histories.one_line import write as write_lines
from railbird.histories.sites import (
    bovada,
    full_tilt,
    ggpoker,
    ipoker,
    pacific,
    partypoker,
    poker_academy,
    pokernow,
    pokerstars,
    rooms,
    winamax,
    winning,
    xml_rooms,
)

HEADS_UP_LIMIT: Final = "holdem.limit.2p.reverse_blinds.game"

_ROOMS: Final = (
    ("pokertracker", "hands exported by PokerTracker", rooms.POKER_TRACKER),
    ("ongame", "OnGame hand histories", rooms.ONGAME),
    ("pkr", "PKR hand histories", rooms.PKR),
    ("betonline", "BetOnline hand histories", rooms.BETONLINE),
    ("everleaf", "Everleaf hand histories", rooms.EVERLEAF),
    ("absolute", "hand histories of Absolute Poker and UltimateBet", rooms.ABSOLUTE),
    ("poker-mavens", "Poker Mavens hand histories", rooms.POKER_MAVENS),
    ("kingsclub", "KingsClub hand histories", rooms.KINGSCLUB),
    ("entraction", "Entraction hand histories", rooms.ENTRACTION),
    ("cake", "Cake Poker hand histories", rooms.CAKE),
    ("unibet", "Unibet hand histories", rooms.UNIBET),
    ("big-game", "hands of the television show The Big Game", rooms.BIG_GAME),
    ("merge", "hands of the Merge network in XML", xml_rooms.MERGE),
    ("everest", "Everest Poker sessions in XML", xml_rooms.EVEREST),
    ("boss", "hands of Boss Media in XML", xml_rooms.BOSS),
    ("microgaming", "hands of Microgaming in XML", xml_rooms.MICROGAMING),
)
"""Rooms of which a table of patterns is all that there is, with their names for users."""

FORMATS: Final = (
    Format(
        name="transcript",
        title="ACPC dealer's transcript of messages",
        recognises=transcript.recognises,
        read=transcript.read,
    ),
    Format(
        name="acpc",
        title="ACPC match log",
        suffixes=(".log",),
        recognises=acpc.recognises,
        read=acpc.read,
        write=acpc_write.write,
        usual_game=HEADS_UP_LIMIT,
        players_in=acpc.players_in,
        carries=frozenset(),
        keeps_refused=True,
    ),
    Format(
        name="poker-academy",
        title="Poker Academy hand histories",
        recognises=poker_academy.SITE.recognises,
        read=poker_academy.SITE.read,
        write=poker_academy_write.write,
        carries=frozenset({"table"}),
    ),
    Format(
        name="phh",
        title="PHH and PHHS",
        suffixes=(".phh", ".phhs"),
        recognises=phh.recognises,
        read=phh.read,
        write=phh_write.write,
        variants=True,
        keeps_refused=True,
    ),
    Format(
        name="ohh",
        title="Open Hand History",
        suffixes=(".ohh",),
        recognises=open_hand_history.recognises,
        read=open_hand_history.read,
        write=open_hand_history_write.write,
        variants=True,
    ),
    Format(
        name="kaggle",
        title="replays of Kaggle's poker environments",
        recognises=kaggle.recognises,
        read=kaggle.read,
    ),
    Format(
        name="pokerstars",
        title="PokerStars hand histories",
        recognises=pokerstars.SITE.recognises,
        read=pokerstars.SITE.read,
        write=pokerstars_write.write,
        variants=True,
        players_in=seated_in,
    ),
    Format(
        name="ggpoker",
        title="GGPoker hand histories",
        recognises=ggpoker.SITE.recognises,
        read=ggpoker.SITE.read,
        players_in=seated_in,
    ),
    Format(
        name="winamax",
        title="Winamax hand histories",
        recognises=winamax.SITE.recognises,
        read=winamax.SITE.read,
        players_in=seated_in,
    ),
    Format(
        name="partypoker",
        title="partypoker hand histories",
        recognises=partypoker.SITE.recognises,
        read=partypoker.SITE.read,
        players_in=seated_in,
    ),
    Format(
        name="pacific",
        title="888poker hand histories",
        recognises=pacific.SITE.recognises,
        read=pacific.SITE.read,
        players_in=seated_in,
    ),
    Format(
        name="ipoker",
        title="iPoker sessions in XML",
        recognises=ipoker.recognises,
        read=ipoker.read,
    ),
    Format(
        name="full-tilt",
        title="Full Tilt Poker hand histories",
        recognises=full_tilt.SITE.recognises,
        read=full_tilt.SITE.read,
        players_in=seated_in,
    ),
    Format(
        name="bovada",
        title="hand histories of Bovada, Ignition and Bodog",
        recognises=bovada.SITE.recognises,
        read=bovada.SITE.read,
    ),
    Format(
        name="winning",
        title="hand histories of the Winning Poker Network",
        recognises=winning.recognises,
        read=winning.read,
        players_in=seated_in,
    ),
    Format(
        name="pokernow",
        title="logs of PokerNow in CSV",
        recognises=pokernow.recognises,
        read=pokernow.read,
        newest_first=True,
    ),
    *(
        Format(name=name, title=title, recognises=room.recognises, read=room.read)
        for name, title, room in _ROOMS
    ),
    Format(
        name="irc",
        title="IRC poker database",
        suffixes=(".irc",),
        recognises=irc.recognises,
        read=irc.read,
        write=irc_write.write,
        carries=frozenset(),
    ),
    Format(
        name="line",
        title="one-line text, heads-up limit",
        suffixes=(".txt",),
        recognises=recognises_lines,
        read=read_lines,
        write=write_lines,
        carries=frozenset(),
        usual_game=HEADS_UP_LIMIT,
    ),
)
"""Formats in the order of detection: a transcript has the comments of a match log too."""


@checked
def format_named(name: str) -> Format:
    """Return a format by its name. Raises `railbird.errors.BadInput` for any other."""
    for known in FORMATS:
        if known.name == name:
            return known
    raise unknown_name("format", name, [known.name for known in FORMATS])


@checked
def writable_format(target: str) -> Format:
    """Return the format that a file name implies. Raises `railbird.errors.BadInput`."""
    suffixes = [suffix for suffix in PurePath(target).suffixes if suffix != ".gz"]
    writable = [known for known in FORMATS if known.write is not None]
    for known in writable:
        if suffixes and suffixes[-1] in known.suffixes:
            return known
    raise BadInput(f"{target}: the name does not tell the format; allowed: {_names(writable)}")


@checked
def detect(lines: Sequence[str]) -> Format | None:
    """Return the format of a text from its first lines; None if it is unknown."""
    return next((known for known in FORMATS if known.recognises(lines)), None)


def _names(formats: Sequence[Format]) -> str:
    return ", ".join(known.name for known in formats)
