"""The comparison of what a site's text says with what the rules engine makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final

from railbird.game import Betting, Call, Fold, HandState, Raise, Rules, is_settled, payoffs, pots
from railbird.histories.betting import BettingReplay
from railbird.histories.format import ReadOptions
from railbird.histories.pokerstars.rules import Posts, site_rules
from railbird.histories.rake import settle_raked
from railbird.histories.record import BadHand, HandRecord, SkipReason, Source, renamed
from railbird.histories.sites.hand import Post, SiteHand, SitePlayer, TextAction, TextPost, Verb
from railbird.histories.sites.money import UNIT, scale_for
from railbird.histories.verify import Ending, ending_of
from railbird.units import Chips

_MOST_RAKE: Final = Fraction(1, 4)
"""Of the pot, where a text does not say the rake; nobody takes more."""


class Uncalled(Enum):
    """Whether the amounts that a text says are won have an uncalled bet in them."""

    INCLUDED = "included"
    EXCLUDED = "excluded"


class LateSmallBlind(Enum):
    """What a second small blind is."""

    DEAD = "dead"
    LIVE = "live"


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """How a site counts, where sites differ."""

    uncalled: Uncalled = Uncalled.INCLUDED
    """What to try first where a text has no words for an uncalled bet."""
    late_small_blind: LateSmallBlind = LateSmallBlind.DEAD
    limit_stakes_are_blinds: bool = False
    """Otherwise the stakes of a limit game are its bets."""


@dataclass(frozen=True, slots=True)
class _Table:
    """The players of a hand by seat, from the left of the button on, and their chips."""

    hand: SiteHand
    names: tuple[str, ...]
    players: tuple[SitePlayer, ...]
    scale: int

    def chips(self, amount: int) -> Chips:
        return Chips(amount * self.scale // UNIT)


def record_of(hand: SiteHand, customs: Customs, options: ReadOptions, line: int) -> HandRecord:
    """Return the hand if it can have been played as the text tells it. Raises `BadHand`.

    Posts and stacks that no table has raise `railbird.errors.BadInput`.
    """
    table = _table(hand)
    rules = options.rules or _rules(table, customs)
    if rules.seats != len(table.names):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(table.names)} players in a game of {rules.seats} seats"
        )
    walk = BettingReplay(rules)
    for action in hand.actions:
        _do(walk, action, table)
    holes = tuple([player.hole.holding for player in table.players])
    ending = ending_of(rules, walk.actions, holes, hand.board)
    return HandRecord(
        rules=rules,
        players=renamed(table.names, options.rename),
        holes=holes,
        board=hand.board,
        actions=ending.actions,
        payoffs=_payoffs(table, ending, customs),
        number=hand.number,
        table=hand.table,
        played_at=hand.played_at,
        denomination=Fraction(1, table.scale),
        currency=hand.currency,
        low_first=sum([player.hole.low_first << n for n, player in enumerate(table.players)]),
        source=Source(options.file, line),
    )


def _table(hand: SiteHand) -> _Table:
    dealt_in = [name for name, player in hand.players.items() if player.dealt_in]
    if len(dealt_in) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(dealt_in)} players")
    if hand.button == 0:
        raise BadHand(SkipReason.UNREADABLE, "no line tells the button")
    places = {name: hand.players[name].number for name in dealt_in}
    names = tuple(sorted(dealt_in, key=lambda name: (places[name] <= hand.button, places[name])))
    players = tuple([hand.players[name] for name in names])
    return _Table(hand, names, players, _scale(hand, players))


def _scale(hand: SiteHand, players: Sequence[SitePlayer]) -> int:
    amounts = [amount for player in players for amount in (player.stack, player.won)]
    amounts += [post.amount for post in hand.posts]
    amounts += [action.amount for action in hand.actions if action.amount is not None]
    amounts += [*(hand.stakes or ()), hand.cap or 0, hand.rake or 0]
    return scale_for(amounts, money=bool(hand.currency))


def _rules(table: _Table, customs: Customs) -> Rules:
    hand = table.hand
    stakes = _stakes(table, customs)
    small, big = stakes
    limit = hand.betting is Betting.LIMIT
    blinds = (Chips(small // 2), small) if limit else (small, big)
    posts = Posts.none(len(table.names))
    left = {name: player.stack for name, player in hand.players.items()}
    for post in _posts_in_order(hand, customs):
        left[post.name] -= post.amount
        posts = posts.add(
            table.names.index(post.name),
            post.kind.value if post.kind is not Post.EXTRA_BLIND else Post.BIG_BLIND.value,
            table.chips(post.amount),
            all_in=post.all_in or left[post.name] <= 0,
            full=blinds,
        )
    cap = hand.cap
    stacks = [player.stack if cap is None else min(player.stack, cap) for player in table.players]
    return site_rules(hand.betting, stakes, posts, stacks=tuple(map(table.chips, stacks)))


def _stakes(table: _Table, customs: Customs) -> tuple[Chips, Chips]:
    """Return the bets of a limit game, otherwise the blinds.

    Where both can be meant by what a text says, the big blind that was posted decides.
    """
    hand = table.hand
    small, big = hand.stakes or (0, 0)
    posted = _posted_blind(hand)
    if not posted and not big:
        posted = _first_call(hand) or small
    if hand.betting is Betting.LIMIT:
        if posted not in (small, big):
            posted = posted or (big if customs.limit_stakes_are_blinds else small)
            small, big = posted, 2 * posted
        elif posted == big:
            small, big = big, 2 * big
    elif posted and posted != big:
        smalls = [post.amount for post in hand.posts if post.kind is Post.SMALL_BLIND]
        small, big = (smalls or [posted // 2])[0], posted
    if big == 0:
        raise BadHand(SkipReason.UNREADABLE, "neither stakes nor a big blind")
    return table.chips(small), table.chips(big)


def _posted_blind(hand: SiteHand) -> int:
    """What is posted as the big blind by somebody who has more than that; 0 if nobody does."""
    left = {name: player.stack for name, player in hand.players.items()}
    for post in hand.posts:
        left[post.name] -= post.amount
        if post.kind is Post.BIG_BLIND and left[post.name] > 0 and not post.all_in:
            return post.amount
    return 0


def _first_call(hand: SiteHand) -> int:
    """What somebody who posted nothing calls before any raise, a big blind; 0 if nobody does."""
    posted = {post.name for post in hand.posts if post.kind is not Post.ANTE}
    played = [action for action in hand.actions if action.verb is not Verb.FOLD]
    first = played[0] if played else None
    called = first is not None and first.verb is Verb.CALL and first.name not in posted
    return first.amount or 0 if called and first is not None else 0


def _posts_in_order(hand: SiteHand, customs: Customs) -> list[TextPost]:
    """The posts, those of the blinds before those of who came late."""
    posts = list[TextPost]()
    late = list[TextPost]()
    first = dict[Post, int]()
    for post in hand.posts:
        kind = post.kind
        if kind in first:
            kind = _late_kind(post, first[kind], customs)
        elif kind in (Post.SMALL_BLIND, Post.BIG_BLIND):
            first[kind] = post.amount
        is_late = kind in (Post.EXTRA_BLIND, Post.BOTH_BLINDS, Post.DEAD_BLIND)
        (late if is_late else posts).append(post._replace(kind=kind))
    return posts + late


def _late_kind(post: TextPost, blind: int, customs: Customs) -> Post:
    """What a blind is that somebody else has posted already, who posted so much."""
    if post.kind is Post.BIG_BLIND:
        return Post.BOTH_BLINDS if post.amount > blind else Post.EXTRA_BLIND
    live = customs.late_small_blind is LateSmallBlind.LIVE
    return Post.EXTRA_BLIND if live else Post.DEAD_BLIND


def _do(walk: BettingReplay, action: TextAction, table: _Table) -> None:
    """Let a player do in the engine what the text tells. Raises `BadHand`."""
    if not action.name:
        walk.deal()
        return
    while walk.state.actor is not None and table.players[walk.state.actor].away:
        walk.act(Fold())
    state = walk.state
    if state.actor is None or table.names[state.actor] != action.name:
        raise _illegal(action, "out of turn")
    amount = None if action.amount is None else table.chips(action.amount)
    if action.verb is Verb.FOLD:
        walk.act(Fold())
        return
    if action.verb in (Verb.CHECK, Verb.CALL):
        to = state.bet
    elif amount is None:
        raise _illegal(action, "without an amount")
    else:
        to = Chips(amount + _base(action.verb, state))
    if to > state.bet:
        walk.act(Raise(to))
        return
    due, may_pay = state.to_call, action.verb in (Verb.CALL, Verb.ALL_IN)
    if amount not in (None, due) or (due and not may_pay):
        raise _illegal(action, f"{amount or 0} where {due} is due")
    walk.act(Call())


def _base(verb: Verb, state: HandState) -> Chips:
    """What is to be added to an amount for the total of the street."""
    match verb:
        case Verb.RAISE_TO:
            return Chips(0)
        case Verb.RAISE_BY:
            return state.bet
        case _:
            return state.street_bets[state.actor or 0]


def _illegal(action: TextAction, why: str) -> BadHand:
    return BadHand(SkipReason.ILLEGAL_ACTION, f"{action.name[:40]} {action.verb.value} {why}")


def _payoffs(table: _Table, ending: Ending, customs: Customs) -> tuple[Fraction, ...]:
    """What everyone won, after comparing all that the text says of it. Raises `BadHand`."""
    spent = ending.state.spent
    won = [table.chips(player.won + player.returned) for player in table.players]
    if not any(won):
        raise BadHand(SkipReason.CUT, "nobody wins")
    for player in table.players:
        _compare(table, player)
    logged = [Fraction(w - s) for w, s in zip(won, spent, strict=True)]
    if any(player.returned for player in table.players):
        return _settled(table, ending, logged)
    back = _uncalled(ending)
    without = [Fraction(amount + extra) for amount, extra in zip(logged, back, strict=True)]
    ways = [logged, without] if any(back) else [logged]
    if customs.uncalled is Uncalled.EXCLUDED:
        ways.reverse()
    refusals = list[BadHand]()
    for way in ways:
        try:
            return _settled(table, ending, way)
        except BadHand as error:
            refusals.append(error)
    raise refusals[0]


def _compare(table: _Table, player: SitePlayer) -> None:
    """Compare what a player wins with the summary. Raises `BadHand`."""
    said = player.said_to_win
    if said is not None and said not in (player.won, player.won + player.returned):
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"seat {player.number} wins {table.chips(player.won)}, in the summary"
            f" {table.chips(said)}",
        )


def _uncalled(ending: Ending) -> list[int]:
    """The part of the last bet, or of an ante that is all-in, that nobody called, by seat."""
    state, rules = ending.state, ending.state.rules
    antes = rules.antes or (Chips(0),) * rules.seats
    stacks = rules.stacks or state.spent
    claims = [
        spent if stack < ante else max(antes) + spent - ante
        for spent, ante, stack in zip(state.spent, antes, stacks, strict=True)
    ]
    called = sorted(claims)[-2]
    return [max(0, claim - called) for claim in claims]


def _settled(table: _Table, ending: Ending, logged: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Compare payoffs with the rake and the pot that the text says, and with the engine's."""
    hand = table.hand
    rake = -sum(logged, Fraction(0))
    pot = sum(ending.state.spent)
    if hand.rake is not None and rake != table.chips(hand.rake):
        raise BadHand(
            SkipReason.WRONG_PAYOFF, f"a rake of {table.chips(hand.rake)}, but {rake} is missing"
        )
    if hand.rake is None and (rake > _MOST_RAKE * pot + 1 or (hand.tournament and rake)):
        raise BadHand(SkipReason.WRONG_PAYOFF, f"{rake} of {pot} is missing")
    won = sum(player.won for player in table.players)
    if hand.total not in (None, won, won + (hand.rake or 0)):
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"a pot of {table.chips(hand.total or 0)}, {table.chips(won)} of it are won",
        )
    try:
        return settle_raked(ending, tuple(logged))
    except BadHand:
        if rake == 0 and _is_rounded(ending, logged):
            return tuple(logged)
        raise


def _is_rounded(ending: Ending, logged: Sequence[Fraction]) -> bool:
    """Whether the log differs from the rules in who got the odd chips, one for each pot."""
    state = ending.state
    if not is_settled(state):
        return False
    most = len(pots(state))
    return all(
        got == due if -spent in (got, due) else abs(got - due) <= most
        for got, due, spent in zip(logged, payoffs(state), state.spent, strict=True)
    )
