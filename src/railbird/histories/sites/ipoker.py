"""Hand histories of iPoker: sessions in XML with their games.

A raise states the total of the street, an all-in the chips put in. Winnings include an uncalled
bet. Actions are numbered, as some programs write them player by player.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from html import unescape
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree.ElementTree import ParseError, fromstring

from railbird.cards import HOLDEM, VARIANTS, Variant
from railbird.game import Betting
from railbird.histories.format import ReadOptions, attempt, hand_or_skipped
from railbird.histories.record import BadHand, HandRecord, RefusedHand, Skipped, SkipReason
from railbird.histories.refused_money import Accounts, refused_hand
from railbird.histories.sites.money import (
    AMOUNT,
    ANY_AMOUNT,
    UNIT,
    Conventions,
    Notation,
    Uncalled,
    currency_in,
    read_currency,
)
from railbird.histories.sites.other_games import other_game, refused_game
from railbird.histories.sites.pokerstars_head import is_another_game
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
    local_time,
    month_number,
)
from railbird.units import Chips

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_GAME_BEGINS: Final = re.compile(r"<game\s+gamecode=")
_GAME_ENDS: Final = "</game>"
_FIELD: Final = re.compile(
    r"<(gametype|mode|tablename|tablecurrency|currency|tournamentname|tournamentcode|buyin)>"
    r"([^<]{0,200})</"
)
_LONGEST_GAME: Final = 1 << 18
"""Maximum characters of a game or before one; a game of twenty players has ten thousand."""

_GAME: Final = re.compile(
    r"(?:Texas )?(?:(Hold'?em |Omaha(?: Hi[ /-]?Lo)? |)"
    r"(?:(NL|SL|БЛ|PL|FL|L)|(No|Pot|Fixed)? ?limit)|(LH)\b.*?Limit)\b ?(.*)",
    re.I,
)
_BETTINGS: Final = {
    "nl": Betting.NO_LIMIT,
    "no": Betting.NO_LIMIT,
    "sl": Betting.NO_LIMIT,
    "бл": Betting.NO_LIMIT,
    "pl": Betting.POT_LIMIT,
    "pot": Betting.POT_LIMIT,
}
"""Betting by its letters, also in Spanish (sin límite) and Russian (без лимита); else limit."""
_STAKES: Final = re.compile(rf"{AMOUNT}/{AMOUNT}(?: Ante {ANY_AMOUNT})?(?: [^\W0-9]+)*")
_AMOUNT: Final = re.compile(AMOUNT)
_DATE: Final = re.compile(
    r"(?:([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})|([0-9]{1,2})[-./](\w{2,3})[-./]([0-9]{4}))"
    r" ([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{1,2}))?"
)
_STREETS: Final = {"Flop", "Turn", "River"}
_POSTS: Final = {"1": PostKind.SMALL_BLIND, "2": PostKind.BIG_BLIND, "15": PostKind.ANTE}
_VERBS: Final = {
    "0": SiteVerb.FOLD,
    "3": SiteVerb.CALL,
    "4": SiteVerb.CHECK,
    "5": SiteVerb.RAISE_BY,
    "6": SiteVerb.PUT_IN,
    "7": SiteVerb.PUT_IN,
    "23": SiteVerb.RAISE_TO,
}
_AWAY: Final = ("8", "9")
_REAL_MONEY: Final = "real"
_PLAY_MONEY: Final = "fun"
"""Modes of sessions."""
_OMAHA: Final = VARIANTS["omaha"]
_CONVENTIONS: Final = Conventions(
    site="iPoker", uncalled=Uncalled.INCLUDED, limit_stakes_are_blinds=False
)


class _Game(NamedTuple):
    """The text of one game."""

    line: int
    session: Mapping[str, str]
    """Values that apply to all games of the session."""
    xml: str
    ended: bool
    """True if the text contains the game's end."""


