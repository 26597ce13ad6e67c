"""A no-limit hand of two players as a spot: board, pot, stacks, bets made, and stated ranges.

`solved_decisions` values decisions by itself, with readings of ranges that nobody chooses; here
everything is written out as a file of `railbird.solve.spot`, to be changed before it is solved.

Ranges before the flop are those of the presets, by seat and by what was done last: raised first,
three-bet, called; with two seats, those of the heads-up presets. Where the spot begins on a later
street, they are narrowed by what players who bet alike held after the flop
(`railbird.modelling.betting_ranges`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from railbird._terminal_safe import visible
from railbird.cards import TEXT_OF_CARD, Range, format_cards, format_holding
from railbird.errors import BadInput, NothingUsable
from railbird.game import Betting, Call, Fold, Raise, Rules, Street
from railbird.game.actions import betting_action
from railbird.histories import HandRecord, Skipped, read
from railbird.histories.files import LogFile, holds_logs, logs_in
from railbird.modelling.betting_ranges import observed_actions, range_left
from railbird.modelling.tracker import ObservedAction
from railbird.progress import Progress
from railbird.solve.spot import Spot
from railbird.solve.spot.presets import BLINDS_DEEP, PRESETS, USUAL_SIZES
from railbird.solve.spot.spot import PLAYERS
from railbird.solve.spot.tree import ActKind, Ends, Node, SpotAction, build_tree
from railbird.units import Seat

STREETS: Final = {"flop": Street.FLOP, "turn": Street.TURN, "river": Street.RIVER}
OWN_WEIGHT: Final = 0.01
"""Least weight of a holding that the record shows, so that it has a value in the solution."""

_MOST_LINES: Final = 400
"""Lines of a hand's text in which its owner is looked for."""
_STEPS: Final = 20
"""Parts of the likeliest holding's weight, in whole numbers of which a narrowed range is written:
nobody knows it better, and the text stays short enough to be changed by hand."""
_SEATS: Final = ("LJ", "HJ", "CO", "BTN", "SB", "BB")
_EARLY: Final = "early"
_HEADS_UP_SEATS: Final = ("BTN", "BB")
_ALIKE: Final = 1.5
"""The ranges are for stacks within this factor of theirs."""
_USUAL_RAKE: Final = 0.05
_LEAST_RAKE: Final = 0.04
"""A smaller part of a pot is taken for the cap of the usual rake."""
_FOUR_BETS: Final = "QQ+,JJ:0.5,AKs,AKo:0.75,AQs:0.25,A5s-A4s:0.5,KQs:0.25"
_CALLS_OF_FOUR_BETS: Final = (
    "QQ-99,KK:0.5,88-77:0.5,AKs,AQs,AJs:0.5,AKo:0.75,KQs:0.5,QJs:0.25,JTs:0.25"
)
_ESTIMATE: Final = "our own estimate"


@dataclass(frozen=True, slots=True)
class HandSpot:
    """A hand as a spot."""

    street: str
    """Where the spot begins."""
    text: str
    """The lines of a spot's file, with the sources of ranges as comments."""
    players: tuple[str, str]
    """Names, the first to act first."""
    line: str
    """All that was done from there on, as `SpotSolution.node` reads it."""
    decisions: tuple[HandDecision, ...]

    @property
    def spot(self) -> Spot:
        """The spot. Raises `BadInput` if its ranges leave no pair of holdings."""
        return Spot.parse(self.text, name="hand")


@dataclass(frozen=True, slots=True)
class HandDecision:
    """A decision of the hand on the line of its spot."""

    player: int
    """0 for the first to act."""
    line: str
    """What was done before it."""
    action: str
    """What was done."""
    holding: str
    """The cards of who decides; empty where the record does not show them."""
    act: int
    """Its place among all actions of the hand, from 0."""
    street: str


@dataclass(frozen=True, slots=True)
class PlayedSpot:
    """A hand of a log as a spot, with the decision at which its solution opens."""

    number: int
    """Place of the hand in the log, from 1; what could not be read counts."""
    hand: HandSpot
    opening: HandDecision
    """By default the last one of the log's owner."""
    decisions: tuple[HandDecision, ...]
    """All since the first street on which the spot can begin."""
    own: tuple[HandDecision, ...]
    """Of these, the owner's; if nobody is known to be that, those whose cards are shown."""
    streets: tuple[str, ...]
    """On which the spot can begin."""
    big_blind: int


