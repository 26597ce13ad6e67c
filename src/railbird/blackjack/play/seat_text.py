"""Seats as text: ``basic``, ``optimal``, ``basic:count=hi-lo,index,bets=1:2/2:4/3:8``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from railbird.blackjack.chart import HARD, PAIRS, ROWS, SOFT_ROWS, UPCARDS, Chart, source_chart
from railbird.blackjack.exact.strategy import (
    Strategy,
    basic_strategy,
    optimal_strategy,
    strategy_of_chart,
)
from railbird.blackjack.play.counting import counted_strategies, insurance_index, parse_system
from railbird.blackjack.play.simulation import Seat
from railbird.blackjack.rules import Rules, Soft17
from railbird.errors import BadInput, unknown_name
from railbird.progress import Progress


def _mimic(rules: Rules) -> Strategy:
    """The dealer's own play: no double, no split."""
    hits_18 = "H" if rules.soft_17 is Soft17.HIT else "S"
    hard = {row: "H" if int(row) < 17 else "S" for row in HARD}
    soft = {row: "H" if int(row[2]) < 6 else hits_18 if row == "A,6" else "S" for row in SOFT_ROWS}
    pairs = {row: _plain_pair(row, hard) for row in PAIRS}
    return strategy_of_chart("mimic", rules, _same(hard | soft | pairs))


def _never_bust(rules: Rules) -> Strategy:
    """No card to a hand that it could bust; no double, no split."""
    hard = {row: "H" if int(row) < 12 else "S" for row in HARD}
    soft = {row: "H" if int(row[2]) < 7 else "S" for row in SOFT_ROWS}
    pairs = {row: _plain_pair(row, hard) for row in PAIRS}
    return strategy_of_chart("never-bust", rules, _same(hard | soft | pairs))


def _plain_pair(row: str, hard: dict[str, str]) -> str:
    if row == "A,A":
        return "H"
    value = 10 if row == "T,T" else int(row[0])
    return hard.get(str(2 * value), "H")


def _same(cells: dict[str, str]) -> Chart:
    return {row: dict.fromkeys(UPCARDS, cell) for row, cell in cells.items()}


STRATEGIES: Final[dict[str, Callable[[Rules], Strategy]]] = {
    "basic": basic_strategy,
    "optimal": optimal_strategy,
    "source": lambda rules: strategy_of_chart("source", rules, source_chart()),
    "mimic": _mimic,
    "never-bust": _never_bust,
}
"""Strategies by name: the best by total, by cards, Kan's table, the dealer's, the timid one."""


def parse_strategy(text: str, rules: Rules) -> Strategy:
    """Return a strategy by its name, or from a chart in a CSV file. Raises `BadInput`."""
    if text in STRATEGIES:
        return STRATEGIES[text](rules)
    if text.lower().endswith(".csv"):
        return strategy_of_chart(Path(text).name, rules, read_chart(Path(text)))
    raise unknown_name("strategy", text, [*STRATEGIES, "FILE.csv"])


def read_chart(path: Path) -> Chart:
    """Read a chart as `railbird blackjack strategy --csv` writes it. Raises `BadInput`."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput(f"{path}: cannot be read: {problem}") from None
    rows: dict[str, dict[str, str]] = {}
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in line.replace('"', "").split(";" if ";" in line else ",")]
        row = cells[0].replace("-", ",")
        if row in ROWS:
            if len(cells) != len(UPCARDS) + 1:
                raise BadInput(f"{path}, line {number}: {len(cells) - 1} cells; allowed: 10")
            rows[row] = dict(zip(UPCARDS, cells[1:], strict=True))
        elif number > 1 and any(cells):
            raise BadInput(f"{path}, line {number}: row {cells[0]!r}; allowed: 5-20, A-2, 2-2 …")
    missing = [row for row in ROWS if row not in rows and row not in ("5", "6", "7", "20")]
    if missing:
        raise BadInput(f"{path}: no row {missing[0].replace(',', '-')!r}")
    return rows


def parse_seat(text: str, rules: Rules, *, progress: Progress | None = None) -> Seat:
    """Read a seat: a strategy, and perhaps how it counts and bets. Raises `BadInput`.

    ``count=SYSTEM`` counts, ``index`` plays what is best at the count, insurance included, and
    ``bets=1:2/3:8`` wagers 2 units from a count of 1 on and 8 from 3 on, otherwise 1.
    """
    name, _, options = text.partition(":")
    strategy = parse_strategy(name, rules)
    system, indexed, bets = None, False, None
    for option in filter(None, options.split(",")):
        key, _, value = option.partition("=")
        if key == "count":
            system = parse_system(value)
        elif option == "index":
            indexed = True
        elif key == "bets":
            bets = _bets(value)
        else:
            raise unknown_name("option of a seat", option, ["count=", "index", "bets="])
    if system is None and (indexed or bets):
        raise BadInput(f"{text}: no count; allowed: count=hi-lo with index and bets")
    if system is not None and not rules.decks:
        raise BadInput(f"{text}: decks=inf; allowed: a count of a finite shoe")
    by_count, insurance = None, None
    if indexed and system is not None:
        by_count = counted_strategies(rules, system, progress=progress)
        insurance = insurance_index(rules, system)
    return Seat(
        name=text,
        strategy=strategy,
        system=system,
        by_count=by_count,
        insurance=insurance,
        bets=bets,
    )


def _bets(text: str) -> dict[int, float]:
    bets: dict[int, float] = {}
    for step in text.split("/"):
        count, _, units = step.partition(":")
        try:
            bets[int(count)] = float(units)
        except ValueError:
            raise BadInput(f"bets={text}; allowed: counts and units such as 1:2/3:8") from None
        if not 0 <= bets[int(count)] <= 1e6 or abs(int(count)) > 20:
            raise BadInput(f"bets={text}; allowed: counts from -20 to 20, units from 0 to 1e6")
    return bets
