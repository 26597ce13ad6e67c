"""Blackjack as a mount of the web application."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

import numpy as np
from fastapi import APIRouter, FastAPI, Form, Request
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from railbird import blackjack
from railbird.errors import IllegalAction
from railbird.serve import pages
from railbird.serve.mounts import Mount, at_first_use
from railbird.serve.session import Caller, TokenForm, Visitor

# The table as its template shows it.


# Settings of the game in the browser.


MOST_PEOPLE: Final = 2_000
"""Visitors whose rounds are remembered; the one who was away longest makes room."""

SHOWN: Final = 12
"""Number of decisions in the list next to the table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlackjackSettings:
    """What the operator chooses."""

    rules: blackjack.Rules = field(
        default_factory=lambda: blackjack.Rules(decks=6, surrender=blackjack.Surrender.LATE)
    )
    """Six decks and late surrender, which most tables have."""
    seed: int | None = None
    """Seed of the cards, for tests; None for unpredictable ones."""


# Visitors at the table, in memory: their rounds are worth no database.


@dataclass(slots=True)
class BlackjackVisitor:
    """What the table knows of a visitor."""

    round: blackjack.TrainingRound | None = None
    number: int = 0
    """Rounds dealt."""
    step: int = 0
    """Number of choices so far, which shows whether a form was sent twice."""
    won: float = 0.0
    cost: float = 0.0
    decisions: int = 0
    mistakes: int = 0
    latest: deque[blackjack.ChoiceVerdict] = field(default_factory=lambda: deque(maxlen=SHOWN))
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def deal(self, settings: BlackjackSettings, rng: np.random.Generator) -> None:
        """Deal a new round."""
        self.number += 1
        self.step += 1
        self.round = blackjack.TrainingRound(settings.rules, rng)
        self._settle()

    def choose(self, choice: str) -> None:
        """Take a choice; raises `IllegalAction`."""
        assert self.round is not None
        verdict = self.round.choose(choice)
        self.step += 1
        self.decisions += 1
        self.mistakes += verdict.cost > 0
        self.cost += verdict.cost
        self.latest.appendleft(verdict)
        self._settle()

    def _settle(self) -> None:
        if self.round is not None and self.round.over:
            self.won += self.round.round.won()


class BlackjackVisitors:
    """Everybody at the table, by the token in their cookie."""

    def __init__(self, settings: BlackjackSettings) -> None:
        self.settings = settings
        self.rng = np.random.default_rng(settings.seed)
        self._people: OrderedDict[str, BlackjackVisitor] = OrderedDict()

    def of(self, token: str | None) -> BlackjackVisitor:
        """Return a visitor. An unknown one is new, and is not remembered."""
        if token is None or token not in self._people:
            return BlackjackVisitor()
        self._people.move_to_end(token)
        return self._people[token]

    def remember(self, token: str) -> BlackjackVisitor:
        """Return a visitor, and keep what happens to them."""
        self._people.setdefault(token, BlackjackVisitor())
        self._people.move_to_end(token)
        if len(self._people) > MOST_PEOPLE:
            self._people.popitem(last=False)
        return self._people[token]


# What the template shows.


KEYS = {
    "stand": "s",
    "hit": "h",
    "double": "d",
    "split": "p",
    "surrender": "r",
    "insurance": "i",
    "no insurance": "n",
    "play on": "o",
}
"""Keys of the choices."""

_SUITS = "cdhs"


@dataclass(frozen=True, slots=True)
class BlackjackHandView:
    """A hand of the player."""

    cards: str
    """Cards with suits, which mean nothing in blackjack and make them look like cards."""
    total: str
    stake: float
    current: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A decision and its cost."""

    hand: str
    chosen: str
    best: str
    cost: float
    values: tuple[tuple[str, float], ...]


def faces(cards: list[int], start: int = 0) -> str:
    """Give cards suits, the same ones each time."""
    return "".join(
        blackjack.cards_text([card]) + _SUITS[(3 * place + card + start) % 4]
        for place, card in enumerate(cards)
    )


def hand_views(played: blackjack.TrainingRound) -> list[BlackjackHandView]:
    """Return the player's hands."""
    state = played.round
    return [
        BlackjackHandView(
            cards=faces(hand.cards, position),
            total=hand.total,
            stake=hand.stake,
            current=position == state.current and len(state.hands) > 1 and bool(played.choices),
            lost=hand.settled is not None and hand.settled < 0,
        )
        for position, hand in enumerate(state.hands)
    ]


def dealer_total(played: blackjack.TrainingRound) -> str:
    """Say what the dealer has."""
    cards = played.round.dealer
    if len(cards) == 2 and sorted(cards) == [0, 9]:
        return "blackjack"
    hard = sum(card + 1 for card in cards)
    total = hard + 10 if 0 in cards and hard <= 11 else hard
    return "bust" if total > 21 else str(total)


