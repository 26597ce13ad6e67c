"""Betting in the ACPC's notation: ``crrc/rc/cc/crf``, in no-limit ``r300c/cr900f``.

A check is written as a call and a bet as a raise; in no-limit the number after ``r`` is the seat's
total for the whole hand. Each street that was dealt has a slash, even if nobody could act any more.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, assert_never

from railbird.game import Action, Betting, Call, Fold, Raise, Rules, Street
from railbird.histories.betting import BettingReplay, course_of
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips

_LIMIT: Final = re.compile(r"[fcr/]*")
_SIZED: Final = re.compile(r"(?:[fc/]|r[0-9]{1,15})*")
_TOKEN: Final = re.compile(r"[fc/]|r[0-9]+")
_KEPT: Final = 1 << 14
_FOLD: Final = Fold()
_CALL: Final = Call()


def read_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    """Parse a betting text without checking legality, which is left to a replay.

    Raises `BadHand`.
    """
    limit = rules.betting is Betting.LIMIT
    pattern, other = (_LIMIT, _SIZED) if limit else (_SIZED, _LIMIT)
    if pattern.fullmatch(text) is None:
        if other.fullmatch(text):
            raise BadHand(
                SkipReason.ANOTHER_GAME, f"betting {text!r} in a {rules.betting.value} game"
            )
        raise BadHand(SkipReason.UNREADABLE, f"betting {text!r}; allowed: f, c, r and /")
    if not limit:
        return _sized_actions(rules, text)
    return _limit_actions(rules, text) if rules.stacks is None else _short_actions(rules, text)


@lru_cache(_KEPT)
def betting_text(rules: Rules, actions: tuple[Action, ...]) -> str:
    """Write a hand's betting; `read_actions` reads it back. Raises `BadHand`."""
    course = course_of(rules, actions)
    sized = rules.betting is not Betting.LIMIT
    pieces: list[str] = []
    street = Street.PREFLOP
    for move in course.moves:
        pieces.append("/" * (move.street - street))
        street = move.street
        match move.action:
            case Fold():
                pieces.append("f")
            case Call():
                pieces.append("c")
            case Raise(to):
                pieces.append(f"r{move.before + to}" if sized else "r")
            case other:
                assert_never(other)
    pieces.append("/" * (course.street - street))
    return "".join(pieces)


def _limit_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    actions: list[Action] = []
    street = Street.PREFLOP
    bet: int = max(rules.blinds)
    for character in text:
        match character:
            case "f":
                actions.append(_FOLD)
            case "c":
                actions.append(_CALL)
            case "r":
                bet += rules.bet_sizes[street]
                actions.append(Raise(Chips(bet)))
            case _:
                street = Street(min(street + 1, Street.RIVER))
                bet = 0
    return tuple(actions)


def _sized_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    actions: list[Action] = []
    before = 0  # what everyone who can still raise has put in on earlier streets
    total: int = max(rules.blinds)
    for token in _TOKEN.findall(text):
        match token:
            case "f":
                actions.append(_FOLD)
            case "c":
                actions.append(_CALL)
            case "/":
                before = total
            case _:
                total = int(token[1:])
                actions.append(Raise(Chips(total - before)))
    return tuple(actions)


def _short_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    """Read limit betting in which a raise may be the rest of a stack."""
    walk = BettingReplay(rules)
    for character in text:
        match character:
            case "f":
                walk.act(_FOLD)
            case "c":
                walk.act(_CALL)
            case "r":
                walk.act(walk.fixed_raise())
            case _:
                walk.deal()
    return walk.actions
