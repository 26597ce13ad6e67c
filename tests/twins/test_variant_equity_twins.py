"""Equity in every variant beside all deals, one by one, by the rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
import pytest

from railbird.cards import VARIANTS, Card, Variant, format_cards
from railbird.odds import Method, variant_equity
from twins import slow_variants


def _spot(
    variant: Variant, players: int, boards: int, to_come: int, rng: np.random.Generator
) -> tuple[list[list[int]], list[list[int]], list[int], list[int]]:
    """Hands, boards, dead cards and the rest, small enough to deal all of it slowly."""
    deck = rng.permutation(variant.deck).tolist()
    hands = [[deck.pop() for _ in range(variant.hand_size)] for _ in range(players)]
    size = variant.board_sizes[-1]
    common = [[deck.pop() for _ in range(size)] for _ in range(boards)]
    if size:
        known = variant.board_sizes[-2]
        common = [board[:known] for board in common]
    else:
        hands = [hand[: variant.hand_size - to_come] for hand in hands]
    return hands, common, _rest(variant, hands, common, deck[:7]), deck[:7]


def _rest(variant: Variant, *seen: Iterable[int] | Iterable[Iterable[int]]) -> list[int]:
    """The cards that are nowhere else."""
    text = str(seen)
    return [card for card in variant.deck if not re.search(rf"\b{card}\b", text)]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", VARIANTS)
def test_the_last_card(name: str, seed: int) -> None:
    variant, rng = VARIANTS[name], np.random.default_rng([seed, *name.encode()])
    boards = max(variant.boards, 1 + (seed == 2)) if variant.board_sizes[-1] else 0
    hands, common, dead, deck = _spot(variant, 1 + seed, boards, 1, rng)
    _check(variant, hands, common, dead, deck)


@pytest.mark.parametrize("name", ["omaha", "omaha-hilo", "omaha5", "omaha6-hilo"])
def test_all_boards_by_tables_of_three_cards(name: str) -> None:
    variant, rng = VARIANTS[name], np.random.default_rng(9)
    for players in (2, 3):
        hands, _, _, deck = _spot(variant, players, 1, 0, rng)
        _check(variant, hands, [[]], _rest(variant, hands, deck), deck)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        *[("omaha", known) for known in (3, 4)],
        *[("courchevel-hilo", known) for known in (1, 3)],
        *[("short-deck", known) for known in (0, 3, 4)],
        ("irish", 0),
    ],
)
def test_run_outs_of_known_hands(name: str, known: int) -> None:
    variant, rng = VARIANTS[name], np.random.default_rng([known, 5])
    for players in (2, 3):
        hands, common, _, deck = _spot(variant, players, 1, 0, rng)
        common = [board[:known] for board in common]
        _check(variant, hands, common, _rest(variant, hands, common, deck), deck)


@pytest.mark.parametrize(("name", "known"), [("stud-hilo", 6), ("razz", 6), ("omaha-hilo", 3)])
def test_unknown_cards_of_several_players(name: str, known: int) -> None:
    variant, rng = VARIANTS[name], np.random.default_rng(4)
    hands, common, _, deck = _spot(variant, 2, int(bool(variant.board_sizes[-1])), 0, rng)
    hands = [hand[:known] for hand in hands]
    deck = deck[:5]
    _check(variant, hands, common, _rest(variant, hands, common, deck), deck)


def _check(
    variant: Variant,
    hands: list[list[int]],
    boards: list[list[int]],
    dead: list[int],
    deck: list[int],
) -> None:
    shares = [(share.ranking.value, share.use, share.qualifier) for share in variant.shares]
    sizes = [variant.hand_size] * len(hands) + [variant.board_sizes[-1]] * len(boards)
    parts: list[Counter[Fraction]] = [Counter() for _ in hands]
    count = 0
    for filled in slow_variants.deals(sorted(deck), [*hands, *boards], sizes):
        count += 1
        pot = slow_variants.pot(shares, filled[: len(hands)], filled[len(hands) :] or [[]])
        for had, part in zip(parts, pot, strict=True):
            had[part] += 1
    texts = [_text(hand) + "??" * (variant.hand_size - len(hand)) for hand in hands]
    result = variant_equity(variant, texts, [_text(board) for board in boards], dead=_text(dead))
    assert (result.trials, result.method) == (count, Method.DEALS)
    for player, had in zip(result.players, parts, strict=True):
        mean = sum(part * times for part, times in had.items()) / count
        assert player.parts == pytest.approx(
            {float(part): times for part, times in sorted(had.items())}
        )
        assert player.equity == pytest.approx(float(mean), abs=1e-12)
        assert sum(share.equity for share in player.shares) == pytest.approx(player.equity)
        assert (player.scoop, player.nothing) == (had[Fraction(1)], had[Fraction(0)])


def _text(cards: Iterable[int]) -> str:
    return format_cards(map(Card, cards))
