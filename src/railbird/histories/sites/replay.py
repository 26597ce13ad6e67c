"""Replay of a site's hands by the rules engine: hold'em, the Omaha family, stud and draw.

Betting is the same in all games that have hold'em's streets, so a hand of Omaha is first replayed
as one of hold'em whose cards nobody knows, and then once more with its own. What a text pays is
compared in one way for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from operator import add, mul, sub
from typing import Final, NamedTuple, NoReturn

from railbird.cards import (
    CARD_OF_TEXT,
    HOLDEM,
    VARIANTS,
    Card,
    Variant,
    share_strength,
)
from railbird.errors import BadInput
from railbird.game import (
    LIMIT_RAISES,
    Action,
    Betting,
    Call,
    Discard,
    Fold,
    HandState,
    OpenFold,
    Raise,
    Rules,
    UncallableRaise,
    in_variant,
    payoffs,
    pots,
)
from railbird.game.reported import (
    CALL,
    CHECK_IF_OPEN,
    FOLD,
    FOLD_IF_ABLE,
    NEXT_STREET,
    NOT_STATED,
    PUT_IN,
    RAISE,
)
from railbird.histories.betting import BettingReplay, course_of
from railbird.histories.format import ReadOptions
from railbird.histories.record import (
    RUN_TWICE,
    BadHand,
    HandRecord,
    SkipReason,
    Source,
    renamed,
)
from railbird.histories.sites.money import (
    UNIT,
    Conventions,
    FinerChips,
    LargerBigBlind,
    LateSmallBlind,
    Notation,
    Uncalled,
    check_stakes,
)
from railbird.histories.sites.other_games import of_hand_size, unwanted_game
from railbird.histories.text_values import (
    UNKNOWN,
    HandNumber,
    Hole,
    after_showing,
    read_cards,
    read_hole,
)
from railbird.histories.variant_hands import SeatCards, course_of_cards, with_shown
from railbird.histories.verify import (
    MOST_ROUNDED,
    BettingOutcome,
    Holes,
    ending_of,
    exact,
    is_rounded,
    outcome_of,
    reported_ending,
    run_again,
    settle_raked,
    uncalled,
    why_refused,
)
from railbird.units import Chips, Seat

# Contents of a site's text about one hand, before any check of legality.


BOARD_SIZES: Final = {"FLOP": 3, "TURN": 4, "RIVER": 5}
A_RUN: Final = 10
"""Added to the size of a board for each run, where a text counts them."""


class SiteVerb(Enum):
    """Kind of an action, and with it the meaning of its amount."""

    FOLD = "folds"
    FOLD_IF_ABLE = "folds, perhaps all-in"
    """Sites fold absent players even where a post put them all-in."""
    CHECK = "checks"
    CALL = "calls"
    """Amount: the chips put in now; none if the text gives none."""
    BET = "bets"
    """Amount: the total of the street, to which nobody has bet before."""
    RAISE_TO = "raises to"
    """Amount: the total of the street. A bet is a raise from zero."""
    RAISE_BY = "raises by"
    """Amount: the difference to the bet that must be called."""
    PUT_IN = "puts in"
    """Amount: the chips put in now, in a call, a bet or a raise."""

    def row(self, amount: int = NOT_STATED, by: int = NOT_STATED) -> tuple[int, int, int]:
        """Return the action as `railbird.game.reported` has it, without its seat.

        ``by`` is the amount of a raise besides its total, if the text states both.
        """
        match self:
            case SiteVerb.FOLD:
                return FOLD, NOT_STATED, NOT_STATED
            case SiteVerb.FOLD_IF_ABLE:
                return FOLD_IF_ABLE, NOT_STATED, NOT_STATED
            case SiteVerb.CHECK:
                return CALL, 0, NOT_STATED
            case SiteVerb.CALL:
                return CALL, amount, NOT_STATED
            case SiteVerb.BET:
                return RAISE, amount, amount
            case SiteVerb.RAISE_TO:
                return RAISE, by, amount
            case SiteVerb.RAISE_BY:
                return RAISE, amount, NOT_STATED
            case SiteVerb.PUT_IN:
                return PUT_IN, amount, NOT_STATED


DRAW: Final = 1 << 8
"""Kind of a row that exchanges cards; its last number is which of the player's draws it is."""
OwnCards = Hole | tuple[Card, ...]
"""A player's cards as a text shows them: two in hold'em, in other games as many as there are."""


class PostKind(Enum):
    """Kind of a post."""

    ANTE = "the ante"
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    BOTH_BLINDS = "small & big blinds"
    """Both blinds in one post, of which the part above a big blind is dead."""
    DEAD_BLIND = "dead blind"
    EXTRA_BLIND = "extra blind"
    """Live blind out of position."""
    STRADDLE = "straddle"

    __hash__ = object.__hash__  # Enum's own is slow, and every hand's posts are a key


class SitePlayer:
    """Player at the table. Amounts here and below are chips."""

    hole: Hole = UNKNOWN
    dealt_in: bool = False
    """True if a post, an action or cards show that the player was in the hand."""
    sits_out: bool = False
    mucked: bool = False
    """True if the cards were mucked at showdown, so that they may win no pot."""
    away: bool = False
    """True if the player leaves after posting, and so folds when it is his turn."""
    all_in: bool = False
    """True if the text says that the player is all-in, in whatever action."""
    won: int = 0
    returned: int = 0
    """Uncalled bet, if the text states it."""
    said_to_win: int | None = None
    """Amount won according to a summary."""
    said_result: int | None = None
    """What the hand brought or cost according to the text."""
    sells: bool = False
    """True if the hand was sold to the house, or insured with it."""
    house: int | None = None
    """Chips got beside the pots, from the house or others; negative if paid, None if not said."""
    dealt: SeatCards = ()
    """Cards of another game than hold'em in the order of dealing, as far as the text deals them."""
    final: tuple[Card, ...] = ()
    """Those that were shown of such a game, at the end or by choice."""
    thrown: tuple[SeatCards, ...] = ()
    """Those that were exchanged in each draw; None for unseen ones."""

    def __init__(self, name: str, index: int, number: int, stack: Chips) -> None:
        self.name = name
        self.index = index
        """Place in the text's list of players."""
        self.number = number
        """Seat number of the table."""
        self.stack = stack

    def show(self, own: OwnCards, *, mucked: bool = False) -> None:
        """Take the player's cards. Raises `BadHand` for other cards than before."""
        self.dealt_in = True
        self.mucked |= mucked
        if isinstance(own, Hole):
            if self.hole is not own:
                self.hole = after_showing(self.hole, own, f"seat {self.number}")
        elif not set(self.final) <= set(own) and not set(own) <= set(self.final):
            raise other_cards(self)
        else:
            self.final = max(self.final, own, key=len)

    def deal(self, cards: tuple[Card, ...], size: int) -> None:
        """Take cards that are dealt; the first are ``size``, of which the last ones are seen."""
        hidden = 0 if self.dealt else size - len(cards)
        self.dealt += (*(None,) * hidden, *cards)

    def forget(self) -> None:
        """Take that the cards were thrown away, and are as good as unknown."""
        self.hole, self.final = UNKNOWN, ()


