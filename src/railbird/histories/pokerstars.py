"""Hand histories of PokerStars: cash games and tournaments, hold'em in limit, pot and no limit.

A hand is a block of lines up to the next hand or to two empty lines: the game, the table, stacks by
seat number, posts, the actions, and a summary with the pot and the rake. "raises $16 to $26" gives
both the increase and the street's total. Empty seats and players sitting out make it a hand of
fewer players. Cards are known if they were shown or are the hero's.

Texts from before 2009, and of other programs, have no "Uncalled bet" lines: the uncalled part of a
bet is then missing from the pot. The archive that the site sends by e-mail has a numbered line of
stars above each hand and may indent all lines; some copies have an empty line after every line.

Run It Once, PokerBros and PokerMaster write the same words under a first line of their own. From
June 2019 on Run It Once prints the cards of everybody; PokerMaster calls a straddle a big blind.
"""

# Reading has three steps, so that each can be wrong in its own words. `_blocks` cuts the text into
# hands. `_story` takes a hand's lines and writes down what they say, without asking whether it is
# possible. `_hand` seats the players, makes the rules from the posts, and replays what was reported
# through the engine; a hand is accepted only if the engine allows every action and the payoffs, the
# pot and the rake that the text gives are those that follow.
#
# That last step is why so much can be left open before it. The site's words do not always say which
# amount a raise is counted from, whether an uncalled bet was returned, or what a short blind counts
# as, and programs that write the same words differ; `railbird.game.reported` takes rows with
# unknown numbers, and a wrong guess does not add up. So there is no list of versions: the two
# exceptions, Run It Once's early raises and the missing "Uncalled bet" lines, are tried where the
# plain reading fails.
#
# The order of the tests in `_tell` and `_blocks` is for speed. Most lines are actions, found by the
# name before the first colon; only a line that begins like a hand's first one is matched against
# the pattern of a header. Every count has a bound (`_LONGEST_HAND`, digits in patterns), because
# texts come from anywhere: tests/laws/test_reading_time.py mutates them and measures that the time
# stays in proportion.
#
# Who would notice: tests/histories/test_pokerstars.py, the contract suite for formats, and
# the golden file tests/golden/histories/stars.txt.

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from operator import add
from pathlib import Path
from typing import Final, NamedTuple

from railbird.cards import Card
from railbird.errors import BadInput, DamagedFile
from railbird.game import Rules, payoffs
from railbird.game.reported import (
    CALL,
    CHECK_IF_OPEN,
    DEAL,
    FOLD_IF_ABLE,
    NEXT_STREET,
    NOT_STATED,
    PUT_IN,
    RAISE,
)
from railbird.histories.files import LogFile, logs_in
from railbird.histories.format import ReadOptions, attempt, read_in_stages
from railbird.histories.pokerstars_lines import (
    HEADER,
    TOTAL_POT,
    TOURNAMENT,
    ActionLine,
    Head,
    Post,
    Posted,
    Remark,
    ShownCards,
    chips_of,
    has_total,
    posts_of,
    read_collected,
    read_dealt,
    read_head,
    read_play,
    read_result,
    read_stack,
    read_street,
    read_table,
    read_time,
    read_total,
    site_rules,
)
from railbird.histories.record import (
    RUN_TWICE,
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
    Source,
    renamed,
)
from railbird.histories.refused_money import ante_in, refused_hand, refused_money
from railbird.histories.sites.money import AMOUNT as MONEY
from railbird.histories.sites.money import (
    ANY_AMOUNT,
    UNIT,
    currency_in,
    read_amount,
    refuse_house_money,
)
from railbird.histories.text_values import UNKNOWN, Hole, after_showing
from railbird.histories.verify import (
    MOST_ROUNDED,
    BettingOutcome,
    exact,
    folded_all_in,
    is_rounded,
    reported_ending,
    settle_raked,
    uncalled,
    why_refused,
)
from railbird.units import Chips

