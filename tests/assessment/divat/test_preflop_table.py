"""The preflop table as shipped: its rows, its files, and its values against dealt boards."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from railbird.assessment.divat._kernels_rollout import look_ahead, new_future, turn_sum
from railbird.assessment.divat.preflop_table import (
    PAIR_CLASSES,
    WHOLE,
    PreflopTable,
    find_table,
    pair_members,
    pair_rows,
    read_table,
    table_key,
    table_name,
    write_table,
)
from railbird.assessment.divat.preflop_values import (
    SampledPreflopValues,
    policy_arrays,
    preflop_classes,
    rank_arrays,
)
from railbird.baseline import STANDARD, BaselineClass, baseline_line, parse_settings
from railbird.baseline._kernels_baseline import class_of_rank, flop_rank
from railbird.cards import HOLDING_CARDS, HOLDINGS, Card, Holding, parse_holding
from railbird.cards.isomorphism.boards import HOLDING_UNDER
from railbird.errors import BadInput, DamagedFile
from railbird.game.rules import Street
from railbird.odds.tables.rank_tables import open_tables
from twins.preflop_by_play import all_boards, deal, random_boards, results

if TYPE_CHECKING:
    from railbird.baseline import BaselineSettings

SHIPPED = (STANDARD, parse_settings("pot=facing-bet"))
BRUTE_FORCE = (("3c2d", "AsKs"), ("Td9d", "7h7c"), ("Jd5d", "Ts6s"))


def _table(settings: BaselineSettings, folder: Path) -> PreflopTable:
    table = find_table(settings, folder=folder)
    assert table is not None
    return table


def _random_pairs(n: int, rng: np.random.Generator) -> list[tuple[Holding, Holding]]:
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


@pytest.mark.parametrize("settings", SHIPPED, ids=lambda settings: settings.name)
def test_shipped_values_lie_within_four_sigma_of_dealt_boards(
    settings: BaselineSettings, tmp_path: Path
) -> None:
    table = _table(settings, tmp_path)
    rng = np.random.default_rng(20070901)
    boards = 2500
    for first, second in _random_pairs(60, rng):
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
    total = np.zeros(4, dtype=np.int64)
    dealt = 0
    for boards in all_boards(first, second):
        total += results(deal(first, second, boards, settings), settings).sum(axis=1)
        dealt += len(boards)
    assert dealt == WHOLE
    numerators = _table(settings, tmp_path).numerators[pair_rows()[first, second]]
    assert numerators.tolist() == total.tolist()


@pytest.mark.parametrize("settings", SHIPPED, ids=lambda settings: settings.name)
def test_shipped_values_lie_within_four_sigma_of_the_sampler(
    settings: BaselineSettings, tmp_path: Path
) -> None:
    pairs = _random_pairs(200, np.random.default_rng(44))
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
            flop_rank(int(ihr), int(hr7), int(policy.bettable[Street.FLOP]))
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
        with pytest.raises(DamagedFile, match="`railbird tables build roe` makes one"):
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
    pairs = _random_pairs(50, rng)
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
