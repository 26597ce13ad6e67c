"""A process that solves spots or reads solutions, within limits, and ends with its server.

Its first line of standard input has the limits, ``{"memory", "memory_mb", "cpu_s", "nice"}``. Every
other line is a request, answered by a line of JSON:

- ``{"do": "lines", "spot", "name"}``: the lines of a spot as they are written here.
- ``{"do": "played", "text", "number", "street", "act"}``: a hand of a log as a spot.
- ``{"do": "size", "spot", "detail"}``: these lines and the size of the tree, the largest that fits
  or the one after ``detail`` steps; and the sizes of all trees, each with fewer details.
- ``{"do": "solve", "spot", "path", "gap", "iterations", "seconds", "store", "threads",
  "lines"}``: lines of ``progress``, the last one with ``ended``, then the result, which is in the
  file ``path``, with the points at ``lines``. If there is a file that ended before its gap, it is
  continued. ``{"do": "stop"}`` ends the solution as it is.
- ``{"do": "size_three", "spot"}``: the size of a spot of three players;
  ``{"do": "solve_three", "spot", "path", "gap", "iterations", "seconds", "threads"}``: the same as
  ``solve`` for it; ``{"do": "node_three", "path", "line"}``: a point of its solution.
- ``{"do": "open", "path"}``: the subject of an uploaded file, of two or three players.
- ``{"do": "close", "path"}``: gives the memory of a solution back.
- ``{"do": "export", "path", "out"}``: the solution without its river, as a file.
- ``{"do": "hands", "path", "out", "count"}``: a PHH file of hands played by a solution.
- ``{"do": "node", "path", "line"}``: a point of a solution; ``{"do": "cards", "path", "line"}``:
  that point for every card that can come.
- ``{"do": "compare", "path", "other", "line"}``: a solution beside another file, a solution or
  what another solver wrote.
- ``{"do": "train", "path", "line", "drill", "seed", "seat", "answers"}``: the decision of a person
  who plays against a solution after these answers, and what they cost.

A refusal is answered by ``problem``. All input of visitors is processed here, so that it can take
neither the server's memory nor its time.
"""

from __future__ import annotations

import _thread
import json
import math
import os
import queue
import signal
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from railbird._memory import trim_heap
from railbird._programs import WorkerChannel
from railbird.errors import BadInput, RailbirdError

if TYPE_CHECKING:
    from railbird.solve.spot import SpotNode, SpotSolution
    from railbird.solve.spot.three import ThreePoint, ThreeSolution, ThreeSolver
    from railbird.solve.spot.training import SpotQuestion, SpotTrainer

_MOST_TEXT = 1 << 18
"""Characters of the lines of a spot that is opened, for the server keeps them; two ranges of 1,326
different weights and two utilities are half as many."""
_WORTH = ("payouts", "other_stacks", "oop_utility", "ip_utility")
"""Lines of a spot that say what chips are worth."""


def main() -> None:
    """Answer line after line until standard input ends."""
    channel = WorkerChannel()
    limits = channel.begin()
    channel.say(ready=True)
    worker = _SpotWorker(limits["memory_mb"], channel)
    signal.signal(signal.SIGINT, worker.interrupt)
    threading.Thread(target=worker.listen, daemon=True).start()
    while True:
        worker.answer(worker.asked.get())


