"""Rendering of pages and parts of pages."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from msgspec import structs
from starlette.responses import HTMLResponse, Response

from railbird import __version__
from railbird.cards import (
    RANKS,
    SUITS,
    Card,
    Suits,
    card_of,
    parse_cards,
    rank_of,
    suit_of,
)
from railbird.game import Act, Betting, Street
from railbird.histories import HandRecord
from railbird.players.advice import steps
from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages import HandOver, HandView
from railbird.protocol.redaction import (
    HandMoment,
    SeatHolder,
    draw_views,
    hand_view,
    texts,
)
from railbird.report.number_format import display_name
from railbird.serve.middleware import FOR_PROGRAMS, line_response, problem_response
from railbird.serve.mounts import links
from railbird.table.felt import Felt, FeltSeat, felt_of, pots_of
from railbird.table.words import (
    RANK_NAMES,
    SUIT_NAMES,
    LogLine,
    amount,
    hand_lines,
    line_text,
    made_in,
    short_name,
)
from railbird.units import Chips

# The felt on a page, and the replay of a finished hand.


PLACES: Final[dict[int, tuple[str, ...]]] = {
    1: ("me",),
    2: ("me", "tc"),
    3: ("me", "lh", "rh"),
    4: ("me", "lh", "tc", "rh"),
    5: ("me", "ll", "lh", "rh", "rl"),
    6: ("me", "ll", "lh", "tc", "rh", "rl"),
    7: ("me", "ll", "lh", "tl", "tr", "rh", "rl"),
    8: ("me", "ll", "lh", "tl", "tc", "tr", "rh", "rl"),
    9: ("me", "bl", "ll", "lh", "tl", "tr", "rh", "rl", "br"),
    10: ("me", "bl", "ll", "lh", "tl", "tc", "tr", "rh", "rl", "br"),
}
"""Areas of the felt's grid by number of chairs, clockwise from the viewer's at the bottom. No more
than two seats share the height of the board, so that it has the whole width of a phone."""

MOST_PLACED: Final = max(PLACES)


def seat_area(seat: FeltSeat, table: Felt) -> str:
    """Return the area of the felt's grid in which a seat lies; empty where there are too many."""
    if table.around <= MOST_PLACED:
        return PLACES[max(table.around, 1)][seat.distance]
    if len(table.seats) <= MOST_PLACED:
        return PLACES[len(table.seats)][table.seats.index(seat)]
    return ""


# Replay of a finished hand, step by step, as one viewer may see it.
#
# Cards are hidden by the protocol's own redaction, before anything is drawn. `Sight.OPEN` shows
# what the record has; what is not to be seen at all has to be absent from the record.


_HOUSE: Final = "house:"
_DEEP: Final = 1000
"""Largest bets in the stacks that are drawn where a game has none."""


