"""Writer of Open Hand History 1.4, one hand per line."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC
from fractions import Fraction
from operator import add, sub
from typing import Final

from railbird.cards import format_card
from railbird.errors import BadInput
from railbird.game import BOARD_CARDS, Betting, Raise, Rules, Street
from railbird.game.notation import ActionName
from railbird.histories.betting import BettingAction, BettingSequence, course_of
from railbird.histories.card_text import hole_cards
from railbird.histories.format import ReadOptions, WriteOptions
from railbird.histories.open_hand_history import read as open_hand_history
from railbird.histories.open_hand_history.read import BET_TYPES
from railbird.histories.rake import uncalled
from railbird.histories.record import HandRecord, Skipped, not_representable
from railbird.histories.sites.money import DECIMALS, SIGNS
from railbird.histories.stakes import same_stakes
from railbird.histories.verify import Ending, ending_of
from railbird.units import Chips

VERSION: Final = "1.4.7"
"""Version of the specification."""
_PROGRAM: Final = "1.0.0"
_NAME: Final = "Railbird"
_PLAY_MONEY: Final = "XPM"
_CODES: Final = {sign: code for code, sign in SIGNS.items()}
_NAMES: Final = {betting: name for name, betting in BET_TYPES.items()}
_BIG_BETS: Final = 1000
"""Stack in big bets that is written where stacks are unlimited."""
_ESCAPED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that end a line for some programs, or cannot be encoded."""

_Object = dict[str, object]


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write an object for each hand, with seats numbered from the left of the button."""
    del options  # the format has no head and no choices
    for record in records:
        try:
            text = json.dumps({"ohh": _hand(record)}, ensure_ascii=False, separators=(",", ":"))
            text = _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
            _check(record, text)
        except BadInput as error:
            yield not_representable(record, error)
        else:
            yield f"{text}\n\n"


def _check(record: HandRecord, text: str) -> None:
    """Refuse hands that would not read back the same, if need be under a site's rules."""
    (back,) = open_hand_history.read([text], ReadOptions())
    if isinstance(back, Skipped):
        raise BadInput(f"not played as on sites: {back.detail}")
    if not same_stakes(back.rules, record.rules):
        raise BadInput("posts or stakes that no site has")
    if back != dataclasses.replace(record, rules=back.rules, comment=""):
        raise BadInput("the format does not express all of the hand")


def _hand(record: HandRecord) -> _Object:
    rules = record.rules
    seats = len(record.players)
    if record.currency not in ("", *_CODES) and len(record.currency) != 3:
        raise BadInput(f"no code for the currency {record.currency}")
    if rules.betting not in _NAMES:
        raise BadInput(f"{rules.betting.value} betting")
    ending = ending_of(rules, record.actions, record.holes, record.board)
    course = course_of(rules, record.actions)
    small, big = _blinds(rules)
    hand: _Object = {
        "spec_version": VERSION,
        "site_name": _NAME,
        "network_name": _NAME,
        "internal_version": _PROGRAM,
        "game_number": "" if record.number is None else str(record.number),
        "start_date_utc": None,
        "table_name": record.table,
        "game_type": "Holdem",
        "bet_limit": {"bet_type": _NAMES[rules.betting], "bet_cap": 0},
        "table_size": seats,
        "currency": _CODES.get(record.currency, record.currency) or _PLAY_MONEY,
        "dealer_seat": seats,
        "small_blind_amount": _amount(record, small),
        "big_blind_amount": _amount(record, big),
        "ante_amount": _amount(record, max(rules.antes, default=0)),
        "flags": [],
        "players": [
            {
                "id": seat,
                "seat": seat + 1,
                "name": name,
                "starting_stack": _amount(record, stack),
            }
            for seat, (name, stack) in enumerate(zip(record.players, _stacks(rules), strict=True))
        ],
        "rounds": _rounds(record, course, ending),
        "pots": [_pot(record, ending)],
        "_decimals": _decimals(record),
    }
    if record.played_at is not None:
        moment = record.played_at
        zoned = moment.tzinfo is not None
        text = moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if zoned else ""
        hand |= {"start_date_utc": text} if zoned else {"_local_date": moment.isoformat()}
    return hand


def _decimals(record: HandRecord) -> int:
    """Return the number of decimals of a chip in the unit of the amounts."""
    scale = 1 / record.denomination
    for decimals in range(DECIMALS + 1):
        if scale == 10**decimals:
            return decimals
    raise BadInput(f"chips of {record.denomination} {record.currency}".rstrip())


def _amount(record: HandRecord, chips: Fraction | int) -> int | float:
    """Return an amount as a number that JSON writes with all its digits."""
    exact = chips * record.denomination
    if exact.denominator == 1:
        return int(exact)
    if 10**DECIMALS % exact.denominator or abs(exact) >= 10**7:
        raise BadInput(f"an amount of {chips} chips")
    return float(exact)


def _blinds(rules: Rules) -> tuple[int, int]:
    big = rules.bet_sizes[0] if rules.betting is Betting.LIMIT else rules.bet_sizes[-1]
    small = rules.blinds[-1 if rules.seats == 2 else 0] or big // 2
    return small, big


