"""What players won in a hand that was refused, by the words of its text alone.

Hands run twice, sold to the house or with money dropped on the table are refused because the engine
cannot replay them. They are the largest pots, so results without them come from a selected sample.
The amounts that the text itself gives as put in, returned and collected still add up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Final

from railbird.game import Betting
from railbird.histories.record import BadHand, RefusedHand
from railbird.histories.sites.money import AMOUNT, UNIT, is_of_program, read_amount
from railbird.histories.stake_names import stakes_text
from railbird.histories.text_values import HandNumber

_GAME: Final = re.compile(r"Hold'?em", re.IGNORECASE)
_SEAT: Final = re.compile(r"Seat [0-9]{1,3}: (.{1,200}?) \(")
_SUMMARY: Final = re.compile(r"\*{2,3} ?SUMMARY ?\*{2,3}", re.IGNORECASE)
_STREET: Final = re.compile(r"\*{2,3} ?(?:FIRST |SECOND |THIRD )?(?:FLOP|TURN|RIVER)\b", re.I)
_BIG_BLIND: Final = re.compile(rf":? posts (?:the )?big blind \[?{AMOUNT}", re.IGNORECASE)
_ANTE: Final = re.compile(rf"(?:posts (?:the )?ante(?: of)?|antes) \[?{AMOUNT}", re.IGNORECASE)
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


class Accounts:
    """Money that players put in and got in one hand, as its text tells it, in one unit."""

    def __init__(self) -> None:
        self._put = Counter[str]()
        self._dead = Counter[str]()
        """Part of it that is no bet."""
        self._got = Counter[str]()
        self._street = Counter[str]()
        """What counts towards a raise on this street."""

    def deal(self) -> None:
        """Begin a street."""
        self._street.clear()

    def pay(self, name: str, amount: int, *, live: bool = True) -> None:
        """Put chips in; a dead blind or an ante (``live`` is False) is no part of the betting."""
        self._put[name] += amount
        (self._street if live else self._dead)[name] += amount

    def raise_to(self, name: str, total: int) -> None:
        """Put in the chips that are missing to a total of the street."""
        self.pay(name, total - self._street[name])

    def raise_by(self, name: str, amount: int) -> None:
        """Put in a call and so much more."""
        self.raise_to(name, max(self._street.values(), default=0) + amount)

    def collect(self, name: str, amount: int) -> None:
        """Take what a player won or got back."""
        self._got[name] += amount

    def return_uncalled(self) -> None:
        """Give back what nobody called of the last bet, unless the winnings have it already."""
        live = self._put - self._dead
        *_, called, most = sorted([0, 0, *live.values()])
        (name, _), *_ = live.most_common(1) or [("", 0)]
        if self._got.total() + most - called <= self._put.total():
            self._got[name] += most - called

    def won(self, unit: int, *, sold: bool = False) -> dict[str, float]:
        """Return what each player won who put chips in, by name, in ``unit``.

        Empty without a unit and where it does not add up: nobody can collect more than was put in,
        but by a sale to the house (``sold``).
        """
        won = {name: self._got[name] - put for name, put in self._put.items() if put}
        if not unit or (sum(won.values()) > 0 and not sold):
            return {}
        return {name: won[name] / unit for name in sorted(won)}


def refused_hand(
    won: Mapping[str, float],
    number: HandNumber | None = None,
    *,
    played_at: datetime | None = None,
    betting: Betting = Betting.NO_LIMIT,
    stakes: Iterable[int] = (),
    ante: int = 0,
    currency: str = "",
) -> RefusedHand:
    """Return the money in a hand's text; ``stakes`` and ``ante`` are in `money.UNIT`."""
    name = stakes_text([Fraction(size, UNIT) for size in stakes], Fraction(ante, UNIT), currency)
    return RefusedHand(
        won=won,
        played_at=played_at,
        stake=f"{name} {betting.value}" if name else "",
        number="" if number is None else number.text or str(number.whole or ""),
    )


def ante_in(lines: Iterable[str]) -> int:
    """Return the largest ante that lines of a text tell, in `money.UNIT`. Raises `BadHand`."""
    antes = (read_amount(ante_match[1]) for line in lines if (ante_match := _ANTE.search(line)))
    return max(antes, default=0)


def refused_money(lines: Sequence[str]) -> dict[str, float]:
    """Return what each player won who put money in, in big blinds.

    Empty for another game than hold'em, and where the text is cut off, states no big blind or does
    not add up.

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
    accounts, sold = Accounts(), False
    for line in lines[1:end]:
        if _STREET.match(line):
            accounts.deal()
        elif (returned := _RETURNED.match(line)) and returned[2].strip() in names:
            accounts.collect(returned[2].strip(), read_amount(returned[1]))
        elif name := next((name for name in names if _says(line, name)), ""):
            text = line[len(name) :].lstrip(": ")
            _take(accounts, name, text)
            sold |= is_of_program(text)
    return accounts.won(read_amount(blind[1]), sold=sold)


def _take(accounts: Accounts, name: str, text: str) -> None:
    """Add what the words after the player's name say."""
    if raised := _RAISE.match(text):
        accounts.raise_to(name, read_amount(raised[1]))
    for pattern, is_live in _PUT.items():
        if amount_match := pattern.match(text):
            accounts.pay(name, read_amount(amount_match[1]), live=is_live)
            return
    for got_pattern in _GOT:
        if amount_match := got_pattern.match(text):
            accounts.collect(name, read_amount(amount_match[1]))


def _names(lines: Iterable[str]) -> set[str]:
    return {seat_match[1] for line in lines if (seat_match := _SEAT.match(line))}


def _says(line: str, name: str) -> bool:
    return line.startswith(name) and line[len(name) : len(name) + 1] in (":", " ")