class Sight(Enum):
    """Which cards the viewer of a replay sees."""

    OWN = "own"
    """One's own, and those of others once they were shown."""
    OPEN = "open"
    """All that the record has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayLine:
    """A line of the hand's log, and the step that it belongs to."""

    line: LogLine
    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A hand at one of its steps."""

    step: int
    """0 before anybody acts."""
    last: int
    """Number of the last step, the payout."""
    felt: Felt
    lines: tuple[ReplayLine, ...]
    """The whole log; those after ``step`` have not happened yet."""
    own: str
    """What the viewer holds, in words; empty for nothing."""
    said: str
    """What happened in this step."""
    to_act: str
    """The player to act next; empty if there is none."""
    unit: str
    """What a chip is, where it is money."""


def replay_of(
    record: HandRecord, *, viewer: str | None = None, step: int | None = None, sight: Sight
) -> Replay:
    """Return a hand at a step, by default the last, as ``viewer`` sees it.

    Steps beyond the last are the last one.
    """
    names = shown_names(record.players)
    me = None if viewer not in record.players else names[record.players.index(viewer)]
    moments, over = _moments(record, names)
    last = len(moments)
    at = last if step is None else min(max(step, 0), last)
    moment = moments[min(at, last - 1)]
    ending = over if at == last else None
    seen = hand_view(moment, me)
    revealed = [] if sight is Sight.OWN else [*map(texts, moment.cards_known())]
    actor = moment.state.actor if ending is None else None
    felt = felt_of(
        seen,
        to_act=actor,
        pots=pots_of(seen) if ending is None else None,
        over=ending,
        revealed=revealed,
    )
    views = [hand_view(moment, me) for moment in moments]
    if sight is Sight.OPEN and record.rules.variant.throws_away:
        views = [*map(_with_draws, views, moments)]
    lines = _lines(views, over)
    step_lines = [line.line for line in lines if line.step == at]
    own = felt.me
    return Replay(
        step=at,
        last=last,
        felt=felt,
        lines=lines,
        own="" if own is None or not own.cards else made_in(seen, own.cards),
        said=". ".join(map(line_text, step_lines)) or "Blinds are posted and cards are dealt",
        to_act="" if actor is None else names[actor],
        unit=_unit(record),
    )


def _with_draws(view: HandView, moment: HandMoment) -> HandView:
    """Return a view that has what everybody exchanged, as far as the record does."""
    seats = [
        structs.replace(seat, draws=draw_views(moment, number, is_own=True))
        for number, seat in enumerate(view.seats)
    ]
    return structs.replace(view, seats=seats)


def step_before_act(record: HandRecord, act: int | None) -> int | None:
    """Return the step at which the player of an action, counted from 0, is about to take it."""
    if act is None:
        return None
    count = 0
    for place, step in enumerate(steps(record)):
        if isinstance(step.event, Act):
            if count == act:
                return place - 1
            count += 1
    return None


def acts_of_spots(record: HandRecord) -> frozenset[int]:
    """Return the actions, from 0, of no-limit hands that two players have left after the flop."""
    if record.rules.betting is not Betting.NO_LIMIT:
        return frozenset()
    acts, count = set(), 0
    for step in steps(record):
        if isinstance(step.event, Act):
            if step.before.street > Street.PREFLOP and len(step.before.in_hand) == 2:
                acts.add(count)
            count += 1
    return frozenset(acts)


def shown_names(players: Iterable[str]) -> tuple[str, ...]:
    """Return names without invisible characters, numbered where they look alike."""
    unique_names: list[str] = []
    for name in map(display_name, players):
        count, unique = 1, name
        while unique in unique_names:
            count += 1
            unique = f"{name} ({count})"
        unique_names.append(unique)
    return tuple(unique_names)


def _moments(record: HandRecord, names: tuple[str, ...]) -> tuple[list[HandMoment], HandOver]:
    """Return the hand after each of its events, and its payout."""
    rules = record.rules
    if rules.stacks is None:
        deep = _DEEP * max(rules.bet_sizes)
        record = replace(record, rules=replace(rules, stacks=(Chips(deep),) * rules.seats))
    holders = tuple(
        SeatHolder(
            name, PlayerKind.HOUSE if name.startswith(_HOUSE) else PlayerKind.PERSON, chair + 1
        )
        for chair, name in enumerate(names)
    )
    number = 1 if record.number is None else record.number
    moments: list[HandMoment] = []
    for event, before, after in steps(record):
        last = moments[-1] if moments else HandMoment("", number, before, holders)
        moments.append(last.next_moment(event, before, after))
    won = [math.floor(amount) for amount in record.payoffs]
    runs = record.more_boards[rules.variant.boards - 1 :]  # those before are the game's
    stacks = [had + gain for had, gain in zip(record.rules.stacks or (), won, strict=True)]
    over = HandOver(
        table="",
        hand=number,
        pots=pots_of(hand_view(moments[-1], None)),
        won=won,
        stacks=stacks,
        rake=max(0, -sum(won)) if record.rake else 0,
        second_board=texts(runs[0]) if runs else None,
    )
    return moments, over


def _lines(views: list[HandView], over: HandOver) -> tuple[ReplayLine, ...]:
    """Number the lines of the log by the step in which they come."""
    names = [short_name(seat.name) for seat in views[-1].seats]
    every = list(hand_lines(views[-1], over, names=names))
    numbered = []
    past = 0
    for step, view in enumerate(views):
        until = sum(1 for _ in hand_lines(view, names=names))
        numbered += [ReplayLine(line=line, step=step) for line in every[past:until]]
        past = until
    return (*numbered, *(ReplayLine(line=line, step=len(views)) for line in every[past:]))


def _unit(record: HandRecord) -> str:
    if not record.currency or record.denomination == 1:
        return f"amounts in {record.currency}" if record.currency else ""
    return f"a chip is {record.currency}{float(record.denomination):g}"


_HERE = Path(__file__).parent
STATIC = _HERE / "static"

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def _faces(text: str) -> list[dict[str, str]]:
    """Describe for a template the cards of a text such as ``AsTd``."""
    return [
        {
            "rank": _RANKS[rank_of(card)],
            "suit": SUIT_NAMES[suit_of(card)],
            "sign": Suits.SYMBOLS.value[suit_of(card)],
            "name": f"{RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}s",
        }
        for card in parse_cards(text)
    ]


def deck_by_suit(cell: Callable[[Card], Any]) -> list[dict[str, Any]]:
    """Return a row for each suit, spades first, with what ``cell`` says of its cards."""
    return [
        {
            "name": f"{SUIT_NAMES[suit]}s",
            "suit": SUIT_NAMES[suit],
            "cards": [cell(card_of(rank, suit)) for rank in reversed(range(len(RANKS)))],
        }
        for suit in reversed(range(len(SUITS)))
    ]


def _in_units(chips: int, unit: int = 1) -> str:
    """Write chips, or how many units they are, in tenths."""
    return amount(chips) if unit == 1 else f"{chips / unit:,.1f}".removesuffix(".0")


def _query(values: dict[str, str]) -> str:
    """Return the query of an address, without empty values."""
    return urlencode({key: value for key, value in values.items() if value})


def board_words(text: str) -> str:
    """Return cards such as ``AsTd`` with signs of their suits.

    >>> board_words("AsTd")
    'A♠ 10♦'
    """
    return " ".join(face["rank"] + face["sign"] for face in _faces(text))


def line_words(line: str) -> str:
    """Return a line as people say it.

    >>> line_words("bet 200 raise 700 call Tc check")
    'bet 200, raise to 700, call, 10♣, check'
    """
    words: list[str] = []
    for word in line.split():
        if word.isdecimal() and words:
            words[-1] += f" to {word}" if words[-1] == "raise" else f" {word}"
        else:
            words.append(board_words(word) if _CARD.fullmatch(word) else word)
    return ", ".join(words)


_CARD: Final = re.compile("[2-9TJQKA][cdhs]")


def signed_amount(value: float, digits: int = 1) -> str:
    """Format an amount with its sign, a true minus sign, and no sign at zero.

    >>> signed_amount(-0.5), signed_amount(3), signed_amount(-0.001, 2)
    ('−0.5', '+3.0', '0.00')
    """
    text = f"{abs(value):,.{digits}f}"
    if not float(text.replace(",", "")):
        return text
    return ("−" if value < 0 else "+") + text


def plain_amount(value: float) -> str:
    """Format an amount with all digits that it has, and no more.

    >>> plain_amount(10.0), plain_amount(9.5), plain_amount(123456789.25)
    ('10', '9.5', '123456789.25')
    """
    return f"{value:.15g}"


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "faces": _faces,
        "signed": signed_amount,
        "plain": plain_amount,
        "chips": _in_units,
        "place": seat_area,
        "shown_name": display_name,
        "short_name": short_name,
        "query": _query,
        "suits": board_words,
        "line_words": line_words,
    }
    environment.globals |= {"version": __version__, "links": links}
    return environment


_TEMPLATES = _environment()


def is_partial(request: Request) -> bool:
    """Return whether htmx is asking for a part of the page."""
    return request.headers.get("hx-request") == "true"


def page_response(template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Render a template."""
    return HTMLResponse(_TEMPLATES.get_template(template).render(**values), status)


