"""PokerStars' hands of draw games; `pokerstars` has hold'em, `pokerstars_stud` stud.

Cards are known of the hero and of those whose hands were shown or, in the summary, mucked; of the
others the text says how many they exchanged. It deals to each as he draws, the rules to all after
the last has: as a seat's cards depend on those before it alone, that is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from railbird.cards import VARIANTS, Variant
from railbird.errors import BadInput
from railbird.game import Action, Betting, Discard, Rules, in_variant
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
from railbird.histories.sites import pokerstars_stud
from railbird.histories.sites.money import AMOUNT, Notation, currency_in
from railbird.histories.sites.pokerstars import SITE
from railbird.histories.sites.pokerstars_head import (
    BETTINGS,
    HEADER,
    PLAY_MONEY,
    TABLE,
    is_of_tournament,
    read_time,
    scale_of,
)
from railbird.histories.sites.replay import Posted, PostKind, Posts, site_rules
from railbird.histories.sites.text import HandBlock
from railbird.histories.text_values import hand_number
from railbird.histories.variant_hands import (
    SeatCards,
    course_of_cards,
    payoffs_after_rake,
    with_shown,
)
from railbird.units import Chips, Seat

_GAMES: Final = {
    "5 card draw": VARIANTS["five-card-draw"],
    "single draw 2-7 lowball": VARIANTS["27-single"],
    "triple draw 2-7 lowball": VARIANTS["27-triple"],
    "badugi": VARIANTS["badugi"],
}
_GAME: Final = re.compile(
    rf"({'|'.join(map(re.escape, _GAMES))}) (No Limit|Pot Limit|Limit)", re.IGNORECASE
)
_STAKES: Final = re.compile(rf"\({AMOUNT}/{AMOUNT}(?: [A-Z]+)?\)")
_BUTTON: Final = re.compile(r"Seat #([0-9]{1,3}) is the button")
_SEAT: Final = re.compile(rf"Seat ([0-9]+): (.+) \({AMOUNT} in chips.*")
_POSTS: Final = {
    "ante": PostKind.ANTE,
    "small": PostKind.SMALL_BLIND,
    "big": PostKind.BIG_BLIND,
    "both": PostKind.BOTH_BLINDS,
}
_ACTS: Final = (
    *((kind, words) for kind, words in pokerstars_stud.TextSoFar.acts_said if kind != "bring"),
    *(
        (kind, re.compile(rf"(?:{words})(?: and is all-in)?"))
        for kind, words in (
            ("small", f"posts small blind {AMOUNT}"),
            ("big", f"posts big blind {AMOUNT}"),
            ("both", f"posts small & big blinds {AMOUNT}"),
            ("pat", r"stands pat(?: on \[.*\])?"),
            ("draw", r"discards ([0-9]) cards?(?: \[[^\]]*\])?"),
        )
    ),
)


class _Story(NamedTuple):
    """What a text tells, amounts in chips."""

    scale: int
    players: tuple[str, ...]
    rules: Rules
    cards: tuple[SeatCards, ...]
    acts: tuple[tuple[Seat, Action], ...]
    collected: dict[str, int]
    returned: dict[str, int]


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories as `pokerstars_stud` does and, where wanted, those of draw games, too."""
    if not options.variants:
        yield from SITE.read(lines, options)
        return
    for block in SITE.blocks(lines):
        if _GAME.search(block.lines[0]):
            yield from read_in_stages(
                [block], _parsed, lambda block, story: _record(block, story, options), _refused
            )
        else:
            yield from pokerstars_stud.read_block(block, options)


def _refused(block: HandBlock, story: _Story | None) -> RefusedHand:
    """Return what the text tells of a hand that is refused: its number and time."""
    header = HEADER.fullmatch(block.lines[0])
    number = hand_number(header[1]) if header else hand_number("")
    return refused_hand({}, number, played_at=read_time(block.lines[0]))


class _DrawText(pokerstars_stud.TextSoFar):
    """What the lines of a hand have said so far."""

    acts_said = _ACTS

    def __init__(self, notation: Notation, names: Sequence[str], game: Variant) -> None:
        super().__init__(notation, names)
        self.posts: list[tuple[str, PostKind, Chips, bool]] = []
        self._size = game.hand_size
        self._thrown: dict[str, list[SeatCards]] = {name: [] for name in names}
        self._line = ""

    @property
    def in_hand(self) -> set[str]:
        """Names of those who post, act or are dealt cards."""
        return {act[0] for act in self.acts} | {post[0] for post in self.posts} | set(self.dealt)

    def take(self, line: str) -> None:
        """Take a line. Raises `BadHand` for an action that is not known."""
        self._line = line
        super().take(line)

    def deal(self, name: str, groups: Sequence[str]) -> None:
        """Take the hero's cards: the first ones, or those kept and those drawn."""
        self.dealt[name] = (*self.dealt.get(name, ()), *self.read(groups[-1]))

    def take_act(self, name: str, kind: str, value: str) -> None:
        """Take a post, a draw or an action of betting."""
        if kind in _POSTS:
            is_all_in = self._line.endswith("all-in")
            self.posts.append((name, _POSTS[kind], self.notation.chips(value), is_all_in))
        elif kind in ("pat", "draw"):
            thrown = self._thrown_by(name, int(value or 0))
            self._thrown[name].append(thrown)
            self.acts.append((name, Discard(thrown)))
        else:
            super().take_act(name, kind, value)

    def _thrown_by(self, name: str, count: int) -> SeatCards:
        known = re.search(r"discards .*\[([^\]]*)\]", self._line)
        cards: SeatCards = self.read(known[1]) if known else (None,) * count
        if len(cards) != count:
            raise BadHand(SkipReason.UNREADABLE, f"{self._line[:60]!r}")
        return cards

    def cards_of(self, name: str) -> SeatCards:
        """Return a seat's cards in the order of dealing. Raises `BadHand` for others shown."""
        thrown = tuple(card for cards in self._thrown[name] for card in cards)
        cards: SeatCards = self.dealt.get(name, (None,) * (self._size + len(thrown)))
        shown = self.shown.get(name, ())
        if not shown:
            return cards
        others = [own for other, own in self.dealt.items() if other != name]
        after = with_shown(cards, shown, thrown, others)
        if after is None:
            raise BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} shows other cards")
        return after


