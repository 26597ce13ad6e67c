"""One hand of any game, street by street, as players read it.

`hand_replay` has hands of heads-up limit beside the baseline's play, `table_document` those of any
hold'em with what each decision was worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from railbird.cards import HOLDEM, cards_of, describe, format_cards, share_words, strength
from railbird.game import Betting, Discard, Fold, Phase, Street, pots
from railbird.histories.variant_hands import course_of_record, dealt_by_street
from railbird.histories.verify import ending_of, uncalled
from railbird.modelling.betting_ranges import observed_actions
from railbird.odds.positions import MOST_SEATS, seat_names
from railbird.players.explanation import action_words
from railbird.report.document import Document, Section, Table
from railbird.report.hand_digest import number_apart
from railbird.report.number_format import MINUS, THIN, cards_text, display_name
from railbird.units import counted

if TYPE_CHECKING:
    from railbird.cards import Card
    from railbird.game import HandState, Rules
    from railbird.histories import HandRecord
    from railbird.units import Seat

_BETTING: Final = {
    Betting.LIMIT: "limit",
    Betting.SPREAD_LIMIT: "spread-limit",
    Betting.POT_LIMIT: "pot-limit",
    Betting.NO_LIMIT: "no-limit",
}
_CARDS_OF_HAND: Final = 5


@dataclass(frozen=True, slots=True)
class HandAction:
    """One action of a hand, amounts in chips."""

    street: int
    seat: int
    words: str
    paid: int
    """Chips that it cost: what went into the pot by it."""
    pot: int
    """The pot after it."""
    stack: int | None
    """What its seat has left; None where stacks are unlimited."""


def position_names(rules: Rules) -> tuple[str, ...]:
    """Return the positions by seat.

    >>> from railbird.game import HEADS_UP_LIMIT, limit_holdem
    >>> position_names(HEADS_UP_LIMIT), position_names(limit_holdem(4))
    (('BB', 'BTN'), ('SB', 'BB', 'CO', 'BTN'))
    """
    seats = rules.seats
    if seats > MOST_SEATS or rules.variant.has_bring_in:
        return tuple(f"seat {seat + 1}" for seat in range(seats))
    if seats == 2:
        return ("BB", "BTN")
    *early, small, big = seat_names(seats)
    return (small, big, *early)


def action_costs(
    record: HandRecord, cards: Callable[[Sequence[Card]], str] = format_cards
) -> Iterator[HandAction]:
    """Yield the actions of a hand with what each cost; ``cards`` writes what is thrown away."""
    before = _before_actions(record)
    after = [*before[1:], _ending(record)[0]]
    for moment, action, following in zip(before, record.actions, after, strict=True):
        seat = moment.actor
        assert seat is not None
        paid = following.spent[seat] - moment.spent[seat]
        left = None if moment.stacks is None else moment.stacks[seat] - paid
        words = action_words(action, moment, lambda chips, _: _amount(record, chips), cards)
        if left == 0 and not isinstance(action, Fold | Discard):
            words += ", all-in"
        street = moment.street + (moment.phase is Phase.DRAW)
        yield HandAction(street, int(seat), words, paid, moment.pot + paid, left)


def _before_actions(record: HandRecord) -> Sequence[HandState]:
    """Return the hand before each of its actions."""
    if record.rules.variant is HOLDEM:
        return [observed.before for observed in observed_actions(record)]
    return course_of_record(record).before


def _ending(record: HandRecord) -> tuple[HandState, Sequence[Seat]]:
    """Return the hand at its end, and the seats in its showdown, if there was one."""
    if record.rules.variant is HOLDEM:
        ending = ending_of(record.rules, record.actions, record.holes, record.board)
        return ending.state, ending.contenders
    state = course_of_record(record).state
    return state, state.in_hand if len(state.in_hand) > 1 else ()


def street_document(record: HandRecord, *, place: int | None = None) -> Document:
    """Put a hand into words: the seats, every street, the showdown and what everybody won.

    ``place`` is that of the hand in a file, from 1.
    """
    return Document(
        title=_title(record, place),
        sections=[_seats(record), *_streets(record), _result(record)],
    )


def street_json(record: HandRecord) -> dict[str, Any]:
    """Return the same as JSON, amounts in chips."""
    names = position_names(record.rules)
    stacks = record.rules.stacks or (None,) * record.rules.seats
    return {
        "number": record.number_text or record.number,
        "table": record.table,
        "played_at": record.played_at,
        "chip": float(record.denomination),
        "currency": record.currency,
        "players": [
            {
                "name": name,
                "position": names[seat],
                "stack": stacks[seat],
                "cards": _plain(_own(record, seat)),
                "won": float(record.payoffs[seat]),
            }
            for seat, name in enumerate(record.players)
        ],
        **({} if record.rules.variant is HOLDEM else {"game": record.rules.variant.name}),
        "boards": [_plain(board) for board in (record.board, *record.more_boards)],
        "actions": [
            {
                "street": record.rules.variant.street_names[action.street],
                "player": record.players[action.seat],
                "action": action.words,
                "paid": action.paid,
                "pot": action.pot,
                "stack": action.stack,
            }
            for action in action_costs(record)
        ],
        "rake": float(record.rake),
    }


def _title(record: HandRecord, place: int | None) -> str:
    name = f"Hand{'' if place is None else f' {place}'}{number_apart(record, place)}"
    when = None if record.played_at is None else f"{record.played_at:%Y-%m-%d %H:%M}"
    table = display_name(record.table) if record.table else ""
    return ", ".join(filter(None, [name, when, table and f"table {table}"]))


def _game(record: HandRecord) -> str:
    """Say which game it was, such as "No-limit hold'em, blinds $0.10/$0.25, 6 players"."""
    rules = record.rules
    words = [f"{_BETTING[rules.betting].capitalize()} {rules.variant.title}"]
    words += ["tournament"] * record.tournament + ["play money"] * record.play_money
    blinds = [chips for chips in rules.blinds if chips]
    if blinds:
        words.append(f"blinds {'/'.join(_amount(record, chips) for chips in sorted(blinds))}")
    if rules.bring_in:
        words.append(f"bring-in {_amount(record, rules.bring_in)}")
    if rules.betting is Betting.LIMIT:
        small, big = (_amount(record, rules.bet_sizes[street]) for street in (0, 3))
        words.append(f"bets {small} and {big}")
    if rules.antes and any(rules.antes):
        same = min(rules.antes) == max(rules.antes)
        ante = _amount(record, rules.antes[0] if same else sum(rules.antes))
        words.append(f"ante {ante}" if same else f"ante {ante} in all")
    return ", ".join([*words, counted(rules.seats, "player")])


def _seats(record: HandRecord) -> Section:
    """List the seats in the order of acting before the flop, with stacks, posts and cards."""
    rules, names = record.rules, position_names(record.rules)
    order = [*range(2, rules.seats), 0, 1] if rules.seats > 2 else [1, 0]
    if rules.bring_in:
        order = list(range(rules.seats))
    rows = []
    for seat in order:
        ante = rules.antes[seat] if rules.antes else 0
        stack = None if rules.stacks is None else rules.stacks[seat]
        posts = [
            f"{what}{_amount(record, chips)}"
            for what, chips in (("ante ", ante), ("", rules.blinds[seat]))
            if chips
        ]
        rows.append(
            (
                names[seat],
                display_name(record.players[seat]),
                "" if stack is None else _amount(record, stack),
                ", ".join(posts),
                _cards(_own(record, seat)[: rules.variant.dealt_size]),
            )
        )
    table = Table(("", "player", "stack", "posts", "cards"), rows, names=2)
    return Section(words=f"{_game(record)}.", table=_without_blanks(table))


def _streets(record: HandRecord) -> Iterator[Section]:
    """Yield the streets that were dealt, with their betting if there was any."""
    names = position_names(record.rules)
    actions = list(action_costs(record, cards_text))
    end, variant = _ending(record)[0], record.rules.variant
    sizes = variant.board_sizes
    in_all = sum(end.spent) - sum(uncalled(end))
    begun = actions[0].pot - actions[0].paid if actions else in_all
    dealt_to_seats = _dealt_later(record)
    for street in range(end.street + 1):
        of_street = [action for action in actions if action.street == street]
        rows = [
            (
                names[action.seat],
                display_name(record.players[action.seat]),
                action.words,
                _amount(record, action.paid) if action.paid else "",
                _amount(record, action.pot) if action.paid else "",
                "" if action.stack is None else _amount(record, action.stack),
            )
            for action in of_street
        ]
        old = 0 if street < Street.TURN else sizes[street - 1]
        size = sizes[street] if sizes[-1] or street < end.street else len(record.board)
        dealt = (_dealt(board[:old], board[old:size]) for board in _boards(record))
        cards = " | ".join(filter(None, dealt))
        table = Table(("", "player", "action", "cost", "pot", "stack left"), rows, names=2)
        name = variant.street_names[street].capitalize()
        words = [f"Pot {_amount(record, begun)}."] if street or not rows else []
        if cards_dealt := dealt_to_seats[street]:
            words.append(f"{'Drawn' if variant.draws else 'Up'}: {', '.join(cards_dealt)}.")
        yield Section(
            heading=f"{'Before the flop' if name == 'Preflop' else name} {cards}".rstrip(),
            words=" ".join(words),
            table=_without_blanks(table) if rows else None,
        )
        begun = min(of_street[-1].pot, in_all) if of_street else begun


def _dealt_later(record: HandRecord) -> list[list[str]]:
    """Return, by street, what was dealt face up to whom, or for cards that he threw away."""
    variant = record.rules.variant
    if not (variant.has_bring_in or variant.draws):
        return [[]] * len(variant.streets)
    dealt = dealt_by_street(record, course_of_record(record))
    lines = [
        [
            f"{display_name(name)} {_cards(own[street.down :])}"
            for name, own in zip(record.players, cards.own, strict=True)
            if own[street.down :] and not (variant.draws and set(own) == {None})
        ]
        for street, cards in zip(variant.streets, dealt, strict=False)
    ]
    return lines + [[]] * (len(variant.streets) - len(lines))


def _result(record: HandRecord) -> Section:
    """Say who showed what, who won which amount, and what left the table."""
    rules, names = record.rules, position_names(record.rules)
    end, contenders = _ending(record)
    back = uncalled(end)
    rows = []
    for seat in sorted(range(rules.seats), key=lambda seat: -record.payoffs[seat]):
        spent = end.spent[seat] - back[seat]
        rows.append(
            (
                names[seat],
                display_name(record.players[seat]),
                _shown(record, seat, is_in=seat in contenders),
                _amount(record, spent),
                _amount(record, record.payoffs[seat] + spent),
                _signed(record, record.payoffs[seat]),
            )
        )
    table = Table(("", "player", "hand", "put in", "won", "result"), rows, names=2)
    return Section(
        heading="Result", words=" ".join(_notes(record, back)), table=_without_blanks(table)
    )


def _notes(record: HandRecord, back: tuple[int, ...]) -> Iterator[str]:
    """Yield sentences on further boards, pots, returned bets, rake and the house."""
    for number, board in enumerate(record.more_boards, 2):
        yield f"Board {number}: {cards_text(board)}."
    for seat, chips in enumerate(back):
        if chips:
            name = display_name(record.players[seat])
            yield f"{_amount(record, chips)} that nobody called went back to {name}."
    amounts = [pot.amount for pot in pots(_ending(record)[0]) if len(pot.seats) > 1]
    if len(amounts) > 1:
        main, *sides = (_amount(record, chips) for chips in amounts)
        word = "side pot" if len(sides) == 1 else "side pots"
        yield f"Main pot {main}, {word} {', '.join(sides)}."
    if record.rake:
        yield f"Rake {_amount(record, record.rake)}."
    for seat, money in enumerate(record.house):
        if money:
            name = display_name(record.players[seat])
            way = "paid" if money > 0 else "took from"
            yield f"Beside the pots the house {way} {name} {_amount(record, abs(money))}."


def _shown(record: HandRecord, seat: int, *, is_in: bool) -> str:
    """Return a seat's cards, at a showdown with what they make."""
    own = _own(record, seat)
    if record.rules.variant.throws_away:
        own = _ending(record)[0].cards[seat]
    if not is_in:
        return "folded" if record.payoffs[seat] <= 0 else _cards(own)
    if not own:
        return "not shown"
    is_over = len(record.board) == _CARDS_OF_HAND or not record.rules.variant.board_sizes[-1]
    made = _made(record, own) if is_over else ""
    return f"{_cards(own)} {made}".strip()