def part(template: str, **values: Any) -> str:
    """Render a part of a page."""
    return _TEMPLATES.get_template(template).render(**values)


def problem(request: Request, status: int, text: str) -> Response:
    """Report a problem in one line: in the page's notice area, as a page, as text, or as JSON.

    A person who must log in first gets a link to the log-in page.
    """
    if request.url.path.startswith(FOR_PROGRAMS):
        return problem_response(request.url.path, text, status)
    wants_html = "text/html" in request.headers.get("accept", "")
    if is_partial(request) and status == 401:
        answer = page_response("log_in_first.html.jinja", status=status, text=text)
        answer.headers.update({"HX-Retarget": "#notice", "HX-Reswap": "innerHTML"})
        return answer
    if is_partial(request) or not wants_html:
        return line_response(text, status)
    words, where, label = _NEXT.get(status, _NEXT[404])
    if text == HTTPStatus.NOT_FOUND.phrase:  # of an address that nothing answers
        text = "There is no such page."
    if status in _OF_SECTION:
        home = f"/{request.url.path.split('/')[1]}"
        where, label = (home, _HOMES[home]) if home in _HOMES else (where, label)
    return page_response(
        "problem.html.jinja",
        status=status,
        title="Sorry",
        text=sentence(text),
        words=words,
        where=where,
        label=label,
    )


_NEXT: Final[dict[int, tuple[str, str, str]]] = {
    401: ("", "/account?next=/play", "Log in or sign up"),
    403: ("Go back, load that page again, and try once more.", "/", "To the first page"),
    404: ("", "/play", "To the lobby"),
    409: ("Things have gone on meanwhile; look at how they stand now.", "/play", "To the lobby"),
    413: ("Choose a smaller file, or a part of it.", "/report", "To the upload"),
    422: ("Go back and change what you entered.", "/", "To the first page"),
    429: ("Wait a minute, then try again.", "/", "To the first page"),
    500: ("Try again; what you have played is kept.", "/play", "To the lobby"),
    503: ("Wait a moment, then try again.", "/", "To the first page"),
}
"""What to do next after a problem, by its status, and the link that leads there."""
_HOMES: Final = {"/spots": "Back to the spots", "/train": "Back to your training"}
"""Sections to whose first page a problem leads back, where it is one of what was entered there."""
_OF_SECTION: Final = frozenset({404, 409, 413, 422, 503})


def sentence(text: str) -> str:
    """Write a message as a sentence; the name of a file at its beginning stays as it is.

    >>> sentence("the file: it is cut off"), sentence("x.spot: no board"), sentence("Too long.")
    ('The file: it is cut off.', 'x.spot: no board.', 'Too long.')
    """
    first = text.partition(" ")[0].rstrip(":,")
    text = text[:1].upper() + text[1:] if first.isalpha() else text
    return text if text.endswith((".", "?", "!")) else f"{text}."
