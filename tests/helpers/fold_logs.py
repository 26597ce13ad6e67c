"""Logs without tables or times in which everybody folds, numbered from 0, with all cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from railbird.histories import HandRecord, Source, read_hand

HANDS: Final = 12


def fold_log(file: str, *, suit: str = "s", size: int = HANDS) -> list[HandRecord]:
    """Return hands 0, 1 … of Ann, who holds the ten of spades and the six of a suit, and Bob."""
    return [fold_hand(number, file, f"Ts6{suit}") for number in range(size)]


def fold_hand(number: int, file: str, mine: str, bets: str = "F") -> HandRecord:
    """Return one such hand, in which Ann has these cards and bets otherwise."""
    text = f"{mine},{'2346789TJQKA'[number]}d5d Sl{bets} # {number}:Ann|Bob"
    return replace(read_hand(text), source=Source(file, number + 1))
