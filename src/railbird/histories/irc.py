"""The IRC poker database: hold'em played by people on IRC channels, 1994 to 2001, read and written.

Three files describe a hand: ``hdb`` has a line for each hand (time, players and pot by street,
board), ``hroster`` the names, and ``pdb`` a line for each player of each hand::

    766303976   1   455  8  6/600   6/1200  6/1800  3/2400  3s Jc Qd 5c Ah
    766303976  8  Marzon spiney doublebag neoncap maurer andrea zorak justin
    doublebag 766303976  8  3 cc  r     b     bc       7842  500    0 Jh Qh

A player's line has the position, the actions on each street (B blind, f fold, k check, b bet, c
call, r raise, A all-in, Q quit, K kicked), the bankroll, the chips put in, the chips won and, if
shown, the cards. The size of a limit game's bets is not stated: it is the size with which every
player put in and won the amounts of the player's line. Other games have to be named, for their
blinds, and a hand is read if the size of each raise follows from the pots
(`railbird.histories.irc`).

The time is the key that a hand's lines share. A value before `FIRST_MOMENT` is only a key.

The files are read from their folder, or as one text with all of their lines. As players' lines
come in no order, all lines are held in memory.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from railbird.cards import Holding, format_cards
from railbird.errors import BadInput
from railbird.game import (
    Action,
    ActionName,
    Betting,
    Call,
    Fold,
    HandState,
    OpenFold,
    Raise,
    Rules,
    Street,
    UncallableRaise,
    name_of,
)
from railbird.histories.betting import BettingReplay
from railbird.histories.format import ReadOptions, WriteOptions, attempt, hand_or_skipped
from railbird.histories.record import (
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
    Source,
    UnnamedGame,
    not_representable,
    renamed,
)
from railbird.histories.stake_names import stake_of
from railbird.histories.text_values import (
    UNKNOWN,
    Hole,
    amounts_of,
    hole_cards,
    read_cards,
    read_hole,
)
from railbird.histories.verify import BettingOutcome, ending_of, same_stakes
from railbird.units import Chips, Seat

# Betting behind the letters of the IRC poker database; see `irc.read`.
#
# The order of actions follows from the rules: the engine says whose turn it is, and that player's
# next letter says what he did. Amounts follow from the stakes in a limit game. In other games they
# follow from the totals of players who stopped there: the size of a bet whose maker called a raise
# is known only if another player called the bet and then gave up.


_GONE: Final = frozenset("fQK")
_PAYING: Final = frozenset("cbrA")
_KEPT: Final = 1 << 12


class IrcPlayer(NamedTuple):
    """One player's line of a hand."""

    name: str
    place: int
    """Position from 1 on, left of the button."""
    streets: tuple[str, ...]
    """The letters of the player's actions, street by street."""
    stack: Chips
    put_in: int
    won: int
    hole: Hole


Pots = tuple[tuple[int, int], ...]
"""Players and chips at the beginning of the flop, turn and river, and at showdown."""


class Walked(NamedTuple):
    """The betting of a hand, and the pots that may be stated at each deal of the board."""

    walk: BettingReplay
    pots: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class TableStakes:
    """Stakes of a table, for any players."""

    betting: Betting
    small: Chips
    """The small blind."""
    big: Chips
    """The big blind, also posted by late entrants."""
    bet_sizes: tuple[Chips, Chips, Chips, Chips]


