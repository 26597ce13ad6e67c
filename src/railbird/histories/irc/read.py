"""The IRC poker database: hold'em played by people on IRC channels, 1994 to 2001.

A hand is told by three files: ``hdb`` has a line for each hand (time, players and pot by street,
board), ``hroster`` the names, and ``pdb`` a line for each player of each hand::

    766303976   1   455  8  6/600   6/1200  6/1800  3/2400  3s Jc Qd 5c Ah
    766303976  8  Marzon spiney doublebag neoncap maurer andrea zorak justin
    doublebag 766303976  8  3 cc  r     b     bc       7842  500    0 Jh Qh

A player's line has the position, the actions on each street (B blind, f fold, k check, b bet,
c call, r raise, A all-in, Q quit, K kicked), the bankroll, the chips put in, the chips won and, if
shown, the cards. The size of a limit game's bets is not stated: it is the one for which every
player has put in and won what his line says. Other games have to be named, for their blinds, and a
hand is read if the size of each raise follows from the pots (`railbird.histories.irc.betting`).

The time is the key that a hand's lines share. A value before `FIRST_MOMENT` is only a key.

The files are read from their folder, or as one text with all of their lines. As players' lines
come in no order, all lines are held in memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from railbird.errors import BadInput
from railbird.game import Rules, Street
from railbird.histories.amounts import amounts_of
from railbird.histories.card_text import UNKNOWN, read_cards, read_hole
from railbird.histories.format import ReadOptions
from railbird.histories.irc.betting import (
    IrcPlayer,
    Pots,
    Stakes,
    limit_stakes,
    pots_of,
    rules_of,
    stakes_of,
    walk_through,
)
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, Source, renamed
from railbird.histories.verify import Ending, ending_of
from railbird.units import Chips

_HAND: Final = re.compile(
    r"(\d{6,10})\s+(\d{1,9})\s+(\d{1,15})\s+(\d{1,2})((?:\s+\d{1,2}/\d{1,12}){4})((?:\s+\w\w){0,5})\s*"
)
_ROSTER: Final = re.compile(r"(\d{6,10})\s+(\d{1,2})\s+(\S+(?:\s+\S+)*)\s*")
_PLAYER: Final = re.compile(
    r"(\S+)\s+(\d{6,10})\s+(\d{1,2})\s+(\d{1,2})((?:\s+(?:-|[BfkbcrAQK]+)){4})"
    r"\s+(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})(?:\s+(\w\w)\s+(\w\w))?\s*"
)
_DAMAGED_HAND: Final = re.compile(r"\s*\d+\s.*\d/\d")
_NO_FIXED_LIMIT: Final = frozenset({"nolimit", "holdempot"})
"""Folders of the database with hold'em other than limit."""
FIRST_MOMENT: Final = 631_152_000
"""Beginning of 1990 in seconds since 1970; nobody played poker on IRC before."""
LAST_MOMENT: Final = 9_999_999_999
"""Last time of ten digits."""
_UNIT: Final = Chips(2)
"""Placeholder for a small bet of unknown size."""
_PLENTY: Final = Chips(10_000_000)
"""Stack that no such bets use up."""
_GUESSES: Final = (1, 2, 4, 6, 8)
"""Possible totals of a player before the flop, in half small bets."""


class _Hand(NamedTuple):
    """One hand's line and its place."""

    line: int
    time: int
    number: int
    seats: int
    pots: Pots
    board: str


