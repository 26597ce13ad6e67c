"""What the next card adds to each holding, looked up in the tables of hand ranks."""

from __future__ import annotations

import numpy as np

from railbird._jit import kernel


@kernel
def add_gains(
    strength: np.ndarray,
    whole: int,
    absent: int,
    rows: np.ndarray,
    under: np.ndarray,
    ranks: np.ndarray,
    gain: np.ndarray,
) -> None:
    """Add to ``gain`` (1326,) what each next board adds to ``strength`` (1326,), where it does.

    ``rows`` (boards,) and ``under`` (boards, 1326) say where in ``ranks`` a holding's rank on each
    board is, in parts of ``whole``; ``absent`` stands where it shares a card with the board.
    """
    for board in range(len(rows)):
        row = rows[board]
        for holding in range(1326):
            rank = ranks[row, under[board, holding]]
            if rank != absent:
                gain[holding] += max(rank / whole - strength[holding], 0.0)
