"""Open Hand History: hold'em with any betting, cash games and tournaments, read and written."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import partial
from itertools import chain
from operator import add
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct, ValidationError, convert, field

from railbird.cards import HOLDEM, VARIANTS, Variant, format_card
from railbird.errors import BadInput, placed
from railbird.game import BOARD_CARDS, ActionName, Betting, Raise, Rules, Street
from railbird.histories.betting import BettingAction, BettingSequence, course_of
from railbird.histories.format import ReadOptions, WriteOptions, attempt, hand_or_skipped
from railbird.histories.record import (
    BadHand,
    HandRecord,
    RefusedHand,
    Skipped,
    SkipReason,
    not_representable,
)
from railbird.histories.refused_money import Accounts, refused_hand
from railbird.histories.sites.money import (
    CODES,
    DECIMALS,
    UNIT,
    Conventions,
    LateSmallBlind,
    Notation,
    Uncalled,
    read_currency,
)
from railbird.histories.sites.other_games import other_game
from railbird.histories.sites.replay import (
    BOARD_SIZES,
    PostKind,
    SiteHand,
    SiteVerb,
    in_whole_chips,
    record_of,
)
from railbird.histories.text_values import (
    NUMBER,
    HandNumber,
    hand_number,
    hole_cards,
)
from railbird.histories.variant_hands import course_of_record
from railbird.histories.verify import (
    BettingOutcome,
    at_stake,
    ending_of,
    outcome_of,
    same_stakes,
)
from railbird.units import Chips

# Objects of Open Hand History, as far as a hand needs them; other fields are ignored.


_MOST: Final = Decimal(10**15)
_LONGEST: Final = 200
"""Maximum characters of a text: a name, an address, a kind of action."""
_MANY: Final = 1000
"""Maximum number of players, rounds, and actions of a round."""
_MOST_CARDS: Final = 10


class Amount(int):
    """An amount in units of `money.UNIT`; a type of its own, for msgspec to ask `_value`."""


class Cards(tuple[str, ...]):
    """Cards of a round or of an action."""

    __slots__ = ()


_NOTHING: Final = Amount(0)
_NO_CARDS: Final = Cards()

Text = Annotated[str, Meta(max_length=_LONGEST, pattern=r"^[^\ud800-\udfff]*$")]
"""A text without halves of surrogate pairs, which cannot be encoded."""


def _value(kind: type, json_value: object) -> object:
    """Return an amount or cards, for msgspec. Raises `ValueError`."""
    return Amount(_in_units(json_value)) if kind is Amount else Cards(_listed(json_value))


def _in_units(amount: object) -> int:
    """Return an amount in units of `money.UNIT`; zero if it is missing."""
    if amount is None or amount == "":
        return 0
    try:
        exact = Decimal(str(amount))
        units = exact * UNIT if 0 <= exact < _MOST else None
    except InvalidOperation:  # no number
        units = None
    if units is None:
        raise ValueError(f"{str(amount)[:40]} is no amount")
    if units != int(units):
        raise ValueError(f"{str(amount)[:40]} has too many decimals")
    return int(units)


def _listed(cards: object) -> Sequence[str]:
    """Return cards as a list; sites also omit them or write null or a single text."""
    listed = cards.replace(",", " ").split() if isinstance(cards, str) else cards or ()
    if not isinstance(listed, list | tuple) or len(listed) > _MOST_CARDS:
        raise ValueError(f"no list of at most {_MOST_CARDS} cards")
    if not all(isinstance(card, str) and len(card) <= _LONGEST for card in listed):
        raise ValueError("a card that is no text")
    return listed


class OhhPlayer(Struct, frozen=True):
    """A seat of the table."""

    id: int
    seat: Annotated[int, Meta(ge=0, le=999)]
    name: Text
    starting_stack: Amount
    is_sitting_out: bool | None = None


class OhhAction(Struct, frozen=True):
    """Something that happens; its amount is what the player puts in with it."""

    action: Text
    player_id: int | None = None
    amount: Amount = _NOTHING
    is_allin: bool | None = None
    cards: Cards = _NO_CARDS


class OhhRound(Struct, frozen=True):
    """A street, with the cards that it adds to the board."""

    street: Text
    cards: Cards = _NO_CARDS
    actions: Annotated[tuple[OhhAction, ...], Meta(max_length=_MANY)] = ()


class PlayerWins(Struct, frozen=True):
    """A player's share of a pot."""

    player_id: int
    win_amount: Amount
    cashout_amount: Amount = _NOTHING
    bonus_amount: Amount = _NOTHING


