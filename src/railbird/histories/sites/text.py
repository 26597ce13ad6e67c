"""Parser of sites' texts, line by line, by a site's table of lines.

A table has templates of lines. ``{amount}``, ``{cards}`` and ``{name}`` are passed to an effect as
chips, as a hole and as a name; ``{...}`` matches anything, other braces
are the site's own words. Lines that no template matches, such as chat, are ignored; but actions of
somebody without a seat are refused.

What a line means is cached: texts repeat, and a lookup takes a tenth of the time of a pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Final, NamedTuple, TypeVar

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.game.reported import NOT_STATED, RAISE
from railbird.histories.format import ReadOptions, attempt, read_in_stages, seated_in
from railbird.histories.record import (
    RUN_TWICE,
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
)
from railbird.histories.refused_money import Accounts, ante_in, refused_hand, refused_money
from railbird.histories.sites.money import (
    AMOUNT,
    ANY_AMOUNT,
    UNIT,
    Conventions,
    Notation,
    Uncalled,
    is_of_program,
    refuse_house_money,
)
from railbird.histories.sites.replay import (
    A_RUN,
    BOARD_SIZES,
    DRAW,
    OwnCards,
    PostKind,
    SiteHand,
    SitePlayer,
    SiteVerb,
    in_whole_chips,
    record_of,
)
from railbird.histories.text_values import Hole, read_cards, read_hole
from railbird.histories.variant_hands import SeatCards
from railbird.units import Chips

_T = TypeVar("_T")

Effect = Callable[..., None]
"""Function of the hand, the player in lines that begin with a name, and the template's groups."""


class Acts(NamedTuple):
    """Action whose groups are its amounts; of a raise by and to an amount, in this order."""

    verb: SiteVerb


class Meaning(NamedTuple):
    """What a line means: its effect and the values in it; for an action None and its row."""

    effect: Effect | None
    values: tuple[Any, ...]


_UNREAD_LINE: Final = Meaning(lambda *_: None, ())
"""Stands for a line that no template matches."""

_LONGEST_HAND: Final = 1000
"""Maximum lines of a hand; text without beginnings of hands must not end up in memory."""
_SEAT_DIGITS: Final = 3
_LONGEST_LINE: Final = 500
"""Maximum characters of a line; longer ones are not of a hand, and patterns take time."""
_KEPT: Final = 1 << 14
"""Lines whose meaning is kept."""
_NOTATIONS: Final = 8
"""Notations for which they are."""

_BUTTON_SAID: Final = " is the button"
"""End of the line that most often has a mark and begins no hand."""
_ROUND_LINES: Final = "\ufeff \t\r\n"
_ARCHIVE_MARK: Final = re.compile(r"\*{5,20} # [0-9]{1,9} \*{5,20}")
SUMMARY: Final = "*** SUMMARY ***"
"""Line above a summary, which repeats the hand."""
_RUNS: Final = ("FIRST ", "SECOND ", "THIRD ")
STREETS: Final = {
    f"*** {run}{street} ***": size + A_RUN * number
    for number, run in enumerate(("", *_RUNS))
    for street, size in BOARD_SIZES.items()
} | {
    f"*** {section} ***": 0
    for section in (
        "HOLE CARDS",
        *(f"{run}{word}" for run in ("", *_RUNS) for word in ("SHOW DOWN", "SHOWDOWN")),
    )
}
"""Headings of sections, with the cards of the board so far; 0 where none are dealt.

Where runs of the board are counted, `A_RUN` is added for each.
"""
RUN_TIMES: Final = {"once": 1, "twice": 2, "two times": 2, "thrice": 3, "three times": 3}
"""Words for the number of runs."""

_HOLES: Final = {
    "{amount}": AMOUNT,
    "{cards}": r"\[([^]]*)\]",
    "{number}": r"([0-9]{1,9})",
    "{name}": "(.+)",
    "{...}": ".*",
    "{:}": ":?",
}
_WORD: Final = re.compile(r"[^\W\d_]+|\*+")
_ANY_START: Final = ""
_HOLE: Final = re.compile(r"(\{[^}]*\})")
_PLAY: Final = re.compile(
    r"([^:]{1,60}?) (?:(?:folds|checks)\.?|(?:calls|bets|raises|posts) .*[0-9].*)"
)


