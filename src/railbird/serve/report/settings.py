"""Settings of the reports in the browser."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportSettings:
    """What the operator chooses."""

    most_bytes: int = 4 << 20
    """Bytes of an upload."""
    memory: int = 3 << 29
    """Bytes of data that a worker process may take: 1.5 GiB."""
    cpu_s: int = 240
    """Seconds of a core for one report."""
    nice: int = 5
    """How much workers let everything else go first."""
    wall_s: float = 600.0
    """Seconds after which a report is given up, however little of a core it got."""
    workers: int = 1
    """Reports that are made at a time; others wait."""
    most_waiting: int = 20
    """Reports that may wait."""
    most_of_address: int = 5
    """Of these, how many may be of one address, so that nobody fills the queue alone."""
    kept_s: float = 3600.0
    """Seconds for which a finished report can be looked at."""
    most_kept: int = 64 << 20
    """Bytes of all reports that are kept; the oldest are forgotten beyond that."""