_SEAT: Final = re.compile(r"Seat ([0-9]{1,3}): (.+) \((\S+ in [Cc]hips.*)")
_SEAT_DIGITS: Final = 3
_RETURNED: Final = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.+)")
_ARCHIVE_MARK: Final = re.compile(r"\*{5,20} # [0-9]{1,9} \*{5,20}")
_SUMMARY: Final = "*** SUMMARY ***"
_SAID: Final = ' said, "'
"""Mark of chat, which may say anything."""
_ORDER_MARK: Final = "\ufeff"
_ROOMS: Final = ("PokerStars", "Full Tilt ", "Run It Once", "PokerBros ", "PokerMaster")
_RUN_IT_ONCE: Final = "Run It Once"
_FIRST_WORDS: Final = frozenset([room[:10].lower() for room in _ROOMS])
_BEGINNINGS: Final = frozenset(
    [
        f"{mark}{spelt}"[:10]
        for mark in ("", _ORDER_MARK)
        for room in _ROOMS
        for spelt in (room, room.upper(), room.lower())
    ]
)
"""Beginnings of a hand's first line; only lines that have one are matched against `HEADER`."""
_INITIALS: Final = frozenset([beginning[0] for beginning in _BEGINNINGS])
"""Their first characters, which most lines do not have."""
_LONGEST_HAND: Final = 1000
"""Most lines of a hand, so that text without empty lines does not fill the memory."""
_LONGEST_LINE: Final = 1000
"""Most characters of a line that are kept; a longer line can only be chat."""
_DENOMINATIONS: Final = {1: Fraction(1), 100: Fraction(1, 100)}


class _PokerStarsBlock(NamedTuple):
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
class _ParsedHand:
    """Contents of a hand's lines, not verified yet."""

    head: Head
    scale: int
    table: str = ""
    button: int = 0
    play_money: bool = False
    players: dict[str, _Player] = field(default_factory=dict)
    seats: dict[str, _Player] = field(default_factory=dict)
    """Players by the number of their seat."""
    colons: bool = False
    """Whether a name contains a colon and a space, which also end names."""
    posts: list[tuple[_Player, Post]] = field(default_factory=list)
    report: list[int] = field(default_factory=list)
    """Actions for `railbird.game.reported`, with player indices instead of seats."""
    board: tuple[Card, ...] = ()
    total: Chips | None = None
    rake: Chips | None = None


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories hand by hand."""
    verify = partial(_hand, options=options)
    return read_in_stages(_divided(_blocks(lines)), _story, verify, _refused, _reason)


def _refused(block: _PokerStarsBlock, story: _ParsedHand | None) -> RefusedHand:
    """Return what the text tells of a hand that is refused."""
    line = block.lines[0]
    head = attempt(line, read_head, line) if story is None else story.head
    won = refused_money(block.lines)
    if isinstance(head, BadHand):
        return refused_hand(won, played_at=read_time(line))
    return refused_hand(
        won,
        head.number,
        played_at=head.played_at,
        betting=head.game.betting,
        stakes=[chips * UNIT // head.game.scale for chips in head.game.stakes],
        ante=ante_in(block.lines),
        currency=head.game.currency,
    )


def _reason(block: _PokerStarsBlock, problem: BadHand) -> SkipReason:
    cut = not block.ended and not any(map(has_total, block.lines))
    is_certain = problem.reason is SkipReason.ANOTHER_GAME or not cut
    return problem.reason if is_certain else SkipReason.CUT


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines begins a hand."""
    return any(HEADER.match(line.strip().lstrip(_ORDER_MARK)) for line in lines)


def _blocks(lines: Iterable[str]) -> Iterator[_PokerStarsBlock]:
    first, block = 1, list[str]()
    blanks = spacing = 0  # consecutive empty lines, and those that separate this hand's lines
    # One empty line may stand between the sections of a hand.
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
                yield _PokerStarsBlock(first, block, ended=True)
                block = []
            if block or not _ARCHIVE_MARK.fullmatch(text):
                first, spacing = (first, spacing) if block else (number, 0)
                block.append(text)
            blanks = 0
        else:
            blanks += 1
            spacing = 1 if len(block) == 1 and blanks == 1 else spacing
            if block and blanks > 1 + 2 * spacing:
                yield _PokerStarsBlock(first, block, ended=True)
                block = []
    if block:
        yield _PokerStarsBlock(first, block, ended=False)


