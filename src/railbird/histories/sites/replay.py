"""Replay of a site's hands by the rules engine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from fractions import Fraction
from operator import add, sub
from typing import Final, NamedTuple

from railbird.cards import Card
from railbird.game import (
    Action,
    Betting,
    Call,
    Fold,
    HandState,
    Raise,
    Rules,
    payoffs,
)
from railbird.game.reported import CALL, FOLD, NEXT_STREET, NOT_STATED, PUT_IN, RAISE
from railbird.histories.betting import BettingReplay
from railbird.histories.format import ReadOptions
from railbird.histories.pokerstars_lines import Posts, site_rules
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
    LateSmallBlind,
    Uncalled,
    check_stakes,
    read_amount,
    scale_for,
)
from railbird.histories.text_values import (
    UNKNOWN,
    HandNumber,
    Hole,
    after_showing,
    read_cards,
    read_hole,
)
from railbird.histories.verify import (
    MOST_ROUNDED,
    BettingOutcome,
    ending_of,
    exact,
    folded_all_in,
    is_rounded,
    reported_ending,
    settle_raked,
    uncalled,
    why_refused,
)
from railbird.units import Chips

# Contents of a site's text about one hand, before any check of legality.


BOARD_SIZES: Final = {"FLOP": 3, "TURN": 4, "RIVER": 5}
_CENT: Final = UNIT // 100
_BETWEEN_CARDS: Final = re.compile(r"[ ,\[\]]+")
_TEN: Final = {"10": "T"}
_SUITS: Final = {"Kreuz": "c", "Karo": "d", "Herz": "h", "Pik": "s"}
"""Names of suits in German, which some programs write out."""


def split_card(card: str) -> tuple[str, str]:
    """Return the rank of a card as it is spelt, and its suit.

    >>> split_card("10h"), split_card("QPik")
    (('10', 'h'), ('Q', 's'))
    """
    if len(card) > 3:
        for word, suit in _SUITS.items():
            if card.endswith(word):
                return card.removesuffix(word), suit
    return card[:-1], card[-1:]


class SiteVerb(Enum):
    """Kind of an action, and with it the meaning of its amount."""

    FOLD = "folds"
    CHECK = "checks"
    CALL = "calls"
    """Amount: the chips put in now; None if the text gives none."""
    RAISE_TO = "raises to"
    """Amount: the total of the street. A bet is a raise from zero."""
    RAISE_BY = "raises by"
    """Amount: the difference to the bet that must be called."""
    RAISE_PAYING = "raises with"
    """Amount: the chips put in now."""
    ALL_IN = "is all-in with"
    """Amount: the chips put in now, in a call, a bet or a raise."""


class PostKind(Enum):
    """Kind of a post; the values are the words of `railbird.histories.pokerstars_lines`."""

    ANTE = "the ante"
    SMALL_BLIND = "small blind"
    BIG_BLIND = "big blind"
    BOTH_BLINDS = "small & big blinds"
    """Both blinds in one post, of which the part above a big blind is dead."""
    DEAD_BLIND = "dead blind"
    EXTRA_BLIND = "extra blind"
    """Live blind out of position."""
    STRADDLE = "straddle"


class TextAction(NamedTuple):
    """Action of a player; without a name, the deal of a street."""

    name: str
    verb: SiteVerb
    amount: int | None = None
    by: int | None = None
    """Amount of a raise besides its total, if the text states both."""


STREET_DEALT: Final = TextAction("", SiteVerb.CHECK)


class TextPost(NamedTuple):
    """Post of a player."""

    name: str
    kind: PostKind
    amount: int
    all_in: bool = False


@dataclass(slots=True)
class SitePlayer:
    """Player at the table. Amounts here and below are in units of `money.UNIT`."""

    number: int
    """Seat number of the table."""
    stack: int
    hole: Hole = UNKNOWN
    dealt_in: bool = False
    """True if a post, an action or cards show that the player was in the hand."""
    mucked: bool = False
    """True if the cards were mucked at showdown, so that they may win no pot."""
    away: bool = False
    """True if the player leaves after posting, and so folds when it is his turn."""
    won: int = 0
    returned: int = 0
    """Uncalled bet, if the text states it."""
    said_to_win: int | None = None
    """Amount won according to a summary."""
    said_result: int | None = None
    """What the hand brought or cost according to the text."""


@dataclass(slots=True)
class SiteHand:
    """One hand as its text describes it."""

    number: HandNumber
    betting: Betting
    currency: str = ""
    """Sign of the money; empty for chips that are not money."""
    stakes: tuple[int, int] | None = None
    """Blinds, or in limit the small and the big bet; None if the text does not state them."""
    cap: int | None = None
    """Most that a player can lose in the hand."""
    tournament: bool = False
    """True if no rake can be taken from a pot."""
    play_money: bool = False
    table: str = ""
    played_at: datetime | None = None
    scale: int | None = None
    """Chips per coin, or more if the amounts need it; None for cents, or tournament chips."""
    dot_groups: bool = False
    """True if amounts are written as 2.000,50."""
    ranks: Mapping[str, str] = field(default_factory=lambda: _TEN)
    """Ranks by the site's spelling, where it differs."""
    button: int = 0
    players: dict[str, SitePlayer] = field(default_factory=dict)
    posts: list[TextPost] = field(default_factory=list)
    actions: list[TextAction] = field(default_factory=list)
    board: tuple[Card, ...] = ()
    rake: int | None = None
    """Rake; None if the text does not state it."""
    fees: int = 1
    """Number of amounts whose sum it is."""
    total: int | None = None
    """Pot; None if the text does not state it, or rounds it."""
    holes_dealt: bool = False
    in_summary: bool = False

    def amount(self, text: str) -> int:
        """Parse an amount in the hand's notation. Raises `BadHand`."""
        return read_amount(text, dot_groups=self.dot_groups)

    def cards(self, text: str) -> str:
        """Return cards as two characters each: ``Th9c`` for ``[ 10h, 9c ]``."""
        cards = [card for card in _BETWEEN_CARDS.split(text) if card]
        parts = map(split_card, cards)
        return "".join([self.ranks.get(rank, rank) + suit for rank, suit in parts])

    def for_play_money(self) -> None:
        """Take that the chips are not money, whatever sign they have."""
        self.play_money = True
        self.currency = ""

    def player(self, name: str) -> SitePlayer:
        """Return a player by name. Raises `BadHand` for somebody who has no seat."""
        seat = self.players.get(name)
        if seat is None:
            raise BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} plays without a seat and a stack")
        return seat

    def take_seat(self, name: str, number: int, stack: int) -> None:
        """Add a player. Raises `BadHand` if the name or the seat is taken."""
        if name in self.players or any(p.number == number for p in self.players.values()):
            raise BadHand(SkipReason.SAME_NAME, f"seat {number} or {name[:40]!r} twice")
        self.players[name] = SitePlayer(number, stack)

    def post(self, name: str, kind: PostKind, amount: int, *, all_in: bool = False) -> None:
        """Add a post, unless it is of zero."""
        if amount:
            self.player(name).dealt_in = True
            if any(post.name == name and post.kind is kind for post in self.posts):
                raise BadHand(SkipReason.UNREADABLE, f"{name[:40]} posts {kind.value} twice")
            self.posts.append(TextPost(name, kind, amount, all_in))

    def act(
        self, name: str, verb: SiteVerb, amount: int | None = None, by: int | None = None
    ) -> None:
        """Add an action."""
        self.player(name).dealt_in = True
        self.actions.append(TextAction(name, verb, amount, by))

    def deal(self, cards: str, size: int) -> None:
        """Deal a street: its cards, or the whole board of ``size`` cards. Raises `BadHand`.

        Cards are two characters each. A street that is dealt twice means a board run twice.
        """
        seen = len(self.board)
        if size <= seen:
            raise BadHand(SkipReason.ANOTHER_GAME, RUN_TWICE)
        dealt = read_cards(cards, len(cards) // 2)
        full_board = dealt if len(dealt) == size else (*self.board, *dealt)
        if len(full_board) != size or set(full_board[:seen]) != set(self.board):
            raise BadHand(SkipReason.WRONG_BOARD, f"{cards[:40]!r} does not continue the board")
        self.board = (*self.board, *[card for card in full_board if card not in self.board])
        if len(self.board) != size:
            raise BadHand(SkipReason.DUPLICATE_CARD, f"{cards[:40]!r} with a card of the board")
        self.actions.append(STREET_DEALT)

    def show(self, name: str, cards: str, *, mucked: bool = False) -> None:
        """Take a player's two cards. Raises `BadHand` for other cards than before."""
        player = self.player(name)
        player.dealt_in = True
        player.mucked |= mucked
        player.hole = after_showing(player.hole, read_hole(cards), f"seat {player.number}")


# Comparison of winnings in a site's text with the rules.


@dataclass(frozen=True, slots=True)
class SeatedHand:
    """Players of a hand by seat, from the left of the button on, and their chips."""

    hand: SiteHand
    names: tuple[str, ...]
    players: tuple[SitePlayer, ...]
    scale: int

    def chips(self, amount: int) -> Chips:
        """Return the chips of an amount."""
        return Chips(amount * self.scale // UNIT)


def payoffs_of(
    seated: SeatedHand, ending: BettingOutcome, conventions: Conventions, unused: Sequence[Chips]
) -> tuple[Fraction, ...]:
    """Return the payoffs after comparing all that the text states of them. Raises `BadHand`.

    ``unused`` are chips by seat that were put in although nobody was left to call them.
    """
    won = [seated.chips(player.won + player.returned) for player in seated.players]
    if not any(won):
        raise BadHand(SkipReason.CUT, "nobody wins")
    for player in seated.players:
        _compare(seated, player)
    logged = list(map(sub, map(sub, won, ending.state.spent), unused))
    if any(player.returned for player in seated.players):
        return _settled(seated, ending, logged)
    without = list(map(add, map(add, logged, uncalled(ending.state)), unused))
    ways = [logged, without] if without != logged else [logged]
    if conventions.uncalled is Uncalled.EXCLUDED:
        ways.reverse()
    refusals = list[BadHand]()
    for way in ways:
        try:
            return _settled(seated, ending, way)
        except BadHand as error:
            refusals.append(error)
    raise refusals[0]


def _as_said(seated: SeatedHand, paid: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    """Return payoffs after comparing them with the results in the text. Raises `BadHand`.

    In tournaments programs may round each to whole chips.
    """
    most = UNIT if seated.hand.tournament else 0
    for player, chips in zip(seated.players, paid, strict=True):
        said = player.said_result
        if said is not None and abs(chips * UNIT / seated.scale - said) > most:
            raise BadHand(
                SkipReason.WRONG_PAYOFF,
                f"seat {player.number} gets {chips}, by the text {seated.chips(said)}",
            )
    return paid


def _compare(seated: SeatedHand, player: SitePlayer) -> None:
    """Compare a player's winnings with the summary. Raises `BadHand`."""
    said = player.said_to_win
    if said is not None and said not in (player.won, player.won + player.returned):
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"seat {player.number} wins {seated.chips(player.won)}, in the summary"
            f" {seated.chips(said)}",
        )


def _settled(
    seated: SeatedHand, ending: BettingOutcome, logged: Sequence[int]
) -> tuple[Fraction, ...]:
    """Compare payoffs with the stated rake and pot, and with the engine's payoffs."""
    hand = seated.hand
    if hand.tournament and (rounded_payoffs := _in_whole_chips(seated, ending, logged)):
        return rounded_payoffs
    rake = -sum(logged)
    pot = sum(ending.state.spent)
    # Each of several fees is rounded: a cent more or less is theirs, and what was won is right.
    rounding = _CENT if hand.fees > 1 else 0
    if hand.rake is not None and abs(rake - seated.chips(hand.rake)) > seated.chips(rounding):
        raise BadHand(
            SkipReason.WRONG_PAYOFF, f"a rake of {seated.chips(hand.rake)}, but {rake} is missing"
        )
    if hand.rake is None and hand.tournament and rake:
        raise BadHand(SkipReason.WRONG_PAYOFF, f"{rake} of {pot} is missing")
    won = sum(player.won for player in seated.players)
    off = [abs(hand.total - won - fees) for fees in (0, hand.rake or 0) if hand.total is not None]
    if off and min(off) > (MOST_ROUNDED * UNIT if hand.tournament else rounding):
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"a pot of {seated.chips(hand.total or 0)}, {seated.chips(won)} of it are won",
        )
    try:
        return settle_raked(ending, logged)
    except BadHand:
        if rake == 0 and is_rounded(ending, logged):
            return exact(logged)
        raise


def _in_whole_chips(
    seated: SeatedHand, ending: BettingOutcome, logged: Sequence[int]
) -> tuple[Fraction, ...] | None:
    """Return the payoffs of a tournament's hand whose text rounds them, alone, to whole chips.

    Bets and stacks may be of half chips; what is collected is then within half a chip of what the
    rules pay, for each pot. Of whole chips a text may lose one where a pot is divided, two in all.
    None if anything else is written.
    """
    if any(player.won % UNIT for player in seated.players):
        return None
    if seated.scale == 1 and not 0 < abs(sum(logged)) <= MOST_ROUNDED:
        return None
    most = Fraction(seated.scale, 2) if seated.scale > 1 else 1
    return exact(payoffs(ending.state)) if is_rounded(ending, logged, most) else None


# Rules of a site's table, from the posts and the stated stakes.


def rules_of(seated: SeatedHand, conventions: Conventions) -> Rules:
    """Return the rules of a hand. Raises `BadHand` or `railbird.errors.BadInput`."""
    hand = seated.hand
    stakes = _stakes(seated, conventions)
    small, big = stakes
    limit = hand.betting is Betting.LIMIT
    blinds = (Chips(small // 2), small) if limit else (small, big)
    posts = Posts.none(len(seated.names))
    left = {name: player.stack for name, player in hand.players.items()}
    for post in _posts_in_order(hand, conventions):
        left[post.name] -= post.amount
        if left[post.name] < 0 or (post.all_in and left[post.name] > 0):
            raise BadHand(
                SkipReason.ILLEGAL_ACTION, f"{post.name[:40]} posts another amount than all"
            )
        posts = posts.add(
            seated.names.index(post.name),
            post.kind.value if post.kind is not PostKind.EXTRA_BLIND else PostKind.BIG_BLIND.value,
            seated.chips(post.amount),
            all_in=post.all_in or left[post.name] <= 0,
            full=blinds,
        )
    cap = hand.cap
    stacks = [player.stack if cap is None else min(player.stack, cap) for player in seated.players]
    posts = posts.with_big_blind(blinds[1])
    return site_rules(hand.betting, stakes, posts, stacks=tuple(map(seated.chips, stacks)))


def _stakes(seated: SeatedHand, conventions: Conventions) -> tuple[Chips, Chips]:
    """Return the bets of a limit game, otherwise the blinds.

    Where the stated stakes could be either, the big blind posted decides.
    """
    hand = seated.hand
    small, big = hand.stakes or (0, 0)
    check_stakes(small, big, f"{seated.chips(small)}/{seated.chips(big)}")
    if hand.rake is None and not hand.tournament and hand.betting is not Betting.LIMIT:
        _check_blinds(seated)
    posted = _posted_blind(hand)
    if not posted and not big:
        posted = _first_call(hand) or small
    if hand.betting is Betting.LIMIT:
        if posted not in (small, big):
            posted = posted or (big if conventions.limit_stakes_are_blinds else small)
            small, big = posted, 2 * posted
        elif posted == big:
            small, big = big, 2 * big
    elif posted and posted != big:
        smalls = [post.amount for post in hand.posts if post.kind is PostKind.SMALL_BLIND]
        small, big = (smalls or [posted // 2])[0], posted
    if big == 0:
        raise BadHand(SkipReason.UNREADABLE, "neither stakes nor a big blind")
    return seated.chips(small), seated.chips(big)


def _check_blinds(seated: SeatedHand) -> None:
    """Refuse blinds other than the stated ones, where no rake tells which are right."""
    hand = seated.hand
    small, big = hand.stakes or (0, 0)
    stated = {PostKind.SMALL_BLIND: small, PostKind.BIG_BLIND: big}
    for place, post in enumerate(hand.posts, 1):
        blind = stated.pop(post.kind, 0)  # of a second one of a kind nothing is known
        if not blind or post.amount == blind or post.all_in:
            continue
        posted = sum(so_far.amount for so_far in hand.posts[:place] if so_far.name == post.name)
        if posted < hand.players[post.name].stack:
            amounts = f"{seated.chips(post.amount)}, by the stakes {seated.chips(blind)}"
            raise BadHand(SkipReason.ILLEGAL_ACTION, f"a {post.kind.value} of {amounts}")


def _posted_blind(hand: SiteHand) -> int:
    """Return the big blind posted by a player with more chips than that; 0 if there is none."""
    left = {name: player.stack for name, player in hand.players.items()}
    for post in hand.posts:
        left[post.name] -= post.amount
        if post.kind is PostKind.BIG_BLIND:
            return 0 if left[post.name] <= 0 or post.all_in else post.amount
    return 0


def _first_call(hand: SiteHand) -> int:
    """Return what a player without a post calls before any raise, a big blind; 0 for none."""
    posted = {post.name for post in hand.posts if post.kind is not PostKind.ANTE}
    played = [action for action in hand.actions if action.verb is not SiteVerb.FOLD]
    first = played[0] if played else None
    called = first is not None and first.verb is SiteVerb.CALL and first.name not in posted
    return first.amount or 0 if called and first is not None else 0


def _posts_in_order(hand: SiteHand, conventions: Conventions) -> list[TextPost]:
    """Return the posts, those of the blinds before those of late entrants."""
    posts = list[TextPost]()
    late = list[TextPost]()
    first = dict[PostKind, int]()
    for post in hand.posts:
        kind = post.kind
        if kind in first:
            kind = _late_kind(post, first[kind], conventions)
        elif kind in (PostKind.SMALL_BLIND, PostKind.BIG_BLIND):
            first[kind] = post.amount
        is_late = kind in (PostKind.EXTRA_BLIND, PostKind.BOTH_BLINDS, PostKind.DEAD_BLIND)
        (late if is_late else posts).append(post._replace(kind=kind))
    return posts + late


def _late_kind(post: TextPost, blind: int, conventions: Conventions) -> PostKind:
    """Return the kind of a blind that another player has posted already, in that amount."""
    if post.kind is PostKind.BIG_BLIND:
        return PostKind.BOTH_BLINDS if post.amount > blind else PostKind.EXTRA_BLIND
    live = conventions.late_small_blind is LateSmallBlind.LIVE
    return PostKind.EXTRA_BLIND if live else PostKind.DEAD_BLIND


# The replay.


def record_of(
    hand: SiteHand, conventions: Conventions, options: ReadOptions, line: int
) -> HandRecord:
    """Return the record of a hand that was legally played. Raises `BadHand`.

    Impossible posts and stacks raise `railbird.errors.BadInput`.
    """
    seated = _seated(hand)
    try:
        return _verified(seated, conventions, options, line)
    except BadHand:
        absent = folded_all_in(
            {name: player.stack for name, player in hand.players.items()},
            ((post.name, post.amount) for post in hand.posts),
            (action.name for action in hand.actions if action.verb is SiteVerb.FOLD),
        )
        if not absent:
            raise
        for name in absent:
            hand.players[name].stack += UNIT // seated.scale
        hand.posts = [
            post._replace(all_in=post.all_in and post.name not in absent) for post in hand.posts
        ]
        return _verified(seated, conventions, options, line)


def _verified(
    seated: SeatedHand, conventions: Conventions, options: ReadOptions, line: int
) -> HandRecord:
    rules = options.rules or rules_of(seated, conventions)
    if rules.seats != len(seated.names):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(seated.names)} players in a game of {rules.seats} seats"
        )
    try:
        return _record(seated, rules, conventions, options, line)
    except BadHand as error:
        mucked = [player for player in seated.players if player.mucked and not player.won]
        if error.reason is not SkipReason.WRONG_PAYOFF or not mucked:
            raise why_refused(error, rules) from None
        for player in mucked:  # cards thrown away that were better are as good as unknown
            player.hole = UNKNOWN
        return _record(seated, rules, conventions, options, line)


def _record(
    seated: SeatedHand, rules: Rules, conventions: Conventions, options: ReadOptions, line: int
) -> HandRecord:
    hand = seated.hand
    holes = tuple([player.hole.holding for player in seated.players])
    unused = [Chips(0)] * rules.seats
    try:
        ending = reported_ending(rules, _report(seated), holes, hand.board, seated.names)
    except BadHand as error:
        if error.reason is not SkipReason.ILLEGAL_ACTION:
            raise
        actions = _actions(rules, seated, unused)
        ending = ending_of(rules, actions, holes, hand.board)
    return HandRecord(
        rules=rules,
        players=renamed(seated.names, options.rename),
        holes=holes,
        board=hand.board,
        actions=ending.actions,
        payoffs=_as_said(seated, payoffs_of(seated, ending, conventions, unused)),
        number=hand.number.whole,
        number_text=hand.number.text,
        table=hand.table,
        played_at=hand.played_at,
        denomination=Fraction(1, seated.scale),
        currency=hand.currency,
        tournament=hand.tournament,
        play_money=hand.play_money,
        low_first=sum([player.hole.low_first << n for n, player in enumerate(seated.players)]),
        source=Source(options.file, line),
    )


def _seated(hand: SiteHand) -> SeatedHand:
    dealt_in = [name for name, player in hand.players.items() if player.dealt_in]
    if len(dealt_in) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(dealt_in)} players")
    if hand.button == 0:
        raise BadHand(SkipReason.UNREADABLE, "no line names the button")
    places = {name: hand.players[name].number for name in dealt_in}
    names = tuple(sorted(dealt_in, key=lambda name: (places[name] <= hand.button, places[name])))
    players = tuple([hand.players[name] for name in names])
    return SeatedHand(hand, names, players, _scale(hand, players))


def _scale(hand: SiteHand, players: Sequence[SitePlayer]) -> int:
    amounts = [amount for player in players for amount in (player.stack, player.won)]
    amounts += [post.amount for post in hand.posts]
    amounts += [action.amount for action in hand.actions if action.amount is not None]
    amounts += [*(hand.stakes or ()), hand.cap or 0, hand.rake or 0]
    cents = hand.currency or any(stake % UNIT for stake in hand.stakes or ())
    return scale_for(amounts, hand.scale or (100 if cents else 1))


def _report(seated: SeatedHand) -> list[int]:
    """Return a hand's actions in the encoding of `railbird.game.reported`."""
    seat_of = {name: seat for seat, name in enumerate(seated.names)}
    report = list[int]()
    for name, verb, amount, by in seated.hand.actions:
        if not name:
            report += NEXT_STREET
            continue
        seat = seat_of[name]
        chips = NOT_STATED if amount is None else seated.chips(amount)
        match verb:
            case SiteVerb.FOLD:
                report += (seat, FOLD, NOT_STATED, NOT_STATED)
            case SiteVerb.CHECK:
                report += (seat, CALL, 0, NOT_STATED)
            case SiteVerb.CALL:
                report += (seat, CALL, chips, NOT_STATED)
            case SiteVerb.RAISE_TO:
                report += (seat, RAISE, NOT_STATED if by is None else seated.chips(by), chips)
            case SiteVerb.RAISE_BY:
                report += (seat, RAISE, chips, NOT_STATED)
            case _:
                report += (seat, PUT_IN, chips, NOT_STATED)
    return report


def _actions(rules: Rules, seated: SeatedHand, unused: list[Chips]) -> tuple[Action, ...]:
    """Return the actions of a hand that cannot be replayed exactly as reported.

    Absent players fold when it is their turn, and a raise that nobody is left to call is a call;
    the excess is added to ``unused``, by seat. Raises `BadHand`.
    """
    walk = BettingReplay(rules)
    for action in seated.hand.actions:
        _do(walk, action, seated, unused)
    return walk.actions


def _do(walk: BettingReplay, action: TextAction, seated: SeatedHand, unused: list[Chips]) -> None:
    """Apply an action of the text to the engine. Raises `BadHand`."""
    if not action.name:
        walk.deal()
        return
    while walk.state.actor is not None and seated.players[walk.state.actor].away:
        walk.act(Fold())
    state = walk.state
    if state.actor is None or seated.names[state.actor] != action.name:
        raise _illegal(action, "out of turn")
    amount = None if action.amount is None else seated.chips(action.amount)
    if action.verb is SiteVerb.FOLD:
        walk.act(Fold())
        return
    to = _total(action, amount, state, seated)
    if to > state.bet and not _others_are_all_in(state):
        excess = _over_a_short_bet(state, to)
        unused[state.actor] = Chips(unused[state.actor] + excess)
        walk.act(Raise(Chips(to - excess)))
        return
    if to > state.bet and amount is not None:
        unused[state.actor] = Chips(to - state.street_bets[state.actor] - state.to_call)
        walk.act(Call())
        return
    due, may_pay = state.to_call, action.verb in (SiteVerb.CALL, SiteVerb.ALL_IN)
    if amount is not None and amount == state.bet - state.street_bets[state.actor] > due:
        # A blind is completed over a short one, alone against it.
        unused[state.actor] = Chips(amount - due)
        amount = due
    if amount not in (None, due) or (due and not may_pay):
        raise _illegal(action, f"{amount or 0} where {due} is due")
    walk.act(Call())


def _over_a_short_bet(state: HandState, to: Chips) -> int:
    """Return what a limit raise goes beyond the engine's where an all-in of half a bet is short.

    Some sites complete such a bet and raise that. The excess is given back if nobody calls; a call
    of it does not fit the engine's amounts, and refuses the hand.
    """
    size, legal = state.rules.bet_sizes[state.street], state.min_raise_to
    if state.rules.betting is not Betting.LIMIT or legal is None or state.bet % size == 0:
        return 0
    short = size - state.bet % size
    return short if 2 * short <= size and to == legal + short else 0


def _total(action: TextAction, amount: Chips | None, state: HandState, seated: SeatedHand) -> Chips:
    """Return the total of the street that an action leads to. Raises `BadHand`."""
    if action.verb in (SiteVerb.CHECK, SiteVerb.CALL):
        return state.bet
    if amount is None:
        raise _illegal(action, "without an amount")
    if action.by is not None and seated.chips(action.by) not in _raised_by(state, amount):
        raise _illegal(action, f"by another amount to {amount}")
    return Chips(amount + _base(action.verb, state))


def _raised_by(state: HandState, to: Chips) -> tuple[int, ...]:
    """Return what a text may call the difference of a raise."""
    return to - state.bet, to - state.street_bets[state.actor or 0], to


def _others_are_all_in(state: HandState) -> bool:
    stacks = state.stacks
    return stacks is not None and not any(
        stacks[seat] for seat in state.in_hand if seat != state.actor
    )


def _base(verb: SiteVerb, state: HandState) -> Chips:
    """Return the difference between the total of the street and an action's amount."""
    match verb:
        case SiteVerb.RAISE_TO:
            return Chips(0)
        case SiteVerb.RAISE_BY:
            return state.bet
        case _:
            return state.street_bets[state.actor or 0]


def _illegal(action: TextAction, why: str) -> BadHand:
    return BadHand(SkipReason.ILLEGAL_ACTION, f"{action.name[:40]} {action.verb.value} {why}")
