"""A hand of any hold'em in plain words, as one seat sees it, for people and language models.

`railbird.table` has the words for spectators of a table.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from railbird.cards import cards_of, format_cards
from railbird.game import Act, Action, Betting, Call, DealBoard, Event, Fold, Raise, View
from railbird.game.actions import betting_action


@dataclass(slots=True)
class HandInWords:
    """The text of one hand, which grows with each event."""

    note: str = ""
    """What else matters to the decision, such as prizes; stays until it is replaced."""
    _story: list[str] = field(default_factory=list)
    _paid: tuple[int, ...] = ()
    _is_bet: bool = True

    def forget(self) -> None:
        """Drop what has happened so far."""
        self._story.clear()

    def begin(self, view: View) -> None:
        """Begin the text of a hand."""
        self._story.clear()
        self._paid, self._is_bet = tuple(view.state.spent), True

    def observe(self, view: View, event: Event) -> None:
        """Add an event to the text."""
        match event:
            case Act(seat=seat, action=action):
                paid = view.state.spent[seat] - (self._paid[seat] if self._paid else 0)
                verb, *amount = _done(action, paid, is_bet=self._is_bet)
                is_own = seat == view.seat
                who = f"you {verb}" if is_own else f"player {seat + 1} {verb}s"
                self._story.append(" ".join((who, *amount)))
                self._is_bet |= isinstance(action, Raise)
                self._paid = tuple(view.state.spent)
            case DealBoard():
                self._is_bet = False
                board = format_cards(view.state.board)
                self._story.append(f"{view.state.street.name.lower()}: {board}")
            case _:
                pass

    def decision(self, view: View) -> str:
        """Return the decision in words: seats, cards, what has happened, the pot, what is legal."""
        state, rules, legal = view.state, view.rules, view.legal
        stacks = state.stacks
        seats = [
            f"{_who(seat, view)} ({_position(seat, rules.seats)}):"
            f" {'unlimited' if stacks is None else stacks[seat]} behind,"
            f" {state.street_bets[seat]} in on this street"
            f"{'' if seat in state.in_hand else ', folded'}"
            for seat in range(rules.seats)
        ]
        cards = format_cards(reversed(cards_of(view.holding)))
        options = ['"fold"'] if legal.fold else []
        options.append(f'"call" ({legal.to_call})' if legal.to_call else '"check"')
        if legal.min_raise_to is not None:
            options.append(f'"raise" to {legal.min_raise_to}–{legal.max_raise_to}')
        kind = {Betting.NO_LIMIT: "No-limit", Betting.POT_LIMIT: "Pot-limit"}
        lines = [
            f"{kind.get(rules.betting, 'Limit')} hold'em, {rules.seats} players, big blind"
            f" {rules.big_blind}.",
            *([self.note] if self.note else []),
            *seats,
            f"Your cards: {cards}",
            f"Board: {format_cards(state.board) or 'none yet'} ({state.street.name.lower()})",
            f"So far: {'; '.join(self._story) or 'nothing but the blinds'}",
            f"Pot: {sum(state.spent)}",
            f"Legal actions: {', '.join(options)}",
        ]
        return "\n".join(lines)


def _who(seat: int, view: View) -> str:
    return "you" if seat == view.seat else f"player {seat + 1}"


def _position(seat: int, seats: int) -> str:
    if seats == 2:
        return ("big blind", "button, small blind")[seat]
    if seat < 2:
        return ("small blind", "big blind")[seat]
    return "button" if seat == seats - 1 else f"{seats - 1 - seat} before the button"


def _done(action: Action, paid: int, *, is_bet: bool) -> tuple[str, ...]:
    """Return the verb of an action, and the amount if it has one."""
    match betting_action(action):
        case Fold():
            return ("fold",)
        case Call():
            return ("call", str(paid)) if paid else ("check",)
        case Raise(to=to):
            return ("raise", f"to {to}") if is_bet else ("bet", str(to))