def other_cards(player: SitePlayer) -> BadHand:
    """Return the refusal of a hand in which a player shows other cards than before."""
    return BadHand(SkipReason.UNREADABLE, f"seat {player.number} shows other cards than before")


class SitePost(NamedTuple):
    """Post of a player."""

    player: SitePlayer
    kind: PostKind
    amount: Chips
    all_in: bool


class SiteAction(NamedTuple):
    """Action of a player, as `railbird.game.reported` has it; of nobody, the deal of a street."""

    player: SitePlayer | None
    kind: int
    amount: int
    to: int


@dataclass(slots=True)
class SiteHand:
    """One hand as its text describes it."""

    number: HandNumber
    betting: Betting
    currency: str = ""
    """Sign of the money; empty for chips that are not money."""
    notation: Notation = Notation()  # noqa: RUF009 (immutable)
    """How amounts and cards are written, and chips per coin."""
    stakes: tuple[Chips, Chips] | None = None
    """Blinds, or in limit the small and the big bet; None if the text does not state them."""
    cap: Chips | None = None
    """Most that a player can lose in the hand."""
    tournament: bool = False
    """True if no rake can be taken from a pot."""
    variant: Variant = HOLDEM
    """The game; the text's cards may say which of several of one name it is."""
    bring_in: Chips = Chips(0)  # noqa: RUF009 (immutable)
    """What a card made a player bring in; 0 if the text does not say."""
    play_money: bool = False
    table: str = ""
    played_at: datetime | None = None
    least: int = 0
    """Fewest chips per coin in which all amounts are whole, as far as they have been read."""
    button: int = 0
    early: bool = False
    """True if raises may be written as Run It Once did in the beginning."""
    players: dict[str, SitePlayer] = field(default_factory=dict)
    by_number: dict[int, SitePlayer] = field(default_factory=dict)
    """Players by the number of their seat."""
    posts: list[SitePost] = field(default_factory=list)
    report: list[int] = field(default_factory=list)
    """Actions for `railbird.game.reported`, with the players' indices instead of seats."""
    board: tuple[Card, ...] = ()
    more_boards: tuple[tuple[Card, ...], ...] = ()
    """Boards of the second run and of the third, or the game's further boards, as dealt so far."""
    site: str = ""
    """Who dealt the hand, if that is not the site of all such texts."""
    streets_told: bool = True
    """False if the text has the board, but not where in the betting its cards were dealt."""
    runs_counted: bool = False
    """True if the text counts the runs of the board, and so there are several."""
    runs_said: int | None = None
    """Number of runs, if the text states it."""
    dropped: int = 0
    """Chips that the house added to the main pot."""
    sold: bool = False
    """True if somebody sold the hand to the house, or insured it, or paid others beside the pot."""
    rake: int | None = None
    """Rake; None if the text does not state it."""
    fees: int = 1
    """Number of amounts whose sum it is."""
    total: int | None = None
    """Pot; None if the text does not state it, or rounds it."""
    odd_names: list[SitePlayer] = field(default_factory=list)
    """Players whose names have in them what also ends names, the longest first."""
    name_ends: str = " "
    """What stands between a player's name and the action."""
    results_said: bool = False
    """True if the text says what the hand brought a player."""
    holes_dealt: bool = False
    in_summary: bool = False

    def __post_init__(self) -> None:
        if self.variant is not HOLDEM:
            self.notation = self.notation._replace(two_cards=False)

    @property
    def actions(self) -> Iterator[SiteAction]:
        """The actions so far."""
        players, rows = [*self.players.values(), None], iter(self.report)
        for index, kind, amount, to in zip(rows, rows, rows, rows, strict=True):
            yield SiteAction(players[index], kind, amount, to)

    def amount(self, text: str) -> Chips:
        """Parse an amount in the hand's notation. Raises `BadHand`."""
        return self.notation.chips(text)

    def units(self, text: str) -> int:
        """Parse an amount in units of `money.UNIT`. Raises `BadHand`."""
        return self.notation.units(text)

    def play_for(self, small: int, big: int, cap: int = 0) -> None:
        """Take the stakes, in units of `money.UNIT`: their decimals say how fine a chip is.

        Raises `BadHand` where chips are finer than those counted before.
        """
        cents = self.currency or small % UNIT or big % UNIT
        scale = self.notation.scale or (100 if cents else 1)
        while any(amount * scale % UNIT for amount in (small, big, cap)):
            scale *= 10
        if self.players and scale != self.notation.scale:
            raise FinerChips(f"{Fraction(small, UNIT)}", scale)
        notation = self.notation = self.notation._replace(scale=scale)
        self.stakes = notation.chips_of(small), notation.chips_of(big)
        self.cap = notation.chips_of(cap) if cap else None

    def count_in(self, scale: int) -> None:
        """Count in chips of which a coin has ``scale``, if the stakes are of whole ones."""
        before = self.notation.scale or scale
        amounts = [amount * scale for amount in (*(self.stakes or (0, 0)), self.cap or 0)]
        if not any(amount % before for amount in amounts):
            small, big, cap = [Chips(amount // before) for amount in amounts]
            self.notation = self.notation._replace(scale=scale)
            self.stakes = self.stakes and (small, big)
            self.cap = cap or None

    def not_for_money(self) -> None:
        """Take that the chips are not money, whatever sign they have."""
        if self.currency and not self.players:
            self.count_in(max(self.least, 1))
        self.currency = ""

    def for_play_money(self) -> None:
        """Take that the chips are play money."""
        self.not_for_money()
        self.play_money = True

    def player(self, name: str) -> SitePlayer:
        """Return a player by name. Raises `BadHand` for somebody who has no seat."""
        seat = self.players.get(name)
        if seat is None:
            raise BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} plays without a seat and a stack")
        return seat

    def take_seat(self, name: str, number: int, stack: Chips) -> SitePlayer:
        """Add a player. Raises `BadHand` if the name or the seat is taken."""
        if name in self.players or number in self.by_number:
            raise BadHand(SkipReason.SAME_NAME, f"seat {number} or {name[:40]!r} twice")
        player = SitePlayer(name, len(self.players), number, stack)
        self.players[name] = player
        if number:  # somebody who joins has none
            self.by_number[number] = player
        if self.name_ends in name:
            self.odd_names.append(player)
            self.odd_names.sort(key=lambda player: -len(player.name))
        return player

    def show(self, player: SitePlayer, cards: str, *, mucked: bool = False) -> None:
        """Take a player's cards, two characters each: hold'em's two, or all. Raises `BadHand`."""
        is_holdem = self.variant is HOLDEM
        own = read_hole(cards) if is_holdem else read_cards(cards, len(cards) // 2)
        player.show(own, mucked=mucked)

    def post(
        self, player: SitePlayer, kind: PostKind, amount: Chips, *, all_in: bool = False
    ) -> None:
        """Add a post, unless it is of zero."""
        if amount:
            player.dealt_in = True
            self.posts.append(SitePost(player, kind, amount, all_in))

    def act(self, player: SitePlayer, kind: int, amount: int, to: int) -> None:
        """Add an action."""
        player.dealt_in = True
        self.report += (player.index, kind, amount, to)

    def deal(self, cards: Sequence[str], size: int) -> None:
        """Deal a street: its cards, or the whole board of ``size`` cards. Raises `BadHand`.

        Cards are in the hand's notation. A street that is dealt twice means a board run twice.
        """
        seen = self.board
        if self.variant is not HOLDEM and size <= self.variant.board_sizes[0]:
            self.board = self._read_board(cards)  # of Courchevel, before any betting
            return
        if size <= len(seen):
            raise BadHand(SkipReason.ANOTHER_GAME, RUN_TWICE)
        if size > BOARD_SIZES["RIVER"]:
            self._deal_again(cards, *divmod(size, A_RUN))
            return
        try:
            dealt = tuple([CARD_OF_TEXT[card] for card in cards])
        except KeyError:
            dealt = self._read_board(cards)
        self.report += NEXT_STREET
        if len(dealt) == size and dealt[: len(seen)] == seen:
            self.board = dealt
            return
        self.board = _continued(seen, dealt, size, cards)

    def deal_common(self, line: str) -> None:
        """Deal the card for all with which a stud game ends whose deck has run out."""
        if self.variant is not HOLDEM and not self.variant.board_sizes[-1]:
            self.board = self._read_board([line.partition("[")[2]])

    def _read_board(self, cards: Sequence[str]) -> tuple[Card, ...]:
        notation = self.notation.cards(" ".join(cards))
        return read_cards("".join(notation), len(notation))

    def _deal_again(self, cards: Sequence[str], run: int, size: int) -> None:
        """Deal a street of a run, counted from 1, on the board before it."""
        self.runs_counted = True
        if run == 1:
            self.deal(cards, size)
            return
        before = size - 1 if size > BOARD_SIZES["FLOP"] else 0
        boards = self.more_boards
        if run == len(boards) + 2:
            boards = (*boards, self.board[:before])
        if run != len(boards) + 1 or len(boards[-1]) != before or len(self.board) < before:
            raise BadHand(SkipReason.WRONG_BOARD, f"run {run} is not the next one")
        board = _continued(boards[-1], self._read_board(cards), size, cards)
        self.more_boards = (*boards[:-1], board)


def _continued(
    seen: tuple[Card, ...], dealt: tuple[Card, ...], size: int, texts: Sequence[str]
) -> tuple[Card, ...]:
    """Return a board after a street, of which its cards are told or all. Raises `BadHand`."""
    board = dealt if len(dealt) == size else (*seen, *dealt)
    if len(board) != size or set(board[: len(seen)]) != set(seen):
        cards_text = " ".join(texts)[:40]
        raise BadHand(SkipReason.WRONG_BOARD, f"{cards_text!r} does not continue the board")
    after = (*seen, *[card for card in board if card not in seen])
    if len(set(after)) != size:
        cards_text = " ".join(texts)[:40]
        raise BadHand(SkipReason.DUPLICATE_CARD, f"{cards_text!r} with a card of the board")
    return after


def in_whole_chips(
    begin: Callable[[], SiteHand], take: Callable[[SiteHand], None], *, variants: bool
) -> SiteHand:
    """Return a hand, begun and taken in the largest chips of which all amounts are whole.

    Chips are cents, or whole coins where the chips are not money. Raises `BadHand`, also for
    another game than hold'em unless ``variants`` are wanted.
    """
    least = 0
    while True:
        hand = begin()
        if hand.variant is not HOLDEM and not variants:
            raise unwanted_game(hand.variant, hand.betting)
        hand.least = least
        scale = max(least, hand.notation.scale or (100 if hand.currency else 1))
        if scale != hand.notation.scale:
            hand.count_in(scale)
        try:
            take(hand)
        except FinerChips as finer:
            least = finer.scale
        else:
            return hand


# Comparison of winnings in a site's text with the rules.


@dataclass(frozen=True, slots=True)
class SeatedHand:
    """Players of a hand by seat, from the left of the button on."""

    hand: SiteHand
    names: tuple[str, ...]
    players: tuple[SitePlayer, ...]
    seats: list[int]
    """Seats by index; `NOT_STATED` for players who are not in the hand, and last for nobody."""


def _payoffs(
    seated: SeatedHand,
    ending: BettingOutcome,
    conventions: Conventions,
    unused: Sequence[int],
    dropped: Sequence[int],
) -> tuple[Fraction, ...]:
    """Return the payoffs after comparing all that the text states of them. Raises `BadHand`.

    ``unused`` are chips by seat that were put in although nobody was left to call them, and
    ``dropped`` those that were won and are the house's.
    """
    players = seated.players
    won = [player.won + player.returned for player in players]
    if not any(won):
        raise BadHand(SkipReason.CUT, "nobody wins")
    _check_summary(players)
    logged = list(map(sub, won, ending.state.spent))
    if any(unused):
        logged = list(map(sub, logged, unused))
    if dropped:
        logged = list(map(sub, logged, dropped))
    if any([player.returned for player in players]):  # noqa: C419 (twice as fast)
        return _settled(seated, ending, logged)
    if conventions.uncalled is Uncalled.INCLUDED:
        try:
            return _settled(seated, ending, logged)
        except BadHand:
            without = _without_uncalled(logged, ending, unused)
            if without == logged:
                raise
            return _settled(seated, ending, without)
    without = _without_uncalled(logged, ending, unused)
    try:
        return _settled(seated, ending, without)
    except BadHand as problem:
        try:
            return _settled(seated, ending, logged)
        except BadHand:
            raise problem from None


def _dropped(seated: SeatedHand, ending: BettingOutcome) -> list[int]:
    """Return by seat what each won of the chips that the house added to the main pot.

    Odd chips are the first winner's, of the first run.
    """
    players = seated.players
    amounts = [0] * len(players)
    states = (ending.state, *ending.runs)
    for run, state in enumerate(states):
        winners = _winners_of_shares(state) or [
            [Seat(seat) for seat, player in enumerate(players) if player.won]
        ]
        left = seated.hand.dropped * (run + 1) // len(states) - sum(amounts)
        for count, takers in zip(range(len(winners), 0, -1), winners, strict=True):
            part = -(-left // count)  # an odd chip is the high hand's
            left -= part
            for place, seat in enumerate(takers):
                amounts[seat] += part // len(takers) + (place < part % len(takers))
    return amounts


def _winners_of_shares(state: HandState) -> list[list[Seat]]:
    """Return who wins each share of the main pot, without shares for which no hand qualifies.

    Empty if all but one folded, and where no cards are known.
    """
    in_hand = pots(state)[0].seats
    winners = []
    for share in state.rules.variant.shares if len(in_hand) > 1 else ():
        strengths = {
            seat: share_strength(share, own, state.board)
            for seat in in_hand
            if len(own := state.cards[seat]) == state.cards_each
        }
        best = max(strengths.values(), default=0)
        winners.append([seat for seat, rank in strengths.items() if rank == best > 0])
    return [*filter(None, winners)]


def _check_summary(players: Iterable[SitePlayer]) -> None:
    """Compare the winnings with those in the summary. Raises `BadHand`."""
    for player in players:
        said, won = player.said_to_win, player.won
        if said is not None and said not in (won, won + player.returned, won + (player.house or 0)):
            raise BadHand(
                SkipReason.WRONG_PAYOFF,
                f"seat {player.number} wins {player.won}, in the summary {said}",
            )


def _without_uncalled(
    logged: Sequence[int], ending: BettingOutcome, unused: Sequence[int]
) -> list[int]:
    """Return what players won, with what nobody called given back."""
    return list(map(add, logged, map(add, uncalled(ending.state), unused or repeat(0))))


def _as_said(seated: SeatedHand, paid: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return payoffs after comparing them with the results in the text. Raises `BadHand`.

    In tournaments programs may round each to whole chips.
    """
    most = seated.hand.notation.scale if seated.hand.tournament else 0
    for player, chips in zip(seated.players, paid, strict=True):
        said = player.said_result
        if said is not None and abs(chips - said) > most:
            raise BadHand(
                SkipReason.WRONG_PAYOFF,
                f"seat {player.number} gets {chips}, by the text {said}",
            )
    return paid


def _settled(
    seated: SeatedHand, ending: BettingOutcome, logged: Sequence[int]
) -> tuple[Fraction, ...]:
    """Compare payoffs with the stated rake and pot, and with the engine's payoffs."""
    hand = seated.hand
    if hand.variant is not HOLDEM:
        settle_raked(ending, logged)  # which says what the cards pay, as totals do not
    if hand.tournament and (rounded_payoffs := _in_whole_chips(seated, ending, logged)):
        return rounded_payoffs
    rake = -sum(logged)
    scale = hand.notation.scale
    # Each of several fees is rounded: a cent more or less is theirs, and what was won is right.
    rounding = scale // 100 if hand.fees > 1 else 0
    won = sum([player.won for player in seated.players])
    total, taken = hand.total, hand.rake
    if taken is not None and abs(rake - taken) > rounding:
        raise _other_pot(hand, won + rake, won)
    if taken is None and hand.tournament and rake:
        raise _other_pot(hand, won + rake, won)
    if total is not None and total - won not in (0, taken):
        # What the house dropped may be counted in or not.
        off = min(
            abs(total - got - fee) for got in {won, won - hand.dropped} for fee in {0, taken or 0}
        )
        if off > (MOST_ROUNDED * scale if hand.tournament else rounding):
            raise _other_pot(hand, won + rake, won)
    try:
        return settle_raked(ending, logged)
    except BadHand:
        if rake == 0 and is_rounded(ending, logged):
            return exact(logged)
        raise


def _other_pot(hand: SiteHand, put_in: int, won: int) -> BadHand:
    said = {"total pot": hand.total, "rake": hand.rake}
    words = " and ".join([f"{what} {chips}" for what, chips in said.items() if chips is not None])
    detail = f"{words or 'a tournament'}; {put_in} were put in and {won} won"
    return BadHand(SkipReason.WRONG_PAYOFF, detail)


def _in_whole_chips(
    seated: SeatedHand, ending: BettingOutcome, logged: Sequence[int]
) -> tuple[Fraction, ...] | None:
    """Return the payoffs of a tournament's hand whose text rounds them, alone, to whole chips.

    Bets and stacks may be of half chips; what is collected is then within half a chip of what the
    rules pay, for each pot. Of whole chips a text may lose one where a pot is divided, two in all.
    None if anything else is written.
    """
    scale = seated.hand.notation.scale
    if scale == 1 and not 0 < abs(sum(logged)) <= MOST_ROUNDED:
        return None
    if any(player.won % scale for player in seated.players):
        return None
    most = Fraction(scale, 2) if scale > 1 else 1
    return exact(payoffs(ending.state)) if is_rounded(ending, logged, most) else None


# Rules of a site's table, from the posts and the stated stakes.


_RULES_KEPT: Final = 1 << 12


class Posted(NamedTuple):
    """A blind or an ante as the text has it."""

    seat: int
    kind: PostKind
    amount: Chips
    all_in: bool


class Posts(NamedTuple):
    """Posts by seat; counted in full where a stack was too short for them."""

    live: tuple[Chips, ...]
    dead: tuple[Chips, ...]
    small: int | None = None
    last: int | None = None
    """The seat after which the betting begins: the big blind, or the last straddle."""
    short_antes: tuple[int, ...] = ()
    """Seats that the ante put all-in."""

    def add(self, post: Posted, full: tuple[Chips, Chips]) -> Posts:
        """Return the posts with one more; ``full`` are the blinds."""
        small, big = full
        seat, kind, amount, all_in = post
        live, dead, first, last, short = self
        match kind:
            case PostKind.ANTE:
                short = (*short, seat) if all_in else short
                return Posts(live, _plus(dead, seat, amount), first, last, short)
            case PostKind.SMALL_BLIND:
                live = _with(live, seat, max(small, amount) if all_in else amount)
                return Posts(live, dead, seat, last, short)
            case PostKind.BIG_BLIND | PostKind.EXTRA_BLIND:
                live = _with(live, seat, max(big, amount) if all_in else amount)
                return Posts(live, dead, first, seat if last is None else last, short)
            case PostKind.DEAD_BLIND:
                return Posts(live, _plus(dead, seat, amount), first, last, short)
            case PostKind.BOTH_BLINDS:
                live = _with(live, seat, min(big, amount))
                dead = _plus(dead, seat, Chips(max(amount - big, 0)))
                return Posts(live, dead, first, last, short)
            case PostKind.STRADDLE:
                return Posts(_with(live, seat, amount), dead, first, seat, short)

    def with_big_blind(self, big: Chips) -> Posts:
        """Return the posts with the missing big blind of a seat whose ante put it all-in.

        It is the seat to the left of the small blind; the others still call the full big blind.
        """
        if self.last is not None or self.small is None:
            return self
        seat = (self.small + 1) % len(self.live)
        if seat not in self.short_antes:
            return self
        return self._replace(live=_with(self.live, seat, big), last=seat)

    @property
    def antes(self) -> tuple[Chips, ...]:
        """Dead posts by seat; an all-in ante counts as much as the others."""
        if not self.short_antes:
            return self.dead
        most = max(self.dead)
        return tuple(
            [most if seat in self.short_antes else chips for seat, chips in enumerate(self.dead)]
        )


def _with(amounts: tuple[Chips, ...], seat: int, amount: Chips) -> tuple[Chips, ...]:
    return (*amounts[:seat], amount, *amounts[seat + 1 :])


def _plus(amounts: tuple[Chips, ...], seat: int, amount: Chips) -> tuple[Chips, ...]:
    return _with(amounts, seat, Chips(amounts[seat] + amount))


@lru_cache(_RULES_KEPT)
def site_rules(
    betting: Betting, stakes: tuple[Chips, Chips], posts: Posts, *, stacks: tuple[Chips, ...]
) -> Rules:
    """Return the rules of a table; ``stakes`` are the bets in limit, otherwise the blinds.

    Stacks too deep for a limit hand to exhaust are omitted, as they make no difference. Raises
    `railbird.errors.BadInput`.
    """
    small, big = stakes
    limit = betting is Betting.LIMIT
    most = max(posts.live)
    sizes = (small, small, big, big) if limit else (max(big, most), big, big, big)
    antes = posts.antes
    deepest = most + max(antes) + sum(map(mul, LIMIT_RAISES, sizes))
    last = posts.live.index(most) if posts.last is None else posts.last
    return Rules(
        betting=betting,
        blinds=posts.live,
        antes=antes if any(antes) else (),
        stacks=None if limit and min(stacks) >= deepest else stacks,
        bet_sizes=sizes,
        max_raises=LIMIT_RAISES if limit else None,
        first_to_act=(Seat((last + 1) % len(stacks)), Seat(0), Seat(0), Seat(0)),
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
    )


def _rules(
    seated: SeatedHand, conventions: Conventions, absent: Sequence[SitePlayer] = ()
) -> Rules:
    """Return the rules of a hand. Raises `BadHand` or `railbird.errors.BadInput`.

    Blinds of ``absent`` players may be too short, although they have a chip more.
    """
    hand, seats = seated.hand, seated.seats
    limit, binds = hand.betting is Betting.LIMIT, conventions.stakes_bind
    spent = [0] * len(seats)
    posted = []
    for player, kind, amount, all_in in hand.posts:
        index, stack = player.index, player.stack
        spent[index] += amount
        if spent[index] > stack or (all_in and spent[index] < stack):
            raise BadHand(
                SkipReason.ILLEGAL_ACTION, f"{player.name[:40]} posts another amount than all"
            )
        posted.append(Posted(seats[index], kind, amount, spent[index] == stack))
    stakes, posts = _table(
        len(seated.names),
        limit,
        hand.stakes,
        tuple(posted),
        conventions,
        # Where no rake tells which are right, the stakes do.
        not absent and (binds or (hand.rake is None and not limit and not hand.tournament)),
        0 if hand.stakes and hand.stakes[1] else _first_call(hand),
    )
    cap = hand.cap
    stacks = tuple([player.stack for player in seated.players])
    if cap is not None:
        stacks = tuple([min(stack, cap) for stack in stacks])
    if hand.variant is not HOLDEM and hand.variant.has_bring_in:
        return _bring_in_rules(hand, posted, stacks)
    return site_rules(hand.betting, stakes, posts, stacks=stacks)


def _bring_in_rules(hand: SiteHand, posted: Sequence[Posted], stacks: tuple[Chips, ...]) -> Rules:
    """Return the rules of a stud game. Raises `BadHand` for other posts than antes.

    Whoever completes at once says no bring-in, and any leads to the same hand.
    """
    antes = [post.amount for post in posted if post.kind is PostKind.ANTE]
    if not antes or len(antes) < len(posted) or hand.stakes is None:
        raise BadHand(SkipReason.ANOTHER_GAME, f"{hand.variant.title} without an ante or stakes")
    small, big = hand.stakes
    nothing = (Seat(0),) * 4
    return Rules(
        betting=hand.betting,
        blinds=(Chips(0),) * len(stacks),
        antes=(max(antes),) * len(stacks),
        bring_in=hand.bring_in or Chips(small // 2),
        stacks=stacks,
        bet_sizes=(small, small, big, big),
        max_raises=(LIMIT_RAISES[1],) * 4,
        first_to_act=(nothing[0], nothing[1], nothing[2], nothing[3]),
        open_fold=OpenFold.ALLOWED,
        uncallable_raise=UncallableRaise.ALLOWED,
        variant=hand.variant,
    )


@lru_cache(_RULES_KEPT)
def _table(
    seats: int,
    limit: bool,
    stated: tuple[Chips, Chips] | None,
    posted: tuple[Posted, ...],
    conventions: Conventions,
    must_agree: bool,
    first_call: int,
) -> tuple[tuple[Chips, Chips], Posts]:
    """Return the bets of a limit game, otherwise the blinds, and the posts. Raises `BadHand`."""
    if len({post[:2] for post in posted}) < len(posted):
        raise BadHand(SkipReason.UNREADABLE, "one player posts the same twice")
    small, big = stakes = stated or (Chips(0), Chips(0))
    check_stakes(small, big, f"{small}/{big}")
    if must_agree:
        _check_blinds(posted, (Chips(0), small) if limit else stakes)
    blind = next((post for post in posted if post.kind is PostKind.BIG_BLIND), None)
    full = 0 if blind is None or blind.all_in or conventions.stakes_bind else blind.amount
    if not full and not big:
        full = first_call or small
    # Where the stated stakes could be either, the big blind posted decides.
    if limit:
        if full not in (small, big):
            full = full or (big if conventions.limit_stakes_are_blinds else small)
            small, big = Chips(full), Chips(2 * full)
        elif full == big:
            small, big = big, Chips(2 * big)
    elif full and full != big:
        smalls = [post.amount for post in posted if post.kind is PostKind.SMALL_BLIND]
        small, big = (smalls or [Chips(full // 2)])[0], Chips(full)
    if big == 0:
        raise BadHand(SkipReason.UNREADABLE, "neither stakes nor a big blind")
    blinds = (Chips(small // 2), small) if limit else (small, big)
    posts = Posts((Chips(0),) * seats, (Chips(0),) * seats)
    for post in _in_order(posted, conventions):
        posts = posts.add(post, blinds)
    return (small, big), posts.with_big_blind(blinds[1])


def _check_blinds(posted: Sequence[Posted], blinds: tuple[Chips, Chips]) -> None:
    """Refuse the first blinds posted if they are other than the stated ones. Raises `BadHand`."""
    stated = dict(zip((PostKind.SMALL_BLIND, PostKind.BIG_BLIND), blinds, strict=True))
    for post in posted:
        blind = stated.pop(post.kind, 0)  # of a second one of a kind nothing is known
        if blind and post.amount != blind and not post.all_in:
            amounts = f"{post.amount}, by the stakes {blind}"
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"a {post.kind.value} of {amounts}")


def _first_call(hand: SiteHand) -> int:
    """Return what a player without a post calls before any raise, a big blind; 0 for none."""
    posted = [post.player for post in hand.posts if post.kind is not PostKind.ANTE]
    played = (action for action in hand.actions if action.kind not in (FOLD, FOLD_IF_ABLE))
    first = next(played, None)
    called = first is not None and first.kind == CALL and first.player not in (None, *posted)
    return max(first.amount, 0) if called and first is not None else 0


def _in_order(posted: Sequence[Posted], conventions: Conventions) -> list[Posted]:
    """Return the posts, those of the blinds before those of late entrants."""
    posts = list[Posted]()
    late = list[Posted]()
    first = dict[PostKind, int]()
    for post in posted:
        kind = post.kind
        if kind in first:
            kind = _late_kind(post, first[kind], conventions)
        elif kind in (PostKind.SMALL_BLIND, PostKind.BIG_BLIND):
            first[kind] = post.amount
        is_late = kind in (PostKind.EXTRA_BLIND, PostKind.BOTH_BLINDS, PostKind.DEAD_BLIND)
        (late if is_late else posts).append(post._replace(kind=kind))
    return posts + late


def _late_kind(post: Posted, blind: int, conventions: Conventions) -> PostKind:
    """Return the kind of a blind that another player has posted already, in that amount."""
    if post.kind is PostKind.BIG_BLIND:
        if post.amount <= blind:
            return PostKind.EXTRA_BLIND
        straddles = conventions.larger_big_blind is LargerBigBlind.STRADDLE
        return PostKind.STRADDLE if straddles else PostKind.BOTH_BLINDS
    live = conventions.late_small_blind is LateSmallBlind.LIVE
    return PostKind.EXTRA_BLIND if live else PostKind.DEAD_BLIND


# The replay.


def record_of(
    hand: SiteHand, conventions: Conventions, options: ReadOptions, line: int
) -> HandRecord:
    """Return the record of a hand that was legally played. Raises `BadHand`.

    Impossible posts and stacks raise `railbird.errors.BadInput`.
    """
    seated = _seated(hand, conventions)
    try:
        return _verified(seated, conventions, options, line)
    except BadHand as problem:
        absent = _folded_all_in(hand)
        if not absent:
            raise
        for player in absent:
            player.stack = Chips(player.stack + 1)
        hand.posts = [
            post._replace(all_in=post.all_in and post.player not in absent) for post in hand.posts
        ]
        try:
            return _verified(seated, conventions, options, line, absent)
        except BadInput:  # what the text says as it stands is the better reason
            raise problem from None


def _folded_all_in(hand: SiteHand) -> list[SitePlayer]:
    """Return absent players whom the site folds although a post put them all-in.

    The engine asks nobody without chips. They are given one chip more, with which they fold; what
    they put in stays the same.
    """
    left = {player: int(player.stack) for player in hand.players.values()}
    for post in hand.posts:
        left[post.player] -= post.amount
    folds = (action.player for action in hand.actions if action.kind in (FOLD, FOLD_IF_ABLE))
    return [player for player in folds if player is not None and left[player] <= 0]


def _verified(
    seated: SeatedHand,
    conventions: Conventions,
    options: ReadOptions,
    line: int,
    absent: Sequence[SitePlayer] = (),
) -> HandRecord:
    hand, given = seated.hand, options.rules
    if hand.variant is not HOLDEM:
        most = max(len(player.final) for player in seated.players)
        hand.variant, given = of_hand_size(hand.variant, most), None
    rules = given or _rules(seated, conventions, absent)
    if rules.seats != len(seated.names):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(seated.names)} players in a game of {rules.seats} seats"
        )
    report = _report(seated, rules)
    try:
        return _record(seated, rules, report, conventions, options, line)
    except BadHand as problem:
        mucked = [player for player in seated.players if player.mucked and not player.won]
        try:
            if seated.hand.early:
                report = _with_early_raises(report)
                return _record(seated, rules, report, conventions, options, line)
            if problem.reason is SkipReason.WRONG_PAYOFF and mucked:
                for player in mucked:  # cards thrown away that were better are as good as unknown
                    player.forget()
                return _record(seated, rules, report, conventions, options, line)
        except BadInput:
            pass
        raise why_refused(problem, rules) from None


def _record(
    seated: SeatedHand,
    rules: Rules,
    report: Sequence[int],
    conventions: Conventions,
    options: ReadOptions,
    line: int,
) -> HandRecord:
    hand, names = seated.hand, seated.names
    holes = tuple([player.hole.holding for player in seated.players])
    cards: tuple[SeatCards, ...] = ()
    if hand.variant is HOLDEM:
        ending, unused = _ending(seated, rules, report, holes)
    else:
        cards = _cards_by_seat(seated)
        ending, unused = _ending_with_cards(seated, rules, report, cards)
        rules = ending.state.rules
    runs_told = hand.more_boards or hand.runs_counted or hand.runs_said is not None
    if runs_told and hand.variant.boards == 1:
        ending = _run_again(hand, ending)
    dropped = _dropped(seated, ending) if hand.dropped else ()
    paid = _payoffs(seated, ending, conventions, unused, dropped)
    return HandRecord(
        rules=rules,
        players=renamed(names, options.rename) if options.rename else names,
        holes=holes,
        board=hand.board,
        actions=ending.actions,
        payoffs=_as_said(seated, paid) if hand.results_said else paid,
        number=hand.number.whole,
        number_text=hand.number.text,
        table=hand.table,
        played_at=hand.played_at,
        denomination=_denomination(hand.notation.scale),
        currency=hand.currency,
        tournament=hand.tournament,
        play_money=hand.play_money,
        more_boards=hand.more_boards,
        cards=cards,
        house=_from_house(seated, dropped) if hand.sold or dropped else (),
        low_first=sum([player.hole.low_first << n for n, player in enumerate(seated.players)]),
        source=Source(
            options.file,
            line,
            hand.site or conventions.site,
            hand.cap is not None and max(player.stack for player in seated.players) > hand.cap,
        ),
    )


def _run_again(hand: SiteHand, ending: BettingOutcome) -> BettingOutcome:
    """Return an ending with the further runs that the text tells. Raises `BadHand`."""
    runs = 1 + len(hand.more_boards)
    if runs == 1 and hand.runs_counted:
        raise BadHand(SkipReason.ANOTHER_GAME, f"{RUN_TWICE}, of which the text has one")
    if hand.runs_said not in (None, runs):
        raise BadHand(SkipReason.WRONG_BOARD, f"{hand.runs_said} runs and {runs} boards")
    return run_again(ending, hand.more_boards) if hand.more_boards else ending


def _from_house(seated: SeatedHand, dropped: Sequence[int]) -> tuple[Fraction, ...]:
    """Return what the house paid by seat, beside the pots and into them. Raises `BadHand`."""
    players = seated.players
    if any(player.sells and player.house is None for player in players):
        raise BadHand(
            SkipReason.ANOTHER_GAME, "a player sells the hand to the house for an untold amount"
        )
    house = [player.house or 0 for player in players]
    return exact(list(map(add, house, dropped or repeat(0)))) if any((*house, *dropped)) else ()


def _ending(
    seated: SeatedHand, rules: Rules, report: Sequence[int], holes: Holes
) -> tuple[BettingOutcome, list[int]]:
    """Return the end of the betting, and by seat the chips put in that nobody was left to call.

    Raises `BadHand`.
    """
    board = seated.hand.board
    try:
        if seated.hand.streets_told:
            return reported_ending(rules, report, holes, board, seated.names), []
    except BadHand as problem:
        if problem.reason is not SkipReason.ILLEGAL_ACTION:
            raise
        unused = [0] * rules.seats
        try:
            return ending_of(rules, _actions(rules, seated, unused), holes, board), unused
        except BadHand:  # what the text says as it stands is the better reason
            raise problem from None
    unused = [0] * rules.seats
    return ending_of(rules, _actions(rules, seated, unused), holes, board), unused


def _ending_with_cards(
    seated: SeatedHand, rules: Rules, report: Sequence[int], cards: Sequence[SeatCards]
) -> tuple[BettingOutcome, list[int]]:
    """Return what `_ending` does, for another game, whose ``rules`` may be hold'em's yet.

    Raises `BadHand`.
    """
    hand, unused, acts = seated.hand, [0] * rules.seats, list[tuple[Seat | None, Action]]()
    if hand.variant.board_sizes[-1]:
        if len(hand.board) <= hand.variant.board_sizes[0]:
            seated = replace(seated, hand=replace(hand, board=()))
        betting, unused = _ending(seated, rules, report, (None,) * rules.seats)
        acts = [(None, action) for action in betting.actions]
        if hand.variant.discards:
            acts = _with_discards(seated, rules, betting.actions)
    else:
        acts = list(_acts(seated))
    variant_rules = rules if rules.variant is hand.variant else in_variant(rules, hand.variant)
    boards = [hand.board, *hand.more_boards][: hand.variant.boards]
    boards += [()] * (hand.variant.boards - len(boards))  # of a hand that ends before a flop
    try:
        return outcome_of(course_of_cards(variant_rules, cards, boards, acts)), unused
    except BadHand:
        # No text names such a setting: only what was done shows it.
        for setting in VARIANTS.values():
            if setting.setting_of == hand.variant.name:
                rules = replace(variant_rules, variant=setting)
                with suppress(BadHand):
                    return outcome_of(course_of_cards(rules, cards, boards, acts)), unused
        raise


def _with_discards(
    seated: SeatedHand, rules: Rules, actions: tuple[Action, ...]
) -> list[tuple[Seat | None, Action]]:
    """Return the actions of betting with the cards that had to go before a street of it."""
    streets = seated.hand.variant.streets
    due = next(number for number, street in enumerate(streets) if street.discard)
    before = sum(move.street < due for move in course_of(rules, actions).moves)
    acts: list[tuple[Seat | None, Action]] = [(None, action) for action in actions]
    acts[before:before] = [
        (Seat(seated.seats[player.index]), Discard(cards))
        for player in seated.players
        for cards in player.thrown
    ]
    return acts


def _acts(seated: SeatedHand) -> Iterator[tuple[Seat, Action]]:
    """Yield the actions of a game without a board; the dealing follows from them."""
    for actor, kind, _, to in seated.hand.actions:
        if actor is None:
            continue
        action: Action = Call()
        if kind == DRAW:
            action = Discard(actor.thrown[to])
        elif kind == RAISE:
            action = Raise(Chips(to))
        elif kind in (FOLD, FOLD_IF_ABLE):
            action = Fold()
        yield Seat(seated.seats[actor.index]), action


def _cards_by_seat(seated: SeatedHand) -> tuple[SeatCards, ...]:
    """Return the seats' cards in the order of dealing, those that were shown later included.

    Fewer cards than a hand has are no hand: some are shown by choice. Raises `BadHand`.
    """
    variant, players = seated.hand.variant, seated.players
    cards_by_seat = list[SeatCards]()
    for player in players:
        thrown = tuple(card for cards in player.thrown for card in cards)
        hidden = variant.hand_size + len(thrown) if variant.throws_away else len(player.final)
        dealt = player.dealt or (None,) * hidden
        size = len(dealt) - len(thrown)
        least = size if variant.board_sizes[-1] == 0 else variant.hand_size
        if len(player.final) >= least > 0:
            dealt = (*dealt, *(None,) * (len(player.final) - size))
            others = [other.dealt for other in players if other is not player]
            shown_hand = with_shown(dealt, player.final, thrown, others)
            if shown_hand is None:
                raise other_cards(player)
            dealt = shown_hand
        elif not player.dealt and not variant.throws_away:
            dealt = ()
        cards_by_seat.append(dealt)
    return tuple(cards_by_seat)


@lru_cache
def _denomination(scale: int) -> Fraction:
    return Fraction(1, scale)


def _seated(hand: SiteHand, conventions: Conventions) -> SeatedHand:
    everybody = hand.players.values()
    players = [player for player in everybody if player.dealt_in]
    if conventions.complete and len(players) < len(everybody):
        for player in everybody:
            if not player.dealt_in and not player.sits_out:
                detail = f"{player.name[:40]} neither acts nor sits out"
                raise BadHand(SkipReason.UNREADABLE, detail)
    if len(players) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(players)} players")
    button = hand.button
    if hand.variant is not HOLDEM and hand.variant.has_bring_in:
        button = max(hand.by_number)
    if button == 0:
        raise BadHand(SkipReason.UNREADABLE, "no line gives the button")
    players.sort(key=lambda player: (player.number <= button, player.number))
    seats = [NOT_STATED] * (len(everybody) + 1)
    for seat, player in enumerate(players):
        seats[player.index] = seat
    names = tuple([player.name for player in players])
    return SeatedHand(hand, names, tuple(players), seats)


def _report(seated: SeatedHand, rules: Rules) -> list[int]:
    """Return a hand's actions in the encoding of `railbird.game.reported`.

    After a short big blind sites count the first raise from the amount posted, although the others
    must call the full blind.
    """
    seats, report = seated.seats, seated.hand.report.copy()
    report[::4] = [seats[index] for index in report[::4]]
    kinds = report[1::4]
    posted = [post.amount for post in seated.hand.posts if post.kind is PostKind.BIG_BLIND]
    if posted and posted[0] < max(rules.blinds) and RAISE in kinds:
        first = 4 * kinds.index(RAISE)
        if report[first + 3] - report[first + 2] == posted[0]:
            report[first + 2] = NOT_STATED
    return report


def _with_early_raises(report: Sequence[int]) -> list[int]:
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


def _actions(rules: Rules, seated: SeatedHand, unused: list[int]) -> tuple[Action, ...]:
    """Return the actions of a hand that cannot be replayed exactly as reported.

    Absent players fold when it is their turn, and a raise that nobody is left to call is a call;
    the excess is added to ``unused``, by seat. Raises `BadHand`.
    """
    walk = BettingReplay(rules)
    for action in seated.hand.actions:
        _do(walk, action, seated, unused)
    return walk.actions


def _do(walk: BettingReplay, action: SiteAction, seated: SeatedHand, unused: list[int]) -> None:
    """Apply an action of the text to the engine. Raises `BadHand`."""
    if action.player is None:
        walk.deal()
        return
    while walk.board_is_due and not seated.hand.streets_told:
        walk.deal()
    while walk.state.actor is not None and seated.players[walk.state.actor].away:
        walk.act(Fold())
    state, seat = walk.state, walk.state.actor
    if seat is None or seated.players[seat] is not action.player:
        _refuse(action)
    if action.kind in (FOLD, FOLD_IF_ABLE):
        walk.act(Fold())
        return
    said = _total(action, state)
    to = _enough(said, state)
    unused[seat] -= to - said
    if to > state.bet and not _others_are_all_in(state):
        excess = _over_a_short_bet(state, to)
        unused[seat] += excess
        walk.act(Raise(Chips(to - excess)))
        return
    amount, due = action.amount, state.to_call
    if to > state.bet:
        unused[seat] = to - state.street_bets[seat] - due
        walk.act(Call())
        return
    if amount == state.bet - state.street_bets[seat] > due:
        # A blind is completed over a short one, alone against it.
        unused[seat] = amount - due
        amount = due
    if amount not in (NOT_STATED, due) or (due and action.kind == RAISE):
        _refuse(action)
    walk.act(Call())


def _enough(to: int, state: HandState) -> int:
    """Return the least legal raise instead of a smaller one that covers everybody else's chips.

    Some sites let a player raise to what the others have left. What is above it nobody can call.
    """
    least, stacks = state.min_raise_to, state.stacks
    if least is None or stacks is None or not state.bet < to < least:
        return to
    others = [seat for seat in state.in_hand if seat != state.actor]
    covers = all(state.street_bets[seat] + stacks[seat] <= to for seat in others)
    return least if covers else to


def _over_a_short_bet(state: HandState, to: int) -> int:
    """Return what a limit raise goes beyond the engine's where an all-in of half a bet is short.

    Some sites complete such a bet and raise that. The excess is given back if nobody calls; a call
    of it does not fit the engine's amounts, and refuses the hand.
    """
    size, legal = state.rules.bet_sizes[state.street], state.min_raise_to
    if state.rules.betting is not Betting.LIMIT or legal is None or state.bet % size == 0:
        return 0
    short = size - state.bet % size
    return short if 2 * short <= size and to == legal + short else 0


def _total(action: SiteAction, state: HandState) -> int:
    """Return the total of the street that an action leads to. Raises `BadHand`."""
    already = state.street_bets[state.actor or 0]
    match action.kind:
        case _ if action.kind == RAISE and action.to != NOT_STATED:
            # What a text may call the difference of a raise.
            raised_by = (NOT_STATED, action.to - state.bet, action.to - already, action.to)
            if action.amount not in raised_by:
                _refuse(action)
            return action.to
        case _ if action.kind == RAISE:
            return state.bet + action.amount
        case _ if action.kind == PUT_IN:
            return already + action.amount
        case _:
            return state.bet


def _others_are_all_in(state: HandState) -> bool:
    stacks = state.stacks
    return stacks is not None and not any(
        stacks[seat] for seat in state.in_hand if seat != state.actor
    )


def _refuse(action: SiteAction) -> NoReturn:
    name = "" if action.player is None else action.player.name
    amounts = [chips for chips in (action.amount, action.to) if chips != NOT_STATED]
    detail = f"{name[:40]!r} cannot act so here: {amounts or 'no amount'}"
    raise BadHand(SkipReason.ILLEGAL_ACTION, detail)
