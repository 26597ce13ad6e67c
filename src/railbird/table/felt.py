"""The felt: seats around a board, bets and pots, from a viewer's messages.

It is what every door draws: pages of a table and of a replay, and the terminal. Where a seat lies
on the screen is theirs; here it has its distance from the viewer's, clockwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from railbird.cards import HOLDEM, TEXT_OF_CARD, Variant, share_best, variant_from
from railbird.protocol import messages
from railbird.protocol.identity import PlayerKind
from railbird.table.pot_shares import hand_boards, variant_of, won_shares
from railbird.table.words import (
    absence_words,
    amount,
    made,
    made_in_short,
    names_of,
    short_name,
    spoken,
)

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltSeat:
    """A seat."""

    name: str
    chair: int
    seat: int | None
    """Number in the hand; None for who is not dealt in."""
    stack: int
    distance: int = 0
    """Chairs clockwise from the viewer's, or from the lowest one that is taken."""
    bet: int = 0
    cards: tuple[str, ...] = ()
    """Cards that the viewer knows; in stud without the up cards."""
    hidden: int = 0
    """Cards that the seat holds and the viewer does not know."""
    up: tuple[str, ...] = ()
    """In stud, the cards that everybody sees, in the order of dealing."""
    draws: tuple[int, ...] = ()
    """In draw games, how many cards the seat exchanged in each draw; 0 where it stood pat."""
    is_me: bool = False
    is_button: bool = False
    is_house: bool = False
    blind: str = ""
    """``SB`` or ``BB``."""
    last: str = ""
    """The last action on this street; the bet says how much."""
    folded: bool = False
    mucked: bool = False
    all_in: bool = False
    absence: str = ""
    """Why nobody plays the seat: away, frozen, sitting out."""
    to_act: bool = False
    won: int | None = None
    """Net chips of the finished hand."""
    made: str = ""
    """What shown cards make."""
    heap: int = 0
    """How high a stack of chips the bet is drawn as, 1 to 4; 0 for no bet."""

    @property
    def short_name(self) -> str:
        """The name without what marks house players, which the seat shows otherwise."""
        return short_name(self.name)

    @property
    def status(self) -> str:
        """Why the seat does not act: folded, all-in, away, frozen, sitting out, not dealt in."""
        whys = (
            (self.absence, self.absence),
            (self.seat is None, "waits"),
            (self.folded, "folded"),
            (self.mucked, "mucked"),
            (self.all_in, "all-in"),
        )
        return next((words for is_so, words in whys if is_so), "")

    @property
    def drawn(self) -> str:
        """The draws so far: ``drew 3, then drew 1, then stood pat``; empty before the first."""
        return ", then ".join(map(_drew, self.draws))

    @property
    def last_draw(self) -> str:
        """The last draw in brief: ``drew 2`` or ``pat``; empty before the first."""
        return "" if not self.draws else _drew(self.draws[-1]).removeprefix("stood ")

    @property
    def is_out(self) -> bool:
        """Whether the seat has no part in the hand any more."""
        return self.seat is None or self.folded


def _drew(count: int) -> str:
    return f"drew {count}" if count else "stood pat"


@dataclass(frozen=True, slots=True)
class FeltPot:
    """The main pot or a side pot, with the names of those who can win it."""

    label: str
    amount: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """A table at one moment."""

    seats: tuple[FeltSeat, ...]
    """Clockwise, the viewer first."""
    chairs: int
    around: int = 0
    """Chairs that the seats are spread over: the table's, or more where its numbers go higher."""
    board: tuple[str, ...] = ()
    second_board: tuple[str, ...] = ()
    """That of the second run, or of a game on two boards."""
    pots: tuple[FeltPot, ...] = ()
    total: int = 0
    """All chips put in."""
    hand: int = 0
    """Number of the hand; 0 before the first one."""
    is_over: bool = False
    best: frozenset[str] = frozenset()
    """Cards of the best five of those who won a hand that was shown down."""
    variant: Variant = HOLDEM
    won_shares: tuple[str, ...] = ()
    """Who won high and low, or which board, in words."""

    @property
    def told_made(self) -> tuple[FeltSeat, ...]:
        """Seats whose hands are named below the board: of many, the winners' and the viewer's."""
        shown = tuple(seat for seat in self.seats if seat.made)
        if not self.is_over or len(shown) <= _MOST_NAMED:
            return shown
        return tuple(seat for seat in shown if seat.is_me or (seat.won or 0) > 0)

    @property
    def me(self) -> FeltSeat | None:
        """The viewer's seat."""
        return next((seat for seat in self.seats if seat.is_me), None)