_UNREAD: Final = re.compile(
    r"Uncalled bet |[: ]{1,2}(?:collected|ties for|wins the (?:main |side )?pot)\b"
    r"|.{0,2}(?:wins|posts|antes|calls|bets|raises).*[0-9]"
    rf"|(?:[^:]|:(?! ))*[\[(] ?{ANY_AMOUNT} ?[\])]\.?$"
)
"""Lines of money that no template reads, which is no reason to go on without them.

Behind a player's name a sign may stand before the verb, and one be missing after it. In brackets an
amount is one of play, whatever the verb is: sites that write so do not state the rake, and only
such a line tells of a blind.
"""
_UNREAD_OF_PLAYER: Final = re.compile(rf"{_UNREAD.pattern}|.*\b(?:posts|blind|ante)\b")
"""The same behind a player's name; a post names one, whatever is left of its verb and amount."""


class HandBlock(NamedTuple):
    """Lines of one hand, and how they were cut from a text."""

    first: int
    lines: list[str]
    headed: bool
    """Whether the first line is a hand's first one."""
    ended: bool
    """Whether anything follows the block."""


class LineTable:
    """Templates of a site's lines and their effects; ``words`` are patterns for ``{word}``.

    Patterns are compiled when the first text is read, for there are many and few are needed.
    """

    def __init__(self, templates: Mapping[str, Effect | Acts], **words: str) -> None:
        self._templates = templates
        self._holes = _HOLES | {f"{{{word}}}": pattern for word, pattern in words.items()}

    @cached_property
    def _patterns(self) -> dict[str, list[tuple[re.Pattern[str], list[str], Effect | Acts]]]:
        """Return the patterns of whole lines, with the holes of their groups, by the first word.

        `_ANY_START` has those of templates that begin with a hole.
        """
        patterns = dict[str, list[tuple[re.Pattern[str], list[str], Effect | Acts]]]()
        for template, effect in self._templates.items():
            parts = _HOLE.split(template)  # text and holes by turns
            pattern, groups = "", list[str]()
            for n, part in enumerate(parts):
                text = self._holes[part] if n % 2 else re.escape(part)
                groups += [part] * re.compile(text).groups
                pattern += text
            entry = re.compile(pattern), groups, effect
            patterns.setdefault(_first_word(template), []).append(entry)
        return patterns

    def read(self, line: str, notation: Notation) -> Meaning:
        """Return what a line means; `_UNREAD_LINE` if no template matches. Raises `BadHand`."""
        for start in (_first_word(line), _ANY_START):
            for pattern, holes, effect in self._patterns.get(start, ()):
                match = pattern.fullmatch(line)
                if match is not None:
                    groups = zip(holes, match.groups(), strict=True)
                    values = tuple([_value(hole, text, notation) for hole, text in groups])
                    if isinstance(effect, Acts):
                        return Meaning(None, effect.verb.row(*values[::-1]))
                    return Meaning(effect, values)
        return _UNREAD_LINE


def _value(hole: str, text: str | None, notation: Notation) -> Any:
    """Return the value of a group: chips, cards, a number or the text itself."""
    if text is None:
        return None
    match hole:
        case "{amount}":
            return notation.chips(text)
        case "{cards}":
            return hole_in(text, notation)
        case "{number}" | "{number?}":
            return int(text)
        case _:
            return text


