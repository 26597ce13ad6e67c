"""Parser of sites' texts, line by line, by a site's table of lines.

A table has templates of lines. ``{amount}``, ``{cards}`` and ``{name}`` are passed to an effect,
``{...}`` matches anything, other braces are the site's own words. Lines that no template matches,
such as chat, are ignored; but actions of somebody without a seat are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Final, NamedTuple

from railbird.game import Betting
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
    Conventions,
    Uncalled,
    is_of_program,
    refuse_house_money,
)
from railbird.histories.sites.replay import BOARD_SIZES, PostKind, SiteHand, SiteVerb, record_of

Effect = Callable[..., None]
"""Function of the hand, the player's name in lines with one, and the template's groups."""

_LONGEST_HAND: Final = 1000
"""Maximum lines of a hand; text without beginnings of hands must not end up in memory."""
_LONGEST_LINE: Final = 500
"""Maximum characters of a line; longer ones are not of a hand, and patterns take time."""

_ROUND_LINES: Final = "\ufeff \t\r\n"

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


_POST: Final = re.compile(r"\b(?:posts|blind|ante)\b")
"""What a post names, whatever is left of its verb and amount."""


class _Block(NamedTuple):
    """Lines of one hand."""

    first: int
    lines: list[str]


class LineTable:
    """Templates of a site's lines and their effects; ``words`` are patterns for ``{word}``.

    Patterns are compiled when the first text is read, for there are many and few are needed.
    """

    def __init__(self, templates: Mapping[str, Effect], **words: str) -> None:
        self._templates = templates
        self._holes = _HOLES | {f"{{{word}}}": pattern for word, pattern in words.items()}

    @cached_property
    def _patterns(self) -> dict[str, list[tuple[re.Pattern[str], Effect]]]:
        """Return the patterns of whole lines by a line's first word.

        `_ANY_START` has those of templates that begin with a hole.
        """
        patterns = dict[str, list[tuple[re.Pattern[str], Effect]]]()
        for template, effect in self._templates.items():
            parts = _HOLE.split(template)  # text and holes by turns
            pattern = "".join(
                [self._holes[part] if n % 2 else re.escape(part) for n, part in enumerate(parts)]
            )
            patterns.setdefault(_first_word(template), []).append((re.compile(pattern), effect))
        return patterns

    def take(self, hand: SiteHand, line: str, *name: str) -> bool:
        """Apply the effect of the first template that matches a line. Raises `BadHand`."""
        for start in (_first_word(line), _ANY_START):
            for pattern, effect in self._patterns.get(start, ()):
                match = pattern.fullmatch(line)
                if match is not None:
                    effect(hand, *name, *match.groups())
                    return True
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteText:
    """Description of a site's texts."""

    header: re.Pattern[str]
    """Pattern of the first line of a hand."""
    begin: Callable[[Sequence[str]], SiteHand]
    """Function that reads the first lines of a hand. Raises `BadHand`."""
    head: int = 1
    """Number of those lines."""
    after_name: tuple[str, ...] = (" ",)
    """Separators between a player's name and the action."""
    players: LineTable
    """Lines that begin with a player's name, without it."""
    others: LineTable
    """All other lines."""
    summary: LineTable = field(default_factory=lambda: LineTable({}))
    """Lines of a summary, which repeats the hand."""
    finish: Callable[[SiteHand], None] | None = None
    """Function that adds what the lines omit."""
    conventions: Conventions

    def recognises(self, lines: Sequence[str]) -> bool:
        """Return whether one of these lines begins a hand."""
        return any(self.header.match(line.strip(_ROUND_LINES)) for line in lines)

    def read(self, lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
        """Read hand histories, hand by hand."""
        hand = partial(self._record, options=options)
        yield from read_in_stages(_blocks(self.header, lines), self._hand_of, hand, self._refused)

    def _hand_of(self, block: _Block) -> SiteHand:
        return self._hand(block.lines)

    def _refused(self, block: _Block, hand: SiteHand | None) -> RefusedHand:
        """Return what the text tells of a hand that is refused."""
        head = hand or attempt(block.lines[0], self.begin, block.lines)
        won = refused_money(block.lines) or ({} if hand is None else self._won(hand))
        if not isinstance(head, SiteHand):
            return refused_hand(won)
        small, big = head.stakes or (0, 0)
        if head.betting is Betting.LIMIT and self.conventions.limit_stakes_are_blinds:
            small, big = big, 2 * big
        return refused_hand(
            won,
            head.number,
            played_at=head.played_at,
            betting=head.betting,
            stakes=(small, big),
            ante=ante_in(block.lines),
            currency=head.currency,
        )

    def _won(self, hand: SiteHand) -> dict[str, float]:
        """Return what players won in a hand without a summary, as its lines were understood."""
        accounts = Accounts()
        for post in hand.posts:
            live = post.kind not in (PostKind.ANTE, PostKind.DEAD_BLIND)
            accounts.pay(post.name, post.amount, live=live)
        for name, verb, amount, _ in hand.actions:
            if not name:
                accounts.deal()
            elif verb is SiteVerb.RAISE_TO:
                accounts.raise_to(name, amount or 0)
            elif verb is SiteVerb.RAISE_BY:
                accounts.raise_by(name, amount or 0)
            else:
                accounts.pay(name, amount or 0)
        for name, player in hand.players.items():
            accounts.collect(name, player.won + player.returned)
        if self.conventions.uncalled is Uncalled.EXCLUDED:
            accounts.return_uncalled()
        blinds = [post.amount for post in hand.posts if post.kind is PostKind.BIG_BLIND]
        return accounts.won(next(iter(blinds), 0))

    def _record(self, block: _Block, hand: SiteHand, options: ReadOptions) -> HandRecord:
        return record_of(hand, self.conventions, options, block.first)

    def _hand(self, lines: list[str]) -> SiteHand:
        """Return the contents of the lines of one hand. Raises `BadHand`."""
        if self.header.match(lines[0]) is None:
            raise BadHand(SkipReason.UNREADABLE, f"no hand: {lines[0][:60]!r}")
        if len(lines) <= self.head:
            raise BadHand(SkipReason.CUT, repr(lines[-1][:60]))
        hand = self.begin(lines)
        starts = list[tuple[str, str]]()
        for line in lines[self.head :]:
            if len(starts) < len(hand.players) * len(self.after_name):
                starts = self._starts(hand)
            if hand.in_summary:
                if not self.summary.take(hand, line):
                    refuse_house_money(line)
                    if line.startswith(("Total pot", "*** ")):
                        raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
            elif not self._take_play(hand, starts, line) and not self.others.take(hand, line):
                self._refuse_unread(hand, line)
        _believe_summary(hand)
        if self.finish is not None:
            self.finish(hand)
        return hand

    def _refuse_unread(self, hand: SiteHand, line: str) -> None:
        """Refuse actions of somebody without a seat, and money of the house. Raises `BadHand`."""
        name = max((name for name in hand.players if line.startswith(name)), key=len, default="")
        text = line.removeprefix(name)
        chats = name and text.startswith(": ") and ": " not in self.after_name
        if chats and not is_of_program(text.removeprefix(": ")):
            return  # chat, which may say anything
        refuse_house_money(text, line)
        stranger = _PLAY.fullmatch(line)
        if stranger is not None and stranger[1] not in hand.players:
            hand.player(stranger[1])
        if _UNREAD.match(line if not name else text) or (name and _POST.search(text)):
            raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))

    def _starts(self, hand: SiteHand) -> list[tuple[str, str]]:
        """Return names with separators, longest first, each with its player."""
        names = sorted(hand.players, key=len, reverse=True)
        return [(name + gap, name) for name in names for gap in self.after_name]

    def _take_play(self, hand: SiteHand, starts: list[tuple[str, str]], line: str) -> bool:
        """Take a line that begins with a player's name."""
        for start, name in starts:
            if line.startswith(start):
                rest = line[len(start) :].strip(" .")
                if self.players.take(hand, rest, name):
                    return True
        return False


