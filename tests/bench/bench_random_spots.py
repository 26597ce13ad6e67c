"""Twenty spots drawn at random: what they are worth here and by postflop-solver.

The rule: twelve rivers, then eight turns, from seed 18. The board is drawn from the deck; each
class of hands is in a range with probability 0.3, with weight 1, 0.5 or 0.25; 100 chips are in the
pot, 50 to 600 behind. There are one to three sizes of bets and one or two of raises, donk bets in
half of the spots, and each of the three rules (all-in added, forced, sizes merged) in half of them.
Both solve to a gap of 0.1 % of the pot on one thread; ``POSTFLOP`` is that of `bench_spot`, without
which there is nothing to compare.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.bench_spot import peer_of
from bench.goals import Goal, Row
from railbird.cards import CLASS_NAMES, Card, format_cards
from railbird.solve.spot import Spot, solve_spot

_GAP = 0.1
_SEED, _SPOTS, _RIVERS = 18, 20, 12
_BETS = ("25%", "33%", "50%", "75%", "100%", "150%", "e", "a")
_RAISES = ("2.5x", "3x", "75%", "a")
_RULES = {"all_in_threshold": "1.5", "force_all_in": "0.15", "merging": "0.1"}


def spots() -> Iterator[str]:
    """Yield the lines of each spot."""
    rng = np.random.default_rng(_SEED)

    def hands() -> str:
        chosen = np.flatnonzero(rng.random(len(CLASS_NAMES)) < 0.3)
        weights = rng.choice((1.0, 0.5, 0.25), len(chosen))
        both = zip(chosen, weights, strict=True)
        return ",".join(f"{CLASS_NAMES[number]}:{weight}" for number, weight in both)

    def sizes(among: tuple[str, ...], most: int) -> str:
        return ",".join(rng.choice(among, rng.integers(1, most + 1), replace=False))

    for number in range(_SPOTS):
        board = rng.choice(52, 5 if number < _RIVERS else 4, replace=False).tolist()
        fields = {
            "board": format_cards(map(Card, board)),
            "oop": hands(),
            "ip": hands(),
            "pot": "100",
            "stack": str(rng.integers(50, 601)),
            "bets": sizes(_BETS, 3),
            "raises": sizes(_RAISES, 2),
        }
        if rng.random() < 0.5:
            fields["donk"] = sizes(_BETS, 1)
        fields |= {key: value for key, value in _RULES.items() if rng.random() < 0.5}
        yield "\n".join(f"{key} = {value}" for key, value in fields.items())


GOALS = (
    Goal("ours: rivers", "postflop-solver: rivers", 1.0),
    Goal("ours: turns", "postflop-solver: turns", 3),
)


def rows() -> list[Row]:
    """Return what, how much and in which unit."""
    apart, of_gaps = [], []
    ours, theirs = {4: 0.0, 5: 0.0}, {4: 0.0, 5: 0.0}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "random.spot"
        for lines in spots():
            file.write_text(lines, encoding="utf-8")
            peer = peer_of(file, _GAP)
            if peer is None:
                return []
            spot = Spot.read(file)
            found = solve_spot(spot, gap_percent=_GAP, threads=1)
            apart.append(100 * abs(found.values()[0] - peer["ev_oop"]) / spot.pot)
            of_gaps.append(apart[-1] / (found.gap_percent_of_pot + peer["gap_percent_of_pot"]))
            ours[len(spot.board)] += found.solver.cpu_s
            theirs[len(spot.board)] += peer["cpu_s_iterations"]
    return [
        ("EVs apart, mean", float(np.mean(apart)), "% of the pot"),
        ("EVs apart, most", max(apart), "% of the pot"),
        ("EVs apart, most", max(of_gaps), "of both gaps"),
        ("ours: rivers", ours[5], "s"),
        ("postflop-solver: rivers", theirs[5], "s"),
        ("ours: turns", ours[4], "s"),
        ("postflop-solver: turns", theirs[4], "s"),
    ]