def recognises(lines: Sequence[str]) -> bool:
    """Return whether one of these lines begins a session or a game."""
    return any("<session sessioncode=" in line or _GAME_BEGINS.search(line) for line in lines)


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories, hand by hand."""
    for game in _games(lines):
        hand = attempt(game.xml, _record, game, options)
        yield hand_or_skipped(hand, game.line, refused=partial(_refused, game))


def _record(game: _Game, options: ReadOptions) -> HandRecord:
    hand = _hand(game, variants=options.variants)
    return record_of(hand, _CONVENTIONS, options, game.line)


def _refused(game: _Game) -> RefusedHand:
    """Return what the text tells of a game that is refused. Raises `BadHand`."""
    root = fromstring(game.xml)
    hand = _begin(game.session, root)
    if hand.variant is not HOLDEM:
        return refused_hand({}, hand.number, played_at=hand.played_at)
    hand.count_in(UNIT)
    accounts, blind, ante = Accounts(), 0, 0
    for player in root.iter("player"):
        if name := player.get("name", "").strip():
            accounts.collect(name, _amount(hand, player, "win"))
    for round_ in sorted(root.findall("round"), key=_number_of):
        if _number_of(round_) > 1:  # in the first the blinds are posted
            accounts.deal()
        for action in sorted(round_.findall("action"), key=_number_of):
            name, kind = action.get("player", "").strip(), action.get("type", "")
            amount = _amount(hand, action, "sum")
            if kind in _POSTS:
                accounts.pay(name, amount, live=_POSTS[kind] is not PostKind.ANTE)
                blind = amount if _POSTS[kind] is PostKind.BIG_BLIND and not blind else blind
                ante = max(ante, amount if _POSTS[kind] is PostKind.ANTE else 0)
            elif kind in _VERBS:
                way = {
                    SiteVerb.RAISE_BY: accounts.raise_by,
                    SiteVerb.RAISE_TO: accounts.raise_to,
                }.get(_VERBS[kind], accounts.pay)
                way(name, amount)
    return refused_hand(
        accounts.won(blind),
        hand.number,
        played_at=hand.played_at,
        betting=hand.betting,
        stakes=hand.stakes or (),
        ante=ante,
        currency=hand.currency,
    )


def _games(lines: Iterable[str]) -> Iterator[_Game]:
    """Cut a text into games, each with the values of its session; only one game is held."""
    session = dict[str, str]()
    text, first, number = "", 1, 0
    for number, line in enumerate(lines, 1):
        may_end = _GAME_ENDS in text[-len(_GAME_ENDS) :] + line
        text += line
        while may_end and _GAME_ENDS in text:
            before, text = text.split(_GAME_ENDS, 1)
            yield from _game(before, first, session, ended=True)
            first = number
        if len(text) > _LONGEST_GAME:
            yield from _game(text, first, session, ended=False)
            text, first = "", number
    yield from _game(text, first, session, ended=False)


def _game(text: str, first: int, session: dict[str, str], *, ended: bool) -> Iterator[_Game]:
    begin = _GAME_BEGINS.search(text)
    head = text if begin is None else text[: begin.start()]
    if "<session" in head:
        session.clear()
    session.update({name: unescape(value.strip()) for name, value in _FIELD.findall(head)})
    if begin is not None:
        xml = text[begin.start() :] + _GAME_ENDS
        yield _Game(first + head.count("\n"), dict(session), xml, ended)


def _hand(game: _Game, *, variants: bool) -> SiteHand:
    """Return the contents of a game. Raises `BadHand`."""
    try:
        # Only what stands inside <game> is parsed, where no document type, and so no entity, can
        # be declared.
        root = fromstring(game.xml)
    except (ParseError, ValueError) as error:
        reason = SkipReason.UNREADABLE if game.ended else SkipReason.CUT
        raise BadHand(reason, f"not valid XML: {error}") from None
    begin = partial(_begin, game.session, root)
    return in_whole_chips(begin, partial(_take_game, root), variants=variants)


def _take_game(root: Element, hand: SiteHand) -> None:
    for player in root.iter("player"):
        _take_player(hand, player)
    rounds = sorted(root.findall("round"), key=_number_of)
    numbers = [_number_of(round_) for round_ in rounds]
    if numbers != list(range(len(rounds))):
        raise BadHand(SkipReason.UNREADABLE, f"rounds {str(numbers)[:60]}")
    for round_ in rounds:
        _take_round(hand, round_)
    _complete_button(hand)


def _begin(session: Mapping[str, str], root: Element) -> SiteHand:
    text = session.get("gametype", "")
    game = _GAME.fullmatch(text)
    if game is None:
        raise refused_game(text)
    name, short, limit, _, rest = game.groups()
    if is_another_game(rest) or (name == "" and _pocket_size(root) <= _OMAHA.hand_size):
        raise refused_game(text)
    tournament = any(session.get(name) for name in ("tournamentname", "tournamentcode", "buyin"))
    code = root.get("gamecode", "")
    hand = SiteHand(
        number=hand_number(code) if re.fullmatch(NUMBER, code) else HandNumber(),
        betting=_BETTINGS.get((short or limit or "").lower(), Betting.LIMIT),
        currency="" if tournament else _currency(session, rest, root),
        tournament=tournament,
        variant=_variant_of(name),
        table=session.get("tablename", ""),
        played_at=_moment(root.findtext("general/startdate") or ""),
        # In a language with a comma before the cents.
        notation=Notation(dot_groups=tournament or "," in rest),
    )
    mode = session.get("mode") or _REAL_MONEY
    if mode not in (_REAL_MONEY, _PLAY_MONEY):
        raise BadHand(SkipReason.UNREADABLE, f"mode {mode[:40]!r}; allowed: real or fun")
    if mode == _PLAY_MONEY:
        hand.for_play_money()
    stakes = _STAKES.fullmatch(rest)
    if stakes is not None:
        hand.play_for(hand.units(stakes[1]), hand.units(stakes[2]))
    elif any(map(str.isdecimal, rest)):
        raise BadHand(SkipReason.UNREADABLE, f"stakes {rest[:60]!r}")
    return hand


def _variant_of(name: str | None) -> Variant:
    """Return the game by its name, which games of five and six cards do not have."""
    if name is None or name.lower().startswith("hold"):
        return HOLDEM
    return other_game(name) if name else _OMAHA


def _pocket_size(root: Element) -> int:
    """Return how many cards were dealt to a player, hidden ones included."""
    pockets = (cards for cards in root.iter("cards") if cards.get("type") == "Pocket")
    return max((len((cards.text or "").split()) for cards in pockets), default=0)


def _currency(session: Mapping[str, str], stakes: str, root: Element) -> str:
    """Return the table's currency, which need not be that of the player's account."""
    code = session.get("tablecurrency")
    if code:
        return read_currency(code)
    player = root.find(".//player")
    chips = "" if player is None else player.get("chips", "")
    return currency_in(stakes) or currency_in(chips) or read_currency(session.get("currency", ""))


def _moment(text: str) -> datetime | None:
    """Return the time on the player's computer."""
    match = _DATE.match(text)
    if match is None:
        return None
    year, month, day, other_day, other_month, other_year, *clock = match.groups()
    if year is None:
        named = month_number(other_month)
        year, day = other_year, other_day
        month = other_month if named is None else str(named)
    hour, minute, second = clock
    if not month.isdecimal():
        return None
    return local_time(int(year), int(month), int(day), int(hour), int(minute), int(second or 0))


