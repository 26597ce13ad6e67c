"""A house opponent over HTTP, in the two forms that programs for other servers speak, as a mount.

The first is Slumbot's: a token, and one hand at a time, with its betting as text. The second has a
key in the header ``X-API-KEY``, numbered hands, several of which may be open, and a state with the
legal actions. Both use the same tokens: a key is a token of `/api/login`.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final

from fastapi import APIRouter, FastAPI, Header, Path, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from railbird.cards import Holding, cards_of, format_card
from railbird.game import Action, Call, Fold, Raise, legal
from railbird.serve import pages
from railbird.serve.caller import caller_address
from railbird.serve.mounts import Mount
from railbird.serve.opponent import (
    GAME_NAME,
    RULES,
    Guest,
    HostedOpponent,
    OpenHand,
    OpponentSettings,
    RefusedRequest,
)
from railbird.units import Chips, Seat

router = APIRouter(include_in_schema=False)

_INCREMENT: Final = re.compile(r"([kcf])|b([0-9]{1,9})")
_STREETS: Final = ("preflop", "flop", "turn", "river")
_POSITIONS: Final = ("BB", "SB")
_BLINDS: Final = [int(blind) for blind in RULES.blinds]
_STACK: Final = int((RULES.stacks or (Chips(0),))[0])

HandId = Annotated[int, Path(ge=1, le=1 << 53)]
Key = Annotated[str, Header(alias="X-API-KEY", max_length=200)]


class GuestLogIn(BaseModel):
    """A name for the score page; the password is not looked at, since a token is new each time."""

    username: str = Field(max_length=200)
    password: str = Field(default="", max_length=200)


class NewHand(BaseModel):
    """A request for a hand; without a token it gets one."""

    token: str | None = Field(default=None, max_length=200)


class IncrementBody(BaseModel):
    """An action: k, c, f, or b and the total of the street."""

    token: str = Field(max_length=200)
    incr: str = Field(max_length=20)


class NamedGame(BaseModel):
    """The game that a hand is of."""

    game_name: str = Field(max_length=50)


class KeyedAction(BaseModel):
    """An action: f, k, c, or b with the total of the street as its amount."""

    action: str = Field(max_length=1)
    amount: float | None = Field(default=None, ge=0, le=1e9, allow_inf_nan=False)


def opponent_of(request: Request) -> HostedOpponent:
    """Return the house's opponent; say that there is none."""
    opponent = getattr(request.app.state, "opponent", None)
    if opponent is None:
        raise HTTPException(404, "Nobody plays here: the server was started without --opponent.")
    assert isinstance(opponent, HostedOpponent)
    return opponent


def _action(kind: str, amount: int | None, hand: OpenHand) -> Action:
    """Return an action. A check where there is a bet, and a call where there is none, are none."""
    free = not hand.state.to_call
    if kind == "f":
        return Fold()
    if kind in ("k", "c"):
        if (kind == "k") != free:
            raise RefusedRequest(
                f"illegal action: {'check' if free else 'call'} is what is possible", 422
            )
        return Call()
    if kind == "b" and amount is not None:
        return Raise(Chips(amount))
    raise RefusedRequest("an action is k, c, f, or b with the total of the street", 422)


def _cards(holding: Holding | None) -> list[str]:
    return [] if holding is None else [format_card(card) for card in reversed(cards_of(holding))]


# Slumbot's form. What is wrong is told in `error_msg`, with status 200, as its clients expect it.


def _slumbot(guest: Guest, hand: OpenHand, *, is_new: bool = False) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "old_action": "" if is_new else hand.before,
        "action": hand.betting(),
        "client_pos": int(hand.seat),
        "hole_cards": _cards(hand.state.holdings[hand.seat]),
        "board": [format_card(card) for card in hand.state.board],
        "token": guest.token,
    }
    if hand.is_over:
        fields |= {
            "winnings": hand.winnings,
            "bot_hole_cards": _cards(hand.state.holdings[1 - hand.seat]),
            "session_num_hands": guest.money.n,
            "session_total": round(guest.money.mean * guest.money.n * RULES.big_blind),
        }
    return fields


