"""Parts of the table's page, each rendered from what its viewer was told and sent as it changes."""

from __future__ import annotations

import time
from typing import Any

from railbird.cards import parse_cards, rank_of, suit_of
from railbird.protocol import CloseCode
from railbird.protocol.messages.game import Presence
from railbird.serve import pages
from railbird.serve.table.choices import choices_of, may_choose_ahead
from railbird.serve.table.page_socket import Part, Parts
from railbird.serve.table.person import Person
from railbird.serve.table.screen import Screen
from railbird.serve.table.state import TableState, price_of, turn_words
from railbird.serve.view.felt import Felt, felt_of
from railbird.serve.view.words import Line, amount, made
from railbird.tournament.table_rules import ante_noun

_LONG_CLOCK_S = 120.0
"""A longer limit is no pressure, and its clock is not drawn."""


def own_parts(person: Person, token: str, *, whole: bool = False) -> Parts:
    """Return the parts of the page of one's own table; the ``whole`` page has a clock in words."""
    screen = person.seat
    if screen is None:
        return _gone(person)
    state, now = screen.shown, time.monotonic()
    table = _felt(state)
    values: dict[str, Any] = {
        **_common(state, table, now, whole=whole),
        **_bar(person, screen),
        "token": token,
        "notice": person.notice,
        "is_compiling": person.waits_for_code and screen.truth.turn is None,
    }
    return _rendered(values, state, mine=True)


def watched_parts(screen: Screen, *, whole: bool = False) -> Parts:
    """Return the parts of the page of a table that is watched."""
    state, now = screen.shown, time.monotonic()
    values = _common(state, _felt(state), now, whole=whole)
    bar = "over" if state.left else "watching"
    values |= {"bar": bar, "token": "", "notice": "", "presence": Presence.HERE, "again": False}
    values["is_compiling"] = False
    return _rendered(values, state, mine=False)


def last_words() -> str:
    """Return what is left on a page whose table another page shows now."""
    return pages.part("table/elsewhere.html.jinja")


def joined(parts: Parts) -> str:
    """Return all parts as one text."""
    return "".join(part.html for part in parts.values())


def _rendered(values: dict[str, Any], state: TableState, *, mine: bool) -> Parts:
    names = ("status", "felt", "ticker", "notice", "bar", "facts", "log")
    parts = {
        name: Part(html, html)
        for name in names
        for html in [pages.part(f"table/{name}.html.jinja", **values)]
    }
    clock = state.clock
    key = None if clock is None else (clock.seat, clock.ends, clock.bank_s)
    parts["clock"] = Part(key, pages.part("table/clock.html.jinja", **values, mine=mine))
    turn = None if state.turn is None else state.turn.turn
    parts["say"] = Part(turn, pages.part("table/say.html.jinja", **values))
    return parts


def _gone(person: Person) -> Parts:
    values = {"notice": person.notice}
    html = pages.part("table/notice.html.jinja", **values)
    bar = pages.part("table/closed.html.jinja")
    return {"notice": Part(html, html), "bar": Part(bar, bar)}


def _felt(state: TableState) -> Felt:
    return felt_of(
        state.hand,
        state.info,
        name=state.name,
        to_act=state.to_act,
        pots=state.pots,
        over=state.over,
        revealed=state.revealed,
    )


def _common(state: TableState, table: Felt, now: float, *, whole: bool) -> dict[str, Any]:
    clock = state.clock
    limit, bank = (0.0, 0.0) if clock is None else clock.left(now)
    is_timed = clock is not None and clock.limit_s <= _LONG_CLOCK_S
    return {
        "game": game_of(state),
        "can_buy": _can_buy(state),
        "state": state,
        "table": table,
        "info": state.info,
        "blinds": _blinds(state),
        "limit_ms": round(1000 * limit),
        "bank_ms": round(1000 * bank),
        "whole_ms": 0 if clock is None else round(1000 * clock.limit_s),
        "is_timed": is_timed,
        "seconds": round(limit + bank) if whole and is_timed else None,
        "turn_words": turn_words(state, now),
        "turn_id": "" if state.turn is None else state.turn.turn,
        "facts": facts(state, table),
        "ticker": [line for line in state.fresh if line.kind != "hand"],
    }