def hole_in(text: str, notation: Notation) -> OwnCards | None:
    """Return a player's cards; None where they are hidden, and for a single one of hold'em.

    Raises `BadHand`.
    """
    cards = "".join(notation.cards(text))
    if not notation.two_cards:
        return read_cards(cards, len(cards) // 2) if cards.strip("Xx") else None
    return None if len(cards) <= 2 or "X" in cards else read_hole(cards)


def _first_word(line: str) -> str:
    word = _WORD.match(line)
    return word[0] if word else ""


class _KnownLines:
    """What lines mean that have been read in one notation."""

    def __init__(self, site: SiteText, notation: Notation) -> None:
        self.plays = _Known(lambda text: site.players.read(text.strip(" ."), notation))
        self.others = _Known(lambda text: site.others.read(text, notation))
        self.stacks = _Known(lambda text: _read_stack(text, site.stack, notation))
        self.summary = _Known(lambda text: site.summary.read(text, notation))
        self.fates = _Known(lambda text: _read_fate(text, notation))


class _Known(dict[str, _T]):
    """Values by text, found when they are asked for first. Raises `BadHand`."""

    def __init__(self, find: Callable[[str], _T]) -> None:
        self._find = find

    def __missing__(self, text: str) -> _T:
        if len(self) >= _KEPT:
            self.clear()
        value = self[text] = self._find(text)
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteText:
    """Description of a site's texts."""

    header: re.Pattern[str]
    """Pattern of the first line of a hand."""
    mark: str = "#"
    """Part of every such line, which most other lines do not have."""
    marks: tuple[str, ...] = ()
    """Longer such parts, of which every such line has one."""
    begin: Callable[[Sequence[str]], SiteHand]
    """Function that reads the first lines of a hand. Raises `BadHand`."""
    head: int = 1
    """Number of those lines."""
    spelt: Callable[[Sequence[str]], list[str]] | None = None
    """Function that returns a hand's lines as the tables have them."""
    last: str = ""
    """Beginning of the line after a hand's last one, if there is any."""
    blank_lines_end: bool = False
    """True if two empty lines end a hand, so that what follows is of no hand but the next."""
    after_name: tuple[str, ...] = (" ",)
    """Separators between a player's name and the action."""
    chat: str = ""
    """Mark of a line of chat, if it has one."""
    players: LineTable
    """Lines that begin with a player's name, without it."""
    others: LineTable
    """All other lines."""
    streets: Mapping[str, int] = field(default_factory=dict)
    """Headings of sections, with the cards of the board so far; 0 where none are dealt."""
    stack: LineTable = field(default_factory=lambda: LineTable({}))
    """Ends of the lines of seats, after a player's name and a bracket: the stack, and absence."""
    summary: LineTable = field(default_factory=lambda: LineTable({}))
    """Lines of a summary but those of seats."""
    passed: tuple[str, ...] = ("Board [",)
    """Beginnings of its lines that repeat the hand, and are never twice the same."""
    unread: re.Pattern[str] = _UNREAD_OF_PLAYER
    """Pattern of texts after a player's name that must be read."""
    take: Callable[[Sequence[str], SiteHand], None] | None = None
    """Function that takes all lines of a hand in place of the tables. Raises `BadHand`."""
    finish: Callable[[SiteHand], None] | None = None
    """Function that adds what the lines omit."""
    is_whole: Callable[[Sequence[str]], bool] | None = None
    """Function that tells whether the last lines of a text are all of a hand."""
    time_in: Callable[[str], datetime | None] = field(default=lambda _: None)
    """Function that finds the time in the first line of a hand that cannot be read."""
    conventions: Conventions
    _known: dict[Notation, _KnownLines] = field(default_factory=dict, init=False)

    def recognises(self, lines: Sequence[str]) -> bool:
        """Return whether one of these lines begins a hand."""
        return any(self.header.match(line.strip(_ROUND_LINES)) for line in lines)

    def read(self, lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
        """Read hand histories, hand by hand."""
        if not self.chat:  # what people type may have tabs, else programs write them for spaces
            lines = (line.replace("\t", " ") for line in lines)
        blocks = self.blocks(lines)
        if (spelt := self.spelt) is not None:
            blocks = (block._replace(lines=spelt(block.lines)) for block in blocks)
        return self.read_blocks(blocks, options)

    def read_blocks(
        self, blocks: Iterable[HandBlock], options: ReadOptions
    ) -> Iterator[HandRecord | Skipped]:
        """Read hands that were cut from a text in another way than by their first lines."""
        hand = partial(self._hand, variants=options.variants)
        record = partial(self._record, options=options)
        return read_in_stages(blocks, hand, record, self._refused, self._reason)

    def _reason(self, block: HandBlock, problem: BadHand) -> SkipReason:
        """Return why a block is no hand: a text may be cut off in its last one."""
        is_complete = block.ended or self.is_whole is None or self.is_whole(block.lines)
        is_certain = is_complete or problem.reason is SkipReason.ANOTHER_GAME
        return problem.reason if is_certain else SkipReason.CUT

    def _refused(self, block: HandBlock, hand: SiteHand | None) -> RefusedHand:
        """Return what the text tells of a hand that is refused."""
        line = block.lines[0]
        head = hand or attempt(line, self.begin, block.lines)
        won = refused_money(block.lines) or ({} if hand is None else self._won(hand))
        if not isinstance(head, SiteHand):
            return refused_hand(won, played_at=self.time_in(line))
        small, big = head.stakes or (0, 0)
        if head.betting is Betting.LIMIT and self.conventions.limit_stakes_are_blinds:
            small, big = big, 2 * big
        scale = head.notation.scale or 1
        return refused_hand(
            won,
            head.number,
            played_at=head.played_at,
            betting=head.betting,
            stakes=(small * UNIT // scale, big * UNIT // scale),
            ante=ante_in(block.lines),
            currency=head.currency,
        )

    def _won(self, hand: SiteHand) -> dict[str, float]:
        """Return what players won in a hand without a summary, as its lines were understood."""
        accounts = Accounts()
        for post in hand.posts:
            live = post.kind not in (PostKind.ANTE, PostKind.DEAD_BLIND)
            accounts.pay(post.player.name, post.amount, live=live)
        for actor, action, amount, to in hand.actions:
            if actor is None:
                accounts.deal()
            elif action == RAISE and to != NOT_STATED:
                accounts.raise_to(actor.name, to)
            elif action == RAISE:
                accounts.raise_by(actor.name, amount)
            else:
                accounts.pay(actor.name, max(amount, 0))
        for name, player in hand.players.items():
            accounts.collect(name, player.won + player.returned)
        if self.conventions.uncalled is Uncalled.EXCLUDED:
            accounts.return_uncalled()
        blinds = [post.amount for post in hand.posts if post.kind is PostKind.BIG_BLIND]
        return accounts.won(next(iter(blinds), 0))

    def _record(self, block: HandBlock, hand: SiteHand, options: ReadOptions) -> HandRecord:
        return record_of(hand, self.conventions, options, block.first)

    # Cutting a text into hands.

    def blocks(self, lines: Iterable[str]) -> Iterator[HandBlock]:
        """Cut a text into hands, which begin at a header, also inside a line whose end was cut off.

        Seats before the first header are of a hand without one, which is to be told.
        """
        first, block = 1, list[str]()
        headed = False
        blanks = spacing = 0  # consecutive empty lines, and those that separate this hand's lines
        mark, last = self.mark, self.last
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if (
                block
                and text
                and (mark not in text or (text.endswith(_BUTTON_SAID) and text.count(mark) == 1))
                and not (last and text.startswith(last))
                and number - first < _LONGEST_HAND
            ):
                block.append(text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE])
                blanks = 0
                continue
            blanks = 0 if text else blanks + 1
            spacing = 1 if len(block) == 1 == blanks else spacing
            # One empty line may stand between the sections of a hand.
            ended = blanks > 1 + 2 * spacing
            if not (text or (ended and block)):
                continue
            before, *begun = self._divided(text, ended=ended)
            if before and (block or self._is_of_hand(before)):
                first = first if block else number
                block.append(before)
            if number - first >= _LONGEST_HAND:
                begun = begun or [""]
            for part in begun:
                if block:
                    yield HandBlock(first, block, headed, ended=True)
                first, spacing, block = number, 0, [part] if part else []
                headed = bool(part)
        if block:
            yield HandBlock(first, block, headed, ended=False)

    def _divided(self, text: str, *, ended: bool) -> list[str]:
        """Divide a line where hands begin; the first part is of the hand before.

        A hand of no lines begins where one has ``ended`` with an empty line, or with the last one.
        """
        if (ended and self.blank_lines_end) or (self.last and text.startswith(self.last)):
            return ["", ""]
        text = text[:_LONGEST_LINE].lstrip(_ROUND_LINES)
        marks = sum(map(text.count, self.marks or (self.mark,)))
        if marks == 1 and self.header.match(text):
            return ["", text]
        begins = [0]
        if marks and not (self.chat and self.chat in text):
            match = self.header.search(text)
            while match is not None:
                begins.append(match.start())
                match = self.header.search(text, match.start() + 1)
        return [text[i:j] for i, j in zip(begins, [*begins[1:], len(text)], strict=True)]

    def begins_hand(self, line: str) -> bool:
        """Return whether a hand begins at the beginning of a line, whatever stands before it."""
        text = line.strip()
        if self.mark not in text or (text.endswith(_BUTTON_SAID) and text.count(self.mark) == 1):
            return False
        before, *begun = self._divided(text, ended=False)
        return not before and len(begun) == 1 and bool(begun[0])

    def _is_of_hand(self, text: str) -> bool:
        """Return whether a line outside of all hands is of one whose first line is missing."""
        if self.blank_lines_end or self.last:
            return _ARCHIVE_MARK.fullmatch(text) is None
        return bool(seated_in(text))

    # Reading a hand's lines.

    def _hand(self, block: HandBlock, *, variants: bool) -> SiteHand:
        """Return the contents of the lines of one hand. Raises `BadHand`."""
        lines = block.lines
        if not block.headed:
            raise BadHand(SkipReason.UNREADABLE, f"no hand: {lines[0][:60]!r}")
        if len(lines) <= self.head:
            raise BadHand(SkipReason.CUT, repr(lines[-1][:60]))
        take = partial(self.take or self._take_lines, lines)
        return in_whole_chips(partial(self.begin, lines), take, variants=variants)

    def _known_lines(self, notation: Notation) -> _KnownLines:
        known = self._known.get(notation)
        if known is None:
            if len(self._known) >= _NOTATIONS:
                self._known.clear()
            known = self._known[notation] = _KnownLines(self, notation)
        return known

    def _take_lines(self, lines: Sequence[str], hand: SiteHand) -> None:
        try:
            end = lines.index(SUMMARY)
        except ValueError:
            end = len(lines)
        known = self._take_play(lines[self.head : end], hand)
        hand.in_summary = end + 1 < len(lines)
        for line in lines[end + 1 :]:
            self._take_result(hand, line, known)
        if not self.conventions.complete:
            _believe_summary(hand)
        if self.finish is not None:
            self.finish(hand)

    def _take_play(self, lines: Sequence[str], hand: SiteHand) -> _KnownLines:
        """Take the lines above the summary; return the meanings by its notation."""
        players, report, gap = hand.players, hand.report, self.after_name[0]
        hand.name_ends = self.after_name[-1]
        notation = hand.notation
        known = self._known_lines(notation)
        plays = known.plays
        for line in lines:
            name, _, text = line.partition(gap)
            player = players.get(name)
            effect, values = meaning = _UNREAD_LINE if player is None else plays[text]
            if meaning is _UNREAD_LINE or player is None:
                self._take_other(hand, line, known)
                if hand.notation is not notation:
                    notation = hand.notation
                    known = self._known_lines(notation)
                    plays = known.plays
            elif effect is None:
                player.dealt_in = True
                report += (player.index, *values)
            else:
                effect(hand, player, *values)
        return known

    def _take_other(self, hand: SiteHand, line: str, known: _KnownLines) -> None:
        """Take a line that begins with no player's name, or one with spaces. Raises `BadHand`."""
        if line[1:5] == "eat " and ": " in line:
            if self._take_seat(hand, line, known.stacks):
                return
        elif line[0] == "*":
            heading, _, cards = line.partition("[")
            size = self.streets.get(heading.rstrip(" :"))
            if size is not None:
                if size and (hand.variant is HOLDEM or hand.variant.board_sizes[-1]):
                    # Such as "Ah 7d 3c] [2s] (Total Pot: $8)".
                    hand.deal(cards.rpartition("]")[0].replace("] [", " ").split(), size)
                return
        elif (hand.odd_names or len(self.after_name) > 1) and self._take_odd_name(
            hand, line, known.plays
        ):
            return
        effect, values = meaning = known.others[line]
        if effect is None or meaning is _UNREAD_LINE:
            self._refuse_unread(hand, line, known)
        else:
            effect(hand, *values)

    def _take_odd_name(self, hand: SiteHand, line: str, plays: _Known[Meaning]) -> bool:
        """Take a line with another separator, or a name that has spaces, which also end names."""
        players = [hand.players.get(line.partition(gap)[0]) for gap in self.after_name[1:]]
        for player in [*filter(None, players), *hand.odd_names]:
            for gap in self.after_name if line.startswith(player.name) else ():
                start = player.name + gap
                if line.startswith(start):
                    effect, values = meaning = plays[line[len(start) :]]
                    if meaning is _UNREAD_LINE:
                        continue
                    if effect is None:
                        hand.act(player, *values)
                    else:
                        effect(hand, player, *values)
                    return True
        return False

    def _take_seat(
        self, hand: SiteHand, line: str, stacks: _Known[tuple[Chips, bool] | None]
    ) -> bool:
        """Take a player's seat and stack; return whether the line tells them. Raises `BadHand`."""
        number, _, text = line[5:].partition(": ")
        name, bracket, end = text.rpartition(" (")
        if number.isdecimal() and len(number) <= _SEAT_DIGITS:
            while bracket and name:
                stack_said = stacks[end]
                if stack_said is not None:
                    stack, sits_out = stack_said
                    player = hand.take_seat(name, int(number), stack)
                    if sits_out:
                        player.sits_out = True
                    return True
                name, bracket, middle = name.rpartition(" (")
                end = f"{middle} ({end}"
        if self.chat:
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
        return False

    def _refuse_unread(self, hand: SiteHand, line: str, known: _KnownLines) -> None:
        """Refuse actions of somebody without a seat, and money of the house. Raises `BadHand`."""
        if self.chat and self.chat in line:
            return
        name = max([name for name in hand.players if line.startswith(name)], key=len, default="")
        text = line.removeprefix(name)
        chats = name and not self.chat and text.startswith(": ") and ": " not in self.after_name
        if chats and not is_of_program(text.removeprefix(": ")):
            return  # which may say anything
        refuse_house_money(text, line)
        stranger, colon, play = line.partition(": ")
        if colon and ": " in self.after_name and not (name and text.startswith(": ")):
            effect = known.plays[play].effect
            if effect is None or isinstance(effect, _Posts):
                hand.player(stranger)
        stranger_match = None if name else _PLAY.fullmatch(line)
        if stranger_match is not None:
            hand.player(stranger_match[1])
        if (self.unread if name else _UNREAD).match(text):
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))

    def _take_result(self, hand: SiteHand, line: str, known: _KnownLines) -> None:
        """Take a line of the summary. Raises `BadHand`."""
        if line.startswith("Seat "):
            number, _, text = line[5:].partition(": ")
            player = hand.by_number.get(int(number)) if number.isdecimal() else None
            if player is None or not text.startswith(player.name):
                detail = f"another player sits in seat {number}: {text[:40]!r}"
                raise BadHand(SkipReason.UNREADABLE, detail)
            on_button, hole, mucked, won, sale = known.fates[text[len(player.name) :]]
            if sale and not player.sells:
                refuse_house_money(sale)
            if on_button and player.number != hand.button:
                seats = f"seats {hand.button} and {player.number}"
                raise BadHand(SkipReason.UNREADABLE, f"the button is in {seats}")
            if hole is not None:
                player.show(hole, mucked=mucked and not self.conventions.complete)
            if won is not None:
                has_shares = hand.variant is not HOLDEM  # the high hand's and the low one's
                player.said_to_win = won + (player.said_to_win or 0) * has_shares
            return
        if self.passed and line.startswith(self.passed):
            hand.deal_common(line)
            return
        effect, values = meaning = known.summary[line]
        if effect is not None and meaning is not _UNREAD_LINE:
            effect(hand, *values)
            return
        refuse_house_money(line)
        if line.startswith(("Total pot", "*** ")):
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))


