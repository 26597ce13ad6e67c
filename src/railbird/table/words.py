"""A hand in words, for logs, screen readers and players who cannot see the table.

A line of a log is text, cards and text, since browsers and terminals draw cards differently. It
speaks to its viewer: ``You raise to 120``, but ``bob raises to 120``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
)
from railbird.protocol import messages
from railbird.table.pot_shares import hand_boards, variant_of, won_shares
from railbird.tournament.schedule import ante_noun

YOU: Final = "You"
"""The viewer's name in a line, which verbs agree with."""
_HOUSE: Final = "house:"
_GUEST: Final = "guest~"

SUIT_NAMES: Final = ("club", "diamond", "heart", "spade")
RANK_NAMES: Final = (
    *("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("jack", "queen", "king", "ace"),
)
_STREETS: Final = {3: "Flop", 4: "Turn", 5: "River"}


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


def line_text(line: LogLine, suits: Suits = Suits.LETTERS) -> str:
    """Return a line as plain text.

    >>> line_text(LogLine("Flop", ("Td", "5h", "2c")), Suits.SYMBOLS)
    'Flop T♦ 5♥ 2♣'
    """
    cards = f" {cards_text(line.cards, suits)}" if line.cards else ""
    return line.text + cards + (f": {line.after}" if line.after else "")


def spoken_line(line: LogLine) -> str:
    """Return a line as it is spoken, with the names of its cards."""
    cards = f" {spoken(line.cards)}" if line.cards else ""
    return line.text + cards + (f": {line.after}" if line.after else "")


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


def short_name(name: str) -> str:
    """Return a name without what marks house players, which is shown otherwise.

    >>> short_name("house:tight#2")
    'tight 2'
    >>> short_name("guest~bo-1f3a")
    'bo-1f3a'
    """
    if name.startswith(_GUEST):
        return name.removeprefix(_GUEST)
    return name.removeprefix(_HOUSE).replace("#", " ") if name.startswith(_HOUSE) else name


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
    if len(board) < 3:
        return ""
    shares = (words.partition(" with ")[0] for words in _made(cards, board, variant))
    return "; ".join(words for words in shares if not words.startswith("high card"))


def made_in(hand: messages.HandView, cards: Sequence[str]) -> str:
    """Say what cards make in a hand, on two boards what on each."""
    return " | ".join(made(cards, board, variant_of(hand)) for board in hand_boards(hand))


def stakes_words(hand: messages.HandView) -> str:
    """Return the blinds and the ante of a hand: ``10/20, ante 5``."""
    posts = "/".join(amount(post) for post in sorted(post for post in hand.blinds if post))
    ante = max(hand.antes, default=0)
    return posts + (f", {ante_noun(hand.antes)} {amount(ante)}" if ante else "")


def hand_lines(
    hand: messages.HandView, over: messages.HandOver | None = None, *, names: Sequence[str] = ()
) -> Iterator[LogLine]:
    """Yield the log of a hand; ``over`` adds who wins.

    It addresses the viewer and names the viewer's cards, unless ``names`` are given.
    """
    own = hand.seats[hand.you].cards if hand.you is not None and not names else None
    names = names or names_of(hand)
    left = [seat.stack + seat.spent for seat in hand.seats]
    of_all = all(hand.antes)
    yield LogLine(f"Hand {hand.hand}", kind="hand")
    for seat, (ante, blind) in enumerate(zip(hand.antes, hand.blinds, strict=True)):
        for chips, what in ((ante, "the ante of "), (blind, "")):
            paid = min(chips, left[seat])
            left[seat] -= paid
            if paid and not (what and of_all and seat):
                who = "Everybody" if what and of_all else names[seat]
                yield LogLine(f"{does(who, 'post')} {what}{amount(paid)}")
    if own:
        yield LogLine("Your cards", tuple(own), kind="mine")
    dealt = [entry for entry in hand.history if isinstance(entry, messages.BoardEntry)]
    board = hand.board[: len(hand.board) - sum(len(entry.cards) for entry in dealt)]
    if board:  # in Courchevel, before anybody acts
        yield LogLine("Board", tuple(board), kind="street")
    for entry in hand.history:
        if isinstance(entry, messages.ActionEntry):
            left[entry.seat] -= entry.paid
        if isinstance(entry, messages.BoardEntry):
            board += entry.cards
        yield entry_line(entry, names, left, hand, len(board))
    if over is not None:
        yield from end_lines(over, hand, names)


def entry_line(
    entry: messages.HistoryEntry,
    names: Sequence[str],
    left: Sequence[int],
    hand: messages.HandView,
    on_board: int,
) -> LogLine:
    """Say what happened in a hand; ``left`` are the stacks after it, as are the board's cards."""
    match entry:
        case messages.ActionEntry(seat=seat):
            all_in = ", all-in" if entry.paid and not left[seat] else ""
            kind = "mine" if names[seat] == YOU else ""
            return LogLine(f"{spoken_action(entry, names[seat])}{all_in}", kind=kind)
        case messages.BoardEntry(cards=cards, second_board=second):
            after = "" if second is None else f"second board {cards_text(second)}"
            return LogLine(_STREETS.get(on_board, "Board"), tuple(cards), after, kind="street")
        case messages.ShowEntry(seat=seat, cards=cards):
            after = made_in(hand, cards) if on_board >= 3 else ""
            return LogLine(does(names[seat], "show"), tuple(cards), after, kind="show")
        case messages.MuckEntry(seat=seat):
            return LogLine(does(names[seat], "muck"), kind="show")
        case other:
            assert_never(other)


def spoken_action(entry: messages.ActionEntry, who: str) -> str:
    """Say an action: ``bob raises to 120``.

    >>> spoken_action(messages.ActionEntry(seat=0, verb="raise", to=60, paid=40), "bob")
    'bob raises to 60'
    >>> spoken_action(messages.ActionEntry(seat=0, verb="call", paid=40), YOU)
    'You call 40'
    """
    chips = entry.paid if entry.to is None else entry.to
    to = "to " if entry.verb == "raise" else ""
    return does(who, entry.verb) + (f" {to}{amount(chips)}" if chips else "")


def end_lines(
    over: messages.HandOver, hand: messages.HandView, names: Sequence[str]
) -> Iterator[LogLine]:
    """Yield who wins what, net of what they put in, after the second board if there was one."""
    if over.second_board is not None:
        yield LogLine("Second board", tuple(over.second_board), kind="street")
        for name, seat in zip(names, hand.seats, strict=True):
            if seat.cards and not seat.folded:
                makes = made(seat.cards, over.second_board)
                yield LogLine(f"{does(name, 'make')} {makes}", kind="show")
    for share in won_shares(hand, over.pots):
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
    return form.betting if form.variant is None else f"{form.betting} {form.variant}"


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
    blinds = f"blinds from {blinds}" if "x" in form.blinds else f"blinds {blinds}"
    time = f"{form.limit_ms / 1000:g} s for an action and {form.bank_ms / 1000:g} s in the bank"
    return ", ".join([betting_and_game(form), seats, stack, blinds, time])
