"""The spots of `railbird.solve.drill_store`: dealt from a seed, solved twice, in one file.

``python release/drills.py make FOLDER TURNS`` deals so many turns and writes the rivers of each
into FOLDER, a file for each turn; those that are there are not made again, so it goes on where it
was stopped. ``python release/drills.py turns FOLDER COUNT`` does the same for turns that are asked
themselves. ``python release/drills.py pack FOLDER FILE`` puts all that is there into FILE, beside
what FILE has. ``python release/drills.py check FILE COUNT [NAME]`` solves some of FILE's spots,
those whose names begin with NAME, anew to a smaller gap and on another path, and says how many of
the costs lie where FILE says that they do.

A turn has the ranges of a preset whose players checked the flop, and is solved with few sizes only
for the ranges that come to its rivers. What a river's actions are worth is from a solution of the
river by itself, with these ranges, rounded, and the sizes that its file says. A turn that is asked
itself has the preset's own ranges, the same few sizes, and its rivers to the end. Each is solved by
two schedules of discounting. The error of a cost is one and a half times how far the two are
apart, and half a per cent of the pot: of costs by finer solutions 96 % are then inside.
"""

from __future__ import annotations

import json
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from railbird._files import atomic_write, replace_files
from railbird.cards import CLASS_OF_HOLDING, Card, Holding, Range, format_cards, format_holding
from railbird.errors import BadInput
from railbird.solve.drill_store import UNIT, stored_decision
from railbird.solve.spot import Spot, SpotNode, SpotSolution, SpotSolver, begun, resume, solve_spot
from railbird.solve.spot.presets import PRESETS, USUAL_SIZES, Preset
from railbird.solve.spot.solving import DiscountSchedule
from railbird.solve.spot.tree import Ends

SEED: Final = 62
RIVERS: Final = 8
"""Of each turn."""
SEATS: Final = {
    "lj-bb": ("Big blind", "Lojack"),
    "co-bb": ("Big blind", "Cutoff"),
    "bu-bb": ("Big blind", "Button"),
    "sb-bb": ("Small blind", "Big blind"),
    "co-bu": ("Cutoff", "Button"),
    "bu-bb-3": ("Big blind", "Button"),
    "bu-sb-3": ("Small blind", "Button"),
    "co-bu-3": ("Cutoff", "Button"),
}
"""By preset, the first to act after the flop and the other."""
TURN_SIZES: Final = {
    "turn_bets": "33%, 75%",
    "turn_raises": "3x1r",
    "river_bets": "75%",
    "all_in_threshold": "1.5",
}
TURN_GAP: Final = 0.5
RIVER_GAP: Final = 0.01
ASKED_TURN_GAP: Final = 0.05
"""In per cent of the pot, as the two above: a turn's rivers take some fifty times as long."""
FIRST_ASKED_TURN: Final = 5_000
"""Numbers of deals from here on are of turns that are asked themselves."""
ITERATIONS: Final = 4_000
APART, MARGIN = 1.5, 0.005
"""The error of a cost: how far both solutions are apart, times the first, and the second times the
pot. The distance alone has 70 % of costs by finer solutions inside, twice the gap as many."""
SCHEDULES: Final = (DiscountSchedule(), DiscountSchedule(1.5, 0.0, 4.0))
LEAST_CHANCE: Final = 0.03
"""With which both come to a point whose decisions are kept."""
LEAST_REACH: Final = 0.1
"""Of a holding, beside the likeliest of its range there."""
LEAST_WEIGHT: Final = 0.02
STEPS: Final = 50
"""Of weights: they are rounded before a river is solved, so that its file says what was solved."""
OFTEN, CLOSE = 10, 14
"""Holdings of a point: some by how often they come there, others among those where it matters."""


def deal(number: int) -> tuple[Preset, tuple[Card, ...], np.random.Generator]:
    """Return the preset, the turn's board and the generator of a turn."""
    rng = np.random.default_rng([SEED, number])
    preset = list(PRESETS.values())[int(rng.integers(len(PRESETS)))]
    board = tuple(Card(int(card)) for card in rng.permutation(52)[:4])
    return preset, board, rng


def spot_of(board: tuple[Card, ...], fields: dict[str, str]) -> Spot:
    """Return the spot of a board and of the lines of a file."""
    lines = {"board": format_cards(board), **fields}
    return Spot.parse("\n".join(f"{key} = {value}" for key, value in lines.items()))


def ends_of_turn(solution: SpotSolution, line: str = "") -> Iterator[SpotNode]:
    """Yield the points at which the river is dealt."""
    node = solution.node(line)
    if node.kind is Ends.LATER:
        yield node
    elif node.kind is Ends.DECISION:
        for action in node.actions:
            yield from ends_of_turn(solution, f"{line} {action}".strip())


def pairs_at(node: SpotNode) -> float:
    """Return the weight of all pairs of holdings that come to a point."""
    return float(np.nan_to_num(node.reach[0] * node.met[0]).sum())


