"""What players won in a hand that was refused, by the words of its text alone.

Hands run twice, sold to the house or with money dropped on the table are refused because the engine
cannot replay them. They are the largest pots, so results without them are those of a selected
sample. The amounts that the text itself gives as put in, returned and collected still add up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from railbird.histories.record import BadHand
from railbird.histories.sites.money import AMOUNT, is_of_program, read_amount

_GAME: Final = re.compile(r"Hold'?em", re.IGNORECASE)
_SEAT: Final = re.compile(r"Seat [0-9]{1,3}: (.{1,200}?) \(")
_SUMMARY: Final = re.compile(r"\*{2,3} ?SUMMARY ?\*{2,3}", re.IGNORECASE)
_STREET: Final = re.compile(r"\*{2,3} ?(?:FIRST |SECOND |THIRD )?(?:FLOP|TURN|RIVER)\b", re.I)
_BIG_BLIND: Final = re.compile(rf":? posts (?:the )?big blind \[?{AMOUNT}", re.IGNORECASE)
_PUT: Final = {
    re.compile(words, re.IGNORECASE): live
    for words, live in (
        (rf"posts (?:the )?small & big blinds \[?{AMOUNT}", False),
        (
            rf"posts (?:the |a )?(?:ante|missed blind|dead (?:small )?blind)(?: of)? \[?{AMOUNT}",
            False,
        ),
        (rf"(?:posts )?(?:the |a )?(?:small blind|big blind|straddle)(?: of)? \[?{AMOUNT}", True),
        (rf"(?:calls|bets) \[?{AMOUNT}", True),
        (rf"pays (?:EV |All-?In )?(?:cash ?out|insurance)[^0-9]{{0,20}}{AMOUNT}", False),
    )
}
"""What a player puts in after the name, and whether it counts towards a raise on that street."""
_RAISE: Final = re.compile(rf"raises .{{0,40}}?to \[?{AMOUNT}", re.IGNORECASE)
_GOT: Final = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        rf"collected \(?{AMOUNT}",
        rf"wins (?:the pot|side pot|main pot)?[^0-9]{{0,20}}\(?{AMOUNT}",
        rf"receives (?:EV )?cash ?out[^0-9]{{0,4}}{AMOUNT}",
    )
)
_RETURNED: Final = re.compile(
    rf"Uncalled bet (?:of )?\(?{AMOUNT}\)? returned to (.+)", re.IGNORECASE
)


def refused_money(lines: Sequence[str]) -> dict[str, float]:
    """Return what each player won who put money in, in big blinds.

    Empty for another game than hold'em, and where the text is cut off, states no big blind or does
    not add up: nobody can collect more than was put in, but by a sale to the house.

    >>> hand = '''PokerStars Hand #1: Hold'em No Limit ($1/$2)
    ... Seat 1: Ann ($90 in chips)
    ... Seat 2: Bob ($90 in chips)
    ... Ann: posts small blind $1
    ... Bob: posts big blind $2
    ... Ann: raises $4 to $6
    ... Bob: calls $4
    ... Ann collected $11.50 from pot
    ... *** SUMMARY ***'''
    >>> refused_money(hand.splitlines())
    {'Ann': 2.75, 'Bob': -3.0}
    """
    try:
        return _won(lines)
    except BadHand:  # an amount that is none
        return {}


def _won(lines: Sequence[str]) -> dict[str, float]:
    end = next((place for place, line in enumerate(lines) if _SUMMARY.search(line)), None)
    blind = next((blind_match for line in lines if (blind_match := _BIG_BLIND.search(line))), None)
    if end is None or blind is None or not _GAME.search(lines[0]):
        return {}
    names = sorted(_names(lines[:end]), key=len, reverse=True)
    money = {name: _Money() for name in names}
    sold = False
    for line in lines[1:end]:
        if _STREET.match(line):
            for account in money.values():
                account.live = 0
        elif (returned := _RETURNED.match(line)) and returned[2].strip() in money:
            money[returned[2].strip()].got += read_amount(returned[1])
        elif name := next((name for name in names if _says(line, name)), ""):
            text = line[len(name) :].lstrip(": ")
            money[name].take(text)
            sold |= is_of_program(text)
    unit = read_amount(blind[1])
    won = {name: account.got - account.put for name, account in money.items() if account.put}
    if not unit or (sum(won.values()) > 0 and not sold):
        return {}
    return {name: won[name] / unit for name in sorted(won)}


@dataclass(slots=True)
class _Money:
    """Money of one player."""

    put: int = 0
    got: int = 0
    live: int = 0
    """What counts towards a raise on this street."""

    def take(self, text: str) -> None:
        """Add what the words after the player's name say."""
        if raised := _RAISE.match(text):
            total = read_amount(raised[1])
            self.put += total - self.live
            self.live = total
        for pattern, is_live in _PUT.items():
            if amount_match := pattern.match(text):
                self.put += read_amount(amount_match[1])
                self.live += read_amount(amount_match[1]) if is_live else 0
                return
        self.got += sum(
            read_amount(amount_match[1])
            for got_pattern in _GOT
            if (amount_match := got_pattern.match(text))
        )


def _names(lines: Iterable[str]) -> set[str]:
    return {seat_match[1] for line in lines if (seat_match := _SEAT.match(line))}


def _says(line: str, name: str) -> bool:
    return line.startswith(name) and line[len(name) : len(name) + 1] in (":", " ")