def _believe_summary(hand: SiteHand) -> None:
    """Take winnings from the summary if no other line states them."""
    players = hand.players.values()
    if not any(player.won for player in players):
        for player in players:
            player.won = player.said_to_win or 0


def _read_stack(text: str, table: LineTable, notation: Notation) -> tuple[Chips, bool] | None:
    """Read the end of a seat's line: the stack, and whether the player sits out."""
    meaning = table.read(text, notation)
    if meaning is _UNREAD_LINE:
        return None
    stack, *absence = meaning.values
    return stack, bool(absence and absence[0].strip())


# A seat's line of a summary.


class _Fate(NamedTuple):
    """What a summary says of a seat."""

    on_button: bool
    hole: OwnCards | None
    mucked: bool
    won: int | None
    sale: str
    """Words on a hand sold to the house."""


_SHOWN: Final = re.compile(r" (showed|mucked) \[([^]]{1,40})\]")
_SAYS_WON: Final = re.compile(r" (?:collected|won) \(?[^\w\s(]{0,3}[0-9]")
_WON: Final = re.compile(rf" (?:collected|won) \(?{AMOUNT}(?=[ ),]|$)")
_BUTTON: Final = " (button)"
_SALE: Final = re.compile(
    r" \((?:pot not awarded as player )?cashed out\)|, (?:EV Cashout|Cashout Risk) ?\([^()]*\)"
)


