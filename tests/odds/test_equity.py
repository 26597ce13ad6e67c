from __future__ import annotations

import numpy as np
import pytest

from railbird.cards import HOLDINGS, Holding, Range, parse_holding
from railbird.errors import BadInput, DuplicateCard
from railbird.odds import Method, Mode, equity

WIDE = ["22+,A2s+,K9s+", "TT+,AQ", "random"]


@pytest.mark.parametrize(
    ("players", "board", "message"),
    [
        (["AsAh"], "", "equity needs 2 to 10 hands, got 1"),
        (["random"] * 11, "", "equity needs 2 to 10 hands, got 11"),
        (["AsAh", "KsKh"], "2c3c", "a board of 2 cards; allowed: 0, 3, 4, 5"),
        (["AsAh", "AsKh"], "", "no deal gives every player a holding"),
        (["AsAh", "AsKh"], "2c3c4c", "no deal gives every player a holding"),
        (["AsAh", "AsKh", "QQ"], "2c3c4c", "no deal gives every player a holding"),
        (["AA", "random"], "AsAhAd", "range of player 1, AA, shares cards with the known ones"),
        (["", "random"], "", "range of player 1, , is empty"),
        ([1326, "random"], "", "no holding has the number 1326"),
    ],
)
def test_what_cannot_be_answered(
    players: list[Range | Holding | str], board: str, message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        equity(players, board)


def test_a_card_that_is_known_twice() -> None:
    with pytest.raises(DuplicateCard, match="As is named twice"):
        equity(["KK", "QQ"], "As2c3d", dead="As")


def test_seven_players_cannot_share_three_pairs() -> None:
    with pytest.raises(BadInput, match="no deal"):
        equity(["QQ+"] * 7, mode=Mode.SAMPLED, samples=10)


def test_too_few_samples() -> None:
    with pytest.raises(BadInput, match="0 samples; allowed: 1 to "):
        equity(["QQ+"] * 2, mode=Mode.SAMPLED, samples=0)


def test_an_exact_answer_out_of_reach_is_refused_and_estimated_by_default() -> None:
    with pytest.raises(BadInput, match="too many to enumerate"):
        equity(["random"] * 3, mode=Mode.EXACT)
    assert equity(["random"] * 3, samples=1000).method is Method.SAMPLED


def test_the_work_limit_decides() -> None:
    exact = equity(WIDE[:2], "Kh7c2d")
    assert exact.method is Method.SWEEP
    assert exact.exact
    drawn = equity(WIDE[:2], "Kh7c2d", work_limit=1e-9, samples=1000)
    assert drawn.method is Method.SAMPLED
    assert drawn.players[0].stderr > 0


def test_hands_and_cards_are_read_in_any_way() -> None:
    written = [
        equity(["Ts6s", "Jd5d"], "Td5hTh"),
        equity(["T♠-6♠", "5d Jd"], "Td, 5h, Th"),
        equity([parse_holding("Ts6s"), Range.parse("JdTd:0,Jd5d")], "10d 5h 10h"),
    ]
    assert written[0] == written[1] == written[2]


def test_counts_are_integers_unless_there_are_weights() -> None:
    whole = equity(["QQ+", "AK"], "Kh7c2d").players[0]
    assert isinstance(whole.win, int)
    assert isinstance(whole.tie, int)
    assert isinstance(whole.lose, int)
    halves = equity(["QQ+:0.5", "AK:0.5"], "Kh7c2d").players[0]
    assert (halves.win, halves.tie, halves.lose) == (whole.win / 4, whole.tie / 4, whole.lose / 4)
    assert halves.equity == pytest.approx(whole.equity, abs=1e-15)


@pytest.mark.parametrize("board", ["", "Kh7c2d"])
def test_equities_of_parts_add_up_by_weight(board: str) -> None:
    parts = [equity([hand, "JJ"], board) for hand in ("AKs", "QQ")]
    both = equity(["AKs:0.25,QQ", "JJ"], board)
    assert both.trials == pytest.approx(parts[0].trials / 4 + parts[1].trials)
    assert both.players[0].win == pytest.approx(
        parts[0].players[0].win / 4 + parts[1].players[0].win
    )


def test_the_matrix_and_all_boards_agree_on_weighted_ranges() -> None:
    by_matrix = equity(["AsKs:0.5,QhQd", "JcJd,Th9h:0.25"])
    assert by_matrix.method is Method.MATRIX
    pairs = [("AsKs", 0.5), ("QhQd", 1.0)], [("JcJd", 1.0), ("Th9h", 0.25)]
    share = total = 0.0
    for mine, weight in pairs[0]:
        for other, its_weight in pairs[1]:
            share += weight * its_weight * equity([mine, other]).players[0].equity
            total += weight * its_weight
    assert by_matrix.players[0].equity == pytest.approx(share / total)


def test_ties_of_three_share_the_pot() -> None:
    result = equity(["2c3c", "2d3d", "2h3h"], "AsKsQsJsTs")
    assert [player.tie for player in result.players] == [1, 1, 1]
    assert [player.equity for player in result.players] == pytest.approx([1 / 3] * 3)


def test_dead_cards_change_what_comes() -> None:
    # With the other two aces gone a set is out of reach.
    alive = equity(["AsKs", "QhQd"], "2c2d3h7h")
    drawn = equity(["AsKs", "QhQd"], "2c2d3h7h", dead="AcAd")
    assert (alive.trials, drawn.trials) == (44, 42)
    assert (alive.players[0].win, drawn.players[0].win) == (6, 4)


@pytest.mark.parametrize(
    ("players", "board", "mode"),
    [
        (["random", "random"], "2c3d4h", Mode.EXACT),
        (["TT+", "AQ", "77"], "2c3d4h", Mode.EXACT),
        (["TT+", "AQ", "77"], "", Mode.SAMPLED),
    ],
)
def test_long_jobs_tell_and_can_be_stopped(players: list[str], board: str, mode: Mode) -> None:
    calls: list[tuple[int, int, str]] = []
    equity(players, board, mode=mode, samples=70_000, progress=lambda *call: calls.append(call))
    assert calls
    assert calls[-1][0] == calls[-1][1]

    def stop(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        equity(players, board, mode=mode, samples=70_000, progress=stop)


def test_ranges_are_not_touched() -> None:
    weights = np.ones(HOLDINGS)
    given = Range(weights)
    equity([given, given], "2c3d4h5s6c")
    assert given == Range.full()
