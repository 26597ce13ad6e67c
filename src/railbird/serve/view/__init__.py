"""Views that pages share: cards, the felt with its seats, and a hand in words.

They are made from the protocol's messages alone, so a page shows what its viewer was told.
"""

from railbird.serve.view.felt import Felt, FeltPot, FeltSeat, felt_of
from railbird.serve.view.words import Line, amount, hand_lines, made, short_name

__all__ = [
    "Felt",
    "FeltPot",
    "FeltSeat",
    "Line",
    "amount",
    "felt_of",
    "hand_lines",
    "made",
    "short_name",
]
