"""Rules of a PokerStars table, inferred from the posts."""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import Final, NamedTuple

from railbird.game import LIMIT_RAISES, Betting, OpenFold, Rules, UncallableRaise
from railbird.histories.record import BadHand, SkipReason
from railbird.units import Chips, Seat

_KEPT: Final = 1 << 12


class Posts(NamedTuple):
    """Posts by seat; counted in full where a stack was too short for them."""

    live: tuple[Chips, ...]
    dead: tuple[Chips, ...]
    small: int | None = None
    last: int | None = None
    """Seat after which the betting begins: the big blind, or the last straddle."""
    short_antes: tuple[int, ...] = ()
    """Seats that the ante put all-in."""

    @classmethod
    def none(cls, seats: int) -> Posts:
        """Return empty posts."""
        return cls((Chips(0),) * seats, (Chips(0),) * seats)

    def add(
        self, seat: int, what: str, amount: Chips, *, all_in: bool, full: tuple[Chips, Chips]
    ) -> Posts:
        """Return the posts with one more; ``full`` are the blinds. Raises `BadHand`.

        A second small blind, and the small part of "small & big blinds", come from a player who
        missed a blind: they go into the pot dead.
        """
        small, big = full
        live, dead, first, last, short = self
        match what:
            case "the ante":
                short = (*short, seat) if all_in else short
                return Posts(live, _plus(dead, seat, amount), first, last, short)
            case "small blind" if first is None:
                live = _with(live, seat, small if all_in else amount)
                return Posts(live, dead, seat, last, short)
            case "big blind":
                live = _with(live, seat, big if all_in else amount)
                return Posts(live, dead, first, seat if last is None else last, short)
            case "small blind" | "dead blind":
                return Posts(live, _plus(dead, seat, amount), first, last, short)
            case "small & big blinds":
                live = _with(live, seat, min(big, amount))
                dead = _plus(dead, seat, Chips(max(amount - big, 0)))
                return Posts(live, dead, first, last, short)
            case "straddle":
                return Posts(_with(live, seat, amount), dead, first, seat, short)
            case _:
                raise BadHand(SkipReason.UNREADABLE, f"posts {what[:40]!r}")

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


class Posted(NamedTuple):
    """A blind or an ante as the text has it."""

    seat: int
    what: str
    amount: Chips
    all_in: bool


@lru_cache(_KEPT)
def posts_of(seats: int, posted: tuple[Posted, ...], full: tuple[Chips, Chips]) -> Posts:
    """Add up a hand's posts; ``full`` are the blinds. Raises `BadHand`."""
    posts = Posts.none(seats)
    for seat, what, amount, all_in in posted:
        posts = posts.add(seat, what, amount, all_in=all_in, full=full)
    return posts.with_big_blind(full[1])


def _with(amounts: tuple[Chips, ...], seat: int, amount: Chips) -> tuple[Chips, ...]:
    return (*amounts[:seat], amount, *amounts[seat + 1 :])


def _plus(amounts: tuple[Chips, ...], seat: int, amount: Chips) -> tuple[Chips, ...]:
    return _with(amounts, seat, Chips(amounts[seat] + amount))


@lru_cache(_KEPT)
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
