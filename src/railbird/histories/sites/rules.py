"""Rules of a site's table, from the posts and the stated stakes."""

from __future__ import annotations

from railbird.game import Betting, Rules
from railbird.histories.pokerstars.rules import Posts, site_rules
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.conventions import Conventions, LateSmallBlind
from railbird.histories.sites.hand import Post, SiteHand, TextPost, Verb
from railbird.histories.sites.payoffs import SeatedHand
from railbird.units import Chips


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
        posts = posts.add(
            seated.names.index(post.name),
            post.kind.value if post.kind is not Post.EXTRA_BLIND else Post.BIG_BLIND.value,
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
        smalls = [post.amount for post in hand.posts if post.kind is Post.SMALL_BLIND]
        small, big = (smalls or [posted // 2])[0], posted
    if big == 0:
        raise BadHand(SkipReason.UNREADABLE, "neither stakes nor a big blind")
    return seated.chips(small), seated.chips(big)


def _posted_blind(hand: SiteHand) -> int:
    """Return the big blind posted by a player with more chips than that; 0 if there is none."""
    left = {name: player.stack for name, player in hand.players.items()}
    for post in hand.posts:
        left[post.name] -= post.amount
        if post.kind is Post.BIG_BLIND:
            return 0 if left[post.name] <= 0 or post.all_in else post.amount
    return 0


def _first_call(hand: SiteHand) -> int:
    """Return what a player without a post calls before any raise, a big blind; 0 for none."""
    posted = {post.name for post in hand.posts if post.kind is not Post.ANTE}
    played = [action for action in hand.actions if action.verb is not Verb.FOLD]
    first = played[0] if played else None
    called = first is not None and first.verb is Verb.CALL and first.name not in posted
    return first.amount or 0 if called and first is not None else 0


def _posts_in_order(hand: SiteHand, conventions: Conventions) -> list[TextPost]:
    """Return the posts, those of the blinds before those of late entrants."""
    posts = list[TextPost]()
    late = list[TextPost]()
    first = dict[Post, int]()
    for post in hand.posts:
        kind = post.kind
        if kind in first:
            kind = _late_kind(post, first[kind], conventions)
        elif kind in (Post.SMALL_BLIND, Post.BIG_BLIND):
            first[kind] = post.amount
        is_late = kind in (Post.EXTRA_BLIND, Post.BOTH_BLINDS, Post.DEAD_BLIND)
        (late if is_late else posts).append(post._replace(kind=kind))
    return posts + late


def _late_kind(post: TextPost, blind: int, conventions: Conventions) -> Post:
    """Return the kind of a blind that another player has posted already, in that amount."""
    if post.kind is Post.BIG_BLIND:
        return Post.BOTH_BLINDS if post.amount > blind else Post.EXTRA_BLIND
    live = conventions.late_small_blind is LateSmallBlind.LIVE
    return Post.EXTRA_BLIND if live else Post.DEAD_BLIND
