"""Hand histories of PokerStars: cash games and tournaments, hold'em in limit, pot and no limit.

A hand is a block of lines that ends with an empty one: the game, the table, stacks by seat number,
posts, the actions, and a summary with the pot and the rake. "raises $16 to $26" gives both the
increase and the street's total. Empty seats and players sitting out make it a hand of fewer
players. Cards are known if they were shown or are the hero's.

Texts from before 2009, and of other programs, have no "Uncalled bet" lines: the uncalled part of a
bet is then missing from the pot. The archive that the site sends by e-mail has a numbered line of
stars above each hand and may indent all lines; some copies have an empty line after every line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple

from railbird.cards import Card
from railbird.errors import BadInput
from railbird.game import Rules
from railbird.game.engine.reported import NEXT_STREET, RAISE, UNSAID
from railbird.histories.card_text import UNKNOWN, Hole, after_showing
from railbird.histories.format import ReadOptions, read_in_stages
from railbird.histories.pokerstars.header import HEADER, MONEY, Head, chips_of, read_head
from railbird.histories.pokerstars.lines import (
    Act,
    Post,
    Remark,
    Show,
    has_total,
    read_collected,
    read_dealt,
    read_play,
    read_result,
    read_stack,
    read_street,
    read_table,
    read_total,
)
from railbird.histories.pokerstars.rules import Posted, posts_of, site_rules
from railbird.histories.rake import settle_raked, uncalled
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, Source, renamed
from railbird.histories.verify import Ending, reported_ending
from railbird.units import Chips

_SEAT: Final = re.compile(r"Seat ([0-9]{1,3}): (.+) \((\S+ in chips.*)")
_SEAT_DIGITS: Final = 3
_RETURNED: Final = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.+)")
_ARCHIVE_MARK: Final = re.compile(r"\*{5,20} # [0-9]{1,9} \*{5,20}")
_SUMMARY: Final = "*** SUMMARY ***"
_ORDER_MARK: Final = "\ufeff"
_FIRST_WORDS: Final = ("pokerstars", "full tilt ")
_INITIALS: Final = frozenset(["P", "p", "F", _ORDER_MARK])
_BEGINNINGS: Final = frozenset(
    [
        f"{mark}{spelt}"[:10]
        for mark in ("", _ORDER_MARK)
        for spelt in ("PokerStars", "POKERSTARS", "pokerstars", "Full Tilt ", "FULL TILT ")
    ]
)
"""Beginnings of a hand's first line; only lines that have one are matched against `HEADER`."""
_LONGEST_HAND: Final = 1000
"""In lines; keeps text without empty lines from filling the memory."""
_LONGEST_LINE: Final = 1000
"""In characters; anything longer can only be chat."""
_DENOMINATIONS: Final = {1: Fraction(1), 100: Fraction(1, 100)}


class _Block(NamedTuple):
    """Lines of one hand."""

    first: int
    lines: list[str]
    ended: bool
    """Whether anything follows the block."""


@dataclass(slots=True)
class _Player:
    name: str
    index: int
    """Position among the seats in the text."""
    seat: int
    """Number of the seat at the table."""
    stack: Chips
    away: bool
    takes_part: bool = False
    hole: Hole = UNKNOWN
    won: int = 0
    returned: int = 0
    """Uncalled part of a bet."""
    said: Chips | None = None
    """Chips won according to the summary."""

    def show(self, hole: Hole) -> None:
        """Record the player's cards. Raises `BadHand` if they differ from earlier ones."""
        if self.hole is not hole:
            self.hole = after_showing(self.hole, hole, f"seat {self.seat}")


@dataclass(slots=True)
class _Story:
    """Contents of a hand's lines, not verified yet."""

    head: Head
    scale: int
    table: str = ""
    button: int = 0
    players: dict[str, _Player] = field(default_factory=dict)
    seats: dict[str, _Player] = field(default_factory=dict)
    """Players by the number of their seat."""
    colons: bool = False
    """Whether a name contains a colon and a space, which also end names."""
    posts: list[tuple[_Player, Post]] = field(default_factory=list)
    report: list[int] = field(default_factory=list)
    """Actions for `railbird.game.engine.reported`, with player indices instead of seats."""
    board: tuple[Card, ...] = ()
    total: Chips | None = None
    rake: Chips | None = None


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories hand by hand."""
    return read_in_stages(_blocks(lines), _story, partial(_hand, options=options), _skipped)


def _skipped(block: _Block, problem: BadInput) -> Skipped:
    if not isinstance(problem, BadHand):  # posts and stacks that no table has
        return Skipped(SkipReason.ANOTHER_GAME, block.first, str(problem))
    cut = not block.ended and not any(map(has_total, block.lines))
    told = problem.reason is SkipReason.ANOTHER_GAME or not cut
    return Skipped(problem.reason if told else SkipReason.CUT, block.first, problem.detail)


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines begins a hand."""
    return any(HEADER.match(line.strip().lstrip(_ORDER_MARK)) for line in lines)


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    first, block = 1, list[str]()
    blanks = spacing = 0  # consecutive empty lines, and those that separate this hand's lines
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if (
            block
            and text
            and (text[0] not in _INITIALS or text[:10] not in _BEGINNINGS)
            and number - first < _LONGEST_HAND
        ):
            block.append(text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE])
            blanks = 0
        elif text:
            text = text.lstrip(_ORDER_MARK)[:_LONGEST_LINE]
            starts = text[:10].lower() in _FIRST_WORDS and HEADER.match(text) is not None
            if block and (starts or number - first >= _LONGEST_HAND):
                yield _Block(first, block, ended=True)
                block = []
            if block or not _ARCHIVE_MARK.fullmatch(text):
                first, spacing = (first, spacing) if block else (number, 0)
                block.append(text)
            blanks = 0
        else:
            blanks += 1
            spacing = 1 if len(block) == 1 and blanks == 1 else spacing
            if block and blanks > spacing:
                yield _Block(first, block, ended=True)
                block = []
    if block:
        yield _Block(first, block, ended=False)


