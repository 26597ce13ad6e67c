"""Reads other solvers' strategies for heads-up no-limit spots into a solution's tree.

Three formats are read: the JSON of TexasSolver's ``dump_result``; a transcript of UPI, the text
protocol of PioSOLVER and others, with ``show_strategy`` and ``show_children``; and a table of one
decision with a column for each action, such as our own CSV. `railbird.solve.spot.comparison`
compares two of our own solutions.

TexasSolver's player 0 is in position, and its bets and raises are given as the chips that they add.
UPI names a node by the actions that lead to it, ``r:0:c:b50:c:Td``; its bets are all chips that a
player has put in since the start, and holdings come in the order of ``show_hand_order``, which is
ours.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from railbird.cards import CARD_OF_TEXT, HOLDINGS, TEXT_OF_CARD, parse_holding
from railbird.errors import BadInput
from railbird.progress import Progress
from railbird.solve.spot.comparison import Parting, PlacedStrategies, place_strategy
from railbird.solve.spot.solution import SpotSolution
from railbird.solve.spot.tree import ActKind, Ends, Node, SpotAction, action_index, read_line

MOST_BYTES: Final = 1 << 29
"""The largest file that is read; a flop's dump with its rivers has some hundred megabytes."""
_MOST_DECISIONS: Final = 2_000_000
_MOST_ACTIONS: Final = 32
_SUM: Final = 0.02
"""How far a mix may sum to other than 1, through rounding; it is then divided by its sum."""

Floats = npt.NDArray[np.float64]
Key = tuple[str, ...]
"""The steps to a decision: ``f``, ``c`` for a check or a call, ``b`` with the total put in on the
street, and cards."""


class ExportedDecision(NamedTuple):
    """A decision of an export."""

    actions: tuple[str, ...]
    """The actions, written as in `Key`."""
    mix: Floats
    """(1326, actions) probabilities; NaN for holdings that the export lacks."""


@dataclass(frozen=True, slots=True)
class ExportedStrategy:
    """The decisions in an export, of both players."""

    form: str
    """The program or format that it came from."""
    decisions: Mapping[Key, ExportedDecision]


def read_export(path: Path | str, *, solution: SpotSolution, line: str = "") -> ExportedStrategy:
    """Read an export in any format; ``line`` leads to a table's decision. Raises `BadInput`."""
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path}: more than {MOST_BYTES >> 20} MB")
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    try:
        return exported_strategy(text, solution=solution, line=line)
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None