def _wrong(problem: RefusedRequest) -> dict[str, str]:
    return {"error_msg": str(problem)}


@router.post("/api/login")
async def log_in_guest(body: GuestLogIn, request: Request) -> dict[str, Any]:
    """Give a token under a name."""
    try:
        opponent = opponent_of(request)
        await opponent.pace(caller_address(request))
        return {"token": opponent.welcome(body.username, caller_address(request)).token}
    except RefusedRequest as problem:
        return _wrong(problem)


@router.post("/api/new_hand")
async def new_hand(body: NewHand, request: Request) -> dict[str, Any]:
    """Deal a hand; one that is not over is gone on with."""
    opponent = opponent_of(request)
    try:
        await opponent.pace(caller_address(request))
        if body.token:
            guest = opponent.guest(body.token)
        else:
            guest = opponent.welcome("guest", caller_address(request))
        hand = guest.last
        if hand is not None:
            async with hand.lock:  # the answer may have been lost while the house was deciding
                pass
        if hand is None or hand.is_over:
            hand = guest.last = await opponent.new_hand(guest)
        return _slumbot(guest, hand, is_new=True)
    except RefusedRequest as problem:
        return _wrong(problem)


@router.post("/api/act")
async def act_in_hand(body: IncrementBody, request: Request) -> dict[str, Any]:
    """Take an action in the hand that was dealt last."""
    opponent = opponent_of(request)
    try:
        await opponent.pace(caller_address(request))
        guest = opponent.guest(body.token)
        hand, increment = guest.last, _INCREMENT.fullmatch(body.incr)
        if hand is None:
            raise RefusedRequest("no hand has been dealt")
        if increment is None:
            raise RefusedRequest("incr is k, c, f, or b with the total of the street")
        amount = None if increment[2] is None else int(increment[2])
        await opponent.act(guest, hand, _action(increment[1] or "b", amount, hand))
        return _slumbot(guest, hand)
    except RefusedRequest as problem:
        return _wrong(problem)


# The form with a key. What is wrong has a status.


def _game_state(hand: OpenHand, house: str) -> dict[str, Any]:
    state, is_over = hand.state, hand.is_over
    options = None if is_over else legal(state)
    spent = [int(chips) for chips in state.spent]
    round_bets = [int(chips) for chips in state.street_bets]
    can_raise = options is not None and options.min_raise_to is not None
    base: list[str] = []
    if options is not None:
        base += ["f"] if options.fold else []
        base += ["c" if state.to_call else "k"]
        base += ["b"] if can_raise else []
    names = {hand.seat: "guest", 1 - hand.seat: house}
    return {
        "street": _STREETS[state.street],
        "common_pot": sum(spent) - sum(round_bets),
        "total_pot": sum(spent),
        "board_cards": "".join(format_card(card) for card in state.board),
        "is_hand_over": is_over,
        "players": [
            {
                "name": names[Seat(seat)],
                "stack": _STACK - spent[seat],
                "position": _POSITIONS[seat],
                "hole_cards": "".join(_cards(state.holdings[seat]))
                if seat == hand.seat or is_over
                else None,
            }
            for seat in range(2)
        ],
        "legal_actions": base,
        "raise_range": {"min": options.min_raise_to, "max": options.max_raise_to}
        if can_raise and options is not None
        else None,
        "action_history": list(hand.betting_tokens("_")),
        # The name is that of the form; it says whether the house has folded.
        "has_gto_wizard_folded": is_over
        and bool(hand.actions)
        and isinstance(hand.actions[-1], Fold)
        and hand.winnings > 0,
        "winnings": hand.winnings if is_over else None,
        "aivat_score": None,
    }


def _keyed(opponent: HostedOpponent, hand: OpenHand) -> dict[str, Any]:
    return {
        "hand_id": hand.id,
        "game": {
            "game_id": 1,
            "game_name": GAME_NAME,
            "game_format": "heads-up",
            "starting_stack": _STACK,
            "blinds": _BLINDS,
            "stack_reset_per_hand": True,
        },
        "game_state": _game_state(hand, opponent.title),
    }


