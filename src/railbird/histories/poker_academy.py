"""Hand histories of Poker Academy, a training program with research bots (2003-2013).

A hand is a block of lines that ends with a row of stars: number, game, table and time, the players
with stacks and all cards, then the actions. "raises $10" gives the increase, not the total, and
winnings exclude an uncalled bet.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import Final, NamedTuple

from railbird.cards import Card, cards_of, describe, format_cards, strength
from railbird.errors import BadInput
from railbird.game import (
    BOARD_CARDS,
    LIMIT_RAISES,
    ActionName,
    Betting,
    OpenFold,
    Raise,
    Rules,
    Street,
    UncallableRaise,
)
from railbird.game.reported import CALL, FOLD, NEXT_STREET, NOT_STATED, RAISE
from railbird.histories.betting import BettingAction, BettingSequence, course_of
from railbird.histories.format import (
    ReadOptions,
    WriteOptions,
    attempt,
    check_name,
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
from railbird.histories.text_values import (
    UNKNOWN,
    Hole,
    after_showing,
    amounts_of,
    hole_cards,
    moment_text,
    read_cards,
    read_hole,
    read_moment,
)
from railbird.histories.verify import BettingOutcome, confirm, ending_of, reported_ending
from railbird.units import Chips, Seat

_MONEY: Final = r"\$((?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]{1,15})(?![0-9,])(?:\.[0-9]{2})?)"
_CENTS: Final = re.compile(r"\$[0-9,]+\.[0-9]{2}")
_FIRST: Final = re.compile(r"Poker Academy[^#]*#([0-9]{1,18}|[0-9]{1,3}(?:,[0-9]{3}){1,5})\s*$")
_LAST: Final = re.compile(r"\*{10,}\s*$")
_GAME: Final = re.compile(
    rf"(Limit|No Limit|Pot Limit) Texas Hold'?em \({_MONEY}/{_MONEY}(?: [NPF]L)?\)"
)
_PLAYER: Final = re.compile(rf"\d+[)}}] ([^ ]+(?: +[^ ]+)*?) +(\* *)?{_MONEY}(.*)")
_SITTING_OUT: Final = re.compile(r"\d+[)}] .*\(sitting out\)")
_STREET: Final = re.compile(r"(FLOP|TURN|RIVER): +(.+)")
_BOARD_SIZES: Final = {"FLOP": 3, "TURN": 4, "RIVER": 5}
_POST: Final = re.compile(rf"posts (?:small|big) blind {_MONEY}")
_DEED: Final = re.compile(rf"(folds|checks|calls|bets|raises)(?: {_MONEY})?(?: .*)?")
_KINDS: Final = {"folds": FOLD, "checks": CALL, "calls": CALL, "bets": RAISE, "raises": RAISE}
_SHOW: Final = re.compile(r"shows (\S\S \S\S)\b.*")
_WIN: Final = re.compile(rf"wins {_MONEY}(?: .*)?")
_QUIET: Final = re.compile(r"(?:mucks|does not show|doesn't show)\b.*")
_LONGEST_HAND: Final = 1000
"""Most lines of a hand, so that text without rows of stars does not fill the memory."""
_LONGEST_LINE: Final = 1000
"""Most characters of a line that are kept; no line of a hand is nearly as long."""

BETTINGS: Final = {
    "Limit": Betting.LIMIT,
    "No Limit": Betting.NO_LIMIT,
    "Pot Limit": Betting.POT_LIMIT,
}
_KEPT: Final = 256


class _AcademyBlock(NamedTuple):
    """Lines of one hand."""

    first: int
    lines: list[str]
    ended: bool
    """Whether the hand is complete, rather than cut off by the end of the file."""


@dataclass(slots=True)
class _AcademyPlayer:
    name: str
    place: int
    """Position at the table."""
    stack: Chips
    hole: Hole
    on_button: bool


@dataclass(slots=True)
class _AcademyStory:
    """Contents of a hand's lines, not verified yet."""

    number: int
    betting: Betting
    stakes: tuple[Chips, Chips]
    """Small and big bet in limit, otherwise the blinds."""
    scale: int
    """Chips per dollar: 100 if the hand has cents."""
    table: str = ""
    played_at: datetime | None = None
    players: dict[str, _AcademyPlayer] = field(default_factory=dict)
    """Players in the order of the table."""
    posts: dict[str, Chips] = field(default_factory=dict)
    report: list[int] = field(default_factory=list)
    """Actions for `railbird.game.reported`, with positions at the table for seats."""
    board: tuple[Card, ...] = ()
    wins: dict[str, Chips] = field(default_factory=dict)


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories hand by hand."""
    for block in _blocks(lines):
        hand = attempt(block.lines[0], _hand, block, options)
        yield hand_or_skipped(hand, block.first, ended=block.ended)


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines begins a hand."""
    return any(_FIRST.match(line) for line in lines)