class _SpotWorker:
    def __init__(self, memory_mb: float, channel: WorkerChannel | None = None) -> None:
        self._channel = channel or WorkerChannel()
        self._memory_mb = memory_mb
        """Of the trees that are open."""
        self.asked: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._solving = False
        self._open: OrderedDict[tuple[str, int], SpotSolution] = OrderedDict()
        self._trained: tuple[SpotSolution, str, str, SpotTrainer] | None = None
        self._three: tuple[tuple[str, int], ThreeSolution] | None = None

    def listen(self) -> None:
        """Read requests in a thread; end the process when the server is gone."""
        for line in sys.stdin:
            asked = json.loads(line)
            if asked["do"] == "stop":
                self._stop()
            else:
                self.asked.put(asked)
        os._exit(0)

    def _stop(self) -> None:
        _thread.interrupt_main()

    def interrupt(self, *_: object) -> None:
        """End a search, once; anything else goes on."""
        if self._solving:
            self._solving = False
            raise KeyboardInterrupt

    def answer(self, asked: dict[str, Any]) -> None:
        """Carry out a request."""
        do = asked.pop("do")
        try:
            self._channel.say(**getattr(self, f"do_{do}")(**asked))
        except RailbirdError as problem:
            self._channel.refuse(problem, asked.get("path", ""))
        except MemoryError:
            self._open.clear()
            words = "this takes more memory than there is for it; use fewer sizes"
            self._channel.say(problem=words)
        except Exception:
            if do != "open":
                raise
            self._channel.say(problem="this cannot be read")  # somebody has made it up
        except KeyboardInterrupt:
            self._channel.say(problem="stopped before anything was found")

    def do_lines(self, spot: str, name: str) -> dict[str, Any]:
        """Return a spot as it is written here."""
        from railbird.solve.spot import Spot

        return {"spot": str(Spot.parse(spot, name=name))}

    def do_played(
        self, text: str, number: int | None, street: str, act: int | None = None
    ) -> dict[str, Any]:
        """Return a hand of a log as a spot; without a number, the first that is one."""
        return played_answer(text, number, street, act)

    def do_size(self, spot: str, detail: int | None = None) -> dict[str, Any]:
        """Return the size of a spot's tree, and those of the trees with fewer details."""
        from railbird.cards import format_cards
        from railbird.solve.spot import Spot, SpotSolver
        from railbird.solve.spot.fitting import cost_words, fitted_trees

        parsed = Spot.parse(spot)
        if parsed.locks:
            SpotSolver(parsed, threads=1).check_locks()
        trees = list(fitted_trees(parsed))
        fits = [number for number, tree in enumerate(trees) if tree.fits(self._memory_mb)]
        least = fits[0] if fits else len(trees) - 1
        chosen = least if detail is None else min(max(detail, least), len(trees) - 1)
        tree = trees[chosen]
        steps = [
            {
                "words": made.given_up[-1].words if made.given_up else "",
                "cost": cost_words(made.given_up[-1].cost) if made.given_up else "",
                "nodes": made.nodes,
                "numbers": made.numbers,
                "memory_mb": None if math.isinf(made.memory_mb) else made.memory_mb,
                "store": made.store,
                "left_out": made.left_out,
            }
            for made in trees
        ]
        return {
            **steps[chosen],
            "spot": str(tree.spot),
            "board": format_cards(parsed.board),
            "pot": parsed.pot,
            "stack": parsed.stack,
            "given_up": steps[1 : chosen + 1],
            "trees": steps,
            "least": least,
            "chosen": chosen,
        }

    def do_solve(
        self,
        spot: str,
        path: str,
        gap: float,
        iterations: int,
        seconds: float | None,
        store: int,
        threads: int | None,
        lines: Sequence[str],
    ) -> dict[str, Any]:
        """Solve a spot, or resume it; report the progress, and the points at some lines."""
        from railbird._threads import core_count
        from railbird.solve.spot import (
            Spot,
            SpotSolver,
            begun,
            check_boards,
            open_solution,
            resume,
            save_solution,
        )

        threads = core_count() if threads is None else threads
        with self._search(seconds) as report:

            def report_gap(solution: SpotSolution) -> None:
                report(solution.iterations, solution.gap_percent_of_pot)

            if Path(path).exists():
                solution = open_solution(Path(path), threads=threads)
            else:
                parsed = Spot.parse(spot)
                check_boards(parsed, self._memory_mb, store=store)
                solver = SpotSolver(parsed, threads=threads, store=store)
                solution = begun(solver, self._memory_mb)
                self._first_rounds(solution)
            if not solution.interrupted:
                most = solution.iterations + iterations
                solution = resume(
                    solution, gap_percent=gap, iterations=most, on_check=report_gap, keep=True
                )
        self._channel.say(progress=(solution.iterations, solution.gap_percent_of_pot), ended=True)
        save_solution(solution, Path(path), resumable=not solution.finished)
        solution.resumable = not solution.finished
        points = {}
        for line in lines:
            with suppress(BadInput):  # a line of a hand, which may not be in the tree
                points[line] = node_of(solution, line)
        return {**_facts(solution), "numbers": solution.solver.size().numbers, "points": points}

    @contextmanager
    def _search(self, seconds: float | None) -> Iterator[Callable[[int, float], None]]:
        """Let the server stop a search, or its time; yields what reports iterations and gap."""
        timer: threading.Timer | None = None

        def report(iterations: int, gap: float) -> None:
            nonlocal timer
            if timer is None and seconds is not None:  # compiling does not count
                timer = threading.Timer(seconds, self._stop)
                timer.daemon = True
                timer.start()
            self._channel.progress(iterations, gap)

        self._solving = True
        try:
            yield report
        finally:
            self._solving = False
            if timer is not None:
                timer.cancel()

    def do_size_three(self, spot: str) -> dict[str, Any]:
        """Return the size of a spot of three players. Raises `BadInput`."""
        from railbird.cards import format_cards
        from railbird.solve.spot.three import ThreeSolver, ThreeSpot, check_three_memory

        solver = ThreeSolver(ThreeSpot.parse(spot))
        check_three_memory(solver, self._memory_mb)
        board = format_cards(solver.spot.board)
        return solver.needs._asdict() | {"board": board, "pot": solver.spot.pot}

    def do_solve_three(
        self,
        spot: str,
        path: str,
        gap: float,
        iterations: int,
        seconds: float | None,
        threads: int | None,
    ) -> dict[str, Any]:
        """Solve a spot of three players as far as it goes; report the progress."""
        from railbird._threads import core_count
        from railbird.solve.spot.three import ThreeSolver, ThreeSpot, solve_three
        from railbird.solve.spot.three_files import save_three

        self._channel.progress(0, math.inf)
        solver = ThreeSolver(
            ThreeSpot.parse(spot), threads=core_count() if threads is None else threads
        )
        with self._search(seconds) as report:

            def report_gains(solution: ThreeSolution) -> None:
                report(solution.solver.iterations, solution.gap_percent)

            solution = solve_three(
                solver,
                gap_percent=gap,
                iterations=iterations,
                memory_mb=self._memory_mb,
                on_check=report_gains,
                keep=True,
            )
        self._channel.say(progress=(solution.solver.iterations, solution.gap_percent), ended=True)
        save_three(solution, Path(path))
        return _three_facts(solution) | {"finished": solution.gap_percent <= gap}

    def do_node_three(self, path: str, line: str) -> dict[str, Any]:
        """Return a point of a solution of three players, and how one comes there."""
        return three_node(self._three_solution(path).solver, line)

    def _three_solution(self, path: str) -> ThreeSolution:
        from railbird.solve.spot.three_files import open_three

        key = path, Path(path).stat().st_mtime_ns
        if self._three is None or self._three[0] != key:
            self._three = None
            self._three = key, open_three(Path(path), memory_mb=self._memory_mb)
        return self._three[1]

    def _first_rounds(self, solution: SpotSolution) -> None:
        """Do what comes before the first look at the gap one by one, and say so after each."""
        from railbird.solve.spot.solving import CHECK_EVERY

        solver = solution.solver
        try:
            while solver.iterations < CHECK_EVERY - 1:
                self._channel.progress(solver.iterations, math.inf)
                solver.run(1)
        except KeyboardInterrupt:
            if solver.iterations == 0:
                raise
            solution.gap, solution.interrupted = solver.gap(), True

    def do_close(self, path: str) -> dict[str, Any]:
        """Forget a solution, and give its memory back."""
        for key in [key for key in self._open if key[0] == path]:
            if self._trained is not None and self._trained[0] is self._open[key]:
                self._trained = None
            del self._open[key]
        if self._three is not None and self._three[0][0] == path:
            self._three = None
        trim_heap()
        return {}

    def do_open(self, path: str) -> dict[str, Any]:
        """Return what a file is about."""
        from railbird.solve.spot.files import solution_players
        from railbird.solve.spot.three import with_gains

        if solution_players(Path(path)) == _THREE:
            # Not what the file says of itself.
            of_three = with_gains(self._three_solution(path).solver)
            if len(str(of_three.solver.spot)) > _MOST_TEXT:
                raise BadInput("this spot has more lines than this page reads")
            return _three_facts(of_three)
        solution = self._solution(path)
        if len(str(solution.spot)) > _MOST_TEXT:
            raise BadInput("this spot has more lines than this page reads")
        if solution.solver.kept is None:
            solution.gap = solution.solver.gap()  # not what the file says
        return _facts(solution)

    def do_node(self, path: str, line: str) -> dict[str, Any]:
        """Return a point of a solution, and how one comes there."""
        return node_of(self._solution(path), line)

    def do_hands(self, path: str, out: str, count: int) -> dict[str, Any]:
        """Write hands that both play by a solution, as a PHH file."""
        from railbird.histories import write
        from railbird.solve.spot import deal_hands

        hands = deal_hands(self._solution(path), count, seed=1)
        return {"hands": write(hands, Path(out), format_name="phh").hands}

    def do_export(self, path: str, out: str) -> dict[str, Any]:
        """Write a solution without its river."""
        from railbird.solve.spot import save_solution

        save_solution(self._solution(path), Path(out), river=False)
        return {}

    def do_cards(self, path: str, line: str) -> dict[str, Any]:
        """Return what comes after each card."""
        return {"cards": run_outs_at(self._solution(path), line)}

    def do_compare(self, path: str, other: str, line: str) -> dict[str, Any]:
        """Return what another strategy is worth in a solution's tree, and where they part."""
        from railbird.solve.spot import comparison, exports, is_solution

        solution = self._solution(path)
        answer: dict[str, Any] = {"ev": solution.values(), "gap": solution.gap_percent_of_pot}
        if is_solution(other):
            second = self._solution(other)
            both = comparison.compare_solutions(solution, second, memory_mb=self._memory_mb)
            placed, back, partings = both.second_in_first, both.first_in_second, both.partings
            answer |= {
                "form": "a solution",
                "inputs": [difference._asdict() for difference in both.inputs],
                "other": {"ev": second.values(), "gap": second.gap_percent_of_pot},
                "back": back and back._asdict(),
            }
        else:
            strategy = exports.read_export(Path(other), solution=solution, line=line)
            placed, turned = exports.compare_export(strategy, solution, memory_mb=self._memory_mb)
            partings = tuple(
                parting._replace(first=parting.second, second=parting.first) for parting in turned
            )
            answer |= {"form": strategy.form, "decisions": len(strategy.decisions)}
        return answer | {
            "placed": placed and placed._asdict(),
            "partings": [parting._asdict() for parting in partings[:_MOST_PARTINGS]],
        }

    def do_train(
        self, path: str, line: str, drill: str, seed: int, seat: int | None, answers: list[int]
    ) -> dict[str, Any]:
        """Return the next decision against a solution, and what those so far have cost."""
        import numpy as np

        from railbird.solve.spot.drills import Drill
        from railbird.solve.spot.training import SpotTrainer

        solution = self._solution(path)
        if self._trained is None or self._trained[:3] != (solution, line, drill):
            rng = np.random.default_rng(seed)
            trainer = SpotTrainer(solution, rng, line=line, drill=Drill.parse(drill))
            self._trained = solution, line, drill, trainer
        trainer = self._trained[3]
        trainer.restart(np.random.default_rng(seed))
        return training_at(trainer, seat, answers)

    def _solution(self, path: str) -> SpotSolution:
        from railbird.solve.spot import PreflopSpot, open_solution

        key = path, Path(path).stat().st_mtime_ns  # one that was gone on with is another
        if key not in self._open:
            try:
                opened = open_solution(Path(path), threads=1)
            except MemoryError:
                self._open.clear()
                opened = open_solution(Path(path), threads=1)
            if isinstance(opened.spot, PreflopSpot):
                raise BadInput(
                    "this game begins before the flop; railbird solve preflop-tree shows it"
                )
            if _megabytes(opened) > self._memory_mb:
                raise BadInput(f"a solution of {_megabytes(opened):,.0f} MB is too large here")
            self._open[key] = opened
            while sum(map(_megabytes, self._open.values())) > self._memory_mb:
                self._open.popitem(last=False)
                self._trained = None
        self._open.move_to_end(key)
        return self._open[key]


