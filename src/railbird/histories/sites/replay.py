"""The comparison of what a site's text says with what the rules engine makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from railbird.game import Betting, Call, Fold, HandState, Raise, Rules
from railbird.histories.betting import BettingReplay
from railbird.histories.format import ReadOptions
from railbird.histories.pokerstars.rules import Posts, site_rules
from railbird.histories.record import BadHand, HandRecord, SkipReason, Source, renamed
from railbird.histories.sites.customs import Customs, LateSmallBlind
from railbird.histories.sites.hand import Post, SiteHand, SitePlayer, TextAction, TextPost, Verb
from railbird.histories.sites.money import scale_for
from railbird.histories.sites.payoffs import Table, payoffs_of
from railbird.histories.verify import ending_of
from railbird.units import Chips


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
    unused = [Chips(0)] * rules.seats
    for action in hand.actions:
        _do(walk, action, table, unused)
    holes = tuple([player.hole.holding for player in table.players])
    ending = ending_of(rules, walk.actions, holes, hand.board)
    return HandRecord(
        rules=rules,
        players=renamed(table.names, options.rename),
        holes=holes,
        board=hand.board,
        actions=ending.actions,
        payoffs=payoffs_of(table, ending, customs, unused),
        number=hand.number,
        table=hand.table,
        played_at=hand.played_at,
        denomination=Fraction(1, table.scale),
        currency=hand.currency,
        low_first=sum([player.hole.low_first << n for n, player in enumerate(table.players)]),
        source=Source(options.file, line),
    )


def _table(hand: SiteHand) -> Table:
    dealt_in = [name for name, player in hand.players.items() if player.dealt_in]
    if len(dealt_in) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(dealt_in)} players")
    if hand.button == 0:
        raise BadHand(SkipReason.UNREADABLE, "no line tells the button")
    places = {name: hand.players[name].number for name in dealt_in}
    names = tuple(sorted(dealt_in, key=lambda name: (places[name] <= hand.button, places[name])))
    players = tuple([hand.players[name] for name in names])
    return Table(hand, names, players, _scale(hand, players))


def _scale(hand: SiteHand, players: Sequence[SitePlayer]) -> int:
    amounts = [amount for player in players for amount in (player.stack, player.won)]
    amounts += [post.amount for post in hand.posts]
    amounts += [action.amount for action in hand.actions if action.amount is not None]
    amounts += [*(hand.stakes or ()), hand.cap or 0, hand.rake or 0]
    return scale_for(amounts, money=bool(hand.currency))


def _rules(table: Table, customs: Customs) -> Rules:
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


def _stakes(table: Table, customs: Customs) -> tuple[Chips, Chips]:
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
        if post.kind is Post.BIG_BLIND:
            return 0 if left[post.name] <= 0 or post.all_in else post.amount
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


def _do(walk: BettingReplay, action: TextAction, table: Table, unused: list[Chips]) -> None:
    """Let a player do in the engine what the text tells. Raises `BadHand`.

    A raise after which nobody is left to act is a call; what it has above that goes to ``unused``.
    """
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
    if to > state.bet and not _others_are_all_in(state):
        walk.act(Raise(to))
        return
    if to > state.bet and amount is not None:
        unused[state.actor] = Chips(to - state.street_bets[state.actor] - state.to_call)
        walk.act(Call())
        return
    due, may_pay = state.to_call, action.verb in (Verb.CALL, Verb.ALL_IN)
    if amount not in (None, due) or (due and not may_pay):
        raise _illegal(action, f"{amount or 0} where {due} is due")
    walk.act(Call())


def _others_are_all_in(state: HandState) -> bool:
    stacks = state.stacks
    return stacks is not None and not any(
        stacks[seat] for seat in state.in_hand if seat != state.actor
    )


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