def _stacks(rules: Rules) -> tuple[Chips, ...]:
    return rules.stacks or (Chips(_BIG_BETS * rules.bet_sizes[2]),) * rules.seats


def _rounds(record: HandRecord, course: BettingSequence, ending: Ending) -> list[_Object]:
    actions: dict[str, list[_Object]] = {street.name: [] for street in Street}
    actions["PREFLOP"] += [*_posts(record), *_dealt(record, ending)]
    for move in course.moves:
        actions[move.street.name].append(_action(record, move))
    actions["SHOWDOWN"] = list(_shown(record, ending))
    numbers = iter(range(1, sum(map(len, actions.values())) + 1))
    rounds = list[_Object]()
    for street in [*Street][: course.street + 1]:
        seen = BOARD_CARDS[street - 1] if street else 0
        board = record.board[seen : BOARD_CARDS[street]]
        rounds.append(_round(len(rounds), street.name, list(map(format_card, board))))
    if actions["SHOWDOWN"]:
        rounds.append(_round(len(rounds), "SHOWDOWN", []))
    for betting_round in rounds:
        done = actions[str(betting_round["street"]).upper()]
        betting_round["actions"] = [{"action_number": next(numbers), **action} for action in done]
    return rounds


def _round(number: int, street: str, cards: list[str]) -> _Object:
    return {"id": number, "street": street.capitalize(), "cards": cards}


def _posts(record: HandRecord) -> Iterator[_Object]:
    """Yield the antes, the blinds and the posts of late entrants, as far as the stacks go."""
    rules = record.rules
    antes = rules.antes or (Chips(0),) * rules.seats
    same = len(set(antes)) == 1
    small, big = (1, 0) if rules.seats == 2 else (0, 1)
    left = list(_stacks(rules))
    for seat, ante in enumerate(antes):
        left[seat] = Chips(left[seat] - min(ante, left[seat]))
        if ante:
            kind = "Post Ante" if same else "Post Dead"
            yield _paid(record, seat, kind, ante, all_in=not left[seat])
    for seat in [small, big, *range(2, rules.seats)]:
        chips = min(rules.blinds[seat], left[seat])
        kind = {small: "Post SB", big: "Post BB"}.get(seat, "Post Extra Blind")
        if seat > 1 and rules.blinds[seat] > rules.blinds[big]:
            kind = "Straddle"
        if chips:
            yield _paid(record, seat, kind, chips, all_in=chips == left[seat])


def _paid(record: HandRecord, seat: int, kind: str, chips: int, *, all_in: bool) -> _Object:
    stack = _stacks(record.rules)[seat]
    paid: _Object = {
        "player_id": seat,
        "action": kind,
        "amount": _amount(record, min(chips, stack)),
    }
    return paid | {"is_allin": True} if all_in else paid


def _dealt(record: HandRecord, ending: Ending) -> Iterator[_Object]:
    for seat in range(len(record.players)):
        if record.holes[seat] is not None and seat not in ending.contenders:
            yield {"player_id": seat, "action": "Dealt Cards", "cards": _cards(record, seat)}


def _shown(record: HandRecord, ending: Ending) -> Iterator[_Object]:
    for seat in ending.contenders:
        if record.holes[seat] is None:
            yield {"player_id": seat, "action": "Mucks Cards"}
        else:
            yield {"player_id": seat, "action": "Shows Cards", "cards": _cards(record, seat)}


def _cards(record: HandRecord, seat: int) -> list[str]:
    hole = record.holes[seat]
    assert hole is not None
    cards = hole_cards(hole, low_first=record.low_first >> seat & 1)
    return list(map(format_card, cards))


def _action(record: HandRecord, move: BettingAction) -> _Object:
    """Return an action; its amount is what the player puts in with it."""
    action: _Object = {"player_id": move.seat}
    kind, put_in, to = move.name, move.to_call, move.bet
    if isinstance(move.action, Raise):
        to = move.action.to
        put_in = Chips(to - move.bet + move.to_call)
        if move.street is Street.PREFLOP:  # where the blinds are bets, even if nobody posted any
            kind = ActionName.RAISE
    elif kind is not ActionName.CALL:
        return action | {"action": kind.word.capitalize()}
    action |= {"action": kind.word.capitalize(), "amount": _amount(record, put_in)}
    return action | {"is_allin": True} if _is_all_in(record.rules, move, to) else action


def _is_all_in(rules: Rules, move: BettingAction, to: Chips) -> bool:
    """Return whether a bet of so much on this street takes the rest of a stack."""
    if rules.stacks is None:
        return False
    ante = rules.antes[move.seat] if rules.antes and move.street is Street.PREFLOP else 0
    return move.before + ante + to >= rules.stacks[move.seat]


def _pot(record: HandRecord, ending: Ending) -> _Object:
    """Return all pots as one, without uncalled bets."""
    state = ending.state
    put_in = list(map(sub, state.spent, uncalled(state)))
    won = list(map(add, record.payoffs, put_in))
    return {
        "number": 0,
        "amount": _amount(record, sum(put_in)),
        "rake": _amount(record, record.rake),
        "player_wins": [
            {"player_id": seat, "win_amount": _amount(record, chips)}
            for seat, chips in enumerate(won)
            if chips
        ],
    }