def _story(block: _Block) -> _Story:
    """Parse the lines without judging whether the hand is possible. Raises `BadHand`."""
    lines = block.lines
    head = read_head(lines[0])
    scale = head.game.scale
    story = _Story(head, scale)
    players, report = story.players, story.report
    end = lines.index(_SUMMARY) if _SUMMARY in lines else len(lines)
    for line in lines[1:end]:
        name, colon, text = line.partition(": ")
        player = players.get(name) if colon else None
        if player is None and story.colons and colon:
            player, text = _longest_name(story, line)
        if player is None:
            _tell(story, line)
            continue
        said = read_play(text, scale)
        if isinstance(said, Act):
            kind, amount, to, hole = said
            player.takes_part = True
            report += (player.index, kind, amount, to)
            if hole is not None:
                player.show(hole)
        else:
            _tell_play(story, player, said, text)
    for line in lines[end + 1 :]:
        _tell_result(story, line)
    if story.total is None:
        raise BadHand(SkipReason.CUT, "no total pot")
    return story


def _longest_name(story: _Story, line: str) -> tuple[_Player | None, str]:
    """Return the player whose name and a colon begin the line, and the text after them."""
    if line.startswith("Seat "):
        return None, ""
    names = [name for name in story.players if line.startswith(f"{name}: ")]
    if not names:
        return None, ""
    name = max(names, key=len)
    return story.players[name], line[len(name) + 2 :]


def _tell_play(
    story: _Story, player: _Player, said: Post | Show | Remark | None, text: str
) -> None:
    """Record a post, shown cards or absence."""
    match said:
        case Post():
            player.takes_part = True
            story.posts.append((player, said))
        case Show(hole):
            player.show(hole)
        case Remark.AWAY:
            player.away = True
        case None:
            raise BadHand(SkipReason.UNREADABLE, repr(f"{player.name}: {text}"[:60]))


def _tell(story: _Story, line: str) -> None:
    """Record a line without a player's name; chat and other remarks are ignored."""
    first = line[:4]  # one comparison for a line is faster than one for each kind
    if first == "*** ":
        _tell_street(story, line)
    elif first == "Seat" and line[4:5] == " " and ": " in line:
        _tell_seat(story, line)
    elif first == "Deal" and line.startswith("Dealt to ") and (dealt := read_dealt(line)):
        _player(story, dealt[0]).show(dealt[1])
    elif (
        first == "Unca"
        and line.startswith("Uncalled bet ")
        and (match := _RETURNED.fullmatch(line))
    ):
        _player(story, match[2]).returned += chips_of(match[1], story.scale)
    elif " collected " in line:
        name, _, text = line.rpartition(" collected ")
        chips = read_collected(text, story.scale)
        if chips is not None and name in story.players:
            story.players[name].won += chips
    elif first == "Tabl" and line.startswith("Table ") and (table := read_table(line)):
        story.table, story.button = table
    else:
        name, colon, text = line.partition(": ")
        if colon and isinstance(read_play(text.strip(), story.scale), Act | Post):
            raise _nobody(name)


def _tell_street(story: _Story, line: str) -> None:
    board = read_street(line)
    if not board:
        return
    if board[: len(story.board)] != story.board:
        raise BadHand(SkipReason.WRONG_BOARD, f"{line!r} does not continue the board")
    story.board = board
    story.report += NEXT_STREET


def _tell_seat(story: _Story, line: str) -> None:
    seat, _, text = line[5:].partition(": ")
    name, _, text = text.rpartition(" (")
    stack = read_stack(text, story.scale)
    if stack is None and (match := _SEAT.fullmatch(line)):  # more parentheses after the stack
        seat, name, text = match.groups()
        stack = read_stack(text, story.scale)
    if stack is None or not name or not (seat.isdecimal() and len(seat) <= _SEAT_DIGITS):
        raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
    if name in story.players or seat in story.seats:
        raise BadHand(SkipReason.SAME_NAME, f"seat {seat} or {name} twice")
    player = _Player(name, len(story.players), int(seat), *stack)
    story.players[name] = story.seats[seat] = player
    story.colons = story.colons or ": " in name


