"""The page of odds as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from railbird.cards import (
    Card,
    Category,
    Suits,
    format_card,
    format_cards,
    holding_of,
    parse_cards,
    suit_of,
)
from railbird.errors import BadInput, DuplicateCard
from railbird.odds import (
    Opponent,
    ReflectiveOdds,
    implied_odds,
    outs,
    raise_ratio,
    reflective_odds,
    required_equity,
    straight_play,
)
from railbird.odds.spectra import average_weights, reflected_weights
from railbird.report.number_format import percent
from railbird.serve import pages
from railbird.serve.mounts import Mount
from railbird.serve.pages import deck_by_suit
from railbird.table.words import SUIT_NAMES

# What the page of odds shows: numbers, the spectra as bars, and a link for every card.


# What the page of odds is asked, as its address says it.


MOST_OPPONENTS: Final = 9
HOLE: Final = 2
BOARD: Final = 5
STREETS: Final = {"p": "preflop", "f": "flop", "t": "turn", "r": "river"}
"""Names of streets by the letter in the address."""
SEEN: Final = {"p": 0, "f": 3, "t": 4, "r": 5}
"""Cards of the board when a street is played."""
ACTS: Final = ("", "check", "call", "bet", "raise")
PREFLOP_ACTS: Final = ("", "check", "call", "raise")
LOOSENESS: Final = {"": "as usual", "0.5": "half as loose", "2": "twice as loose"}
MOST_AMOUNT: Final = 1e9
_LONGEST: Final = 40


@dataclass(frozen=True, slots=True)
class OpponentText:
    """The form's fields of one opponent: action by letter of the street, and looseness."""

    acts: Mapping[str, str]
    looseness: str = ""

    def opponent(self, board: int) -> Opponent:
        """Return the opponent on a board of so many cards; later actions do not count."""
        words = [
            f"{STREETS[street]}:{act}"
            for street, act in self.acts.items()
            if act and SEEN[street] <= board
        ]
        words += [f"loose={self.looseness}"] if self.looseness else []
        return Opponent.parse(" ".join(words))


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsQuestion:
    """Cards, opponents and pot."""

    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    opponents: tuple[OpponentText, ...]
    pot: float | None
    to_call: float | None

    @classmethod
    def parse(cls, values: Mapping[str, str]) -> OddsQuestion:
        """Read an address's values. Raises `BadInput` for what the page does not send."""
        hole, board = _cards(values, "hole", HOLE), _cards(values, "board", BOARD)
        if len({*hole, *board}) < len(hole) + len(board):
            raise DuplicateCard("a card is in your hand and on the board")
        number = _number(values.get("n") or "1")
        opponents = [
            OpponentText(
                {street: _word(values, f"o{i}{street}", ACTS) for street in STREETS},
                _word(values, f"o{i}l", tuple(LOOSENESS)),
            )
            for i in range(1, number + 1)
        ]
        return cls(
            hole=hole,
            board=board,
            opponents=tuple(opponents),
            pot=_amount(values, "pot"),
            to_call=_amount(values, "call"),
        )

    @property
    def played(self) -> tuple[Card, ...]:
        """The board as far as whole streets are known: no flop of one or two cards."""
        return self.board if len(self.board) >= SEEN["f"] else ()

    def toggled(self, card: Card) -> OddsQuestion:
        """Return the question with a card taken away, or added: to the hand, then to the board."""
        if card in self.hole:
            return replace(self, hole=tuple(held for held in self.hole if held != card))
        if card in self.board:
            return replace(self, board=tuple(dealt for dealt in self.board if dealt != card))
        if len(self.hole) < HOLE:
            return replace(self, hole=(*self.hole, card))
        if len(self.board) < BOARD:
            return replace(self, board=(*self.board, card))
        return self

    def address(self) -> str:
        """Return the query string without default values."""
        values: dict[str, str] = {}
        if self.hole:
            values["hole"] = format_cards(self.hole)
        if self.board:
            values["board"] = format_cards(self.board)
        if len(self.opponents) > 1:
            values["n"] = str(len(self.opponents))
        for i, opponent in enumerate(self.opponents, start=1):
            values |= {f"o{i}{street}": act for street, act in opponent.acts.items() if act}
            values |= {f"o{i}l": opponent.looseness} if opponent.looseness else {}
        values |= {"pot": f"{self.pot:.15g}"} if self.pot is not None else {}
        values |= {"call": f"{self.to_call:.15g}"} if self.to_call is not None else {}
        return urlencode(values)


