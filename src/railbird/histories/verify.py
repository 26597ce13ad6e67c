"""Verification of hands: replay by the rules engine, comparison with the payoffs of the log.

The outcome of a course of betting depends on the cards only through who beats whom. Betting
repeats, so a `BettingOutcome` is cached with its betting, and most hands cost a comparison of
strengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, takewhile
from operator import lt, neg, sub
from typing import Final

from railbird.cards import HOLDEM, HOLDING_CARDS, Card, Holding, format_card, strength
from railbird.errors import BadInput, IllegalAction
from railbird.game import (
    BOARD_CARDS,
    Action,
    Betting,
    HandState,
    Phase,
    Rules,
    is_settled,
    payoff_parts,
    payoffs,
    pots,
    replay,
)
from railbird.game.reported import replay_reported
from railbird.histories.betting import course_of
from railbird.histories.record import RUN_TWICE, BadHand, HandRecord, SkipReason
from railbird.histories.text_values import Amounts, amounts_of, format_amounts, unrounded
from railbird.histories.variant_hands import PlayedCourse, course_of_cards
from railbird.units import Chips, Seat

# Stakes of a table as far as a hand shows them.


def same_stakes(first: Rules, second: Rules) -> bool:
    """Return whether two tables have the same betting, posts and fixed bets.

    A post that exceeded its stack is the same if its paid part is, and what the others had to call.
    """
    limit = first.betting is Betting.LIMIT
    return (
        first.betting is second.betting
        and max(first.blinds) == max(second.blinds)
        and _paid(first) == _paid(second)
        and (not limit or first.bet_sizes == second.bet_sizes)
    )


def _paid(rules: Rules) -> list[tuple[Chips, Chips]]:
    """Return antes and blinds by seat, as far as the stacks go."""
    antes = rules.antes or (Chips(0),) * rules.seats
    if rules.stacks is None:
        return list(zip(antes, rules.blinds, strict=True))
    dead = [min(ante, stack) for ante, stack in zip(antes, rules.stacks, strict=True)]
    left = [Chips(stack - ante) for stack, ante in zip(rules.stacks, dead, strict=True)]
    return list(zip(dead, map(min, rules.blinds, left), strict=True))


# Hands replayed, and their payoffs compared.


Holes = tuple[Holding | None, ...]
Board = tuple[Card, ...]
Payoffs = tuple[Fraction, ...]
Order = tuple[int, ...]

_CARDS_OF: Final = [tuple(map(Card, pair)) for pair in HOLDING_CARDS.tolist()]


@dataclass(frozen=True, slots=True)
class BettingOutcome:
    """Outcome of one course of betting; in another game than hold'em, of one hand."""

    actions: tuple[Action, ...]
    contenders: tuple[Seat, ...]
    """Seats at showdown; empty if all but one folded."""
    state: HandState
    """Final state of one hand that was played so."""
    runs: tuple[HandState, ...] = ()
    """Final states with the boards of the second run and later (`run_again`)."""
    _paid: dict[Order, Amounts | None] = field(default_factory=dict, compare=False, repr=False)

    def settle(self, holes: Holes, board: Board, logged: Amounts | None) -> Payoffs:
        """Return the exact payoffs of a hand with this betting, compared with the log.

        A log rounds fractions of a chip to six decimals. Where unknown cards decide, the log is
        trusted if its payoffs are possible. Of another game than hold'em the cards are those that
        the hand was played with. Raises `BadHand`.
        """
        is_holdem = self.state.rules.variant is HOLDEM
        if is_holdem:
            self._check_cards(holes, board)
            computed = self._payoffs(holes, board)
        else:
            computed = self.learn((), self.state)
        if logged is None:
            if computed is None:
                raise BadHand(SkipReason.UNREADABLE, "unknown cards decide the pot")
            return computed.exact
        if computed is not None and computed.millionths == logged.millionths:
            return computed.exact
        believed = unrounded(logged.exact, self.state.rules.denominator)
        hidden = any(holes[seat] is None for seat in self.contenders) if is_holdem else self.hides
        if hidden and self._may_pay(believed):
            return believed
        expected = "" if computed is None else f", the rules pay {format_amounts(computed.exact)}"
        raise BadHand(
            SkipReason.WRONG_PAYOFF, f"the log pays {format_amounts(logged.exact)}{expected}"
        )

    @property
    def hides(self) -> bool:
        """Whether cards of somebody at showdown are unknown."""
        state = self.state
        return any(len(state.cards[seat]) < state.cards_each for seat in self.contenders)

    def _check_cards(self, holes: Holes, board: Board) -> None:
        street = self.state.street
        if len(board) != BOARD_CARDS[street]:
            raise BadHand(
                SkipReason.WRONG_BOARD,
                f"{len(board)} cards, but the betting reached the {street.name.lower()}",
            )
        _check_twice(holes, board)

    def learn(self, order: Order, state: HandState) -> Amounts | None:
        """Cache the payoffs of one hand with this betting, for all of the same ranking."""
        self._paid[order] = amounts_of(payoffs(state)) if is_settled(state) else None
        return self._paid[order]

    def _payoffs(self, holes: Holes, board: Board) -> Amounts | None:
        """Return the payoffs by seat; None if unknown cards decide them."""
        order = self._order(holes, board)
        if order in self._paid:
            return self._paid[order]
        return self.learn(order, replay(self.state.rules, holes, board, self.actions))

    def _order(self, holes: Holes, board: Board) -> Order:
        """Return the contenders' ranks, 0 for the weakest; -1 for unknown cards."""
        strengths = [
            -1 if (hole := holes[seat]) is None else strength((*_CARDS_OF[hole], *board))
            for seat in self.contenders
        ]
        if len(strengths) == 2 and -1 not in strengths:  # most hands: the same without a sort
            first, second = strengths
            return int(first > second), int(second > first)
        ladder = sorted({-1, *strengths})
        return tuple([ladder.index(strength) - 1 for strength in strengths])

    def _may_pay(self, amounts: Payoffs) -> bool:
        """Return whether some cards of the contenders could lead to these payoffs."""
        return sum(amounts) == -self.state.raked and all(
            amount >= -spent if seat in self.contenders else amount == -spent
            for seat, (amount, spent) in enumerate(zip(amounts, self.state.spent, strict=True))
        )


