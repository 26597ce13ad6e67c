"""Defaults and limits of exact and sampled equity."""

from __future__ import annotations

from typing import Final

WORK_LIMIT: Final = 10.0
"""Seconds of one core, roughly, up to which `Mode.AUTO` computes exactly."""

SAMPLES: Final = 1_000_000
"""Deals of a sample, unless the caller says otherwise."""

MOST_SAMPLES: Final = 10**10
"""Trials that are dealt at most."""

MOST_DEALS: Final = 1 << 22
"""Deals that are listed at most; they take 80 MB for ten players."""