def _divided(blocks: Iterable[_PokerStarsBlock]) -> Iterator[_PokerStarsBlock]:
    """Divide blocks in whose lines, whose ends were cut off, other hands begin."""
    for block in blocks:
        text = "\n".join(block.lines)
        begins_well = text[:10].lower() in _FIRST_WORDS
        if begins_well and text.count("Hand #") + text.count("Game #") < 2:
            yield block
            continue
        first, lines = block.first, list[str]()
        for number, line in enumerate(block.lines, block.first):
            rest = line
            # Chat may quote the first line of a hand.
            while _SAID not in line and (begins := HEADER.search(rest, 1)) is not None:
                yield _PokerStarsBlock(first, [*lines, rest[: begins.start()]], ended=True)
                first, lines, rest = number, [], rest[begins.start() :]
            lines.append(rest)
        yield _PokerStarsBlock(first, lines, block.ended)


def _story(block: _PokerStarsBlock) -> _ParsedHand:
    """Parse the lines without judging whether the hand is possible. Raises `BadHand`."""
    lines = block.lines
    head = read_head(lines[0])
    scale = head.game.scale
    story = _ParsedHand(head, scale)
    players, report = story.players, story.report
    try:
        end = lines.index(_SUMMARY)
    except ValueError:
        end = len(lines)
    for line in lines[1:end]:
        name, colon, text = line.partition(": ")
        player = players.get(name) if colon else None
        if player is None and story.colons and colon:
            player, text = _longest_name(story, line)
        if player is None:
            _tell(story, line)
            continue
        play = read_play(text, scale)
        if isinstance(play, ActionLine):
            kind, amount, to, hole = play
            player.takes_part = True
            report += (player.index, kind, amount, to)
            if hole is not None:
                player.show(hole)
        else:
            _tell_play(story, player, play, text)
    for line in lines[end + 1 :]:
        _tell_result(story, line)
    if story.total is None:
        summed_up = end + 1 < len(lines)
        reason = SkipReason.UNREADABLE if summed_up else SkipReason.CUT
        raise BadHand(reason, "no total pot")
    return story


def _longest_name(story: _ParsedHand, line: str) -> tuple[_Player | None, str]:
    """Return the player whose name and a colon begin the line, and the text after them."""
    if line.startswith("Seat "):
        return None, ""
    names = [name for name in story.players if line.startswith(f"{name}: ")]
    if not names:
        return None, ""
    name = max(names, key=len)
    return story.players[name], line[len(name) + 2 :]


def _tell_play(
    story: _ParsedHand, player: _Player, play: Post | ShownCards | Remark | None, text: str
) -> None:
    """Record a post, shown cards or absence."""
    match play:
        case Post():
            player.takes_part = True
            story.posts.append((player, play))
        case ShownCards(hole):
            player.show(hole)
        case Remark.AWAY:
            player.away = True
        case None:
            raise BadHand(SkipReason.UNREADABLE, repr(f"{player.name}: {text}"[:60]))


def _tell(story: _ParsedHand, line: str) -> None:
    """Record a line without a player's name; chat and other remarks are ignored."""
    first = line[:4]  # one comparison for a line is faster than one for each kind
    if first == "*** ":
        _tell_street(story, line)
    elif first == "Seat" and line[4:5] == " " and ": " in line:
        _tell_seat(story, line)
    elif first == "Deal" and line.startswith("Dealt to ") and (dealt := read_dealt(line)):
        _player(story, dealt[0]).show(dealt[1])
    elif first == "Unca" and line.startswith("Uncalled bet "):
        match = _RETURNED.fullmatch(line)
        if match is None:
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
        _player(story, match[2]).returned += chips_of(match[1], story.scale)
    elif " collected " in line:
        _tell_collected(story, line)
    elif first == "Tabl" and line.startswith("Table ") and (table := read_table(line)):
        story.table, story.button, story.play_money = table
    elif _SAID not in line:
        _refuse_unread(story, line)


def _tell_collected(story: _ParsedHand, line: str) -> None:
    """Record winnings; nobody at the table collects in chat."""
    name, _, text = line.rpartition(" collected ")
    if name in story.players:
        chips = read_collected(text, story.scale)
        if chips is None:
            refuse_house_money(text, line)
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
        story.players[name].won += chips


