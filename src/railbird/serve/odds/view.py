"""What the page of odds shows: numbers, the spectra as bars, and a link for every card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from railbird.cards import RANKS, SUITS, Card, Category, format_card, format_cards, holding_of
from railbird.errors import BadInput
from railbird.odds import (
    ReflectiveOdds,
    implied_odds,
    outs,
    raise_ratio,
    reflective_odds,
    required_equity,
    straight_play,
)
from railbird.odds.spectra.odds_against import average_weights
from railbird.odds.spectra.opponent import reflected_weights
from railbird.report.toolkit.number_format import percent
from railbird.serve.odds.question import (
    ACTS,
    BOARD,
    HOLE,
    LOOSENESS,
    MOST_OPPONENTS,
    PREFLOP_ACTS,
    SEEN,
    STREETS,
    Question,
)

BINS: Final = 62
BAR: Final = 5
HALF: Final = 60
"""Width of a bar and height of each half of the picture, in its own units."""
SAMPLES: Final = 2_000
"""Boards before the flop: a standard error of 0.8 % at most, in a time that nobody notices."""
_AHEAD: Final = 0.5
_SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_SUIT_NAMES: Final = {"c": "club", "d": "diamond", "h": "heart", "s": "spade"}
_RANK_NAMES: Final = {"T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of the picture."""

    x: float
    y: float
    height: float
    side: str


def view_of(question: Question) -> dict[str, Any]:
    """Return the values of the template. What cannot be computed is said in ``problem``."""
    found: dict[str, Any] = {
        "question": question,
        "hole": format_cards(question.hole),
        "board": format_cards(question.board),
        "suits": [_suit(question, suit) for suit in reversed(SUITS)],
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
            found |= _results(question)
        except BadInput as problem:
            found["problem"] = str(problem)
    return found


def _results(question: Question) -> dict[str, Any]:
    holding, board = holding_of(*question.hole), question.played
    opponents = [each.opponent(len(board)) for each in question.opponents]
    odds = reflective_odds(holding, board, opponents, samples=SAMPLES)
    rows = [
        ("Best at showdown against what is left of their hands", _share(odds, "reflective")),
        ("The same against any hands", _share(odds, "raw")),
    ]
    if len(opponents) > 1:
        each = ", ".join(percent(one, 0) for one in odds.reflective.against_each)
        rows.append(("Against each alone", each))
    rows.append(("Share of their hands that is left", ", ".join(percent(k, 1) for k in odds.kept)))
    if odds.nuts is not None:
        nuts = "the nuts" if odds.nuts else "the reflective nuts" if odds.reflective_nuts else "no"
        rows.append(("Nobody can win against you", nuts))
    left = [reflected_weights(each, board) for each in opponents]
    ahead = 0.0
    if len(board) in (SEEN["f"], SEEN["t"]):
        average = average_weights(holding, board, left)
        cards = outs(holding, board, average, opponents=len(opponents))
        ahead = cards.ahead
        good = " ".join(_text(each.card) for each in cards.outs) or "–"
        rows.append((f"Outs ({len(cards.outs)})", good))
    rows += _decision(question, odds, ahead)
    return {"rows": rows, "bars": _bars(odds), "categories": _categories(odds)}


def _share(odds: ReflectiveOdds, which: str) -> str:
    found = getattr(odds, which)
    error = f" ± {percent(1.96 * found.stderr, 1)}" if found.stderr else ""
    return percent(found.joint, 1) + error


def _decision(question: Question, odds: ReflectiveOdds, ahead: float) -> list[tuple[str, str]]:
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
    """Return the picture's bars: one's own above the line, theirs below, before and after."""
    own, before = odds.before.bins(BINS)
    _, after = odds.after.bins(BINS)
    theirs = max(before.max(), after.max())  # spread wider than one's own, by a scale of its own
    bars = []
    for side, shares, most in (
        ("own", own, own.max()),
        ("before", before, theirs),
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


def _suit(question: Question, suit: str) -> dict[str, Any]:
    cards = [Card(4 * rank + SUITS.index(suit)) for rank in reversed(range(len(RANKS)))]
    return {"name": f"{_SUIT_NAMES[suit]}s", "cards": [_card(question, card) for card in cards]}


def _card(question: Question, card: Card) -> dict[str, str]:
    text = format_card(card)
    where = "hand" if card in question.hole else "board" if card in question.board else ""
    said = {"hand": ", in your hand", "board": ", on the board", "": ""}[where]
    rank = _RANK_NAMES.get(text[0], text[0])
    full = len(question.hole) == HOLE and len(question.board) == BOARD and not where
    return {
        "id": f"card-{text}",
        "text": _text(card),
        "suit": _SUIT_NAMES[text[1]],
        "where": where,
        "name": f"{rank} of {_SUIT_NAMES[text[1]]}s{said}",
        "address": "" if full else question.toggled(card).address(),
    }


def _text(card: Card) -> str:
    text = format_card(card)
    return text[0] + _SYMBOLS[text[1]]


def _opponents(question: Question) -> list[dict[str, Any]]:
    return [
        {
            "number": i,
            "looseness": each.looseness,
            "streets": [
                {
                    "name": f"o{i}{street}",
                    "label": STREETS[street],
                    "act": each.acts[street],
                    "acts": PREFLOP_ACTS if street == "p" else ACTS,
                    "shown": SEEN[street] <= len(question.played),
                }
                for street in STREETS
            ],
        }
        for i, each in enumerate(question.opponents, start=1)
    ]


def _next(question: Question) -> str:
    """Say what the next card touched becomes."""
    if len(question.hole) < HOLE:
        return "Touch your two cards."
    if len(question.board) == BOARD:
        return "The board is full; touch a card to take it away."
    if 0 < len(question.board) < SEEN["f"]:
        missing = SEEN["f"] - len(question.board)
        return f"{missing} more for the flop; until then the odds are those before it."
    return "Touch cards for the board, or one that is set to take it away."
