"""The ledger of evaluations in any game as a table, for the terminal and the manual.

`match_document` says what one match was.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
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

_SURE: Final = 3.0
"""Standard errors beyond which somebody is said to be beaten."""
_FOLDING: Final = 0.75
"""Big blinds a hand that a player who always folds loses to one who always bets."""


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


def evaluations_words(evaluations: Iterable[Evaluation]) -> list[str]:
    """Say in sentences whom each player of a ledger beats, and how much responses win from it.

    Lines of a match with different seeds are taken together; of those with the same seed the last.
    """
    matches: dict[tuple[str, str], dict[str, dict[int, Evaluation]]] = {}
    responses: dict[tuple[str, str], dict[str, Evaluation]] = {}
    for line in evaluations:
        stacks = stack_text(resolve_game(line.game))
        who = (_named(line.player, line.player_hash), stacks)
        if line.method == LOCAL_RESPONSE:
            responses.setdefault(who, {})[line.opponent] = line
        elif line.method == AIVAT:
            matches.setdefault(who, {}).setdefault(line.opponent, {})[line.seed] = line
    return [
        *(_house_words(*who, against) for who, against in matches.items()),
        *(_response_words(*who, against) for who, against in responses.items()),
    ]


def _house_words(player: str, stacks: str, against: Mapping[str, Mapping[int, Evaluation]]) -> str:
    """Say whom a player beats."""
    beaten, undecided, lost_to = list[str](), list[str](), list[str]()
    for opponent, by_seed in against.items():
        lines = by_seed.values()
        deals = max(1, sum(line.deals for line in lines))
        won = sum(line.deals * line.value for line in lines) / deals
        error = math.sqrt(sum((line.deals * line.stderr) ** 2 for line in lines)) / deals
        names = undecided if abs(won) <= _SURE * error else beaten if won > 0 else lost_to
        names.append(f"{opponent} ({signed(1000 * won, 0)})")
    parts = {
        "it beats {} by more than three standard errors": beaten,
        "it loses to {} by more than three": lost_to,
        "with {} neither is shown": undecided,
    }
    said = "; ".join(words.format(", ".join(names)) for words, names in parts.items() if names)
    return f"{player}, {stacks}: {said}. Amounts are thousandths of a big blind a hand."


def _response_words(player: str, stacks: str, against: Mapping[str, Evaluation]) -> str:
    """Say what responses win, and the upper ends of their 95 % intervals."""
    parts = []
    for opponent, line in against.items():
        most = -line.value if line.low is None else -line.low
        parts.append(f"{opponent} {number(-1000 * line.value, 0)} (up to {number(1000 * most, 0)})")
    return (
        f"{player}, {stacks}: a local best response wins {'; '.join(parts)} thousandths a hand. "
        f"Who folds every hand loses {1000 * _FOLDING:g} to one who always bets."
    )
