"""Solutions as files: what is read is what was written, and what is damaged is refused."""

import hashlib
import mmap
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.errors import BadInput, DamagedFile
from railbird.solve.spot import (
    BetSizes,
    Lock,
    Spot,
    SpotSolution,
    SpotSolver,
    deal_hands,
    is_solution,
    open_solution,
    resume,
    same_sizes,
    save_solution,
    solve_spot,
)

SPOT = Spot.of(
    "Td9d6hQc2s",
    "QQ,99,AKs,KJs,87s,A5s:0.5",
    "TT,66,KQs,J8s,AJs,76s:0.25",
    pot=20,
    stack=60,
    sizes=same_sizes(BetSizes.parse("50%", "a")),
    locks=(Lock.parse("check > TT > check 0.5, bet 10 0.5"),),
)


@pytest.fixture(scope="module")
def solution() -> SpotSolution:
    return solve_spot(SPOT, gap_percent=0, iterations=40)


def test_without_regrets(solution: SpotSolution, tmp_path: Path) -> None:
    file = tmp_path / "small.solution"
    save_solution(solution, file)
    found = open_solution(str(file))
    assert is_solution(file)
    assert str(found.spot) == str(SPOT)
    assert (found.iterations, found.gap) == (40, solution.gap)
    assert found.values() == pytest.approx(solution.values(), abs=1e-3)
    assert found.node().frequency() == pytest.approx(solution.node().frequency(), abs=1e-3)
    locked = found.node("check")
    kept = locked.strategy[(SPOT.locks[0].holdings.weights > 0) & (locked.reach[1] > 0)]
    assert kept[:, :2] == pytest.approx(0.5)
    with pytest.raises(BadInput, match="written with --resumable"):
        resume(found)


def test_resumed(solution: SpotSolution, tmp_path: Path) -> None:
    """Going on after a file gives the same bits as not stopping."""
    file = tmp_path / "resumable.solution"
    save_solution(solve_spot(SPOT, gap_percent=0, iterations=20), file, resumable=True)
    found = resume(open_solution(file), gap_percent=0, iterations=40)
    assert found.solver.regrets.tobytes() == solution.solver.regrets.tobytes()
    assert found.solver.averages.tobytes() == solution.solver.averages.tobytes()
    assert found.gap == solution.gap


def test_half_the_memory(tmp_path: Path) -> None:
    """Half-precision numbers: the same value, and the same bits after a file."""
    turn = replace(SPOT, board=SPOT.board[:4])
    half, whole = (
        solve_spot(turn, gap_percent=0.2, iterations=200, store=store) for store in (16, 32)
    )
    assert half.finished
    assert half.solver.averages.nbytes * 2 == whole.solver.averages.nbytes
    assert half.values() == pytest.approx(whole.values(), abs=20 * 4e-3)
    file = tmp_path / "half.solution"
    save_solution(half, file, resumable=True)
    found = open_solution(file)
    assert found.gap == half.gap
    assert found.solver.regrets.tobytes() == half.solver.regrets.tobytes()
    save_solution(half, file)
    assert open_solution(file).values() == pytest.approx(half.values(), abs=1e-2)


def _forged(whole: bytes, number: bytes) -> bytes:
    """Return a file with another last number, and the digest of that."""
    line, numbers = whole.split(b"\n", 1)
    changed = numbers[: -len(number)] + number
    digests = [hashlib.sha256(each).hexdigest().encode() for each in (numbers, changed)]
    return line.replace(digests[0], digests[1]) + b"\n" + changed


def test_it_stays_in_the_file(solution: SpotSolution, tmp_path: Path) -> None:
    """Averages are not read but mapped, and another file in its place changes nothing."""
    file = tmp_path / "small.solution"
    save_solution(solution, file)
    found = open_solution(file)
    base = found.solver.averages
    while isinstance(base, np.ndarray):
        base = base.base  # type: ignore[assignment]
    assert isinstance(base, mmap.mmap)
    before, bytes_before = found.values(), file.read_bytes()
    found.solver.averages[:] = 0
    assert file.read_bytes() == bytes_before
    found = open_solution(file)
    save_solution(solve_spot(SPOT, gap_percent=0, iterations=10), file)
    assert found.values() == before


