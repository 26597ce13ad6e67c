"""Spectra and distributions in a terminal, as bars of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from rich.table import Table

from railbird.cards import Category
from railbird.odds import FlopOutcomes, ShowdownOdds, Spectrum
from railbird.report.toolkit.number_format import percent, signed

_WIDTH: Final = 11
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_STEPS: Final = 12


def bar(share: float, width: int = _WIDTH) -> str:
    """Return a bar for a share, with eighths of a character.

    >>> bar(0.5, 4), bar(0.28125, 4), bar(0, 4)
    ('██', '█▏', '')
    """
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()


def category_name(category: Category) -> str:
    """Return the words for a category.

    >>> category_name(Category.TWO_PAIR)
    'two pair'
    """
    return category.name.lower().replace("_", " ")


def spectrum_table(before: Spectrum, after: Spectrum | None = None) -> Table:
    """Lay out final hands by category: one's own and the opponents', before and after reflection.

    Categories that nobody makes are left out.
    """
    spectra = [before.by_category()] + ([after.by_category()] if after is not None else [])
    table = Table(box=None, pad_edge=False)
    table.add_column("final hand", style="dim", no_wrap=True)
    sides = ["yours", "theirs"] if after is None else ["yours", "theirs before", "after"]
    for side in sides:
        table.add_column(f"   {side}", no_wrap=True, min_width=_WIDTH + 8)
    for category in Category:
        shares = [spectra[0][category][0], *(each[category][1] for each in spectra)]
        if max(shares) > 0:
            cells = [f"{percent(share, 1):>7} {bar(share)}" for share in shares]
            table.add_row(category_name(category), *cells)
    return table


def opponents_table(odds: Sequence[ShowdownOdds]) -> Table:
    """Lay out the odds against one opponent, two, and so on."""
    table = Table(box=None, pad_edge=False)
    table.add_column("opponents", justify="right", no_wrap=True)
    table.add_column("by final hand", justify="right", no_wrap=True)
    table.add_column("no card in two hands", justify="right", no_wrap=True)
    table.add_column("", min_width=2 * _WIDTH, no_wrap=True)
    for number, each in enumerate(odds, start=1):
        shares = (percent(each.power, 1), percent(each.joint, 1))
        table.add_row(str(number), *shares, bar(each.joint, 2 * _WIDTH))
    return table


def outcomes_table(outcomes: FlopOutcomes) -> Table:
    """Lay out the distribution of what flops are worth, in steps of big blinds."""
    low, high = float(outcomes.raw.min()), float(outcomes.raw.max())
    edges = np.linspace(low, high, _STEPS + 1)
    place = np.clip(np.searchsorted(edges, outcomes.raw, side="right") - 1, 0, _STEPS - 1)
    shares = np.bincount(place, outcomes.probability, _STEPS) / outcomes.probability.sum()
    table = Table(box=None, pad_edge=False)
    table.add_column("a flop is worth, bb", justify="right", no_wrap=True)
    table.add_column("of flops", justify="right", no_wrap=True)
    table.add_column("", min_width=2 * _WIDTH, no_wrap=True)
    most = max(float(shares.max()), 1e-9)
    for start, end, share in zip(edges[:-1], edges[1:], shares.tolist(), strict=True):
        table.add_row(
            f"{signed(float(start), 1)} to {signed(float(end), 1)}",
            percent(share, 1),
            bar(share / most, 2 * _WIDTH),
        )
    return table


def card_list(cards: Sequence[str]) -> str:
    """Return cards in one line; none as a dash.

    >>> card_list(["As", "Kd"]), card_list([])
    ('As Kd', '–')
    """
    return " ".join(cards) or "–"