def _blocks(lines: Iterable[str]) -> Iterator[_AcademyBlock]:
    first, block = 1, list[str]()
    for number, line in enumerate(lines, 1):
        starts = _FIRST.match(line) is not None
        if starts or _LAST.match(line) or len(block) > _LONGEST_HAND:
            if any(block):
                yield _AcademyBlock(first, block, ended=True)
            first, block = number, []
            if not starts:
                continue
        if not any(block):
            first = number
        block.append(line.strip()[:_LONGEST_LINE])
    if any(block):
        yield _AcademyBlock(first, block, ended=False)


def _chips(text: str, scale: int) -> Chips:
    dollars, _, cents = text.replace(",", "").partition(".")
    return Chips(int(dollars or 0) * scale + int(cents or 0))


def _story(lines: list[str]) -> _AcademyStory:
    """Parse the lines without judging whether the hand is possible. Raises `BadHand`."""
    first, game, *rest = *filter(None, lines), ""
    header = _FIRST.match(first)
    if header is None:
        raise BadHand(SkipReason.UNREADABLE, f"no hand: {first[:60]!r}")
    stakes = _GAME.match(game)
    if stakes is None:
        raise BadHand(SkipReason.ANOTHER_GAME, repr(game[:60]))
    scale = 100 if any(map(_CENTS.search, lines)) else 1
    story = _AcademyStory(
        number=int(header[1].replace(",", "") or 0),
        betting=BETTINGS[stakes[1]],
        stakes=(_chips(stakes[2], scale), _chips(stakes[3], scale)),
        scale=scale,
    )
    for line in filter(None, rest):
        if not (_tell_table(story, line) or _tell_street(story, line) or _tell_deed(story, line)):
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
    return story


def _tell_table(story: _AcademyStory, line: str) -> bool:
    """Record a line with the table, the time or a player."""
    if line.startswith("Table ") and not story.players:
        story.table = line.removeprefix("Table ")
        return True
    moment = read_moment(line)
    if moment is not None:
        story.played_at = moment
        return True
    match = _PLAYER.fullmatch(line)
    if match is None:
        return _SITTING_OUT.fullmatch(line) is not None
    name, button, stack, cards = match.groups()
    story.players[name] = _AcademyPlayer(
        name=name,
        place=len(story.players),
        stack=_chips(stack, story.scale),
        hole=UNKNOWN if cards.strip(" ?") == "" else read_hole("".join(cards.split())),
        on_button=bool(button),
    )
    return True


def _tell_street(story: _AcademyStory, line: str) -> bool:
    """Record a line with the whole board."""
    match = _STREET.fullmatch(line)
    if match is None:
        return False
    seen = len(story.board)
    board = read_cards(match[2], _BOARD_SIZES[match[1]])
    if board[:seen] != story.board:
        raise BadHand(SkipReason.WRONG_BOARD, f"{line!r} does not continue the board")
    story.board = board
    story.report += NEXT_STREET
    return True


def _tell_deed(story: _AcademyStory, line: str) -> bool:
    """Record a line that begins with a player's name."""
    names = [name for name in story.players if line.startswith(f"{name} ")]
    if not names:
        return False
    name = max(names, key=len)
    rest = line[len(name) + 1 :]
    if match := _DEED.fullmatch(rest):
        verb, amount = match.groups()
        chips = _chips(amount or "0", story.scale)
        story.report += (story.players[name].place, _KINDS[verb], chips, NOT_STATED)
    elif match := _POST.fullmatch(rest):
        story.posts[name] = _chips(match[1], story.scale)
    elif match := _WIN.fullmatch(rest):
        story.wins[name] = Chips(story.wins.get(name, 0) + _chips(match[1], story.scale))
    elif match := _SHOW.fullmatch(rest):
        player, hole = story.players[name], read_hole(match[1].replace(" ", ""))
        player.hole = after_showing(player.hole, hole, name)
    else:
        return _QUIET.fullmatch(rest) is not None
    return True