def rounded(reach: npt.NDArray[np.float64]) -> Range:
    """Return a range with the largest weight 1, in steps, without its rarest holdings."""
    weights = reach / reach.max()
    weights[weights < LEAST_WEIGHT] = 0
    return Range(np.rint(weights * STEPS) / STEPS)


def rivers_of(number: int) -> Iterator[dict[str, Any]]:
    """Make the rivers of a turn."""
    preset, board, rng = deal(number)
    turn = solve_spot(spot_of(board, preset.lines() | TURN_SIZES), gap_percent=TURN_GAP, threads=1)
    all_pairs = pairs_at(turn.node(""))
    ends = [node for node in ends_of_turn(turn) if pairs_at(node) > LEAST_CHANCE * all_pairs]
    chances = np.array([pairs_at(node) for node in ends]) ** 0.5
    seen: set[tuple[str, Card]] = set()
    for _ in range(4 * RIVERS):
        if len(seen) == RIVERS:
            break
        node = ends[int(rng.choice(len(ends), p=chances / chances.sum()))]
        card = Card(int(rng.choice([card for card in range(52) if card not in board])))
        stack = turn.spot.stack - node.paid[0]
        if (node.line, card) in seen or stack < 0.4 * node.pot:
            continue
        reach = turn.node(f"{node.line} {format_cards((card,))}").reach
        spot = spot_of((*board, card), {**preset.lines(), **USUAL_SIZES["river"]})
        ranges = rounded(reach[0]), rounded(reach[1])
        if min(float((one.weights > 0).sum()) for one in ranges) < 30:
            continue
        seen.add((node.line, card))
        try:
            spot = replace(spot, pot=node.pot, stack=stack, ranges=ranges)
        except BadInput:
            continue
        yield {
            "seats": SEATS[preset.name],
            "story": preset.title,
            "turn": node.line,
            **decisions_of(spot, rng, RIVER_GAP),
        }


def asked_turn(number: int) -> Iterator[dict[str, Any]]:
    """Make a turn that is asked itself."""
    preset, board, rng = deal(FIRST_ASKED_TURN + number)
    spot = spot_of(board, preset.lines() | TURN_SIZES)
    ranges = rounded(spot.ranges[0].weights), rounded(spot.ranges[1].weights)
    yield {
        "seats": SEATS[preset.name],
        "story": preset.title,
        **decisions_of(replace(spot, ranges=ranges), rng, ASKED_TURN_GAP),
    }


def solved(spot: Spot, schedule: DiscountSchedule, gap: float) -> SpotSolution:
    """Solve a spot by a schedule."""
    solution = begun(SpotSolver(spot, threads=1, schedule=schedule))
    return resume(solution, gap_percent=gap, iterations=ITERATIONS)


def decisions_of(spot: Spot, rng: np.random.Generator, gap: float) -> dict[str, Any]:
    """Solve a spot twice and return the points of its first street with what was found."""
    first, second = (solved(spot, schedule, gap) for schedule in SCHEDULES)
    all_pairs = pairs_at(first.node(""))
    points = []

    def walk(line: str) -> None:
        node = first.node(line)
        if node.kind is not Ends.DECISION or pairs_at(node) < LEAST_CHANCE * all_pairs:
            return
        if len(node.actions) > 1:
            points.append(point_of(node, second.node(line), all_pairs, rng))
        for action in node.actions:
            walk(f"{line} {action}".strip())

    walk("")
    return {
        "spot": str(spot),
        "gap": [round(solution.gap_percent_of_pot, 4) for solution in (first, second)],
        "points": [point for point in points if point["decisions"]],
    }


