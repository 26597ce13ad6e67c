"""Slow twins of the readers, and of the rows of archives: hand by hand, without memory."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from helpers.random_hands import random_action, random_cards
from railbird.cards import TEXT_OF_CARD, holding_of, parse_cards
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    Betting,
    Call,
    DealBoard,
    DealHoles,
    Fold,
    Phase,
    Raise,
    Rules,
    Street,
    initial,
    legal,
    payoffs,
    step,
)
from railbird.histories import HandRecord, Source
from railbird.histories.archive_rows import rules_text
from railbird.histories.text_values import TEXT_OF_HOLE, Hole
from railbird.units import Chips


def slow_state_line(line: str, rules: Rules) -> HandRecord:
    """Read one good STATE line with an exact payoff; asserts what a reader has to refuse."""
    line, _, comment = line.rstrip("\n").partition(" # ")
    state_word, number, betting, cards, amounts, names = line.split(":")
    assert state_word == "STATE"
    hole_texts, *board_texts = cards.split("/")
    pairs = [parse_cards(text) for text in hole_texts.split("|")]
    holes = tuple(holding_of(*pair) for pair in pairs)
    board = parse_cards("".join(board_texts))
    state = step(initial(rules), DealHoles(holes))
    actions: list[Action] = []
    for token in re.findall(r"/|f|c|r\d*", betting):
        if token == "/":
            size = BOARD_CARDS[state.street]
            dealt = board[size : BOARD_CARDS[state.street + 1]]
            state = step(state, DealBoard(dealt))
            continue
        assert state.actor is not None
        action: Action
        if token in "fc":
            action = Fold() if token == "f" else Call()
        elif rules.betting is Betting.LIMIT:
            assert state.min_raise_to is not None
            action = Raise(state.min_raise_to)
        else:
            spent, on_street = state.spent[state.actor], state.street_bets[state.actor]
            action = Raise(Chips(int(token[1:]) - (spent - on_street)))
        state = step(state, Act(state.actor, action))
        actions.append(action)
    paid = payoffs(state)
    assert paid == tuple(map(Fraction, amounts.split("|")))
    return HandRecord(
        rules=rules,
        players=tuple(names.split("|")),
        holes=holes,
        board=board,
        actions=tuple(actions),
        payoffs=paid,
        number=int(number),
        comment=comment,
        low_first=sum((pair[0] < pair[1]) << seat for seat, pair in enumerate(pairs)),
    )


def random_record(
    rng: np.random.Generator, rules: Rules, *, number: int | None = None
) -> HandRecord:
    """A hand of random cards and actions."""
    holes, board = random_cards(rng, rules.seats)
    state = step(initial(rules), DealHoles(holes))
    actions: list[Action] = []
    while state.phase in (Phase.BETTING, Phase.DEAL_BOARD):
        if state.phase is Phase.DEAL_BOARD:
            ahead = Street(state.street + 1)
            dealt = board[BOARD_CARDS[state.street] : BOARD_CARDS[ahead]]
            state = step(state, DealBoard(dealt))
        else:
            assert state.actor is not None
            actions.append(random_action(rng, legal(state)))
            state = step(state, Act(state.actor, actions[-1]))
    names = rng.permutation([f"P{seat}" for seat in range(rules.seats)]).tolist()
    return HandRecord(
        rules=rules,
        players=tuple(names),
        holes=holes,
        board=state.board,
        actions=tuple(actions),
        payoffs=payoffs(state),
        number=number,
        low_first=int(rng.integers(1 << rules.seats)),
    )


def digest_of(record: HandRecord) -> bytes:
    """Return 16 bytes that identify a hand: players, cards, betting, payoffs and number.

    Hands without number and turn, which may look alike, have their time too, or else their line. A
    hand has the same digest whichever format it was read from, though formats differ in what they
    tell about the table and its rules.
    """
    holes = ",".join(["" if hole is None else str(hole) for hole in record.holes])
    payoffs = ",".join(map(str, record.payoffs))
    text = "\x1f".join(
        [
            "" if record.number is None else str(record.number),
            *record.players,
            holes,
            bytes(record.board).hex(),
            _actions_text(record.actions),
            payoffs,
            *_place_of(record),
        ]
    )
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _place_of(record: HandRecord) -> list[str]:
    if record.number is not None or record.number_text or len(record.board) >= 4:
        return []
    if (moment := record.played_at) is not None:
        since = moment.replace(tzinfo=moment.tzinfo or UTC) - datetime(1970, 1, 1, tzinfo=UTC)
        return [str(since // timedelta(microseconds=1))]
    return [] if record.source is None else [str(record.source.line)]


def slow_row(record: HandRecord) -> tuple[Any, ...]:
    """Make the row of an archive for one hand."""
    parts = lcm(*[payoff.denominator for payoff in record.payoffs])
    moment = record.played_at
    zoned = moment is not None and moment.tzinfo is not None
    if moment is not None and zoned:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    holes = [
        None if hole is None else TEXT_OF_HOLE[Hole(hole, record.low_first >> seat & 1)]
        for seat, hole in enumerate(record.holes)
    ]
    source = record.source or Source("", 0)
    return (
        digest_of(record),
        record.number,
        record.number_text or None,
        record.rules.betting.value,
        record.rules.seats,
        rules_text(record.rules),
        list(record.players),
        holes,
        "".join([TEXT_OF_CARD[card] for card in record.board]),
        _actions_text(record.actions),
        [payoff.numerator * (parts // payoff.denominator) for payoff in record.payoffs],
        parts,
        float(record.rake),
        record.table,
        moment,
        zoned,
        record.comment,
        str(record.denomination),
        record.currency,
        record.tournament,
        record.play_money,
        " ".join("".join(TEXT_OF_CARD[card] for card in board) for board in record.more_boards)
        or None,
        ",".join(map(str, record.house)) or None,
        source.file,
        source.line,
    )


def _actions_text(actions: tuple[Action, ...]) -> str:
    return "".join(
        f"r{action.to}" if isinstance(action, Raise) else "f" if action == Fold() else "c"
        for action in actions
    )