def _hand(block: _AcademyBlock, options: ReadOptions) -> HandRecord:
    story = _story(block.lines)
    seated = _seated(story)
    names = tuple([player.name for player in seated])
    rules = options.rules or table_rules(
        story.betting,
        story.stakes,
        blinds=tuple([story.posts.get(name, Chips(0)) for name in names]),
        stacks=tuple([player.stack for player in seated]),
    )
    if rules.seats != len(seated):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(seated)} players in a game of {rules.seats} seats"
        )
    if not story.wins:
        raise BadHand(SkipReason.CUT, "nobody wins")
    holes = tuple([player.hole.holding for player in seated])
    seats = [NOT_STATED] * (len(seated) + 1)  # the last is for rows without a player
    for seat, player in enumerate(seated):
        seats[player.place] = seat
    story.report[::4] = [seats[place] for place in story.report[::4]]
    ending = reported_ending(rules, story.report, holes, story.board, names)
    called = called_chips(ending.state.spent)
    won = [story.wins.get(name, 0) for name in names]
    logged = amounts_of(tuple([Fraction(w - c) for w, c in zip(won, called, strict=True)]))
    return HandRecord(
        rules=rules,
        players=renamed(names, options.rename),
        holes=holes,
        board=story.board,
        actions=ending.actions,
        payoffs=ending.settle(holes, story.board, logged),
        number=story.number,
        table=story.table,
        played_at=story.played_at,
        denomination=Fraction(1, story.scale),
        low_first=sum([player.hole.low_first << seat for seat, player in enumerate(seated)]),
        source=Source(options.file, block.first),
    )


def _seated(story: _AcademyStory) -> list[_AcademyPlayer]:
    """Return the players by seat, from the left of the button (heads-up the big blind)."""
    players = list(story.players.values())
    if len(players) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(players)} players")
    buttons = [place for place, player in enumerate(players) if player.on_button]
    if len(buttons) != 1:
        raise BadHand(SkipReason.UNREADABLE, f"{len(buttons)} players on the button")
    left = buttons[0] + 1
    return players[left:] + players[:left]


def called_chips(spent: tuple[Chips, ...]) -> tuple[Chips, ...]:
    """Return the chips that each seat put in, without the uncalled part of the last bet."""
    called = sorted(spent)[-2]
    return tuple([min(chips, called) for chips in spent])


@lru_cache(_KEPT)
def table_rules(
    betting: Betting,
    stakes: tuple[Chips, Chips],
    *,
    blinds: tuple[Chips, ...],
    stacks: tuple[Chips, ...],
) -> Rules:
    """Return the rules of a table of Poker Academy.

    Stacks too deep for a limit hand to exhaust are omitted: they make no difference, and without
    them a whole match has the same rules. Raises `railbird.errors.BadInput`.
    """
    limit = betting is Betting.LIMIT
    small, big = stakes
    sizes = (small, small, big, big) if limit else (big, big, big, big)
    most = max(blinds) + sum(map(mul, LIMIT_RAISES, sizes))
    last = blinds.index(max(blinds))
    return Rules(
        betting=betting,
        blinds=blinds,
        stacks=None if limit and min(stacks) >= most else stacks,
        bet_sizes=sizes,
        max_raises=LIMIT_RAISES if limit else None,
        first_to_act=(Seat((last + 1) % len(blinds)), Seat(0), Seat(0), Seat(0)),
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
    )


# Writer of Poker Academy's format; see `railbird.histories.poker_academy`.


