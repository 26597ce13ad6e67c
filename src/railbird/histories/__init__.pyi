from . import archive, columns, log_parts, tournament_entries
from .acpc.gamedef import (
    STANDARD_GAMES,
    betting_named,
    format_game,
    game_spec,
    parse_game,
    read_game,
    resolve_game,
)
from .acpc.log import state_line
from .anonymous import Anonymiser, key_from, new_key
from .any_format import (
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
from .columns import HandBatch, batch_of, batches_of
from .data_frames import Frames, frames
from .format import Format, ReadOptions, WriteOptions
from .ledger import (
    Payment,
    Settlement,
    cash_games,
    is_ledger_file,
    money_by_player,
    parse_results,
    read_ledger_file,
    settle,
    with_house,
)
from .lint import LACKS, LogLint
from .one_line import betting_line, one_line
from .protocol_errors import recorded_errors
from .record import BadHand, HandRecord, Skipped, SkipReason, Source
from .registry import FORMATS, detect, format_named, writable_format
from .same_hands import SeenHands, whole_hands
from .text_values import format_amount
from .variant_hands import betting_alone

__all__ = [
    "FORMATS",
    "LACKS",
    "STANDARD_GAMES",
    "Anonymiser",
    "BadHand",
    "Format",
    "Frames",
    "HandBatch",
    "HandRecord",
    "HandsLike",
    "LogLint",
    "Payment",
    "ReadOptions",
    "SeenHands",
    "Settlement",
    "SkipReason",
    "Skipped",
    "Source",
    "WriteOptions",
    "Written",
    "archive",
    "batch_of",
    "batches_of",
    "betting_alone",
    "betting_line",
    "betting_named",
    "cash_games",
    "check_players",
    "columns",
    "convert",
    "detect",
    "format_amount",
    "format_game",
    "format_named",
    "frames",
    "game_spec",
    "hands_from",
    "is_ledger_file",
    "key_from",
    "log_parts",
    "money_by_player",
    "new_key",
    "one_line",
    "parse_game",
    "parse_results",
    "read",
    "read_columns",
    "read_game",
    "read_hand",
    "read_ledger_file",
    "recorded_errors",
    "resolve_game",
    "settle",
    "state_line",
    "tournament_entries",
    "whole_hands",
    "with_house",
    "writable_format",
    "write",
]