def played_spot(
    log: str | Path | bytes,
    *,
    number: int | None = None,
    street: str | None = None,
    act: int | None = None,
    most: int | None = None,
    progress: Progress | None = None,
) -> PlayedSpot:
    """Return a hand of a log, or of its text, as a spot.

    By default it is the first hand that is a spot, or a spot of the ``street`` named. It opens at
    the action number ``act`` of the hand, from 0, or at the last decision of the log's owner.
    Without a street it begins on the street of that decision. Only the first ``most`` hands are
    read. Raises `BadInput`, and `NothingUsable` where the log has no such hand.
    """
    hands, why, is_read = 0, "", False
    for hands, record in enumerate(islice(read(_source(log), progress=progress), most), 1):
        if number not in (None, hands):
            continue
        if isinstance(record, Skipped):
            why = (
                f"{record.reason.value}, {record.detail}" if record.detail else record.reason.value
            )
            if number is not None:
                raise NothingUsable(f"hand {number} cannot be used: {why}")
            continue
        is_read = True
        streets = streets_of(record)
        if number is not None or (streets and (street is None or street in streets)):
            return _played_spot(hands, record, _owner(log, record), street, act)
    if number is not None and hands:
        raise NothingUsable(f"hand {number}; allowed: 1 to {hands}, the hands of the log")
    if not is_read:
        raise NothingUsable(f"no hand can be read{f': {why}' if why else ''}")
    where = "after the flop" if street is None else f"on the {street}"
    raise BadInput(f"no hand of no-limit hold'em that two players can still bet in {where}")


def _source(log: str | Path | bytes) -> str | Path | BytesIO:
    return BytesIO(log) if isinstance(log, bytes) else log


def _owner(log: str | Path | bytes, record: HandRecord) -> str:
    """Return whose log a hand is, by whom its text names as dealt cards; empty if not one."""
    if record.source is None:
        return ""
    source = _source(log)
    files = logs_in(source) if holds_logs(source) else [LogFile(source)]
    for file in files:
        if isinstance(file, LogFile) and file.name == record.source.file:
            first = record.source.line - 1
            text = "".join(islice(file.lines(), first, first + _MOST_LINES))
            file.close()
            dealt = [name for name in record.players if f"Dealt to {name} " in text]
            return dealt[0] if len(dealt) == 1 else ""
    return ""


def _played_spot(
    number: int, record: HandRecord, owner: str, street: str | None, act: int | None
) -> PlayedSpot:
    first_spot = hand_spot(record)
    decisions = first_spot.decisions
    own = [decision for decision in decisions if first_spot.players[decision.player] == owner]
    own = own or [decision for decision in decisions if decision.holding]
    if street is None:
        street = (own or decisions)[-1].street if act is None else street_of(record, act)
    hand = hand_spot(record, street=street)
    in_spot = {decision.act: decision for decision in hand.decisions}
    wanted = [act, *(decision.act for decision in reversed(own))]
    opening = next((in_spot[place] for place in wanted if place in in_spot), hand.decisions[-1])
    return PlayedSpot(
        number,
        hand,
        opening,
        decisions,
        tuple(own),
        streets_of(record),
        int(record.rules.big_blind),
    )


def hand_spot(record: HandRecord, *, street: str | None = None) -> HandSpot:
    """Return a hand as a spot of the street named, by default the first that two players see.

    Raises `BadInput` for a hand that has no such street: other betting than no-limit, more than two
    players, or nobody who can still bet.
    """
    if street is not None and street not in STREETS:
        raise BadInput(f"street: {street!r}; allowed: {', '.join(STREETS)}")
    if record.rules.betting is not Betting.NO_LIMIT:
        raise BadInput("a hand that is not no-limit hold'em; allowed: no-limit hold'em")
    seen = list(observed_actions(record))
    names = _streets_of(seen)
    if not names:
        raise BadInput("no street on which two players are left, and both can still bet")
    chosen = names[0] if street is None else street
    if chosen not in names:
        raise BadInput(f"street: {chosen}; allowed for this hand: {', '.join(names)}")
    return _hand_spot(record, seen, chosen)


def street_of(record: HandRecord, act: int) -> str:
    """Return the latest street on which a spot can begin that has an action, from 0, in it.

    Raises `BadInput` if there is none.
    """
    seen = list(observed_actions(record))
    names = [
        name
        for name in (_streets_of(seen) if record.rules.betting is Betting.NO_LIMIT else ())
        if 0 <= act < len(seen) and seen[act].before.street >= STREETS[name]
    ]
    if not names:
        raise BadInput("a decision that is no part of a spot; allowed: two players after the flop")
    return names[-1]