def _cards(values: Mapping[str, str], name: str, most: int) -> tuple[Card, ...]:
    text = values.get(name, "")
    if len(text) > _LONGEST:
        raise BadInput(f"{name} of {len(text)} characters; allowed: {most} cards")
    cards = parse_cards(text)
    if len(cards) > most:
        raise BadInput(f"{name} of {len(cards)} cards; allowed: up to {most}")
    for card in cards:
        if cards.count(card) > 1:
            raise DuplicateCard(f"{format_card(card)} is named twice")
    return cards


def _number(text: str) -> int:
    if text not in {str(number) for number in range(1, MOST_OPPONENTS + 1)}:
        raise BadInput(f"{text[:_LONGEST]!r} opponents; allowed: 1 to {MOST_OPPONENTS}")
    return int(text)


def _word(values: Mapping[str, str], name: str, allowed: tuple[str, ...]) -> str:
    word = values.get(name, "")
    if word not in allowed:
        raise BadInput(
            f"{name} is {word[:_LONGEST]!r}; allowed: {', '.join(filter(None, allowed))}"
        )
    return word


def _amount(values: Mapping[str, str], name: str) -> float | None:
    text = values.get(name, "").strip()
    if not text:
        return None
    try:
        amount = float(text)
    except ValueError:
        amount = -1.0
    if not 0 <= amount <= MOST_AMOUNT:
        raise BadInput(f"{name} of {text[:_LONGEST]!r}; allowed: 0 to {MOST_AMOUNT:g}")
    return amount


# What the page shows.


BINS: Final = 62
BAR: Final = 5
HALF: Final = 60
"""Width of a bar and height of each half of the picture, in its own units."""
SAMPLES: Final = 2_000
"""Boards before the flop: a standard error of 0.8 % at most, in a time that nobody notices."""
_AHEAD: Final = 0.5
_RANK_NAMES: Final = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the picture."""

    x: float
    y: float
    height: float
    side: str


def odds_view(question: OddsQuestion) -> dict[str, Any]:
    """Return the values of the template; ``problem`` says why something cannot be computed."""
    values: dict[str, Any] = {
        "question": question,
        "hole": format_cards(question.hole),
        "board": format_cards(question.board),
        "suits": deck_by_suit(lambda card: _card(question, card)),
        "opponents": _opponents(question),
        "most": MOST_OPPONENTS,
        "looseness": LOOSENESS,
        "next": _next(question),
        "problem": "",
        "rows": [],
        "bars": [],
        "categories": [],
        "address": question.address(),
        "width": BINS * BAR,
        "half": HALF,
    }
    if len(question.hole) == HOLE:
        try:
            values |= _results(question)
        except BadInput as problem:
            values["problem"] = str(problem)
    return values


def _results(question: OddsQuestion) -> dict[str, Any]:
    holding, board = holding_of(*question.hole), question.played
    opponents = [asked.opponent(len(board)) for asked in question.opponents]
    odds = reflective_odds(holding, board, opponents, samples=SAMPLES)
    rows = [
        ("Best at showdown against what is left of their hands", _share(odds, "reflective")),
        ("The same against any hands", _share(odds, "raw")),
    ]
    if len(opponents) > 1:
        shares = ", ".join(percent(share, 0) for share in odds.reflective.against_each)
        rows.append(("Against each alone", shares))
    rows.append(("Share of their hands that is left", ", ".join(percent(k, 1) for k in odds.kept)))
    if odds.nuts is not None:
        nuts = "the nuts" if odds.nuts else "the reflective nuts" if odds.reflective_nuts else "no"
        rows.append(("Nobody can win against you", nuts))
    left = [reflected_weights(opponent, board) for opponent in opponents]
    ahead = 0.0
    if len(board) in (SEEN["f"], SEEN["t"]):
        average = average_weights(holding, board, left)
        cards = outs(holding, board, average, opponents=len(opponents))
        ahead = cards.ahead
        good = " ".join(format_card(out.card, suits=Suits.SYMBOLS) for out in cards.outs) or "–"
        rows.append((f"Outs ({len(cards.outs)})", good))
    rows += _decision(question, odds, ahead)
    return {"rows": rows, "bars": _bars(odds), "categories": _categories(odds)}


def _share(odds: ReflectiveOdds, attribute: str) -> str:
    shares = getattr(odds, attribute)
    error = f" ± {percent(1.96 * shares.stderr, 1)}" if shares.stderr else ""
    return percent(shares.joint, 1) + error


def _decision(question: OddsQuestion, odds: ReflectiveOdds, ahead: float) -> list[tuple[str, str]]:
    """Return what the pot says, if both its amounts are set."""
    if question.pot is None or question.to_call is None or question.pot + question.to_call == 0:
        return []
    if question.pot < question.to_call:
        return [("A call needs", "a pot that includes the bet")]
    needed = implied_odds(question.to_call, question.pot)
    raising = raise_ratio(len(question.opponents))
    play = straight_play(
        odds.reflective.joint,
        implied=needed / (1 - needed) if needed < 1 else float("inf"),
        raising=raising,
        facing_bet=question.to_call > 0,
        is_made=ahead > _AHEAD,
    )
    return [
        ("A call needs", percent(needed, 1)),
        ("A raise needs of itself", percent(required_equity(raising), 1)),
        ("Straight play", play.value),
    ]


def _bars(odds: ReflectiveOdds) -> list[Bar]:
    """Return the picture's bars: your own above the line, theirs below, before and after."""
    own, theirs_before = odds.before.bins(BINS)
    _, after = odds.after.bins(BINS)
    # Spread wider than one's own, by a scale of its own.
    theirs = max(theirs_before.max(), after.max())
    bars = []
    for side, shares, most in (
        ("own", own, own.max()),
        ("before", theirs_before, theirs),
        ("after", after, theirs),
    ):
        for place, share in enumerate((shares / most * HALF).tolist()):
            if share > 0:
                y = HALF - share if side == "own" else HALF
                bars.append(Bar(place * BAR, round(y, 2), round(share, 2), side))
    return bars


