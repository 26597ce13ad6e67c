"""One match scored by many settings that differ from the flop on, but read only once.

A player of the standard baseline before the flop neither gains nor loses there under any settings
with the same preflop numbers. So preflop values, which would need a table for each settings,
cancel, and those of the standard settings serve for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice, repeat

import numpy as np

from railbird.assessment import Scorer, find_table, open_scorer
from railbird.assessment.scorable_batch import Batch, batch_of
from railbird.baseline import STANDARD, BaselineSettings
from railbird.errors import BadInput
from railbird.experiments.framework.statistics import Floats
from railbird.game.rules import Street
from railbird.histories import HandRecord, Skipped

_CHUNK = 8192


def sweep(
    records: Iterable[HandRecord | Skipped],
    settings: Sequence[BaselineSettings],
    *,
    player: str,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Floats:
    """Return DIVAT of every hand by each settings, (settings, hands), in small bets for ``player``.

    ``progress`` counts every hand once for each settings. Raises `BadInput` for settings that
    differ from the standard before the flop, and for a match whose players left the baseline there.
    """
    scorers = _scorers(settings)
    hands = (record for record in records if isinstance(record, HandRecord))
    parts: list[list[Floats]] = []
    done = 0
    with ThreadPoolExecutor(max_workers=threads) as pool:
        while chunk := list(islice(hands, _CHUNK)):
            batch = batch_of(chunk)
            side = np.array([1.0 if record.players[0] == player else -1.0 for record in chunk])
            part: list[Floats] = []
            for divat in pool.map(_divat, scorers, repeat(batch)):
                part.append(side * divat)
                done += len(chunk)
                if progress is not None:
                    progress(done)
            parts.append(part)
    return np.concatenate([np.stack(part) for part in parts], axis=1)


def _scorers(settings: Sequence[BaselineSettings]) -> list[Scorer]:
    """Return scorers that share the tables and the standard's preflop values."""
    standard, table = open_scorer(STANDARD), find_table(STANDARD)
    assert table is not None, "it is package data"
    for one in settings:
        if one[Street.PREFLOP] != STANDARD[Street.PREFLOP]:
            raise BadInput(f"settings {one.name!r} differ from the standard before the flop")
    return [replace(standard, values=replace(table, settings=one)) for one in settings]


def _divat(scorer: Scorer, batch: Batch) -> Floats:
    scores = scorer.score(batch)
    by_round = scores.actual - scores.baseline
    if by_round[:, Street.PREFLOP].any():
        raise BadInput("a player left the baseline before the flop; allowed: after it only")
    divat: Floats = np.nansum(by_round, axis=1)
    return divat
