"""A spot on many boards: which boards, how much each counts, and the means."""

import pytest

from railbird.cards import format_cards
from railbird.errors import BadInput
from railbird.solve.spot import (
    BetSizes,
    BoardSpot,
    OpenSpot,
    Spot,
    all_flops,
    mean_over_boards,
    read_boards,
    same_sizes,
    solve_boards,
    solve_spot,
)

LINES = "oop = QQ,99,AKs,87s:0.5\nip = TT,66,KQs,J8s\npot = 20\nstack = 60\nbets = 50%"


def test_rivers_of_a_turn_have_its_equity_on_average() -> None:
    """Which they do only if each counts by the pairs of holdings that it leaves."""
    sizes = same_sizes(BetSizes())
    turn = Spot.of("Td9d6hQc", "QQ,AKs,87s:0.5", "TT,KQs,J8s", pot=20, stack=60, sizes=sizes)
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    rivers = [card for card in deck if card not in ("Td", "9d", "6h", "Qc")]
    boards = read_boards(" ".join(f"Td9d6hQc{card}:1" for card in rivers))
    text = str(turn)
    spots = OpenSpot.parse(text, boards).on(boards)
    found = mean_over_boards(list(solve_boards(spots, gap_percent=0.1)), ("check",))
    whole = solve_spot(turn, gap_percent=0.1)
    assert found.equity == pytest.approx(whole.equity, abs=1e-6)
    assert found.ev == pytest.approx(whole.values(), abs=1e-4)
    assert found.weight == 48


def test_a_board_gives_back_what_another_blocked() -> None:
    boards = read_boards("QcQdQh2s3c,Td9d6h2s3c")
    some = OpenSpot.parse(f"board = QcQdQh2s3c\n{LINES}", boards)
    sizes = same_sizes(BetSizes.parse("50%"))
    for each, board in zip(some.on(boards), boards, strict=True):
        expected = Spot.of(
            board.board, "QQ,99,AKs,87s:0.5", "TT,66,KQs,J8s", pot=20, stack=60, sizes=sizes
        )
        assert str(each.spot) == str(expected)


@pytest.mark.slow
def test_flops_stand_for_all_flops() -> None:
    flops = all_flops()
    some = OpenSpot.parse(LINES, flops)
    spots = some.on(flops, skip=True)
    assert len(spots) == 1755
    assert sum(each.weight for each in spots) == 22_100
    assert not some.tells_suits_apart


@pytest.mark.slow
def test_flops_that_leave_nothing_to_hold_are_left_out() -> None:
    flops = all_flops()
    text = "oop = AA\nip = AK\npot = 20\nstack = 60"
    boards = {
        format_cards(each.spot.board) for each in OpenSpot.parse(text, flops).on(flops, skip=True)
    }
    # Three aces, or two with all of which the other pair of aces is taken.
    left_out = {format_cards(each.board) for each in flops} - boards
    assert left_out
    assert all(board.count("A") >= 2 for board in left_out)


@pytest.mark.parametrize(
    ("line", "apart"),
    [
        ("", False),
        ("lock = check > TT > check 1", False),
        ("lock = check > TsTc > check 1", True),
        ("bets = 60%", False),
    ],
)
def test_suits_are_told_apart(line: str, apart: bool) -> None:
    boards = read_boards("Ks7d2c3c4c")
    text = LINES.replace("bets = 50%", "") + f"\n{line}"
    some = OpenSpot.parse(text, boards)
    assert some.tells_suits_apart is apart
    assert some.on(boards)[0].weight == (1 if apart else 24)


def test_a_lock_that_names_a_card_is_refused() -> None:
    text = f"{LINES}\nlock = check check 9c > TT > check 1"
    with pytest.raises(BadInput, match="a card in 'check check 9c'"):
        OpenSpot.parse(text, read_boards("Ks7d2c"))


def test_the_digest_is_that_of_the_spot_and_not_of_its_board() -> None:
    boards = read_boards("Ks7d2c,Ah8d3s")
    one, other = (OpenSpot.parse(LINES, [each]) for each in boards)
    assert one.digest(0.3) == other.digest(0.3)
    changed = OpenSpot.parse(LINES.replace("0.5", "0.25"), boards)
    assert len({one.digest(0.3), one.digest(0.2), changed.digest(0.3)}) == 3


def test_the_mean_bet_is_that_of_all_bets() -> None:
    sizes = same_sizes(BetSizes.parse("50%, a"))
    spots = [
        BoardSpot(Spot.of(board, "QQ,99,AKs,87s", "TT,66,KQs", pot=20, stack=60, sizes=sizes))
        for board in ("Td9d6hQc2s", "KsJh8d7c2c")
    ]
    results = list(solve_boards(spots, gap_percent=1))
    actions = ("check", "bet 10", "all-in 60")
    mean = mean_over_boards(results, actions)
    _, small, large = mean.frequencies
    expected = (50 * small + 300 * large) / (small + large)
    assert mean.mean_bet_percent == pytest.approx(expected)
    assert mean.iterations == sum(each.iterations for each in results)