def _take_player(hand: SiteHand, player: Element) -> None:
    name, seat = player.get("name", "").strip(), player.get("seat", "")
    if not name:  # an empty seat
        return
    if not seat.isdecimal() or len(seat) > 3:
        raise BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} sits in seat {seat[:9]!r}")
    seated = hand.take_seat(name, int(seat), _amount(hand, player, "chips"))
    seated.won = _amount(hand, player, "win")
    # What it "bet" is no help: sites count a blind or an ante twice there.
    if player.get("dealer") == "1":
        hand.button = int(seat)


def _amount(hand: SiteHand, element: Element, name: str) -> Chips:
    text = element.get(name, "").strip()
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise BadHand(SkipReason.UNREADABLE, f"{name} {text[:40]!r} is no amount")
    return hand.amount(match[1])


def _number_of(element: Element) -> int:
    text = element.get("no", "")
    if not text.isdecimal() or len(text) > 9:
        raise BadHand(SkipReason.UNREADABLE, f"{element.tag} number {text[:40]!r}")
    return int(text)


def _take_round(hand: SiteHand, round_: Element) -> None:
    for cards in round_.findall("cards"):
        _take_cards(hand, cards)
    for action in sorted(round_.findall("action"), key=_number_of):
        _take_action(hand, action)


def _take_cards(hand: SiteHand, cards: Element) -> None:
    """Take cards, written suit first: ``H10 CA``; those of a hidden hand are ``X``."""
    kind = cards.get("type", "")
    written = (cards.text or "").upper().split()
    dealt = hand.notation.cards(" ".join([card[1:] + card[:1].lower() for card in written]))
    if kind in _STREETS:
        hand.deal(dealt, BOARD_SIZES[kind.upper()])
    elif kind == "Pocket" and (name := cards.get("player", "").strip()) in hand.players:
        if hand.variant is HOLDEM and len(written) not in (0, 2):
            raise BadHand(SkipReason.ANOTHER_GAME, f"{len(written)} cards in a hand")
        hand.players[name].dealt_in = True
        text = "".join(dealt)
        if text and "x" not in text:
            hand.show(hand.players[name], text)


def _take_action(hand: SiteHand, action: Element) -> None:
    name, kind = action.get("player", "").strip(), action.get("type", "")
    if kind in _AWAY:
        if name in hand.players:
            hand.players[name].away = True
    elif kind in _POSTS:
        hand.post(hand.player(name), _POSTS[kind], _amount(hand, action, "sum"))
    elif kind in _VERBS:
        verb = _VERBS[kind]
        plain = verb in (SiteVerb.FOLD, SiteVerb.CHECK)
        row = verb.row() if plain else verb.row(_amount(hand, action, "sum"))
        hand.act(hand.player(name), *row)
    else:
        raise BadHand(SkipReason.UNREADABLE, f"an action of type {kind[:9]!r}")


def _complete_button(hand: SiteHand) -> None:
    """Put the button before the small blind where no player has it."""
    if hand.button == 0:
        small = [post.player for post in hand.posts if post.kind is PostKind.SMALL_BLIND]
        if small:
            hand.button = small[0].number - 1 or 99