def game_of(state: TableState) -> str:
    """Return the name under which the hands of this table are kept; practice is not."""
    return "" if state.is_practice else state.info.tournament or state.info.table


def _can_buy(state: TableState) -> int:
    """Return the chips that the viewer may add at a ring table."""
    stack = next((p.stack for p in state.info.players if p.name == state.name), None)
    is_ring = state.info.kind == "ring" and stack is not None
    return max(0, state.info.format.stack - (stack or 0)) if is_ring else 0


def _blinds(state: TableState) -> str:
    if state.hand is None:
        return ""
    posts = sorted(chips for chips in state.hand.blinds if chips)
    ante = max(state.hand.antes, default=0)
    antes = f", {ante_noun(state.hand.antes)} {amount(ante)}" if ante else ""
    return "/".join(map(amount, posts)) + antes


def _bar(person: Person, screen: Screen) -> dict[str, Any]:
    """Return what the buttons below the felt need."""
    state = screen.shown
    values: dict[str, Any] = {"bar": "waiting", "action": person.actions + 1, "again": False}
    if person.ended is CloseCode.FROZEN:
        values["bar"] = "frozen"
    elif person.ended is not None:
        values["bar"] = "gone"
    elif state.is_over:
        values |= {"bar": "over", "again": state.is_practice and person.practised is not None}
    elif state.waits_for_me and not screen.is_behind:
        values["bar"] = "study"
    elif state.turn is not None and screen.truth.turn is not None:
        values |= {"bar": "turn", "choices": choices_of(state.turn)}
        values["asks_fold"] = person.asks_fold == state.turn.turn
        known, words = person.hint or ("", ())
        values["hint"] = words if known == state.turn.turn else ()
    elif may_choose_ahead(state) and state.hand is not None and state.hand.you is not None:
        price = price_of(state.hand, state.hand.you)
        values |= {"bar": "ahead", "price": price, "ahead": person.ahead}
    values["presence"] = _presence(state)
    return values


def _presence(state: TableState) -> Presence:
    return next(
        (player.presence for player in state.info.players if player.name == state.name),
        Presence.HERE,
    )


def facts(state: TableState, table: Felt) -> dict[str, str]:
    """Return what keys speak: one's cards, the board, the pots, the stacks, the last actions."""
    me = table.me
    cards = "You have no cards"
    if me is not None and me.cards:
        hold = made(me.cards, table.board)
        cards = f"You hold {spoken(me.cards)}: {hold}"
    pots = ", ".join(
        f"{pot.label.lower()} {amount(pot.amount)}"
        + (f" for {' and '.join(pot.names)}" if len(table.pots) > 1 else "")
        for pot in table.pots
    )
    stacks = ", ".join(
        f"{'you' if seat.is_me else seat.short_name} {amount(seat.stack)}"
        + (f" bet {amount(seat.bet)}" if seat.bet else "")
        + (f" {seat.status}" if seat.status else "")
        for seat in table.seats
    )
    last = ". ".join(said(line) for _, line in state.lines[-5:])
    return {
        "cards": cards,
        "board": f"Board: {spoken(table.board)}" if table.board else "No board yet",
        "pot": pots[:1].upper() + pots[1:] if pots else "No pot yet",
        "stacks": f"Stacks: {stacks}",
        "last": last,
    }


def said(line: Line) -> str:
    """Return a line of the log as it is spoken."""
    cards = f" {spoken(line.cards)}" if line.cards else ""
    return line.text + cards + (f": {line.after}" if line.after else "")


def spoken(cards: tuple[str, ...]) -> str:
    """Name cards in words.

    >>> spoken(("As", "Td"))
    'ace of spades, ten of diamonds'
    """
    return ", ".join(
        f"{pages.RANK_NAMES[rank_of(card)]} of {pages.SUITS[suit_of(card)]}s"
        for text in cards
        for card in parse_cards(text)
    )
