"""Hands as columns: a `HandBatch` of arrays, on which assessment, statistics and archives work."""

from railbird.game.engine._kernels_walk import Answers
from railbird.histories.columns.batch import (
    NO_TIME,
    UNKNOWN,
    Circumstances,
    HandBatch,
    Numbered,
    answers_of,
    batch_of,
    batches_of,
    by_source,
    concat,
    in_parts,
    opened_vectors,
    records_of,
)
from railbird.histories.columns.hand_keys import SeenHands, hand_keys
from railbird.histories.columns.packed import PackedHands, Piece, pack

__all__ = [
    "NO_TIME",
    "UNKNOWN",
    "Answers",
    "Circumstances",
    "HandBatch",
    "Numbered",
    "PackedHands",
    "Piece",
    "SeenHands",
    "answers_of",
    "batch_of",
    "batches_of",
    "by_source",
    "concat",
    "hand_keys",
    "in_parts",
    "opened_vectors",
    "pack",
    "records_of",
]
