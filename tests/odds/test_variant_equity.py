"""Equity in other games than hold'em: laws, samples, and what is refused."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from railbird._threads import threads_limited
from railbird.cards import HOLDEM, VARIANTS, cards_from, format_cards
from railbird.errors import BadInput
from railbird.odds import Method, Mode, equity, share_against_unknown, variant_equity


def test_holdem_as_by_its_own_function() -> None:
    hands = ["AsAh", "KsKd", "7c6c"]
    ours, theirs = variant_equity(HOLDEM, hands, ["Qs8d2c"]), equity(hands, "Qs8d2c")
    assert ours.trials == theirs.trials
    for player, other in zip(ours.players, theirs.players, strict=True):
        assert (player.shares[0].win, player.shares[0].tie) == (other.win, other.tie)
        assert player.equity == pytest.approx(other.equity, abs=1e-12)


@pytest.mark.parametrize(
    "name", ["omaha", "omaha-hilo", "omaha5", pytest.param("omaha6", marks=pytest.mark.slow)]
)
def test_heads_up_before_the_flop_is_exact(name: str) -> None:
    variant = VARIANTS[name]
    cards = "AsAhKsKh2c3d", "QdQcJdJc7h6s"
    result = variant_equity(variant, [hand[: 2 * variant.hand_size] for hand in cards])
    left = 52 - 2 * variant.hand_size
    assert result.exact
    assert result.trials == left * (left - 1) * (left - 2) * (left - 3) * (left - 4) // 120
    assert sum(player.equity for player in result.players) == pytest.approx(1, abs=1e-12)


def test_equity_of_omaha_as_poker_equity_has_it() -> None:
    # poker-equity 0.1.1 from PyPI, `exact_from_text`, 29 November 2026
    high = variant_equity("omaha", ["AsAhKsKh", "QdQcJdJc"])
    assert (high.trials, high.players[0].scoop, high.players[0].shares[0].tie) == (
        1_086_008,
        688_294,
        48,
    )


@pytest.mark.parametrize("name", VARIANTS)
def test_a_sample_agrees_with_all_deals(name: str) -> None:
    variant, rng = VARIANTS[name], np.random.default_rng(3)
    deck = rng.permutation(variant.deck).tolist()
    size, board = variant.hand_size, variant.board_sizes[-1]
    known = size if board else size - 1
    hands = [format_cards([deck.pop() for _ in range(known)]) for _ in range(2)]
    boards = [
        format_cards([deck.pop() for _ in range(variant.board_sizes[-2])])
        for _ in range(variant.boards if board else 0)
    ]
    exact = variant_equity(variant, hands, boards)
    sampled = variant_equity(variant, hands, boards, mode="sampled", samples=20_000)
    assert (exact.method, sampled.method) == (Method.DEALS, Method.SAMPLED)
    for true, player in zip(exact.players, sampled.players, strict=True):
        assert abs(player.equity - true.equity) <= 4.5 * player.stderr
        assert sum(player.parts.values()) == sampled.trials == 20_000


@pytest.mark.parametrize("name", ["stud-hilo", "27-triple", "badugi", "omaha-hilo"])
def test_a_sample_of_hands_with_no_card_to_come_is_their_showdown(name: str) -> None:
    variant, board = VARIANTS[name], ["AcKc8c5h7s"] if name.startswith("omaha") else [""]
    cards = ("2c3d4h5s7c8d9h", "2d3h4s6c7d8h9s")
    hands = [text[: 2 * variant.hand_size] for text in cards]
    exact, sampled = (
        variant_equity(variant, hands, board, mode=mode, samples=50)
        for mode in (Mode.EXACT, Mode.SAMPLED)
    )
    assert (exact.trials, sampled.trials) == (1, 50)
    for player, other in zip(exact.players, sampled.players, strict=True):
        assert (player.equity, player.scoop * 50) == (other.equity, other.scoop)


def test_a_seed_decides_whatever_the_threads() -> None:
    def answer(seed: int, threads: int) -> object:
        with threads_limited(threads):
            rng = np.random.default_rng(seed)
            return variant_equity("stud", ["AsAh", "random"], samples=40_000, rng=rng)

    assert answer(1, 1) == answer(1, 2) != answer(2, 1)


@pytest.mark.parametrize(
    ("variant", "hands", "boards"),
    [
        ("stud-hilo", ["AsAh2s", "Kd", "9c8c"], []),
        ("27-single", ["2s3s4d", "8d7c6s5h", "random"], []),
        ("double-board-holdem", ["AsKs", "QdQc", "random"], ["2s3s4d", "5c6c7h"]),
    ],
)
def test_two_ways_of_dealing_agree(
    variant: str, hands: list[str], boards: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = variant_equity(variant, hands, boards, mode="sampled", samples=60_000)
    module = importlib.import_module("railbird.odds.variant_equity")
    monkeypatch.setattr(module, "_adds_keys", lambda spot, rules: False)
    cards = variant_equity(variant, hands, boards, mode="sampled", samples=60_000)
    assert pairs != cards
    for ours, theirs in zip(pairs.players, cards.players, strict=True):
        error = (ours.stderr**2 + theirs.stderr**2) ** 0.5
        assert abs(ours.equity - theirs.equity) < 4.5 * error
        assert abs(ours.scoop - theirs.scoop) < 4.5 * (2 * ours.scoop + 10) ** 0.5
        for share, other in zip(ours.shares, theirs.shares, strict=True):
            assert abs(share.win - other.win) < 4.5 * (2 * share.win + 10) ** 0.5


def test_many_players() -> None:
    result = variant_equity("omaha", ["random"] * 10, samples=20_000)
    for player in result.players:
        assert abs(player.equity - 0.1) < 5 * player.stderr
    result = variant_equity("stud", ["random"] * 7, samples=1_000)
    assert sum(player.equity for player in result.players) == pytest.approx(1)


def test_order_of_players_and_cards_does_not_matter() -> None:
    one = variant_equity("omaha-hilo", ["As2sKdQd", "JhJcTh9c"], ["3s4s8h"])
    two = variant_equity("omaha-hilo", ["9cThJcJh", "QdKd2sAs"], ["8h3s4s"])
    assert one.players == two.players[::-1]


def test_cards_as_numbers_and_a_table() -> None:
    result = variant_equity("razz", [cards_from("As2c3c"), ["Kd", "2d", "5h"]], samples=1_000)
    assert result == variant_equity("razz", ["As2c3c", "Kd2d5h"], samples=1_000)
    table = result.to_polars()
    assert table.columns[:3] == ["player", "low win", "low tie"]
    assert table.height == 2


LOW_CARDS = format_cards(HOLDEM.deck[:40])


@pytest.mark.parametrize(
    ("variant", "hands", "boards", "dead", "says"),
    [
        ("omaha", ["AsAhKsKh"], [], "", "1 hands in omaha; allowed: 2 to 10"),
        ("omaha", ["AsAhKsKh", "QdQcJdJc2h"], [], "", "5 cards.*omaha: 4.*5 are omaha5"),
        ("omaha-hilo", ["AsAhKsKh", "QdQcJdJc2h"], [], "", "5 are omaha5-hilo"),
        ("omaha", ["AsAhKsKh", "QdQc"], [], "", "hand 2 has 2 cards"),
        ("omaha", ["AsAhKsKh", "QdQcJdAs"], [], "", "As is named twice"),
        ("omaha", ["AsAhKsKh", "QdQcJdJc"], ["As2c3c"], "", "As is named twice"),
        ("omaha", ["AsAhKsKh", "QdQcJdJc"], ["2c3c"], "", "a board of 2 cards"),
        ("omaha", ["AsAhKsKh", "QdQcJdJc"], ["2c3c4c", "2d3d4d5d"], "", "boards of 3 and 4"),
        ("double-board-omaha", ["AsAhKsKh", "QdQcJdJc"], ["2c3c4c"], "", "boards of 3 and 0"),
        ("omaha", ["random", "random"], [""] * 4, "", "4 boards; allowed: 3"),
        ("courchevel", ["random", "random"], ["2c3c"], "", "allowed: 0, 1, 3, 4, 5"),
        ("stud", ["AsAh", "KsKd"], ["2c3c4c"], "", "stud has no board"),
        ("stud", ["random"] * 8, [], "", "allowed: 2 to 7"),
        ("stud", ["AsAh", "2c2d2h2s3c3d3h3s"], [], "", "hand 2 has 8 cards"),
        ("short-deck", ["AsAh", "KsKd"], ["5c6c7c"], "", "5c is not in the deck"),
        ("irish", ["AsAhKsKh", "QdQc"], [], "", "which 2 to throw away"),
        ("badugi", ["As2s3s4s", "5s6s7s8s9s"], [], "", "hand 2 has 5 cards"),
        ("omaha", ["AsAhKsKh", "QdQcJdJ"], [], "", "character 8"),
        ("omaha", ["AsAhKsKh", "nan"], [], "", "not a rank"),
        ("drawmaha", ["AsAhKsKh", "QdQcJdJc"], [], "", "drawmaha is not supported"),
        ("omaha", "AsAhKsKh", [], "", "the text 'AsAhKsKh'"),
        ("razz", ["AsAh", "KsKd"], [], LOW_CARDS, "8 cards left; 10 are still to be dealt"),
    ],
)
def test_refused_questions(
    variant: str, hands: list[str], boards: list[str], dead: str, says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        variant_equity(variant, hands, boards, dead=dead)


@pytest.mark.parametrize("samples", [0, -1, 10**30])
def test_refused_samples(samples: int) -> None:
    with pytest.raises(BadInput, match="samples; allowed"):
        variant_equity("omaha", ["random", "random"], mode=Mode.SAMPLED, samples=samples)


def test_an_exact_answer_out_of_reach() -> None:
    with pytest.raises(BadInput, match="are too many to count"):
        variant_equity("omaha", ["random", "random"], mode=Mode.EXACT)


@pytest.mark.parametrize("name", ["omaha-hilo", "double-board-holdem", "short-deck", "stud"])
def test_a_share_against_unknown_cards_is_their_equity(name: str) -> None:
    variant = VARIANTS[name]
    deck = np.random.default_rng(4).permutation(variant.deck).tolist()
    own = [deck.pop() for _ in range(variant.hand_size - (name == "stud"))]
    up = [deck.pop()] if name == "stud" else []
    boards = [
        [deck.pop() for _ in range(variant.board_sizes[1])]
        for _ in range(variant.boards if variant.board_sizes[-1] else 0)
    ]
    share = share_against_unknown(variant, own, [up, ()], boards, samples=40_000)
    unknown = "?" * (2 * variant.hand_size - 2 * len(up))
    hands = [format_cards(own), format_cards(up) + unknown, "random"]
    exact = variant_equity(variant, hands, boards, mode="sampled", samples=400_000)
    assert share == pytest.approx(exact.players[0].equity, abs=0.01)
    again = share_against_unknown(variant, own[::-1], [up, ()], boards, samples=40_000)
    assert share == again


def test_a_share_is_refused_for_other_cards() -> None:
    with pytest.raises(BadInput, match="hand 1 has 3 cards; allowed in omaha: 4"):
        share_against_unknown("omaha", "AsAhKs", [()])
    with pytest.raises(BadInput, match="hand 2 has 5 cards"):
        share_against_unknown("omaha", "AsAhKsKh", ["2c3c4c5c6c"])
    with pytest.raises(BadInput, match="1 hands in omaha; allowed: 2 to 10"):
        share_against_unknown("omaha", "AsAhKsKh", [])
    with pytest.raises(BadInput, match="0 samples; allowed: 1 to"):
        share_against_unknown("omaha", "AsAhKsKh", [()], samples=0)
