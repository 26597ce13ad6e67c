"""Return on investment in tournaments whose hands tell the buy-in and the finish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from railbird.estimates.estimate import Estimate
from railbird.estimates.ratio import ratio
from railbird.histories.pokerstars.tournaments import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentReturn:
    """A player's tournaments in one currency."""

    entered: int
    finished: int
    """Those whose finish is told, which alone count below."""
    buy_ins: float
    prizes: float
    roi: Estimate | None
    """Prizes less buy-ins, per unit of buy-ins; None if no finish is told."""

    def as_json(self) -> dict[str, object]:
        """Return the fields."""
        return {
            "entered": self.entered,
            "finished": self.finished,
            "buy_ins": self.buy_ins,
            "prizes": self.prizes,
            "roi": None if self.roi is None else self.roi.as_json(),
        }


def returns_of(
    entries: Iterable[Entry], same: Mapping[str, str]
) -> dict[str, dict[str, TournamentReturn]]:
    """Sum entries up by player and currency; ``same`` has the first name of other names."""
    grouped: dict[str, dict[str, list[Entry]]] = {}
    for entry in entries:
        name = same.get(entry.player, entry.player)
        grouped.setdefault(name, {}).setdefault(entry.currency, []).append(entry)
    return {
        name: {currency: _return(of) for currency, of in by_currency.items()}
        for name, by_currency in grouped.items()
    }


def _return(entries: list[Entry]) -> TournamentReturn:
    told = [entry for entry in entries if entry.finished]
    prizes = [float(entry.prize) for entry in told]
    buy_ins = [float(entry.buy_in) for entry in told]
    roi = None
    if sum(buy_ins) > 0:
        found = ratio(prizes, buy_ins, unit="of buy-ins")
        # A finish without a prize tells as much as one with; none with a prize tells nothing yet.
        roi = replace(found, value=found.value - 1, nonzero=found.n if any(prizes) else 0)
    return TournamentReturn(
        entered=len(entries),
        finished=len(told),
        buy_ins=sum(buy_ins),
        prizes=sum(prizes),
        roi=roi,
    )