def felt_of(
    hand: messages.HandView | None,
    table: messages.TableInfo | None = None,
    *,
    name: str | None = None,
    to_act: int | None = None,
    pots: Sequence[messages.PotView] | None = None,
    over: messages.HandOver | None = None,
    revealed: Sequence[Sequence[str]] = (),
) -> Felt:
    """Return a table as one viewer sees it.

    ``table`` has those who are not dealt in, too; ``name`` is the viewer's, where the hand does not
    say it. ``pots`` are those of a message; without, they follow from what everybody put in.
    ``revealed`` are all cards by seat, after the hand at a practice table.
    """
    seats = [] if hand is None else _of_hand(hand, to_act, over, revealed)
    known = {seat.name for seat in seats}
    if table is not None:
        seats += [_idle(player) for player in table.players if player.name not in known]
    # The hand knows where the viewer sits even if the name was changed since; the name serves for
    # hands that the viewer does not play.
    mine = name if hand is None or hand.you is None else hand.seats[hand.you].name
    chairs = table.format.table_seats if table is not None else len(seats)
    around, ordered = _ordered(seats, chairs, mine)
    if hand is None:
        game = HOLDEM if table is None else variant_from(table.format.variant or HOLDEM)
        return Felt(seats=ordered, chairs=chairs, around=around, variant=game)
    names = [short_name(seat.name) for seat in hand.seats]
    variant = variant_of(hand)
    second_board = tuple((over and over.second_board) or hand.second_board or ())
    if pots is None:
        pots = over.pots if over is not None else pots_of(hand)
    is_final = over is not None or _nobody_can_call(pots, hand)
    pots = _apart(_without_uncalled(pots, hand) if is_final else pots, hand)
    labels = ["Pot"] if len(pots) < 2 else ["Main pot", *("Side pot" for _ in pots[1:])]
    return Felt(
        seats=ordered,
        chairs=chairs,
        around=around,
        board=tuple(hand.board),
        second_board=second_board,
        pots=tuple(
            FeltPot(label, pot.amount, tuple(names[seat] for seat in pot.seats))
            for label, pot in zip(labels, pots, strict=True)
        ),
        total=hand.pot,
        hand=hand.hand,
        is_over=over is not None,
        best=frozenset()
        # The best five are marked on one board only: with two, a card may count on one and not on
        # the other.
        if over is None or second_board
        else best_cards(seats, hand.board, variant),
        variant=variant,
        won_shares=()
        if over is None
        else tuple(
            won.words(names_of(hand))
            for won in won_shares(hand, over.pots, hand_boards(hand, over))
        ),
    )


def best_cards(
    seats: Sequence[FeltSeat], board: Sequence[str], variant: Variant = HOLDEM
) -> frozenset[str]:
    """Return the cards of the best five of each winner whose cards are known, on a whole board.

    Nothing where nobody else was left to beat.
    """
    open_seats = [seat for seat in seats if seat.cards and not (seat.folded or seat.hidden)]
    if len(board) < variant.board_sizes[-1] or len(open_seats) < 2:
        return frozenset()
    winners = (seat for seat in open_seats if (seat.won or 0) > 0)
    return frozenset(
        TEXT_OF_CARD[card]
        for seat in winners
        for share in variant.shares
        for card in share_best(share, "".join((*seat.cards, *seat.up)), "".join(board))
    )


def _heap(bet: int, big_blind: int) -> int:
    """Return how high a bet's stack of chips is drawn."""
    return bool(bet) + sum(bet >= size * big_blind for size in (3, 10, 30))


def pots_of(hand: messages.HandView) -> list[messages.PotView]:
    """Return the pots of a hand if its betting ended now, from what everybody has put in."""
    antes = _antes(hand)
    most = max(antes, default=0)
    live = [seat.spent - ante for seat, ante in zip(hand.seats, antes, strict=True)]
    # Antes come first in the pot, so a seat that could not pay the whole ante competes for its part
    # of the antes alone; the others compete for what they bet, above the largest ante.
    levels = {
        number: antes[number] if antes[number] < hand.antes[number] else most + live[number]
        for number, seat in enumerate(hand.seats)
        if not seat.folded
    }
    pots: list[messages.PotView] = []
    shared = 0
    for level in sorted(set(levels.values())):
        below = sum(
            min(ante, level) + min(chips, max(level - most, 0))
            for ante, chips in zip(antes, live, strict=True)
        )
        # The top level takes all that is left, as folded seats may have bet more than any seat that
        # remains.
        up_to = hand.pot if level == max(levels.values()) else below
        if up_to > shared:
            able = [number for number, own in levels.items() if own >= level]
            pots.append(messages.PotView(amount=up_to - shared, seats=able))
        shared = up_to
    return pots


