"""Hand histories: one `HandRecord`, read from and written to many formats, always verified."""

from railbird.histories.acpc.gamedef import (
    STANDARD_GAMES,
    betting_named,
    format_game,
    game_spec,
    parse_game,
    read_game,
    resolve_game,
)
from railbird.histories.acpc.log import state_line
from railbird.histories.any_format import (
    HandsLike,
    Written,
    check_players,
    convert,
    hands_from,
    read,
    read_columns,
    read_hand,
    write,
)
from railbird.histories.data_frames import Frames, frames
from railbird.histories.format import Format, ReadOptions, WriteOptions
from railbird.histories.one_line import betting_line, one_line
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, Source
from railbird.histories.registry import FORMATS, detect, format_named, writable_format
from railbird.histories.text_values import format_amount

__all__ = [
    "FORMATS",
    "STANDARD_GAMES",
    "BadHand",
    "Format",
    "Frames",
    "HandRecord",
    "HandsLike",
    "ReadOptions",
    "SkipReason",
    "Skipped",
    "Source",
    "WriteOptions",
    "Written",
    "betting_line",
    "betting_named",
    "check_players",
    "convert",
    "detect",
    "format_amount",
    "format_game",
    "format_named",
    "frames",
    "game_spec",
    "hands_from",
    "one_line",
    "parse_game",
    "read",
    "read_columns",
    "read_game",
    "read_hand",
    "resolve_game",
    "state_line",
    "writable_format",
    "write",
]