def ending_of(
    rules: Rules, actions: tuple[Action, ...], holes: Holes, board: Board
) -> BettingOutcome:
    """Play a hand to its end. Raises `BadHand` if it is illegal or does not end."""
    _check_twice(holes, board)
    try:
        state = replay(rules, holes, board, actions)
    except IllegalAction as error:
        raise BadHand(SkipReason.ILLEGAL_ACTION, str(error)) from None
    except BadInput as error:
        raise BadHand(SkipReason.WRONG_BOARD, str(error)) from None
    ending = _ended(actions, state)
    ending.learn(ending._order(holes, board), state)
    return ending


def outcome_of(course: PlayedCourse) -> BettingOutcome:
    """Return the outcome of a hand of another game, which was played with its cards."""
    return _ended(course.actions, course.state)


def why_refused(problem: BadHand, rules: Rules) -> BadHand:
    """Return the reason why a hand is refused that these rules do not allow.

    Where there are antes and no blind, another game was played: a bomb pot begins on the flop.
    """
    misplayed = problem.reason in (SkipReason.ILLEGAL_ACTION, SkipReason.WRONG_BOARD)
    if misplayed and any(rules.antes) and not any(rules.blinds) and not rules.bring_in:
        return BadHand(SkipReason.ANOTHER_GAME, "antes and no blinds, as in a bomb pot")
    return problem


def reported_ending(
    rules: Rules, report: Sequence[int], holes: Holes, board: Board, names: Sequence[str] = ()
) -> BettingOutcome:
    """Play a reported hand (`railbird.game.reported`) to its end.

    ``names`` stand for the seats in messages. Raises `BadHand` as `ending_of` does, and for amounts
    that differ from the engine's.
    """
    try:
        state, actions = replay_reported(rules, holes, board, report, names)
    except IllegalAction as error:
        raise BadHand(SkipReason.ILLEGAL_ACTION, str(error)) from None
    except BadInput as error:
        _check_twice(holes, board)
        raise BadHand(SkipReason.WRONG_BOARD, str(error)) from None
    return _ended(actions, state)


def _ended(actions: tuple[Action, ...], state: HandState) -> BettingOutcome:
    match state.phase:
        case Phase.SHOWDOWN | Phase.OVER:
            in_hand = state.in_hand
            return BettingOutcome(actions, in_hand if len(in_hand) > 1 else (), state)
        case Phase.DEAL_BOARD:
            raise BadHand(
                SkipReason.WRONG_BOARD, f"{len(state.board)} cards on the board are not enough"
            )
        case _:
            raise BadHand(
                SkipReason.UNFINISHED,
                f"seat {state.actor} is to act ({state.street.name.lower()})",
            )