def _antes(hand: messages.HandView) -> list[int]:
    """Return the antes that were posted: of a short stack, what it had."""
    return [
        min(ante, seat.stack + seat.spent)
        for ante, seat in zip(hand.antes, hand.seats, strict=True)
    ]


def _nobody_can_call(pots: Sequence[messages.PotView], hand: messages.HandView) -> bool:
    """Return whether all are all-in but the one who bet more than they had."""
    if not pots or len(pots[-1].seats) != 1:
        return False
    rivals = set(pots[0].seats) - set(pots[-1].seats)
    return bool(rivals) and not any(hand.seats[seat].stack for seat in rivals)


def _without_uncalled(
    pots: Sequence[messages.PotView], hand: messages.HandView
) -> list[messages.PotView]:
    """Return the pot won, without the part of the largest bet that nobody called."""
    if not pots:
        return []
    bets = [seat.spent - ante for seat, ante in zip(hand.seats, _antes(hand), strict=True)]
    # The bet that nobody called goes back to its owner and was never at stake.
    second, largest = sorted(bets)[-2:]
    *lower, last = pots
    uncalled = largest - second if bets.index(largest) in last.seats else 0
    won = last.amount - uncalled
    return [*lower, messages.PotView(amount=won, seats=last.seats)] if won else lower


def _apart(pots: Sequence[messages.PotView], hand: messages.HandView) -> list[messages.PotView]:
    """Join pots that only an open bet keeps apart: a side pot is one that somebody all-in lacks."""
    joined: list[messages.PotView] = []
    for pot in pots:
        lacking = set(joined[-1].seats) - set(pot.seats) if joined else set[int]()
        if joined and not any(not hand.seats[seat].stack for seat in lacking):
            both = joined[-1].amount + pot.amount
            joined[-1] = messages.PotView(amount=both, seats=joined[-1].seats)
        else:
            joined.append(pot)
    return joined


_OPENINGS: Final = {"bring-in": "Bring-in", "completion": "Complete"}


def last_acts(hand: messages.HandView) -> dict[int, str]:
    """Return the last action of each seat on this street, as a word: the bet says how much."""
    acts: dict[int, str] = {}
    for entry in hand.history:
        match entry:
            case messages.BoardEntry() | messages.StreetEntry():
                # A fold holds for the whole hand, other actions for their street.
                acts = {seat: act for seat, act in acts.items() if act == "Fold"}
            case messages.DiscardEntry(seat=seat, count=count):
                verb = "Discard" if variant_of(hand).discards else "Draw"
                acts[seat] = f"{verb} {count}" if count else "Pat"
            case messages.ActionEntry(seat=seat, verb=verb):
                acts[seat] = _OPENINGS.get(entry.opening or "", verb.capitalize())
            case _:
                pass
    return acts


def _of_hand(
    hand: messages.HandView,
    to_act: int | None,
    over: messages.HandOver | None,
    revealed: Sequence[Sequence[str]],
) -> list[FeltSeat]:
    posts = sorted({chips for chips in hand.blinds if chips})
    unit = hand.small_bet or max(*hand.blinds, 1)
    acts = last_acts(hand)
    felt_seats, variant = [], variant_of(hand)
    for number, seat in enumerate(hand.seats):
        up = tuple(seat.up or ())
        known = tuple(revealed[number]) if number < len(revealed) else tuple(seat.cards or ())
        cards = tuple(card for card in known if card not in up)
        blind = hand.blinds[number]
        names = {posts[0]: "SB", posts[-1]: "BB"} if len(posts) > 1 else {}
        is_shown = bool(cards) and not seat.folded
        is_in = not (seat.folded or seat.mucked)
        felt_seats.append(
            FeltSeat(
                name=seat.name,
                chair=seat.chair,
                seat=number,
                stack=seat.stack if over is None else over.stacks[number],
                bet=seat.bet if over is None else 0,
                heap=_heap(seat.bet, unit) if over is None else 0,
                cards=cards,
                up=up,
                draws=tuple(draw.count for draw in seat.draws or ()) if variant.draws else (),
                hidden=0 if cards or not is_in else down_cards(hand) - _awaited(hand, seat),
                is_me=number == hand.you,
                is_button=number == hand.button and not variant.has_bring_in,
                is_house=seat.kind is PlayerKind.HOUSE,
                blind=names.get(blind, "") if blind else "",
                last=acts.get(number, ""),
                folded=seat.folded,
                mucked=seat.mucked,
                all_in=is_in and not seat.stack and over is None,
                absence=absence_words(seat.presence),
                to_act=number == to_act,
                won=None if over is None else over.won[number],
                made=_made(known, hand, over) if is_shown else "",
            )
        )
    return felt_seats


