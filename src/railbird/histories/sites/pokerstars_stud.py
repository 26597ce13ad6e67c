"""PokerStars' hands of seven-card stud, stud hi-lo and razz; `pokerstars` has hold'em.

Up cards are known of everybody, down cards of the hero and of those whose hands were shown or, in
the summary, mucked. If the deck ran out, six cards are shown, and the summary has the last one, for
all, as a board. Only texts of fixed limit with an ante and a bring-in are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from railbird.cards import VARIANTS, Card, Variant, parse_cards
from railbird.game import Action, Betting, Call, Fold, OpenFold, Raise, Rules, UncallableRaise
from railbird.histories.format import ReadOptions, read_in_stages
from railbird.histories.record import (
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
    Source,
    renamed,
)
from railbird.histories.refused_money import refused_hand
from railbird.histories.sites.money import AMOUNT, Notation, currency_in
from railbird.histories.sites.pokerstars import SITE
from railbird.histories.sites.pokerstars_head import (
    HEADER,
    PLAY_MONEY,
    is_of_tournament,
    read_time,
    scale_of,
)
from railbird.histories.sites.text import HandBlock
from railbird.histories.text_values import hand_number
from railbird.histories.variant_hands import SeatCards, course_of_cards, payoffs_after_rake
from railbird.units import Chips, Seat

_GAMES: Final = {
    "7 card stud limit": VARIANTS["stud"],
    "7 card stud hi/lo limit": VARIANTS["stud-hilo"],
    "razz limit": VARIANTS["razz"],
}
_GAME: Final = re.compile("|".join(map(re.escape, _GAMES)), re.IGNORECASE)
_STAKES: Final = re.compile(rf"[( ]{AMOUNT}/{AMOUNT}(?: [A-Z]+)?\)")
_SEAT: Final = re.compile(rf"Seat [0-9]+: (.+) \({AMOUNT} in chips.*")
_SECTION: Final = re.compile(r"\*\*\* (.+) \*\*\*")
_STREETS: Final = ("3rd STREET", "4th STREET", "5th STREET", "6th STREET", "RIVER")
_DEALT: Final = re.compile(r"Dealt to (.+?)((?: \[[^\]]*\])+)")
_CARDS: Final = re.compile(r"\[([^\]]*)\]")
_ACTS: Final = tuple(
    (kind, re.compile(rf"(?:{words})(?: and is all-in)?"))
    for kind, words in (
        ("ante", f"posts the ante {AMOUNT}"),
        ("bring", f"brings[ -]in(?: low)? for {AMOUNT}"),
        ("fold", r"folds(?: \[.*\])?"),
        ("call", f"calls {AMOUNT}|checks()"),
        ("raise", rf"(?:bets|completes(?: it)? to|raises \S+ to) {AMOUNT}"),
        ("show", r"shows \[([^\]]*)\].*"),
    )
)
_COLLECTED: Final = re.compile(rf"(.+) collected {AMOUNT} from (?:main |side )?pot(?:-[0-9]+)?")
_RETURNED: Final = re.compile(rf"Uncalled bet \({AMOUNT}\) returned to (.+)")
_FATE: Final = re.compile(r"Seat [0-9]+: (.+?)(?: \([^)]*\))* (?:showed|mucked) \[([^\]]*)\].*")
_BOARD: Final = re.compile(r"Board \[([^\]]*)\]")
_RAKE: Final = re.compile(rf"Total pot:? {AMOUNT}.*\| Rake:? {AMOUNT}.*")


class _Story(NamedTuple):
    """What a text tells, amounts in chips."""

    game: Variant
    scale: int
    players: tuple[str, ...]
    rules: Rules
    cards: tuple[SeatCards, ...]
    board: tuple[Card, ...]
    acts: tuple[tuple[Seat, Action], ...]
    collected: dict[str, int]
    returned: dict[str, int]


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories as `pokerstars` does and, where they are wanted, those of stud, too."""
    if not options.variants:
        yield from SITE.read(lines, options)
        return
    for block in SITE.blocks(lines):
        yield from read_block(block, options)


