"""Reader of rooms whose texts are a table of patterns: one engine, and data for each room.

A pattern's groups say what a line tells: ``who``, ``amount``, ``cards``, ``n`` for a seat. The
first lines of a hand are matched together, by groups such as ``game``, ``limit`` and ``small``.
What the engine makes of a line is a hand's `SiteHand`, which is replayed as all sites' are. Rooms
of XML are read line by line as well, an element a line.
"""

from __future__ import annotations

import base64
import html
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain
from typing import Final

from railbird.cards import HOLDEM
from railbird.game import Betting
from railbird.histories.format import ReadOptions
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, Source
from railbird.histories.sites.money import (
    AMOUNT,
    Conventions,
    Uncalled,
    amount_as,
    currency_in,
    signed_amount_as,
)
from railbird.histories.sites.other_games import other_game
from railbird.histories.sites.replay import PostKind, SiteHand, SitePlayer, SiteVerb
from railbird.histories.sites.text import LineTable, SiteText, seat_a_dead_button
from railbird.histories.text_values import (
    hand_number,
    in_zone,
    local_time,
    month_number,
)
from railbird.units import Chips

BETTINGS: Final = {
    "nl": Betting.NO_LIMIT,
    "no limit": Betting.NO_LIMIT,
    "no_limit": Betting.NO_LIMIT,
    "no-limit": Betting.NO_LIMIT,
    "pl": Betting.POT_LIMIT,
    "pot limit": Betting.POT_LIMIT,
    "pot_limit": Betting.POT_LIMIT,
    "pot-limit": Betting.POT_LIMIT,
    "fl": Betting.LIMIT,
    "limit": Betting.LIMIT,
    "fixed limit": Betting.LIMIT,
    "fixed-limit": Betting.LIMIT,
    "normal": Betting.LIMIT,
    "": Betting.LIMIT,
}
"""Words for the betting, in small letters."""
_HOLDEM: Final = re.compile(r"(?:texas[ _]?)?hold['’]?-?em|thm|game_thm", re.IGNORECASE)
_RANK_FIRST: Final = re.compile(r"(10|[2-9TJQKA])(?: of )? ?([cdhsCDHS])(?![A-Za-z0-9])")
_SUIT_FIRST: Final = re.compile(r"([cdhsCDHS])(10|[2-9TJQKA])(?![A-Za-z0-9])")
_ATTRIBUTES: Final = re.compile(r'value="(10|[2-9TJQKA])" suit="([cdhs])"')
_HIDDEN: Final = re.compile(r"\bX\b|--|\?\?")
_LINK: Final = re.compile(r'LINK="([0-9]{1,2})"')


def rank_first(text: str) -> list[tuple[str, str]]:
    """Return the cards in a text such as ``[10h, 9c]``, ``[K h][2 c]`` or ``A of c``."""
    return [] if _HIDDEN.search(text) else _RANK_FIRST.findall(text)


def suit_first(text: str) -> list[tuple[str, str]]:
    """Return the cards in a text such as ``[HA C10]``."""
    return [] if _HIDDEN.search(text) else [(b, a) for a, b in _SUIT_FIRST.findall(text)]


def attributes(text: str) -> list[tuple[str, str]]:
    """Return cards of which rank and suit are attributes."""
    return _ATTRIBUTES.findall(text)