_STARS: Final = "*" * 30
_SUFFIXES: Final = {Betting.LIMIT: "", Betting.NO_LIMIT: " NL", Betting.POT_LIMIT: " PL"}
_NAMES: Final = {betting: name for name, betting in BETTINGS.items()}
_BIG_BETS: Final = 1000
"""Stack written, in big bets, where stacks are unlimited."""


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write a block of lines per hand."""
    del options  # the format has no head and no choices
    for count, record in enumerate(records):
        try:
            lines = list(_lines(record, count))
        except BadInput as error:
            yield not_representable(record, error)
        else:
            yield "\n".join([*lines, "", _STARS, ""])


def _lines(record: HandRecord, count: int) -> Iterator[str]:
    if record.rules.betting not in _NAMES:
        raise BadInput(f"{record.rules.betting.value} betting")
    rules, stakes, stacks = record.rules, _stakes(record.rules), _stacks(record.rules)
    as_read = table_rules(rules.betting, stakes, blinds=rules.blinds, stacks=stacks)
    confirm(record, as_read)
    course = course_of(as_read, record.actions)
    ending = ending_of(as_read, record.actions, record.holes, record.board)
    small, big = (_money(record, amount) for amount in stakes)
    number = count if record.number is None else record.number
    yield f"Poker Academy Pro #{number:,}"
    yield f"{_NAMES[rules.betting]} Texas Holdem ({small}/{big}{_SUFFIXES[rules.betting]})"
    if record.table:
        check_text(record.table, "a table")
        yield f"Table {record.table}"
    if record.played_at is not None:
        yield moment_text(record.played_at)
    yield ""
    yield from _seats(record, stacks)
    yield ""
    yield from _posts(record)
    yield from _deeds(record, course)
    yield from _shows(record, ending)
    yield ""
    yield from _wins(record, ending)


def _stakes(rules: Rules) -> tuple[Chips, Chips]:
    if rules.betting is Betting.LIMIT:
        return rules.bet_sizes[0], rules.bet_sizes[2]
    return min(filter(None, rules.blinds)), max(rules.blinds)


def _stacks(rules: Rules) -> tuple[Chips, ...]:
    return rules.stacks or (Chips(_BIG_BETS * rules.bet_sizes[2]),) * rules.seats


def _money(record: HandRecord, chips: Chips | Fraction) -> str:
    if record.denomination == 1 and chips == int(chips):
        return f"${int(chips):,}"
    cents = chips * record.denomination * 100
    if cents != int(cents):
        raise BadInput(f"{chips} chips of {record.denomination} are no dollars and cents")
    dollars, rest = divmod(int(cents), 100)
    return f"${dollars:,}.{rest:02}"


def _seats(record: HandRecord, stacks: tuple[Chips, ...]) -> Iterator[str]:
    width = max(map(len, record.players))
    for seat, (name, stack, hole) in enumerate(
        zip(record.players, stacks, record.holes, strict=True)
    ):
        check_name(name, "  ", " *", "$", "(sitting out)")
        button = "*" if seat == len(stacks) - 1 else " "
        cards = "" if hole is None else _hole(record, Seat(seat))
        yield f" {seat + 1}) {name:{width}} {button}  {_money(record, stack)}  {cards}".rstrip()


def _hole(record: HandRecord, seat: Seat) -> str:
    hole = record.holes[seat]
    assert hole is not None
    return format_cards(hole_cards(hole, low_first=record.low_first >> seat & 1), separator=" ")


def _posts(record: HandRecord) -> Iterator[str]:
    posts = [(chips, seat) for seat, chips in enumerate(record.rules.blinds) if chips]
    if len(posts) > 2:
        raise BadInput(f"{len(posts)} posts; allowed: a small blind and a big blind")
    words = ("small", "big")[-len(posts) :]
    for word, (chips, seat) in zip(words, sorted(posts), strict=True):
        yield f"{record.players[seat]} posts {word} blind {_money(record, chips)}"


def _deeds(record: HandRecord, course: BettingSequence) -> Iterator[str]:
    street = Street.PREFLOP
    for move in course.moves:
        yield from _streets(record, street, move.street)
        street = move.street
        yield f"{record.players[move.seat]} {_deed(record, move)}"
    yield from _streets(record, street, course.street)


def _streets(record: HandRecord, done: Street, until: Street) -> Iterator[str]:
    for street in range(done + 1, until + 1):
        board = format_cards(record.board[: BOARD_CARDS[street]], separator=" ")
        yield ""
        yield f"{Street(street).name}:  {board}"


def _deed(record: HandRecord, move: BettingAction) -> str:
    match move.action:
        case Raise(to):
            by = _money(record, Chips(to - move.bet))
            # Whoever has nothing to call bets, the big blind after calls too.
            return f"raises {by}" if move.to_call else f"bets {by}"
        case _ if move.name is ActionName.CALL:
            # The program itself writes the trailing space.
            return f"calls {_money(record, move.to_call)} "
        case _:
            return f"{move.name.word}s"


def _shows(record: HandRecord, ending: BettingOutcome) -> Iterator[str]:
    for seat in ending.contenders:
        if record.holes[seat] is not None:
            yield f"{record.players[seat]} shows {_hole(record, seat)}"


def _wins(record: HandRecord, ending: BettingOutcome) -> Iterator[str]:
    called = called_chips(ending.state.spent)
    for seat, payoff in enumerate(record.payoffs):
        amount = payoff + called[seat]
        if amount:
            how = f"with {_rank(record, Seat(seat))}" if ending.contenders else "uncontested"
            yield f"{record.players[seat]} wins {_money(record, amount)} {how}"


def _rank(record: HandRecord, seat: Seat) -> str:
    hole = record.holes[seat]
    return "unknown cards" if hole is None else describe(strength((*cards_of(hole), *record.board)))