@pytest.mark.slow
@pytest.mark.parametrize("street", ["flop", "turn"])
def test_without_its_river(street: str, tmp_path: Path) -> None:
    """What comes before is as it was; a river that is shown is solved anew, to nearly the same."""
    if street == "flop":
        spot = Spot.of("Ts9s6s", "QQ,AKs,87s", "66,KQs,AA:0.5", pot=10, stack=30, sizes=SPOT.sizes)
        line, card, rest = "check check 2d check check", "3c", ""
    else:
        spot = replace(SPOT, board=SPOT.board[:4], rake=0.05)
        line, card, rest = "bet 10 call", "2c", "bet 20"
    whole = solve_spot(spot, gap_percent=0.02)
    files = [tmp_path / name for name in ("whole", "early")]
    for file, river in zip(files, (True, False), strict=True):
        save_solution(whole, file, river=river)
    assert files[1].stat().st_size < files[0].stat().st_size / 3
    whole, found = map(open_solution, files)
    assert found.values() == whole.values()
    for each in ("", "check", line.rpartition(" ")[0]):
        one, other = whole.node(each), found.node(each)
        for key in ("strategy", "reach", "met", "values", "equity"):
            expected, got = getattr(one, key), getattr(other, key)
            assert got == pytest.approx(expected, abs=1e-6, nan_ok=True)
    for each in (f"{line} {card}", f"{line} {card} {rest}"):
        one, other = whole.node(each), found.node(each)
        assert (other.pot, other.paid, other.actions) == (one.pot, one.paid, one.actions)
        assert other.reach.sum(axis=1) == pytest.approx(one.reach.sum(axis=1), rel=0.05)
        # One river of a thousand is solved little before it is solved by itself.
        assert other.mean(other.values) == pytest.approx(one.mean(one.values), abs=0.06 * one.pot)
        assert other.mean(other.equity) == pytest.approx(one.mean(one.equity), abs=0.02)
    with pytest.raises(BadInput, match="leaves out"):
        found.best_response(0)
    with pytest.raises(BadInput, match="deals no hands"):
        deal_hands(found, 1)
    damaged = files[1].read_bytes()
    files[1].write_bytes(damaged[:-4])
    with pytest.raises(DamagedFile, match="instead of"):
        open_solution(files[1])
    files[1].write_bytes(damaged.replace(b'"river": false', b'"river": true '))
    with pytest.raises(DamagedFile, match="tree of this version"):
        open_solution(files[1])


def test_rivers_that_are_not_left_out(solution: SpotSolution, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="begin on the flop or the turn"):
        save_solution(solution, tmp_path / "x", river=False)
    locks = (Lock.parse("check check * > QQ > check 1"),)
    turn = solve_spot(replace(SPOT, board=SPOT.board[:4], locks=locks), iterations=1)
    with pytest.raises(BadInput, match="a lock on the river"):
        save_solution(turn, tmp_path / "x", river=False)
    with pytest.raises(BadInput, match="allowed: one of the two"):
        save_solution(turn, tmp_path / "x", river=False, resumable=True)
    assert not list(tmp_path.iterdir())


HALF = b", 20.0]"
"""How the numbers of a schedule end in a header."""


def test_a_file_from_before_schedules_had_a_half(solution: SpotSolution, tmp_path: Path) -> None:
    file = tmp_path / "old.solution"
    save_solution(solution, file, resumable=True)
    whole = file.read_bytes()
    assert whole.count(HALF) == 1
    file.write_bytes(whole.replace(HALF, b"]"))
    assert open_solution(file).gap == solution.gap


