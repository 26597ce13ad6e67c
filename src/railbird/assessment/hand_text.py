"""Hands of a match as lines of text, for tables that people read."""

from __future__ import annotations

import numpy as np
import polars as pl

from railbird._arguments import checked
from railbird.cards import DECK, HOLDINGS, Holding, Suits, format_card, format_cards
from railbird.game.engine import _kernels_walk as walk
from railbird.histories.card_text import hole_cards
from railbird.histories.columns import UNKNOWN, HandBatch

_POSTS = "Sl"
_LETTERS = np.zeros((5, 2), dtype=np.uint8)
"""Letters by action name and seat; capitals are the dealer's."""
for _name, _letter in (
    (walk.FOLD, "f"),
    (walk.CHECK, "k"),
    (walk.CALL, "c"),
    (walk.BET, "b"),
    (walk.RAISE, "r"),
):
    _LETTERS[_name] = ord(_letter), ord(_letter.upper())

_CARDS = pl.Series(["", *(format_card(card, suits=Suits.SYMBOLS) for card in DECK)])
_HOLES = pl.Series(
    [
        format_cards(hole_cards(Holding(h), low_first=low), suits=Suits.SYMBOLS, separator="-")
        for h in range(HOLDINGS)
        for low in (0, 1)
    ]
    + ["?"]
)
"""At 2 * holding + whether the lower card came first; at the end a hidden one."""
_HIDDEN = 2 * HOLDINGS


def _betting_by_row(hands: HandBatch) -> pl.Series:
    """Write the betting of heads-up hands as `railbird.histories.one_line` does, without posts."""
    answers, n = hands.answers, len(hands)
    street, first = answers.street.astype(np.int64), hands.start[:-1]
    slashes = np.diff(street, prepend=0)
    slashes[first] = street[first]
    last = np.maximum(hands.dealt.astype(np.int64) - 2, 0)
    after = last - street[hands.start[1:] - 1]
    ends = np.cumsum(slashes + 1)
    letters = ends + np.repeat(np.cumsum(after) - after, np.diff(hands.start)) - 1
    text = np.full(int(ends[-1] + after.sum()) if n else 0, ord("/"), dtype=np.uint8)
    text[letters] = _LETTERS[answers.name, answers.seat]
    stops = (ends[hands.start[1:] - 1] + np.cumsum(after)).tolist()
    whole = text.tobytes().decode("ascii")
    return pl.Series(
        [whole[a:b] for a, b in zip([0, *stops], stops, strict=False)], dtype=pl.String
    )


@checked
def one_lines(hands: HandBatch) -> pl.Series:
    """Write heads-up limit hands as lines, such as ``T♠-6♠,J♦-5♦ SlF``.

    They are those of `railbird.histories.one_line`; the series is called ``text``.
    """
    there = np.arange(hands.board.shape[1]) < hands.dealt[:, None]
    board = np.where(there, hands.board.astype(np.int16) + 1, 0)
    pieces = {f"card {k}": _CARDS.gather(column) for k, column in enumerate(board.T)}
    for seat, name in enumerate(("first", "second")):
        low = (hands.low_first >> np.uint32(seat)) & 1
        holding = hands.holding[:, seat]
        pieces[name] = _HOLES.gather(np.where(holding == UNKNOWN, _HIDDEN, 2 * holding + low))
    line = pl.concat_str(
        pl.format("{},{}", "first", "second"),
        _if_dealt("card 0", pl.format(",{}-{}-{}", "card 0", "card 1", "card 2")),
        _if_dealt("card 3", pl.format("/{}", "card 3")),
        _if_dealt("card 4", pl.format("/{}", "card 4")),
        pl.format(" {}{}", pl.lit(_POSTS), "betting"),
    )
    frame = pl.DataFrame({**pieces, "betting": _betting_by_row(hands)})
    return frame.select(line.alias("text")).to_series()


def _if_dealt(card: str, text: pl.Expr) -> pl.Expr:
    return pl.when(pl.col(card) != "").then(text).otherwise(pl.lit(""))