def _refuse_unread(story: _ParsedHand, line: str) -> None:
    """Refuse money of the house, and actions of somebody without a seat. Raises `BadHand`."""
    refuse_house_money(line)
    name, colon, text = line.partition(": ")
    if colon and isinstance(read_play(text.strip(), story.scale), ActionLine | Post):
        raise _nobody(name)


def _tell_street(story: _ParsedHand, line: str) -> None:
    board = read_street(line)
    if not board:
        return
    if board[: len(story.board)] != story.board:
        raise BadHand(SkipReason.WRONG_BOARD, f"{line!r} does not continue the board")
    story.board = board
    story.report += NEXT_STREET


def _tell_seat(story: _ParsedHand, line: str) -> None:
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


def _tell_result(story: _ParsedHand, line: str) -> None:
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
    elif line.startswith(TOTAL_POT) and (total := read_total(line, story.scale)):
        if story.total is not None and (story.total, story.rake) != total:
            raise BadHand(SkipReason.WRONG_PAYOFF, f"two total pots: {line[:60]!r}")
        story.total, story.rake = total
    elif line.startswith("*** "):
        raise BadHand(SkipReason.UNREADABLE, f"{line[:60]!r} in the summary")
    elif line.startswith("Hand was run "):
        raise BadHand(SkipReason.ANOTHER_GAME, RUN_TWICE)


def _player(story: _ParsedHand, name: str) -> _Player:
    if name not in story.players:
        raise _nobody(name)
    return story.players[name]


def _nobody(name: str) -> BadHand:
    return BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} has no seat")


def _hand(block: _PokerStarsBlock, story: _ParsedHand, options: ReadOptions) -> HandRecord:
    players = _seated(story)
    places = [NOT_STATED] * (len(story.players) + 1)  # the last is for rows without a player
    for seat, player in enumerate(players):
        places[player.index] = seat
    rules = options.rules or _rules(story, players, places)
    report = _report(story, places)
    record = partial(_record, block, story, options)
    try:
        return record(rules, players, report)
    except BadHand as problem:
        try:
            if block.lines[0].startswith(_RUN_IT_ONCE):
                return record(rules, players, _of_early_run_it_once(report))
            if absent := _folded_all_in(story, report, players):
                for player in absent:
                    player.stack = Chips(player.stack + 1)
                return record(_rules(story, players, places, absent), players, report)
            if (completed := _completed(report, story, len(players))) is not None:
                return record(rules, players, *completed)
        except BadInput:  # what the text says as it stands is the better reason
            pass
        raise why_refused(problem, rules) from None


def _folded_all_in(
    story: _ParsedHand, report: Sequence[int], players: Sequence[_Player]
) -> list[_Player]:
    rows = zip(report[::4], report[1::4], strict=True)
    absent = folded_all_in(
        {player.index: player.stack for player in story.players.values()},
        ((player.index, post.amount) for player, post in story.posts),
        (players[seat].index for seat, kind in rows if kind == FOLD_IF_ABLE),
    )
    return [player for player in players if player.index in absent]


def _completed(
    report: list[int], story: _ParsedHand, seats: int
) -> tuple[list[int], list[int]] | None:
    """Return a report in which a blind is completed over a short one, alone against it.

    The site takes the full big blind and gives the excess back. Returns the report with the call
    of what is due, and the excess by seat; None if it is another hand.
    """
    full = story.head.game.full_blinds[1]
    posted = [post.amount for _, post in story.posts if post.what == "big blind"]
    end = report[1::4].index(DEAL) if DEAL in report[1::4] else 0
    if not posted or posted[0] >= full or not end or report[4 * end - 3] != CALL:
        return None
    row = 4 * end - 4
    excess = [0] * seats
    excess[report[row]] = full - posted[0]
    return [*report[: row + 2], NOT_STATED, *report[row + 3 :]], excess


