"""The IRC poker database: limit hold'em played by people on IRC channels, 1995 to 2001.

A hand is told by three files: ``hdb`` has a line for each hand (time, players and pot by street,
board), ``hroster`` the names, and ``pdb`` a line for each player of each hand::

    766303976   1   455  8  6/600   6/1200  6/1800  3/2400  3s Jc Qd 5c Ah
    766303976  8  Marzon spiney doublebag neoncap maurer andrea zorak justin
    doublebag 766303976  8  3 cc  r     b     bc       7842  500    0 Jh Qh

A player's line has the position, what he did on each street (B blind, f fold, k check, b bet,
c call, r raise, A all-in, Q quit, K kicked), his bankroll, what he put in, what he won and, if he
showed them, his cards. Who acted when follows from the rules. The bets' size is not told: it is
the one with which everybody has put in and won what his line says. Sizes that differ from bet to
bet are not told either, so that games without a limit cannot be read.

The files are read as they lie in a folder, or as one text with all of their lines. As players'
lines come in no order, all lines of a reading are in memory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from railbird.errors import BadInput
from railbird.game import Action, Betting, Call, Fold, HandState, OpenFold, Raise, Rules, Street
from railbird.histories.amounts import amounts_of
from railbird.histories.cardtext import UNKNOWN, Hole, read_cards, read_hole
from railbird.histories.course import Walk
from railbird.histories.ending import Ending, ending_of
from railbird.histories.format import ReadOptions
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, Source, renamed
from railbird.units import Chips, Seat

_HAND: Final = re.compile(
    r"(\d{6,10})\s+(\d{1,9})\s+(\d{1,9})\s+(\d{1,2})((?:\s+\d{1,2}/\d{1,12}){4})((?:\s+\w\w){0,5})\s*"
)
_ROSTER: Final = re.compile(r"(\d{6,10})\s+(\d{1,2})\s+(\S+(?:\s+\S+)*)\s*")
_PLAYER: Final = re.compile(
    r"(\S+)\s+(\d{6,10})\s+(\d{1,2})\s+(\d{1,2})((?:\s+(?:-|[BfkbcrAQK]+)){4})"
    r"\s+(\d{1,12})\s+(\d{1,12})\s+(\d{1,12})(?:\s+(\w\w)\s+(\w\w))?\s*"
)
_DAMAGED_HAND: Final = re.compile(r"\s*\d+\s.*\d/\d")
_GONE: Final = "fQK"
_KEPT: Final = 1 << 12
_UNIT: Final = Chips(2)
"""The small bet while its size is not known."""
_GUESSES: Final = (1, 2, 4, 6, 8)
"""What a player may have put in before the flop, in half small bets."""


class _Player(NamedTuple):
    """One player's line."""

    name: str
    place: int
    """From 1 on, left of the button."""
    streets: tuple[str, ...]
    stack: Chips
    put_in: int
    won: int
    hole: Hole


class _Walked(NamedTuple):
    """The betting of a hand, and what the pot at each deal of the board may be called."""

    walk: Walk
    pots: tuple[set[int], ...]


class _Hand(NamedTuple):
    """One hand's line, and where it stands."""

    line: int
    time: int
    number: int
    seats: int
    pots: tuple[tuple[int, int], ...]
    """Players and chips at the beginning of the flop, turn and river, and in the showdown."""
    board: str


@dataclass(slots=True)
class _Files:
    """What the lines say of players, by the time of the hand."""

    names: dict[int, list[str]] = field(default_factory=dict)
    players: dict[int, list[_Player]] = field(default_factory=dict)

    def take(self, line: str) -> bool:
        """Take a line of ``hroster`` or ``pdb``; false if it is neither."""
        if match := _PLAYER.fullmatch(line):
            name, time, _, place, streets, stack, put_in, won, *cards = match.groups()
            player = _Player(
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
    """Read the hands of ``hdb``, with the other files beside it or in the same text."""
    files = _Files()
    for path in _beside(options.folder):
        with path.open(encoding="utf-8", errors="replace") as text:
            for line in text:
                _take(files, line)
    found: list[_Hand | Skipped] = []
    for number, line in enumerate(lines, 1):
        if match := _HAND.fullmatch(line):
            found.append(_hand_of(match, number))
        elif not _take(files, line) and _DAMAGED_HAND.match(line):
            found.append(Skipped(SkipReason.UNREADABLE, number, repr(line.strip()[:60])))
    for item in found:
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
    """Whether one of these lines is a hand's."""
    return any(map(_HAND.fullmatch, lines))


def _beside(folder: Path | None) -> list[Path]:
    """``hroster``, and ``pdb`` in one file or in one for each player."""
    if folder is None:
        return []
    found = [folder / "hroster", *folder.glob("pdb.*"), *folder.glob("pdb/pdb.*")]
    return sorted(path for path in found if path.is_file())


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
    players = sorted(files.players.get(hand.time, []), key=lambda player: player.place)
    names = files.names.get(hand.time, [])
    _check_players(hand, players, names)
    problem = BadHand(SkipReason.ANOTHER_GAME, "no size of bet fits what was put in")
    for small_bet in [None] if options.rules else _small_bets(hand, players):
        rules = options.rules or _rules(small_bet or _UNIT, *_table(players))
        try:
            return _played(hand, players, rules, options)
        except BadHand as error:
            problem = error
    raise problem


def _check_players(hand: _Hand, players: list[_Player], names: list[str]) -> None:
    """Raise `BadHand` unless all that the roster names have a line, and no one else."""
    missing = [name for name in names if name not in {player.name for player in players}]
    if missing or not len(players) == len(names) == hand.seats:
        what = f"no line of {missing[0]}" if missing else f"{len(players)} players' lines"
        raise BadHand(SkipReason.CUT, f"{what} for hand {hand.time} of {hand.seats} players")
    if hand.seats < 2 or [player.place for player in players] != list(range(1, hand.seats + 1)):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"hand {hand.time}: positions are not 1 to {max(hand.seats, 2)}"
        )


