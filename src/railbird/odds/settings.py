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