def streets_of(record: HandRecord) -> tuple[str, ...]:
    """Return the names of the streets of a hand on which a spot can begin."""
    if record.rules.betting is not Betting.NO_LIMIT:
        return ()
    return _streets_of(list(observed_actions(record)))


def _streets_of(seen: Sequence[ObservedAction]) -> tuple[str, ...]:
    """Return the streets that begin with two players who can both bet, and on which one acts."""
    names = []
    for name, street in STREETS.items():
        first = next(
            (observed.before for observed in seen if observed.before.street is street), None
        )
        if first is None or len(first.in_hand) != 2 or first.stacks is None:
            continue
        if min(int(first.stacks[seat]) for seat in first.in_hand) > 0:
            names.append(name)
    return tuple(names)


def _hand_spot(record: HandRecord, seen: Sequence[ObservedAction], name: str) -> HandSpot:
    street = STREETS[name]
    on_street = [observed for observed in seen if observed.before.street >= street]
    start = on_street[0].before
    assert start.actor is not None
    assert start.stacks is not None
    players = start.actor, next(seat for seat in start.in_hand if seat != start.actor)
    stack = min(int(start.stacks[seat]) for seat in players)
    board = record.board[: len(start.board)]
    who = (
        f"{visible(record.players[k], layout='')} ({seat_name(record.rules, k)})" for k in players
    )
    of_hand = "" if record.number is None else f", hand {record.number}"
    lines = [f"# {' against '.join(who)}{of_hand}"]
    ranges, sources = [], []
    for seat in players:
        text, source = _range_before_the_flop(record.rules, seen, seat)
        later = [observed for observed in seen if Street.PREFLOP < observed.before.street < street]
        if later:
            weights = Range.parse(text).without(board).weights * range_left(later, seat)
            most = weights.max() or 1.0
            text = str(Range(np.round(np.round(weights / most * _STEPS) / _STEPS, 2)))
            source += ", narrowed by the betting after the flop"
        holding = record.holes[seat]
        if holding is not None and not Range.parse(text).weights[holding] >= OWN_WEIGHT:
            text += f", {format_holding(holding)}:{OWN_WEIGHT:g}"
            source += "; the holding shown was not in it"
        ranges.append(text)
        sources.append(source)
    depth_note = _depth_note(record.rules, players)
    for player, source in zip(PLAYERS, sources, strict=True):
        lines.append(f"# {player}: {source}{depth_note}")
    rake, rake_source = _rake_lines(record, seen)
    lines += [f"# rake: {words}" for words in rake_source]
    fields = {
        "board": format_cards(board),
        "oop": ranges[0],
        "ip": ranges[1],
        "pot": str(int(start.pot)),
        "stack": str(stack),
        "big_blind": str(int(record.rules.big_blind)),
        **USUAL_SIZES[name],
        **rake,
    }
    lines += [f"{key} = {value}" for key, value in fields.items()]
    spot = Spot.parse("\n".join(lines), name="hand")
    first_act = len(seen) - len(on_street)
    spot, words, decisions = _followed(spot, record, on_street, players, len(board), first_act)
    lines += [f"add = {line}" for line in spot.added]
    return HandSpot(
        name,
        "\n".join(lines) + "\n",
        (record.players[players[0]], record.players[players[1]]),
        " ".join(words),
        tuple(decisions),
    )


def _followed(
    spot: Spot,
    record: HandRecord,
    seen: Sequence[ObservedAction],
    players: tuple[Seat, Seat],
    dealt: int,
    first_act: int,
) -> tuple[Spot, list[str], list[HandDecision]]:
    """Follow a hand through a spot's tree, adding bets that it lacks to it."""
    node, street = build_tree(spot)[0].roots[0], seen[0].before.street
    plain: list[str] = []
    words: list[str] = []
    decisions = []
    paid_before = 0
    for act, observed in enumerate(seen, first_act):
        if observed.before.street is not street:
            street = observed.before.street
            cards = record.board[dealt : len(observed.before.board)]
            dealt = len(observed.before.board)
            words += [TEXT_OF_CARD[card] for card in cards]
            node = node.children[0]
            paid_before = node.paid[0]
        if node.kind is not Ends.DECISION:
            break  # all-in for the shorter stack, with chips of the other left to move about
        action = _action(observed, node, spot.stack - paid_before)
        index = next((k for k, known in enumerate(node.actions) if known == action), None)
        if index is None:
            line = " ".join([*plain, str(action)])
            spot = replace(spot, added=(*spot.added, line))
            # A bet that the tree lacks changes the tree, so the hand is followed again from its
            # start. Each time the tree has one more of the hand's bets, so this ends.
            return _followed(spot, record, seen, players, len(seen[0].before.board), first_act)
        holding = record.holes[observed.act.seat]
        decisions.append(
            HandDecision(
                players.index(observed.act.seat),
                " ".join(words),
                str(node.actions[index]),
                "" if holding is None else format_holding(holding),
                act,
                street.name.lower(),
            )
        )
        plain.append(str(node.actions[index]))
        words.append(plain[-1])
        node = node.children[index]
    return spot, words, decisions