class OhhPot(Struct, frozen=True):
    """A pot; its amount includes the rake."""

    amount: Amount
    rake: Amount | None = None
    jackpot: Amount = _NOTHING
    player_wins: Annotated[tuple[PlayerWins, ...], Meta(max_length=_MANY)] = ()


class BetLimit(Struct, frozen=True):
    """Betting structure and cap."""

    bet_type: Text
    bet_cap: Amount = _NOTHING


class Hand(Struct, frozen=True):
    """One hand."""

    game_type: Text
    bet_limit: BetLimit
    players: Annotated[tuple[OhhPlayer, ...], Meta(max_length=_MANY)]
    rounds: Annotated[tuple[OhhRound, ...], Meta(max_length=_MANY)]
    pots: Annotated[tuple[OhhPot, ...], Meta(max_length=_MANY)]
    dealer_seat: int
    game_number: Text = ""
    start_date_utc: Text | None = None
    local_date: Text | None = field(name="_local_date", default=None)
    """Extension: the time of a hand whose time zone is unknown."""
    table_name: Text | None = None
    currency: Text | None = None
    small_blind_amount: Amount = _NOTHING
    big_blind_amount: Amount = _NOTHING
    tournament: bool | None = None
    tournament_info: dict[str, Any] | None = None
    flags: Annotated[tuple[Text, ...], Meta(max_length=_MANY)] | None = None
    site_name: Text | None = None
    play_money: bool | None = field(name="_play_money", default=None)
    """Extension: whether chips without a currency are play money."""
    decimals: Annotated[int, Meta(ge=0, le=8)] | None = field(name="_decimals", default=None)
    """Extension: the decimals of a chip, where the amounts do not show them."""


# Reading.


_BEGINS: Final = re.compile(r'"ohh"\s*:')
_HAND: Final = re.compile(r'\s*\{\s*"ohh"\s*:')
_MARKS: Final = re.compile(r'\\.|["{}]', re.DOTALL)
_LONGEST_HAND: Final = 1 << 20
"""Maximum characters of a hand; one of ten players has some ten thousand."""
_LONGEST_NUMBER: Final = 40
_NAME: Final = "Railbird"

