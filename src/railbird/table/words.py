"""A hand in words, for logs, screen readers and players who cannot see the table.

A line of a log is text, cards and text, since browsers and terminals draw cards differently. It
speaks to its viewer: ``You raise to 120``, but ``bob raises to 120``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from railbird.cards import (
    HOLDEM,
    Suits,
    Variant,
    class_name,
    class_of,
    describe,
    format_cards,
    parse_cards,
    parse_holding,
    rank_of,
    share_words,
    strength,
    suit_of,
    variant_from,
)
from railbird.protocol import messages
from railbird.protocol.redaction import first_cards
from railbird.table.pot_shares import hand_boards, variant_of, won_shares
from railbird.tournament.schedule import ante_noun

_LEAST_MADE: Final = 5
"""Cards of which something is said to be made."""
_LEAST_ON_BOARD: Final = 3
YOU: Final = "You"
"""The viewer's name in a line, which verbs agree with."""
_HOUSE: Final = "house:"
_GUEST: Final = "guest~"
_PRIVATE: Final = "friends-"

SUIT_NAMES: Final = ("club", "diamond", "heart", "spade")
RANK_NAMES: Final = (
    *("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
_STREETS: Final = {3: "Flop", 4: "Turn", 5: "River"}
_OPENINGS: Final = {"bring-in": "bring in", "completion": "complete"}


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log: text, cards, text."""

    text: str
    cards: tuple[str, ...] = ()
    after: str = ""
    """What follows the cards."""
    kind: str = ""
    """``hand``, ``mine``, ``street``, ``show``, ``win``, ``note`` or ``problem``; empty for what
    others do."""
    by_seat: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Names, each with cards, in place of what follows."""


def line_text(line: LogLine, suits: Suits = Suits.LETTERS) -> str:
    """Return a line as plain text.

    >>> line_text(LogLine("Flop", ("Td", "5h", "2c")), Suits.SYMBOLS)
    'Flop T♦ 5♥ 2♣'
    """
    return _line(line, lambda cards: cards_text(cards, suits))


def spoken_line(line: LogLine) -> str:
    """Return a line as it is spoken, with the names of its cards."""
    return _line(line, spoken)


def _line(line: LogLine, say: Callable[[Sequence[str]], str]) -> str:
    cards = f" {say(line.cards)}" if line.cards else ""
    after = line.after or ", ".join(f"{name} {say(own)}" for name, own in line.by_seat)
    return line.text + cards + (f": {after}" if after else "")


def cards_text(cards: Sequence[str], suits: Suits = Suits.SYMBOLS) -> str:
    """Return cards for people.

    >>> cards_text(["Td", "5h"]), cards_text(["Td", "5h"], Suits.LETTERS)
    ('T♦ 5♥', 'Td 5h')
    """
    return format_cards(parse_cards(" ".join(cards)), suits=suits, separator=" ")


def spoken(cards: Sequence[str]) -> str:
    """Name cards in words.

    >>> spoken(("As", "Td"))
    'ace of spades, ten of diamonds'
    """
    return ", ".join(
        f"{RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}s"
        for card in parse_cards(" ".join(cards))
    )


def amount(chips: int) -> str:
    """Write chips with separators.

    >>> amount(12500)
    '12,500'
    """
    return f"{chips:,}"


_TITLES: Final = {"coach:vexbot+equilibrium:small": "Vexbot, coached"}
"""House players without a name on the ladder whose specs are too long for a seat."""


def short_name(name: str) -> str:
    """Return a name as people say it; what marks house players and guests is shown otherwise.

    >>> short_name("house:tight#2")
    'tight 2'
    >>> short_name("guest~Bo-1f3a5b"), short_name("guest~guest-1f3a5b")
    ('Bo', 'guest-1f3a5b')
    >>> short_name("house:coach:vexbot+equilibrium:small")
    'Vexbot, coached'
    """
    if name.startswith(_GUEST):
        own = name.removeprefix(_GUEST)
        nick = own.rpartition("-")[0]
        return own if nick in ("", "guest") else nick
    spec = name.removeprefix(_HOUSE)
    return _TITLES.get(spec, spec.replace("#", " ") if name.startswith(_HOUSE) else name)


def table_title(info: messages.TableInfo) -> str:
    """Return what people call a table: a private one by what it is, others by their names."""
    is_private = info.table.startswith(_PRIVATE)
    return "A table among friends" if is_private else f"Table {info.table}"


def names_of(hand: messages.HandView) -> list[str]:
    """Return what the seats of a hand are called in lines for its viewer."""
    names = [short_name(seat.name) for seat in hand.seats]
    if hand.you is not None:
        names[hand.you] = YOU
    return names


def does(who: str, verb: str) -> str:
    """Return a subject with its verb.

    >>> does("bob", "post"), does(YOU, "post")
    ('bob posts', 'You post')
    """
    return f"{who} {verb}" if who == YOU else f"{who} {verb}s"


def is_(who: str) -> str:
    """Return a subject with the verb *to be*.

    >>> is_("bob"), is_(YOU)
    ('bob is', 'You are')
    """
    return f"{who} are" if who == YOU else f"{who} is"


def absence_words(presence: messages.Presence) -> str:
    """Return why nobody plays a seat; nothing where somebody does."""
    return "" if presence is messages.Presence.HERE else presence.value.replace("_", " ")


def made(cards: Sequence[str], board: Sequence[str], variant: Variant = HOLDEM) -> str:
    """Say what a player's cards make with a board; of high and low, each.

    >>> made(["As", "Ks"], [])
    'AKs'
    >>> made(["As", "Ks"], ["Kd", "7c", "2h"])
    'pair, kings with ace, seven, deuce'
    """
    return "; ".join(_made(cards, board, variant))


def _made(cards: Sequence[str], board: Sequence[str], variant: Variant) -> Iterator[str]:
    if variant is not HOLDEM:
        shares = (share_words(share, "".join(cards), "".join(board)) for share in variant.shares)
        yield from filter(None, shares)
    elif len(board) < 3:
        yield class_name(class_of(parse_holding("".join(cards))))
    else:
        yield describe(strength("".join((*cards, *board))))


def made_in_short(cards: Sequence[str], board: Sequence[str], variant: Variant = HOLDEM) -> str:
    """Say the same without the cards beside it; nothing for a high card or before the flop.

    >>> made_in_short(["As", "Ks"], ["Kd", "7c", "2h"])
    'pair, kings'
    """
    if not _is_made(len(cards), len(board), variant):
        return ""
    shares = (words.partition(" with ")[0] for words in _made(cards, board, variant))
    return "; ".join(words for words in shares if not words.startswith("high card"))


def _is_made(cards: int, on_board: int, variant: Variant) -> bool:
    """Return whether there are enough cards to say what they make."""
    if variant.board_sizes[-1]:
        return on_board >= _LEAST_ON_BOARD
    return cards + on_board >= min(_LEAST_MADE, variant.hand_size)


def made_in(hand: messages.HandView, cards: Sequence[str]) -> str:
    """Say what cards make in a hand, on two boards what on each."""
    return " | ".join(made(cards, board, variant_of(hand)) for board in hand_boards(hand))


def stakes_words(hand: messages.HandView) -> str:
    """Return the blinds and the ante of a hand: ``10/20, ante 5``.

    Where a card opens the betting they are the bring-in and the small bet.
    """
    opening = [hand.bring_in or 0, hand.small_bet or 0]
    posts = "/".join(amount(post) for post in sorted([*hand.blinds, *opening]) if post)
    ante = max(hand.antes, default=0)
    return posts + (f", {ante_noun(hand.antes)} {amount(ante)}" if ante else "")


def posts_noun(variant: Variant) -> str:
    """Return what the two numbers of a game's stakes are.

    >>> posts_noun(HOLDEM), posts_noun(variant_from("stud"))
    ('blinds', 'bring-in and small bet')
    """
    return "bring-in and small bet" if variant.has_bring_in else "blinds"


def hand_lines(
    hand: messages.HandView, over: messages.HandOver | None = None, *, names: Sequence[str] = ()
) -> Iterator[LogLine]:
    """Yield the log of a hand; ``over`` adds who wins.

    It addresses the viewer and names the viewer's cards, unless ``names`` are given.
    """
    own = first_cards(hand.seats[hand.you]) if hand.you is not None and not names else None
    names = names or names_of(hand)
    # The stacks of the hand are those of this moment; adding what was spent gives those before it,
    # from which each line's all-in is worked out once more.
    left = [seat.stack + seat.spent for seat in hand.seats]
    # An ante that everybody posts is one line, otherwise each ante names its player.
    of_all = all(hand.antes)
    yield LogLine(f"Hand {hand.hand}", kind="hand")
    for seat, (ante, blind) in enumerate(zip(hand.antes, hand.blinds, strict=True)):
        for chips, what in ((ante, "the ante of "), (blind, "")):
            paid = min(chips, left[seat])
            left[seat] -= paid
            if paid and not (what and of_all and seat):
                who = "Everybody" if what and of_all else names[seat]
                yield LogLine(f"{does(who, 'post')} {what}{amount(paid)}")
    yield from _first_cards(hand, names, own)
    dealt = [entry for entry in hand.history if isinstance(entry, messages.BoardEntry)]
    # The board as it is now, without what was dealt during the hand, is what lay there at the
    # start.
    board = hand.board[: len(hand.board) - sum(len(entry.cards) for entry in dealt)]
    if board:  # in Courchevel, before anybody acts
        yield LogLine("Board", tuple(board), kind="street")
    for number, entry in enumerate(hand.history):
        if isinstance(entry, messages.ActionEntry):
            left[entry.seat] -= entry.paid
        yield entry_line(hand, number, names, left)
    if over is not None:
        yield from end_lines(over, hand, names)


def _first_cards(
    hand: messages.HandView, names: Sequence[str], own: Sequence[str] | None
) -> Iterator[LogLine]:
    """Yield the cards of the first street: the viewer's, and those that everybody sees."""
    first = variant_of(hand).streets[0]
    if own:
        yield LogLine("Your cards", tuple(own[: first.down]), kind="mine")
    if first.up:
        yield _up_line(0, [(seat.up or [])[: first.up] for seat in hand.seats], names, hand)


def drawn_words(count: int, *, has_to: bool = False) -> str:
    """Return how many cards somebody exchanges, or has to throw away, as a verb.

    >>> drawn_words(0), drawn_words(2), drawn_words(2, has_to=True)
    ('stand pat', 'draw 2', 'throw 2 away')
    """
    if has_to:
        return f"throw {count} away"
    return f"draw {count}" if count else "stand pat"


def entry_line(
    hand: messages.HandView, number: int, names: Sequence[str], left: Sequence[int]
) -> LogLine:
    """Say what an entry of a hand's history tells; ``left`` are the stacks after it."""
    past = hand.history[: number + 1]
    later = hand.history[number + 1 :]
    on_board = len(hand.board) - sum(
        len(entry.cards) for entry in later if isinstance(entry, messages.BoardEntry)
    )
    match entry := past[-1]:
        case messages.ActionEntry(seat=seat):
            # A check of a player without chips is no all-in, so the action must have cost
            # something.
            all_in = ", all-in" if entry.paid and not left[seat] else ""
            kind = "mine" if names[seat] == YOU else ""
            return LogLine(f"{spoken_action(entry, names[seat])}{all_in}", kind=kind)
        case messages.DiscardEntry(seat=seat, count=count):
            draw = _draw_of(hand, seat, past)
            thrown = () if draw is None else tuple(draw.thrown or ())
            has_to = variant_of(hand).discards > 0
            verb, _, rest = drawn_words(count, has_to=has_to).partition(" ")
            what = f"{does(names[seat], verb)} {rest}"
            kind = "mine" if names[seat] == YOU else ""
            with_cards = f"{what}:" if has_to else f"{what} for"
            return LogLine(with_cards if thrown else what, thrown, kind=kind)
        case messages.BoardEntry(cards=cards, second_board=second):
            after = "" if second is None else f"second board {cards_text(second)}"
            street = _STREETS.get(on_board, "Board")
            if not variant_of(hand).board_sizes[-1]:
                street = "One last card for all"
            return LogLine(street, tuple(cards), after, kind="street")
        case messages.StreetEntry():
            street_number = sum(isinstance(dealt, messages.StreetEntry) for dealt in past)
            if entry.drawn is None:
                return _up_line(street_number, entry.up, names, hand)
            name = variant_of(hand).street_names[street_number].capitalize()
            draws = (_draw_of(hand, seat, past) for seat in range(len(names)))
            new = [() if draw is None else tuple(draw.cards or ()) for draw in draws]
            by_seat = ((who, cards) for who, cards in zip(names, new, strict=True) if cards)
            return LogLine(name, kind="street", by_seat=tuple(by_seat))
        case messages.ShowEntry(seat=seat, cards=cards):
            is_made = _is_made(len(cards), on_board, variant_of(hand))
            after = made_in(hand, cards) if is_made else ""
            return LogLine(does(names[seat], "show"), tuple(cards), after, kind="show")
        case messages.MuckEntry(seat=seat):
            return LogLine(does(names[seat], "muck"), kind="show")
        case other:
            assert_never(other)


def _draw_of(
    hand: messages.HandView, seat: int, past: Sequence[messages.HistoryEntry]
) -> messages.DrawView | None:
    """Return a seat's draw that a part of the history ends with; None if it had folded before."""
    done = sum(isinstance(entry, messages.DiscardEntry) and entry.seat == seat for entry in past)
    dealt = sum(isinstance(entry, messages.StreetEntry) for entry in past)
    draws = hand.seats[seat].draws or []
    return None if done < dealt or done > len(draws) else draws[done - 1]


def _up_line(
    street: int,
    dealt: Sequence[Sequence[str]],
    names: Sequence[str],
    hand: messages.HandView,
) -> LogLine:
    """Return what everybody sees of a street's cards."""
    variant = variant_of(hand)
    name = variant.street_names[street].capitalize()
    if up := [(who, tuple(cards)) for who, cards in zip(names, dealt, strict=True) if cards]:
        return LogLine(name, kind="street", by_seat=tuple(up))
    # The viewer's new cards are found by counting those of earlier streets, since the hand lists
    # all cards in the order in which they were dealt.
    own = hand.seats[hand.you].cards if hand.you is not None and names[hand.you] == YOU else None
    past = sum(deal.down + deal.up for deal in variant.streets[:street])
    new = tuple(own or ())[past : past + variant.streets[street].down]
    return LogLine(name, new, "down" if new else "a card down", kind="street")


def spoken_action(entry: messages.ActionEntry, who: str) -> str:
    """Say an action: ``bob raises to 120``.

    >>> spoken_action(messages.ActionEntry(seat=0, verb="raise", to=60, paid=40), "bob")
    'bob raises to 60'
    >>> spoken_action(messages.ActionEntry(seat=0, verb="call", paid=40), YOU)
    'You call 40'
    >>> spoken_action(messages.ActionEntry(seat=0, verb="call", paid=5, opening="bring-in"), "bob")
    'bob brings in 5'
    """
    chips = entry.paid if entry.to is None else entry.to
    to = "to " if entry.verb == "raise" else ""
    if entry.opening is not None:
        verb, _, rest = _OPENINGS[entry.opening].partition(" ")
        return f"{does(who, verb)} {rest or 'to'} {amount(chips)}"
    return does(who, entry.verb) + (f" {to}{amount(chips)}" if chips else "")


def end_lines(
    over: messages.HandOver, hand: messages.HandView, names: Sequence[str]
) -> Iterator[LogLine]:
    """Yield who wins what, net of what they put in, after the second board if there was one."""
    if over.second_board is not None:
        yield LogLine("Second board", tuple(over.second_board), kind="street")
        for name, seat in zip(names, hand.seats, strict=True):
            if seat.cards and not seat.folded:
                makes = made(seat.cards, over.second_board, variant_of(hand))
                yield LogLine(f"{name}: {makes}", kind="show")
    for share in won_shares(hand, over.pots, hand_boards(hand, over)):
        yield LogLine(share.words(names), kind="show")
    for name, won in zip(names, over.won, strict=True):
        if won > 0:
            yield LogLine(f"{does(name, 'win')} {amount(won)}", kind="win")
    if not any(won > 0 for won in over.won):
        yield LogLine("Everybody gets the chips back", kind="win")
    if over.rake:
        yield LogLine(f"The rake is {amount(over.rake)}", kind="note")


def betting_and_game(form: messages.GameFormat) -> str:
    """Return the betting of a game and, where it is not hold'em, its name."""
    betting, name = form.betting, form.variant
    return betting if name is None else f"{betting} {variant_from(name).title}"


def format_in_words(form: messages.GameFormat, *, brief: bool = False) -> str:
    """Describe the format of a game in a line; if ``brief``, in one of half a terminal's width.

    >>> form = messages.GameFormat(
    ...     name="six",
    ...     betting="no-limit",
    ...     blinds="10/20x10,15/30",
    ...     seats=6,
    ...     table_seats=6,
    ...     stack=1500,
    ...     fee=5,
    ...     limit_ms=40_000,
    ...     bank_ms=60_000,
    ... )
    >>> format_in_words(form)
    'no-limit, 6 players, 1,500 chips, blinds from 10/20, 40 s for an action and 60 s in the bank'
    >>> format_in_words(form, brief=True)
    'no-limit, 10/20, 6 players, stacks 1,500, fee 5'
    """
    blinds = form.blinds.partition(",")[0].partition("x")[0]
    is_ring = form.least_buy_in is not None
    seats = f"{form.seats} seats" if is_ring else f"{form.seats} players"
    stack = f"{form.stack:,} chips"
    if form.least_buy_in is not None:
        stack = f"buy-in {form.least_buy_in:,} to {form.stack:,}"
    if brief:
        parts = [stack] if is_ring else [seats, f"stacks {form.stack:,}"]
        parts += [f"fee {form.fee:,}"] if form.fee else []
        return ", ".join([betting_and_game(form), blinds, *parts])
    if form.top_up:
        stack = f"{form.stack:,} chips before each hand"
    posts = "blinds" if form.variant is None else posts_noun(variant_from(form.variant))
    blinds = f"{posts} from {blinds}" if "x" in form.blinds else f"{posts} {blinds}"
    time = f"{form.limit_ms / 1000:g} s for an action and {form.bank_ms / 1000:g} s in the bank"
    return ", ".join([betting_and_game(form), seats, stack, blinds, time])
