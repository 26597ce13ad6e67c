"""The player of a strategy: where it is in the tree, what it plays, and where it may play."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.errors import BadInput, DamagedFile, TooLarge
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Action,
    Call,
    Fold,
    HandState,
    Raise,
    act,
    limit_holdem,
    seeded_deals,
    start,
    view,
)
from railbird.players import equilibrium as resolving
from railbird.players import make_player
from railbird.players.equilibrium import Resolve, ResolvingPlayer, StrategyPlayer
from railbird.players.known_strategy import is_known, known_strategy
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import CALL, FOLD, RAISE, LimitStrategy, betting_tree
from railbird.solve.limit.betting_tree import same_game
from railbird.solve.limit.strategy import open_strategy, uniform_strategy, write_strategy
from railbird.solve.limit.subgame import Subgame, solve_subgame
from railbird.solve.real_game import by_weights
from railbird.units import Seat


@pytest.fixture
def equilibrium_strategy() -> LimitStrategy:
    """Random probabilities of a player that does not look at its cards."""
    uniform = uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind())
    rng = np.random.default_rng(3)
    tables = tuple(table * rng.random(table.shape, np.float32) for table in uniform.probabilities)
    return replace(uniform, probabilities=tables)


def test_a_size_that_takes_hours_is_not_solved_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_CACHE", str(tmp_path))
    with pytest.raises(BadInput, match="railbird solve limit --size medium does, in an hour"):
        make_player("equilibrium:medium")


def test_it_plays_the_probabilities_of_its_place(equilibrium_strategy: LimitStrategy) -> None:
    tree, rng = equilibrium_strategy.tree, np.random.default_rng(5)
    player = StrategyPlayer(equilibrium_strategy)
    player.reset(np.random.default_rng(0))
    decisions = 0
    for row in seeded_deals(rng, seats=2, deals=30):
        state, text = start(HEADS_UP_LIMIT, row), ""
        player.begin(view(state, Seat(0)))
        while state.actor is not None:
            seat, street = state.actor, state.street
            place = tree.after(text)
            seen = view(state, seat)
            chances = player.distribution(seen)
            assert chances is not None
            decided = player.act(seen)
            assert chances.probability(decided) > 0
            to = state.min_raise_to
            actions: dict[int, Action | None] = {
                FOLD: Fold(),
                CALL: Call(),
                RAISE: None if to is None else Raise(to),
            }
            part = tree.rounds[place.street]
            kinds = part.kind[slice(*part.first_slot[place.node : place.node + 2])].tolist()
            for kind, chance in zip(kinds, equilibrium_strategy.at(place, 0), strict=True):
                possible = actions[kind]
                assert possible is not None
                assert chances.probability(possible) == pytest.approx(chance)
            decisions += 1
            # Others play at random, so that all lines are seen.
            action = actions[int(rng.choice([k for k in kinds if k != FOLD or rng.random() < 0.2]))]
            assert action is not None
            kind = {Fold: FOLD, Call: CALL, Raise: RAISE}[type(action)]
            state = act(state, action, row)
            text += "fcr"[kind]
            player.observe(view(state, Seat(0)), Act(seat, action))
            assert street <= state.street
    assert decisions > 100


def test_frequencies_are_the_probabilities(equilibrium_strategy: LimitStrategy) -> None:
    player = StrategyPlayer(equilibrium_strategy)
    player.reset(np.random.default_rng(8))
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    state = start(HEADS_UP_LIMIT, row)
    seen = view(state, Seat(1))
    player.begin(seen)
    counts = {Fold: 0, Call: 0, Raise: 0}
    for _ in range(4_000):
        counts[type(player.act(seen))] += 1
    chances = equilibrium_strategy.at(equilibrium_strategy.tree.root, 0)
    for count, chance in zip(counts.values(), chances, strict=True):
        assert abs(count / 4_000 - chance) < 5 * (chance * (1 - chance) / 4_000) ** 0.5


def test_explanation(equilibrium_strategy: LimitStrategy) -> None:
    player = StrategyPlayer(equilibrium_strategy)
    (row,) = seeded_deals(np.random.default_rng(1), seats=2, deals=1)
    seen = view(start(HEADS_UP_LIMIT, row), Seat(1))
    player.begin(seen)
    with pytest.raises(LookupError):
        player.explain(seen)
    action = player.act(seen)
    reasons = player.explain(seen)
    assert [each.decided for each in reasons.requirements].count(True) == 1
    index = [each.decided for each in reasons.requirements].index(True)
    assert type(action) is (Fold, Call, Raise)[index]
    assert reasons.readings[1].value == 1


def test_where_it_plays(equilibrium_strategy: LimitStrategy) -> None:
    player = StrategyPlayer(equilibrium_strategy)
    assert player.supports(HEADS_UP_LIMIT) is None
    assert player.supports(limit_holdem(small_bet=2)) is None
    assert player.supports(limit_holdem(stack=1_000)) is None
    assert player.supports(limit_holdem(stack=1_000), carries_over=True) is not None
    for rules, words in (
        (HEADS_UP_NO_LIMIT, "2 seats, no-limit"),
        (limit_holdem(3), "3 seats"),
        (limit_holdem(stack=100), "stacks"),
        (limit_holdem(max_raises=(3, 3, 3, 3)), "other blinds, bets or caps"),
        (limit_holdem(ante=1), "other blinds, bets or caps"),
    ):
        assert words in str(player.supports(rules))


def test_a_changed_file_is_no_known_strategy(
    equilibrium_strategy: LimitStrategy, tmp_path: Path
) -> None:
    path = tmp_path / "x.strategy"
    write_strategy(path, equilibrium_strategy)
    known = known_strategy(f"equilibrium:{path}")
    assert known.key == open_strategy(path).hash
    whole = bytearray(path.read_bytes())
    whole[-1] ^= 1
    path.write_bytes(whole)
    with pytest.raises(DamagedFile, match="a strategy that was changed"):
        known_strategy(f"equilibrium:{path}")


def test_a_strategy_without_probabilities_is_no_known_strategy(tmp_path: Path) -> None:
    strategy = uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind())
    nothing = tuple(np.zeros_like(table) for table in strategy.probabilities)
    path = tmp_path / "x.strategy"
    write_strategy(path, replace(strategy, probabilities=nothing))
    with pytest.raises(DamagedFile, match="no probabilities at a decision"):
        known_strategy(f"equilibrium:{path}")


def test_a_strategy_of_one_state_does_not_look_at_its_cards(tmp_path: Path) -> None:
    path = tmp_path / "x.strategy"
    tree = betting_tree(HEADS_UP_LIMIT)
    write_strategy(path, uniform_strategy(tree, CardBlind()))
    known = known_strategy(f"equilibrium:{path}").card_blind
    assert known is not None
    for found, wanted in zip(known.probabilities, by_weights((1, 1, 1)).probabilities, strict=True):
        assert np.allclose(found, wanted, rtol=0, atol=1e-7)


def test_chips_of_another_size_are_the_same_game() -> None:
    one = betting_tree(HEADS_UP_LIMIT).betting
    assert same_game(one, betting_tree(limit_holdem(small_bet=2)).betting)
    assert not same_game(one, replace(one, posts=(10, 10)))


def test_equilibrium_specs(tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(BadInput, match="equilibrium:mine: no such file; allowed: blind, small"):
        make_player("equilibrium:mine")
    folder = tmp_path_factory.mktemp("strategies")
    (folder / "x.strategy").write_bytes(b"nothing")
    with pytest.raises(BadInput, match="no strategy of limit hold'em"):
        make_player(f"equilibrium:{folder / 'x.strategy'}")


def test_a_file_with_broken_bytes_is_not_played(
    equilibrium_strategy: LimitStrategy, tmp_path: Path
) -> None:
    path = tmp_path / "mine.strategy"
    write_strategy(path, equilibrium_strategy)
    spec = f"equilibrium:{path}"
    make_player(spec)
    make_player(f"{spec},resolve=river")
    broken = bytearray(path.read_bytes())
    broken[-4:] = np.array([np.nan], dtype="<f4").tobytes()
    path.write_bytes(broken)
    for each in (spec, f"{spec},resolve=river", f"coach:vexbot+{spec}"):
        with pytest.raises(DamagedFile, match="a strategy that was changed"):
            make_player(each)


def test_a_file_is_read_whole_only_once_in_a_process(
    equilibrium_strategy: LimitStrategy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.strategy"
    write_strategy(path, equilibrium_strategy)
    make_player(f"equilibrium:{path}")
    monkeypatch.delattr("railbird.solve.strategy_files.hashlib.sha256")
    make_player(f"equilibrium:{path}")


def test_a_misspelt_size_is_told() -> None:
    with pytest.raises(BadInput, match=r"equilibrium:smal: no such file; did you mean small\?"):
        make_player("equilibrium:smal")


# The player that solves the rest of a hand while it plays.


@pytest.fixture
def _few_iterations(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolving, "SUBGAME_GAP", {4: 0.0, 5: 0.0})
    monkeypatch.setattr(resolving, "SUBGAME_ITERATIONS", 4)


@pytest.fixture(scope="module")
def resolving_strategy() -> LimitStrategy:
    """All actions alike, whatever the cards."""
    return uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind())


def played(player: ResolvingPlayer, seat: int, actions: str) -> HandState:
    """Let a player see a hand; return the state after the actions, such as ``cccccr``."""
    (row,) = seeded_deals(np.random.default_rng(7), seats=2, deals=1)
    state = start(HEADS_UP_LIMIT, row)
    player.begin(view(state, Seat(seat)))
    for letter in actions:
        assert state.actor is not None
        action: Action = Call()
        if letter == "r":
            assert state.min_raise_to is not None
            action = Raise(state.min_raise_to)
        event = Act(state.actor, action)
        state = act(state, action, row)
        player.observe(view(state, Seat(seat)), event)
    return state


@pytest.mark.slow(but=["Resolve.RIVER-1"])
@pytest.mark.usefixtures("_few_iterations")
@pytest.mark.parametrize(("resolve", "streets"), [(Resolve.TURN, 2), (Resolve.RIVER, 1)])
def test_it_solves_the_streets_that_it_is_asked_to(
    resolving_strategy: LimitStrategy,
    resolve: Resolve,
    streets: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    boards: list[int] = []

    def counted(tree: Any, board: Any, ranges: Any, **options: Any) -> Subgame:
        boards.append(len(board))
        return solve_subgame(tree, board, ranges, **options)

    monkeypatch.setattr(resolving, "solve_subgame", counted)
    player = ResolvingPlayer(resolving_strategy, resolve)
    player.reset(np.random.default_rng(1))
    found = []
    seen = view(played(player, 0, ""), Seat(0))
    for _ in range(2):  # the same hand twice: the same probabilities
        boards.clear()
        seen = view(played(player, 0, "ccccrcr"), Seat(0))
        chances = player.distribution(seen)
        assert chances is not None
        assert chances == player.distribution(seen)
        found.append(chances)
        assert sum(chances.probability(a) for a in (Fold(), Call())) <= 1
        assert boards == [4, 5][-streets:]
    assert found[0] == found[1]
    assert abs(found[0].probability(Call()) - 1 / 3) > 1e-3
    action = player.act(seen)
    reasons = player.explain(seen)
    assert found[0].probability(action) > 0
    assert reasons.readings[-1].value == 4
    early = view(played(player, 0, "ccr"), Seat(0))
    before = player.distribution(early)
    assert before is not None
    assert before.probability(Call()) == pytest.approx(1 / 3)


@pytest.mark.usefixtures("_few_iterations")
def test_where_the_strategy_never_comes_it_plays_on(resolving_strategy: LimitStrategy) -> None:
    """Nobody ever calls before the flop, so there are no ranges after it."""
    tables = [table.copy() for table in resolving_strategy.probabilities]
    tables[0][:] = 0.5
    tables[0][:, resolving_strategy.tree.rounds[0].kind == 1] = 0.0
    player = ResolvingPlayer(
        LimitStrategy(resolving_strategy.tree, resolving_strategy.abstraction, tuple(tables)),
        Resolve.RIVER,
    )
    player.reset(np.random.default_rng(1))
    seen = view(played(player, 1, "cccccc"), Seat(1))
    chances = player.distribution(seen)
    assert chances is not None
    assert chances.probability(Call()) == pytest.approx(1 / 2)
    player.act(seen)
    assert player.explain(seen).readings[-1].value == "the strategy's own"


@pytest.mark.usefixtures("_few_iterations")
def test_where_memory_is_short_it_says_so_once(
    resolving_strategy: LimitStrategy,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refused(*_: Any, **__: Any) -> Subgame:
        raise TooLarge("the tree needs 25 MB, and 3 are free; fewer sizes make it smaller")

    monkeypatch.setattr(resolving, "solve_subgame", refused)
    resolving._tell_unsolved.cache_clear()
    for _ in range(2):
        player = ResolvingPlayer(resolving_strategy, Resolve.RIVER)
        player.reset(np.random.default_rng(1))
        assert player.distribution(view(played(player, 0, "ccccrcr"), Seat(0))) is not None
    (line,) = (record.getMessage() for record in caplog.records)
    assert "needs 25 MB, and 3 are free: such hands are played by the strategy" in line


@pytest.mark.usefixtures("_few_iterations")
def test_resolving_specs(resolving_strategy: LimitStrategy, tmp_path: Path) -> None:
    path = tmp_path / "x.strategy"
    write_strategy(path, resolving_strategy)
    assert isinstance(make_player(f"equilibrium:{path},resolve=turn"), ResolvingPlayer)
    with pytest.raises(BadInput, match="turn, river"):
        make_player(f"equilibrium:{path},resolve=flop")
    # Its probabilities are not those of the strategy that it begins with.
    with pytest.raises(BadInput, match="not known beforehand"):
        known_strategy(f"equilibrium:{path},resolve=river")


@pytest.mark.usefixtures("_few_iterations")
def test_what_is_not_known_is_refused_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def opened(name: str) -> LimitStrategy:
        raise AssertionError(f"{name} is opened")

    monkeypatch.setattr("railbird.players.equilibrium.open_equilibrium", opened)
    assert is_known("equilibrium:small")
    assert not is_known("equilibrium:small,resolve=turn")
    with pytest.raises(BadInput, match="not known beforehand"):
        known_strategy("equilibrium:small,resolve=turn")
    with pytest.raises(BadInput, match="turn, river"):
        is_known("equilibrium:small,resolve=flop")