def _table(players: list[_Player]) -> tuple[tuple[int, ...], tuple[Chips, ...]]:
    """Who posts, first the small blind; and what everyone has."""
    posts = tuple([seat for seat, p in enumerate(players) if p.streets[0].startswith("B")])
    return posts, tuple([player.stack for player in players])


def _small_bets(hand: _Hand, players: list[_Player]) -> list[Chips]:
    """Sizes that the small bet may have, the likeliest first. Raises `BadHand`.

    They come from what players have put in, before somebody went all-in with part of a bet: in
    the whole hand, or up to a street of which the pot is told. After an all-in before the flop
    they are guesses, of which the hand's amounts allow one.
    """
    posts, stacks = _table(players)
    rules = _rules(_UNIT, posts, (Chips(1000 * max(1, *stacks)),) * len(stacks))
    short = [street for street in Street if any("A" in p.streets[street] for p in players)]
    pairs: list[tuple[int, int]]
    if not short:
        spent = _walk(players, rules).walk.state.spent
        pairs = [(player.put_in, units) for player, units in zip(players, spent, strict=True)]
    elif short[0] is not Street.PREFLOP:
        pots = _walk(players, rules, until=short[0]).pots
        pairs = [(said, max(pot)) for pot, (_, said) in zip(pots, hand.pots, strict=False)]
    else:
        pairs = [(player.put_in, bets) for player in players for bets in _GUESSES]
    sizes = Counter([Fraction(said * _UNIT, units) for said, units in pairs if said and units])
    return [Chips(int(size)) for size, _ in sizes.most_common() if size.denominator == 1]


@lru_cache(_KEPT)
def _rules(small_bet: Chips, posts: tuple[int, ...], stacks: tuple[Chips, ...]) -> Rules:
    """The first to post has the small blind if there are two; those after the second came late."""
    seats = len(stacks)
    blinds = [small_bet if seat in posts else Chips(0) for seat in range(seats)]
    if len(posts) > 1:
        blinds[posts[0]] = Chips(small_bet // 2)
    big = posts[min(1, len(posts) - 1)] if posts else seats - 1
    sizes = (small_bet, small_bet, Chips(2 * small_bet), Chips(2 * small_bet))
    return Rules(
        betting=Betting.LIMIT,
        blinds=tuple(blinds),
        stacks=stacks,
        bet_sizes=sizes,
        first_to_act=(Seat((big + 1) % seats), Seat(0), Seat(0), Seat(0)),
        open_fold=OpenFold.ALLOWED,
    )


def _walk(players: list[_Player], rules: Rules, *, until: Street | None = None) -> _Walked:
    """Put everybody's deeds in order by asking the engine whose turn it is. Raises `BadHand`.

    With ``until`` only up to the deal of that street.
    """
    walk = Walk(rules)
    pots: list[set[int]] = []
    left = [[text.lstrip("B") for text in player.streets] for player in players]
    while walk.board_is_due or walk.betting_is_open:
        if walk.board_is_due:
            pots.append(_pots_of(walk.state))
            if len(pots) == until:
                return _Walked(walk, tuple(pots))
            walk.deal()
            continue
        state = walk.state
        assert state.actor is not None
        deeds = left[state.actor]
        deed, deeds[state.street] = deeds[state.street][:1], deeds[state.street][1:]
        action = _action(walk, deed)
        if action is None:
            what = f"{players[state.actor].name} does {deed or 'nothing'}"
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"{what} on the {state.street.name.lower()}")
        walk.act(action)
    for player, deeds in zip(players, left, strict=True):
        if "".join(deeds).strip(_GONE):
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"{player.name} acts after the betting")
    return _Walked(walk, tuple(pots))


def _action(walk: Walk, deed: str) -> Action | None:
    """What a letter means of the seat to act; None if it cannot be."""
    state = walk.state
    top = state.max_raise_to or Chips(0)
    match deed:
        case "f" | "Q" | "K":
            return Fold()
        case "k" if state.to_call == 0:
            return Call()
        case "c" if state.to_call > 0:
            return Call()
        case "A":
            return Raise(top) if top > state.bet else Call()
        case "b" | "r":
            return walk.fixed_raise()
        case _:
            return None


def _played(hand: _Hand, players: list[_Player], rules: Rules, options: ReadOptions) -> HandRecord:
    """Play the hand under these rules, and compare pots and winnings. Raises `BadHand`."""
    if rules.seats != len(players):
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(players)} players")
    walk, pots = _walk(players, rules)
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
        played_at=datetime.fromtimestamp(hand.time, UTC),
        low_first=sum([player.hole.low_first << seat for seat, player in enumerate(players)]),
        source=Source(options.file, hand.line),
    )


def _check_pots(hand: _Hand, pots: tuple[set[int], ...], ending: Ending) -> None:
    """Compare what was in the pot when each street began, and in the showdown. Raises `BadHand`."""
    at_end = (_pots_of(ending.state),) if ending.contenders else ()
    for allowed, (_, said) in zip((*pots, *at_end), hand.pots, strict=False):
        if said not in allowed:
            raise BadHand(
                SkipReason.WRONG_PAYOFF, f"a pot of {said}, but {max(allowed)} were put in"
            )


def _pots_of(state: HandState) -> set[int]:
    """The chips put in, with and without those that nobody called."""
    *_, called, most = sorted(state.spent)
    return {state.pot, state.pot - most + called}