def _read_fate(text: str, notation: Notation) -> _Fate:
    """Read the text after a player's name in a summary. Raises `BadHand`."""
    sale = _SALE.search(text)
    refuse_house_money(_SALE.sub("", text) if sale else text)
    shown_cards = _SHOWN.search(text) if "[" in text else None
    amounts = _WON.findall(text)
    if len(amounts) < len(_SAYS_WON.findall(text)):
        raise BadHand(SkipReason.UNREADABLE, repr(text[-60:]))
    return _Fate(
        on_button=text.startswith(_BUTTON),
        hole=hole_in(shown_cards[2], notation) if shown_cards else None,
        mucked=shown_cards is not None and shown_cards[1] == "mucked",
        won=sum(map(notation.chips, amounts)) if amounts else None,
        sale=sale[0] if sale else "",
    )


# Effects of lines that begin with a player's name


FOLDS: Final = Acts(SiteVerb.FOLD)
CHECKS: Final = Acts(SiteVerb.CHECK)
CALLS: Final = Acts(SiteVerb.CALL)
RAISES_BY_TO: Final = Acts(SiteVerb.RAISE_TO)
"""Raise of which both the difference and the total of the street are stated."""


def folds_showing(verb: SiteVerb) -> Effect:
    """Return the effect of a fold with exposed cards."""

    def effect(hand: SiteHand, player: SitePlayer, hole: OwnCards | None) -> None:
        hand.act(player, *verb.row())
        shows(hand, player, hole)

    return effect


