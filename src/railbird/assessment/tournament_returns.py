"""What a player's entries in tournaments cost and brought: hold'em and whatever else was played.

`prizes` assesses tournaments of which all hands are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from railbird._display import HasTable
from railbird.estimates.bounded_mean import BoundedMean
from railbird.estimates.estimate import FEWEST, LEVEL, Estimate, ratio
from railbird.histories.tournament_entries import TournamentEntry

_RESAMPLES: Final = 2_000
_AT_ONCE: Final = 1 << 22
"""Entries drawn at a time."""
_PRICES: Final = (1, 5, 15, 40, 100, 300, 1000)
"""Upper ends of the classes of buy-ins."""
_SIZES: Final = (
    (2, "heads-up"),
    (10, "3 to 10 entries"),
    (100, "11 to 100 entries"),
    (1000, "101 to 1,000 entries"),
)
_LARGEST: Final = "over 1,000 entries"
_SPEEDS: Final = (
    ("hyper-turbo", re.compile(r"hyper|super[ -]?turbo", re.IGNORECASE)),
    ("semi-turbo", re.compile(r"semi[ -]?turbo", re.IGNORECASE)),
    ("turbo", re.compile(r"turbo", re.IGNORECASE)),
)
_FORMATS: Final = (
    ("satellite", re.compile(r"\bsat(?:ellite)?\b|\bsat to\b", re.IGNORECASE)),
    ("knock-out", re.compile(r"knock-?out|bount|\bP?KO\b", re.IGNORECASE)),
    ("lottery", re.compile(r"lottery|spin|twister|expresso|blast", re.IGNORECASE)),
)
_SINGLE_TABLE: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentReturn(HasTable):
    """A player's tournaments in one currency."""

    entered: int
    finished: int
    """Tournaments whose finish is known; only these count below."""
    buy_ins: float
    prizes: float
    roi: Estimate | None
    """Prizes less buy-ins, per unit of buy-ins; None if no finish is known."""
    in_money: BoundedMean
    """Share of the finishes with a prize."""
    resampled: tuple[float, float] | None = None
    """95 % interval of the return by the bootstrap; None for few finishes or none with a prize."""
    bound: tuple[float, float] | None = None
    """The same by Gaffke's interval, for prizes up to the largest prize pool; None if a summary
    does not tell its own, or for few finishes."""
    parts: Mapping[str, Mapping[str, TournamentReturn]] = field(default_factory=dict)
    """By buy-in, size, speed and format, and then by which; those alone that summaries tell."""

    def as_json(self) -> dict[str, object]:
        """Return the fields."""
        return {
            "entered": self.entered,
            "finished": self.finished,
            "buy_ins": self.buy_ins,
            "prizes": self.prizes,
            "roi": None if self.roi is None else self.roi.as_json(),
            "in_money": self.in_money.as_json(),
            "resampled": self.resampled and list(self.resampled),
            "bound": self.bound and list(self.bound),
            "by": {
                what: {label: part.as_json() for label, part in parts.items()}
                for what, parts in self.parts.items()
            },
        }


def returns_of(
    entries: Iterable[TournamentEntry], same: Mapping[str, str]
) -> dict[str, dict[str, TournamentReturn]]:
    """Sum entries up by player and currency; ``same`` has the first name of other names."""
    grouped: dict[str, dict[str, list[TournamentEntry]]] = {}
    for entry in entries:
        name = same.get(entry.player, entry.player)
        grouped.setdefault(name, {}).setdefault(entry.currency, []).append(entry)
    return {
        name: {currency: _with_parts(of) for currency, of in by_currency.items()}
        for name, by_currency in grouped.items()
    }


def _with_parts(entries: list[TournamentEntry]) -> TournamentReturn:
    parts: dict[str, dict[str, list[TournamentEntry]]] = {}
    of_price = sorted(entries, key=lambda entry: entry.price or 0)
    of_size = sorted(entries, key=lambda entry: entry.entrants or 0)
    for what, ordered, label_of in (
        ("buy-in", of_price, _price),
        ("size", of_size, _size),
        ("speed", of_size, _speed),
        ("format", of_size, _format),
    ):
        for entry in ordered:
            if label := label_of(entry):
                parts.setdefault(what, {}).setdefault(label, []).append(entry)
    returns = {
        what: {label: _return(of) for label, of in by_label.items()}
        for what, by_label in parts.items()
    }
    return replace(_return(entries), parts=returns)