def card_links(text: str) -> list[tuple[str, str]]:
    """Return cards that are numbers from 0, the aces first, diamonds before clubs, hearts, spades.

    >>> card_links('LINK="0" LINK="25" LINK="48" LINK="b"')
    [('A', 'd'), ('K', 'c'), ('10', 's')]
    """
    numbers = [int(number) for number in _LINK.findall(text)]
    ranks = ("A", *"23456789", "10", *"JQK")
    return [(ranks[n % 13], "dchs"[n // 13]) for n in numbers if n < 52]


_STREETS: Final = (3, 4, 5)
_DIGITS: Final = 18
_HEAD: Final = 10
"""Lines that may tell what a hand is."""


Effect = Callable[["HandText", re.Match[str]], None]
"""What a line does to a hand that is being read."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a room writes hands."""

    header: str
    """Pattern of the first line of a hand."""
    mark: str
    """Part of every such line, which most other lines do not have."""
    head: str
    """Pattern of the first lines together, with a line's end between them."""
    lines: Sequence[tuple[str, Effect]]
    """Patterns of the other lines, and what they do; the first that fits a line."""
    must: str
    """Pattern of lines that must be read, since money or cards are in them."""
    ending: str = ""
    """Beginning of the line that ends a hand, without which it is cut off."""
    last: str = ""
    """Beginning of the line after a hand's last one, if there is any."""
    spelt: Callable[[Sequence[str]], list[str]] | None = None
    """Function that puts a hand's lines into an order, or joins them."""
    laid_out: Callable[[str], list[str]] | None = None
    """Function that divides a line of the text; for texts with a whole hand on a line."""
    sticky: str = ""
    """Pattern of lines between hands that tell of all following; they stand after the first."""
    cards: Callable[[str], list[tuple[str, str]]] = rank_first
    """Function that returns ranks and suits of all cards in a text, none if one is hidden."""
    limits: Mapping[str, Betting] = field(default_factory=lambda: BETTINGS)
    coin: int = 1
    """Amounts of the text in a coin: 100 where they are cents."""
    money_is_signed: bool = False
    """True if amounts without a currency are chips of a tournament."""
    conventions: Conventions = field(default_factory=Conventions)


class HandText:
    """A hand while its lines are read."""

    def __init__(self, hand: SiteHand, grammar: Grammar, facts: Mapping[str, str | None]) -> None:
        self.hand, self.grammar, self.facts = hand, grammar, facts
        self.keys: dict[str, SitePlayer] = {}
        """Players by what lines call them."""
        self.street: dict[SitePlayer, int] = {}
        """Chips put in on the street that can be called."""
        self.spent: dict[SitePlayer, int] = {}
        """Chips put in before it, and dead ones."""
        self.board: list[str] = []
        self.button_told = False
        self.entrants: list[SitePlayer] = []
        """Those who posted to play."""
        self.single_cards: dict[SitePlayer, list[str]] = {}
        """Where cards come one by one."""

    def player(self, key: str) -> SitePlayer:
        """Return a player by name or by what stands for it. Raises `BadHand`."""
        return self.keys.get(key) or self.hand.player(html.unescape(key))

    def chips(self, text: str) -> Chips:
        """Return an amount. Raises `BadHand`."""
        notation = self.hand.notation
        if self.grammar.coin == 1:
            return notation.chips(text)
        return notation.chips_of(notation.units(text) // self.grammar.coin)

    def hole(self, text: str) -> list[str]:
        """Return the cards in a text as two characters each, none if one is hidden."""
        return [
            ("T" if rank == "10" else rank) + suit.lower()
            for rank, suit in self.grammar.cards(text)
        ]

    @property
    def blinds(self) -> tuple[int, int]:
        """The stated blinds; zeros if the text does not state them."""
        small, big = self.hand.stakes or (0, 0)
        return (small // 2, small) if self.hand.betting is Betting.LIMIT else (small, big)

    @property
    def bet(self) -> int:
        """Chips that must be put in on the street to call."""
        return max(self.street.values(), default=0)

    def put_in(self, player: SitePlayer, to: int) -> None:
        """Count a player's chips of the street."""
        self.street[player] = max(to, self.street.get(player, 0))

    def end_street(self) -> None:
        """Begin to count anew."""
        for player, chips in self.street.items():
            self.spent[player] = self.spent.get(player, 0) + chips
        self.street.clear()


# What lines do.


def seat(reading: HandText, line: re.Match[str]) -> None:
    """Take a seat: its number, name and stack; ``key`` is what later lines call the player.

    ``after`` is the stack after the hand, where the line has it.
    A seat that is told again, as summaries do, has been taken.
    """
    groups, hand = line.groupdict(), reading.hand
    name, number = html.unescape(line["who"].strip()), int(line["n"]) + 1
    before = hand.by_number.get(number)
    if before is not None and before.name == name:
        return
    player = hand.take_seat(name, number, reading.chips(line["stack"]))
    reading.keys[groups.get("key") or line["who"].strip()] = player
    if after := groups.get("after"):
        player.said_result = reading.chips(after) - player.stack
        hand.results_said = True
    if groups.get("dealer"):
        hand.button = number
        reading.button_told = True


def gives_button(reading: HandText, line: re.Match[str]) -> None:
    """Take the seat of the button, or the player who has it."""
    groups = line.groupdict()
    if groups.get("who") is not None:
        reading.hand.button = reading.player(line["who"].strip()).number
    else:
        reading.hand.button = int(line["n"]) + 1


def post(kind: PostKind) -> Effect:
    """Return what a post does."""

    def effect(reading: HandText, line: re.Match[str]) -> None:
        player, amount = reading.player(line["who"].strip()), reading.chips(line["amount"])
        reading.hand.post(player, kind, amount)
        live = 0 if kind in (PostKind.ANTE, PostKind.DEAD_BLIND) else amount
        if kind is PostKind.BOTH_BLINDS and reading.blinds[1]:
            live = min(amount, reading.blinds[1])
        reading.put_in(player, live)
        reading.spent[player] = reading.spent.get(player, 0) + amount - live

    return effect


def aside(kind: PostKind) -> Effect:
    """Return what a post does that the stack has been told without, if the head says ``aside``."""
    of_kind = post(kind)

    def effect(reading: HandText, line: re.Match[str]) -> None:
        if reading.facts.get("aside"):
            player = reading.player(line["who"])
            player.stack = Chips(player.stack + reading.chips(line["amount"]))
        of_kind(reading, line)

    return effect


def both_posts(reading: HandText, line: re.Match[str]) -> None:
    """Take a live blind and a dead one in a line."""
    player = reading.player(line["who"].strip())
    live, dead = reading.chips(line["amount"]), reading.chips(line["dead"])
    reading.hand.post(player, PostKind.EXTRA_BLIND, live)
    reading.hand.post(player, PostKind.DEAD_BLIND, dead)
    reading.put_in(player, live)


def blind(reading: HandText, line: re.Match[str]) -> None:
    """Take a blind that is not named: the small one is of less than the big one, and the first."""
    big = reading.blinds[1]
    amount = reading.chips(line["amount"])
    kinds = [post.kind for post in reading.hand.posts]
    if amount < big and PostKind.SMALL_BLIND not in kinds and PostKind.BIG_BLIND not in kinds:
        post(PostKind.SMALL_BLIND)(reading, line)
    elif PostKind.BIG_BLIND not in kinds:
        post(PostKind.BIG_BLIND)(reading, line)
    else:
        late_post(reading, line)


def late_post(reading: HandText, line: re.Match[str]) -> None:
    """Take a post of somebody who enters late: of one blind, or of both, of which one is dead."""
    small, big = reading.blinds
    amount = reading.chips(line["amount"])
    kind = PostKind.EXTRA_BLIND
    if amount > big > 0:
        kind = PostKind.BOTH_BLINDS
    elif 0 < amount <= small < big:
        kind = PostKind.DEAD_BLIND
    post(kind)(reading, line)


def enters(reading: HandText, line: re.Match[str]) -> None:
    """Take a late entrant's big blind, with which a dead small one may be paid untold."""
    small, big = reading.blinds
    late_post(reading, line)
    if 0 < small < big == reading.chips(line["amount"]):
        reading.entrants.append(reading.player(line["who"].strip()))


def _pay_untold_blinds(reading: HandText) -> None:
    """Let late entrants pay a dead small blind, unless the text's results show that they did not.

    It is in the pot of every other such text.
    """
    small, _ = reading.blinds
    for player in reading.entrants:
        paid = reading.spent.get(player, 0) + reading.street.get(player, 0)
        if player.said_result != player.won + player.returned - paid:
            reading.hand.post(player, PostKind.DEAD_BLIND, Chips(small))


def acts(verb: SiteVerb, *, cover: bool = False) -> Effect:
    """Return what an action does; with ``cover`` a raise of no more than the bet is put in."""

    def effect(reading: HandText, line: re.Match[str]) -> None:
        player = reading.player(line["who"].strip())
        text = line.groupdict().get("amount")
        if text is None:
            reading.hand.act(player, *verb.row())
            if verb is SiteVerb.CALL:
                reading.put_in(player, min(reading.bet, player.stack))
            return
        amount, already = reading.chips(text), reading.street.get(player, 0)
        kind = verb
        if cover and amount <= reading.bet:
            kind = SiteVerb.PUT_IN
        reading.hand.act(player, *kind.row(amount))
        to_total = kind in (SiteVerb.BET, SiteVerb.RAISE_TO)
        to = amount if to_total else already + amount
        reading.put_in(player, reading.bet + amount if kind is SiteVerb.RAISE_BY else to)

    return effect


def call_to(reading: HandText, line: re.Match[str]) -> None:
    """Take a call whose amount is the total of the street."""
    player = reading.player(line["who"].strip())
    amount, already = reading.chips(line["amount"]), reading.street.get(player, 0)
    reading.hand.act(player, *SiteVerb.CALL.row(amount - already))
    reading.put_in(player, amount)


def put_in(reading: HandText, line: re.Match[str]) -> None:
    """Take chips put in, none of which is a check where nothing is to be called."""
    player, amount = reading.player(line["who"].strip()), reading.chips(line["amount"])
    if not amount and reading.bet == reading.street.get(player, 0):
        reading.hand.act(player, *SiteVerb.CHECK.row())
    else:
        reading.hand.act(player, *SiteVerb.PUT_IN.row(amount))
    reading.put_in(player, reading.street.get(player, 0) + amount)


def all_in(reading: HandText, line: re.Match[str]) -> None:
    """Take that a player puts in all that is left, whatever amount the text gives."""
    player = reading.player(line["who"].strip())
    already = reading.street.get(player, 0)
    rest = player.stack - reading.spent.get(player, 0) - already
    reading.hand.act(player, *SiteVerb.PUT_IN.row(rest))
    reading.put_in(player, already + rest)


def board(reading: HandText, line: re.Match[str]) -> None:
    """Deal the cards of a street, or the board so far; more streets at once one after another."""
    cards, before = reading.hole(line["cards"]), reading.board
    if not cards or cards in (before[: len(cards)], before[-len(cards) :]):
        return  # told again after an all-in
    full = cards if cards[: len(before)] == before else before + cards
    size = len(before)
    for street in _STREETS:
        if size < street <= len(full):
            reading.hand.deal(full[:street], street)
            size = street
    if size != len(full):
        raise BadHand(SkipReason.WRONG_BOARD, f"{line['cards'][:40]!r} is no street")
    reading.board = full
    reading.end_street()


def shows_cards(reading: HandText, line: re.Match[str]) -> None:
    """Take a player's cards."""
    player = reading.player(line["who"].strip())
    cards = reading.hole(line["cards"])
    if len(cards) == 2 or (cards and reading.hand.variant is not HOLDEM):
        reading.hand.show(player, "".join(cards))
    elif len(cards) > 2:
        raise BadHand(SkipReason.ANOTHER_GAME, f"a hand of {len(cards)} cards")


def deals_last(reading: HandText, line: re.Match[str]) -> None:
    """Take a player's cards, where whoever has the button is the last to get them."""
    player = reading.player(line["who"].strip())
    player.dealt_in = True
    if not reading.button_told:
        reading.hand.button = player.number
    if reading.hole(line["cards"]):
        shows_cards(reading, line)


def one_card(reading: HandText, line: re.Match[str]) -> None:
    """Take one of a player's cards, which are shown once there is a second one."""
    player, cards = reading.player(line["who"].strip()), reading.hole(line["cards"])
    player.dealt_in = True
    own = reading.single_cards.setdefault(player, [])
    own += cards
    if cards and len(own) > 1:
        reading.hand.show(player, "".join(own))


def wins_pot(reading: HandText, line: re.Match[str]) -> None:
    """Take what a player wins of a pot."""
    reading.player(line["who"].strip()).won += reading.chips(line["amount"])


def gets_back(reading: HandText, line: re.Match[str]) -> None:
    """Take an uncalled bet."""
    reading.player(line["who"].strip()).returned += reading.chips(line["amount"])


def rake(reading: HandText, line: re.Match[str]) -> None:
    """Take the rake, or one of several fees."""
    hand = reading.hand
    hand.fees += hand.rake is not None
    hand.rake = (hand.rake or 0) + reading.chips(line["amount"])


def states_pot(reading: HandText, line: re.Match[str]) -> None:
    """Take the pot and, where the line has them, rake and fee."""
    hand = reading.hand
    hand.total = reading.chips(line["amount"])
    fees = [text for name in ("rake", "fee") if (text := line.groupdict().get(name)) is not None]
    if fees:
        hand.rake = sum(map(reading.chips, fees))
        hand.fees = len(fees)


def wins_each(pattern: str) -> Effect:
    """Return what the winners of a pot do, of whom a pattern finds each with an amount."""
    winner = re.compile(pattern)

    def effect(reading: HandText, line: re.Match[str]) -> None:
        for name, amount in winner.findall(line["winners"]):
            reading.player(name).won += reading.chips(amount)

    return effect


def wins_showing(reading: HandText, line: re.Match[str]) -> None:
    """Take what a player wins, and the cards."""
    wins_pot(reading, line)
    if reading.hole(line["cards"]):
        shows_cards(reading, line)


def two_boards(reading: HandText, _: re.Match[str]) -> None:
    """Refuse a hand with a second board. Raises `BadHand`."""
    raise BadHand(SkipReason.ANOTHER_GAME, f"{reading.hand.variant.title} with two boards")


def passes(reading: HandText, line: re.Match[str]) -> None:
    """Take a line that tells nothing of the play."""


# Patterns that rooms share; a piece is named by the group that it fills, and `A` is an amount.


WHO: Final = "(?P<who>.{1,40}?)"
N: Final = "(?P<n>[0-9]{1,3})"
A: Final = amount_as("amount")
STACK: Final = amount_as("stack")
CARDS: Final = r"\[(?P<cards>[^\[\]]{1,60})\]"
BOARD: Final = r"(?P<cards>\[.{2,40})"
SMALL: Final = signed_amount_as("small")
BIG: Final = signed_amount_as("big")
WHEN: Final = r"(?P<when>[^\n]{1,60})"
ACTS: Final = {
    "fold": acts(SiteVerb.FOLD_IF_ABLE),
    "check": acts(SiteVerb.CHECK),
    "call": acts(SiteVerb.CALL),
    "bet": acts(SiteVerb.BET),
    "raise": acts(SiteVerb.RAISE_TO),
    "cover": acts(SiteVerb.RAISE_TO, cover=True),
}
EXCLUDED: Final = Conventions(uncalled=Uncalled.EXCLUDED)
ALL_IN: Final = r"(?i:(?: \[all in\]| \(all-in\)|,? and is all[ -]in))?"

_Lines = tuple[tuple[str, Effect], ...]


def named_posts(line: str) -> _Lines:
    """Return the lines of blinds and antes; in ``line``, ``@`` stands for what is posted."""
    kinds = (PostKind.SMALL_BLIND, PostKind.BIG_BLIND, PostKind.ANTE)
    words = ("small blind", "big blind", "ante")
    return tuple(
        (line.replace("@", word), post(kind)) for word, kind in zip(words, kinds, strict=True)
    )


def action_lines(who: str, end: str = "", *, by: str = "", call: Effect = ACTS["call"]) -> _Lines:
    """Return the lines of actions; ``who`` stands before the verb, ``end`` behind it.

    ``by`` stands between a raise's verb and the street's total.
    """
    return (
        (rf"{who}[Ff]olds{end}", ACTS["fold"]),
        (rf"{who}[Cc]hecks{end}", ACTS["check"]),
        (rf"{who}[Cc]alls {A}{end}", call),
        (rf"{who}[Bb]ets {A}{end}", ACTS["bet"]),
        (rf"{who}[Rr]aises {by}to {A}{end}", ACTS["raise"]),
    )


def dealt_and_shown(gap: str) -> _Lines:
    """Return the lines of cards; ``gap`` stands between a name and what is shown."""
    return (
        (rf"Dealt to {WHO}:? {CARDS}", shows_cards),
        (rf"\*{{2,3}} (?i:FLOP|TURN|RIVER) \*{{2,3}} {BOARD}", board),
        (rf"{WHO}{gap}(?:[Ss]hows|[Mm]ucks) {CARDS}.*", shows_cards),
    )


class RoomText:
    """Reader of the texts of a room, in one grammar or several."""

    def __init__(self, *grammars: Grammar) -> None:
        self._grammars = grammars

    @cached_property
    def _readers(self) -> list[tuple[SiteText, Grammar]]:
        return [(_reader(grammar), grammar) for grammar in self._grammars]

    def recognises(self, lines: Iterable[str]) -> bool:
        """Return whether one of these lines begins a hand in one of the grammars."""
        texts = list(lines)
        return any(reader.recognises(texts) for reader, _ in self._readers)

    def read(self, lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
        """Read hand histories; the first hand's grammar is that of the text."""
        head, rest = list[str](), iter(lines)
        for line in rest:
            head.append(line)
            for reader, grammar in self._readers:
                if reader.recognises([line]):
                    text, origins = chain(head, rest), array("q")
                    if not grammar.sticky and grammar.laid_out is None:
                        yield from reader.read(text, options)
                        return
                    for item in reader.read(_arranged(text, reader, grammar, origins), options):
                        yield _from(item, origins)
                    return
        yield from self._readers[0][0].read(head, options)


def _arranged(
    lines: Iterable[str], reader: SiteText, grammar: Grammar, origins: array[int]
) -> Iterator[str]:
    """Divide lines, and put what is told of all following hands after the first line of each.

    ``origins`` gets the number in the text of each line that is yielded.
    """
    repeated = ""
    sticky = re.compile(grammar.sticky or "(?!)")
    for number, line in enumerate(lines, 1):
        if sticky.match(line.strip()):
            repeated = line
            continue
        for part in [line] if grammar.laid_out is None else grammar.laid_out(line):
            origins.append(number)
            yield part
        if repeated and reader.header.match(line.strip()):
            origins.append(number)
            yield repeated


def _from(item: HandRecord | Skipped, origins: array[int]) -> HandRecord | Skipped:
    """Return a hand with the number of its first line in the text."""
    if isinstance(item, Skipped):
        return replace(item, line=origins[item.line - 1] if item.line else 0)
    source = item.source
    if source is None:
        return item
    return replace(item, source=Source(source.file, origins[source.line - 1]))


def _reader(grammar: Grammar) -> SiteText:
    head = re.compile(grammar.head)
    patterns = [(re.compile(pattern), effect) for pattern, effect in grammar.lines]
    must = re.compile(grammar.must)

    def begin(lines: Sequence[str]) -> SiteHand:
        match = head.match("\n".join(lines[:_HEAD]))
        if match is None:
            raise BadHand(SkipReason.UNREADABLE, repr(lines[0][:60]))
        return _begun(match, grammar)

    def take(lines: Sequence[str], hand: SiteHand) -> None:
        facts = head.match("\n".join(lines[:_HEAD]))
        reading = HandText(hand, grammar, {} if facts is None else facts.groupdict())
        for line in lines:
            _take_line(reading, line, patterns, must)
        _pay_untold_blinds(reading)
        if not lines[-1].startswith(grammar.ending):
            raise BadHand(SkipReason.CUT, repr(lines[-1][:60]))
        if not hand.button:
            seat_a_dead_button(hand)

    return SiteText(
        header=re.compile(grammar.header),
        mark=grammar.mark,
        begin=begin,
        take=take,
        spelt=grammar.spelt,
        last=grammar.last,
        players=LineTable({}),
        others=LineTable({}),
        conventions=grammar.conventions,
    )


def _take_line(
    reading: HandText,
    line: str,
    patterns: Sequence[tuple[re.Pattern[str], Effect]],
    must: re.Pattern[str],
) -> None:
    """Let the first pattern that fits a line do what it does. Raises `BadHand`."""
    known = reading.keys.keys() | reading.hand.players.keys()
    stranger = ""
    for pattern, effect in patterns:
        match = pattern.fullmatch(line)
        if match is None:
            continue
        who = match.groupdict().get("who")
        if who is None or effect is seat or html.unescape(who.strip()) in known:
            effect(reading, match)
            return
        stranger = stranger or who
    if stranger:
        detail = f"{stranger[:40]!r} plays without a seat and a stack"
        raise BadHand(SkipReason.UNREADABLE, detail)
    if must.match(line):
        raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))


def _begun(match: re.Match[str], grammar: Grammar) -> SiteHand:
    """Return a hand as its first lines tell it. Raises `BadHand`."""
    facts = {name: text or "" for name, text in match.groupdict().items()}
    game = html.unescape(facts["game"]).strip()
    word = facts.get("limit", "nl").strip().lower()
    betting = grammar.limits[word].value if word in grammar.limits else ""
    variant = HOLDEM if _HOLDEM.fullmatch(game) else other_game(game, betting)
    if word not in grammar.limits:
        raise BadHand(SkipReason.UNREADABLE, f"limit {word[:40]!r}")
    money = " ".join(facts.get(name, "") for name in ("money", "small", "big"))
    if symbol := facts.get("symbol"):  # UTF-16 in Base64
        try:
            money += base64.b64decode(symbol + "==").decode("utf-16-le", "ignore")
        except ValueError:
            raise BadHand(SkipReason.UNREADABLE, f"currency {symbol[:40]!r}") from None
    signless = grammar.money_is_signed and not currency_in(money)
    tournament = bool(facts.get("tournament")) or signless
    hand = SiteHand(
        number=hand_number(_number(facts["number"])),
        betting=grammar.limits[word],
        currency="" if tournament else currency_in(money),
        tournament=tournament,
        variant=variant,
        table=facts.get("table", "").strip(),
        played_at=_moment(facts.get("when", "")),
    )
    if facts.get("button"):
        hand.button = int(facts["button"]) + 1
    if facts.get("big"):
        hand.play_for(_units(hand, facts.get("small", "")), _units(hand, facts["big"]))
    elif not hand.currency:
        hand.notation = hand.notation._replace(scale=1)
    if facts.get("play"):
        hand.for_play_money()
    return hand


def _number(text: str) -> str:
    """Return a number without what divides it, if it is one of digits then.

    >>> _number("R5-69701-1672"), _number("C28452")
    ('697011672', 'C28452')
    """
    digits = re.sub("^[A-Z][0-9]-|-", "", text)
    return digits if digits.isdecimal() and len(digits) <= _DIGITS else text


def _units(hand: SiteHand, text: str) -> int:
    """Return an amount with its sign; 0 for none. Raises `BadHand`."""
    amount = re.fullmatch(AMOUNT, text.strip())
    return 0 if amount is None else hand.units(amount[1])


_WHEN: Final = (
    r"(?P<Y>[0-9]{4})[-/](?P<M>[0-9]{1,2})[-/](?P<D>[0-9]{1,2})\D{1,4}(?P<T>[0-9:]{5,8})",
    r"(?P<M>[0-9]{1,2})/(?P<D>[0-9]{1,2})/(?P<Y>[0-9]{4}) (?P<T>[0-9:]{5,8})",
    r"(?P<D>[0-9]{1,2}) (?P<M>[A-Z][a-z]{2}) (?P<Y>[0-9]{4}) (?P<T>[0-9:]{5,8})",
    r"(?P<M>[A-Z][a-z]{2}) (?P<D>[0-9]{1,2}) (?P<T>[0-9:]{5,8}) \S+ (?P<Y>[0-9]{4})",
    r"(?P<T>[0-9:]{5,8}) - (?P<Y>[0-9]{4})/(?P<M>[0-9]{1,2})/(?P<D>[0-9]{1,2})",
    r"(?P<Y>20[0-9]{2})(?P<M>[0-9]{2})(?P<D>[0-9]{2})(?P<T>[0-9]{6})",
)
_ZONE: Final = re.compile(r"\b(UTC|GMT(?![+-])|[A-Z]{1,2}ST|ET|CET)\b")


def _moment(text: str) -> datetime | None:
    """Return a time in any of the forms that rooms write; None for none."""
    if re.fullmatch("1[0-9]{9}", text):
        return datetime.fromtimestamp(int(text), UTC)
    for pattern in _WHEN:
        if when := re.search(pattern, text):
            break
    else:
        return None
    month = int(when["M"]) if when["M"].isdecimal() else month_number(when["M"]) or 0
    time = when["T"] if ":" in when["T"] else ":".join(re.findall("..", when["T"]))
    clock = [*map(int, filter(None, time.split(":"))), 0, 0][:3]
    moment = local_time(int(when["Y"]), month, int(when["D"]), *clock)
    zone = _ZONE.search(text)
    return in_zone(moment, zone[1]) if moment and zone else moment
