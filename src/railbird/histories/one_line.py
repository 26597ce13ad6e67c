"""Heads-up limit hands in one line, as the literature on DIVAT writes them.

::

    T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC

Player 1, the big blind, acts in small letters, player 2, the dealer, in capitals: s and l post the
small and the large blind, k checks, c calls, b bets, r raises, f folds. Cards may be written with
letters (``Ts6s,Jd5d,Td5hTh/2d/2h``), and ``?`` stands for a hole that is not shown. Further
information may follow as a comment, ``# 17:Alice|Bob # a note``: the number, the names of players
1 and 2, anything else. A line ``# game NAME`` in a file names the stakes if they are not the ACPC's
10/20.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from railbird._arguments import checked
from railbird.cards import Card, Suits, format_cards
from railbird.errors import BadInput, ParseError
from railbird.game import Action, Betting, Call, Fold, Rules, Street, acpc_rules
from railbird.histories.acpc.gamedef import STANDARD_GAMES, game_spec, resolve_game
from railbird.histories.betting import BettingAction, BettingReplay, BettingSequence, course_of
from railbird.histories.format import (
    ReadOptions,
    WriteOptions,
    attempt,
    check_text,
    hand_or_skipped,
)
from railbird.histories.record import (
    BadHand,
    HandRecord,
    Skipped,
    SkipReason,
    Source,
    not_representable,
    renamed,
)
from railbird.histories.text_values import UNKNOWN, Hole, hole_cards, read_cards, read_hole
from railbird.histories.verify import confirm, ending_of

NAMES: Final = ("player 1", "player 2")
"""Names of the big blind and the dealer where the line has none."""

_STAKES: Final = STANDARD_GAMES["holdem.limit.2p.reverse_blinds.game"]
_POSTS: Final = "Sl"
_DEALER: Final = 1
_STREETS: Final = (3, 1, 1)
_SHAPE: Final = "HOLE,HOLE,BOARD Sl…, such as Ts6s,Jd5d,Td5hTh SlCk/bF"
_LINE: Final = re.compile(r"(\S+)\s+([A-Za-z/]+)\s*(?:#\s*(.*))?")
_NAMED: Final = re.compile(r"(?:([0-9]{1,15}):)?([^|]+)\|((?:(?! # )[^|])+)(?: # (.*))?")
_GAME: Final = re.compile(r"\s*#\s*game\s+(\S+)\s*$")
_LOOKS: Final = re.compile(r"[^\s,]+,\S++\s+Sl[kcbrf/]*\s*(#|$)", re.IGNORECASE)
_KEPT: Final = 1 << 14


def read_hand(text: str, options: ReadOptions, line: int = 1) -> HandRecord:
    """Read one hand from its line. Raises `BadHand`."""
    rules = options.rules or _STAKES
    _refuse_other_games(rules)
    match = _LINE.fullmatch(text.strip())
    if match is None:
        raise BadHand(SkipReason.UNREADABLE, f"{text.strip()[:60]!r}; allowed: {_SHAPE}")
    cards, betting, remark = match.groups(default="")
    first, second, board = _read_cards(cards)
    number, names, comment = _read_remark(remark)
    holes = (first.holding, second.holding)
    ending = ending_of(rules, _read_actions(rules, betting), holes, board)
    return HandRecord(
        rules=rules,
        players=renamed(names, options.rename),
        holes=holes,
        board=board,
        actions=ending.actions,
        payoffs=ending.settle(holes, board, None),
        number=number,
        comment=comment,
        low_first=first.low_first | second.low_first << 1,
        source=Source(options.file, line),
    )


@checked
def one_line(record: HandRecord, *, suits: Suits = Suits.SYMBOLS) -> str:
    """Format cards and betting of one hand, without names.

    Raises `railbird.errors.BadInput` for anything but heads-up limit with reversed blinds.
    """
    _refuse_other_games(record.rules)
    separator = "-" if suits is Suits.SYMBOLS else ""
    holes = [
        "?"
        if hole is None
        else format_cards(
            hole_cards(hole, low_first=record.low_first >> seat & 1),
            suits=suits,
            separator=separator,
        )
        for seat, hole in enumerate(record.holes)
    ]
    streets = filter(None, (record.board[:3], record.board[3:4], record.board[4:]))
    board = "/".join(format_cards(cards, suits=suits, separator=separator) for cards in streets)
    betting = betting_line(record.rules, record.actions)
    return f"{','.join([*holes, board] if board else holes)} {betting}"


@checked
@lru_cache(_KEPT)
def betting_line(rules: Rules, actions: tuple[Action, ...]) -> str:
    """Format the betting of a hand, such as ``SlCk/kBrC/bRrC/bC``."""
    course = course_of(rules, actions)
    return _POSTS + "".join(_letters(course))


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read a file of hands, one per line; lines that begin with # are comments."""
    rules, problem = options.rules or _STAKES, ""
    for number, line in enumerate(lines, 1):
        named = _GAME.match(line)
        if named and options.rules is None:
            try:
                rules, problem = resolve_game(named[1], beside=options.folder), ""
            except BadInput as error:
                problem = str(error)
        elif line.strip() and not line.lstrip().startswith("#"):
            if problem:
                yield Skipped(SkipReason.ANOTHER_GAME, number, problem)
                continue
            hand = attempt(line, read_hand, line, replace(options, rules=rules), number)
            yield hand_or_skipped(hand, number)


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write one hand per line."""
    rules = _STAKES
    for record in records:
        try:
            stakes = acpc_rules(record.rules)
            confirm(record, stakes)
            _check_result(record)
            line = one_line(record, suits=options.suits) + _remark(record)
            game = game_spec(stakes)
        except BadInput as error:
            yield not_representable(record, error)
            continue
        if stakes != rules:
            rules = stakes
            yield f"# game {game}\n"
        yield line + "\n"


def recognises(lines: Sequence[str]) -> bool:
    """Return whether the first line that is not a comment is such a hand."""
    texts = map(str.strip, lines)
    first = next((text for text in texts if text and not text.startswith("#")), "")
    return _LOOKS.match(first) is not None


def _check_result(record: HandRecord) -> None:
    """Raise `BadHand` unless the cards decide who won, which a line does not say."""
    ending = ending_of(record.rules, record.actions, record.holes, record.board)
    ending.settle(record.holes, record.board, None)


def _refuse_other_games(rules: Rules) -> None:
    if rules.betting is not Betting.LIMIT or rules.seats != 2 or rules.first_to_act != (1, 0, 0, 0):
        raise BadHand(
            SkipReason.ANOTHER_GAME,
            f"{rules.seats}-handed {rules.betting.value}; one-line hands are heads-up limit with"
            " reversed blinds",
        )


def _read_cards(text: str) -> tuple[Hole, Hole, tuple[Card, ...]]:
    parts = text.rstrip(",").split(",")
    if len(parts) not in (2, 3):
        raise BadHand(SkipReason.UNREADABLE, f"cards {text!r}; allowed: {_SHAPE}")
    first, second = (UNKNOWN if part.strip("-?") == "" else read_hole(part) for part in parts[:2])
    streets = parts[2].split("/") if len(parts) == 3 else []
    if len(streets) > len(_STREETS):
        raise BadHand(SkipReason.WRONG_BOARD, f"board {parts[2]!r} has {len(streets)} streets")
    board = [
        card
        for street, count in zip(streets, _STREETS, strict=False)
        for card in read_cards(street, count)
    ]
    return first, second, tuple(board)


def _read_remark(text: str) -> tuple[int | None, tuple[str, str], str]:
    """Return the number, the names and the comment after a hand."""
    named = _NAMED.fullmatch(text)
    if named is None:
        return None, NAMES, text.strip()
    number, first, second, comment = named.groups()
    return (int(number) if number else None), (first.strip(), second.strip()), comment or ""


def _remark(record: HandRecord) -> str:
    """Invert `_read_remark`, with the sign before it."""
    number = "" if record.number is None else f"{record.number}:"
    names = f"{number}{'|'.join(record.players)}"
    if not number and record.players == NAMES and "|" not in record.comment:
        names = ""
    remark = " # ".join(filter(None, (names, record.comment)))
    if not remark:
        return ""
    check_text(remark, "a remark")
    if _read_remark(remark) != (record.number, record.players, record.comment):
        raise BadInput(f"names {record.players} and comment {record.comment!r} do not fit a line")
    return f" # {remark}"


@lru_cache(_KEPT)
def _read_actions(rules: Rules, text: str) -> tuple[Action, ...]:
    if not text.startswith(_POSTS):
        raise _unreadable("betting begins with the posts", text, 0, _POSTS)
    walk = BettingReplay(rules)
    for position in range(len(_POSTS), len(text)):
        character = text[position]
        if walk.board_is_due:
            if character != "/":
                raise _unreadable("the street has ended", text, position, "/")
            walk.deal()
            continue
        if not walk.betting_is_open:
            raise _unreadable("the hand has ended", text, position, "nothing more")
        choices = {
            _letter(walk.move(action)): action for action in (Fold(), Call(), walk.fixed_raise())
        }
        if character not in choices:
            raise _unreadable("not an action here", text, position, ", ".join(choices))
        walk.act(choices[character])
    return walk.actions


def _unreadable(problem: str, text: str, position: int, allowed: str) -> BadHand:
    error = ParseError(problem, text=text, position=position, allowed=allowed)
    return BadHand(SkipReason.UNREADABLE, str(error))


def _letters(course: BettingSequence) -> Iterator[str]:
    street = Street.PREFLOP
    for move in course.moves:
        yield "/" * (move.street - street)
        yield _letter(move)
        street = move.street
    yield "/" * (course.street - street)


def _letter(move: BettingAction) -> str:
    letter = move.name.letter
    return letter.upper() if move.seat == _DEALER else letter
