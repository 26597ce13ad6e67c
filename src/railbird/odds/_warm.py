"""Compile this room's kernels by calling each on trivial input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from railbird.cards import DECK, Range, parse_cards, parse_holding
from railbird.cards.isomorphism import BOARD_CLASSES, board_classes
from railbird.odds.all_in_equity import Mode, equity
from railbird.odds.draw import discards_by_rule, share_after_draws
from railbird.odds.hand_rank import hand_rank, rating
from railbird.odds.potential import hand_strengths, potential
from railbird.odds.preflop_kernels import add_flop_values
from railbird.odds.range_showdowns import RangeShowdowns
from railbird.odds.rank_kernels import (
    look_up_final_ranks,
    rank_before_flop,
    rank_boards,
    sum_over_next_card,
)
from railbird.odds.spectra import Opponent, reflective_odds
from railbird.odds.variant_equity import variant_equity
from railbird.odds.win_probability import win_probability

_HOLE = parse_holding("AdQc")
_FLOP = parse_cards("3h4cJh")
_RIVER = parse_cards("3h4cJh2d7s")


def warm_up_steps() -> list[tuple[str, Callable[[], object]]]:
    """Return names and functions to call, each of which compiles some of the room's kernels."""
    return [
        ("suit isomorphism", lambda: [board_classes(cards) for cards in BOARD_CLASSES]),
        ("hand-rank tables", _tables),
        ("hand ranks", _hand_ranks),
        ("equity", _equity),
        ("potential", _potential),
        ("probability of winning", _win_probability),
        ("spectra", _spectra),
        ("values before the flop", _preflop_value),
        ("showdowns against a range", _range_showdowns),
        ("equity in other variants", _variants),
    ]


def _mapped(dtype: npt.DTypeLike, *shape: int) -> npt.NDArray[np.generic]:
    """Return an array of the type of a mapped table: read-only."""
    array = np.zeros(shape, dtype=dtype)
    array.flags.writeable = False
    return array


def _tables() -> None:
    boards = board_classes(3).representative
    starts, patterns = np.zeros(1, np.int32), np.zeros(1, np.uint8)
    rank_boards(boards, starts, patterns, 0, 0, np.empty(1, dtype=np.uint16))
    later, values = (_mapped(np.int32, 1), _mapped(np.uint8, 1)), np.empty(1, np.uint32)
    sum_over_next_card(boards, starts, patterns, 0, 0, *later, values, 1, values.copy())


def _hand_ranks() -> None:
    hand_rank(_HOLE, _FLOP)
    rank_before_flop(_HOLE)
    board = np.array(_FLOP, dtype=np.uint8)
    where = _mapped(np.int32, 1), _mapped(np.uint8, 1)
    counts = np.zeros(1981, dtype=np.int64)
    look_up_final_ranks(_HOLE, board, 0, 0, *where, _mapped(np.uint16, 1), counts)


def _equity() -> None:
    wide = Range.parse("QQ+")
    for narrow in (Range.parse("AK"), Range.parse("AK:0.5")):
        equity([wide, narrow], _RIVER)
        equity([wide, narrow, narrow], _RIVER)
    equity([wide, wide], _RIVER, mode=Mode.SAMPLED, samples=1)


def _potential() -> None:
    potential(_HOLE, _FLOP)
    potential(_HOLE, _FLOP, weights=np.ones(1326))
    potential(_HOLE, _FLOP, to_come=2)
    potential(_HOLE, _FLOP, to_come=2, weights=np.ones(1326))
    hand_strengths(_FLOP)


def _win_probability() -> None:
    win_probability(_HOLE, _FLOP)
    win_probability(_HOLE, _FLOP, opponents=2, deals=1)
    rating(_HOLE, _FLOP)


def _spectra() -> None:
    caller = Opponent.parse("flop:call")
    reflective_odds(_HOLE, _FLOP, [caller])
    reflective_odds(_HOLE, _FLOP, [caller, Opponent()])


def _preflop_value() -> None:
    boards, flops = board_classes(5), board_classes(3)
    add_flop_values(
        boards.representative,
        boards.orbit,
        0,
        1,
        np.zeros(0, dtype=np.int64),
        np.zeros(1326, dtype=np.int64),
        np.ones((1, 1326)),
        np.zeros(1, dtype=np.int64),
        0,
        flops.row,
        flops.permutation,
        flops.orbit,
        np.zeros((len(flops.orbit), 0, 2, 2), dtype=np.float32),
    )


def _range_showdowns() -> None:
    river = RangeShowdowns(_RIVER)
    river.won(river.live)
    river.won_by_many(river.live[:, None])


def _variants() -> None:
    hands = ["AsAhKsKh", "QdQcJdJc"]
    variant_equity("omaha", hands, dead=DECK[:30])
    variant_equity("omaha", hands, ["2c3c4c5c"])
    variant_equity("omaha", [*hands, "random"], mode=Mode.SAMPLED, samples=1)
    variant_equity("short-deck", ["AsAh", "KsKd"], ["6c7c8d9h"])
    variant_equity("stud", ["AsAh", "KsKd"], mode=Mode.SAMPLED, samples=1)
    discards_by_rule("badugi", "As2s3s4s", left=1)
    share_after_draws("badugi", "As2s3s4s", [[]], samples=1)
