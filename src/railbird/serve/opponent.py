"""A house opponent for programs that play heads-up over HTTP as on other servers.

Every hand has the competition's blinds of 50 and 100 and stacks of 20,000. A guest is anyone with a
token. A guest's hands are its own, with a limit on how many are open at a time, and none is given
up: a guest who asks for a new hand at the limit continues an open one or is refused, so nobody can
get rid of a bad hand. The button changes from hand to hand. Cards follow a secret seed.

The house player gets the whole hand at each of its decisions. So it does not learn, cannot mix up
the hands of different guests, and loses nothing if its process dies. Finished hands go to a log in
the competition's format, all cards in it; open ones end with the server.

Where the house player's probabilities are known, another process subtracts the luck of finished
hands (AIVAT), in the order in which they ended and some time behind them. Its values come from the
house's blueprint alone, so nothing is fitted to a guest's hands, and the interval of their mean is
valid at any time, as that of the money is.
"""

from __future__ import annotations

import asyncio
import hmac
import re
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Iterable
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from railbird._token_buckets import TokenBuckets
from railbird.errors import BadInput, RailbirdError
from railbird.estimates import Moments
from railbird.estimates.confidence_sequences import AnytimeInterval, confidence_sequence
from railbird.game import (
    Act,
    Action,
    Call,
    DealBoard,
    Fold,
    HandDealer,
    HandState,
    Raise,
    Step,
    legal,
    payoffs,
    refusal,
    seen_by,
    view,
)
from railbird.game.rules import HEADS_UP_NO_LIMIT
from railbird.histories import HandRecord, game_spec
from railbird.histories.acpc.log import state_line
from railbird.hosting.deck import deal_from_seed, new_seed
from railbird.hosting.supervisor import Supervisor
from railbird.jobs.workers import LoneProcess
from railbird.players import Observer, Player, make_player, policy
from railbird.serve.middleware import network_of
from railbird.units import Seat

if TYPE_CHECKING:
    from railbird.assessment.aivat.no_limit import NoLimitAivat

RULES: Final = HEADS_UP_NO_LIMIT
GAME_NAME: Final = "HUNL 200BB"
BEST: Final = "equilibrium:nolimit"
"""The strongest house player whose probabilities are known."""
MOST_WAITING: Final = 2_000
"""Finished hands of a guest that may wait for their luck to be subtracted; later ones are left out.
Whether a hand is left out depends only on earlier hands, so the rest is not biased."""
_HANDS_AT_ONCE: Final = 20
_GUEST, _HOUSE = "guest", "house"
_UNIT: Final = RULES.big_blind
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,32}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentSettings:
    """What the operator chooses."""

    player: str = BEST
    """Spec of the house's player."""
    folder: Path | None = None
    """Folder of the logs; none are written if it is None."""
    most_open: int = 20
    """Hands that a guest may have open."""
    most_guests: int = 2000
    """Tokens that are known; those used longest ago are forgotten, with their open hands."""
    most_of_address: int = 100
    """Tokens that one address may ask for in an hour."""
    actions_per_second: float = 200.0
    """Requests of one address in the long run; faster ones wait."""
    wait_s: float = 10.0
    """How long they wait before they are refused."""
    decision_s: float = 60.0
    """Time for the house's player to decide; after that it checks or folds."""

    def __post_init__(self) -> None:
        player = make_player(self.player, writes=False)
        try:
            if (why := policy.why_not(player, RULES)) is not None:
                raise BadInput(f"{self.player}: {why}")
        finally:
            policy.close(player)


class RefusedRequest(RailbirdError):
    """A request that is answered in a line."""

    def __init__(self, problem: str, status: int = 400) -> None:
        super().__init__(problem)
        self.status = status
        """Status of HTTP."""