def exported_strategy(text: str, *, solution: SpotSolution, line: str = "") -> ExportedStrategy:
    """Read the text of an export in any format. Raises `BadInput`."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("{"):
        strategy = ExportedStrategy("TexasSolver", dict(_texas(start)))
    elif re.search(r"^[>\s]*show_strategy\s", text, re.MULTILINE):
        strategy = ExportedStrategy("UPI", _upi(text))
    else:
        key, node, level = _place(solution, line)
        strategy = ExportedStrategy("table", {key: _table(start, node, level, solution.spot.pot)})
    if not any(np.isfinite(decision.mix).any() for decision in strategy.decisions.values()):
        raise BadInput(
            "no decision with a mix; allowed: TexasSolver's JSON, UPI with show_strategy, a table"
        )
    return strategy


# Mixes and amounts in all formats.


def _checked(rows: Floats) -> Floats:
    """Return mixes divided by their sums; rows that are no mix become NaN."""
    with np.errstate(invalid="ignore"):
        sums = rows.sum(axis=1, keepdims=True)
        is_mix = (rows >= 0).all(axis=1, keepdims=True) & (np.abs(sums - 1) <= _SUM)
    mixes: Floats = np.where(is_mix, rows / np.where(is_mix, sums, 1), np.nan)
    return mixes


def _amount(number: float) -> str:
    """Write a bet as in `Key`. Raises `BadInput`."""
    if not 0 < number < 1e12:
        raise BadInput(f"a bet of {number:g} chips")
    return f"b{number:.10g}"


def _number(text: Any) -> float:
    try:
        return float(text)
    except (TypeError, ValueError):
        raise BadInput(f"{str(text)[:20]!r} is no number") from None


# TexasSolver.


def _texas(text: str) -> Iterator[tuple[Key, ExportedDecision]]:
    try:
        root = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("its JSON is cut short or no JSON") from None
    waiting: list[_TexasPoint] = [_TexasPoint(root, (), (0.0, 0.0))]
    count = 0
    while waiting:
        point = waiting.pop()
        if not isinstance(point.node, dict):
            raise BadInput(f"no node after {point.words}")
        cards, strategy = point.node.get("dealcards"), point.node.get("strategy")
        if isinstance(cards, dict):
            for card, child in cards.items():
                if card not in CARD_OF_TEXT:
                    raise BadInput(f"{str(card)[:20]!r} is no card")
                waiting.append(_TexasPoint(child, (*point.key, card), (0.0, 0.0)))
        elif isinstance(strategy, dict):  # else the end of the hand, or of what was dumped
            count += 1
            if count > _MOST_DECISIONS:
                raise BadInput(f"more than {_MOST_DECISIONS:,} decisions")
            decision, after = _texas_decision(point, strategy)
            yield point.key, decision
            waiting += after


class _TexasPoint(NamedTuple):
    """A node of a dump, and what both, the first to act first, have put in on its street."""

    node: Any
    key: Key
    paid: tuple[float, float]

    @property
    def words(self) -> str:
        """The steps to it, for an error message."""
        return " ".join(self.key) or "the start"


def _texas_decision(
    point: _TexasPoint, strategy: Mapping[str, Any]
) -> tuple[ExportedDecision, list[_TexasPoint]]:
    """Return a decision, and the nodes after those of its actions that were dumped."""
    names, player = strategy.get("actions"), point.node.get("player")
    if not isinstance(names, list) or len(names) > _MOST_ACTIONS or player not in (0, 1):
        raise BadInput(f"no actions or player after {point.words}")
    seat = 1 - int(player)  # 0 in position there, 1 here
    actions = [_texas_action(name, point.paid[seat]) for name in names]
    children = point.node.get("childrens")
    after = []
    for name, action in zip(names, actions, strict=True):
        child = children.get(name) if isinstance(children, dict) else None
        paid = [*point.paid]
        if action[0] == "b":
            paid[seat] = float(action[1:])
        if child is not None:
            after.append(_TexasPoint(child, (*point.key, action), (paid[0], paid[1])))
    return ExportedDecision(tuple(actions), _texas_mix(strategy, len(names))), after


def _texas_action(name: Any, paid: float) -> str:
    word, _, amount = str(name).partition(" ")
    match word.upper():
        case "FOLD":
            return "f"
        case "CHECK" | "CALL":
            return "c"
        case "BET" | "RAISE" | "ALLIN":
            return _amount(paid + _number(amount))
    raise BadInput(f"{str(name)[:20]!r} is no action")


def _texas_mix(strategy: Mapping[str, Any], actions: int) -> Floats:
    of_hands = strategy.get("strategy")
    rows = np.full((HOLDINGS, actions), np.nan)
    if not isinstance(of_hands, dict):
        raise BadInput("a decision without its hands")
    for hand, chances in of_hands.items():
        if not isinstance(chances, list) or len(chances) != actions:
            raise BadInput(f"{str(hand)[:20]!r} has another number of actions")
        rows[_holding(hand)] = [_number(chance) for chance in chances]
    return _checked(rows)


def _holding(text: Any) -> int:
    try:
        return int(parse_holding(str(text)[:8].strip()))
    except (BadInput, ValueError):
        raise BadInput(f"{str(text)[:20]!r} is no hand; such as AhKd") from None


# UPI.

_COMMAND: Final = re.compile(r"[>\s]*(show_\w+)\b\s*(.*)")
_WORD: Final = re.compile(r"f|c|b\d{1,12}|[2-9TJQKA][cdhs]")


@dataclass(slots=True)
class _UpiSession:
    """Collects the answers of a session."""

    order: npt.NDArray[np.int64] = field(default_factory=lambda: np.arange(HOLDINGS))
    children: dict[str, list[str]] = field(default_factory=dict)
    rows: dict[str, list[Floats]] = field(default_factory=dict)

    def hear(self, command: str, node: str, words: list[str]) -> None:
        """Take a line of the answer to a command about a node."""
        match command:
            case "show_hand_order" if len(words) == HOLDINGS:
                self.order = np.array([_holding(word) for word in words])
                if len(set(self.order.tolist())) != HOLDINGS:
                    raise BadInput("show_hand_order: a hand twice")
            case "show_children":
                known = self.children.setdefault(node, [])
                for word in words:
                    before, _, last = word.rpartition(":")
                    is_child = before == node and _WORD.fullmatch(last) and last not in known
                    if is_child and len(known) < _MOST_ACTIONS:
                        known.append(last)
            case "show_strategy" if len(words) == HOLDINGS and len(self.rows) < _MOST_DECISIONS:
                rows = self.rows.setdefault(node, [])
                if len(rows) < _MOST_ACTIONS:
                    rows.append(np.array([_number(word) for word in words]))


def _upi(text: str) -> dict[Key, ExportedDecision]:
    session, command, node = _UpiSession(), "", ""
    for line in text.splitlines():
        asked = _COMMAND.match(line)
        if asked is not None:
            command, node = asked[1], asked[2].strip()
        elif line.strip() == "END":
            command = ""
        else:
            session.hear(command, node, line.split())
    decisions = {}
    for node, rows in session.rows.items():
        words = session.children.get(node, [])
        if len(words) != len(rows):
            raise BadInput(
                f"show_strategy {node[:40]} has {len(rows)} actions and show_children {len(words)}"
            )
        mix = np.full((HOLDINGS, len(rows)), np.nan)
        mix[session.order] = np.array(rows).T
        key, base = _upi_key(node)
        actions = [_amount(float(word[1:]) - base) if word[0] == "b" else word for word in words]
        decisions[key] = ExportedDecision(tuple(actions), _checked(mix))
    return decisions


def _upi_key(node: str) -> tuple[Key, float]:
    """Return the key of a node, and what each player had put in when its street began."""
    root, zero, *words = node.split(":")
    if (root, zero) != ("r", "0") or not all(map(_WORD.fullmatch, words)):
        raise BadInput(f"{node[:40]!r} is no node; such as r:0:c:b50")
    base = most = 0.0
    key = []
    for word in words:
        if word in CARD_OF_TEXT:
            base = most
            key.append(word)
        elif word[0] == "b":
            most = float(word[1:])
            key.append(_amount(most - base))
        else:
            key.append(word)
    return tuple(key), base


# A table of one decision.

_HANDS: Final = ("holding", "hand", "combo", "hands", "cards")
_COLUMN: Final = re.compile(
    r"(?:(?P<passive>fold|check|call)|(?:bet|raise(?: to)?|(?P<all>all-?in))"
    r"\s*(?:(?P<amount>\d{1,12}(?:\.\d{1,9})?)\s*(?P<percent>%)?|(?(all)|(?!))))(?:\s+(?:%|freq(?:uency)?))?",
    re.IGNORECASE,
)
_PERCENT: Final = 100
_ROUNDING: Final = 0.51
"""Chips by which a bet may differ through rounding."""


def _place(solution: SpotSolution, line: str) -> tuple[Key, Node, int]:
    """Return the key of a line, its decision, and the highest bet there. Raises `BadInput`."""
    node, key, base = solution.start().node, list[str](), 0
    for word in read_line(line):
        if isinstance(word, int):
            key.append(TEXT_OF_CARD[word])
            if node.kind is not Ends.LATER:
                raise BadInput(f"a card in {line!r} where none is dealt")
            node, base = node.children[0], node.paid[0]
        else:
            if node.kind is not Ends.DECISION:
                raise BadInput(f"{word} in {line!r} where nobody acts")
            key.append(_word(node.actions[action_index(node, word, line)]))
            node = node.children[action_index(node, word, line)]
    if node.kind is not Ends.DECISION:
        raise BadInput(f"nobody acts after {line!r}")
    return tuple(key), node, max(node.paid) - base


def _word(action: SpotAction) -> str:
    """Write one of our actions as in `Key`."""
    if action.act is ActKind.FOLD:
        return "f"
    return f"b{action.amount}" if action.amount else "c"


def _table(text: str, node: Node, level: int, pot: int) -> ExportedDecision:
    rows = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    try:
        header = [cell.strip() for cell in next(rows, [])]
        hand = next((k for k, cell in enumerate(header) if cell.lower() in _HANDS), None)
        columns = {k: match for k, cell in enumerate(header) if (match := _COLUMN.fullmatch(cell))}
        if hand is None or not 0 < len(columns) <= _MOST_ACTIONS:
            raise BadInput("no column of hands, or none of an action such as check or bet 50")
        mix = np.full((HOLDINGS, len(columns)), np.nan)
        for row in rows:
            cells = [row[k].strip().rstrip("%") if k < len(row) else "" for k in columns]
            if hand < len(row) and all(cells):
                mix[_holding(row[hand])] = [_number(cell) for cell in cells]
    except csv.Error:
        raise BadInput("neither a table nor an export of another solver") from None
    if np.nanmax(mix, initial=0) > 1 + _SUM:
        mix /= _PERCENT
    return ExportedDecision(
        tuple(_column_action(match, node, level, pot) for match in columns.values()), _checked(mix)
    )


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _column_action(match: re.Match[str], node: Node, level: int, pot: int) -> str:
    """Return a column's action as in `Key`; ``level`` is the highest bet of the street.

    Raises `BadInput` for a word that is no action at this decision.
    """
    if word := match["passive"]:
        is_bet = any(action.act is ActKind.FOLD for action in node.actions)
        if (word.lower() == "check") is is_bet:
            where = "somebody has bet" if is_bet else "nobody has bet"
            raise BadInput(f"a column {word!r} where {where}; --line says whose decision it is")
        return "f" if word.lower() == "fold" else "c"
    if not match["amount"]:
        return _amount(next((a.amount for a in node.actions if a.act is ActKind.ALL_IN), 0))
    amount = float(match["amount"])
    if match["percent"]:
        amount = level + amount / _PERCENT * (pot + 2 * max(node.paid))
    return _amount(amount)


# The export in the tree of a solution.


@dataclass(frozen=True, slots=True)
class _Export:
    """An export as `comparison.StrategySource`; handles are keys."""

    decisions: Mapping[Key, ExportedDecision]
    known: frozenset[Key]
    """The keys of decisions, and all their beginnings."""

    def start(self) -> Key | None:
        return self._if_known(())

    def actions(self, handle: Key, node: Node) -> Sequence[SpotAction] | None:
        decision = self.decisions.get(handle)
        return decision and [_ours(word, node) for word in decision.actions]

    def mix(self, handle: Key, level: int, board: int, held: npt.NDArray[np.int16]) -> Floats:
        return self.decisions[handle].mix[held]

    def after(self, handle: Key, action: int) -> Key | None:
        return self._if_known((*handle, self.decisions[handle].actions[action]))

    def beyond(self, handle: Key, action: SpotAction) -> Key | None:
        return self._if_known((*handle, _word(action)))

    def dealt(self, handle: Key, card: int) -> Key | None:
        return self._if_known((*handle, TEXT_OF_CARD[card]))

    def _if_known(self, key: Key) -> Key | None:
        return key if key in self.known else None


def _ours(word: str, node: Node) -> SpotAction:
    """Return an export's action as our tree has it, or as it would be written."""
    if word == "f":
        return SpotAction(ActKind.FOLD)
    is_bet = any(action.act is ActKind.FOLD for action in node.actions)
    if word == "c":
        return SpotAction(ActKind.CALL if is_bet else ActKind.CHECK)
    amount = float(word[1:])
    for action in node.actions:
        if action.amount and abs(action.amount - amount) <= _ROUNDING:
            return action
    return SpotAction(ActKind.RAISE if is_bet else ActKind.BET, max(1, round(amount)))


def compare_export(
    strategy: ExportedStrategy,
    solution: SpotSolution,
    *,
    memory_mb: float | None = None,
    progress: Progress | None = None,
) -> tuple[PlacedStrategies, tuple[Parting, ...]]:
    """Place an export in a solution's tree; return its values there and where they differ.

    Decisions that the export lacks are played by the solution. Raises `BadInput` if none of its
    decisions is in this tree, for a solution whose values are prizes rather than chips, and the
    errors of `comparison.place_strategy`.
    """
    if solution.spot.utilities is not None:
        raise BadInput("a solution for prizes; allowed: one for chips, as other programs have them")
    known: set[Key] = set()
    for key in strategy.decisions:
        known.update(key[:end] for end in range(len(key) + 1))
    source = _Export(strategy.decisions, frozenset(known))
    placed, partings = place_strategy(source, solution, memory_mb=memory_mb, progress=progress)
    if not partings:
        raise BadInput("none of its decisions is in this tree: another board, start or sizes")
    return placed, partings
