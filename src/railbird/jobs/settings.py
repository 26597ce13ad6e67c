"""Defaults and limits of workers."""

from __future__ import annotations

from typing import Final

PART_SECONDS: Final = 0.2
"""Target duration of one part in a worker."""

MOST_PIECES: Final = 256
"""Maximum number of pieces in a part, which bounds the memory for results."""

END_SECONDS: Final = 2.0
"""Time for idle workers to close their players."""

MOST_DEATHS: Final = 3
"""Consecutive deaths of workers, with no part finished in between, that end the job."""