def _action(observed: ObservedAction, node: Node, most: int) -> SpotAction:
    """Return what was done as the tree names it; ``most`` is what the shorter stack can bet."""
    is_bet = node.actions[0].act is ActKind.FOLD
    match betting_action(observed.act.action):
        case Fold():
            return SpotAction(ActKind.FOLD)
        case Call():
            return SpotAction(ActKind.CALL if is_bet else ActKind.CHECK)
        case Raise(to):
            # A bet beyond the shorter stack is an all-in for it: what is more cannot be called.
            if int(to) >= most:
                return SpotAction(ActKind.ALL_IN, most)
            return SpotAction(ActKind.RAISE if is_bet else ActKind.BET, int(to))


def seat_name(rules: Rules, seat: Seat) -> str:
    """Name a seat by its place in the order of acting: the last six, and early ones before."""
    names = _HEADS_UP_SEATS if rules.seats == len(_HEADS_UP_SEATS) else _SEATS
    order = (seat - rules.first_to_act[Street.PREFLOP]) % rules.seats
    place = order - (rules.seats - len(names))
    return names[place] if place >= 0 else _EARLY


class _LastDone(Enum):
    """What a player did last before the flop."""

    RAISE = "raises first"
    THREE_BET = "three-bets"
    FOUR_BET = "four-bets or raises again"
    CHECK = "checks"
    LIMP = "limps"
    CALL = "calls a raise"
    CALL_THREE_BET = "calls a three-bet"
    CALL_FOUR_BET = "calls a four-bet or more"


def _last_done(preflop: Sequence[ObservedAction], seat: Seat) -> _LastDone:
    """Return what a seat did last before the flop; one that was never asked has checked."""
    own = [observed for observed in preflop if observed.act.seat == seat]
    if not own:
        return _LastDone.CHECK
    raises, last = own[-1].before.raises, own[-1]
    if isinstance(last.act.action, Raise):
        return (_LastDone.RAISE, _LastDone.THREE_BET, _LastDone.FOUR_BET)[min(raises, 2)]
    if not raises:
        return _LastDone.LIMP if last.before.to_call else _LastDone.CHECK
    return (_LastDone.CALL, _LastDone.CALL_THREE_BET, _LastDone.CALL_FOUR_BET)[min(raises, 3) - 1]


def _range_before_the_flop(
    rules: Rules, seen: Sequence[ObservedAction], seat: Seat
) -> tuple[str, str]:
    """Return the range of a seat by its line before the flop, and where it comes from."""
    preflop = [observed for observed in seen if observed.before.street is Street.PREFLOP]
    name, did = seat_name(rules, seat), _last_done(preflop, seat)
    opener = next(
        (seat_name(rules, o.act.seat) for o in preflop if isinstance(o.act.action, Raise)), ""
    )
    is_heads_up = rules.seats == len(_HEADS_UP_SEATS)
    if did is _LastDone.CHECK:
        return "random", f"{name} checks: any two cards, {_ESTIMATE}"
    if did in _AFTER_FOUR_BETS:
        of_six = " for six seats" if is_heads_up else ""
        return _AFTER_FOUR_BETS[did], f"{name} {did.value}: {_ESTIMATE}{of_six}"
    words = f"{did.value} of {opener}" if did is _LastDone.CALL else did.value
    if is_heads_up:
        preset, player = _HEADS_UP[name, did]
    else:
        preset, player = _at_six_seats(name, did, opener)
    chosen = PRESETS[preset]
    text = chosen.oop if player == "oop" else chosen.ip
    note = "; made for a later seat, which plays more hands" if name == _EARLY else ""
    return text, f"{name} {words}: as {player} in preset {preset} ({chosen.source}){note}"


