"""The ledger of evaluations in any game as a table, for the terminal and the manual.

`match_document` says what one match was.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from railbird.arena.evaluations import AIVAT, LOCAL_RESPONSE, MONEY, Evaluation
from railbird.game import Rules
from railbird.histories import resolve_game
from railbird.report.document import Table
from railbird.report.number_format import TOO_FEW, number, signed

_METHODS: Final = {
    MONEY: "money",
    AIVAT: "AIVAT",
    LOCAL_RESPONSE: "local best response",
}
_HASH: Final = 8


def evaluations_table(evaluations: Iterable[Evaluation], *, title: str = "") -> Table:
    """Lay out a ledger, a row for each line; pages also say by which seed and source code."""
    rows = [
        (
            _named(line.player, line.player_hash),
            _named(line.opponent, line.opponent_hash),
            stack_text(resolve_game(line.game)),
            _METHODS.get(line.method, line.method),
            f"{line.deals:,}{'' if line.duplicate else ' single'}",
            str(line.seed),
            _won(line),
            line.made.date,
            line.commit or line.made.version,
        )
        for line in evaluations
    ]
    columns = (
        *("player", "against", "game", "by", "deals", "seed"),
        *("wins a hand", "date", "commit"),
    )
    return Table(columns, rows, title=title, page_only=("seed", "date", "commit"))


def stack_text(rules: Rules) -> str:
    """Return the stacks of a game in big blinds, or its betting where it has none."""
    if rules.stacks is None:
        return rules.betting.value
    return f"{min(rules.stacks) / rules.big_blind:g} big blinds"


def _named(spec: str, strategy_hash: str) -> str:
    return f"{spec} ({strategy_hash[:_HASH]})" if strategy_hash else spec


def _won(line: Evaluation) -> str:
    value = f"{signed(1000 * line.value, 0)}"
    if line.low is None or line.high is None:
        return f"{value} m{line.unit} ({TOO_FEW})"
    return f"{value} ± {number(500 * (line.high - line.low), 0)} m{line.unit}"