def _megabytes(solution: SpotSolution) -> float:
    """Return what reading a solution takes: averages alone; of a river that is left out none."""
    solver = solution.solver
    streets = solver.streets if solver.kept is None else solver.streets[:-1]
    return sum(street.numbers for street in streets) * solver.averages.itemsize / 2**20


def _facts(solution: SpotSolution) -> dict[str, Any]:
    from railbird.cards import format_cards
    from railbird.solve.spot.files import leaves_river
    from railbird.solve.spot.tree import left_out

    root, spot = solution.node(), solution.spot
    board = format_cards(spot.board)
    worth = [line for line in str(spot).splitlines() if line.startswith(_WORTH)]
    return {
        "players": 2,
        "spot": str(spot),
        "river": solution.solver.kept is None,
        "leaves_river": leaves_river(solution.solver),
        "resumable": solution.resumable,
        "left_out": left_out(solution.solver.forests),
        "board": board,
        "pot": spot.pot,
        "big_blind": spot.big_blind if spot.utilities is None else 0,
        "dealt": [board, spot.pot, spot.stack, *map(str, spot.ranges), *worth],
        "zero_sum": spot.is_zero_sum,
        "chips": spot.utilities is None,
        "prizes": bool(spot.utilities and spot.utilities[0].lines),
        "gap": solution.gap_percent_of_pot,
        "finished": solution.finished,
        "locked": bool(spot.locks),
        "iterations": solution.iterations,
        "cpu_s": solution.solver.cpu_s,
        "ev": solution.values(),
        "equity": solution.equity,
        "combinations": [weights.combinations for weights in spot.ranges],
        "first": dict(zip(map(str, root.actions), root.frequency().tolist(), strict=True)),
    }