def _made(record: HandRecord, own: Sequence[Card | None]) -> str:
    """Name what cards make on the board; of several boards, or runs of one, on each."""
    known = [card for card in own if card is not None]
    variant = record.rules.variant
    boards = (record.board, *record.more_boards)
    if variant is HOLDEM:
        return " | ".join(describe(strength((*known, *board))) for board in boards)
    if len(known) < _ending(record)[0].cards_each:
        return ""
    made = ([share_words(share, known, board) for share in variant.shares] for board in boards)
    return " | ".join("; ".join(filter(None, words)) for words in made)


def _dealt(old: Sequence[Card], new: Sequence[Card]) -> str:
    return "  ".join(filter(None, [cards_text(old), cards_text(new)]))


def _boards(record: HandRecord) -> Sequence[tuple[Card, ...]]:
    """Return the boards that the game deals; further runs of one board are not among them."""
    return (record.board, *record.more_boards)[: record.rules.variant.boards]


def _own(record: HandRecord, seat: int) -> Sequence[Card | None]:
    """Return a seat's cards, those of which any is known."""
    if record.rules.variant is not HOLDEM:
        cards = record.cards[seat]
        return cards if any(card is not None for card in cards) else ()
    hole = record.holes[seat]
    return () if hole is None else cards_of(hole)


def _cards(own: Sequence[Card | None]) -> str:
    if None in own:
        return THIN.join("??" if card is None else cards_text((card,)) for card in own)
    return cards_text([card for card in own if card is not None])


def _plain(cards: Sequence[Card | None]) -> str:
    return "".join("??" if card is None else format_cards((card,)) for card in cards)


def _amount(record: HandRecord, chips: Fraction | float) -> str:
    """Write chips as the log counts them: in its money, or as whole chips.

    Parts of a cent, of pots that were split, are rounded.
    """
    value = Fraction(chips) * record.denomination
    decimals = 2 if record.denomination < 1 or value.denominator > 1 else 0
    return f"{record.currency}{float(value):,.{decimals}f}"


def _signed(record: HandRecord, chips: Fraction) -> str:
    sign = "+" if chips > 0 else MINUS if chips < 0 else ""
    return f"{sign}{_amount(record, abs(chips))}"


def _without_blanks(table: Table) -> Table:
    blank = [
        place for place in range(2, len(table.columns)) if not any(row[place] for row in table.rows)
    ]
    return table.without(blank)
