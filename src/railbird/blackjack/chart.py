"""A strategy as the usual chart: a row for each total, soft total and pair, a column per upcard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from railbird.blackjack.exact import Action, Strategy
from railbird.blackjack.exact_kernels import FIRST, NO_SPLIT, TO_HIT
from railbird.blackjack.rules import RANKS
from railbird.blackjack.tables import CARDS, CHILD, HANDS, PAIR, PAIRED, SOFT, TOTAL

UPCARDS: Final = "23456789TA"
"""The columns."""

HARD: Final = tuple(str(total) for total in range(5, 21))
SOFT_ROWS: Final = tuple(f"A,{rank}" for rank in range(2, 10))
PAIRS: Final = tuple(f"{rank},{rank}" for rank in "23456789TA")
ROWS: Final = HARD + SOFT_ROWS + PAIRS

Chart = Mapping[str, Mapping[str, str]]
"""Cells by row and upcard: S, H, D (otherwise hit), Ds (otherwise stand), P, and R with what else
to do."""


def chart_of(strategy: Strategy) -> Chart:
    """Return the chart of a strategy.

    If hands with the same total are played differently, as in `optimal_strategy`, the chart shows
    how the two cards nearest to each other are played.
    """
    return {row: {upcard: _cell(strategy, row, upcard) for upcard in UPCARDS} for row in ROWS}


def differences(chart: Chart, reference: Chart) -> list[tuple[str, str, str, str]]:
    """List (row, upcard, cell, other cell) for the cells in which ``chart`` differs.

    What is played if a double is not allowed does not count as a difference.
    """
    return [
        (row, upcard, cell, reference[row][upcard])
        for row, cells in chart.items()
        for upcard, cell in cells.items()
        if cell[:1] != reference[row][upcard][:1]
    ]


def _cell(strategy: Strategy, row: str, upcard: str) -> str:
    up = RANKS.index(upcard)
    if row in PAIRS:
        hand = int(PAIR[RANKS.index(row[0])])
    elif row in SOFT_ROWS:
        hand = int(CHILD[CHILD[0, 0], int(row[2]) - 1])
    else:
        hand = _hard(int(row))
    first = strategy.action(hand, up)
    if first is Action.SPLIT:
        return "P"
    if first is Action.SURRENDER:
        unsurrendered = strategy.action(hand, up, NO_SPLIT)
        return "R" + (
            "h" if unsurrendered is Action.HIT else "s" if unsurrendered is Action.STAND else "d"
        )
    if first is Action.DOUBLE:
        return "D" if strategy.action(hand, up, TO_HIT) is Action.HIT else "Ds"
    return "H" if first is Action.HIT else "S"


def _hard(total: int) -> int:
    """Return the two cards that stand for a hard total: no pair, and nearest to each other."""
    hands = [
        hand
        for hand in range(HANDS)
        if CARDS[hand] == 2 and TOTAL[hand] == total and not SOFT[hand] and PAIRED[hand] < 0
    ]
    if not hands:  # a hard 20 is a pair, or three cards
        return next(hand for hand in range(HANDS) if CARDS[hand] == 3 and TOTAL[hand] == total)
    return max(hands, key=lambda hand: -_distance(hand))


def _distance(hand: int) -> int:
    ranks = [rank for rank in range(10) if CHILD[CHILD[0, rank]].tolist().count(hand)]
    return max(ranks) - min(ranks)


_SOURCE_ROWS: Final = """
8    HHHHHHHHHH
9    HDDDDHHHHH
10   HDDDDHHHHH
11   DDDDDDDDDD
12   HHSSSHHHHH
13   SSSSSHHHHH
14   SSSSSHHHHH
15   SSSSSHHHHH
16   SSSSSHHHHH
17   SSSSSSSSSS
A,2  HHHDDHHHHH
A,3  HHHDDHHHHH
A,4  HHDDDHHHHH
A,5  HHDDDHHHHH
A,6  HDDDDHHHHH
A,7  DDDDDHHHHH
A,8  SSSSDSSSSS
2,2  PPPPPPHHHH
3,3  PPPPPPHHHH
4,4  HHHPPHHHHH
5,5  DDDDDDDDHH
6,6  PPPPPHHHHH
7,7  PPPPPPHHHH
8,8  PPPPPPPPPP
9,9  PPPPPSPPSS
T,T  SSSSSSSSSS
A,A  PPPPPPPPPP
"""


def source_chart() -> Chart:
    """Return the basic strategy of Kan (2007), table 2.1, which credits the Wizard of Odds."""
    lines = [line.split() for line in _SOURCE_ROWS.split("\n") if line]
    return {row: dict(zip(UPCARDS, cells, strict=True)) for row, cells in lines}


__all__ = [
    "FIRST",
    "HARD",
    "PAIRS",
    "ROWS",
    "SOFT_ROWS",
    "UPCARDS",
    "Chart",
    "chart_of",
    "differences",
    "source_chart",
]