def node_of(solution: SpotSolution, line: str) -> dict[str, Any]:
    """Return a point of a solution as JSON has it.

    ``path`` has the decisions and cards before it: the line up to there, who acts (-1 for a card),
    the actions, and which was taken. ``pairs`` of a row are those that its holding makes with the
    other's, by weight.
    """
    from railbird.cards import TEXT_OF_CARD, format_cards
    from railbird.solve.spot.tree import action_index, read_line

    node = solution.node(line)
    words: list[str] = []
    path: list[dict[str, Any]] = []
    at = solution.solver.forests[0].roots[0]
    for word in read_line(line):
        pot = solution.spot.pot + sum(at.paid)
        point = {"line": " ".join(words), "player": at.player, "actions": [], "pot": pot}
        if isinstance(word, int):
            words.append(TEXT_OF_CARD[word])
            path.append(point | {"player": -1, "taken": words[-1]})
            at = at.children[0]
        else:
            index = action_index(at, word, line)
            words.append(str(at.actions[index]))
            path.append(point | {"actions": [*map(str, at.actions)], "taken": words[-1]})
            at = at.children[index]
    both = {"ev": node.mean(node.values), "equity": node.mean(node.equity)}
    return {
        "line": " ".join(words),
        "path": path,
        "board": format_cards(node.board),
        "kind": node.kind.name.lower(),
        "player": node.player,
        "pot": node.pot,
        "paid": node.paid,
        "actions": [*map(str, node.actions)],
        "frequency": node.frequency().tolist() if node.actions else [],
        **{key: [_number(amount) for amount in value] for key, value in both.items()},
        "combinations": node.reach.sum(axis=1).tolist(),
        "realisation": [
            _number(ev / (node.pot * share)) if share > 0 else None
            for ev, share in zip(*both.values(), strict=True)
        ],
        "blockers": _blockers(node),
        "curves": {
            name: [[_number(at) for at in node.curve(of, player).tolist()] for player in range(2)]
            for name, of in (("ev", node.values), ("equity", node.equity))
        },
        "rows": [
            {key: _number(amount) for key, amount in row.items()} | {"pairs": _pairs_met(node, row)}
            for row in node.rows()
        ],
    }