BET_TYPES: Final = {"NL": Betting.NO_LIMIT, "PL": Betting.POT_LIMIT, "FL": Betting.LIMIT}
_PLAY_MONEY: Final = "XPM"
NO_MONEY: Final = (_PLAY_MONEY, "PPC", "CHIPS")
"""Currencies of play money. We write the first also for chips that may be anything."""
_POSTS: Final = {
    "Post Ante": PostKind.ANTE,
    "Post SB": PostKind.SMALL_BLIND,
    "Post BB": PostKind.BIG_BLIND,
    "Post Dead": PostKind.DEAD_BLIND,
    "Post Extra Blind": PostKind.EXTRA_BLIND,
    "Straddle": PostKind.STRADDLE,
}
_VERBS: Final = {
    "Fold": SiteVerb.FOLD,
    "Check": SiteVerb.CHECK,
    "Call": SiteVerb.CALL,
    "Bet": SiteVerb.PUT_IN,
    "Raise": SiteVerb.PUT_IN,
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
        hand = attempt(item.text, _record, item, options)
        yield hand_or_skipped(hand, item.line, ended=item.ended, refused=partial(_refused, item))


def _record(item: _Object, options: ReadOptions) -> HandRecord:
    hand = _site_hand(_logged_hand(item), variants=options.variants)
    return record_of(hand, _CONVENTIONS, options, item.line)


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


def _refused(item: _Object) -> RefusedHand:
    """Return what the text tells of a hand that is refused. Raises `BadHand`.

    A player who sells a hand to the house has its price in place of what the cards win.
    """
    logged_hand = _logged_hand(item)
    names = {player.id: player.name for player in logged_hand.players}
    accounts, big, ante = Accounts(), int(logged_hand.big_blind_amount), 0
    for action in chain.from_iterable(street.actions for street in logged_hand.rounds):
        if action.action in _POSTS or action.action in _VERBS:
            accounts.pay(_name(action.player_id, names), action.amount)
            ante = max(ante, action.amount if action.action == "Post Ante" else 0)
    sold = False
    for pot in logged_hand.pots:
        for wins in pot.player_wins:
            sold |= bool(wins.cashout_amount or wins.bonus_amount)
            amount = (wins.cashout_amount or wins.win_amount) + wins.bonus_amount
            accounts.collect(_name(wins.player_id, names), amount)
    accounts.return_uncalled()
    head = _head(logged_hand)
    small, big = int(logged_hand.small_blind_amount), int(logged_hand.big_blind_amount)
    if head.betting is Betting.LIMIT:
        small, big = big, 2 * big
    return refused_hand(
        accounts.won(logged_hand.big_blind_amount, sold=sold),
        head.number,
        played_at=head.played_at,
        betting=head.betting,
        stakes=(small, big),
        ante=ante,
        currency=head.currency,
    )


def _logged_hand(item: _Object) -> Hand:
    """Return the fields of an object. Raises `BadHand`."""
    if len(item.text) > _LONGEST_HAND:
        raise BadHand(SkipReason.UNREADABLE, f"more than {_LONGEST_HAND} characters")
    try:
        document = json.loads(
            item.text, parse_float=_number, parse_int=_number, parse_constant=_no_number
        )
    except (ValueError, RecursionError) as error:
        raise BadHand(SkipReason.UNREADABLE, f"not valid JSON: {str(error)[:100]}") from None
    fields = document.get("ohh")
    if not isinstance(fields, dict):
        raise BadHand(SkipReason.UNREADABLE, "an object without a hand")
    limit = fields.get("bet_limit")
    betting = f"{limit.get('bet_type')}" if isinstance(limit, dict) else ""
    _variant(f"{fields.get('game_type')}", betting)
    try:
        return convert(fields, Hand, strict=False, dec_hook=_value)
    except (ValidationError, UnicodeEncodeError) as error:
        raise BadHand(SkipReason.UNREADABLE, placed(error)) from None


def _variant(game: str, limit: str) -> Variant:
    """Return the game of a hand. Raises `BadHand` for one that is not read."""
    return HOLDEM if game == "Holdem" else other_game(game, limit)


def _number(text: str) -> str:
    """Return a number as an exact text, refusing longer ones than amounts before they cost time.

    So an amount, an id or a name is the same whether a site writes a number or a text.
    """
    if len(text) > _LONGEST_NUMBER:
        raise ValueError(f"a number of {len(text)} characters")
    if text.lstrip("-").isdecimal():
        return text
    number = Decimal(text)
    if not -_LONGEST_NUMBER < number.adjusted() < _LONGEST_NUMBER:
        raise ValueError(f"{text} is no amount")
    return str(number)


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def _site_hand(logged_hand: Hand, *, variants: bool) -> SiteHand:
    if any(flag.casefold() == "run_it_twice" for flag in logged_hand.flags or ()):
        raise BadHand(SkipReason.ANOTHER_GAME, "more than one board")
    take = partial(_take_hand, logged_hand)
    return in_whole_chips(partial(_head, logged_hand), take, variants=variants)


def _take_hand(logged_hand: Hand, hand: SiteHand) -> None:
    chips_of = hand.notation.chips_of
    for player in logged_hand.players:
        hand.take_seat(player.name, player.seat, chips_of(player.starting_stack))
    names = {player.id: player.name for player in logged_hand.players}
    for street in logged_hand.rounds:
        if street.cards:
            size = BOARD_SIZES.get(street.street.upper())
            if size is None:
                raise BadHand(SkipReason.WRONG_BOARD, f"cards in round {street.street[:20]!r}")
            hand.deal(street.cards, size)
        for action in street.actions:
            _take(hand, action, names)
    for pot in logged_hand.pots:
        _take_pot(hand, pot, names)


def _head(logged_hand: Hand) -> SiteHand:
    """Return a hand without its players and their play. Raises `BadHand`."""
    betting = BET_TYPES.get(logged_hand.bet_limit.bet_type.upper())
    if betting is None:
        raise BadHand(SkipReason.ANOTHER_GAME, f"bet type {logged_hand.bet_limit.bet_type[:20]!r}")
    tournament = bool(logged_hand.tournament or logged_hand.tournament_info)
    code = (logged_hand.currency or "").upper()
    number = logged_hand.game_number
    decimals = logged_hand.decimals
    # What we write says so itself where chips are play money; formerly it named us as the site.
    is_ours = decimals is not None or logged_hand.site_name == _NAME
    hand = SiteHand(
        number=hand_number(number) if re.fullmatch(NUMBER, number) else HandNumber(),
        betting=betting,
        currency="" if tournament or code in NO_MONEY else read_currency(code),
        tournament=tournament,
        variant=_variant(logged_hand.game_type, logged_hand.bet_limit.bet_type),
        site="" if logged_hand.site_name == _NAME else logged_hand.site_name or "",
        play_money=(code in NO_MONEY and not is_ours) or bool(logged_hand.play_money),
        table=logged_hand.table_name or "",
        played_at=_moment(logged_hand),
        button=logged_hand.dealer_seat,
        notation=Notation(scale=0 if decimals is None else 10**decimals),
    )
    stakes = logged_hand.small_blind_amount, logged_hand.big_blind_amount
    hand.play_for(*stakes, logged_hand.bet_limit.bet_cap)
    return hand


def _moment(logged_hand: Hand) -> datetime | None:
    try:
        if logged_hand.start_date_utc:
            moment = datetime.fromisoformat(logged_hand.start_date_utc)
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        return datetime.fromisoformat(logged_hand.local_date) if logged_hand.local_date else None
    except (ValueError, OverflowError):
        return None


def _take(hand: SiteHand, action: OhhAction, names: dict[int, str]) -> None:
    kind = action.action
    if kind in _FROM_THE_HOUSE:
        raise BadHand(SkipReason.ANOTHER_GAME, "the house adds money to the pot")
    if kind in _IDLE:
        return
    player = hand.player(_name(action.player_id, names))
    chips = hand.notation.chips_of(action.amount)
    if kind in _POSTS:
        hand.post(player, _POSTS[kind], chips, all_in=bool(action.is_allin))
    elif kind in _VERBS:
        hand.act(player, *_VERBS[kind].row(chips))
    elif kind not in _CARDS:
        raise BadHand(SkipReason.UNREADABLE, f"an action {kind[:40]!r}")
    cards = "".join(action.cards)
    if cards.upper().strip("X?") and (len(action.cards) == 2 or hand.variant is not HOLDEM):
        hand.show(player, cards, mucked=kind == "Mucks Cards")


def _name(player: int | None, names: dict[int, str]) -> str:
    name = names.get(player) if player is not None else None
    if name is None:
        raise BadHand(SkipReason.UNREADABLE, f"no player has the id {player}")
    return name


def _take_pot(hand: SiteHand, pot: OhhPot, names: dict[int, str]) -> None:
    chips_of = hand.notation.chips_of
    if pot.rake is not None or pot.jackpot:
        hand.rake = (hand.rake or 0) + chips_of((pot.rake or 0) + pot.jackpot)
    hand.total = (hand.total or 0) + chips_of(pot.amount)
    for wins in pot.player_wins:
        if wins.cashout_amount or wins.bonus_amount:
            raise BadHand(SkipReason.ANOTHER_GAME, "the house buys a hand, or adds to a pot")
        hand.player(_name(wins.player_id, names)).won += chips_of(wins.win_amount)


# Writer of Open Hand History 1.4, one hand per line.


VERSION: Final = "1.4.7"
"""Version of the specification."""
_PROGRAM: Final = "1.0.0"
_NAMES: Final = {betting: name for name, betting in BET_TYPES.items()}
_BIG_BETS: Final = 1000
"""Stack in big bets that is written where stacks are unlimited."""
_ESCAPED: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that end a line for some programs, or cannot be encoded."""

_GAME_TYPES: Final = {
    HOLDEM: "Holdem",
    **{VARIANTS[name]: "Omaha" for name in ("omaha", "omaha5", "omaha6")},
    **{VARIANTS[f"{name}-hilo"]: "OmahaHiLo" for name in ("omaha", "omaha5", "omaha6")},
}
"""The games that are written; how many cards Omaha has is seen from the cards alone."""

_Json = dict[str, object]


def write(records: Iterable[HandRecord], options: WriteOptions) -> Iterator[str | Skipped]:
    """Write an object for each hand, with seats numbered from the left of the button."""
    del options  # the format has no head and no choices
    for record in records:
        try:
            text = json.dumps(
                {"ohh": _hand_object(record)}, ensure_ascii=False, separators=(",", ":")
            )
            text = _ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
            _check(record, text)
        except BadInput as error:
            yield not_representable(record, error)
        else:
            yield f"{text}\n\n"


def _check(record: HandRecord, text: str) -> None:
    """Refuse hands that would not read back the same, if need be under a site's rules."""
    (back,) = read([text], ReadOptions(variants=True))
    if isinstance(back, Skipped):
        raise BadInput(f"not played as on sites: {back.detail}")
    if not same_stakes(back.rules, record.rules):
        raise BadInput("posts or stakes that no site has")
    cards = tuple(own if any(card is not None for card in own) else () for own in record.cards)
    if back != dataclasses.replace(record, rules=back.rules, cards=cards, comment=""):
        raise BadInput("the format does not express all of the hand")


def _hand_object(record: HandRecord) -> _Json:
    rules = record.rules
    seats = len(record.players)
    if record.currency not in ("", *CODES) and len(record.currency) != 3:
        raise BadInput(f"no code for the currency {record.currency}")
    if rules.betting not in _NAMES:
        raise BadInput(f"{rules.betting.value} betting")
    variant: Variant = rules.variant
    if variant not in _GAME_TYPES:
        raise BadInput(f"{variant.name} in Open Hand History")
    if variant is HOLDEM:
        ending = ending_of(rules, record.actions, record.holes, record.board)
    else:
        ending = outcome_of(course_of_record(record))
        rules = dataclasses.replace(rules, variant=HOLDEM)  # the same betting
    course = course_of(rules, record.actions)
    small, big = _blinds(rules)
    site = (record.source.site if record.source else "") or _NAME
    hand: _Json = {
        "spec_version": VERSION,
        "site_name": site,
        "network_name": site,
        "internal_version": _PROGRAM,
        "game_number": record.number_text if record.number is None else str(record.number),
        "start_date_utc": None,
        "table_name": record.table,
        "game_type": _GAME_TYPES[variant],
        "bet_limit": {"bet_type": _NAMES[rules.betting], "bet_cap": 0},
        "table_size": seats,
        "currency": CODES.get(record.currency, record.currency) or _PLAY_MONEY,
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
    if record.tournament:
        hand["tournament"] = True
    if record.play_money:
        hand["_play_money"] = True
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


def _rounds(record: HandRecord, course: BettingSequence, ending: BettingOutcome) -> list[_Json]:
    actions: dict[str, list[_Json]] = {street.name: [] for street in Street}
    actions["PREFLOP"] += [*_posts(record), *_dealt(record, ending)]
    for move in course.moves:
        actions[move.street.name].append(_action(record, move))
    actions["SHOWDOWN"] = list(_shown(record, ending))
    numbers = iter(range(1, sum(map(len, actions.values())) + 1))
    rounds = list[_Json]()
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


def _round(number: int, street: str, cards: list[str]) -> _Json:
    return {"id": number, "street": street.capitalize(), "cards": cards}


def _posts(record: HandRecord) -> Iterator[_Json]:
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


def _paid(record: HandRecord, seat: int, kind: str, chips: int, *, all_in: bool) -> _Json:
    stack = _stacks(record.rules)[seat]
    paid: _Json = {
        "player_id": seat,
        "action": kind,
        "amount": _amount(record, min(chips, stack)),
    }
    return paid | {"is_allin": True} if all_in else paid


def _dealt(record: HandRecord, ending: BettingOutcome) -> Iterator[_Json]:
    for seat in range(len(record.players)):
        cards = _cards(record, seat)
        if cards and seat not in ending.contenders:
            yield {"player_id": seat, "action": "Dealt Cards", "cards": cards}


def _shown(record: HandRecord, ending: BettingOutcome) -> Iterator[_Json]:
    for seat in ending.contenders:
        cards = _cards(record, seat)
        if cards:
            yield {"player_id": seat, "action": "Shows Cards", "cards": cards}
        else:
            yield {"player_id": seat, "action": "Mucks Cards"}


def _cards(record: HandRecord, seat: int) -> list[str]:
    """Return a seat's cards; none unless all are known."""
    if record.rules.variant is not HOLDEM:
        known = [format_card(card) for card in record.cards[seat] if card is not None]
        return known if len(known) == len(record.cards[seat]) else []
    hole = record.holes[seat]
    if hole is None:
        return []
    return list(map(format_card, hole_cards(hole, low_first=record.low_first >> seat & 1)))


def _action(record: HandRecord, move: BettingAction) -> _Json:
    """Return an action; its amount is what the player puts in with it."""
    action: _Json = {"player_id": move.seat}
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


def _pot(record: HandRecord, ending: BettingOutcome) -> _Json:
    """Return all pots as one, without uncalled bets."""
    state = ending.state
    put_in = at_stake(state)
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
