"""Metrics for Prometheus: gauges are read when asked for; those that must fall to zero do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

if TYPE_CHECKING:
    from railbird.serve.host.host import Host

_LAG_EVERY_S = 0.1
_SECONDS = tuple(
    each / 1000
    for each in (0.5, 1, 2, 3, 5, 7.5, 10, 15, 25, 35, 50, 75, 100, 250, 500, 1000, 2500)
)
"""Edges of the histograms' buckets, fine around the goals of 5 and 50 ms."""


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._reply = Histogram(
            "railbird_reply_seconds",
            "From an action received to the next bytes written to its sender",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._lag = Histogram(
            "railbird_loop_lag_seconds",
            "Time for which the event loop was late",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._host: Host | None = None

    def watch(self, host: Host) -> None:
        """Read a server's gauges from now on."""
        self._host = host
        self._registry.register(self)

    def replied(self, seconds: float) -> None:
        """Note the time of a reply."""
        self._reply.observe(seconds)

    def text(self) -> bytes:
        """Return everything as Prometheus reads it."""
        return generate_latest(self._registry)

    async def watch_loop(self) -> None:
        """Measure how late the event loop is, until cancelled."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_LAG_EVERY_S)
            self._lag.observe(max(0.0, time.perf_counter() - before - _LAG_EVERY_S))

    def collect(self) -> Iterator[Metric]:
        """Read the gauges and counters."""
        host = self._host
        if host is None:
            return
        house, connections = host.house, host.connections
        logged_in = sum(one.connection is not None for one in house.accounts.values())
        gauges = {
            "connections": ("Open connections", len(connections.links)),
            "players": ("Accounts that are logged in", logged_in),
            "tables": ("Tables in play", sum(len(t.play.tables) for t in house.tasks.values())),
            "games": ("Tournaments, and ring tables with players", house.in_play),
            "queued": ("Accounts that wait for a tournament", sum(map(len, house.queues.values()))),
            "backlog": ("Calls that wait for games", sum(t.backlog for t in house.tasks.values())),
            "acpc_matches": ("Matches at the ACPC port", host.acpc.matches if host.acpc else 0),
            "outbox": ("Results that wait for the database", len(house.outbox)),
            "passwords": ("Passwords that wait to be checked", host.directory.passwords.pending),
            "journal_bytes": (
                "Bytes in the journals of games in play",
                sum(task.journal.size for task in house.tasks.values()),
            ),
            "draining": ("1 while nothing new starts", int(house.is_draining)),
        }
        for name, (what, value) in gauges.items():
            yield GaugeMetricFamily(f"railbird_{name}", what, value=value)
        for name, count in sorted(connections.counts.items()):
            what = f"Connections: {name.replace('_', ' ')}"
            yield CounterMetricFamily(f"railbird_{name}", what, value=count)
        offences = CounterMetricFamily(
            "railbird_offences", "Refused actions and messages, by kind", labels=["kind"]
        )
        kinds: dict[str, int] = {}
        for (_, kind), count in house.offences.items():
            kinds[kind] = kinds.get(kind, 0) + count
        for kind, count in sorted(kinds.items()):
            offences.add_metric([kind], count)
        yield offences