def read_block(block: HandBlock, options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read one hand of stud or of any game that `pokerstars` knows."""
    if _GAME.search(block.lines[0].partition(" - ")[0]) or _GAME.search(block.lines[0]):
        yield from read_in_stages(
            [block], _parsed, lambda block, story: _record(block, story, options), _refused
        )
    else:
        yield from SITE.read_blocks([block], options)


def _refused(block: HandBlock, story: _Story | None) -> RefusedHand:
    """Return what the text tells of a hand that is refused: its number and time."""
    header = HEADER.fullmatch(block.lines[0])
    number = hand_number(header[1]) if header else hand_number("")
    return refused_hand({}, number, played_at=read_time(block.lines[0]))


def _parsed(block: HandBlock) -> _Story:
    """Parse the lines of a hand. Raises `BadHand`."""
    head, *lines = block.lines
    named, stakes = _GAME.search(head), _STAKES.search(head)
    if named is None or stakes is None:
        raise BadHand(SkipReason.ANOTHER_GAME, repr(head[:60]))
    scale = scale_of(currency_in(stakes[0]))
    notation = Notation(scale, dot_groups=True, finest=scale)
    small, big = map(notation.chips, stakes.groups())
    seated = [
        (match[1], notation.chips(match[2])) for line in lines if (match := _SEAT.fullmatch(line))
    ]
    text = TextSoFar(notation, [name for name, _ in seated])
    for line in lines:
        text.take(line)
    if not text.is_whole:
        raise BadHand(SkipReason.CUT, "no total pot")
    players = tuple(name for name, _ in seated if name in text.antes)
    if len(players) < 2:
        raise BadHand(SkipReason.ANOTHER_GAME, f"{len(players)} players who post an ante")
    game = _GAMES[named[0].lower()]
    stacks = {name: chips for name, chips in seated if name in text.antes}
    seat_of = {name: Seat(seat) for seat, name in enumerate(players)}
    rules = Rules(
        betting=Betting.LIMIT,
        blinds=(Chips(0),) * len(players),
        antes=(Chips(max(text.antes.values())),) * len(players),
        # Whoever completes at once says no bring-in, and any leads to the same hand.
        bring_in=text.bring_in or Chips(small // 2),
        stacks=tuple(stacks.values()),
        bet_sizes=(small, small, big, big),
        max_raises=(4, 4, 4, 4),
        first_to_act=(Seat(0), Seat(0), Seat(0), Seat(0)),
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
        variant=game,
    )
    return _Story(
        game,
        scale,
        players,
        rules,
        tuple(text.cards_of(name) for name in players),
        text.board,
        tuple((seat_of[name], action) for name, action in text.acts),
        text.collected,
        text.returned,
    )


class TextSoFar:
    """What the lines of a hand have said so far; `pokerstars_draw` has other actions and cards."""

    acts_said = _ACTS

    def __init__(self, notation: Notation, names: Sequence[str]) -> None:
        self.antes: dict[str, Chips] = {}
        self.bring_in = Chips(0)
        self.acts: list[tuple[str, Action]] = []
        self.collected: Counter[str] = Counter()
        self.returned: Counter[str] = Counter()
        self.board: tuple[Card, ...] = ()
        self.is_whole = False
        self.notation = notation
        self.names = sorted(names, key=len, reverse=True)
        self.dealt: dict[str, tuple[Card | None, ...]] = {}
        self.shown: dict[str, tuple[Card, ...]] = {}
        self.street = -1

    def take(self, line: str) -> None:
        """Take a line. Raises `BadHand` for an action that is not known."""
        if section := _SECTION.match(line):
            if section[1] in _STREETS:
                self.street = _STREETS.index(section[1])
        elif dealt := _DEALT.fullmatch(line):
            self.deal(dealt[1], _CARDS.findall(dealt[2]))
        elif self._pays(line):
            pass
        elif fate := _FATE.fullmatch(line):
            self.show(fate[1], fate[2])
        elif board := _BOARD.fullmatch(line):
            self.board = self.read(board[1])
        elif _RAKE.fullmatch(line):
            self.is_whole = True
        else:
            for name in self.names:
                if line.startswith(f"{name}: "):
                    self._act(name, line[len(name) + 2 :])
                    break

    def _pays(self, line: str) -> bool:
        collected, returned = _COLLECTED.fullmatch(line), _RETURNED.fullmatch(line)
        if collected:
            self.collected[collected[1]] += self.notation.chips(collected[2])
        elif returned:
            self.returned[returned[2]] += self.notation.chips(returned[1])
        return bool(collected or returned)

    def cards_of(self, name: str) -> SeatCards:
        """Return a seat's cards in the order of dealing, those that were shown later included."""
        known = self.dealt.get(name, ())
        shown = self.shown.get(name, ())
        rest = [card for card in shown if card not in known]
        if not shown or not {card for card in known if card is not None} <= set(shown):
            return known
        hidden = known.count(None)
        filled = iter(rest[:hidden])
        return (*(next(filled, None) if c is None else c for c in known), *rest[hidden:])

    def deal(self, name: str, groups: Sequence[str]) -> None:
        """Take a seat's cards, of which the last ones are new."""
        new = self.read(groups[-1])
        if self.street == 0:
            self.dealt[name] = (*(None,) * (3 - len(new)), *new)
        else:
            self.dealt[name] = (*self.dealt.get(name, ()), *new)

    def show(self, name: str, cards: str) -> None:
        """Take cards that were shown."""
        who = next((known for known in self.names if name == known), name)
        self.shown[who] = self.read(cards)

    def read(self, text: str) -> tuple[Card, ...]:
        """Return cards in the text's notation."""
        return parse_cards("".join(self.notation.cards(text)))

    def _act(self, name: str, words: str) -> None:
        for kind, pattern in self.acts_said:
            if match := pattern.fullmatch(words):
                self.take_act(name, kind, match[1] if match.lastindex else "")
                return
        if re.match("posts|bets|raises|calls|brings|completes|discards", words):
            raise BadHand(SkipReason.UNREADABLE, f"{words[:60]!r}")

    def take_act(self, name: str, kind: str, value: str) -> None:
        """Take an action of a kind that `acts_said` has, and its amount or cards."""
        match kind:
            case "ante":
                self.antes[name] = self.notation.chips(value)
            case "bring":
                self.bring_in = self.notation.chips(value)
                self.acts.append((name, Call()))
            case "fold":
                self.acts.append((name, Fold()))
            case "call":
                self.acts.append((name, Call()))
            case "raise":
                self.acts.append((name, Raise(self.notation.chips(value))))
            case _:
                self.show(name, value)


def _record(block: HandBlock, story: _Story, options: ReadOptions) -> HandRecord:
    """Play a hand once more, and compare what the text pays. Raises `BadHand`."""
    head = block.lines[0]
    course = course_of_cards(story.rules, story.cards, [story.board], story.acts)
    logged = [
        Fraction(story.collected.get(name, 0) + story.returned.get(name, 0) - spent)
        for name, spent in zip(story.players, course.state.spent, strict=True)
    ]
    header = HEADER.fullmatch(head)
    number = hand_number(header[1] if header else "")
    table = re.match("Table '(.*)'", block.lines[1]) if len(block.lines) > 1 else None
    return HandRecord(
        rules=story.rules,
        players=renamed(story.players, options.rename),
        holes=(None,) * story.rules.seats,
        board=story.board,
        actions=course.actions,
        payoffs=payoffs_after_rake(course.state, logged),
        cards=story.cards,
        number=number.whole,
        number_text=number.text,
        table=table[1] if table else "",
        played_at=read_time(head),
        denomination=Fraction(1, story.scale),
        currency=currency_in(head) if story.scale > 1 else "",
        tournament=is_of_tournament(head),
        play_money=PLAY_MONEY.lower() in " ".join(block.lines[1:2]).lower(),
        source=Source(options.file, block.first),
    )
