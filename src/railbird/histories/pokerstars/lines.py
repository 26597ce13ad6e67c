"""Single lines of a PokerStars hand, parsed without judging whether the hand is possible.

Actions repeat: each text after a name is parsed once and then cached, which is five times as fast
as matching its pattern.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from railbird.cards import CARD_OF_TEXT, Card
from railbird.game.engine.reported import CALL, FOLD_IF_ABLE, RAISE, UNSAID
from railbird.histories.card_text import HOLE_OF_TEXT, Hole, read_cards, read_hole
from railbird.histories.pokerstars.header import MONEY, TABLE, chips_of
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips

_KEPT: Final = 1 << 14
_ACT: Final = re.compile(
    rf"(folds|checks|calls|bets|raises)(?: {MONEY}(?: to {MONEY})?)?"
    r"( and is all-in| and has reached the \S+ cap)?(?: \[(\S\S)(?: (\S\S))?\])?"
)
_POST: Final = re.compile(rf"posts (.+?) {MONEY}( and is all-in)?")
_SHOW: Final = re.compile(r"shows \[(\S\S) (\S\S)\](?: .*)?")
_QUIET: Final = re.compile(
    r"mucks hand|doesn't show hand|shows \[\S\S\].*|has timed out.*"
    r"|is (?:dis)?connected.*|has returned|re-buys .*|Table deposit .*"
)
_AWAY: Final = ("sits out", "is sitting out")
_HIDDEN: Final = "XX"
"""Placeholder that some tracking programs write for a card that was not shown."""
_BOARD_SIZES: Final = {"*** FLOP ***": 3, "*** TURN ***": 4, "*** RIVER ***": 5}
_SECTIONS: Final = ("HOLE CARDS", "SHOW DOWN", "SUMMARY")
_HEADINGS: Final = frozenset(f"*** {section} ***" for section in _SECTIONS)
_STARS: Final = re.compile(r"\*\*\* (.+) \*\*\*.*")
_COLLECTED: Final = re.compile(rf"{MONEY} from (?:main |side )?pot(?:-[0-9]+)?")
_DEALT: Final = re.compile(r"Dealt to (.+) \[(\S\S) (\S\S)\]")
_STACK: Final = re.compile(rf"{MONEY} in chips(?:, [^()]*)?\)(.*)")
_TOTAL: Final = re.compile(rf"Total pot {MONEY}(?: .*)?\| Rake {MONEY}.*")
_CARDS: Final = re.compile(r".* (?:showed|mucked) \[(\S\S) (\S\S)\].*")
_WON: Final = re.compile(rf".* (?:collected|won) \({MONEY}\).*")
_BUTTON: Final = " (button)"


class Act(NamedTuple):
    """Action: a row of `railbird.game.engine.reported`, and the cards if it is an open fold."""

    kind: int
    amount: int
    to: int
    hole: Hole | None


class Post(NamedTuple):
    """Blind or ante."""

    what: str
    amount: Chips
    all_in: bool


class Show(NamedTuple):
    """Two cards shown by a player."""

    hole: Hole


class Remark(Enum):
    """Text without effect on the play."""

    QUIET = 0
    AWAY = 1
    """The player is away from the table."""


class Result(NamedTuple):
    """Summary of a seat."""

    on_button: bool
    hole: Hole | None
    won: Chips | None


@lru_cache(_KEPT)
def read_play(text: str, scale: int) -> Act | Post | Show | Remark | None:
    """Read the text after a player's name and a colon; None if it is none of the known kinds.

    Raises `BadHand` for impossible amounts and cards.
    """
    if match := _ACT.fullmatch(text):
        return _act(match, scale)
    if match := _POST.fullmatch(text):
        return Post(match[1], chips_of(match[2], scale), bool(match[3]))
    if match := _SHOW.fullmatch(text):
        hole = _hole(match[1], match[2])
        return Remark.QUIET if hole is None else Show(hole)
    if text in _AWAY:
        return Remark.AWAY
    return Remark.QUIET if _QUIET.fullmatch(text) else None


def _act(match: re.Match[str], scale: int) -> Act:
    verb, amount, to, _, first, second = match.groups()
    chips = chips_of(amount or "0", scale)
    hole = _hole(first, second) if second else None
    match verb:
        case "folds":
            return Act(FOLD_IF_ABLE, UNSAID, UNSAID, hole)
        case "checks" | "calls":
            return Act(CALL, chips, UNSAID, hole)
        case _:
            return Act(RAISE, chips, chips_of(to, scale) if to else chips, hole)


def _hole(first: str, second: str) -> Hole | None:
    """Return two cards; None if one of them is hidden."""
    if _HIDDEN in (first, second):
        return None
    return HOLE_OF_TEXT.get(first + second) or read_hole(first + second)


@lru_cache(_KEPT)
def read_result(text: str, scale: int) -> Result:
    """Read the text after a player's name in the summary. Raises `BadHand`."""
    cards, won = _CARDS.fullmatch(text), _WON.fullmatch(text)
    return Result(
        on_button=text.startswith(_BUTTON),
        hole=_hole(cards[1], cards[2]) if cards else None,
        won=chips_of(won[1], scale) if won else None,
    )