def _record(
    block: _PokerStarsBlock,
    story: _ParsedHand,
    options: ReadOptions,
    rules: Rules,
    players: list[_Player],
    report: list[int],
    unused: Sequence[int] = (),
) -> HandRecord:
    """Replay the reported actions and compare the payoffs. Raises `BadHand`.

    ``unused`` are chips by seat that the text puts in although nobody is left to call them.
    """
    names = tuple([player.name for player in players])
    if rules.seats != len(names):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(names)} players in a game of {rules.seats} seats"
        )
    holes = tuple([player.hole.holding for player in players])
    ending = reported_ending(rules, report, holes, story.board, names)
    return HandRecord(
        rules=rules,
        players=renamed(names, options.rename) if options.rename else names,
        holes=holes,
        board=story.board,
        actions=ending.actions,
        payoffs=_payoffs(story, players, ending, unused),
        number=story.head.number.whole,
        number_text=story.head.number.text,
        table=story.table,
        played_at=story.head.played_at,
        denomination=_DENOMINATIONS[story.scale],
        currency=story.head.game.currency,
        tournament=story.head.game.tournament,
        play_money=story.play_money,
        low_first=sum([player.hole.low_first << seat for seat, player in enumerate(players)]),
        source=Source(options.file, block.first),
    )


def _seated(story: _ParsedHand) -> list[_Player]:
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


def _report(story: _ParsedHand, places: list[int]) -> list[int]:
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
            report[first + 2] = NOT_STATED
    return report


def _of_early_run_it_once(report: Sequence[int]) -> list[int]:
    """Return reported actions as Run It Once meant them in the beginning of 2019.

    The total of a raise is the chips put in: over a raise to 0.58, "raises 0.54 to 1.12" from a
    player who has bet 0.19 is a raise to 1.31. Players check although all are all-in.
    """
    corrected = list(report)
    for row in range(0, len(report), 4):
        match report[row + 1 : row + 4]:
            case [kind, _, to] if kind == RAISE:
                corrected[row + 1 : row + 4] = [PUT_IN, to, NOT_STATED]
            case [kind, 0, _] if kind == CALL:
                corrected[row + 1] = CHECK_IF_OPEN
    return corrected


def _rules(
    story: _ParsedHand, players: list[_Player], places: list[int], absent: Sequence[_Player] = ()
) -> Rules:
    game, blinds = story.head.game, story.head.game.full_blinds
    spent = [0] * len(story.players)
    posted = []
    for player, (post_kind, amount, all_in) in story.posts:
        index = player.index
        spent[index] += amount
        if spent[index] > player.stack or (all_in and spent[index] < player.stack and not absent):
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"{player.name} posts another amount than all")
        all_in = (all_in or spent[index] >= player.stack) and player not in absent
        posted.append(Posted(places[index], post_kind, amount, all_in))
    big = next((post for post in posted if post.what == "big blind"), None)
    if big is not None and big.amount != blinds[1] and not (big.all_in or absent):
        detail = f"a big blind of {big.amount}, by the first line {blinds[1]}"
        raise BadHand(SkipReason.ILLEGAL_ACTION, detail)
    posts = posts_of(len(players), tuple(posted), blinds)
    cap = game.cap
    return site_rules(
        game.betting,
        game.stakes,
        posts,
        stacks=tuple([min(player.stack, cap or player.stack) for player in players]),
    )


def _payoffs(
    story: _ParsedHand, players: list[_Player], ending: BettingOutcome, unused: Sequence[int]
) -> tuple[Fraction, ...]:
    """Return the payoffs after checking every amount that the text gives. Raises `BadHand`."""
    spent: Sequence[int] = ending.state.spent
    if unused:
        spent = list(map(add, spent, unused))
    won = [player.won for player in players]
    returned: Sequence[int] = [player.returned for player in players]
    total, taken = sum(spent) - sum(returned), sum(won)
    if not (right := _adds_up(story, total, taken)) and not any(returned):
        returned = unused or uncalled(ending.state)
        total -= sum(returned)
        right = _adds_up(story, total, taken)
    if not right and not _is_near(story, total, taken):
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
    logged = [got + back - put for got, back, put in amounts]
    if right:
        return settle_raked(ending, logged)
    if not is_rounded(ending, logged):
        raise BadHand(SkipReason.WRONG_PAYOFF, f"{total} were put in and {taken} won")
    return exact(payoffs(ending.state))


def _adds_up(story: _ParsedHand, total: int, won: int) -> bool:
    """Return whether the summary has this pot, which some programs write without the rake."""
    return story.rake == total - won and story.total in (total, won)


def _is_near(story: _ParsedHand, total: int, won: int) -> bool:
    """Return whether the summary has this pot but for the rounding of a tournament's chips."""
    off = max(abs(total - won), abs(total - (story.total or 0)))
    return story.head.game.tournament and story.rake == 0 and off <= MOST_ROUNDED