def round_headline(person: BlackjackVisitor) -> str:
    """Say how the round stands."""
    if person.round is None:
        return "Blackjack, every decision scored"
    if not person.round.over:
        if "insurance" in person.round.choices:
            return "Insurance?"
        hands = person.round.round.hands
        which = f", hand {person.round.round.current + 1}" if len(hands) > 1 else ""
        return f"Your move{which}"
    won = person.round.round.won()
    if won == 0:
        return "A push"
    return "You win" if won > 0 else "You lose"


def shown_verdict(verdict: blackjack.ChoiceVerdict) -> ShownVerdict:
    """Return a decision for the list."""
    hand = f"{blackjack.cards_text(verdict.hand, ',')} v {blackjack.cards_text([verdict.upcard])}"
    values = tuple(
        sorted(verdict.values.items(), key=lambda action_and_value: -action_and_value[1])
    )
    return ShownVerdict(hand, verdict.chosen, verdict.best, verdict.cost, values)


def rules_in_words(rules: blackjack.Rules) -> str:
    """Say the rules in one sentence."""
    decks = "an endless shoe" if not rules.decks else f"{rules.decks} decks"
    dealer = "hits" if rules.soft_17.value == "H17" else "stands on"
    words = [
        decks,
        f"the dealer {dealer} soft 17",
        f"blackjack pays {rules.payout.numerator} to {rules.payout.denominator}",
        "double after a split" if rules.double_after_split else "no double after a split",
        f"up to {rules.most_hands} hands",
        {"ls": "late surrender", "es": "early surrender", "nosur": "no surrender"}[
            rules.surrender.value
        ],
    ]
    return ", ".join(words) + "; a fresh shoe each round"


# The game's pages and forms.


router = APIRouter(prefix="/blackjack")

HOME = "/blackjack"
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


class DealForm(TokenForm):
    """Request for the next round."""

    step: Number


class ChoiceForm(DealForm):
    """A decision."""

    choice: Annotated[str, Field(max_length=20)]


def _people(request: Request) -> BlackjackVisitors:
    people: BlackjackVisitors = request.app.state.blackjack
    return people


def _values(
    people: BlackjackVisitors, visitor: Visitor, person: BlackjackVisitor
) -> dict[str, Any]:
    played = person.round
    verdicts = [shown_verdict(verdict) for verdict in person.latest]
    return {
        "token": visitor.form_token,
        "person": person,
        "step": person.step,
        "played": played,
        "hands": hand_views(played) if played else [],
        "dealer": faces(played.round.dealer, 2) if played else "",
        "dealer_total": dealer_total(played) if played else "",
        "choices": [(choice, KEYS[choice]) for choice in played.choices] if played else [],
        "headline": round_headline(person),
        "won": played.round.won() if played and played.over else None,
        "latest": verdicts,
        "last": verdicts[0] if verdicts and played and played.verdicts else None,
        "rules": rules_in_words(people.settings.rules),
    }


@router.get("")
async def show_blackjack(request: Request, visitor: Caller) -> Response:
    """Show the table."""
    people = _people(request)
    person = people.of(visitor.player)
    return pages.page_response("blackjack/game_page.html.jinja", **_values(people, visitor, person))


@router.post("/deal")
async def deal_round(
    form: Annotated[DealForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Deal a round; the first one remembers the visitor."""
    visitor.check(form.token)
    people = _people(request)
    person = people.remember(visitor.player or visitor.become())
    async with person.lock:
        if form.step != person.step or (person.round is not None and not person.round.over):
            raise HTTPException(409, "This round is out of date. Please reload the page.")
        person.deal(people.settings, people.rng)
    return _after(request, people, visitor, person)


@router.post("/choose")
async def choose_play(
    form: Annotated[ChoiceForm, Form()], request: Request, visitor: Caller
) -> Response:
    """Take a decision, and say what it cost."""
    visitor.check(form.token)
    people = _people(request)
    person = people.of(visitor.player)
    async with person.lock:
        if person.round is None or form.step != person.step:
            raise HTTPException(409, "This round is out of date. Please reload the page.")
        try:
            await asyncio.to_thread(person.choose, form.choice)
        except IllegalAction:
            raise HTTPException(409, "That is not possible now. Please reload the page.") from None
    return _after(request, people, visitor, person)


def _after(
    request: Request, people: BlackjackVisitors, visitor: Visitor, person: BlackjackVisitor
) -> Response:
    if not pages.is_partial(request):
        return RedirectResponse(HOME, 303)
    return pages.page_response("blackjack/swap.html.jinja", **_values(people, visitor, person))


def mount(settings: BlackjackSettings | None = None) -> Mount:
    """Return the game; the values of a hand are computed before its first page."""
    chosen = settings or BlackjackSettings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.blackjack = BlackjackVisitors(chosen)
        yield

    loaded = at_first_use(lambda: blackjack.hand_values((9, 5), 9, chosen.rules))
    loaded.include_router(router)
    return Mount(
        name="blackjack",
        title="Blackjack",
        path=HOME,
        rank=60,
        router=loaded,
        lifespan=lifespan,
    )