def down_cards(hand: messages.HandView) -> int:
    """Return how many cards a seat in a hand has that others do not see."""
    streets = variant_of(hand).streets
    later = [entry.down for entry in hand.history if isinstance(entry, messages.StreetEntry)]
    return streets[0].down + sum(later)


def _awaited(hand: messages.HandView, seat: messages.SeatView) -> int:
    """Return how many cards a seat has thrown away for others that are not dealt yet."""
    dealt = sum(isinstance(entry, messages.StreetEntry) for entry in hand.history)
    draws = seat.draws or []
    return draws[-1].count if len(draws) > dealt else 0


def _made(cards: Sequence[str], hand: messages.HandView, over: messages.HandOver | None) -> str:
    """Say what cards make with the board, or in a word or two with each of two."""
    variant = variant_of(hand)
    if variant is not HOLDEM:  # of several shares or boards, in short
        boards = hand_boards(hand, over)
        return " | ".join(filter(None, (made_in_short(cards, board, variant) for board in boards)))
    if len(hand.board) < 3:
        return ""
    if over is None or over.second_board is None:
        return made(cards, hand.board)
    runs = (made(cards, board).partition(",")[0] for board in (hand.board, over.second_board))
    return " | ".join(runs)


def _idle(player: messages.PlayerInfo) -> FeltSeat:
    return FeltSeat(
        name=player.name,
        chair=player.chair,
        seat=None,
        stack=player.stack,
        is_house=player.kind is PlayerKind.HOUSE,
        absence=absence_words(player.presence),
    )


def _ordered(
    seats: list[FeltSeat], chairs: int, mine: str | None
) -> tuple[int, tuple[FeltSeat, ...]]:
    """Return the chairs around, and the seats clockwise from the viewer's or the lowest chair."""
    if not seats:
        return chairs, ()
    taken = [seat.chair for seat in seats]
    base = next((seat.chair for seat in seats if seat.name == mine), min(taken))
    # Chairs at a table of six may be numbered to nine, so the circle is at least as wide as the
    # numbers.
    around = max(chairs, 1 + max(taken) - min(taken))
    placed = [
        replace(seat, distance=(seat.chair - base) % around, is_me=seat.name == mine)
        for seat in seats
    ]
    return around, tuple(sorted(placed, key=lambda seat: seat.distance))


def facts(table: Felt, say: Callable[[Sequence[str]], str] = spoken) -> dict[str, str]:
    """Return a table in words: the viewer's cards, the board, the pots and the stacks.

    ``say`` writes cards; by default their names are spoken.
    """
    me = table.me
    hold = "You have no cards"
    if me is not None and me.cards:
        makes = made((*me.cards, *me.up), table.board, table.variant)
        up = f" and, up, {say(me.up)}" if me.up else ""
        hold = f"You hold {say(me.cards)}{up}" + (f": {makes}" if makes else "")
    pots = ", ".join(
        f"{pot.label.lower()} {amount(pot.amount)}"
        + (f" for {' and '.join(pot.names)}" if len(table.pots) > 1 else "")
        for pot in table.pots
    )
    shown_cards = [seat for seat in table.seats if seat.up and not seat.is_me and not seat.folded]
    boards = "; ".join(f"{seat.short_name} shows {say(seat.up)}" for seat in shown_cards)
    return {
        "cards": hold,
        "board": boards
        or (f"Board: {say(table.board)}" if table.board else "No board yet")
        + (f"; second board: {say(table.second_board)}" if table.second_board else ""),
        "pot": pots[:1].upper() + pots[1:] if pots else "No pot yet",
        "stacks": f"Stacks: {', '.join(map(_stack_words, table.seats))}",
    }


def _stack_words(seat: FeltSeat) -> str:
    notes = (
        "button" if seat.is_button else "",
        f"bet {amount(seat.bet)}" if seat.bet else "",
        seat.drawn,
        seat.status,
        "to act" if seat.to_act else "",
    )
    who = "you" if seat.is_me else seat.short_name
    return " ".join([who, amount(seat.stack), *filter(None, notes)])