@dataclass(slots=True)
class _Files:
    """Lines about players, by the time of the hand."""

    names: dict[int, list[str]] = field(default_factory=dict)
    players: dict[int, list[IrcPlayer]] = field(default_factory=dict)

    def take(self, line: str) -> bool:
        """Take a line of ``hroster`` or ``pdb``; return False if it is neither."""
        if match := _PLAYER.fullmatch(line):
            name, time, _, place, streets, stack, put_in, won, *cards = match.groups()
            player = IrcPlayer(
                name=name,
                place=int(place),
                streets=tuple([text.strip("-") for text in streets.split()]),
                stack=Chips(int(stack)),
                put_in=int(put_in),
                won=int(won),
                hole=UNKNOWN if cards[0] is None else read_hole("".join(cards)),
            )
            self.players.setdefault(int(time), []).append(player)
            return True
        match = _ROSTER.fullmatch(line)
        names = match[3].split() if match else []
        if match is None or len(names) != int(match[2]):
            return False
        self.names[int(match[1])] = names
        return True


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read the hands of ``hdb``, with the other files beside it or in the same text.

    Raises `BadInput` in a folder of the database with a game other than limit, unless the user
    gives its blinds.
    """
    _refuse_without_blinds(options)
    files = _Files()
    for line in _lines_beside(options.folder):
        _take(files, line)
    hands: list[_Hand | Skipped] = []
    for number, line in enumerate(lines, 1):
        if match := _HAND.fullmatch(line):
            hands.append(_hand_of(match, number))
        elif not _take(files, line) and _DAMAGED_HAND.match(line):
            hands.append(Skipped(SkipReason.UNREADABLE, number, repr(line.strip()[:60])))
    for item in hands:
        if isinstance(item, Skipped):
            yield item
            continue
        try:
            yield _record(item, files, options)
        except BadHand as error:
            yield Skipped(error.reason, item.line, error.detail)
        except BadInput as error:  # bets and stacks that no table has
            yield Skipped(SkipReason.ANOTHER_GAME, item.line, str(error))


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines is a hand's."""
    return any(map(_HAND.fullmatch, lines))


def _refuse_without_blinds(options: ReadOptions) -> None:
    if options.rules is not None or options.folder is None:
        return
    for game in _NO_FIXED_LIMIT.intersection(options.folder.resolve().parts):
        raise BadInput(f"{options.file}: {game} has no fixed limit; allowed: its blinds by --game")


def _lines_beside(folder: Path | None) -> Iterator[str]:
    """Yield the lines of ``hroster``, and of ``pdb`` in one file or in one for each player."""
    if folder is None:
        return
    paths = [folder / "hroster", *folder.glob("pdb.*"), *folder.glob("pdb/pdb.*")]
    for path in sorted(path for path in paths if path.is_file()):
        with path.open(encoding="utf-8", errors="replace") as text:
            yield from text


def _take(files: _Files, line: str) -> bool:
    try:
        return files.take(line)
    except BadHand:  # cards that are none; the hand will miss a player
        return True


def _hand_of(match: re.Match[str], line: int) -> _Hand:
    time, _, number, seats, pots, board = match.groups()
    pairs = [pair.split("/") for pair in pots.split()]
    return _Hand(
        line=line,
        time=int(time),
        number=int(number),
        seats=int(seats),
        pots=tuple([(int(players), int(chips)) for players, chips in pairs]),
        board="".join(board.split()),
    )


def _record(hand: _Hand, files: _Files, options: ReadOptions) -> HandRecord:
    """Return the record of a hand. Raises `BadHand`."""
    players = sorted(files.players.get(hand.time, []), key=lambda player: player.place)
    names = files.names.get(hand.time, [])
    _check_players(hand, players, names)
    posts = tuple([seat for seat, p in enumerate(players) if p.streets[0].startswith("B")])
    heads_up = len(posts) == hand.seats == 2
    problems: list[BadHand] = []
    for order in (posts, posts[::-1]) if heads_up else (posts,):  # the blinds may be reversed
        try:
            return _posted(hand, players, order, options)
        except BadHand as problem:
            problems.append(problem)
    in_turn = [problem for problem in problems if problem.reason is not SkipReason.ILLEGAL_ACTION]
    raise (in_turn or problems)[0]


def _posted(
    hand: _Hand, players: list[IrcPlayer], posts: tuple[int, ...], options: ReadOptions
) -> HandRecord:
    """Return the record of a hand whose posts are known. Raises `BadHand`."""
    stacks = tuple([player.stack for player in players])
    problem = BadHand(SkipReason.ANOTHER_GAME, "no bet size fits the chips put in")
    for stakes in _stakes(hand, players, posts, options.rules):
        try:
            return _played(hand, players, rules_of(stakes, posts, stacks), options)
        except BadHand as error:
            problem = error
    raise problem