def limit_stakes(small_bet: Chips) -> TableStakes:
    """Return stakes with blinds of half a small bet and one, and bets of one, two from the turn."""
    big_bet = Chips(2 * small_bet)
    sizes = (small_bet, small_bet, big_bet, big_bet)
    return TableStakes(Betting.LIMIT, Chips(small_bet // 2), small_bet, sizes)


def stakes_of(rules: Rules) -> TableStakes:
    """Return the stakes of a table with these rules."""
    posts = sorted(filter(None, rules.blinds)) or [rules.bet_sizes[0]]
    return TableStakes(rules.betting, posts[0], posts[-1], rules.bet_sizes)


@lru_cache(_KEPT)
def rules_of(stakes: TableStakes, posts: tuple[int, ...], stacks: tuple[Chips, ...]) -> Rules:
    """Return the rules of one hand.

    The first of ``posts`` has the small blind if there are two; those after the second came late.
    """
    seats = len(stacks)
    blinds = [stakes.big if seat in posts else Chips(0) for seat in range(seats)]
    if len(posts) > 1:
        blinds[posts[0]] = stakes.small
    big = posts[min(1, len(posts) - 1)] if posts else seats - 1
    return Rules(
        betting=stakes.betting,
        blinds=tuple(blinds),
        stacks=stacks,
        bet_sizes=stakes.bet_sizes,
        first_to_act=(Seat((big + 1) % seats), Seat(0), Seat(0), Seat(0)),
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
    )


def walk_through(
    players: Sequence[IrcPlayer], rules: Rules, pots: Pots, *, until: Street | None = None
) -> Walked:
    """Put all players' actions in order. Raises `BadHand`.

    With ``until``, only up to the deal of that street.
    """
    walk = BettingReplay(rules)
    limit = rules.betting is Betting.LIMIT
    paid = () if limit else _paid(players, rules, pots)
    seen: list[frozenset[int]] = []
    left = [[text.lstrip("B") for text in player.streets] for player in players]
    while walk.board_is_due or walk.betting_is_open:
        if walk.board_is_due:
            seen.append(pots_of(walk.state))
            if len(seen) == until:
                return Walked(walk, tuple(seen))
            walk.deal()
            continue
        state = walk.state
        assert state.actor is not None
        deeds, street = left[state.actor], state.street
        deed, deeds[street] = deeds[street][:1], deeds[street][1:]
        raises = deed in ("b", "r") and not limit
        action = (
            Raise(_raised_to(state, [texts[street] for texts in left], paid[street]))
            if raises
            else _action(walk, deed)
        )
        if action is None:
            what = f"{players[state.actor].name} does {deed or 'nothing'}"
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"{what} on the {street.name.lower()}")
        walk.act(action)
    for player, deeds in zip(players, left, strict=True):
        if not _GONE.issuperset("".join(deeds)):
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"{player.name} acts after the betting")
    return Walked(walk, tuple(seen))


def pots_of(state: HandState) -> frozenset[int]:
    """Return the chips put in, with and without those that nobody called."""
    *_, called, most = sorted(state.spent)
    return frozenset({state.pot, state.pot - most + called})


def _action(walk: BettingReplay, deed: str) -> Action | None:
    """Return the action that a letter means in a limit game; None if it is impossible."""
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


def _paid(players: Sequence[IrcPlayer], rules: Rules, pots: Pots) -> tuple[tuple[int, ...], ...]:
    """Return the chips put in by street and seat. Raises `BadHand` for impossible pots.

    They are known for players who leave or have no more chips, and for all on the last street.
    Those who stay have put in equal shares of what the others leave of the pot.
    """
    paid_before = [0] * len(players)
    staying = set(range(len(players)))
    pot = 0
    paid: list[tuple[int, ...]] = []
    for street in Street:
        _, stated_pot = pots[street]
        last = street is Street.RIVER or not stated_pot
        street_paid = [0] * len(players)
        equal: list[int] = []
        for seat in staying:
            player, deeds = players[seat], players[seat].streets[street]
            broke = "A" in deeds or player.stack <= max(paid_before[seat], rules.blinds[seat])
            if broke or last or _GONE.intersection(deeds):
                street_paid[seat] = (player.stack if broke else player.put_in) - paid_before[seat]
            else:
                equal.append(seat)
        share = Fraction(stated_pot - pot - sum(street_paid), len(equal) or 1)
        if not last and (share.denominator > 1 or share < 0):
            raise BadHand(SkipReason.WRONG_PAYOFF, f"a pot of {stated_pot} is impossible")
        for seat in equal:
            street_paid[seat] = int(share)
        staying -= {seat for seat in staying if _GONE.intersection(players[seat].streets[street])}
        paid_before = [sum(pair) for pair in zip(paid_before, street_paid, strict=True)]
        pot = stated_pot
        paid.append(tuple(street_paid))
    return tuple(paid)


def _raised_to(state: HandState, left: Sequence[str], paid: Sequence[int]) -> Chips:
    """Return the size of a bet or raise, known from players who pay exactly that on the street.

    ``left`` has the actions that are still to come on the street, ``paid`` the totals of the
    players. Raises `BadHand` if no player's total determines it.
    """
    actor = state.actor
    assert actor is not None
    if not _PAYING.intersection(left[actor]):
        return Chips(paid[actor])
    behind = [Seat((actor + step) % len(left)) for step in range(1, len(left))]
    for seat in behind:
        if seat not in state.in_hand or not left[seat]:
            continue
        deed, after = left[seat][0], left[seat][1:]
        if deed == "c" and not _PAYING.intersection(after):
            return Chips(paid[seat])
        if deed not in "cfQK":
            break
    raise BadHand(
        SkipReason.UNREADABLE,
        f"the size of the raise on the {state.street.name.lower()} does not follow from the pots",
    )


# Reading.


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
"""The last time, in seconds since 1970, that is written with ten digits."""
_UNIT: Final = Chips(2)
"""Placeholder for a small bet of unknown size."""
_PLENTY: Final = Chips(10_000_000)
"""Stack that no such bets use up."""
_GUESSES: Final = (1, 2, 4, 6, 8)
"""Possible totals of a player before the flop, in half small bets."""