def _believe_summary(hand: SiteHand) -> None:
    """Take winnings from the summary if no other line states them."""
    if not any(player.won for player in hand.players.values()):
        for player in hand.players.values():
            player.won = player.said_to_win or 0


def _blocks(header: re.Pattern[str], lines: Iterable[str]) -> Iterator[_Block]:
    """Cut a text into hands, which begin at a header, also inside a line whose end was cut off.

    Seats before the first header are of a hand without one, which is to be told.
    """
    first, block = 1, list[str]()
    for number, line in enumerate(lines, 1):
        text = line.strip(_ROUND_LINES).replace("\t", " ")
        if not 0 < len(text) <= _LONGEST_LINE:
            continue
        while (begins := header.search(text)) is not None:
            if block:
                yield _Block(first, [*block, text[: begins.start()]] if begins.start() else block)
            inside = header.search(text, begins.start() + 1)
            end = len(text) if inside is None else inside.start()
            first, block, text = number, [text[begins.start() : end]], text[end:]
        if len(block) > _LONGEST_HAND:
            yield _Block(first, block)
            block = []
        if text and (block or seated_in(text)):
            first = first if block else number
            block.append(text)
    if block:
        yield _Block(first, block)


def _first_word(line: str) -> str:
    word = _WORD.match(line)
    return word[0] if word else ""


# Effects of lines that begin with a player's name


def folds(hand: SiteHand, name: str) -> None:
    """Add a player's fold to the hand."""
    hand.act(name, SiteVerb.FOLD)