# Buy-ins and finishes that the hands of PokerStars' tournaments tell beside the play.
#
# They are complete for the player whose log it is, whose cards it shows. Of others it tells those
# finishes alone that it saw, a selected sample, which is left out. Entries won instead of money are
# not told. A bounty of several is told as one amount that they share, or each one's part by itself.


_BUY_IN: Final = re.compile(
    rf"(?:.{{0,80}}[ }}])?{TOURNAMENT}([0-9]{{1,18}}), "
    rf"({ANY_AMOUNT}(?:\+{ANY_AMOUNT}){{0,2}})[ ,].*"
)
_DEALT: Final = re.compile(r"Dealt to (.{1,60}) \[[^\[\]]{1,20}\]")
_FINISH: Final = re.compile(
    rf"(.{{1,60}}) finished the tournament(?: in ([0-9]{{1,6}})(?:st|nd|rd|th) place)?"
    rf"(?: and received {MONEY})?\.?"
)
_WIN: Final = re.compile(
    rf"(.{{1,60}}) wins the tournament(?: and receives {MONEY})?(?: - congratulations!)?"
)
_BOUNTY: Final = re.compile(
    rf"(.{{1,60}}) wins (?:the )?{MONEY}(?: bounty)?"
    " for (?:(?:eliminating|splitting the elimination of) .+|(?:their|his|her) own bounty)"
)
_SPLIT: Final = re.compile(
    rf"(.{{1,600}}) split (?:the )?{MONEY}(?: bounty)? for (?:eliminating|the elimination of) .+"
)
_MORE_CHIPS: Final = re.compile(
    rf"(.{{1,60}}) (?:re-?buys|takes the add-?on) and receives {ANY_AMOUNT} chips for {MONEY}\.?"
)


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """A player's entry in a tournament."""

    tournament: int
    player: str
    currency: str
    buy_in: Fraction
    """What the entry cost, the fee, the bounty, re-buys and add-ons included."""
    prize: Fraction
    """What the entry won, bounties included."""
    place: int | None
    """The place in the end; None if the hands do not tell it."""
    finished: bool
    """False if the hands do not tell how it ended, and so not what it brought."""


TOURNAMENTS_FILE: Final = "tournaments.txt.gz"
"""The lines of an archive's logs that tell of entries, in the order in which they were added."""


def entries_of(sources: Iterable[str | Path]) -> list[TournamentEntry]:
    """Read the entries in all tournaments for money in logs, their folders, zips and archives.

    Only the entries of players to whom cards were dealt openly are read: theirs are the logs.
    A player who finishes a tournament twice has entered it twice, and so has one who plays on after
    finishing it. Hands given again count once.
    """
    return list(_read(sources).entries())


def tournament_lines(sources: Iterable[str | Path]) -> list[str]:
    """Return the lines from which `entries_of` reads its entries, once for each hand."""
    return _read(sources).lines


def _read(sources: Iterable[str | Path]) -> _Reader:
    reader = _Reader()
    for source in sources:
        for log in logs_in(source):
            if isinstance(log, Path):
                reader.read(_lines_in(log / TOURNAMENTS_FILE))
            elif isinstance(log, LogFile) and any(TOURNAMENT in line for line in log.head):
                reader.read(log.lines())
    return reader


def _lines_in(path: Path) -> list[str]:
    """Return an archive's lines; none of one from before they were kept. Raises `DamagedFile`."""
    try:
        return gzip.decompress(path.read_bytes()).decode().splitlines() if path.exists() else []
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DamagedFile(f"{path}: cannot be read: {error}") from error


@dataclass(slots=True)
class _Told:
    """What hands tell of a player in a tournament."""

    bounties: Fraction = Fraction(0)
    more_chips: Fraction = Fraction(0)
    """Price of re-buys and add-ons."""
    finishes: list[tuple[int | None, Fraction]] = field(default_factory=list)
    """Place and prize of each entry that has ended."""
    last_finish: int = -1
    """Hand in which the last of them did."""
    last_hand: int = -1
    """Last hand in which the player was dealt cards."""

    def finish(self, hand: int, place: int | None, prize: Fraction) -> None:
        """End an entry with a hand."""
        self.finishes.append((place, prize))
        self.last_finish = max(self.last_finish, hand)


