"""Rounds in a CSV file: columns round, and perhaps wager, player and shoe."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from railbird.blackjack.play._tables_tokens import ACTION, MOST_TOKENS, OTHERS_DEAL
from railbird.blackjack.play.round import parse_round, round_text
from railbird.blackjack.play.simulation import LoggedRounds
from railbird.blackjack.rules import Rules
from railbird.blackjack.settings import MOST_ROUNDS, MOST_WAGER
from railbird.blackjack.shoe import Shoe, check_shoe, full_shoe, parse_shoe, shoe_text
from railbird.errors import BadInput, NothingUsable

COLUMNS: Final = ("round", "wager", "player", "shoe")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoundList:
    """The rounds of one player."""

    tokens: npt.NDArray[np.int8]
    before: Shoe
    wagers: npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RoundsRead:
    """Rounds by player, and what was skipped by reason with the first line."""

    players: dict[str, RoundList]
    skipped: Counter[str]
    first_line: dict[str, int]


def read_rounds(lines: Iterable[str], rules: Rules) -> RoundsRead:
    """Read a CSV file; a line that does not follow the rules is skipped and counted.

    A wager that is not given is 1, a shoe that is not given is full. Raises `NothingUsable` for a
    file without a column ``round``.
    """
    reader = csv.DictReader(lines)
    if "round" not in (reader.fieldnames or ()):
        raise NothingUsable("no column 'round'; allowed: round, wager, player, shoe")
    rows: dict[str, list[tuple[list[int], Shoe, float]]] = {}
    skipped: Counter[str] = Counter()
    first_line: dict[str, int] = {}
    for row in _rows(reader):
        try:
            tokens, shoe, wager = _round(row, rules)
        except BadInput as problem:
            reason = str(problem).partition(":")[0]
            skipped[reason] += 1
            first_line.setdefault(reason, reader.line_num)
            continue
        rows.setdefault((row.get("player") or "").strip() or "player", []).append(
            (tokens, shoe, wager)
        )
    players = {
        name: RoundList(
            tokens=np.array(
                [tokens + [-1] * (MOST_TOKENS - len(tokens)) for tokens, _, _ in of], np.int8
            ),
            before=np.array([shoe for _, shoe, _ in of]),
            wagers=np.array([wager for _, _, wager in of]),
        )
        for name, of in rows.items()
    }
    return RoundsRead(players=players, skipped=skipped, first_line=first_line)


def write_rounds(players: Sequence[tuple[str, LoggedRounds]]) -> str:
    """Write rounds as `read_rounds` reads them; those that a player sat out are left out."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for name, of in players:
        for tokens, before, wager in zip(of.tokens, of.before, of.wagers, strict=True):
            if wager > 0:
                events = tokens[: int(np.argmax(tokens < 0))].tolist()
                writer.writerow([round_text(events), f"{wager:g}", name, shoe_text(before)])
    return text.getvalue()


def _rows(reader: csv.DictReader[str]) -> Iterator[dict[str, str]]:
    try:
        for count, row in enumerate(reader):
            if count >= MOST_ROUNDS:
                raise NothingUsable(f"more than {MOST_ROUNDS:,} rounds")
            yield row
    except csv.Error as problem:
        raise NothingUsable(f"line {reader.line_num}: {problem}") from None


def _round(row: dict[str, str], rules: Rules) -> tuple[list[int], Shoe, float]:
    played = parse_round(row["round"] or "", rules)
    shoe = parse_shoe(row["shoe"]) if row.get("shoe") else full_shoe(rules)
    cards = [token % ACTION for token in played.tokens if not ACTION <= token < OTHERS_DEAL]
    used = np.bincount(cards, minlength=len(shoe))
    check_shoe(shoe, rules)
    if rules.decks and (shoe < used).any():
        raise BadInput("more cards than the shoe has")
    try:
        wager = float(row.get("wager") or 1)
    except ValueError:
        raise BadInput("a wager that is no number") from None
    if not 0 < wager <= MOST_WAGER:
        raise BadInput("a wager out of range")
    return played.tokens, shoe, wager
