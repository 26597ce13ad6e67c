"""The choice of few flops for heads-up no-limit spots from before the flop, made anew in minutes.

``python release/flop_fit.py FILE`` writes the table of `railbird.solve.spot.preflop`
and prints its errors. The choice is greedy: it always adds the flop after which non-negative
weights fit best, by least squares over the 169 classes of hands (their all-in equity on the flop
against a random hand and against a hand of high cards, as odds over even, and how often they see
the flop) and over the share of flops with one suit, two, a pair, a possible straight, an ace, no
court card. Without these shares the first three flops have one suit each. Needs SciPy, which is
installed for development only.
"""

from __future__ import annotations

from math import comb
from typing import Final

import numpy as np
from scipy.optimize import nnls

from railbird._arrays import Floats
from railbird.cards import CLASS_OF_HOLDING, CLASSES, HOLDING_CARDS, Card, Holding, format_cards
from railbird.cards.isomorphism import board_classes

_SIZES: Final = (6, 12, 25, 49)
_COMPONENTS: Final = 256
"""Of the numbers that are fitted; the rest of them is next to nothing."""
_FLOPS: Final = comb(52, 3)
_SEEN: Final = comb(50, 3)
"""Flops that a holding can see."""
_HIGH, _LOW_WEIGHT = 8, 0.05
"""Lowest rank, a ten, of the cards of a hand of high cards, and the weight of all others."""


def equities_and_sight() -> tuple[Floats, Floats]:
    """Return (1755, 2, 169) what classes win on each flop, and (1755, 169) how often they see it.

    Against a random hand and a hand of high cards, as odds over even, -1 to 1; times how often the
    class sees the flop, which is 1 on average over all flops.
    """
    from railbird.odds import open_tables
    from railbird.odds.rank_tables import HR7_WHOLE, weighted_arrays

    tables, classes = open_tables(), board_classes(3)
    high = np.where((HOLDING_CARDS // 4 >= _HIGH).all(axis=1), 1.0, _LOW_WEIGHT)
    against = (tables.flop_hr7, weighted_arrays(high)["flop_hr7"])
    members = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES)
    won = np.zeros((len(classes.representative), len(against), CLASSES))
    seen = np.zeros((len(classes.representative), CLASSES))
    for row, cards in enumerate(classes.representative.tolist()):
        free = ~np.isin(HOLDING_CARDS, cards).any(axis=1)
        places = [
            tables.place(cards, Holding(holding)) for holding in np.flatnonzero(free).tolist()
        ]
        of = CLASS_OF_HOLDING[free]
        seen[row] = np.bincount(of, minlength=CLASSES) / members * _FLOPS / _SEEN
        for number, table in enumerate(against):
            odds = 2 * table[places] / HR7_WHOLE[1] - 1
            won[row, number] = np.bincount(of, odds, CLASSES) / members * _FLOPS / _SEEN
    return won, seen


def _textures() -> Floats:
    """Return (1755, 6): one suit, two, a pair, a possible straight, an ace, no court card."""
    cards = board_classes(3).representative.astype(np.int64)
    suits, ranks = np.sort(cards % 4, axis=1), np.sort(cards // 4, axis=1)
    kinds = (np.diff(suits, axis=1) > 0).sum(axis=1) + 1
    steps = np.diff(ranks, axis=1)
    textures = [
        kinds == 1,
        kinds == 2,
        (steps == 0).any(axis=1),
        (steps > 0).all(axis=1) & (steps.sum(axis=1) <= 4),
        ranks[:, -1] == 12,
        ranks[:, -1] < 9,
    ]
    return np.stack(textures, axis=1).astype(np.float64)


def choose_flops(won: Floats, seen: Floats, most: int) -> dict[int, list[tuple[int, float]]]:
    """Return for each of the sizes up to ``most`` the rows of flops and their shares."""
    rows = len(seen)
    shares = board_classes(3).orbit / _FLOPS
    features = np.concatenate([won, seen[:, np.newaxis]], axis=1)
    scale = np.sqrt(np.bincount(CLASS_OF_HOLDING, minlength=CLASSES) / len(CLASS_OF_HOLDING))
    table = np.hstack([(features * scale).reshape(rows, -1), _textures()])
    table = table @ np.linalg.svd(table, full_matrices=False)[2][:_COMPONENTS].T
    wanted = shares @ table
    sets: dict[int, list[tuple[int, float]]] = {}
    chosen: list[int] = []
    while len(chosen) < most:
        tried = [
            (np.inf if row in chosen else float(nnls(table[[*chosen, row]].T, wanted)[1]), row)
            for row in range(rows)
        ]
        chosen.append(min(tried)[1])
        if len(chosen) in _SIZES:
            weights = nnls(table[chosen].T, wanted)[0]
            both = zip(chosen, (weights / weights.sum()).tolist(), strict=True)
            sets[len(chosen)] = [(row, share) for row, share in both if share > 0]
    return sets


def equity_errors(
    won: Floats, seen: Floats, chosen: list[tuple[int, float]]
) -> tuple[float, float]:
    """Return by how much equities against a random hand are off: on average over hands, at most.

    In per cent of the pot, the square root of the mean square.
    """
    shares = board_classes(3).orbit / _FLOPS
    rows, weights = (np.array(column) for column in zip(*chosen, strict=True))
    apart = weights @ won[rows, 0] / (weights @ seen[rows]) - shares @ won[:, 0]
    members = np.bincount(CLASS_OF_HOLDING, minlength=CLASSES)
    mean = float(np.sqrt(np.average(apart**2, weights=members)))
    return 50 * mean, 50 * float(np.abs(apart).max())


def main() -> None:
    """Write the table."""
    import sys
    from pathlib import Path

    won, seen = equities_and_sight()
    lines = ["flops,flop,share"]
    for size, chosen in choose_flops(won, seen, max(_SIZES)).items():
        mean, most = equity_errors(won, seen, chosen)
        sys.stdout.write(
            f"{size} flops: equities off by {mean:.2f} % of the pot, {most:.2f} at most\n"
        )
        for row, share in chosen:
            cards = board_classes(3).representative[row][::-1].tolist()
            lines.append(f"{size},{format_cards(map(Card, cards))},{share:.6f}")
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
