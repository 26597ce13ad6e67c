"""The University of Alberta's own dealer (project_acpc_server 2.0.0), by the logs that it wrote.

Its cards for a seed, what it lets players do and what it pays them are repeated exactly; so are
36,454 hands of Poker Academy (2010) and 10,000 of Pluribus (2019), split odd chips included.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from railbird.cards import Card, holding_of, parse_cards
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    AcpcDealer,
    Action,
    Betting,
    Call,
    Fold,
    Raise,
    Rules,
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
    payoffs,
    replay,
)
from railbird.units import Chips

LIMIT_3 = acpc_rules(limit_holdem(3))
NO_LIMIT_3 = acpc_rules(no_limit_holdem(3, blinds=(50, 100), stack=20_000))
PLURIBUS = acpc_rules(no_limit_holdem(6, blinds=(50, 100), stack=10_000))


@dataclass(frozen=True)
class Hand:
    betting: str
    holes: list[tuple[Card, ...]]
    board: tuple[Card, ...]
    payoffs: tuple[Fraction, ...]


def hands(path: Path) -> Iterator[Hand]:
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as lines:
        for line in lines:
            if line.startswith("STATE:"):
                _, _, betting, cards, results, _ = line.split(":")
                holes, *board = cards.split("/")
                yield Hand(
                    betting,
                    [parse_cards(text) for text in holes.split("|")],
                    parse_cards("".join(board)),
                    tuple(map(Fraction, results.split("|"))),
                )


def actions(rules: Rules, betting: str) -> Iterator[Action]:
    """In limit every ``r`` goes a bet further; else it says the chips put in during the hand."""
    before, total = 0, int(max(rules.blinds))
    for street, text in enumerate(betting.split("/")):
        for word in re.findall(r"[fc]|r\d*", text):
            if word == "f":
                yield Fold()
            elif word == "c":
                yield Call()
            else:
                limit = rules.betting is Betting.LIMIT
                total = total + rules.bet_sizes[street] if limit else int(word[1:])
                yield Raise(Chips(total - before))
        before = total


def assert_replays(rules: Rules, path: Path) -> int:
    count = 0
    for hand in hands(path):
        holdings = [holding_of(*cards) for cards in hand.holes]
        state = replay(rules, holdings, hand.board, tuple(actions(rules, hand.betting)))
        assert payoffs(state) == hand.payoffs, hand
        count += 1
    return count


@pytest.mark.parametrize(
    ("rules", "log", "seed"),
    [
        (HEADS_UP_LIMIT, "limit2p.log", 42),
        (HEADS_UP_NO_LIMIT, "nolimit2p.log", 42),
        (LIMIT_3, "limit3p.log", 7),
        (NO_LIMIT_3, "nolimit3p.log", 7),
    ],
)
def test_the_dealers_own_logs(shared_data: Path, rules: Rules, log: str, seed: int) -> None:
    path = shared_data / "acpc_loopback" / log
    assert assert_replays(rules, path) == 1_000
    deals = AcpcDealer(seed).deals(rules.seats, 1_000).tolist()
    for hand, row in zip(hands(path), deals, strict=True):
        cards = [card for hole in hand.holes for card in hole] + list(hand.board)
        assert row[: len(cards)] == cards


@pytest.mark.slow
def test_poker_academy(shared_data: Path) -> None:
    path = shared_data / "poker_academy" / "mvb1_mvb2.acpc.log.gz"
    assert assert_replays(HEADS_UP_LIMIT, path) == 36_454


@pytest.mark.slow
def test_pluribus(shared_data: Path) -> None:
    path = shared_data / "pluribus" / "pluribus_10000.state.log.gz"
    assert assert_replays(PLURIBUS, path) == 10_000