class _IrcHand(NamedTuple):
    """The line of one hand, and where it stands."""

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
    """Read the hands of ``hdb``, with the other files from its folder or from the same text.

    Raises `BadInput` in a folder of the database with a game other than limit, unless the user
    gives its blinds.
    """
    _refuse_without_blinds(options)
    files = _Files()
    for line in _lines_beside(options.folder):
        _take(files, line)
    hands: list[_IrcHand | Skipped] = []
    for number, line in enumerate(lines, 1):
        if match := _HAND.fullmatch(line):
            hands.append(_hand_of(match, number))
        elif not _take(files, line) and _DAMAGED_HAND.match(line):
            hands.append(Skipped(SkipReason.UNREADABLE, number, repr(line.strip()[:60])))
    for item in hands:
        if isinstance(item, Skipped):
            yield item
            continue
        hand = attempt(f"hand {item.number}", _record, item, files, options)
        refused = partial(_refused, item, files, options)
        yield hand_or_skipped(hand, item.line, refused=refused)


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines is a hand's."""
    return any(map(_HAND.fullmatch, lines))


def _refuse_without_blinds(options: ReadOptions) -> None:
    if options.rules is not None or options.folder is None:
        return
    for game in _NO_FIXED_LIMIT.intersection(options.folder.resolve().parts):
        raise UnnamedGame(
            f"{options.file}: {game} has no fixed limit; allowed: its blinds by --game"
        )


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


def _hand_of(match: re.Match[str], line: int) -> _IrcHand:
    time, _, number, seats, pots, board = match.groups()
    pairs = [pair.split("/") for pair in pots.split()]
    return _IrcHand(
        line=line,
        time=int(time),
        number=int(number),
        seats=int(seats),
        pots=tuple([(int(players), int(chips)) for players, chips in pairs]),
        board="".join(board.split()),
    )


def _refused(hand: _IrcHand, files: _Files, options: ReadOptions) -> RefusedHand:
    """Return what the lines tell of a hand that is refused: the money where its unit is given."""
    rules = options.rules
    won = {
        player.name: (player.won - player.put_in) / rules.chips_per_unit
        for player in files.players.get(hand.time, ())
        if rules is not None and player.put_in
    }
    return RefusedHand(
        won=won if sum(won.values()) <= 0 else {},
        played_at=_moment(hand),
        stake="" if rules is None else stake_of(rules, Fraction(1), ""),
        number=str(hand.number),
    )


def _moment(hand: _IrcHand) -> datetime | None:
    return None if hand.time < FIRST_MOMENT else datetime.fromtimestamp(hand.time, UTC)


def _record(hand: _IrcHand, files: _Files, options: ReadOptions) -> HandRecord:
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
    hand: _IrcHand, players: list[IrcPlayer], posts: tuple[int, ...], options: ReadOptions
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


def _check_players(hand: _IrcHand, players: list[IrcPlayer], names: list[str]) -> None:
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
    hand: _IrcHand, players: list[IrcPlayer], posts: tuple[int, ...], user_rules: Rules | None
) -> list[TableStakes]:
    """Yield the stakes that the user gives, or the possible ones, the likeliest first.

    Those of a limit game follow from the chips put in before an all-in for part of a bet: in the
    whole hand, or up to a street whose pot is stated. After an all-in before the flop they are
    guesses, and the hand's amounts allow only one. Raises `BadHand`.
    """
    if user_rules is not None:
        return [stakes_of(user_rules)]
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
    hand: _IrcHand, players: list[IrcPlayer], rules: Rules, options: ReadOptions
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
        played_at=_moment(hand),
        low_first=sum([player.hole.low_first << seat for seat, player in enumerate(players)]),
        source=Source(options.file, hand.line),
    )


def _check_pots(hand: _IrcHand, pots: tuple[frozenset[int], ...], ending: BettingOutcome) -> None:
    """Compare the pots at the beginning of each street and at showdown. Raises `BadHand`."""
    at_end = (pots_of(ending.state),) if ending.contenders else ()
    for allowed, (_, said) in zip((*pots, *at_end), hand.pots, strict=False):
        if said not in allowed:
            raise BadHand(
                SkipReason.WRONG_PAYOFF, f"a pot of {said}, but {max(allowed)} were put in"
            )


# Writer of the IRC poker database's format; see `railbird.histories.irc`.
#
# The lines of the three files follow each other, hand by hand. A hand whose time is unknown or
# already used gets a number instead that lies before all times of the database.


_BIG_BETS: Final = 1000
"""Bankroll in big bets that is written where stacks are unlimited."""
_FIRST_KEY: Final = 100_000
"""First number of six digits, the fewest that a time has."""
_POTS: Final = 4