def run_again(ending: BettingOutcome, boards: Sequence[Board]) -> BettingOutcome:
    """Return an ending with further runs of its board, once no betting could follow.

    The runs share the cards that lay when the betting ended, or more, and no others. Raises
    `BadHand`.
    """
    state = ending.state
    if not ending.contenders:
        raise BadHand(SkipReason.WRONG_BOARD, "run again though nobody was left to run against")
    rules, actions = state.rules, ending.actions
    moves = course_of(replace(rules, variant=HOLDEM), actions).moves
    open_cards = BOARD_CARDS[moves[-1].street] if moves else 0
    runs = (state.board, *boards)
    if any(len(board) != BOARD_CARDS[-1] for board in runs):
        sizes = ", ".join(str(len(board)) for board in runs)
        raise BadHand(SkipReason.WRONG_BOARD, f"boards of {sizes} cards")
    columns = takewhile(lambda cards: len({*cards}) == 1, zip(*runs, strict=True))
    common = len([*columns])
    if common < open_cards:
        raise BadHand(SkipReason.WRONG_BOARD, "the boards do not share the cards before the runs")
    rest = [card for board in boards for card in board[common:]]
    if rules.variant is not HOLDEM:
        acts = [(None, action) for action in actions]
        courses = [course_of_cards(rules, state.cards, [board], acts) for board in boards]
        _check_twice((), (*chain(*state.cards), *state.board, *rest))
        return replace(ending, runs=tuple([course.state for course in courses]))
    holes = state.holdings
    _check_twice(holes, (*state.board, *rest))
    return replace(ending, runs=tuple([replay(rules, holes, board, actions) for board in boards]))


def _check_twice(holes: Holes, board: Board) -> None:
    cards = [*board]
    for hole in holes:
        if hole is not None:
            cards += _CARDS_OF[hole]
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise BadHand(SkipReason.DUPLICATE_CARD, f"{format_card(twice)} comes twice")


def confirm(record: HandRecord, rules: Rules) -> None:
    """Raise `BadHand` unless a hand pays the same under other rules, in one run."""
    if record.more_boards:
        raise BadHand(SkipReason.NOT_REPRESENTABLE, RUN_TWICE)
    if record.house:
        raise BadHand(SkipReason.NOT_REPRESENTABLE, "money of the house beside the pots")
    if record.rake and rules.rake is None:
        raise BadHand(SkipReason.NOT_REPRESENTABLE, f"a rake of {record.rake}")
    if rules == record.rules:
        return
    if not same_stakes(rules, record.rules):
        raise BadHand(SkipReason.NOT_REPRESENTABLE, "antes or stakes that it does not express")
    ending = ending_of(rules, record.actions, record.holes, record.board)
    ending.settle(record.holes, record.board, amounts_of(record.payoffs))


# Verification of raked hands.
#
# A site deducts its rake from each pot before paying, by a rule that its texts do not state, so
# what can be verified is that the winners of the pots, and nobody else, got the rest of them. Where
# the rules do state a rake, the engine deducts it.


Winnings = Sequence[Fraction | int]
"""Chips by seat, won if positive."""

_KEPT: Final = 1 << 14
_ROUNDING: Final = Fraction(1, 2_000_000)
"""Largest rounding error of an amount of six decimals."""
MOST_RAKE: Final = Fraction(1, 4)
"""Largest share of a pot that can be rake: no house takes more, but for a chip of a tiny pot."""