@dataclass(frozen=True, slots=True)
class _Posts:
    """Effect of a post."""

    kind: PostKind

    def __call__(
        self, hand: SiteHand, player: SitePlayer, amount: Chips, all_in: str | None = None
    ) -> None:
        if not amount and not hand.tournament:
            detail = f"{player.name[:40]} posts {self.kind.value} of {amount}"
            raise BadHand(SkipReason.UNREADABLE, detail)
        hand.post(player, self.kind, amount, all_in=bool(all_in))


def posts(kind: PostKind) -> Effect:
    """Return the effect of a post."""
    return _Posts(kind)


def shows(hand: SiteHand, player: SitePlayer, hole: OwnCards | None) -> None:
    """Take shown cards, if they are several: one may say who gets the first button."""
    if hole is not None and len(hole) > 1:
        player.show(hole)


def mucks(hand: SiteHand, player: SitePlayer, hole: OwnCards | None) -> None:
    """Take cards that are mucked at showdown and stated nevertheless."""
    if hole is not None:
        player.show(hole, mucked=True)


def wins(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    """Take a player's winnings from a pot."""
    player.won += amount


def quiet(hand: SiteHand, *_: object) -> None:
    """Take a line that tells nothing of the play."""


# Effects of other lines


_PLAY_MONEY: Final = re.compile(r"\b(?:play|practice)\b", re.IGNORECASE)


def money_table(hand: SiteHand, name: str, money: str, number: int | None = None) -> None:
    """Take the name of a table and what it is played for, such as "real money"."""
    table(hand, name, number)
    if _PLAY_MONEY.search(money):
        hand.for_play_money()


def table(hand: SiteHand, name: str, number: int | None = None) -> None:
    """Take the name of the table, and the seat of the button where the line has it."""
    hand.table = name.strip()
    if number is not None:
        button(hand, number)


def button(hand: SiteHand, number: int) -> None:
    """Take the seat of the button."""
    hand.button = number


_SEATS: Final = 10


def seat_a_dead_button(hand: SiteHand) -> None:
    """Put the button on the seat before the first blind, where a text has nobody on it."""
    blinds = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND)
    first = next((post.player.number for post in hand.posts if post.kind in blinds), 0)
    hand.button = (first - 2) % _SEATS + 1 if first else 0