def test_damaged(solution: SpotSolution, tmp_path: Path) -> None:
    file = tmp_path / "damaged.solution"
    save_solution(solution, file)
    whole = file.read_bytes()
    for damaged, reason in (
        (whole[:-5], "instead of"),
        (whole[:-1] + bytes([whole[-1] ^ 1]), "its numbers were changed"),
        (whole.replace(b"railbird-spot 2", b"railbird-spot 7"), "allowed: 2"),
        (whole[:100], "cut short"),
        (b"railbird-spot 2 {}\n", "not that of a solution"),
        (whole.replace(b'"deck": [0, 1', b'"deck": [99, 1'), "not that of a solution"),
        (whole.replace(b'"deck": [0, 1', b'"deck": [1, 1'), "not that of a solution"),
        (whole.replace(b'"finished": false', b'"finished": "<b>"'), "not that of a solution"),
        (whole.replace(b'"bytes": ', b'"bytes": -'), "not that of a solution"),
        (whole.replace(b'"bytes": ', b'"bytes": 9999999999'), "not that of a solution"),
        (whole.replace(HALF, b", 0.0]"), "not that of a solution"),
        (whole.replace(HALF, b", -20.0]"), "not that of a solution"),
        (whole.replace(HALF, b", 20.0, 1.0]"), "not that of a solution"),
        (whole + b"more", "more bytes of numbers"),
        (whole.replace(b'"river": true', b'"river": 1   '), "not that of a solution"),
        (_forged(whole, b"\x00\xfc"), "no probabilities"),
        (whole.replace(b"bets = 50%", b"bets = 50%, a"), "tree of this version"),
        (b"railbird-spot 2 " + b"[" * 200_000, "cut short"),
        (b"oop = AA", "no solution"),
    ):
        file.write_bytes(damaged)
        with pytest.raises(DamagedFile, match=reason):
            open_solution(file)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("board = Td9d", "board: 2 cards"),
        ("board = TdTd6h", "board"),
        ("board = Td9dXx", "board"),
        ("oop = ", "oop: no holding"),
        ("oop = TdTh", "oop: no holding"),
        ("oop = QQ:1.5", "oop: not a weight"),
        ("ip = AsAh", "every pair of holdings shares a card"),
        ("pot = 0", "pot: 0"),
        ("pot = 1.5", "pot: '1.5'"),
        ("pot = nan", "pot: 'nan'"),
        ("stack = -3", "stack: -3"),
        ("bets = 50", "bets: '50' is no bet size"),
        ("bets = 2x", "2x for a first bet"),
        ("all_in_threshold = -1", "all_in_threshold: -1.0; allowed"),
        ("merging = x", "merging: 'x'; allowed"),
        ("rake = 1.1", "rake: 1.1; allowed"),
        (f"bets = {'9' * 400}%", "^x.spot: bets: '9{20}' is no bet size"),
        ("all_in_threshold = 1e308", "all_in_threshold: 1e.308; allowed: 0 to 1,000,000"),
        ("oop = @/nowhere", "^x.spot: oop: /nowhere: cannot be read: No such file"),
        ("remove = bet 7", "^remove: bet 7 in the line"),
        ("remove = call", "^remove: call in the line"),
        ("add = bet 99", "^add: 'bet 99' cannot be added"),
        ("add = hello", "^add: 'hello' in the line"),
        ("lock = check > AA > check 0.5", "sums to 0.5"),
        ("lock = > AA > check 0.5, check 0.5", "lock: an action twice"),
        ("lock = check", "such as lock ="),
        ("lock = fold > AA > check 1", "^lock: fold in the line"),
        ("payouts = 60,40\nother_stacks = -5", "other_stacks: -5; allowed: 0 or more"),
        (f"payouts = 60,40\nother_stacks = {'9,' * 19}", "other_stacks: 19 stacks; allowed: up to"),
        ("oop_utility = 0 0, 10 1\nip_utility = 0 1, 10 0", "values must not fall"),
        ("colour = red", "no key 'colour'"),
        ("nonsense", "allowed: key = value"),
    ],
)
def test_bad_input(text: str, refused: str) -> None:
    fields = {
        "board": "Td9d6h2c3s",
        "oop": "AsAh",
        "ip": "KK",
        "pot": "10",
        "stack": "20",
        "bets": "50%",
    }
    key = text.partition("=")[0].strip()
    lines = [f"{name} = {value}" for name, value in fields.items() if name != key]
    with pytest.raises(BadInput, match=refused) as error:
        SpotSolver(Spot.parse("\n".join([*lines, text]), name="x.spot", files=True))
    assert "\n" not in str(error.value)


def test_prizes_are_written_as_they_were_read() -> None:
    text = str(replace(SPOT, locks=())) + "payouts = 50, 30, 20\nother_stacks = 15, 7\n"
    spot = Spot.parse(text)
    assert str(spot) == text
    other = replace(spot, stack=spot.stack + 1)  # whose prizes would be others
    assert "payouts" not in str(other)
    again = Spot.parse(str(other))
    assert again.utilities is not None
    assert spot.utilities is not None
    assert again.utilities[1].values == spot.utilities[1].values


def test_too_large() -> None:
    with pytest.raises(BadInput, match=r"MB, and 0\.001 are allowed"):
        solve_spot(SPOT, memory_mb=0.001)