def settle_raked(ending: BettingOutcome, logged: Winnings) -> Payoffs:
    """Return the payoffs of the hand that ``ending`` was made from, compared with the log.

    Without rake this is `BettingOutcome.settle`. With it each winner gets the pots that the engine
    awards, less at most the rake, within a chip for each pot that may be rounded otherwise. Of
    several runs each awards its part of every pot. Where unknown cards decide, the log is trusted
    if its payoffs are possible. Raises `BadHand`.
    """
    state, runs = ending.state, 1 + len(ending.runs)
    unit = state.rules.denominator
    won = list(logged) if unit == 1 else [amount * unit for amount in logged]
    parts = payoff_parts(state) if runs == 1 else _mean_parts((state, *ending.runs))
    # Hands without rake are the usual case, and end here before anything costly is worked out.
    if won == parts:
        return exact(logged)
    rake = -sum(won)
    known = state.rules.rake is not None
    small = rake == 0 or abs(Fraction(rake)) <= len(won) * unit * _ROUNDING
    if runs == 1 and (known or small):
        holes = state.holdings if state.rules.variant is HOLDEM else ()
        return ending.settle(holes, state.board, amounts_of(exact(logged)))
    if rake < 0:
        raise _wrong(logged, "more than was put in")
    losses = [chips * unit for chips in at_stake(state)]
    if any(map(lt, won, map(neg, losses))):
        raise _wrong(logged, "more than somebody put in")
    if rake > MOST_RAKE * sum(losses) + unit:
        raise _wrong(logged, f"more than {MOST_RAKE} of the pot is missing")
    expected = "which the unknown cards cannot lead to"
    if parts is not None:
        # Most hands have one pot; finding more costs as much as all the rest.
        if _is_due(won, parts, losses, rake, unit) or _is_due(
            won, parts, losses, rake, unit * len(pots(state)) * runs
        ):
            return exact(logged)
        due = tuple([Fraction(amount) / unit for amount in parts])
        expected = f"the rules pay {format_amounts(due)} before rake"
    # Unknown cards can explain any division among those who showed down, but the others get
    # nothing.
    if ending.hides and all(
        seat in ending.contenders or got == -loss
        for seat, (got, loss) in enumerate(zip(won, losses, strict=True))
    ):
        return exact(logged)
    raise _wrong(logged, expected)


def _mean_parts(states: Sequence[HandState]) -> list[Fraction] | None:
    """Return the payoffs by seat of runs that have equal parts of every pot; None while unknown."""
    parts = [payoff_parts(state) for state in states]
    known = [amounts for amounts in parts if amounts is not None]
    if len(known) < len(states):
        return None
    return [Fraction(sum(of_seat), len(states)) for of_seat in zip(*known, strict=True)]


def _is_due(
    won: Winnings, parts: Winnings, losses: Sequence[int], rake: Fraction | int, rounding: int
) -> bool:
    """Return whether payoffs are the engine's but for the rake and the rounding of pots.

    Rake is taken from winners: who wins nothing has lost exactly the chips `at_stake`.
    """
    for got, due, loss in zip(won, parts, losses, strict=True):
        if due == -loss:
            if got != due:
                return False
        elif not due - rake - rounding <= got <= due + rounding:
            return False
    return True


MOST_ROUNDED: Final = 2
"""Chips that the text of a tournament's hand, where none can be raked, may lose by rounding."""


def is_rounded(ending: BettingOutcome, logged: Winnings, most: Fraction | int = 1) -> bool:
    """Return whether a log differs from the rules only by ``most`` chips for each pot.

    These are the odd chips of a pot that is divided; who wins nothing by either wins nothing.
    """
    state = ending.state
    if not is_settled(state):
        return False
    most *= len(pots(state))
    return all(
        got == due if -spent in (got, due) else abs(got - due) <= most
        for got, due, spent in zip(logged, payoffs(state), state.spent, strict=True)
    )


def uncalled(state: HandState) -> tuple[Chips, ...]:
    """Return by seat the uncalled part of the highest bet, or of an ante that put others all-in.

    It is returned unless the seat has folded: a late entrant may do so after a big blind that was
    too short.
    """
    rules = state.rules
    antes = rules.antes or (Chips(0),) * rules.seats
    stacks = rules.stacks or state.spent
    most = max(antes)
    claims = [
        spent if stack < ante else most + spent - ante
        for spent, ante, stack in zip(state.spent, antes, stacks, strict=True)
    ]
    called, highest = sorted(claims)[-2:]
    if called == highest:
        return (Chips(0),) * rules.seats
    seat = claims.index(highest)
    back = Chips(highest - called) if seat in state.in_hand else Chips(0)
    return (*[Chips(0)] * seat, back, *[Chips(0)] * (rules.seats - seat - 1))


def at_stake(state: HandState) -> list[Chips]:
    """Return by seat the chips that it loses if it wins nothing: all it put in that was called."""
    return list(map(sub, state.spent, uncalled(state)))


def exact(amounts: Winnings) -> Payoffs:
    """Return amounts as fractions; those of whole chips are made once."""
    return tuple([_whole(amount) if isinstance(amount, int) else amount for amount in amounts])


@lru_cache(_KEPT)
def _whole(amount: int) -> Fraction:
    return Fraction(amount)


def _wrong(logged: Winnings, why: str) -> BadHand:
    return BadHand(SkipReason.WRONG_PAYOFF, f"the log pays {format_amounts(exact(logged))}, {why}")