def _pairs_met(node: SpotNode, row: Mapping[str, Any]) -> float:
    """Return the weight of the pairs that a row's holding makes with the other's."""
    from railbird.cards import parse_holding
    from railbird.solve.spot.spot import PLAYERS

    player, holding = PLAYERS.index(row["player"]), parse_holding(row["holding"])
    return round(float(node.reach[player, holding] * node.met[player, holding]), 5)


def _blockers(node: SpotNode) -> list[dict[str, Any]]:
    """Return by card how the frequency of each action changes if the other player has it."""
    from railbird.cards import TEXT_OF_CARD

    changes = node.blockers().tolist() if node.actions else []
    return [
        {"card": TEXT_OF_CARD[card], "changes": [_number(change) for change in row]}
        for card, row in enumerate(changes)
        if row[0] == row[0]
    ]


_THREE = 3


def _three_facts(solution: ThreeSolution) -> dict[str, Any]:
    from railbird.cards import format_cards

    solver = solution.solver
    return {
        "players": _THREE,
        "spot": str(solver.spot),
        "board": format_cards(solver.spot.board),
        "pot": solver.spot.pot,
        "iterations": solver.iterations,
        "gap": solution.gap_percent,
        "finished": True,
        "resumable": False,
        "leaves_river": False,
        "ev": solution.values,
        "gains": solution.gains,
    }