def point_of(
    node: SpotNode,
    again: SpotNode,
    all_pairs: float,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Return a point: its actions, the other's range, and some holdings with their values."""
    player = node.player
    errors = APART * np.abs(node.losses - again.losses) + MARGIN * node.pot
    weights = np.nan_to_num(node.reach[player] * node.met[player])
    weights[node.reach[player] < LEAST_REACH * node.reach[player].max()] = 0
    weights[~np.isfinite(node.action_values).all(axis=0)] = 0
    weights[~np.isfinite(errors).all(axis=0)] = 0
    losses = np.sort(np.nan_to_num(node.losses), axis=0)[1]
    matters = (losses > 0.01 * node.pot) & (losses < 0.35 * node.pot)
    chosen: dict[int, None] = {}
    for count, of in ((CLOSE, weights * matters), (OFTEN, weights)):
        left = of.copy()
        left[list(chosen)] = 0
        some = min(count, int((left > 0).sum()))
        if some:
            chosen |= dict.fromkeys(rng.choice(len(left), some, False, left / left.sum()).tolist())
    other = np.bincount(CLASS_OF_HOLDING, node.reach[1 - player], minlength=169)
    most = np.bincount(CLASS_OF_HOLDING, minlength=169)
    return {
        "line": node.line,
        "player": player,
        "pot": node.pot,
        "paid": list(node.paid),
        "chance": round(pairs_at(node) / all_pairs, 3),
        "actions": list(map(str, node.actions)),
        "other": np.rint(100 * other / most).astype(int).tolist(),
        "decisions": [
            [
                format_holding(Holding(holding)),
                np.rint(node.action_values[:, holding] / UNIT).astype(int).tolist(),
                np.ceil(errors[:, holding] / UNIT).astype(int).tolist(),
                np.rint(100 * node.strategy[holding]).astype(int).tolist(),
            ]
            for holding in sorted(chosen)
        ],
    }


def make(
    folder: Path, count: int, name: str, spots_of: Callable[[int], Iterator[dict[str, Any]]]
) -> None:
    """Make what is not there yet of so many deals."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        path = folder / f"{name}{number:04}.json"
        if path.exists():
            continue
        began, cpu = time.monotonic(), time.process_time()
        spots = list(spots_of(number))
        replace_files({path: json.dumps(spots, separators=(",", ":")).encode("ascii")})
        seconds = time.monotonic() - began
        say(path.name, len(spots), f"{seconds:.0f} s, {time.process_time() - cpu:.1f} of CPU")


def pack(folder: Path, path: Path) -> None:
    """Add all spots to a file, the same bytes for the same spots."""
    spots = {
        f"{made.stem}-{place}": spot
        for made in folder.glob("*.json")
        for place, spot in enumerate(json.loads(made.read_text("ascii")))
        if spot["points"]
    }
    if path.exists():
        with zipfile.ZipFile(path) as archive:
            names = (name for name in archive.namelist() if name != "index")
            spots = {name: json.loads(archive.read(name)) for name in names} | spots
    spots = dict(sorted(spots.items()))
    counts = {
        name: [len(point["decisions"]) for point in spot["points"]] for name, spot in spots.items()
    }
    puzzles = [
        puzzle
        for name, points in counts.items()
        for point, count in enumerate(points)
        for puzzle in puzzle_at(name, spots[name], point, count)
    ]
    index = {
        "rivers": {name: points for name, points in counts.items() if "turn" in spots[name]},
        "turns": {name: points for name, points in counts.items() if "turn" not in spots[name]},
        "puzzles": puzzles,
    }
    with atomic_write(path) as part, zipfile.ZipFile(part, "w") as archive:
        for name, content in {"index": index, **spots}.items():
            text = json.dumps(content, separators=(",", ":"))
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            archive.writestr(info, text, zipfile.ZIP_DEFLATED, 9)
    decisions = sum(map(sum, counts.values()))
    size = path.stat().st_size
    kinds = f"{len(index['rivers'])} rivers, {len(index['turns'])} turns,"
    say(kinds, decisions, "decisions,", len(puzzles), "puzzles,", size, "bytes")


def puzzle_at(name: str, spot: dict[str, Any], point: int, count: int) -> list[str]:
    """Return the name of a point's puzzle, if it has any: neither its dearest nor its cheapest."""
    decisions = [
        stored_decision(f"{name}.{point}.{holding}", spot, point, holding)
        for holding in range(count)
    ]
    puzzles = sorted(
        (decision for decision in decisions if decision.is_puzzle),
        key=lambda decision: decision.second,
    )
    return [puzzles[len(puzzles) // 2].name] if puzzles else []


def check(path: Path, count: int, start: str = "") -> None:
    """Solve some spots anew, and say how many of all costs are where the file says."""
    rng = np.random.default_rng(SEED)
    inside = total = clear = wrong = 0
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name != "index" and name.startswith(start)]
        for name in rng.choice(names, min(count, len(names)), replace=False):
            spot = json.loads(archive.read(name))
            gap = (RIVER_GAP if "turn" in spot else ASKED_TURN_GAP) / 4
            solution = solved(Spot.parse(spot["spot"]), DiscountSchedule(1.35), gap)
            for point in spot["points"]:
                node = solution.node(point["line"])
                for text, values, errors, _ in point["decisions"]:
                    holding = int(Range.parse(text).weights.argmax())
                    costs = (max(values) - np.array(values)) * UNIT
                    off = np.abs(node.losses[:, holding] - costs)
                    held = np.array(errors) * UNIT
                    inside += int((off <= held + UNIT).sum())
                    total += len(values)
                    sure = costs >= 3 * held
                    clear += int(sure.sum())
                    wrong += int((sure & (node.losses[:, holding] <= 0)).sum())
            say(name, f"{inside} of {total} costs inside, {wrong} of {clear} clear ones wrong")


def say(*words: object) -> None:
    """Print a line at once."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", folder, turns]:
            make(Path(folder), int(turns), "", rivers_of)
        case ["turns", folder, count]:
            make(Path(folder), int(count), "t", asked_turn)
        case ["pack", folder, file]:
            pack(Path(folder), Path(file))
        case ["check", file, count, *start]:
            check(Path(file), int(count), *start[:1])
        case _:
            raise SystemExit(__doc__)