def folds_showing(hand: SiteHand, name: str, cards: str) -> None:
    """Take a fold with exposed cards."""
    folds(hand, name)
    shows(hand, name, cards)


def checks(hand: SiteHand, name: str) -> None:
    """Add a player's check to the hand."""
    hand.act(name, SiteVerb.CHECK)


def acts(verb: SiteVerb) -> Effect:
    """Return the effect of an action with an amount."""

    def effect(hand: SiteHand, name: str, amount: str) -> None:
        hand.act(name, verb, hand.amount(amount))

    return effect


def raises_by_to(hand: SiteHand, name: str, by: str, to: str) -> None:
    """Take a raise of which both the difference and the total of the street are stated."""
    hand.act(name, SiteVerb.RAISE_TO, hand.amount(to), hand.amount(by))


def posts(kind: PostKind) -> Effect:
    """Return the effect of a post."""

    def effect(hand: SiteHand, name: str, amount: str, all_in: str | None = None) -> None:
        chips = hand.amount(amount)
        if not chips and not hand.tournament:
            raise BadHand(SkipReason.UNREADABLE, f"{name[:40]} posts {kind.value} of {amount}")
        hand.post(name, kind, chips, all_in=bool(all_in))

    return effect


def shows(hand: SiteHand, name: str, cards: str, *, mucked: bool = False) -> None:
    """Take shown cards; a single card is ignored."""
    plain = hand.cards(cards)
    if len(plain) > 2:
        hand.show(name, plain, mucked=mucked)


def mucks(hand: SiteHand, name: str, cards: str) -> None:
    """Take cards that are mucked at showdown and stated nevertheless."""
    shows(hand, name, cards, mucked=True)


def wins(hand: SiteHand, name: str, amount: str) -> None:
    """Take a player's winnings from a pot."""
    hand.player(name).won += hand.amount(amount)


# Effects of other lines


def seat(hand: SiteHand, number: str, name: str, stack: str) -> None:
    """Take a player's seat and stack."""
    hand.take_seat(name, int(number), hand.amount(stack))


_PLAY_MONEY: Final = re.compile(r"\b(?:play|practice)\b", re.IGNORECASE)


def money_table(hand: SiteHand, name: str, money: str, number: str | None = None) -> None:
    """Take the name of a table and what it is played for, such as "real money"."""
    table(hand, name, number)
    if _PLAY_MONEY.search(money):
        hand.for_play_money()


def table(hand: SiteHand, name: str, number: str | None = None) -> None:
    """Take the name of the table, and the seat of the button where the line has it."""
    hand.table = name.strip()
    if number is not None:
        button(hand, number)


def button(hand: SiteHand, number: str) -> None:
    """Take the seat of the button."""
    hand.button = int(number)


def dealt(hand: SiteHand, name: str, cards: str) -> None:
    """Take the cards of the hero."""
    shows(hand, name, cards)


def street(hand: SiteHand, name: str, cards: str) -> None:
    """Take a street by name, with its own cards or the whole board."""
    hand.deal(hand.cards(cards), BOARD_SIZES[name.upper()])


def returned(hand: SiteHand, amount: str, name: str) -> None:
    """Take a returned uncalled bet."""
    hand.player(name).returned += hand.amount(amount)


def begin_summary(hand: SiteHand) -> None:
    """Take the line above a summary."""
    hand.in_summary = True


def another_game(hand: SiteHand, what: str = "") -> None:
    """Refuse a hand that the engine cannot play. Raises `BadHand`."""
    raise BadHand(SkipReason.ANOTHER_GAME, what or RUN_TWICE)


def result(hand: SiteHand, number: str, text: str) -> None:
    """Take a seat's line of a summary: cards and winnings. Raises `BadHand`."""
    seated = [name for name, player in hand.players.items() if player.number == int(number)]
    if not seated or not text.startswith(seated[0]):
        raise BadHand(SkipReason.UNREADABLE, f"another player sits in seat {number}: {text[:40]!r}")
    rest = text.removeprefix(seated[0])
    refuse_house_money(rest)
    if cards := _SHOWN.search(rest):
        shows(hand, seated[0], cards[2], mucked=cards[1] == "mucked")
    amounts = _WON.findall(rest)
    if len(amounts) < len(_SAYS_WON.findall(rest)):
        raise BadHand(SkipReason.UNREADABLE, f"seat {number}: {rest[-40:]!r}")
    if amounts:
        hand.players[seated[0]].said_to_win = sum(map(hand.amount, amounts))


_SHOWN: Final = re.compile(r" (showed|mucked) \[([^]]{1,40})\]")
_SAYS_WON: Final = re.compile(r" (?:collected|won) \(?[^\w\s(]{0,3}[0-9]")
_WON: Final = re.compile(rf" (?:collected|won) \(?{AMOUNT}(?=[ ),]|$)")
