"""Hold'em betting and pots in plain Python, written to be read: the slow twin of `railbird.game`.

A pot is shared by laying the chips on the table in layers, one chip high, and asking of each layer
who has a claim to it. No cleverness here is shared with the kernels.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction

from helpers.told_table import rake_due
from railbird.cards import Card, Holding, cards_of, strength
from railbird.game import (
    Action,
    Betting,
    Call,
    Fold,
    NoFlop,
    OddChips,
    OpenFold,
    Raise,
    Rules,
    ShortAllIn,
    Street,
    UncallableRaise,
)

ENDLESS = 10**9


class SlowHand:
    """One hand; `options` says what the seat to act may do."""

    def __init__(
        self, rules: Rules, holdings: tuple[Holding, ...], board: tuple[Card, ...]
    ) -> None:
        self.rules = rules
        self.holdings = holdings
        self.board = board
        seats = range(rules.seats)
        self.behind = list(rules.stacks or [ENDLESS] * rules.seats)
        self.ante = [self._pay(s, (rules.antes or (0,) * rules.seats)[s]) for s in seats]
        self.street_in = [self._pay(s, rules.blinds[s]) for s in seats]
        self.live = list(self.street_in)
        self.folded: set[int] = set()
        self.queue: deque[int] = deque()
        self.acted: set[int] = set()
        self.bet = self.full_raise = self.full_bet = self.acpc_minimum = 0
        self.raises = self.cap = 0
        self.street = Street.PREFLOP
        self._begin_street(max(rules.blinds))

    @property
    def actor(self) -> int | None:
        return self.queue[0] if self.queue else None

    def options(self) -> tuple[bool, int, tuple[int, int] | None]:
        """May it fold, what does calling cost, and between what may it raise to."""
        seat = self.queue[0]
        cost = min(self._owed(seat), self.behind[seat])
        fold = cost > 0 or self.rules.open_fold is OpenFold.ALLOWED
        return fold, cost, self._raise_range(seat)

    def do(self, action: Action) -> None:
        seat = self.queue.popleft()
        match action:
            case Fold():
                self.folded.add(seat)
            case Call():
                self._put_in(seat, min(self._owed(seat), self.behind[seat]))
            case Raise(to):
                by = to - (self.full_bet if self._half_is_enough() else self.bet)
                self.acpc_minimum = max(self.acpc_minimum, to + by)
                self.bet = to
                if not self._half_is_enough() or by >= self.full_raise / 2:
                    self.full_bet = to
                    self.raises += 1
                self.full_raise = max(self.full_raise, by)
                self._put_in(seat, to - self.street_in[seat])
                after = [(seat + i) % self.rules.seats for i in range(1, self.rules.seats)]
                self.queue = deque(s for s in after if self._can_act(s))
        self.acted.add(seat)
        self._drop_idle()

    def raked(self) -> int:
        """What the house takes, chip by chip as the pots are filled."""
        pots = self._pots()
        return sum(amount for amount, _ in pots) - sum(a for a, _ in self._raked(pots))

    def payoffs(self) -> list[Fraction]:
        won = [Fraction(-a - b) for a, b in zip(self.ante, self.live, strict=True)]
        for amount, claims in self._raked(self._pots()):
            best = max(self._strength(s) for s in claims) if len(claims) > 1 else 0
            winners = [s for s in claims if len(claims) == 1 or self._strength(s) == best]
            if self.rules.odd_chips is OddChips.FRACTION:
                for s in winners:
                    won[s] += Fraction(amount, len(winners))
            else:
                dealt = [0] * self.rules.seats
                for i in range(amount):  # chip by chip
                    dealt[winners[i % len(winners)]] += 1
                won = [a + b for a, b in zip(won, dealt, strict=True)]
        return won

    def _raked(self, whole: list[tuple[int, list[int]]]) -> list[tuple[int, list[int]]]:
        """The pots less what the house takes of each, the main pot first."""
        rake = self.rules.rake
        if rake is None or (rake.no_flop is NoFlop.NO_DROP and self.street is Street.PREFLOP):
            return whole
        called = sum(self.at_stake())
        players = self.rules.seats
        pots = []
        poured = taken = 0
        for amount, claims in whole:
            called_here = min(amount, called - poured)
            poured += called_here
            charge = min(rake_due(rake, poured, players=players) - taken, called_here)
            taken += charge
            pots.append((amount - charge, claims))
        return pots

    def at_stake(self) -> list[int]:
        """By seat what it put in, but for the layers that it alone has come up to."""
        called = [ante + live for ante, live in zip(self.ante, self.live, strict=True)]
        antes = max(self.ante)
        tops = [antes + b if self._paid_ante(s) else self.ante[s] for s, b in enumerate(self.live)]
        second, most = sorted(tops)[-2:]
        alone = tops.index(most)
        if alone not in self.folded:
            called[alone] = min(self.ante[alone], second)
            called[alone] += min(self.live[alone], max(second - antes, 0))
        return called

    def _pots(self) -> list[tuple[int, list[int]]]:
        """Main pot and side pots: layers of chips with the same claims are one pot."""
        highest_ante = max(self.ante)
        staying = self._staying()
        pots: list[tuple[int, list[int]]] = []
        for layer in range(highest_ante + max(self.live)):
            if layer < highest_ante:
                chips = sum([a > layer for a in self.ante])
                claims = [s for s in staying if self._paid_ante(s) or self.ante[s] > layer]
            else:
                height = layer - highest_ante
                chips = sum([b > height for b in self.live])
                claims = [s for s in staying if self.live[s] > height]
            if pots and (claims == pots[-1][1] or not claims):
                pots[-1] = (pots[-1][0] + chips, pots[-1][1])
            else:
                pots.append((chips, claims))
        return pots

    def _paid_ante(self, seat: int) -> bool:
        return self.ante[seat] == (self.rules.antes or (0,) * self.rules.seats)[seat]

    def _strength(self, seat: int) -> int:
        return strength([*cards_of(self.holdings[seat]), *self.board])

    def _staying(self) -> list[int]:
        return [s for s in range(self.rules.seats) if s not in self.folded]

    def _pay(self, seat: int, amount: int) -> int:
        paid = min(amount, self.behind[seat])
        self.behind[seat] -= paid
        return paid

    def _put_in(self, seat: int, amount: int) -> None:
        self.behind[seat] -= amount
        self.street_in[seat] += amount
        self.live[seat] += amount

    def _can_act(self, seat: int) -> bool:
        return seat not in self.folded and self.behind[seat] > 0

    def _most_of_others(self, seat: int) -> int:
        return max(self.street_in[s] for s in self._staying() if s != seat)

    def _owed(self, seat: int) -> int:
        if any(self._can_act(s) for s in self._staying() if s != seat):
            return self.bet - self.street_in[seat]
        return self._most_of_others(seat) - self.street_in[seat]

    def _raise_range(self, seat: int) -> tuple[int, int] | None:
        rules = self.rules
        everything = self.street_in[seat] + self.behind[seat]
        others = [s for s in self._staying() if s != seat]
        if self.raises >= self.cap:
            return None
        if everything <= self.bet:
            return None
        if not any(self._can_act(s) for s in others):
            return None
        if rules.uncallable_raise is UncallableRaise.REFUSED and all(
            self.street_in[s] + self.behind[s] <= self.bet for s in others
        ):
            return None
        facing = self.bet - self.street_in[seat]
        reopens = rules.short_all_in is ShortAllIn.REOPENS
        needed = self.full_raise / 2 if self._half_is_enough() else self.full_raise
        if not reopens and seat in self.acted and facing < needed:
            return None
        smallest = self.acpc_minimum if reopens else self.bet + self.full_raise
        largest = everything
        if rules.betting is Betting.LIMIT:
            smallest = largest = self.full_bet + rules.bet_sizes[self.street]
        elif rules.betting is Betting.POT_LIMIT:
            pot = sum(self.ante) + sum(self.live)
            largest = max(smallest, self.bet + pot + facing)
        elif rules.betting is Betting.SPREAD_LIMIT:
            assert rules.largest_bets is not None
            if self._half_is_enough():
                smallest = self.full_bet + self.full_raise
            largest = smallest - self.full_raise + rules.largest_bets[self.street]
        return min(smallest, everything), min(largest, everything)

    def _half_is_enough(self) -> bool:
        """Is an all-in of half a bet a bet?"""
        fixed = self.rules.betting in (Betting.LIMIT, Betting.SPREAD_LIMIT)
        return fixed and self.rules.short_all_in is ShortAllIn.CLOSED

    def _begin_street(self, bet: int) -> None:
        rules = self.rules
        self.bet = self.full_bet = bet
        self.full_raise = int(rules.bet_sizes[self.street])
        self.acpc_minimum = bet + self.full_raise
        self.raises = 0
        lifted = rules.lift_cap_heads_up and len(self._staying()) == 2
        caps = None if lifted else rules.max_raises
        self.cap = ENDLESS if caps is None else caps[self.street]
        self.acted = set()
        first = rules.first_to_act[self.street]
        order = [(first + i) % rules.seats for i in range(rules.seats)]
        self.queue = deque(s for s in order if self._can_act(s))
        self._drop_idle()

    def _drop_idle(self) -> None:
        """Nobody is asked who has nobody left to bet against; then the next street comes."""
        staying = self._staying()
        if len(staying) == 1:
            self.queue.clear()
            return
        able = [s for s in staying if self._can_act(s)]
        if len(able) == 1 and self.street_in[able[0]] >= self._most_of_others(able[0]):
            self.queue.clear()
        if not self.queue and self.street < Street.RIVER:
            self.street = Street(self.street + 1)
            self.street_in = [0] * self.rules.seats
            self._begin_street(0)
