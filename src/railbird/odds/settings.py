"""Defaults and limits of exact and sampled equity."""

from __future__ import annotations

from typing import Final

WORK_LIMIT: Final = 10.0
"""Approximate seconds of one core up to which `Mode.AUTO` computes exactly."""

SAMPLES: Final = 1_000_000
"""Default number of deals in a sample."""

MOST_SAMPLES: Final = 10**10
"""Maximum number of trials."""

MOST_DEALS: Final = 1 << 22
"""Maximum number of deals that are listed; for ten players they take 80 MB."""

CACHED_STATES: Final = 1 << 15
"""Holdings on boards whose strength or probability is kept; about ten megabytes each."""

ROLL_OUTS: Final = 2_500
"""Deals of a roll-out against several opponents: a standard error of one per cent at most."""