def read_total(line: str, scale: int) -> tuple[Chips, Chips] | None:
    """Read the pot and the rake from a line of the summary; None if it is another line."""
    match = _TOTAL.fullmatch(line)
    return None if match is None else (chips_of(match[1], scale), chips_of(match[2], scale))


def has_total(line: str) -> bool:
    """Return whether a line has the pot and the rake."""
    return line.startswith("Total pot ") and _TOTAL.fullmatch(line) is not None


def read_street(line: str) -> tuple[Card, ...]:
    """Read the whole board from a line that deals a street; empty for headings of other sections.

    Raises `BadHand` for sections that this game does not have.
    """
    if line in _HEADINGS:
        return ()
    head, _, cards = line.partition(" [")
    size = _BOARD_SIZES.get(head)
    if size is None:
        name = _STARS.fullmatch(line)
        if name is None or name[1] not in _SECTIONS:
            raise BadHand(SkipReason.ANOTHER_GAME, f"{line[:60]!r}")
        return ()
    texts = cards[:-1].replace("] [", " ").split()
    if cards[-1:] == "]" and len(texts) == size:
        try:
            return tuple([CARD_OF_TEXT[text] for text in texts])
        except KeyError:
            pass
    return read_cards("".join(texts), size)


@lru_cache(_KEPT)
def read_stack(text: str, scale: int) -> tuple[Chips, bool] | None:
    """Read the text after the last " (" of a seat's line: the stack, and whether text follows it.

    Returns None if there is no stack. Raises `BadHand`.
    """
    match = _STACK.fullmatch(text)
    return None if match is None else (chips_of(match[1], scale), bool(match[2].strip()))


@lru_cache(_KEPT)
def read_table(line: str) -> tuple[str, int] | None:
    """Read the name of the table and the seat of the button, 0 if it is not given."""
    match = TABLE.fullmatch(line)
    return None if match is None else (match[1], int(match[2] or 0))


@lru_cache(_KEPT)
def read_collected(text: str, scale: int) -> Chips | None:
    """Read the chips after "collected"; None for any other text."""
    match = _COLLECTED.fullmatch(text)
    return None if match is None else chips_of(match[1], scale)


def read_dealt(line: str) -> tuple[str, Hole] | None:
    """Read the player who was dealt cards, and the cards. Raises `BadHand` for invalid cards."""
    hole = HOLE_OF_TEXT.get(line[-6:-4] + line[-3:-1])
    if hole is not None and line[-8:-6] == " [" and line[-4] == " " and line[-1] == "]":
        return line[9:-8], hole
    match = _DEALT.fullmatch(line)
    return None if match is None else (match[1], read_hole(match[2] + match[3]))
