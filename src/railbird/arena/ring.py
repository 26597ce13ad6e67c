"""Ring games of any game as data: stacks that carry over, re-buys, players who leave.

`tournament` is the neighbour with elimination and prizes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from railbird._arguments import checked
from railbird.arena.guarded_player import DEFAULT_FAULTS, FaultPolicy
from railbird.arena.job_log import LogEntry, LogFormat, plain
from railbird.arena.names import (
    PlayerLike,
    as_players,
    check_entrants,
    names_of,
    parse_entrant,
    specs_of,
)
from railbird.arena.seeds import Purpose, generator
from railbird.arena.series import Segment, SegmentTable, SeriesResult, TableSession, play_series
from railbird.arena.settings import SESSION
from railbird.cards import HOLDEM, Variant
from railbird.errors import BadInput
from railbird.estimates.estimate import Estimate, ResultUnit, ratio
from railbird.game import Betting, Rake, Rules, seeded_deals
from railbird.game.rules import SEATS
from railbird.histories import HandRecord
from railbird.progress import Progress
from railbird.tournament.schedule import TableOrder, advance_button, by_seat, hand_rules


class TopUp(Enum):
    """When stacks that are not empty are topped up."""

    NEVER = "never"
    EACH_HAND = "each-hand"
    """To the buy-in before each hand; this does not count as a re-buy."""


@checked
@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuys:
    """Conditions for buying in again."""

    below: Fraction = Fraction(0)
    """Fraction of the buy-in, at most 1: a player with less before a hand, or nothing, re-buys."""
    most: int | None = None
    """Maximum per player and session; None for any number."""

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

    Everybody starts a session with the buy-in. Stacks then carry over from hand to hand and the
    button moves; a busted player who may not buy in again leaves, and the session ends after its
    number of hands or when one player is left. Players are reset and seats drawn anew for each
    session. So sessions are independent and intervals can be computed from them, unlike from hands,
    where a stack won in one is at stake in the next.

    Raises `BadInput` for games that cannot be played.
    """

    players: tuple[PlayerLike, ...]
    """Specs, or names and specs, in the order of the results."""
    hands: int
    """Hands in all sessions; fewer are played if a session ends with one player."""
    seed: int
    buy_in: int
    """Chips of each player at the start and after a re-buy."""
    blinds: tuple[int, int] = (1, 2)
    ante: int = 0
    """Ante of every player."""
    betting: Betting = Betting.NO_LIMIT
    bets: tuple[int, int] | None = None
    """The smallest and the largest bet, in spread limit only."""
    rake: Rake | None = None
    """The house's rake on each hand."""
    variant: Variant = HOLDEM
    """The game."""
    rebuys: Rebuys = ALWAYS
    top_up: TopUp = TopUp.NEVER
    session: int = SESSION
    """Hands in a session."""
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
            raise BadInput(
                f"{words}; allowed: a small blind of 1 or more, a big blind not below it"
            )
        if self.betting is Betting.SPREAD_LIMIT and self.bets is None:
            raise BadInput("spread limit without bets; allowed: the smallest and the largest one")
        if self.betting is not Betting.SPREAD_LIMIT and self.bets is not None:
            raise BadInput(f"bets of {self.bets} in {self.betting.value}; allowed: in spread limit")
        self.rules((self.buy_in,) * len(self.players))  # refuses rules that cannot be played
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
        """Return the maximum number of hands in a session."""
        return min(self.session, self.hands - session * self.session)

    def rules(self, stacks: Sequence[int]) -> Rules:
        """Return the rules of one hand, given the stacks by seat."""
        rules = hand_rules(
            self.betting,
            blinds=self.blinds,
            ante=self.ante,
            stacks=stacks,
            bets=self.bets,
            variant=self.variant,
        )
        return rules if self.rake is None else replace(rules, rake=self.rake)


@dataclass(frozen=True, slots=True, kw_only=True)
class RingSession(Segment):
    """A played session, with amounts in chips by player."""

    dealt: tuple[int, ...]
    """Hands dealt until the player left."""
    won: tuple[int, ...]
    """Final stack less all buy-ins."""
    bought: tuple[int, ...]
    """Total of buy-ins: at the start, re-buys and top-ups."""
    rebuys: tuple[int, ...]
    """Number of re-buys."""


