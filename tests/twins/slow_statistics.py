"""Slow twin of the statistics: each counted by itself from its definition, decision by decision.

The betting is that of `twins.slow_game`; nothing of the fast count or of the engine is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from railbird.game import Call, Fold, Raise, Street
from railbird.histories import HandRecord
from twins.slow_game import SlowHand


class Decision(NamedTuple):
    """What a seat did, and what it faced."""

    street: Street
    seat: int
    verb: str
    """fold, check, call or raise (a bet as well)."""
    bets: int
    """Bets and raises of the street before, the big blind among them."""
    may_raise: bool
    pot: int
    """All chips in play before the decision."""
    to: int
    """Chips that a raise puts in on this street in all."""


class CountedHand(NamedTuple):
    """A finished hand as its decisions and its ending."""

    record: HandRecord
    decisions: Sequence[Decision]
    staying: frozenset[int]
    """Seats that never folded."""
    at_stake: Sequence[int]
    """By seat the chips put in, without those that nobody called."""

    def preflop(self, seat: int) -> list[tuple[Decision, list[Decision]]]:
        """A seat's decisions before the flop, each with all decisions before it."""
        return [
            (decision, list(self.decisions[:place]))
            for place, decision in enumerate(self.decisions)
            if decision.seat == seat and decision.street is Street.PREFLOP
        ]

    def on(self, street: Street) -> list[Decision]:
        """All decisions of a street."""
        return [decision for decision in self.decisions if decision.street is street]

    def saw_flop(self, seat: int) -> bool:
        folded = any(d.seat == seat and d.verb == "fold" for d in self.on(Street.PREFLOP))
        return len(self.record.board) >= 3 and not folded

    def showed_down(self, seat: int) -> bool:
        return seat in self.staying and len(self.staying) >= 2

    def won(self, seat: int) -> bool:
        """Whether the seat got more from the pots than nothing."""
        return self.record.payoffs[seat] + self.at_stake[seat] > 0

    def last_raiser(self, street: Street) -> int | None:
        raisers = [decision.seat for decision in self.on(street) if decision.verb == "raise"]
        return raisers[-1] if raisers else None

    def continuation_bettor(self) -> int | None:
        """The last to have raised before the flop, if the first bet of the flop is its."""
        bettors = [decision.seat for decision in self.on(Street.FLOP) if decision.verb == "raise"]
        return bettors[0] if bettors and bettors[0] == self.last_raiser(Street.PREFLOP) else None


def counted(record: HandRecord) -> CountedHand:
    """Play a record again in the slow form."""
    slow = SlowHand(record.rules, (), record.board)
    decisions = []
    for action in record.actions:
        _, cost, sizes = slow.options()
        assert slow.actor is not None
        verb = "raise"
        if isinstance(action, Fold):
            verb = "fold"
        elif isinstance(action, Call):
            verb = "call" if cost else "check"
        blind = slow.street is Street.PREFLOP and slow.bet > 0
        pot, to = sum(slow.ante) + sum(slow.live), action.to if isinstance(action, Raise) else 0
        bets = slow.raises + blind
        decisions.append(Decision(slow.street, slow.actor, verb, bets, sizes is not None, pot, to))
        slow.do(action)
    folded = {decision.seat for decision in decisions if decision.verb == "fold"}
    staying = frozenset(set(range(record.rules.seats)) - folded)
    return CountedHand(record, decisions, staying, slow.at_stake())


def place_of(record: HandRecord, seat: int) -> str:
    """The place of a seat, counted from the button."""
    seats = record.rules.seats
    if seats == 2:
        return ("big_blind", "button")[seat]
    blinds = ["big_blind"] if record.rules.dead_small_blind else ["small_blind", "big_blind"]
    late = ["early"] * seats + ["middle", "middle", "cutoff", "button"]
    return [*blinds, *late[-(seats - len(blinds)) :]][seat]


Chances = Iterator[bool]
"""For each chance whether it was taken."""


def vpip(hand: CountedHand, seat: int) -> Chances:
    verbs = [decision.verb for decision, _ in hand.preflop(seat)]
    if verbs:
        yield "call" in verbs or "raise" in verbs


def pfr(hand: CountedHand, seat: int) -> Chances:
    mine = [decision for decision, _ in hand.preflop(seat)]
    if any(decision.may_raise for decision in mine):
        yield any(decision.verb == "raise" for decision in mine)


def first(chances: Chances) -> Chances:
    yield from list(chances)[:1]


def has_raised(seat: int, before: Sequence[Decision]) -> bool:
    return any(decision.seat == seat and decision.verb == "raise" for decision in before)


def calls_since_raise(before: Sequence[Decision]) -> int:
    verbs = [decision.verb for decision in before]
    last = max((place for place, verb in enumerate(verbs) if verb == "raise"), default=-1)
    return verbs[last + 1 :].count("call")


