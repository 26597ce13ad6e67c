"""Reader of Open Hand History: hold'em with any betting, cash games and tournaments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from railbird.errors import BadInput
from railbird.game import Betting
from railbird.histories.format import ReadOptions
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason
from railbird.histories.sites.conventions import Conventions, LateSmallBlind, Uncalled
from railbird.histories.sites.hand import BOARD_SIZES, Post, SiteHand, Verb
from railbird.histories.sites.money import sign_of
from railbird.histories.sites.replay import record_of

if TYPE_CHECKING:
    from railbird.histories.open_hand_history.model import Action, Hand, Pot

_BEGINS: Final = re.compile(r'"ohh"\s*:')
_HAND: Final = re.compile(r'\s*\{\s*"ohh"\s*:')
_MARKS: Final = re.compile(r'\\.|["{}]', re.DOTALL)
_LONGEST_HAND: Final = 1 << 20
"""Maximum characters of a hand; one of ten players has some ten thousand."""
_LONGEST_NUMBER: Final = 40

BET_TYPES: Final = {"NL": Betting.NO_LIMIT, "PL": Betting.POT_LIMIT, "FL": Betting.LIMIT}
NO_MONEY: Final = ("", "XPM", "PPC", "CHIPS")
"""Currencies of play money."""
_POSTS: Final = {
    "Post Ante": Post.ANTE,
    "Post SB": Post.SMALL_BLIND,
    "Post BB": Post.BIG_BLIND,
    "Post Dead": Post.DEAD_BLIND,
    "Post Extra Blind": Post.EXTRA_BLIND,
    "Straddle": Post.STRADDLE,
}
_VERBS: Final = {
    "Fold": Verb.FOLD,
    "Check": Verb.CHECK,
    "Call": Verb.CALL,
    "Bet": Verb.RAISE_PAYING,
    "Raise": Verb.RAISE_PAYING,
}
_CARDS: Final = ("Dealt Cards", "Shows Cards", "Mucks Cards")
_IDLE: Final = ("Added Chips", "Sits Down", "Stands Up", "Payout")
_FROM_THE_HOUSE: Final = ("Add to Pot", "Added to Pot", "Added To Pot")
_CONVENTIONS: Final = Conventions(
    uncalled=Uncalled.EXCLUDED,
    late_small_blind=LateSmallBlind.LIVE,
    limit_stakes_are_blinds=True,
)


class _Object(NamedTuple):
    """The text of one object."""

    line: int
    text: str
    ended: bool


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines begins a hand."""
    return any(map(_BEGINS.search, lines))


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories, hand by hand."""
    for item in _objects(lines):
        try:
            yield record_of(_hand(item), _CONVENTIONS, options, item.line)
        except BadHand as error:
            reason = error.reason if item.ended else SkipReason.CUT
            yield Skipped(reason, item.line, error.detail)
        except BadInput as error:  # posts and stacks that no table has
            yield Skipped(SkipReason.ANOTHER_GAME, item.line, str(error))


class _Braces:
    """Finder of braces outside strings, in a text that comes in pieces."""

    def __init__(self) -> None:
        self.depth = 0
        """Number of open objects."""
        self._in_string = False

    def find(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the braces of the next piece, which does not end within an escape."""
        for mark in _MARKS.finditer(text):
            if mark[0] == '"':
                self._in_string = self.depth > 0 and not self._in_string
            elif not self._in_string and mark[0] == "{":
                self.depth += 1
                yield mark
            elif not self._in_string and mark[0] == "}" and self.depth:
                self.depth -= 1
                yield mark


def _objects(lines: Iterable[str]) -> Iterator[_Object]:
    """Cut a text into its outermost objects, whatever stands between them.

    An object without its end, for want of a brace or a quote, ends where the next hand begins.
    """
    braces, escape, blank = _Braces(), "", False
    parts, size, first = list[str](), 0, 1
    for number, line in enumerate(lines, 1):
        if braces.depth and (_HAND.match(line) or (blank and line.startswith("{"))):
            yield _Object(first, "".join(parts), ended=True)
            braces, escape, parts, size = _Braces(), "", [], 0
        blank = not line.strip()
        text = escape + line
        escape = "\\" if text.endswith("\\") else ""  # what it escapes is in the next piece
        text = text.removesuffix(escape)
        begin = 0 if braces.depth else len(text)
        for brace in braces.find(text):
            if brace[0] == "{" and braces.depth == 1:
                begin, first = brace.start(), number
            elif braces.depth == 0:
                yield _Object(first, "".join(parts) + text[begin : brace.end()], ended=True)
                parts, size, begin = [], 0, len(text)
        if braces.depth and size <= _LONGEST_HAND:
            parts.append(text[begin:])
            size += len(parts[-1])
    if braces.depth:
        yield _Object(first, "".join(parts), ended=False)


