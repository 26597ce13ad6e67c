"""A player of a game: clock, presence, and the figures that only the player is told."""

from __future__ import annotations

from collections import Counter

from railbird.hosting.formats import Clocks
from railbird.hosting.interfaces import Latency, Offence
from railbird.hosting.records import Entrant
from railbird.protocol.identity import Identity, PlayerKind
from railbird.protocol.messages.game import PlayReport, Presence


class Seated:
    """A player of a game."""

    def __init__(self, entrant: Entrant, clocks: Clocks) -> None:
        self.entrant = entrant
        self.identity = Identity(entrant.name, entrant.kind, entrant.version, entrant.owner)
        self.clock = clocks.clock()
        self.lag_left = clocks.lag
        self.chair = 0
        self.presence = Presence.HERE
        """HERE, FROZEN or SITTING_OUT, as recorded."""
        self.is_leaving = False
        """Stays until the hand is over, and plays it as if frozen."""
        self.connected = entrant.kind is PlayerKind.HOUSE
        self.times: list[int] = []
        """Milliseconds of all decisions."""
        self.offences: Counter[Offence] = Counter()

    @property
    def shown_presence(self) -> Presence:
        """Presence as others see it."""
        if self.is_leaving:
            return Presence.LEAVING
        if self.presence is Presence.HERE and not self.connected:
            return Presence.AWAY
        return self.presence

    @property
    def latency(self) -> Latency:
        """Times of all decisions."""
        times = sorted(self.times)
        if not times:
            return Latency(decisions=0)
        last = len(times) - 1
        p50, p95 = (float(times[round(q * last)]) for q in (0.5, 0.95))
        return Latency(decisions=len(times), p50=p50, p95=p95, worst=float(times[-1]))

    @property
    def report(self) -> PlayReport:
        """The player's own figures."""
        latency = self.latency
        return PlayReport(
            decisions=latency.decisions,
            p50_ms=latency.p50,
            p95_ms=latency.p95,
            worst_ms=latency.worst,
            time_outs=self.offences[Offence.TIME_OUT],
            refused=self.offences[Offence.ILLEGAL],
            stale=self.offences[Offence.STALE],
        )