_EARLIER_CARDS: Final = re.compile(r" \[[^]]*\]$")


def dealt(hand: SiteHand, name: str, hole: OwnCards | None) -> None:
    """Take the cards of the hero; without a board also further ones, and up cards of others."""
    is_all = hand.variant.board_sizes[-1] > 0 and not hand.variant.discards
    if hand.variant is HOLDEM or is_all:
        shows(hand, hand.player(name), hole)
    elif hole is not None and not isinstance(hole, Hole):
        while name not in hand.players and (earlier := _EARLIER_CARDS.search(name)):
            name = name[: earlier.start()]
        player = hand.player(name)
        player.dealt_in = True
        first = hand.variant.streets[0]
        player.deal(hole, first.down + first.up)


def brings_in(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    """Take the bring-in of a stud game, which is a call."""
    hand.bring_in = amount
    hand.act(player, *SiteVerb.CALL.row(amount))


def exchanges_cards(
    hand: SiteHand, player: SitePlayer, count: int, text: str | None = None
) -> None:
    """Take what a player throws away, the hero's cards by name. Raises `BadHand`."""
    cards: SeatCards = (None,) * count
    if text is not None:
        texts = hand.notation.cards(text)
        if len(texts) != count:
            raise BadHand(SkipReason.UNREADABLE, f"discards {count} cards [{text[:40]}]")
        cards = read_cards("".join(texts), count)
    hand.act(player, DRAW, NOT_STATED, len(player.thrown))
    player.thrown += (cards,)


def stands_pat(hand: SiteHand, player: SitePlayer) -> None:
    """Take that a player exchanges no card."""
    exchanges_cards(hand, player, 0)


def returned(hand: SiteHand, amount: Chips, name: str) -> None:
    """Take a returned uncalled bet."""
    hand.player(name).returned += amount


def run_times(hand: SiteHand, words: str) -> None:
    """Take how often the rest of the board was dealt."""
    hand.runs_said = RUN_TIMES.get(words.strip(), 0)


def drops(hand: SiteHand, amount: Chips) -> None:
    """Take chips that the house adds to the main pot."""
    hand.dropped += amount


def sells(hand: SiteHand, player: SitePlayer) -> None:
    """Take that a player has the hand's mean from the house, whatever cards come."""
    hand.sold = player.sells = True


def from_house(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    """Take chips of the house for a hand that was sold or insured."""
    hand.sold = player.sells = True
    player.house = (player.house or 0) + amount


def to_house(hand: SiteHand, player: SitePlayer, amount: Chips) -> None:
    """Take chips for the house."""
    from_house(hand, player, Chips(-amount))


def another_game(hand: SiteHand, what: str = "") -> None:
    """Refuse a hand that the engine cannot play. Raises `BadHand`."""
    raise BadHand(SkipReason.ANOTHER_GAME, what or RUN_TWICE)
