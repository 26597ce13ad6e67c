"""Replay of a site's hands by the rules engine."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from railbird.game import Action, Call, Fold, HandState, Raise, Rules
from railbird.game.engine.reported import CALL, FOLD, NEXT_STREET, PUT_IN, RAISE, UNSAID
from railbird.histories.betting import BettingReplay
from railbird.histories.card_text import UNKNOWN
from railbird.histories.format import ReadOptions
from railbird.histories.record import BadHand, HandRecord, SkipReason, Source, renamed
from railbird.histories.sites.conventions import Conventions
from railbird.histories.sites.hand import SiteHand, SitePlayer, TextAction, Verb
from railbird.histories.sites.money import UNIT, scale_for
from railbird.histories.sites.payoffs import SeatedHand, payoffs_of
from railbird.histories.sites.rules import rules_of
from railbird.histories.verify import ending_of, reported_ending
from railbird.units import Chips


def record_of(
    hand: SiteHand, conventions: Conventions, options: ReadOptions, line: int
) -> HandRecord:
    """Return the record of a hand that was legally played. Raises `BadHand`.

    Impossible posts and stacks raise `railbird.errors.BadInput`.
    """
    seated = _seated(hand)
    rules = options.rules or rules_of(seated, conventions)
    if rules.seats != len(seated.names):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(seated.names)} players in a game of {rules.seats} seats"
        )
    try:
        return _record(seated, rules, conventions, options, line)
    except BadHand as error:
        mucked = [player for player in seated.players if player.mucked and not player.won]
        if error.reason is not SkipReason.WRONG_PAYOFF or not mucked:
            raise
        for player in mucked:  # cards thrown away that were better are as good as unknown
            player.hole = UNKNOWN
        return _record(seated, rules, conventions, options, line)


def _record(
    seated: SeatedHand, rules: Rules, conventions: Conventions, options: ReadOptions, line: int
) -> HandRecord:
    hand = seated.hand
    holes = tuple([player.hole.holding for player in seated.players])
    unused = [Chips(0)] * rules.seats
    try:
        ending = reported_ending(rules, _report(seated), holes, hand.board, seated.names)
    except BadHand as error:
        if error.reason is not SkipReason.ILLEGAL_ACTION:
            raise
        actions = _actions(rules, seated, unused)
        ending = ending_of(rules, actions, holes, hand.board)
    return HandRecord(
        rules=rules,
        players=renamed(seated.names, options.rename),
        holes=holes,
        board=hand.board,
        actions=ending.actions,
        payoffs=payoffs_of(seated, ending, conventions, unused),
        number=hand.number,
        table=hand.table,
        played_at=hand.played_at,
        denomination=Fraction(1, seated.scale),
        currency=hand.currency,
        low_first=sum([player.hole.low_first << n for n, player in enumerate(seated.players)]),
        source=Source(options.file, line),
    )


def _seated(hand: SiteHand) -> SeatedHand:
    dealt_in = [name for name, player in hand.players.items() if player.dealt_in]
    if len(dealt_in) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(dealt_in)} players")
    if hand.button == 0:
        raise BadHand(SkipReason.UNREADABLE, "no line names the button")
    places = {name: hand.players[name].number for name in dealt_in}
    names = tuple(sorted(dealt_in, key=lambda name: (places[name] <= hand.button, places[name])))
    players = tuple([hand.players[name] for name in names])
    return SeatedHand(hand, names, players, _scale(hand, players))


def _scale(hand: SiteHand, players: Sequence[SitePlayer]) -> int:
    amounts = [amount for player in players for amount in (player.stack, player.won)]
    amounts += [post.amount for post in hand.posts]
    amounts += [action.amount for action in hand.actions if action.amount is not None]
    amounts += [*(hand.stakes or ()), hand.cap or 0, hand.rake or 0]
    cents = hand.currency or any(stake % UNIT for stake in hand.stakes or ())
    return scale_for(amounts, hand.scale or (100 if cents else 1))


def _report(seated: SeatedHand) -> list[int]:
    """Return a hand's actions in the encoding of `railbird.game.engine.reported`."""
    seat_of = {name: seat for seat, name in enumerate(seated.names)}
    report = list[int]()
    for name, verb, amount in seated.hand.actions:
        if not name:
            report += NEXT_STREET
            continue
        seat = seat_of[name]
        chips = UNSAID if amount is None else seated.chips(amount)
        match verb:
            case Verb.FOLD:
                report += (seat, FOLD, UNSAID, UNSAID)
            case Verb.CHECK:
                report += (seat, CALL, 0, UNSAID)
            case Verb.CALL:
                report += (seat, CALL, chips, UNSAID)
            case Verb.RAISE_TO:
                report += (seat, RAISE, UNSAID, chips)
            case Verb.RAISE_BY:
                report += (seat, RAISE, chips, UNSAID)
            case _:
                report += (seat, PUT_IN, chips, UNSAID)
    return report


def _actions(rules: Rules, seated: SeatedHand, unused: list[Chips]) -> tuple[Action, ...]:
    """Return the actions of a hand that cannot be replayed exactly as reported.

    Absent players fold when it is their turn, and a raise that nobody is left to call is a call;
    the excess is added to ``unused``, by seat. Raises `BadHand`.
    """
    walk = BettingReplay(rules)
    for action in seated.hand.actions:
        _do(walk, action, seated, unused)
    return walk.actions


def _do(walk: BettingReplay, action: TextAction, seated: SeatedHand, unused: list[Chips]) -> None:
    """Apply an action of the text to the engine. Raises `BadHand`."""
    if not action.name:
        walk.deal()
        return
    while walk.state.actor is not None and seated.players[walk.state.actor].away:
        walk.act(Fold())
    state = walk.state
    if state.actor is None or seated.names[state.actor] != action.name:
        raise _illegal(action, "out of turn")
    amount = None if action.amount is None else seated.chips(action.amount)
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
    """Return the difference between the total of the street and an action's amount."""
    match verb:
        case Verb.RAISE_TO:
            return Chips(0)
        case Verb.RAISE_BY:
            return state.bet
        case _:
            return state.street_bets[state.actor or 0]


def _illegal(action: TextAction, why: str) -> BadHand:
    return BadHand(SkipReason.ILLEGAL_ACTION, f"{action.name[:40]} {action.verb.value} {why}")