def _check_players(hand: _Hand, players: list[IrcPlayer], names: list[str]) -> None:
    """Raise `BadHand` unless exactly the players in the roster have lines."""
    missing = [name for name in names if name not in {player.name for player in players}]
    if missing or not len(players) == len(names) == hand.seats:
        what = f"no line of {missing[0]}" if missing else f"{len(players)} players' lines"
        raise BadHand(SkipReason.CUT, f"{what} for hand {hand.time} of {hand.seats} players")
    if hand.seats < 2 or [player.place for player in players] != list(range(1, hand.seats + 1)):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"hand {hand.time}: positions are not 1 to {max(hand.seats, 2)}"
        )


def _stakes(
    hand: _Hand, players: list[IrcPlayer], posts: tuple[int, ...], told: Rules | None
) -> list[Stakes]:
    """Yield the stakes that the user gives, or the possible ones, the likeliest first.

    Those of a limit game follow from the chips put in before an all-in for part of a bet: in the
    whole hand, or up to a street whose pot is stated. After an all-in before the flop they are
    guesses, of which the hand's amounts allow one. Raises `BadHand`.
    """
    if told is not None:
        return [stakes_of(told)]
    rules = rules_of(limit_stakes(_UNIT), posts, (_PLENTY,) * len(players))
    short = [street for street in Street if any("A" in p.streets[street] for p in players)]
    pairs: list[tuple[int, int]]
    if not short:
        spent = walk_through(players, rules, hand.pots).walk.state.spent
        pairs = [(player.put_in, units) for player, units in zip(players, spent, strict=True)]
    elif short[0] is not Street.PREFLOP:
        pots = walk_through(players, rules, hand.pots, until=short[0]).pots
        pairs = [(said, max(pot)) for pot, (_, said) in zip(pots, hand.pots, strict=False)]
    else:
        pairs = [(player.put_in, bets) for player in players for bets in _GUESSES]
    sizes = Counter([Fraction(said * _UNIT, units) for said, units in pairs if said and units])
    return [
        limit_stakes(Chips(int(size))) for size, _ in sizes.most_common() if size.denominator == 1
    ]


def _played(
    hand: _Hand, players: list[IrcPlayer], rules: Rules, options: ReadOptions
) -> HandRecord:
    """Play the hand under these rules, and compare pots and winnings. Raises `BadHand`."""
    walk, pots = walk_through(players, rules, hand.pots)
    board = read_cards(hand.board, len(hand.board) // 2)
    holes = tuple([player.hole.holding for player in players])
    ending = ending_of(rules, walk.actions, holes, board)
    _check_pots(hand, pots, ending)
    logged = amounts_of(tuple([Fraction(player.won - player.put_in) for player in players]))
    return HandRecord(
        rules=rules,
        players=renamed(tuple([player.name for player in players]), options.rename),
        holes=holes,
        board=board,
        actions=ending.actions,
        payoffs=ending.settle(holes, board, logged),
        number=hand.number,
        played_at=None if hand.time < FIRST_MOMENT else datetime.fromtimestamp(hand.time, UTC),
        low_first=sum([player.hole.low_first << seat for seat, player in enumerate(players)]),
        source=Source(options.file, hand.line),
    )


def _check_pots(hand: _Hand, pots: tuple[frozenset[int], ...], ending: Ending) -> None:
    """Compare the pots at the beginning of each street and at showdown. Raises `BadHand`."""
    at_end = (pots_of(ending.state),) if ending.contenders else ()
    for allowed, (_, said) in zip((*pots, *at_end), hand.pots, strict=False):
        if said not in allowed:
            raise BadHand(
                SkipReason.WRONG_PAYOFF, f"a pot of {said}, but {max(allowed)} were put in"
            )
