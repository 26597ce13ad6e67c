"""Ring games as data: stacks that go from hand to hand, re-buys, players who leave."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Self

import numpy as np

from railbird._arguments import checked
from railbird.arena.fault_policy import DEFAULT_FAULTS, FaultPolicy, FaultTally
from railbird.arena.names import PlayerLike, as_players, check_entrants, names_of
from railbird.arena.seeds import Purpose, generator
from railbird.arena.series.table_session import TableSession, table_rules
from railbird.arena.settings import SESSION
from railbird.errors import BadInput
from railbird.game import Betting, Rake, Rules
from railbird.game.rules import SEATS
from railbird.histories import HandRecord
from railbird.tournament.seating import TableOrder, advance_button, by_seat


class TopUp(Enum):
    """Whether those who have chips left fill them up."""

    NEVER = "never"
    EACH_HAND = "each-hand"
    """To the buy-in before each hand; this is no re-buy."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuys:
    """Who may buy in again, and how often."""

    below: Fraction = Fraction(0)
    """Of the buy-in: who has less before a hand, or nothing, buys in again. At most 1."""
    most: int | None = None
    """Of one player in one session; None for any number."""

    def __str__(self) -> str:
        if self.most == 0:
            return "never"
        when = f"below={float(self.below):g}" if self.below else "always"
        return when if self.most is None else f"{when}, at most {self.most}"