def _hand(item: _Object) -> SiteHand:
    """Return the contents of an object. Raises `BadHand`."""
    from pydantic import ValidationError  # which logs of text do without

    from railbird.histories.open_hand_history.model import Hand

    if len(item.text) > _LONGEST_HAND:
        raise BadHand(SkipReason.UNREADABLE, f"more than {_LONGEST_HAND} characters")
    try:
        whole = json.loads(
            item.text, parse_float=_number, parse_int=_number, parse_constant=_no_number
        )
    except (ValueError, RecursionError) as error:
        raise BadHand(SkipReason.UNREADABLE, f"not valid JSON: {str(error)[:100]}") from None
    fields = whole.get("ohh")
    if not isinstance(fields, dict):
        raise BadHand(SkipReason.UNREADABLE, "an object without a hand")
    game = fields.get("game_type")
    if game != "Holdem":
        raise BadHand(SkipReason.ANOTHER_GAME, repr(game)[:60])
    try:
        return _site_hand(Hand.model_validate(fields))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise BadHand(SkipReason.UNREADABLE, f"{place[:80]}: {first['msg'][:100]}") from None


def _number(text: str) -> int | Decimal:
    """Parse a number exactly, refusing longer ones than amounts before they cost time."""
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(f"a number of {len(text)} characters")
    if text.lstrip("-").isdecimal():
        return int(text)
    number = Decimal(text)
    if not -_LONGEST_NUMBER < number.adjusted() < _LONGEST_NUMBER:
        raise ValueError(f"{text} is no amount")
    return number


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _site_hand(told: Hand) -> SiteHand:
    betting = BET_TYPES.get(told.bet_limit.bet_type.upper())
    if betting is None:
        raise BadHand(SkipReason.ANOTHER_GAME, f"bet type {told.bet_limit.bet_type[:20]!r}")
    if any(flag.casefold() == "run_it_twice" for flag in told.flags or ()):
        raise BadHand(SkipReason.ANOTHER_GAME, "more than one board")
    tournament = bool(told.tournament or told.tournament_info)
    code = (told.currency or "").upper()
    number = told.game_number
    hand = SiteHand(
        number=int(number) if number.isdecimal() and len(number) < 19 else None,
        betting=betting,
        currency="" if tournament or code in NO_MONEY else sign_of(told.currency or ""),
        stakes=(told.small_blind_amount, told.big_blind_amount),
        cap=told.bet_limit.bet_cap or None,
        tournament=tournament,
        table=told.table_name or "",
        played_at=_moment(told),
        button=told.dealer_seat,
        scale=None if told.decimals is None else 10**told.decimals,
    )
    for player in told.players:
        hand.take_seat(player.name, player.seat, player.starting_stack)
    names = {player.id: player.name for player in told.players}
    for street in told.rounds:
        if street.cards:
            size = BOARD_SIZES.get(street.street.upper())
            if size is None:
                raise BadHand(SkipReason.WRONG_BOARD, f"cards in round {street.street[:20]!r}")
            hand.deal("".join(street.cards), size)
        for action in street.actions:
            _take(hand, action, names)
    for pot in told.pots:
        _take_pot(hand, pot, names)
    return hand


def _moment(told: Hand) -> datetime | None:
    try:
        if told.start_date_utc:
            moment = datetime.fromisoformat(told.start_date_utc)
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        return datetime.fromisoformat(told.local_date) if told.local_date else None
    except (ValueError, OverflowError):
        return None


def _take(hand: SiteHand, action: Action, names: dict[int, str]) -> None:
    kind = action.action
    if kind in _FROM_THE_HOUSE:
        raise BadHand(SkipReason.ANOTHER_GAME, "the house adds money to the pot")
    if kind in _IDLE:
        return
    name = _name(action.player_id, names)
    if kind in _POSTS:
        hand.post(name, _POSTS[kind], action.amount, all_in=bool(action.is_allin))
    elif kind in _VERBS:
        verb = _VERBS[kind]
        hand.act(name, verb, None if verb in (Verb.FOLD, Verb.CHECK) else action.amount)
    elif kind not in _CARDS:
        raise BadHand(SkipReason.UNREADABLE, f"an action {kind[:40]!r}")
    if len(action.cards) == 2 and "".join(action.cards).upper().strip("X?"):
        hand.show(name, "".join(action.cards), mucked=kind == "Mucks Cards")


def _name(player: int | None, names: dict[int, str]) -> str:
    name = names.get(player) if player is not None else None
    if name is None:
        raise BadHand(SkipReason.UNREADABLE, f"no player has the id {player}")
    return name


def _take_pot(hand: SiteHand, pot: Pot, names: dict[int, str]) -> None:
    if pot.rake is not None or pot.jackpot:
        hand.rake = (hand.rake or 0) + (pot.rake or 0) + pot.jackpot
    hand.total = (hand.total or 0) + pot.amount
    for wins in pot.player_wins:
        if wins.cashout_amount or wins.bonus_amount:
            raise BadHand(SkipReason.ANOTHER_GAME, "the house buys a hand, or adds to a pot")
        hand.player(_name(wins.player_id, names)).won += wins.win_amount