@dataclass(slots=True)
class OpenHand:
    """A hand between a guest and the house."""

    id: int
    seat: Seat
    """The guest's: 0 is the big blind, 1 the button."""
    dealer: HandDealer
    steps: list[Step] = field(default_factory=list)
    before: str = ""
    """Betting before the guest's last action."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def state(self) -> HandState:
        """The hand as it stands."""
        return self.dealer.state

    @property
    def is_over(self) -> bool:
        """Whether it has been paid."""
        return self.dealer.asks is None

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions."""
        return tuple(step.event.action for step in self.steps if isinstance(step.event, Act))

    @property
    def winnings(self) -> int:
        """Chips that the guest has won."""
        return int(payoffs(self.state)[self.seat])

    def betting(self, between: str = "/") -> str:
        """Write the betting in k, c, f and b with the total of the street."""
        return "".join(self.betting_tokens(between))

    def betting_tokens(self, between: str) -> Iterable[str]:
        """Yield actions, and what parts streets."""
        for step in self.steps:
            match step.event:
                case Act(action=Fold()):
                    yield "f"
                case Act(action=Call()):
                    yield "c" if step.before.to_call else "k"
                case Act(action=Raise(to=to)):
                    yield f"b{to}"
                case DealBoard():
                    yield between
                case _:
                    pass


@dataclass(slots=True)
class Guest:
    """A client with a token."""

    name: str
    token: str
    seed: bytes
    hands: int = 0
    """Hands dealt."""
    open: OrderedDict[int, OpenHand] = field(default_factory=OrderedDict)
    last: OpenHand | None = None
    """The hand that a guest plays who has only one at a time, until it asks for the next."""
    money: Moments = field(default_factory=Moments)
    """Big blinds a hand."""
    illegal: int = 0
    """Actions that the rules do not allow; they were refused, and the hand went on."""
    path: Path | None = None
    waiting: deque[HandRecord] = field(default_factory=deque)
    """Finished hands whose luck is still to be taken out."""
    less_luck: Moments = field(default_factory=Moments)
    """Big blinds a hand, with the luck taken out."""

    @property
    def interval_less_luck(self) -> AnytimeInterval:
        """The same as `interval` with the luck taken out, of the hands that were looked at."""
        return confidence_sequence(self.less_luck, unit="bb")

    @property
    def interval(self) -> AnytimeInterval:
        """What the guest wins, in big blinds a hand; valid at any time."""
        return confidence_sequence(self.money, unit="bb")