ALWAYS = Rebuys()


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """A ring game in sessions, validated on construction.

    Everybody starts a session with the buy-in. Stacks then go from hand to hand and the button
    moves; a busted player who may not buy in again leaves, and the session is over after its number
    of hands or when one player is left. Sessions are independent of each other: the players are
    reset, and the seats are drawn anew. So their results are what an interval can be made of, as
    hands are not: a stack won in one hand is played for in the next.

    Raises `BadInput` for anything that cannot be played.
    """

    players: tuple[PlayerLike, ...]
    """Specs, or names and specs, in the order in which the results name them."""
    hands: int
    """In all sessions; fewer are played where a session ends with one player."""
    seed: int
    buy_in: int
    """Chips of everyone at the start, and after a re-buy."""
    blinds: tuple[int, int] = (1, 2)
    ante: int = 0
    """Of every player."""
    betting: Betting = Betting.NO_LIMIT
    bets: tuple[int, int] | None = None
    """The smallest and the largest one, in spread limit and nowhere else."""
    rake: Rake | None = None
    """What the house takes of each hand."""
    rebuys: Rebuys = ALWAYS
    top_up: TopUp = TopUp.NEVER
    session: int = SESSION
    """Hands."""
    faults: FaultPolicy = DEFAULT_FAULTS

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", as_players(self.players))
        if len(self.players) not in SEATS:
            words = f"{len(self.players)} players"
            raise BadInput(f"{words}; allowed: {SEATS.start} to {SEATS.stop - 1}")
        if self.hands < 1 or self.session < 1:
            words = f"{self.hands} hands in sessions of {self.session}"
            raise BadInput(f"{words}; allowed: 1 or more")
        small, big = self.blinds
        if not 0 < small <= big or self.ante < 0:
            words = f"blinds {small}/{big}, ante {self.ante}"
            raise BadInput(f"{words}; allowed: a small blind from 1, a big one not below it")
        if self.betting is Betting.SPREAD_LIMIT and self.bets is None:
            raise BadInput("spread limit without bets; allowed: the smallest and the largest one")
        if self.betting is not Betting.SPREAD_LIMIT and self.bets is not None:
            raise BadInput(f"bets of {self.bets} in {self.betting.value}; allowed: in spread limit")
        self.rules((self.buy_in,) * len(self.players))  # refuses what no table can play
        if self.buy_in < big:
            raise BadInput(f"a buy-in of {self.buy_in}; allowed: {big}, the big blind, or more")
        if not 0 <= self.rebuys.below <= 1 or (self.rebuys.most or 0) < 0:
            raise BadInput(f"re-buys {self.rebuys}; allowed: below 0 to 1 of the buy-in")
        if self.seed < 0:
            raise BadInput(f"seed {self.seed}; allowed: 0 or more")
        check_entrants(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names (`names_of`)."""
        return names_of(self.players)

    @property
    def sessions(self) -> int:
        """Number of sessions; the last may be shorter."""
        return -(-self.hands // self.session)

    def hands_of(self, session: int) -> int:
        """How many hands a session may have."""
        return min(self.session, self.hands - session * self.session)

    def rules(self, stacks: Sequence[int]) -> Rules:
        """The rules of one hand, the stacks by seat."""
        rules = table_rules(
            self.betting, blinds=self.blinds, ante=self.ante, stacks=stacks, bets=self.bets
        )
        return rules if self.rake is None else replace(rules, rake=self.rake)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session, played; amounts in chips, all by player."""

    index: int
    hands: int
    dealt: tuple[int, ...]
    """Hands until the player left."""
    won: tuple[int, ...]
    """What it had at the end less all that it had bought in for."""
    bought: tuple[int, ...]
    """What it bought in for: at the start, again, and to top up."""
    rebuys: tuple[int, ...]
    """How often it bought in again."""
    faults: tuple[FaultTally, ...]
    text: bytes = b""
    """The hands as the log has them; empty where none is kept."""

    def with_text(self, text: bytes) -> Self:
        """The same with this text."""
        return replace(self, text=text)


class RingTable:
    """The players of a ring game, who can play any of its sessions.

    Raises `BadInput` if a player cannot be made.
    """

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self._company = TableSession(ring.players, ring.faults)

    def play(self, index: int) -> tuple[Session, list[HandRecord]]:
        """Play one session to its end; its hands in the order of play."""
        ring = self._ring
        self._company.reset(f"{ring.seed} session {index}")
        dealer = generator(ring.seed, Purpose.RING_CARDS, index)
        table: TableOrder = tuple(_permutation(ring, index))
        purse = BuyIns(ring)
        dealt = [0 for _ in ring.players]
        hands: list[HandRecord] = []
        while len(hands) < ring.hands_of(index) and len(table) > 1:
            hands.append(self._hand(table, purse.stacks, dealer, len(hands) + 1, f"{index + 1}"))
            for player in table:
                dealt[player] += 1
            if len(hands) < ring.hands_of(index):
                for player in table:
                    purse.buy(player)
            table = advance_button(
                table, out=[player for player in table if not purse.stacks[player]]
            )
        session = Session(
            index=index,
            hands=len(hands),
            dealt=tuple(dealt),
            won=tuple(map(int.__sub__, purse.stacks, purse.bought)),
            bought=tuple(purse.bought),
            rebuys=tuple(purse.rebuys),
            faults=self._company.take_faults(),
        )
        return session, hands

    def _hand(
        self,
        table: TableOrder,
        stacks: list[int],
        dealer: np.random.Generator,
        number: int,
        name: str,
    ) -> HandRecord:
        """Play one hand; the chips in ``stacks`` change hands."""
        rules = self._ring.rules([stacks[player] for player in by_seat(table)])
        return self._company.play(table, stacks, rules, dealer, number=number, name=name)


class BuyIns:
    """Everybody's chips in a session, and where they came from; all by player."""

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self.stacks = [ring.buy_in for _ in ring.players]
        self.bought = self.stacks.copy()
        self.rebuys = [0 for _ in ring.players]

    def buy(self, player: int) -> None:
        """Bring a player's stack to the buy-in before a hand, if the rules of the game say so."""
        ring, stack = self._ring, self.stacks[player]
        if stack >= ring.buy_in:
            return
        if stack and ring.top_up is TopUp.EACH_HAND:
            pass
        elif self._may_rebuy(player) and (not stack or stack < ring.rebuys.below * ring.buy_in):
            self.rebuys[player] += 1
        else:
            return
        self.bought[player] += ring.buy_in - stack
        self.stacks[player] = ring.buy_in

    def _may_rebuy(self, player: int) -> bool:
        most = self._ring.rebuys.most
        return most is None or self.rebuys[player] < most


@checked
def parse_rebuys(text: str, most: int | None = None) -> Rebuys:
    """``always``, ``never`` or ``below=F``, a part of the buy-in, at most so often.

    >>> parse_rebuys("below=0.5", 3)
    Rebuys(below=Fraction(1, 2), most=3)

    Raises `BadInput` for anything else.
    """
    if text == "always":
        return Rebuys(most=most)
    if text == "never":
        return Rebuys(most=0)
    found = re.fullmatch(r"below=(0?\.\d{1,6}|1(?:\.0*)?)", text)
    if found is None or not Fraction(found[1]):
        raise BadInput(f"re-buys {text!r}; allowed: always, never, or below=0.5 of the buy-in")
    return Rebuys(below=Fraction(found[1]), most=most)


def _permutation(ring: Ring, index: int) -> list[int]:
    seats: list[int] = (
        generator(ring.seed, Purpose.RING_SEATS, index).permutation(len(ring.players)).tolist()
    )
    return seats