def _price(entry: TournamentEntry) -> str:
    """Return the class of a buy-in, "" where it is not known."""
    if entry.price is None:
        return ""
    sign, least = entry.currency, 0
    for most in _PRICES:
        if entry.price <= most:
            return f"{sign}{least:,} to {sign}{most:,}" if least else f"up to {sign}{most:,}"
        least = most
    return f"over {sign}{least:,}"


def _size(entry: TournamentEntry) -> str:
    if entry.entrants is None:
        return ""
    return next((label for most, label in _SIZES if entry.entrants <= most), _LARGEST)


def _speed(entry: TournamentEntry) -> str:
    return _first_of(_SPEEDS, entry.kind, "regular speed") if entry.kind else ""


def _format(entry: TournamentEntry) -> str:
    if not entry.kind:
        return ""
    single = entry.entrants is not None and entry.entrants <= _SINGLE_TABLE
    return _first_of(_FORMATS, entry.kind, "single table" if single else "multi-table")


def _first_of(names: Sequence[tuple[str, re.Pattern[str]]], text: str, otherwise: str) -> str:
    return next((name for name, pattern in names if pattern.search(text)), otherwise)


def _return(entries: list[TournamentEntry]) -> TournamentReturn:
    finished = [entry for entry in entries if entry.finished]
    prizes = np.array([float(entry.prize) for entry in finished])
    buy_ins = np.array([float(entry.buy_in) for entry in finished])
    paid = np.count_nonzero(prizes)
    roi = resampled = bound = None
    if buy_ins.sum() > 0:
        returned = ratio(prizes, buy_ins, unit="of buy-ins")
        # A finish without a prize tells as much as one with; none with a prize tells nothing yet.
        roi = replace(returned, value=returned.value - 1, nonzero=returned.n if paid else 0)
        if len(finished) >= FEWEST:
            resampled = _resampled(prizes, buy_ins) if paid else None
            bound = _bound(finished, prizes, buy_ins)
    return TournamentReturn(
        entered=len(entries),
        finished=len(finished),
        buy_ins=float(buy_ins.sum()),
        prizes=float(prizes.sum()),
        roi=roi,
        in_money=BoundedMean.of(prizes > 0, least=0, most=1, unit="share"),
        resampled=resampled,
        bound=bound,
    )


def _resampled(prizes: np.ndarray, buy_ins: np.ndarray) -> tuple[float, float]:
    """Return the percentile interval of the return, of entries drawn with replacement.

    Efron and Tibshirani, *An Introduction to the Bootstrap*, 1993, chapter 13. The draws are the
    same for the same number of entries.
    """
    n = len(prizes)
    generator = np.random.default_rng(n)
    at_once = max(_AT_ONCE // n, 1)
    returns = []
    for first in range(0, _RESAMPLES, at_once):
        drawn = generator.integers(n, size=(min(at_once, _RESAMPLES - first), n))
        costs = buy_ins[drawn].sum(axis=1)
        returns.append(prizes[drawn].sum(axis=1)[costs > 0] / costs[costs > 0] - 1)
    low, high = np.quantile(np.concatenate(returns), [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def _bound(
    finished: list[TournamentEntry], prizes: np.ndarray, buy_ins: np.ndarray
) -> tuple[float, float] | None:
    """Return Gaffke's interval, for prizes up to all that the largest tournament can pay.

    That is its pool or, where bounties come on top, what all its players paid.
    """
    if any(entry.pool is None for entry in finished):
        return None
    pools = [
        max(float(entry.pool or 0), float((entry.price or 0) * (entry.entrants or 0)))
        for entry in finished
    ]
    most = max([*pools, *prizes.tolist()])
    mean = BoundedMean.of(prizes, least=0, most=most, unit="a prize")
    low, high = mean.interval()
    cost = float(buy_ins.mean())
    return low / cost - 1, high / cost - 1
