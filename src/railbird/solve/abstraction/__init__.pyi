from . import buckets, percentile
from .buckets import bucket_abstraction
from .card_abstraction import BLOCKED, BUCKET_SIZES, CardAbstraction, CardBlind, Recall, states_on
from .percentile import counted_abstraction
from .records import read_abstraction

__all__ = [
    "BLOCKED",
    "BUCKET_SIZES",
    "CardAbstraction",
    "CardBlind",
    "Recall",
    "bucket_abstraction",
    "buckets",
    "counted_abstraction",
    "percentile",
    "read_abstraction",
    "states_on",
]