def three_bet(hand: CountedHand, seat: int, *, callers: int = 0) -> Chances:
    for decision, before in hand.preflop(seat):
        faces = decision.bets == 2 and decision.may_raise and not has_raised(seat, before)
        if faces and calls_since_raise(before) >= callers:
            yield decision.verb == "raise"


def squeeze(hand: CountedHand, seat: int) -> Chances:
    return three_bet(hand, seat, callers=1)


def fold_to_three_bet(hand: CountedHand, seat: int) -> Chances:
    for decision, before in hand.preflop(seat):
        if decision.bets == 3 and has_raised(seat, before):
            yield decision.verb == "fold"


def four_bet(hand: CountedHand, seat: int) -> Chances:
    for decision, _ in hand.preflop(seat):
        if decision.bets == 3 and decision.may_raise:
            yield decision.verb == "raise"


def steals(hand: CountedHand, decision: Decision, before: Sequence[Decision]) -> bool:
    """Whether a decision is a chance to steal."""
    late = place_of(hand.record, decision.seat) in ("cutoff", "button", "small_blind")
    return late and decision.may_raise and all(earlier.verb == "fold" for earlier in before)


def steal(hand: CountedHand, seat: int) -> Chances:
    for decision, before in hand.preflop(seat):
        if steals(hand, decision, before):
            yield decision.verb == "raise"


def fold_to_steal(hand: CountedHand, seat: int) -> Chances:
    for decision, before in hand.preflop(seat):
        entered = [place for place, one in enumerate(before) if one.verb in ("call", "raise")]
        in_blinds = place_of(hand.record, seat) in ("small_blind", "big_blind")
        if in_blinds and len(entered) == 1 and decision.bets == 2:
            opened = before[entered[0]]
            if opened.verb == "raise" and steals(hand, opened, before[: entered[0]]):
                yield decision.verb == "fold"


def cbet(hand: CountedHand, seat: int) -> Chances:
    for decision in hand.on(Street.FLOP):
        if decision.seat == seat == hand.last_raiser(Street.PREFLOP) and decision.bets == 0:
            yield decision.verb == "raise"


def fold_to_cbet(hand: CountedHand, seat: int) -> Chances:
    for decision in hand.on(Street.FLOP):
        if decision.seat == seat and decision.bets == 1 and hand.continuation_bettor() is not None:
            yield decision.verb == "fold"


def cbet_turn(hand: CountedHand, seat: int) -> Chances:
    led = hand.continuation_bettor() == seat == hand.last_raiser(Street.FLOP)
    for decision in hand.on(Street.TURN):
        if led and decision.seat == seat and decision.bets == 0:
            yield decision.verb == "raise"


def check_raise(hand: CountedHand, seat: int) -> Chances:
    for street in (Street.FLOP, Street.TURN, Street.RIVER):
        mine = [decision for decision in hand.on(street) if decision.seat == seat]
        for check, answer in pairwise(mine):
            if check.verb == "check":
                yield answer.verb == "raise"


def aggression_frequency(hand: CountedHand, seat: int) -> Chances:
    for decision in hand.decisions:
        later = decision.seat == seat and decision.street is not Street.PREFLOP
        if later and decision.verb != "check":
            yield decision.verb == "raise"


def wtsd(hand: CountedHand, seat: int) -> Chances:
    if hand.saw_flop(seat):
        yield hand.showed_down(seat)


def wsd(hand: CountedHand, seat: int) -> Chances:
    if hand.showed_down(seat):
        yield hand.won(seat)


def wwsf(hand: CountedHand, seat: int) -> Chances:
    if hand.saw_flop(seat):
        yield hand.won(seat)


def shown_by_choice(hand: CountedHand, seat: int) -> Chances:
    choice = dict(enumerate(hand.record.shown_by_choice)).get(seat)
    if choice is not None:
        yield choice


def came_in(before: Sequence[Decision]) -> list[Decision]:
    """Decisions that put chips in by choice."""
    return [decision for decision in before if decision.verb in ("call", "raise")]


def limp(hand: CountedHand, seat: int) -> Chances:
    for decision, before in hand.preflop(seat):
        opens = decision.bets <= 1 and not came_in(before) and decision.verb != "check"
        if opens and place_of(hand.record, seat) != "big_blind":
            yield decision.verb == "call"


def cold_call(hand: CountedHand, seat: int) -> Chances:
    blind = place_of(hand.record, seat) in ("small_blind", "big_blind")
    for decision, before in hand.preflop(seat):
        mine = [earlier for earlier in came_in(before) if earlier.seat == seat]
        if decision.bets >= 2 and not mine and not blind:
            yield decision.verb == "call"