class _BettingLetters(NamedTuple):
    """The betting of a hand in letters."""

    deeds: list[list[str]]
    """Letters by seat and street."""
    pots: list[str]
    """Players and chips at each deal of the board, and at showdown."""
    state: HandState


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write each hand's line, its roster and its players' lines."""
    del options  # the format has no head and no choices
    taken: set[int] = set()
    for count, record in enumerate(records):
        time = _time_of(record.played_at)
        if time is None or time in taken:
            time = _FIRST_KEY + count
        try:
            lines = list(_lines(record, time, count if record.number is None else record.number))
            _check(record, lines)
        except BadInput as error:
            yield not_representable(record, error)
            continue
        taken.add(time)
        yield "".join([f"{line}\n" for line in lines])


def _time_of(moment: datetime | None) -> int | None:
    """Return seconds since 1970 if they are known and possible in the database."""
    if moment is None or moment.tzinfo is None or moment.microsecond:
        return None
    time = int(moment.timestamp())
    return time if FIRST_MOMENT <= time <= LAST_MOMENT else None


def _check(record: HandRecord, lines: list[str]) -> None:
    """Refuse hands that would not read back the same, with the same stakes."""
    rules = record.rules
    stated_rules = None if rules.betting is Betting.LIMIT else rules
    hands = list(read([f"{line}\n" for line in lines], ReadOptions(rules=stated_rules)))
    back = hands[0] if len(hands) == 1 else None
    if isinstance(back, Skipped):
        raise BadInput(f"not as the database would have it: {back.detail}")
    if back is None or not same_stakes(back.rules, rules):
        raise BadInput("the stakes do not follow from the chips put in")
    same = dataclasses.replace(
        record,
        rules=back.rules,
        number=back.number,
        number_text=back.number_text,
        table="",
        played_at=back.played_at,
        comment="",
        denomination=Fraction(1),
        currency="",
    )
    if back != same or record.number not in (None, back.number):
        raise BadInput("it does not read back as the same hand")


def _lines(record: HandRecord, time: int, number: int) -> Iterator[str]:
    if record.rules.betting is Betting.SPREAD_LIMIT:
        raise BadInput("spread-limit betting")
    for name in record.players:
        if name.split() != [name]:
            raise BadInput(f"the name {name!r}")
    rules = _with_stacks(record.rules)
    assert rules.stacks is not None
    deeds, pots, state = _play(rules, record.actions)
    seats = rules.seats
    board = format_cards(record.board, separator=" ")
    yield " ".join([f"{time} 1 {number} {seats}", *pots, board]).rstrip()
    yield " ".join([f"{time} {seats}", *record.players])
    for seat, (name, stack, spent, payoff) in enumerate(
        zip(record.players, rules.stacks, state.spent, record.payoffs, strict=True)
    ):
        if payoff.denominator > 1:
            raise BadInput(f"{payoff} chips; allowed: whole ones")
        streets = " ".join([text or "-" for text in deeds[seat]])
        line = f"{name} {time} {seats} {seat + 1} {streets} {stack} {spent} {spent + payoff}"
        yield line + _shown(record.holes[seat], record.low_first >> seat & 1)


def _with_stacks(rules: Rules) -> Rules:
    if rules.stacks is not None:
        return rules
    plenty = Chips(_BIG_BETS * rules.bet_sizes[-1])
    return dataclasses.replace(rules, stacks=(plenty,) * rules.seats)


def _play(rules: Rules, actions: tuple[Action, ...]) -> _BettingLetters:
    walk = BettingReplay(rules)
    coming = iter(actions)
    deeds = [["B" if blind else "", "", "", ""] for blind in rules.blinds]
    pots: list[str] = []
    while walk.board_is_due or walk.betting_is_open:
        state = walk.state
        if walk.board_is_due:
            pots.append(_pot(state))
            walk.deal()
            continue
        seat, action = state.actor, next(coming)
        assert seat is not None
        walk.act(action)
        deeds[seat][state.street] += _letter(state, action, walk.state)
    if len(walk.state.in_hand) > 1:
        pots.append(_pot(walk.state))
    return _BettingLetters(deeds, pots + ["0/0"] * (_POTS - len(pots)), walk.state)


def _pot(state: HandState) -> str:
    return f"{len(state.in_hand)}/{state.pot}"


def _letter(before: HandState, action: Action, after: HandState) -> str:
    """Return the letter of an action, from the states before and after it."""
    seat, stacks = before.actor, after.stacks
    assert seat is not None
    assert stacks is not None
    name = name_of(action, to_call=before.to_call, bet=before.bet)
    chips_in = name not in (ActionName.FOLD, ActionName.CHECK)
    return "A" if chips_in and stacks[seat] == 0 else name.letter


def _shown(hole: Holding | None, low_first: int) -> str:
    """Return the cards at the end of a player's line."""
    if hole is None:
        return ""
    return " " + format_cards(hole_cards(hole, low_first=low_first), separator=" ")