class RingTable(SegmentTable[RingSession]):
    """The players of a ring game, ready to play any of its sessions.

    Raises `BadInput` if a player cannot be created.
    """

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        rules = ring.rules([ring.buy_in for _ in ring.players])
        self._session = TableSession(ring.players, ring.faults, rules)

    def play(self, index: int) -> tuple[RingSession, list[HandRecord]]:
        """Play one session to its end; return it with its hands in the order of play."""
        ring = self._ring
        self._session.reset(f"{ring.seed} session {index}")
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
        session = RingSession(
            index=index,
            hands=len(hands),
            dealt=tuple(dealt),
            won=tuple(map(int.__sub__, purse.stacks, purse.bought)),
            bought=tuple(purse.bought),
            rebuys=tuple(purse.rebuys),
            faults=self._session.take_faults(),
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
        """Play one hand, updating ``stacks``."""
        rules = self._ring.rules([stacks[player] for player in by_seat(table)])
        deals = seeded_deals(dealer, len(table), 1, rules.variant)
        return self._session.play(table, stacks, rules, deals, number=number, name=name)


class BuyIns:
    """Stacks in a session and the buy-ins behind them, by player."""

    def __init__(self, ring: Ring) -> None:
        self._ring = ring
        self.stacks = [ring.buy_in for _ in ring.players]
        self.bought = self.stacks.copy()
        self.rebuys = [0 for _ in ring.players]

    def buy(self, player: int) -> None:
        """Bring a player's stack to the buy-in before a hand, if the ring game allows it."""
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
    """Parse ``always``, ``never`` or ``below=F`` (of the buy-in); ``most`` limits the number.

    >>> parse_rebuys("below=0.5", 3)
    Rebuys(below=Fraction(1, 2), most=3)

    Raises `BadInput` for anything else.
    """
    if text == "always":
        return Rebuys(most=most)
    if text == "never":
        return Rebuys(most=0)
    match = re.fullmatch(r"below=(0?\.\d{1,6}|1(?:\.0*)?)", text)
    if match is None or not Fraction(match[1]):
        raise BadInput(f"re-buys {text!r}; allowed: always, never, or below=0.5 of the buy-in")
    return Rebuys(below=Fraction(match[1]), most=most)


def _permutation(ring: Ring, index: int) -> list[int]:
    seats: list[int] = (
        generator(ring.seed, Purpose.RING_SEATS, index).permutation(len(ring.players)).tolist()
    )
    return seats


# Running ring games: here or in worker processes, into a log, resuming where they stopped.


VERSION = 1
_BY_PLAYER = ("dealt", "won", "bought", "rebuys")


@dataclass(frozen=True, slots=True, kw_only=True)
class RingResult(SeriesResult[RingSession]):
    """Results of the sessions of a ring game."""

    ring: Ring

    @property
    def sessions(self) -> tuple[RingSession, ...]:
        """The sessions, in order."""
        return self.parts

    @property
    def won(self) -> NDArray[np.int64]:
        """Return final stacks less all buy-ins, in chips, shape (sessions, players)."""
        return np.array([session.won for session in self.sessions], np.int64)

    @property
    def dealt(self) -> NDArray[np.int64]:
        """Return hands dealt until each player left, shape (sessions, players)."""
        return np.array([session.dealt for session in self.sessions], np.int64)

    @property
    def bought(self) -> NDArray[np.int64]:
        """Return the total of buy-ins in chips, shape (sessions, players)."""
        return np.array([session.bought for session in self.sessions], np.int64)

    @property
    def raked(self) -> int:
        """Return the rake of all sessions, in chips."""
        return -int(self.won.sum())

    @property
    def rebuys(self) -> NDArray[np.int64]:
        """Return the number of re-buys, shape (sessions, players)."""
        return np.array([session.rebuys for session in self.sessions], np.int64)

    @property
    def unit(self) -> ResultUnit:
        """Unit of the winnings."""
        return ResultUnit.BIG_BLINDS

    def money(self, player: int, *, hands: int = 1) -> Estimate:
        """Estimate a player's winnings per ``hands`` hands dealt, in `unit`, from the sessions."""
        won = hands * self.won[:, player] / self.ring.blinds[1]
        return ratio(won, self.dealt[:, player], unit=self.unit)

    def as_json(self, log: Path | None = None) -> dict[str, Any]:
        """Return the output of `railbird ring --json`; ``log`` is the file of the hands."""
        ring = self.ring
        specs, big = specs_of(ring.players), ring.blinds[1]
        return {
            "hands": self.hands,
            "sessions": ring.sessions,
            "seed": ring.seed,
            **({} if ring.variant is HOLDEM else {"variant": ring.variant.name}),
            "unit": self.unit,
            "buy_in_bb": ring.buy_in / big,
            "rebuy": str(ring.rebuys),
            "top_up": ring.top_up.value,
            "rake": None if ring.rake is None else str(ring.rake),
            "raked_bb": self.raked / big,
            "hands_per_s": self.hands_per_s,
            "log": None if log is None else str(log),
            "players": {
                name: {
                    "spec": specs[player],
                    "money": self.money(player).as_json(),
                    "per_100": self.money(player, hands=100).as_json(),
                    "hands": int(self.dealt[:, player].sum()),
                    "won_bb": float(self.won[:, player].sum() / big),
                    "bought_bb": float(self.bought[:, player].sum() / big),
                    "rebuys": int(self.rebuys[:, player].sum()),
                    "faults": self.faults(player).as_json(),
                }
                for player, name in enumerate(ring.names)
            },
        }


@checked
def play_ring(
    ring: Ring,
    *,
    log: Path | str | None = None,
    workers: int = 1,
    on: str | None = None,
    keep: bool = False,
    progress: Progress | None = None,
) -> RingResult:
    """Play a ring game, or the sessions that its log lacks.

    The log and the results are the same for any number of workers and on any Ray cluster (``on``);
    see `railbird.arena.play`. ``progress`` counts sessions. With ``keep`` the result
    holds the hands as columns.

    Raises `BadInput` for unusable players or logs, `Interrupted` on Ctrl-C (the log keeps what was
    played), `RailbirdError` if workers keep dying.
    """
    return play_series(
        partial(RingTable, ring),
        ring.sessions,
        ring_log(ring),
        partial(RingResult, ring=ring),
        players=ring.players,
        log=log,
        workers=workers,
        on=on,
        keep=keep,
        progress=progress,
    )


def ring_log(ring: Ring) -> LogFormat[RingSession]:
    """Return the format of this ring game's log."""
    return LogFormat(
        title="ring game",
        job="ring",
        part="session",
        first=1,
        names=ring.names,
        identity=_identity(ring),
        said=partial(_said, ring),
        read=partial(_session, ring),
    )


def _said(ring: Ring, session: RingSession) -> dict[str, Any]:
    by_player = {key: list(getattr(session, key)) for key in _BY_PLAYER}
    return {"hands": session.hands, "of": ring.hands_of(session.index), **by_player}


def _session(ring: Ring, entry: LogEntry) -> RingSession:
    result, index = entry.result, entry.index
    dealt, won, bought, rebuys = (tuple(map(int, result[key])) for key in _BY_PLAYER)
    if {len(dealt), len(won), len(bought), len(rebuys)} != {len(ring.players)}:
        raise ValueError(f"not {len(ring.players)} players")
    if index < ring.sessions and (most := ring.hands_of(index)) != result["of"]:
        words = f"session {index + 1} of the log was planned for {result['of']} hands, not {most}"
        raise BadInput(f"{words}; allowed: as before, or whole sessions of {ring.session}")
    return RingSession(
        index=index,
        hands=int(result["hands"]),
        dealt=dealt,
        won=won,
        bought=bought,
        rebuys=rebuys,
        faults=entry.faults,
    )


def _identity(ring: Ring) -> dict[str, Any]:
    """Return everything that determines the log's bytes, except the number of sessions."""
    return {
        "version": VERSION,
        "players": [parse_entrant(player).as_json() for player in ring.players],
        "seed": ring.seed,
        "buy_in": ring.buy_in,
        "blinds": list(ring.blinds),
        "ante": ring.ante,
        "betting": ring.betting.value,
        "bets": None if ring.bets is None else list(ring.bets),
        "rake": None if ring.rake is None else str(ring.rake),
        "rebuys": str(ring.rebuys),
        "top_up": ring.top_up.value,
        "session": ring.session,
        "faults": plain(ring.faults.as_json()),
        **({} if ring.variant is HOLDEM else {"variant": ring.variant.name}),
    }
