"""Buy-ins and finishes that the hands of PokerStars' tournaments tell beside the play.

They are complete for the player whose log it is, whose cards it shows. Of others it tells those
finishes alone that it saw, a selected sample, which is left out. Rebuys, add-ons, and entries won
instead of money are not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Final

from railbird.histories.files import LogFile, logs_in

_MARK: Final = "Tournament #"
_AMOUNT: Final = r"[0-9][0-9,]{0,12}(?:\.[0-9]{1,2})?"
_HEADER: Final = re.compile(
    rf"\ufeff?PokerStars (?:Home Game )?(?:Game|Hand) #([0-9]{{1,18}}):\s+(?:\{{[^}}]*\}}\s+)?"
    rf"Tournament #([0-9]{{1,18}}), ([$€£])({_AMOUNT}(?:\+[$€£]?{_AMOUNT}){{0,2}})[ ,].*"
)
_ANY_HEADER: Final = re.compile(r"\ufeff?PokerStars .*(?:Game|Hand) #[0-9]{1,18}:.*")
_DEALT: Final = re.compile(r"Dealt to (.{1,60}) \[[^\[\]]{1,20}\]")
_FINISH: Final = re.compile(
    rf"(.{{1,60}}) finished the tournament(?: in ([0-9]{{1,6}})(?:st|nd|rd|th) place)?"
    rf"(?: and received [$€£]({_AMOUNT}))?\.?"
)
_WIN: Final = re.compile(
    rf"(.{{1,60}}) wins the tournament(?: and receives [$€£]({_AMOUNT}))?(?: - congratulations!)?"
)
_BOUNTY: Final = re.compile(
    rf"(.{{1,60}}) wins (?:the )?[$€£]({_AMOUNT})(?: bounty)? for eliminating .+"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A player's entry in a tournament."""

    tournament: int
    player: str
    currency: str
    buy_in: Fraction
    """With the fee and the bounty."""
    prize: Fraction
    """With bounties."""
    place: int | None
    """None if not told."""
    finished: bool
    """False if the hands do not tell how it ended, and so not what it brought."""


def entries_of(sources: Iterable[str | Path]) -> list[Entry]:
    """Read the entries in all tournaments for money in logs, folders or zip archives of logs.

    Only of players to whom cards were dealt openly, who are those that wrote the logs.
    A player who finishes a tournament twice has entered it twice. Hands given again count once.
    """
    reader = _Reader()
    for source in sources:
        for log in logs_in(source):
            if isinstance(log, LogFile) and any(_MARK in line for line in log.head):
                reader.read(log.lines())
    return list(reader.entries())


@dataclass(slots=True)
class _Told:
    """What hands tell of a player in a tournament."""

    bounties: Fraction = Fraction(0)
    finishes: list[tuple[int | None, Fraction]] = field(default_factory=list)
    """Places and prizes."""


class _Reader:
    """Everything told so far; hands may come in any order."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._buy_in: dict[int, tuple[str, Fraction]] = {}
        self._told: dict[tuple[int, str], _Told] = {}

    def read(self, lines: Iterable[str]) -> None:
        current: int | None = None
        for line in map(str.rstrip, lines):
            if _ANY_HEADER.fullmatch(line):
                current = self._begin(line)
            elif current is not None:
                self._take(current, line)

    def entries(self) -> Iterator[Entry]:
        for (tournament, player), told in self._told.items():
            of = partial(Entry, tournament, player, *self._buy_in[tournament])
            if not told.finishes:
                yield of(told.bounties, None, False)
            # Which entry a bounty belongs to is not told; the first one has them all.
            for number, (place, prize) in enumerate(told.finishes):
                yield of(prize if number else prize + told.bounties, place, True)

    def _begin(self, line: str) -> int | None:
        """Return the tournament of a hand; None where nothing is to be read of it."""
        header = _HEADER.fullmatch(line)
        if header is None or (number := int(header[1])) in self._seen:
            return None
        self._seen.add(number)
        tournament, parts = int(header[2]), header[4].split("+")
        self._buy_in[tournament] = header[3], sum(map(_money, parts), Fraction(0))
        return tournament

    def _take(self, tournament: int, line: str) -> None:
        if dealt := _DEALT.fullmatch(line):
            self._told.setdefault((tournament, dealt[1]), _Told())
        elif bounty := _BOUNTY.fullmatch(line):
            if (told := self._told.get((tournament, bounty[1]))) is not None:
                told.bounties += _money(bounty[2])
        elif out := _FINISH.fullmatch(line):
            self._finish(tournament, out[1], int(out[2]) if out[2] else None, out[3])
        elif won := _WIN.fullmatch(line):
            self._finish(tournament, won[1], 1, won[2])

    def _finish(self, tournament: int, player: str, place: int | None, prize: str | None) -> None:
        if (told := self._told.get((tournament, player))) is not None:
            told.finishes.append((place, _money(prize) if prize else Fraction(0)))


def _money(text: str) -> Fraction:
    return Fraction(text.lstrip("$€£").replace(",", ""))