def isolate(hand: CountedHand, seat: int) -> Chances:
    for decision, before in hand.preflop(seat):
        if decision.bets <= 1 and came_in(before) and decision.may_raise:
            yield decision.verb == "raise"


def limp_fold(hand: CountedHand, seat: int) -> Chances:
    for decision, before in hand.preflop(seat):
        limps = [one for one in before if one.seat == seat and one.verb == "call" and one.bets <= 1]
        if decision.bets == 2 and limps:
            yield decision.verb == "fold"


def resteal(hand: CountedHand, seat: int) -> Chances:
    for decision, before in hand.preflop(seat):
        entered = [place for place, one in enumerate(before) if one.verb in ("call", "raise")]
        in_blinds = place_of(hand.record, seat) in ("small_blind", "big_blind")
        if in_blinds and len(entered) == 1 and decision.bets == 2 and decision.may_raise:
            opened = before[entered[0]]
            if opened.verb == "raise" and steals(hand, opened, before[: entered[0]]):
                yield decision.verb == "raise"


def fold_to_four_bet(hand: CountedHand, seat: int) -> Chances:
    for decision, before in hand.preflop(seat):
        if decision.bets == 4 and has_raised(seat, before):
            yield decision.verb == "fold"


def raise_cbet(hand: CountedHand, seat: int) -> Chances:
    for decision in hand.on(Street.FLOP):
        faces = decision.seat == seat and decision.bets == 1 and decision.may_raise
        if faces and hand.continuation_bettor() is not None:
            yield decision.verb == "raise"


def bettor_going_on(hand: CountedHand, street: Street) -> int | None:
    """Who makes the first bet of a street, having so bet all before and raised there last."""
    bettor = hand.continuation_bettor()
    for earlier, now in pairwise((Street.FLOP, Street.TURN, Street.RIVER)):
        if now > street:
            break
        first_bets = [one.seat for one in hand.on(now) if one.verb == "raise"]
        went_on = bettor is not None and bettor == hand.last_raiser(earlier)
        bettor = bettor if went_on and first_bets[:1] == [bettor] else None
    return bettor


def fold_to_cbet_turn(hand: CountedHand, seat: int) -> Chances:
    yield from _fold_to_going_on(hand, seat, Street.TURN)


def fold_to_cbet_river(hand: CountedHand, seat: int) -> Chances:
    yield from _fold_to_going_on(hand, seat, Street.RIVER)


def _fold_to_going_on(hand: CountedHand, seat: int, street: Street) -> Chances:
    for decision in hand.on(street):
        faces = decision.seat == seat and decision.bets == 1
        if faces and bettor_going_on(hand, street) is not None:
            yield decision.verb == "fold"


def cbet_river(hand: CountedHand, seat: int) -> Chances:
    led = bettor_going_on(hand, Street.TURN) == seat == hand.last_raiser(Street.TURN)
    for decision in hand.on(Street.RIVER):
        if led and decision.seat == seat and decision.bets == 0:
            yield decision.verb == "raise"


def before_the_raiser(hand: CountedHand, seat: int, street: Street) -> Iterator[Decision]:
    """Decisions without a bet while the last to have raised before the flop is still to act."""
    raiser = hand.last_raiser(Street.PREFLOP)
    folded = [one.seat for one in hand.decisions if one.verb == "fold" and one.street < street]
    acted: list[int] = []
    for decision in hand.on(street):
        waits = raiser is not None and raiser not in (*folded, *acted, seat)
        if waits and decision.seat == seat and decision.bets == 0:
            yield decision
        acted.append(decision.seat)


def donk(hand: CountedHand, seat: int) -> Chances:
    for decision in before_the_raiser(hand, seat, Street.FLOP):
        yield decision.verb == "raise"


def probe(hand: CountedHand, seat: int) -> Chances:
    if hand.last_raiser(Street.FLOP) is None:
        for decision in before_the_raiser(hand, seat, Street.TURN):
            yield decision.verb == "raise"


def float_(hand: CountedHand, seat: int) -> Chances:
    bettor = hand.continuation_bettor()
    if bettor is None or bettor != hand.last_raiser(Street.FLOP):
        return
    called = any(one.seat == seat and one.verb == "call" for one in hand.on(Street.FLOP))
    checks: list[int] = []
    for decision in hand.on(Street.TURN):
        if decision.seat == seat and decision.bets == 0 and called and bettor in checks:
            yield decision.verb == "raise"
        if decision.verb == "check":
            checks.append(decision.seat)


def _answers_to_bet(hand: CountedHand, seat: int, street: Street) -> list[Decision]:
    return [one for one in hand.on(street) if one.seat == seat and one.bets == 1]


def fold_to_bet_on(street: Street) -> Rule:
    def rule(hand: CountedHand, seat: int) -> Chances:
        for decision in _answers_to_bet(hand, seat, street):
            yield decision.verb == "fold"

    return rule