def _parsed(block: HandBlock) -> _Story:
    """Parse the lines of a hand. Raises `BadHand`."""
    head, *lines = block.lines
    named, stakes = _GAME.search(head), _STAKES.search(head)
    if named is None or stakes is None:
        raise BadHand(SkipReason.ANOTHER_GAME, repr(head[:60]))
    game, betting = _GAMES[named[1].lower()], BETTINGS[named[2].title()]
    scale = scale_of(currency_in(stakes[0]))
    notation = Notation(scale, dot_groups=True, finest=scale)
    seated = [
        (int(match[1]), match[2], notation.chips(match[3]))
        for line in lines
        if (match := _SEAT.fullmatch(line))
    ]
    text = _DrawText(notation, [name for _, name, _ in seated], game)
    for line in lines:
        text.take(line)
    if not text.is_whole:
        raise BadHand(SkipReason.CUT, "no total pot")
    said = _BUTTON.search(lines[0]) if lines else None
    if said is None:
        raise BadHand(SkipReason.UNREADABLE, "no line gives the button")
    button = int(said[1])
    dealt_in = [seat for seat in seated if seat[1] in text.in_hand]
    dealt_in.sort(key=lambda seat: (seat[0] <= button, seat[0]))
    if len(dealt_in) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(dealt_in)} players")
    names = tuple(name for _, name, _ in dealt_in)
    seat_of = {name: Seat(seat) for seat, name in enumerate(names)}
    small, big = map(notation.chips, stakes.groups())
    is_limit = betting is Betting.LIMIT
    posts = _posts(text, seat_of, (small // 2, small) if is_limit else (small, big))
    try:
        holdem = site_rules(
            betting, (small, big), posts, stacks=tuple(stack for *_, stack in dealt_in)
        )
        rules = in_variant(holdem, game)
    except BadInput as problem:
        raise BadHand(SkipReason.UNREADABLE, str(problem)) from None
    return _Story(
        scale,
        names,
        rules,
        tuple(map(text.cards_of, names)),
        tuple((seat_of[name], action) for name, action in text.acts),
        text.collected,
        text.returned,
    )


def _posts(text: _DrawText, seat_of: dict[str, Seat], blinds: tuple[int, int]) -> Posts:
    """Return the posts by seat, the blinds before those of late entrants."""
    nothing = (Chips(0),) * len(seat_of)
    posts, late = Posts(nothing, nothing), list[Posted]()
    first = set[PostKind]()
    full = Chips(blinds[0]), Chips(blinds[1])
    for name, kind, amount, is_all_in in text.posts:
        post = Posted(seat_of[name], kind, amount, is_all_in)
        if kind in first and kind is not PostKind.ANTE:
            is_big = kind is PostKind.BIG_BLIND
            late.append(post._replace(kind=PostKind.EXTRA_BLIND if is_big else PostKind.DEAD_BLIND))
        elif kind is PostKind.BOTH_BLINDS:
            late.append(post)
        else:
            posts = posts.add(post, full)
        first.add(kind)
    for post in late:
        posts = posts.add(post, full)
    return posts.with_big_blind(full[1])


def _record(block: HandBlock, story: _Story, options: ReadOptions) -> HandRecord:
    """Play a hand once more, and compare what the text pays. Raises `BadHand`."""
    head = block.lines[0]
    course = course_of_cards(story.rules, story.cards, [()], story.acts)
    logged = [
        Fraction(story.collected.get(name, 0) + story.returned.get(name, 0) - spent)
        for name, spent in zip(story.players, course.state.spent, strict=True)
    ]
    header, table = HEADER.fullmatch(head), TABLE.match(block.lines[1])
    number = hand_number(header[1] if header else "")
    return HandRecord(
        rules=story.rules,
        players=renamed(story.players, options.rename),
        holes=(None,) * story.rules.seats,
        board=(),
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
        play_money=PLAY_MONEY.lower() in block.lines[1].lower(),
        source=Source(options.file, block.first),
    )