def _tell_result(story: _Story, line: str) -> None:
    """Record a line of the summary."""
    if line.startswith("Seat "):
        seat, _, text = line[5:].partition(": ")
        player = story.seats.get(seat)
        if player is None or not text.startswith(player.name):
            raise BadHand(SkipReason.UNREADABLE, f"{line[:60]!r}: the seat has another player")
        result = read_result(text[len(player.name) :], story.scale)
        if result.on_button and player.seat != story.button:
            raise BadHand(
                SkipReason.UNREADABLE, f"the button is in seats {story.button} and {player.seat}"
            )
        if result.hole is not None:
            player.show(result.hole)
        if result.won is not None:
            player.said = result.won
    elif line.startswith("Total pot ") and (total := read_total(line, story.scale)):
        story.total, story.rake = total


def _player(story: _Story, name: str) -> _Player:
    if name not in story.players:
        raise _nobody(name)
    return story.players[name]


def _nobody(name: str) -> BadHand:
    return BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} has no seat")


def _hand(block: _Block, story: _Story, options: ReadOptions) -> HandRecord:
    players = _seated(story)
    names = tuple([player.name for player in players])
    places = [UNSAID] * (len(story.players) + 1)  # the last is for rows without a player
    for seat, player in enumerate(players):
        places[player.index] = seat
    rules = options.rules or _rules(story, players, places)
    if rules.seats != len(names):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(names)} players in a game of {rules.seats} seats"
        )
    holes = tuple([player.hole.holding for player in players])
    ending = reported_ending(rules, _report(story, places), holes, story.board, names)
    return HandRecord(
        rules=rules,
        players=renamed(names, options.rename) if options.rename else names,
        holes=holes,
        board=story.board,
        actions=ending.actions,
        payoffs=_payoffs(story, players, ending),
        number=story.head.number,
        table=story.table,
        played_at=story.head.played_at,
        denomination=_DENOMINATIONS[story.scale],
        currency=story.head.game.currency,
        low_first=sum([player.hole.low_first << seat for seat, player in enumerate(players)]),
        source=Source(options.file, block.first),
    )


def _seated(story: _Story) -> list[_Player]:
    """Return the players dealt in, clockwise from the left of the button."""
    for player in story.players.values():
        if not player.takes_part and not player.away:
            raise BadHand(SkipReason.UNREADABLE, f"{player.name} neither acts nor sits out")
    seated = [player for player in story.players.values() if player.takes_part]
    if len(seated) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(seated)} players")
    if story.button == 0:
        raise BadHand(SkipReason.UNREADABLE, "no line gives the button")
    seated.sort(key=lambda player: (player.seat <= story.button, player.seat))
    return seated


def _report(story: _Story, places: list[int]) -> list[int]:
    """Return the reported actions with seats instead of player indices.

    After a short big blind the site counts the first raise from the amount posted, although the
    others must call the full blind.
    """
    report = story.report
    report[::4] = [places[index] for index in report[::4]]
    full = story.head.game.full_blinds[1]
    posted = [post.amount for _, post in story.posts if post.what == "big blind"]
    if posted and posted[0] < full and RAISE in report[1::4]:
        first = 4 * report[1::4].index(RAISE)
        if report[first + 3] - report[first + 2] == posted[0]:
            report[first + 2] = UNSAID
    return report


def _rules(story: _Story, players: list[_Player], places: list[int]) -> Rules:
    game, blinds = story.head.game, story.head.game.full_blinds
    spent = [0] * len(story.players)
    posted = []
    for player, (what, amount, all_in) in story.posts:
        index = player.index
        spent[index] += amount
        all_in = all_in or spent[index] >= player.stack
        posted.append(Posted(places[index], what, amount, all_in))
    posts = posts_of(len(players), tuple(posted), blinds)
    cap = game.cap
    return site_rules(
        game.betting,
        game.stakes,
        posts,
        stacks=tuple([min(player.stack, cap or player.stack) for player in players]),
    )


def _payoffs(story: _Story, players: list[_Player], ending: Ending) -> tuple[Fraction, ...]:
    """Return the payoffs after checking every amount that the text gives. Raises `BadHand`."""
    spent = ending.state.spent
    won = [player.won for player in players]
    returned: Sequence[int] = [player.returned for player in players]
    total, taken = sum(spent) - sum(returned), sum(won)
    if not (right := _adds_up(story, total, taken)) and not any(returned):
        returned = uncalled(ending.state)
        total -= sum(returned)
        right = _adds_up(story, total, taken)
    if not right:
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"total pot {story.total} and rake {story.rake}; {total} were put in and {taken} won",
        )
    for player in players:
        if player.said is not None and player.said != player.won:
            raise BadHand(
                SkipReason.WRONG_PAYOFF,
                f"seat {player.seat} wins {player.won}, but {player.said} in the summary",
            )
    amounts = zip(won, returned, spent, strict=True)
    return settle_raked(ending, [got + back - put for got, back, put in amounts])


def _adds_up(story: _Story, total: int, won: int) -> bool:
    """Return whether the summary has this pot, which some programs write without the rake."""
    return story.rake == total - won and story.total in (total, won)