_AFTER_FOUR_BETS: Final = {
    _LastDone.FOUR_BET: _FOUR_BETS,
    _LastDone.CALL_FOUR_BET: _CALLS_OF_FOUR_BETS,
}
_HEADS_UP: Final = {
    ("BTN", _LastDone.RAISE): ("hu", "ip"),
    ("BTN", _LastDone.LIMP): ("hu", "ip"),
    ("BTN", _LastDone.CALL): ("hu-3", "ip"),
    ("BTN", _LastDone.THREE_BET): ("hu-3", "oop"),
    ("BTN", _LastDone.CALL_THREE_BET): ("hu-3", "ip"),
    ("BB", _LastDone.RAISE): ("hu-3", "oop"),
    ("BB", _LastDone.CALL): ("hu", "oop"),
    ("BB", _LastDone.THREE_BET): ("hu-3", "oop"),
    ("BB", _LastDone.CALL_THREE_BET): ("hu-3", "ip"),
}
"""Preset and player, by seat and what was done last. The button raises after a call of the big
blind as if it three-bet, and so does the big blind that raises after one."""


def _at_six_seats(name: str, did: _LastDone, opener: str) -> tuple[str, str]:
    """Return preset and player of a range at six seats."""
    match did:
        case _LastDone.RAISE:
            return _OPENS.get(name, ("lj-bb", "ip"))
        case _LastDone.THREE_BET:
            return _THREE_BETS.get(name, ("co-bu-3", "ip"))
        case _LastDone.LIMP:
            return "bu-bb", "oop"
        case _LastDone.CALL if name == "BB":
            return _CALLS_OF_BIG_BLIND.get(opener, ("lj-bb", "oop"))
        case _LastDone.CALL:
            return "co-bu", "ip"
        case _:
            return ("bu-bb-3", "ip") if opener in ("BTN", "SB") else ("co-bu-3", "oop")


_OPENS: Final = {
    "CO": ("co-bb", "ip"),
    "BTN": ("bu-bb", "ip"),
    "SB": ("sb-bb", "oop"),
    "BB": ("bu-sb-3", "oop"),
}
_THREE_BETS: Final = {"BB": ("bu-bb-3", "oop"), "SB": ("bu-sb-3", "oop")}
_CALLS_OF_BIG_BLIND: Final = {
    "CO": ("co-bb", "oop"),
    "BTN": ("bu-bb", "oop"),
    "SB": ("sb-bb", "ip"),
}


def _depth_note(rules: Rules, players: Sequence[Seat]) -> str:
    """Say that the ranges are for other stacks, where they are."""
    assert rules.stacks is not None
    stack = min(rules.stacks[seat] for seat in players) / rules.big_blind
    if BLINDS_DEEP / _ALIKE <= stack <= BLINDS_DEEP * _ALIKE:
        return ""
    return f"; made for {BLINDS_DEEP} big blinds, and here are {stack:.0f}"


def _rake_lines(
    record: HandRecord, seen: Sequence[ObservedAction]
) -> tuple[dict[str, str], list[str]]:
    """Return the lines of the rake, and what they assume where the log has no rule but an amount.

    The part that was taken of this pot is taken of every pot. A small part is what a cap left.
    """
    rules = record.rules
    tier = None if rules.rake is None else rules.rake.tier(rules.seats)
    if tier is not None and tier.share:
        lines = {"rake": f"{100 * float(tier.share):g}%"}
        if tier.cap is not None:
            lines["rake_cap"] = f"{float(tier.cap):g}"
        return lines, []
    taken, pot = float(record.rake), _pot_at_end(seen)
    if taken <= 0 or not pot:
        return {}, []
    words = f"{taken:,g} of this hand's {pot:,} chips were taken"
    if taken == int(_USUAL_RAKE * pot):
        share = _USUAL_RAKE
    elif taken < _LEAST_RAKE * pot:
        words += f", which counts as the cap of a rake of {_USUAL_RAKE:.0%}; the log has no rule"
        return {"rake": f"{_USUAL_RAKE:.0%}", "rake_cap": f"{taken:g}"}, [words]
    else:
        share = taken / pot
    lines = {"rake": f"{100 * share:.3g}%"}
    return lines, [f"{words}, and the same part of every pot is here; the log has no rule"]


def _pot_at_end(seen: Sequence[ObservedAction]) -> int:
    """Return the chips that were called, of which rake is taken."""
    last = seen[-1]
    spent = [int(chips) for chips in last.before.spent]
    if isinstance(last.act.action, Call):
        spent[last.act.seat] += int(last.before.to_call)
    most = sorted(spent)[-2]
    return sum(min(chips, most) for chips in spent)