class HostedOpponent:
    """The house's player, and all its guests."""

    def __init__(self, settings: OpponentSettings, supervisor: Supervisor | None = None) -> None:
        self.settings = settings
        self._supervisor = supervisor or Supervisor()
        self.guests: OrderedDict[str, Guest] = OrderedDict()
        self._process: LoneProcess | None = None
        self._scorer: LoneProcess | None = None
        self._scoring: asyncio.Task[None] | None = None
        self.why_luck_stays = ""
        """Why the luck of the hands is not taken out; empty where it is."""
        self._starting = asyncio.Lock()
        self._next_hand = 1
        self._paces = TokenBuckets(
            per_second=settings.actions_per_second, burst=settings.actions_per_second
        )
        self._tokens = TokenBuckets(
            per_second=settings.most_of_address / 3600, burst=settings.most_of_address
        )

    @property
    def title(self) -> str:
        """The house's player, without the folder of a file that it plays from.

        >>> HostedOpponent(OpponentSettings(player="random")).title
        'random'
        """
        return re.sub(r"(?<=:)[^,]*/", "", self.settings.player)

    async def pace(self, address: str) -> None:
        """Hold a request back until its address may make it. Raises `RefusedRequest`."""
        network, deadline = network_of(address), time.monotonic() + self.settings.wait_s
        while not self._paces.take(network):
            if time.monotonic() > deadline:
                raise RefusedRequest("Too many requests. Please wait a moment.", 429)
            await asyncio.sleep(0.02)

    def welcome(self, name: str, address: str) -> Guest:
        """Give a token to somebody, who may choose a name. Raises `RefusedRequest`."""
        if not _NAME.fullmatch(name):
            raise RefusedRequest("a name has 1 to 32 letters, digits, dots and dashes", 422)
        if not self._tokens.take(network_of(address)):
            raise RefusedRequest(
                "Too many tokens for this address. Please use one that you have.", 429
            )
        guest = Guest(name=name, token=secrets.token_hex(20), seed=new_seed())
        self.guests[guest.token] = guest
        while len(self.guests) > self.settings.most_guests:
            self.guests.popitem(last=False)
        if self.settings.folder is not None:
            ending = f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{secrets.token_hex(4)}"
            guest.path = self.settings.folder / f"{name}-{ending}.log"
        return guest

    def guest(self, token: str | None) -> Guest:
        """Return who has a token. Raises `RefusedRequest`."""
        guest = self.guests.get(token or "")
        if guest is None or not hmac.compare_digest(guest.token.encode(), (token or "").encode()):
            raise RefusedRequest("no such token; log in, or ask for a hand without one", 401)
        self.guests.move_to_end(guest.token)
        return guest

    async def new_hand(self, guest: Guest) -> OpenHand:
        """Deal a hand, and let the house act if it is first. Raises `RefusedRequest`."""
        if len(guest.open) >= self.settings.most_open:
            raise RefusedRequest(f"{len(guest.open)} hands are open; finish one first", 429)
        number = guest.hands
        guest.hands += 1
        row = deal_from_seed(guest.seed, "opponent", number, seats=2)
        hand = OpenHand(self._next_hand, Seat((number + 1) % 2), HandDealer.of_row(RULES, row))
        self._next_hand += 1
        guest.open[hand.id] = hand
        async with hand.lock:
            hand.steps += hand.dealer.begin()
            await self._house(guest, hand)
        return hand

    async def act(self, guest: Guest, hand: OpenHand, action: Action) -> None:
        """Take a guest's action, and let the house answer.

        Raises `RefusedRequest`; then it may go on.
        """
        async with hand.lock:
            if hand.dealer.asks != hand.seat:
                raise RefusedRequest(
                    "the hand is over" if hand.is_over else "it is not your turn", 409
                )
            if (problem := refusal(hand.state, action)) is not None:
                guest.illegal += 1
                raise RefusedRequest(f"illegal action: {problem}", 422)
            hand.before = hand.betting()
            hand.steps += hand.dealer.act(action)
            await self._house(guest, hand)

    async def _house(self, guest: Guest, hand: OpenHand) -> None:
        own = Seat(1 - hand.seat)
        while hand.dealer.asks == own:
            action = await self._decision(hand, own)
            if refusal(hand.state, action) is not None:
                action = Fold() if legal(hand.state).fold else Call()
            hand.steps += hand.dealer.act(action)
        if hand.is_over:
            self._end(guest, hand)

    async def _decision(self, hand: OpenHand, own: Seat) -> Action:
        """Ask the house's player in its process; one that fails or is slow checks or folds."""
        story = tuple((view(step.after, own), seen_by(step.event, own)) for step in hand.steps)
        for _ in range(2):
            process = await self._started()
            try:
                asked = asyncio.wrap_future(process.submit(_decide, story))
                async with asyncio.timeout(self.settings.decision_s):
                    return await asked
            except (BrokenExecutor, TimeoutError):
                await asyncio.to_thread(process.kill)
                if self._process is process:
                    self._process = None
        return Fold() if legal(hand.state).fold else Call()

    async def _started(self) -> LoneProcess:
        async with self._starting:
            if self._process is None:
                begin = partial(_begin, self.settings.player)
                self._process = await asyncio.to_thread(LoneProcess, begin)
            return self._process

    def _end(self, guest: Guest, hand: OpenHand) -> None:
        guest.open.pop(hand.id, None)
        guest.money = guest.money + Moments.of(np.array([hand.winnings / _UNIT]))
        names = [_HOUSE] * 2
        names[hand.seat] = _GUEST
        record = HandRecord(
            rules=RULES,
            players=tuple(names),
            holes=hand.state.holdings,
            board=hand.state.board,
            actions=hand.actions,
            payoffs=payoffs(hand.state),
            number=guest.money.n - 1,
        )
        if not self.why_luck_stays and len(guest.waiting) < MOST_WAITING:
            guest.waiting.append(record)
            if self._scoring is None or self._scoring.done():
                self._scoring = self._supervisor.run("opponent", self._take_luck_out())
        if guest.path is None:
            return
        shown = [self.settings.player] * 2
        shown[hand.seat] = guest.name
        if shown[0] == shown[1]:
            shown[hand.seat] += "-guest"
        renamed = replace(record, players=tuple(shown))
        _append(guest.path, state_line(renamed, guest.money.n - 1))

    async def _take_luck_out(self) -> None:
        """Take the luck out of all hands that wait, some of each guest in turn."""
        try:
            if self._scorer is None:
                begin = partial(_begin_scoring, self.settings.player)
                self._scorer = await asyncio.to_thread(LoneProcess, begin)
            while waiting := [guest for guest in self.guests.values() if guest.waiting]:
                for guest in waiting:
                    hands = list(islice(guest.waiting, _HANDS_AT_ONCE))
                    winnings = await asyncio.wrap_future(self._scorer.submit(_without_luck, hands))
                    for _ in hands:
                        guest.waiting.popleft()
                    guest.less_luck = guest.less_luck + Moments.of(np.array(winnings))
        except (BrokenExecutor, RailbirdError) as problem:
            # A hand that cannot be told would have to be left out for what happened in it.
            self.why_luck_stays = str(problem) or "the process that takes it out has ended"
            for guest in self.guests.values():
                guest.waiting.clear()
                guest.less_luck = Moments()

    async def close(self) -> None:
        """End the processes."""
        if self._scoring is not None:
            self._scoring.cancel()
        for process in (self._process, self._scorer):
            if process is not None:
                await asyncio.to_thread(process.kill)