def raise_bet_on(street: Street) -> Rule:
    def rule(hand: CountedHand, seat: int) -> Chances:
        for decision in _answers_to_bet(hand, seat, street):
            if decision.may_raise:
                yield decision.verb == "raise"

    return rule


def check_raise_on(street: Street) -> Rule:
    def rule(hand: CountedHand, seat: int) -> Chances:
        mine = [decision for decision in hand.on(street) if decision.seat == seat]
        for check, answer in pairwise(mine):
            if check.verb == "check":
                yield answer.verb == "raise"

    return rule


def three_bet_to(places: Sequence[str]) -> Rule:
    def rule(hand: CountedHand, seat: int) -> Chances:
        for decision, before in hand.preflop(seat):
            raisers = [earlier.seat for earlier in before if earlier.verb == "raise"]
            faces = decision.bets == 2 and decision.may_raise and seat not in raisers
            if faces and raisers:
                if place_of(hand.record, raisers[-1]) in places:
                    yield decision.verb == "raise"
                return  # the first chance alone counts, whomever it is against

    return rule


def fold_blind_to_steal(place: str) -> Rule:
    def rule(hand: CountedHand, seat: int) -> Chances:
        if place_of(hand.record, seat) == place:
            yield from fold_to_steal(hand, seat)

    return rule


def overbet(hand: CountedHand, seat: int) -> Chances:
    for decision in hand.decisions:
        mine = decision.seat == seat and decision.street is not Street.PREFLOP
        if mine and decision.bets == 0 and decision.verb == "raise":
            yield decision.to > decision.pot


def is_large(decision: Decision) -> bool:
    return decision.to > decision.pot / 2


def large_cbet(hand: CountedHand, seat: int) -> Chances:
    for decision in hand.on(Street.FLOP):
        bets = decision.verb == "raise" and decision.bets == 0
        if bets and decision.seat == seat == hand.continuation_bettor():
            yield is_large(decision)


def fold_to_cbet_of(*, large: bool) -> Rule:
    def rule(hand: CountedHand, seat: int) -> Chances:
        bets = [decision for decision in hand.on(Street.FLOP) if decision.verb == "raise"]
        if bets and is_large(bets[0]) is large:
            yield from fold_to_cbet(hand, seat)

    return rule


Rule = Callable[[CountedHand, int], Chances]
_ONCE: Sequence[Rule] = (
    *(three_bet, squeeze, fold_to_three_bet, four_bet, steal, fold_to_steal),
    *(cbet, fold_to_cbet, cbet_turn),
    *(limp, cold_call, isolate, limp_fold, resteal, fold_to_four_bet),
    *(raise_cbet, fold_to_cbet_turn, cbet_river, fold_to_cbet_river, donk, probe),
)
_OFTEN: Sequence[Rule] = (
    overbet,
    vpip,
    pfr,
    check_raise,
    aggression_frequency,
    wtsd,
    wsd,
    wwsf,
    shown_by_choice,
)


def at_first(rule: Rule) -> Rule:
    """Count a chance at its first occurrence alone."""
    return lambda hand, seat: first(rule(hand, seat))


STATISTICS: dict[str, Rule] = {
    **{rule.__name__: rule for rule in _OFTEN},
    **{rule.__name__: at_first(rule) for rule in _ONCE},
    "float": at_first(float_),
    **{
        f"check_raise_{street.name.lower()}": at_first(check_raise_on(street))
        for street in (Street.FLOP, Street.TURN, Street.RIVER)
    },
    "three_bet_to_early": at_first(three_bet_to(["early", "middle"])),
    "three_bet_to_late": at_first(three_bet_to(["cutoff", "button", "small_blind", "big_blind"])),
    "fold_small_blind_to_steal": at_first(fold_blind_to_steal("small_blind")),
    "fold_big_blind_to_steal": at_first(fold_blind_to_steal("big_blind")),
    "large_cbet": at_first(large_cbet),
    "fold_to_small_cbet": at_first(fold_to_cbet_of(large=False)),
    "fold_to_large_cbet": at_first(fold_to_cbet_of(large=True)),
    **{
        f"{verb}_{street.name.lower()}_bet": at_first(rule_on(street))
        for verb, rule_on in (("fold_to", fold_to_bet_on), ("raise", raise_bet_on))
        for street in (Street.FLOP, Street.TURN, Street.RIVER)
    },
}


def slow_statistics(record: HandRecord) -> list[dict[str, tuple[int, int]]]:
    """How often of how many chances, by seat and statistic."""
    hand = counted(record)
    return [
        {
            name: (sum(taken), len(taken))
            for name, rule in STATISTICS.items()
            for taken in [list(rule(hand, seat))]
        }
        for seat in range(record.rules.seats)
    ]