async def _owner(request: Request, key: str) -> tuple[HostedOpponent, Guest]:
    opponent = opponent_of(request)
    await opponent.pace(caller_address(request))
    return opponent, opponent.guest(key)


def _status(problem: RefusedRequest) -> Response:
    return JSONResponse({"detail": str(problem)}, problem.status)


@router.post("/hands", status_code=201, response_model=None)
async def keyed_hand(body: NamedGame, request: Request, key: Key) -> dict[str, Any] | Response:
    """Deal a hand."""
    try:
        opponent, guest = await _owner(request, key)
        if body.game_name != GAME_NAME:
            raise RefusedRequest(f"game_name is {GAME_NAME!r}", 422)
        return _keyed(opponent, await opponent.new_hand(guest))
    except RefusedRequest as problem:
        return _status(problem)


@router.post("/hands/{hand_id}/act", response_model=None)
async def keyed_act(
    hand_id: HandId, body: KeyedAction, request: Request, key: Key
) -> dict[str, Any] | Response:
    """Take an action in a hand of the caller's."""
    try:
        opponent, guest = await _owner(request, key)
        hand = guest.open.get(hand_id)
        if hand is None:
            raise RefusedRequest("you have no such hand open", 404)
        amount = body.amount
        if amount is not None and amount != int(amount):
            raise RefusedRequest("an amount is a whole number of chips", 422)
        chips = None if amount is None else int(amount)
        await opponent.act(guest, hand, _action(body.action, chips, hand))
        return _keyed(opponent, hand)
    except RefusedRequest as problem:
        return _status(problem)


@router.get("/hands/in-progress", response_model=None)
async def in_progress(request: Request, key: Key) -> list[dict[str, Any]] | Response:
    """List the caller's unfinished hands, to continue them."""
    try:
        opponent, guest = await _owner(request, key)
        return [_keyed(opponent, hand) for hand in guest.open.values()]
    except RefusedRequest as problem:
        return _status(problem)


@router.get("/winnings", response_model=None)
async def show_winnings(request: Request, key: Key) -> dict[str, Any] | Response:
    """Say what one has won."""
    try:
        _, guest = await _owner(request, key)
        return _result(guest)
    except RefusedRequest as problem:
        return _status(problem)


# The score page.


def _result(guest: Guest) -> dict[str, Any]:
    return {
        "name": guest.name,
        "hands": guest.money.n,
        "open": len(guest.open),
        "illegal_actions": guest.illegal,
        "bb_per_hand": guest.interval.as_json() if guest.money.n else None,
        "bb_per_hand_less_luck": guest.interval_less_luck.as_json() if guest.less_luck.n else None,
    }


@router.get("/api/opponent")
async def scores_json(request: Request) -> dict[str, Any]:
    """List what guests have won, without their tokens."""
    opponent = opponent_of(request)
    played = [guest for guest in opponent.guests.values() if guest.money.n]
    return {
        "player": opponent.title,
        "why_luck_stays": opponent.why_luck_stays,
        "guests": [_result(guest) for guest in played],
    }


@router.get("/opponent")
async def scores(request: Request) -> Response:
    """Show what guests have won."""
    opponent = opponent_of(request)
    played = sorted(
        (guest for guest in opponent.guests.values() if guest.money.n),
        key=lambda guest: -(guest.less_luck if guest.less_luck.n else guest.money).mean,
    )
    return pages.page_response(
        "opponent/page.html.jinja",
        opponent=opponent.title,
        why_luck_stays=opponent.why_luck_stays,
        guests=played[:200],
    )


def mount(settings: OpponentSettings | None = None) -> Mount:
    """Return the interface; without settings nobody plays."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.opponent = (
            None if settings is None else HostedOpponent(settings, app.state.supervisor)
        )
        try:
            yield
        finally:
            if app.state.opponent is not None:
                await app.state.opponent.close()

    return Mount(
        name="opponent",
        router=router,
        paced=("/api/login", "/api/new_hand", "/api/act", "/hands"),
        lifespan=lifespan,
    )