def three_node(solver: ThreeSolver, line: str) -> dict[str, Any]:
    """Return a point of a solution of three players as JSON has it, with each class of hands.

    ``path`` is as in `node_of`.
    """
    from railbird.cards import format_cards
    from railbird.solve.spot.three_kernels import DECISION, LATER

    words, places = solver.walk(line)
    path = []
    for number, (word, point_on_line) in enumerate(zip(words, places, strict=False)):
        path.append(
            {
                "line": " ".join(words[:number]),
                "player": point_on_line.node.seat,
                "actions": [*map(str, point_on_line.node.actions)],
                "pot": solver.spot.pot + sum(point_on_line.node.paid),
                "taken": word,
            }
        )
    node, board = places[-1].node, places[-1].board
    kinds = {DECISION: "decision", LATER: "later"}
    point: dict[str, Any] = {
        "line": " ".join(words),
        "path": path,
        "board": format_cards(board),
        "kind": kinds.get(node.kind, "fold" if sum(node.folded) == _THREE - 1 else "showdown"),
        "player": node.seat,
        "pot": solver.spot.pot + sum(node.paid),
        "actions": [*map(str, node.actions)],
        "frequency": [],
        "rows": [],
    }
    if node.kind == DECISION:
        decision = solver.at(line)
        point["frequency"] = [_number(share) for share in decision.frequency]
        point["rows"] = _three_rows(decision)
    return point


def _three_rows(point: ThreePoint) -> list[dict[str, Any]]:
    """Return what each class of hands does that comes to a decision."""
    import numpy as np

    from railbird.cards import CLASS_NAMES, CLASS_OF_HOLDING

    classes = CLASS_OF_HOLDING[point.holdings]
    rows = []
    for number in np.unique(classes[point.weights > 0]).tolist():
        here = (classes == number) & (point.weights > 0)
        known = here & np.isfinite(point.action_values).all(axis=0)
        share = point.weights * known
        total = float(share.sum())
        if total > 0:
            mix = point.strategy @ share / total
            values = np.nan_to_num(point.action_values) @ share / total
            rows.append(
                {
                    "name": CLASS_NAMES[number],
                    "reach": _number(float(point.weights[here].sum())),
                    "mix": [*map(_number, mix.tolist())],
                    "values": [*map(_number, values.tolist())],
                }
            )
    return rows