class _Reader:
    """Everything told so far; hands may come in any order."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._buy_in: dict[int, tuple[str, Fraction]] = {}
        self._told: dict[tuple[int, str], _Told] = {}
        self._hand = 0
        """The hand that is being read, by its number, for numbers grow with time."""
        self._seated: dict[str, str] = {}
        """Its players, with the lines that seat them."""
        self.lines: list[str] = []
        """All that told something."""

    def read(self, lines: Iterable[str]) -> None:
        current: int | None = None
        for line in lines:
            text = line.strip().lstrip(_ORDER_MARK)
            if (header := HEADER.fullmatch(text)) is not None:
                tournament = attempt(text, self._begin, text, *header.groups())
                current = None if isinstance(tournament, BadHand) else tournament
            elif current is not None:
                attempt(text, self._take, current, text)  # a line that does not read tells nothing

    def entries(self) -> Iterator[TournamentEntry]:
        for (tournament, player), player_record in self._told.items():
            currency, buy_in = self._buy_in[tournament]
            # Which entry a bounty or a re-buy belongs to is not told; the first one has them all.
            of = partial(TournamentEntry, tournament, player, currency)
            more_chips, bounties = player_record.more_chips, player_record.bounties
            for place, prize in player_record.finishes:
                yield of(buy_in + more_chips, prize + bounties, place, True)
                more_chips = bounties = Fraction(0)
            if player_record.last_hand > player_record.last_finish:
                yield of(buy_in + more_chips, bounties, None, False)

    def _begin(self, header: str, number: str, text: str) -> int | None:
        """Return the tournament of a hand; None where nothing is to be read of it."""
        buy_in_match = _BUY_IN.fullmatch(text)
        currency = "" if buy_in_match is None else currency_in(buy_in_match[2])
        if buy_in_match is None or not currency or number in self._seen:
            return None
        cost = sum(map(_money, buy_in_match[2].split("+")), Fraction(0))
        self._seen.add(number)
        self._hand = int(number) if number.isdecimal() else len(self._seen)
        self._seated = {}
        self.lines.append(header)
        self._buy_in[int(buy_in_match[1])] = currency, cost
        return int(buy_in_match[1])

    def _take(self, tournament: int, line: str) -> None:
        record_of = partial(self._told_of, tournament)
        if line.startswith("Seat "):
            self._seated |= {seat_match[2]: line} if (seat_match := _SEAT.fullmatch(line)) else {}
            return
        if dealt := _DEALT.fullmatch(line):
            dealt_in = self._told.setdefault((tournament, dealt[1]), _Told())
            dealt_in.last_hand = max(dealt_in.last_hand, self._hand)
        elif bounty := _BOUNTY.fullmatch(line):
            record_of(bounty[1]).bounties += _money(bounty[2])
        elif split := _SPLIT.fullmatch(line):
            sharing = [name for name in self._seated if _is_among(name, split[1])]
            self.lines += map(self._seated.__getitem__, sharing)
            for name in sharing:
                record_of(name).bounties += _money(split[2]) / len(sharing)
        elif more := _MORE_CHIPS.fullmatch(line):
            record_of(more[1]).more_chips += _money(more[2])
        elif out := _FINISH.fullmatch(line):
            place = int(out[2]) if out[2] else None
            record_of(out[1]).finish(self._hand, place, _money(out[3] or "0"))
        elif won := _WIN.fullmatch(line):
            record_of(won[1]).finish(self._hand, 1, _money(won[2] or "0"))
        else:
            return
        self.lines.append(line)

    def _told_of(self, tournament: int, player: str) -> _Told:
        """Return what is told of a player; what is said of others is not kept."""
        return self._told.get((tournament, player)) or _Told()


def _is_among(name: str, names: str) -> bool:
    """Return whether a name is one of several in a row, which may have commas of their own."""
    return re.search(rf"(?:^|, | and ){re.escape(name)}(?:$|, | and )", names) is not None


def _money(text: str) -> Fraction:
    """Return an amount. Raises `BadHand`."""
    number = re.fullmatch(MONEY, text)
    return Fraction(read_amount(text if number is None else number[1], dot_groups=True), UNIT)