def _append(path: Path, text: str) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)  # all cards are in it
        text = f"# name/game/hands/seed opponent {game_spec(RULES)} 0 -\n{text}"
    with path.open("a", encoding="ascii", errors="replace") as log:
        log.write(text)


# In the house's process.


_player: Player | None = None


def _begin(spec: str) -> None:
    """Make the player of this process."""
    global _player
    _player = make_player(spec, writes=False)
    _player.reset(np.random.default_rng())


def _decide(story: tuple[tuple[object, object], ...]) -> Action:
    """Tell the player a hand as it saw it, and return its action."""
    player = _player
    assert player is not None
    (first, _), *_ = story
    if isinstance(player, Observer):
        player.begin(first)  # type: ignore[arg-type]
        for seen, event in story[1:]:
            player.observe(seen, event)  # type: ignore[arg-type]
    last = story[-1][0]
    action = player.act(last)  # type: ignore[arg-type]
    if isinstance(player, Observer):
        with suppress(Exception):  # the hand goes on; only what it keeps of one ends here
            player.end(last)  # type: ignore[arg-type]
    return action


# In the process that takes luck out.


_aivat: NoLimitAivat | None = None
_why_not = ""


def _begin_scoring(spec: str) -> None:
    """Prepare what takes luck out of hands against a player, or say why it cannot."""
    global _aivat, _why_not
    from railbird.assessment.aivat.no_limit import NoLimitAivat

    try:
        _aivat = NoLimitAivat(known={_HOUSE: spec})
    except RailbirdError as problem:
        _why_not = str(problem)


def _without_luck(hands: list[HandRecord]) -> list[float]:
    """Return what the guest won in each hand, in big blinds, with the luck taken out.

    Raises `BadInput` if that cannot be decided.
    """
    from railbird.assessment.estimator import Scoring
    from railbird.histories.columns import batches_of

    if _aivat is None:
        raise BadInput(_why_not)
    winnings: list[float] = []
    for batch, _ in batches_of(hands):
        if (why := _aivat.needs(RULES)) is not None:
            raise BadInput(why)
        values = _aivat.score(batch, Scoring())[_aivat.name]
        seats = (batch.player[:, :2] == batch.names.index(_GUEST)).argmax(axis=1)
        winnings += values[np.arange(len(batch)), seats].tolist()
    return winnings
