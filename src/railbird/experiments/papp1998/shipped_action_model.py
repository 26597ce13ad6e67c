"""The fit behind the shipped model of actions, and the players that it is learned from.

``python -m railbird.experiments.papp1998.shipped_action_model FILE`` writes the model anew, from
the matches listed here and nothing else. None of these players takes part in an experiment.
What further facts say is fitted to other hands than the tables, so that the tables' expectations of
them are none of what they were fitted to.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from railbird._files import atomic_write
from railbird.arena import Match, Seating
from railbird.arena.match.chunk_player import ChunkPlayer, Job, Loop
from railbird.game import acpc_rules, limit_holdem
from railbird.histories import HandRecord
from railbird.modelling.learned import ActionCounts, ActionModel, fit
from railbird.modelling.learned._kernels_learned_layout import MOST_TYPES
from railbird.modelling.learned.further_facts import fit_facts
from railbird.players.loki.action_training import count_actions

SEED: Final = 1998

PLAYERS: Final = (
    "loki:gom,make1=0.42,make2=0.75,tightness=moderate,offset=-60",
    "loki:som,make1=0.58,make2=0.9,tightness=tight,jitter=0.1",
    "loki:bpm,make1=0.45,make2=0.8,offset=-250,jitter=0.15,river-bluff=0.2",
    "loki:gom,jitter=0.2,raise-to=cap,checks=inverse,offset=-150,balancing-raise=0.1",
    "loki:bpl,make1=0.62,make2=0.88,offset=-300,opponents=one,jitter=0.1",
    "loki:bpt,make1=0.55,make2=0.8,offset=60,raise-to=cap,jitter=0.05",
    "loki:som,make1=0.47,make2=0.7,offset=-100,check-raise=0.3,river-bluff=0.15",
    "loki:bpm,make1=0.68,make2=0.95,offset=-400,jitter=0.2",
    "loki:gom,make1=0.52,make2=0.82,raise-to=cap,semi-bluff=off",
    "loki:basic,make1=0.4,make2=0.7,offset=-200,jitter=0.1",
    "loki:bpl,make1=0.35,make2=0.6,offset=-500,opponents=one,raise-to=cap,jitter=0.1",
    "loki:bpt,make1=0.78,make2=0.93,offset=150,jitter=0.03",
    "loki:bpl,make1=0.55,make2=0.8,offset=-700,jitter=0.25,raise-to=cap",
    "random,fold=1,call=6,raise=3",
    "random,fold=2,call=7,raise=1",
    "random,fold=0.1,call=9.5,raise=0.4",
    "random,fold=0.2,call=1.5,raise=8.3",
)
"""Lokis of other thresholds than the versions', and players who look at no cards."""

TABLES: Final = ((10, 12_000), (6, 12_000), (4, 10_000), (3, 16_000), (2, 60_000))
"""Seats of a table, and hands played there, by players drawn anew every 200 hands."""
FACTS_SEED: Final = 2026
FACTS_TABLES: Final = ((10, 2_000), (6, 2_000), (4, 2_000), (3, 3_000), (2, 12_000))
"""The same for what further facts say."""
_HANDS: Final = 200
_NAME: Final = "type"


def hands(seed: int, tables: Sequence[tuple[int, int]]) -> Iterator[HandRecord]:
    """Play hands that the model is learned from."""
    rng = np.random.default_rng(seed)
    for seats, played in tables:
        for number in range(played // _HANDS):
            names = rng.permutation(len(PLAYERS))[:seats]
            match = Match(
                players=tuple(f"{_NAME}{name}={PLAYERS[name]}" for name in names.tolist()),
                rules=acpc_rules(limit_holdem(seats)),
                deals=_HANDS,
                seed=seed + 1000 * seats + number,
                seating=Seating.SINGLE,
                chunk=_HANDS,
            )
            yield from ChunkPlayer(Job(match, Loop.COMPILED, logged=True)).records(0)


def with_facts(model: ActionModel) -> ActionModel:
    """Return a model of `PLAYERS` with what further facts say, given its tables."""
    counts = _counts(FACTS_SEED, FACTS_TABLES)
    actions = [np.array(counts[name].known, np.int64).reshape(-1, 4) for name in model.names]
    facts = fit_facts(model.later, actions)
    assert facts is not None
    return replace(model, facts=facts)


def _counts(seed: int, tables: Sequence[tuple[int, int]]) -> dict[str, ActionCounts]:
    counts = count_actions(hands(seed, tables))
    return {PLAYERS[int(name.removeprefix(_NAME))]: one for name, one in counts.items()}


def main(path: Path) -> None:
    """Write the model."""
    model = with_facts(fit(_counts(SEED, TABLES), types=MOST_TYPES))
    with atomic_write(path) as part, part.open("wb") as file:
        model.write(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
