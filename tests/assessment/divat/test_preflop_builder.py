"""The builder: its kernels on single boards against boards played out, and how it is resumed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from railbird.assessment.divat import preflop_builder
from railbird.assessment.divat.kernels import look_ahead, new_future, turn_sum
from railbird.assessment.divat.preflop_builder import betting_plan, compute_table, rank_tables
from railbird.assessment.divat.preflop_kernels import (
    LANES,
    MOST,
    add_boards,
    average_pairs,
    new_board,
    new_row,
)
from railbird.assessment.divat.preflop_values import (
    PAIR_CLASSES,
    WHOLE,
    Int16s,
    PreflopTable,
    SampledPreflopValues,
    find_table,
    pair_members,
    pair_rows,
    policy_arrays,
    preflop_classes,
    rank_arrays,
    read_table,
    table_key,
    table_name,
    write_table,
)
from railbird.baseline import CAP, STANDARD, BaselineClass, baseline_line, parse_settings
from railbird.baseline.kernels import class_of_rank, flop_ehr
from railbird.cards import HOLDING_CARDS, HOLDINGS, Card, Holding, parse_cards, parse_holding
from railbird.cards.isomorphism import board_classes, canonical_board
from railbird.cards.isomorphism_kernels import CARD_UNDER, HOLDING_UNDER
from railbird.errors import BadInput, DamagedFile, Interrupted, RailbirdError
from railbird.game.rules import Street
from railbird.odds.rank_tables import Tables, open_tables
from twins.preflop_by_play import all_boards, deal, deal_to, random_boards, results

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from railbird.baseline import BaselineSettings


# No symmetry, equal unused suits, two pairs of suits, one suit only, paired and unpaired.
BOARDS = ("2c7d9hAs", "2c9cJcKd", "3c3dQcQd", "TcJcQcAc", "5c5d5hKc")
# Folds of hands that would bet, on all streets, and of hands that are not behind.
FOLDS = "flop.fold=0.5,turn.fold=0.5,river.fold=0.4,river.make1=0.5"
CASES = (
    *((board, text) for board in BOARDS for text in ("standard", FOLDS)),
    *((BOARDS[0], text) for text in ("pot=facing-bet", "aggressive-high", "river.fold=1")),
)
NEVER_BET = ",".join(f"{s}.make{n}=2" for s, n in product(("flop", "turn", "river"), (4, 3, 2, 1)))
ALWAYS_RAISE = ",".join(
    ["flop.fold=-1", "turn.fold=-1", "river.fold=-1"]
    + [f"{s}.make{n}=0" for s, n in product(("flop", "turn", "river"), (1, 2, 3, 4))]
)


def _sums_over_class(board: str, settings: BaselineSettings) -> npt.NDArray[np.int32]:
    """Numerators (93769, 4) of one class of boards alone."""
    row = canonical_board(parse_cards(board)).row
    plan, classes = betting_plan(settings), board_classes(4)
    values = np.zeros((HOLDINGS, MOST[0], LANES), dtype=np.int32)
    gains, done = np.zeros_like(values), np.zeros(len(classes.orbit), dtype=np.bool_)
    groups, shapes = len(plan.groups), len(plan.levels)
    for _ in range(2):  # a board that is done is not added again
        add_boards(
            classes.representative,
            classes.orbit,
            row,
            row + 1,
            rank_tables(open_tables()),
            plan,
            new_board(groups, shapes),
            new_row(groups),
            values,
            gains,
            done,
        )
    assert np.flatnonzero(done).tolist() == [row]
    numerators = np.empty((PAIR_CLASSES, MOST[0]), dtype=np.int32)
    assert average_pairs(pair_members(), values, gains, numerators) == 0
    return numerators


def _boards_of_class(board: str) -> set[tuple[int, ...]]:
    cards = np.array(parse_cards(board))
    return {tuple(sorted(under[cards].tolist())) for under in CARD_UNDER}


def _all_deals(
    boards: set[tuple[int, ...]], first: Holding, second: Holding
) -> npt.NDArray[np.uint8]:
    """All flops, turns and rivers (n, 5) of which the first four cards are one of ``boards``."""
    held = HOLDING_CARDS[[first, second]].ravel().tolist()
    deals = [
        [*(card for card in board if card != turn), turn, river]
        for board in boards
        if not set(board) & set(held)
        for turn in board
        for river in range(52)
        if river not in (*board, *held)
    ]
    return np.array(deals, dtype=np.uint8).reshape(-1, 5)


@pytest.mark.slow(
    only=[
        "2c7d9hAs-standard",
        "2c7d9hAs-flop.fold=0.5,turn.fold=0.5,river.fold=0.4,river.make1=0.5",
        "2c7d9hAs-river.fold=1",
    ]
)
@pytest.mark.parametrize(("board", "text"), CASES)
def test_a_class_of_boards_adds_up_to_its_boards_played_out(board: str, text: str) -> None:
    settings = parse_settings(text)
    numerators, boards = _sums_over_class(board, settings), _boards_of_class(board)
    rng = np.random.default_rng(4)
    for row in rng.integers(0, PAIR_CLASSES, 12).tolist():
        first, second = (Holding(holding) for holding in pair_members()[row].tolist())
        deals = deal(first, second, _all_deals(boards, first, second), settings)
        assert numerators[row].tolist() == results(deals, settings).sum(axis=1).tolist()


def test_without_bets_only_the_showdown_counts() -> None:
    checked = _sums_over_class("2c9cJcKd", parse_settings(NEVER_BET))
    capped = _sums_over_class("2c9cJcKd", parse_settings(ALWAYS_RAISE))
    reverse = pair_rows()[tuple(pair_members().T[::-1])]
    assert np.array_equal(checked, -checked[reverse])
    showdowns = checked[:, 0]
    assert np.count_nonzero(showdowns) > PAIR_CLASSES // 2
    for c in range(1, CAP + 1):
        assert np.array_equal(checked[:, c - 1], c * showdowns)
        # Four bets on each street, of one, two and two small bets.
        assert np.array_equal(capped[:, c - 1], (c + 4 + 8 + 8) * showdowns)


def test_contributions_reach_as_far_as_the_arrays() -> None:
    assert MOST == (CAP, CAP + CAP, CAP + CAP + 2 * CAP)


def _pretend(*arguments: object) -> None:
    """Do what `add_boards` does, only that a board is worth as much as its number."""
    start, stop, done = arguments[2], arguments[3], arguments[-1]
    values, gains = arguments[-3], arguments[-2]
    assert isinstance(start, int)
    assert isinstance(stop, int)
    for array in (values, gains, done):
        assert isinstance(array, np.ndarray)
    for board in range(start, stop):
        if not done[board]:  # type: ignore[index]
            values[:, :, 0] += 24 * board  # type: ignore[index]
            gains[0, 0, :] += 24  # type: ignore[index]
            done[board] = True  # type: ignore[index]


def _interrupt_at(boards: int) -> Callable[[int, int, str], None]:
    def progress(done: int, total: int, what: str) -> None:
        if done >= boards:
            raise KeyboardInterrupt

    return progress


@pytest.fixture
def _quick_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflop_builder, "add_boards", _pretend)
    monkeypatch.setattr(preflop_builder, "_BOARDS", 600)
    monkeypatch.setattr(preflop_builder, "_BATCH", 128)


@pytest.mark.slow
@pytest.mark.usefixtures("_quick_boards")
def test_an_interrupted_build_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    straight = compute_table(STANDARD, checkpoint=tmp_path / "none").numerators
    checkpoint = tmp_path / "checkpoint"
    for boards in (100, 300):
        with pytest.raises(Interrupted, match=r"of 600 boards, which are kept in .*checkpoint"):
            compute_table(STANDARD, checkpoint=checkpoint, progress=_interrupt_at(boards))
    seen: list[int] = []
    resumed = compute_table(
        STANDARD, checkpoint=checkpoint, progress=lambda done, total, what: seen.append(done)
    )
    assert np.array_equal(resumed.numerators, straight)
    assert seen[0] >= 300
    assert seen[-1] == 600


@pytest.mark.slow
@pytest.mark.usefixtures("_quick_boards")
def test_checkpoints_of_other_settings_and_damaged_ones_are_not_used(tmp_path: Path) -> None:
    straight = compute_table(STANDARD, checkpoint=tmp_path / "none").numerators
    checkpoint = tmp_path / "checkpoint"
    with pytest.raises(Interrupted):
        compute_table(
            parse_settings("tight-high"), checkpoint=checkpoint, progress=_interrupt_at(100)
        )
    assert np.array_equal(compute_table(STANDARD, checkpoint=checkpoint).numerators, straight)
    with pytest.raises(Interrupted):
        compute_table(STANDARD, checkpoint=checkpoint, progress=_interrupt_at(100))
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100_000])
    assert np.array_equal(compute_table(STANDARD, checkpoint=checkpoint).numerators, straight)


@pytest.mark.usefixtures("_quick_boards")
def test_a_built_table_is_found_and_kept(tmp_path: Path) -> None:
    settings = parse_settings("tight-high")
    built = preflop_builder.build_table(settings, folder=tmp_path)

    def refuse(done: int, total: int, what: str) -> None:
        raise AssertionError("built again")

    again = preflop_builder.build_table(settings, folder=tmp_path, progress=refuse)
    assert np.array_equal(again.numerators, built.numerators)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".lock", ".npz"]


def test_a_place_that_takes_no_files_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RailbirdError, match=r"cannot use the folder .*file"):
        preflop_builder.build_table(parse_settings("tight-high"), folder=tmp_path / "file")
    with pytest.raises(RailbirdError, match=r"absent.table\.npz: cannot be written: No such file"):
        write_table(preflop_builder.build_table(STANDARD), tmp_path / "absent" / "table.npz")


# The preflop table as shipped: its rows, its files, and its values against dealt boards.


SHIPPED = (STANDARD, parse_settings("pot=facing-bet"))
BRUTE_FORCE = (("3c2d", "AsKs"), ("Td9d", "7h7c"), ("Jd5d", "Ts6s"))


def _table(settings: BaselineSettings, folder: Path) -> PreflopTable:
    table = find_table(settings, folder=folder)
    assert table is not None
    return table


def _preflop_table_random_pairs(n: int, rng: np.random.Generator) -> list[tuple[Holding, Holding]]:
    pairs = rng.integers(0, HOLDINGS, (2 * n, 2))
    return [(Holding(i), Holding(j)) for i, j in pairs.tolist() if pair_rows()[i, j] >= 0][:n]


def test_rows_are_the_orbits_of_the_suit_permutations() -> None:
    rows = pair_rows()
    for under in HOLDING_UNDER:
        assert np.array_equal(rows, rows[np.ix_(under, under)])
    first, second = HOLDING_CARDS[:, np.newaxis], HOLDING_CARDS[np.newaxis, :]
    common = (first[..., np.newaxis] == second[..., np.newaxis, :]).any(axis=(2, 3))
    assert np.array_equal(rows < 0, common)
    # Burnside: the mean number of pairs that a permutation leaves as they are.
    stays = np.arange(HOLDINGS) == HOLDING_UNDER
    fixed = [np.count_nonzero(~common & np.outer(same, same)) for same in stays]
    assert sum(fixed) == 24 * PAIR_CLASSES
    assert np.array_equal(np.unique(rows), np.arange(-1, PAIR_CLASSES))
    assert np.array_equal(rows[tuple(pair_members().T)], np.arange(PAIR_CLASSES))


def test_pairs_that_a_suit_permutation_swaps_have_one_value() -> None:
    rows = pair_rows()
    one, two = parse_holding("AcKd"), parse_holding("AhKs")
    assert rows[one, two] == rows[two, one]
    assert rows[parse_holding("AcKc"), two] != rows[two, parse_holding("AcKc")]


@pytest.mark.slow(but=["standard"])
@pytest.mark.parametrize("settings", SHIPPED, ids=lambda settings: settings.name)
def test_shipped_values_lie_within_four_sigma_of_dealt_boards(
    settings: BaselineSettings, tmp_path: Path
) -> None:
    table = _table(settings, tmp_path)
    rng = np.random.default_rng(20070901)
    boards = 2500
    for first, second in _preflop_table_random_pairs(60, rng):
        sb = results(
            deal(first, second, random_boards(first, second, boards, rng), settings), settings
        )
        exact = [float(table.value(first, second, c)) for c in range(1, 5)]
        bound = 4 * sb.std(axis=1, ddof=1) / np.sqrt(boards)
        assert np.all(np.abs(sb.mean(axis=1) - exact) <= bound), (first, second)


@pytest.mark.slow
@pytest.mark.parametrize("settings", SHIPPED, ids=lambda settings: settings.name)
@pytest.mark.parametrize("pair", BRUTE_FORCE, ids=" v ".join)
def test_shipped_values_are_the_mean_over_all_boards(
    settings: BaselineSettings, pair: tuple[str, str], tmp_path: Path
) -> None:
    first, second = parse_holding(pair[0]), parse_holding(pair[1])
    dealt, totals = _sums_over_all_boards(first, second)
    assert dealt == WHOLE
    numerators = _table(settings, tmp_path).numerators[pair_rows()[first, second]]
    assert numerators.tolist() == totals[settings].tolist()


@cache
def _sums_over_all_boards(
    first: Holding, second: Holding
) -> tuple[int, dict[BaselineSettings, npt.NDArray[np.int64]]]:
    """How many boards there are, and player 1's results on all of them by settings.

    Cards are dealt and looked up once for all settings, which is most of the work.
    """
    totals = {settings: np.zeros(4, dtype=np.int64) for settings in SHIPPED}
    dealt = 0
    for boards in all_boards(first, second):
        seen = deal_to(first, second, boards)
        for settings, total in totals.items():
            total += results(seen.under(settings), settings).sum(axis=1)
        dealt += len(boards)
    return dealt, totals


@pytest.mark.slow(but=["pot=facing-bet"])
@pytest.mark.parametrize("settings", SHIPPED, ids=lambda settings: settings.name)
def test_shipped_values_lie_within_four_sigma_of_the_sampler(
    settings: BaselineSettings, tmp_path: Path
) -> None:
    pairs = _preflop_table_random_pairs(200, np.random.default_rng(44))
    first, second = np.array(pairs, dtype=np.int16).T
    contribution = np.tile(np.arange(1, 5, dtype=np.int16), (len(pairs), 1))
    sampler = SampledPreflopValues(settings, open_tables(), samples=2500)
    value, covariance = sampler.values(first, second, contribution)
    exact = _table(settings, tmp_path).values(first, second, contribution).value
    assert np.all((value - exact) ** 2 <= 16 * covariance.diagonal(axis1=1, axis2=2))


@pytest.mark.slow
@pytest.mark.parametrize("settings", SHIPPED, ids=lambda settings: settings.name)
def test_the_value_is_the_mean_of_the_flops_values(
    settings: BaselineSettings, tmp_path: Path
) -> None:
    first, second = parse_holding("Kd9d"), parse_holding("6s5h")
    tables, table = open_tables(), _table(settings, tmp_path)
    ranks, policy, future = rank_arrays(tables), policy_arrays(settings, 24), new_future()
    total = np.zeros(4, dtype=np.int64)
    deck = np.setdiff1d(np.arange(52), HOLDING_CARDS[[first, second]])
    for flop in combinations(deck.tolist(), 3):
        places = [tables.place([Card(card) for card in flop], hole) for hole in (first, second)]
        one, two = (
            flop_ehr(int(ihr), int(hr7), int(policy.bettable[Street.FLOP]))
            for ihr, hr7 in zip(tables.flop_ihr[places], tables.flop_hr7[places], strict=True)
        )
        look_ahead(np.array(flop), first, second, ranks, policy.bettable[Street.TURN], future)
        for c in range(1, 5):
            classes = tuple(
                class_of_rank(rank, Street.FLOP, c, policy.make, policy.fold) for rank in (one, two)
            )
            folder = policy.folded_by[classes]
            if folder >= 0:
                total[c - 1] += (c if folder else -c) * 45 * 44
            else:
                total[c - 1] += turn_sum(int(c + policy.level[classes]), policy, future)
    values = [float(table.value(first, second, c)) for c in range(1, 5)]
    assert (total / WHOLE).tolist() == pytest.approx(values, abs=1e-9)


@pytest.mark.slow(but=["pot=facing-bet"])
@pytest.mark.parametrize("settings", SHIPPED, ids=lambda settings: settings.name)
def test_position_is_the_mean_over_all_deals(settings: BaselineSettings, tmp_path: Path) -> None:
    table = _table(settings, tmp_path)
    deals = np.bincount(pair_rows()[pair_rows() >= 0])
    assert deals.sum() == HOLDINGS * 1225
    classes = [BaselineClass(own) for own in preflop_classes(settings, open_tables())]
    by_line: Counter[tuple[int, int | None]] = Counter()
    total = Fraction(0)
    for (first, second), values, weight in zip(
        pair_members().tolist(), table.numerators.tolist(), deals.tolist(), strict=True
    ):
        line = baseline_line(Street.PREFLOP, classes[first], classes[second])
        by_line[line.level, line.folded_by] += weight
        if line.folded_by is None:
            total += Fraction(values[line.level - 1] * weight, WHOLE)
        elif line.folded_by == 1:
            assert line.level == 0  # the dealer gives up the small blind
            total += Fraction(weight, 2)
        else:
            total -= line.level * weight
    # The source, 3.1.2: just two hands are folded, 3-2 and 4-2 of two suits.
    assert by_line[0, 1] == 2 * 12 * 1225
    assert sum(by_line.values()) == HOLDINGS * 1225
    assert table.exact_position() == total / (HOLDINGS * 1225)
    assert table.position().value == pytest.approx(float(total / (HOLDINGS * 1225)), abs=1e-15)
    assert table.position().stderr == 0


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = _table(STANDARD, tmp_path)
    write_table(table, tmp_path / table_name(STANDARD))
    again = _table(STANDARD, tmp_path)
    assert np.array_equal(again.numerators, table.numerators)
    assert [file.suffix for file in tmp_path.iterdir()] == [".npz"]


def test_damaged_and_foreign_files_are_refused(tmp_path: Path) -> None:
    table = _table(STANDARD, tmp_path)
    file = tmp_path / table_name(STANDARD)
    write_table(table, file)
    whole = file.read_bytes()
    for damaged in (b"", whole[:1000], whole[:-1], b"x" + whole):
        file.write_bytes(damaged)
        with pytest.raises(DamagedFile, match="no preflop table"):
            find_table(STANDARD, folder=tmp_path)
    # Most bits that change are found by what unpacks the file, in one of many ways.
    for place in (*range(60, 130, 3), len(whole) // 2, len(whole) - 120, len(whole) - 132):
        changed = bytearray(whole)
        changed[place] ^= 0xFF
        file.write_bytes(bytes(changed))
        with pytest.raises(DamagedFile, match="`railbird machine tables build roe` makes one"):
            find_table(STANDARD, folder=tmp_path)
    file.write_bytes(whole)
    with pytest.raises(DamagedFile, match="another preflop table"):
        read_table(file, parse_settings("tight-high"))


def test_settings_share_a_table_if_they_differ_only_before_the_flop(tmp_path: Path) -> None:
    assert table_key(parse_settings("preflop.make2=0.7")) == table_key(STANDARD)
    others = ["flop.make4=0.97", "turn.fold=0.11", "river.make1=0.65", "pot=facing-bet"]
    assert len({table_key(parse_settings(text)) for text in ["standard", *others]}) == 5
    assert find_table(parse_settings("flop.make4=0.97"), folder=tmp_path) is None
    loose = _table(parse_settings("preflop.make2=0.7"), tmp_path)
    assert loose.exact_position() != _table(STANDARD, tmp_path).exact_position()


def test_bulk_values_are_the_single_ones_and_exact(tmp_path: Path) -> None:
    table, rng = _table(STANDARD, tmp_path), np.random.default_rng(3)
    pairs = _preflop_table_random_pairs(50, rng)
    first, second = np.array(pairs, dtype=np.int16).T
    contribution = rng.integers(1, 5, (len(pairs), 3)).astype(np.int16)
    value, covariance = table.values(first, second, contribution)
    assert value.tolist() == [
        [float(table.value(*pair, c)) for c in row]
        for pair, row in zip(pairs, contribution.tolist(), strict=True)
    ]
    assert covariance.shape == (len(pairs), 3, 3)
    assert not covariance.any()


def test_contributions_beyond_the_cap_are_sampled(tmp_path: Path) -> None:
    table = _table(STANDARD, tmp_path)
    first, second = (np.array([parse_holding(h)], dtype=np.int16) for h in ("Ts6s", "Jd5d"))
    contribution = np.array([[4, 5]], dtype=np.int16)
    value, covariance = table.values(first, second, contribution)
    sampled = SampledPreflopValues(STANDARD, open_tables()).values(first, second, contribution)
    assert np.array_equal(value, sampled.value)
    assert np.all(covariance[0].diagonal() > 0)


def test_values_that_do_not_exist_are_refused(tmp_path: Path) -> None:
    table = _table(STANDARD, tmp_path)
    aces, kings = parse_holding("AsAh"), parse_holding("KsKh")
    with pytest.raises(BadInput, match="contribution 5; allowed before the flop: 1 to 4 sb"):
        table.value(aces, kings, 5)
    with pytest.raises(BadInput, match="AsAh and AsKs have a card in common"):
        table.value(aces, parse_holding("AsKs"), 1)


# Sampled values before the flop.


@pytest.fixture(scope="module")
def tables() -> Tables:
    return open_tables()


def _preflop_values_random_pairs(n: int, seed: int) -> tuple[Int16s, Int16s]:
    first, second = np.random.default_rng(seed).integers(0, 1326, size=(2, 2 * n)).astype(np.int16)
    shared = HOLDING_CARDS[first][:, :, None] == HOLDING_CARDS[second][:, None, :]
    apart = ~shared.any(axis=(1, 2))
    return first[apart][:n], second[apart][:n]


def test_samples_lie_around_the_exact_values(tables: Tables) -> None:
    table = find_table(STANDARD)
    assert table is not None
    first, second = _preflop_values_random_pairs(300, 1)
    contribution = np.tile(np.arange(1, 5, dtype=np.int16), (len(first), 1))
    sampled = SampledPreflopValues(STANDARD, tables, samples=400).values(
        first, second, contribution
    )
    exact = table.values(first, second, contribution)
    variance = np.diagonal(sampled.covariance, axis1=1, axis2=2)
    scores = (sampled.value - exact.value) / np.sqrt(variance)
    assert np.abs(scores).max() < 5
    # Four contributions of a pair share their boards: 300 independent scores.
    assert abs(np.square(scores).mean() - 1) < 4 * np.sqrt(2 / 300)


def test_differences_are_known_better_than_values(tables: Tables) -> None:
    first, second = _preflop_values_random_pairs(50, 2)
    contribution = np.tile(np.array([1, 2], dtype=np.int16), (len(first), 1))
    covariance = SampledPreflopValues(STANDARD, tables).values(first, second, contribution)[1]
    weight = np.array([1.0, -1.0])
    of_difference = np.einsum("i,nij,j->n", weight, covariance, weight)
    assert (of_difference < covariance[:, 1, 1] / 2).mean() > 0.9


def test_a_sample_depends_on_cards_and_seed_alone(tables: Tables) -> None:
    first, second = _preflop_values_random_pairs(20, 3)
    contribution = np.ones((20, 1), dtype=np.int16)
    one, other = (SampledPreflopValues(STANDARD, tables, seed=seed) for seed in (1, 2))
    values = one.values(first, second, contribution).value
    again = one.values(first[::-1].copy(), second[::-1].copy(), contribution).value
    assert (values == again[::-1]).all()
    assert (values != other.values(first, second, contribution).value).any()


def test_position_is_that_of_the_table(tables: Tables) -> None:
    table = find_table(STANDARD)
    assert table is not None
    exact, sampled = table.position(), SampledPreflopValues(STANDARD, tables).position()
    assert exact.value < 0  # the dealer has the better seat
    assert abs(sampled.value - exact.value) < 4 * sampled.stderr


def test_only_two_hands_are_folded_at_once(tables: Tables) -> None:
    """Kan 2007, 3.1.2 (whose "4-3 offsuit" must be 4-2: spec, section 6)."""
    classes = preflop_classes(STANDARD, tables)
    folded = np.flatnonzero(classes == BaselineClass.FOLD).tolist()
    offsuit = [f"{high}{a}{low}{b}" for high, low in ("32", "42") for a in "cdhs" for b in "cdhs"]
    assert folded == sorted(parse_holding(text) for text in offsuit if text[1] != text[3])
    assert classes[parse_holding("AsAd")] == BaselineClass.MAKE4