_MOST_PARTINGS = 40
"""Decisions at which two strategies part that are shown."""
_MOST_UNASKED = 500
"""Hands in a row in which one seat decides nothing."""


def training_at(trainer: SpotTrainer, seat: int | None, answers: Sequence[int]) -> dict[str, Any]:
    """Return where a person is who has given these answers, with seats by turns if none is said."""
    waiting, last_answer, ended = iter(answers), None, None
    finished = 0  # of the hands with a decision, which are those that a person sees
    for _ in range(len(answers) + _MOST_UNASKED):
        at = trainer.hands % 2 if seat is None else seat
        question = None
        for question in trainer.hand(at):
            answer = next(waiting, None)
            if answer is None:
                return {
                    "hand": finished + 1,
                    "question": _question(question),
                    "said": last_answer,
                    "ended": ended,
                    "decisions": _trained_rows(trainer),
                    "uncertainty": trainer.uncertainty,
                }
            question.decide(answer)
            last_answer, ended = _question(question) | {"taken": answer}, None
        if question is not None:
            from railbird.cards import format_holding

            finished += 1
            ended = {"line": trainer.last_line, "opponent": format_holding(question.opponent)}
    raise BadInput("one who plays from there never has to decide anything")


def _question(question: SpotQuestion) -> dict[str, Any]:
    from railbird.cards import format_cards, format_holding

    node = question.node
    return {
        "line": node.line,
        "player": node.player,
        "board": format_cards(node.board),
        "pot": node.pot,
        "holding": format_holding(question.holding),
        "actions": [*question.actions],
        "values": [_number(value) for value in question.values],
        "mix": [_number(chance) for chance in node.strategy[question.holding].tolist()],
    }


def _trained_rows(trainer: SpotTrainer) -> list[dict[str, Any]]:
    return [
        {
            "street": decision.street,
            "class": decision.made,
            "loss": decision.loss,
            "pot": decision.pot,
        }
        for decision in trainer.decisions
    ]


_MOST_HANDS = 2_000
"""Of a log that is pasted, among which one is looked for."""


def played_answer(
    text: str, number: int | None, street: str, act: int | None = None
) -> dict[str, Any]:
    """Return what `railbird.assessment.hand_spots.played_spot` does, as JSON has it."""
    from railbird import assessment
    from railbird.solve.spot.spot import PLAYERS

    played = assessment.hand_spots.played_spot(
        text.encode(), number=number, street=street or None, act=act, most=_MOST_HANDS
    )
    hand, opening = played.hand, played.opening
    return {
        "number": played.number,
        "streets": played.streets,
        "spot": hand.text,
        "street": hand.street,
        "players": hand.players,
        "line": opening.line,
        "holding": opening.holding and f"{PLAYERS[opening.player]} {opening.holding}",
        "act": opening.act,
        "decisions": [
            {
                "act": decision.act,
                "street": decision.street,
                "who": hand.players[decision.player],
                "holding": decision.holding,
                "action": decision.action,
                "is_own": decision in played.own,
            }
            for decision in played.decisions
        ],
        "played": hand.line,
        "big_blind": played.big_blind,
    }


def _number(value: Any) -> Any:
    """Return a number with the digits that a page needs; None for other values."""
    if isinstance(value, float):
        return round(value, 5) if value == value else None
    return value


def run_outs_at(solution: SpotSolution, line: str) -> list[dict[str, Any]]:
    """Return for each card that can come next the chance of actions, EV and equity."""
    from railbird.cards import DECK, TEXT_OF_CARD

    run_outs = []
    dealt_from = solution.node(line)
    for card in DECK:
        if card in dealt_from.board:
            continue
        node = solution.node(f"{line} {TEXT_OF_CARD[card]}")
        run_outs.append(
            {
                "card": TEXT_OF_CARD[card],
                "player": node.player,
                "actions": [*map(str, node.actions)],
                "frequency": node.frequency().tolist() if node.actions else [],
                "ev": [_number(ev) for ev in node.mean(node.values)],
                "equity": [_number(share) for share in node.mean(node.equity)],
            }
        )
    return run_outs


if __name__ == "__main__":
    main()
