"""Betting as the ACPC writes it: ``crrc/rc/cc/crf``, in no-limit ``r300c/cr900f``.

A check is a call, a bet is a raise; in no-limit the number after ``r`` is what the seat has then
put in during the whole hand. There is a slash for each street that was dealt, also when nobody
could act any more.
"""

from __future__ import annotations

import re
from typing import Final, assert_never

from railbird.game import Betting, Call, Fold, Raise, Rules
from railbird.histories.course import Course, Walk
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips

_TOKEN: Final = re.compile(r"/|f|c|r(\d*)")


def read_betting(rules: Rules, text: str) -> Course:
    """Walk through a betting text. Raises `BadHand`."""
    walk = Walk(rules)
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise BadHand(
                SkipReason.UNREADABLE,
                f"betting {text!r} at character {position + 1}; allowed: f, c, r and /",
            )
        if (token[0] == "/") != walk.board_is_due:
            found = "a slash within a street" if token[0] == "/" else "no slash after a street"
            raise BadHand(
                SkipReason.ILLEGAL_ACTION, f"betting {text!r} at character {position + 1}: {found}"
            )
        match token[0][0]:
            case "/":
                walk.deal()
            case "f":
                walk.act(Fold())
            case "c":
                walk.act(Call())
            case _:
                walk.act(_raise(rules, walk, token[1]))
        position = token.end()
    return walk.finish()


def betting_text(course: Course) -> str:
    """Write a course of betting; `read_betting` reads it back."""
    sized = course.rules.betting is not Betting.LIMIT
    pieces: list[str] = []
    street = 0
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


def _raise(rules: Rules, walk: Walk, digits: str) -> Raise:
    if (rules.betting is Betting.LIMIT) == bool(digits):
        found = f"a raise with the size {digits}" if digits else "a raise without a size"
        raise BadHand(SkipReason.ANOTHER_GAME, f"{found} in a {rules.betting.value} game")
    if digits:
        return Raise(Chips(int(digits) - walk.before))
    # Where no raise is allowed the size does not matter: the engine says why it refuses.
    return Raise(walk.state.min_raise_to or Chips(walk.state.bet + 1))