def _categories(odds: ReflectiveOdds) -> list[tuple[str, str, str, str]]:
    before, after = odds.before.by_category(), odds.after.by_category()
    return [
        (
            category.name.lower().replace("_", " "),
            percent(before[category][0], 1),
            percent(before[category][1], 1),
            percent(after[category][1], 1),
        )
        for category in Category
    ]


def _card(question: OddsQuestion, card: Card) -> dict[str, str]:
    text = format_card(card)
    where = "hand" if card in question.hole else "board" if card in question.board else ""
    place_words = {"hand": ", in your hand", "board": ", on the board", "": ""}[where]
    rank = _RANK_NAMES.get(text[0], text[0])
    full = len(question.hole) == HOLE and len(question.board) == BOARD and not where
    return {
        "id": f"card-{text}",
        "text": format_card(card, suits=Suits.SYMBOLS),
        "suit": SUIT_NAMES[suit_of(card)],
        "where": where,
        "name": f"{rank} of {SUIT_NAMES[suit_of(card)]}s{place_words}",
        "address": "" if full else question.toggled(card).address(),
    }


def _opponents(question: OddsQuestion) -> list[dict[str, Any]]:
    return [
        {
            "number": i,
            "looseness": opponent.looseness,
            "streets": [
                {
                    "name": f"o{i}{street}",
                    "label": STREETS[street],
                    "act": opponent.acts[street],
                    "acts": PREFLOP_ACTS if street == "p" else ACTS,
                    "shown": SEEN[street] <= len(question.played),
                }
                for street in STREETS
            ],
        }
        for i, opponent in enumerate(question.opponents, start=1)
    ]


def _next(question: OddsQuestion) -> str:
    """Say what the next card touched becomes."""
    if len(question.hole) < HOLE:
        return "Touch your two cards."
    if len(question.board) == BOARD:
        return "The board is full; touch a card to take it away."
    if 0 < len(question.board) < SEEN["f"]:
        missing = SEEN["f"] - len(question.board)
        return f"{missing} more for the flop; until then the odds are those before it."
    return "Touch cards for the board, or one that is set to take it away."


# The page's only address, which says everything that is set.


HOME = "/odds"
HEAVY: tuple[str, ...] = ()

router = APIRouter()


@router.get(HOME, include_in_schema=False)
async def odds(request: Request) -> Response:
    """Show the odds of what the address sets; to htmx only the part that changes."""
    try:
        question = OddsQuestion.parse(dict(request.query_params))
    except BadInput as problem:
        raise HTTPException(422, str(problem)) from None
    values = await asyncio.to_thread(odds_view, question)
    part = pages.is_partial(request)
    answer = pages.page_response(
        "odds/odds.html.jinja" if part else "odds/page.html.jinja", **values
    )
    answer.headers["Vary"] = "HX-Request"
    return answer


def mount() -> Mount:
    """Return the page."""
    return Mount(
        name="odds",
        title="Odds",
        path=HOME,
        rank=60,
        router=router,
        heavy=HEAVY,
    )
