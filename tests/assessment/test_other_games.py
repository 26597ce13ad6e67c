"""Skill and luck in games that can be enumerated: what must be exact is."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from railbird.assessment.estimator import Kind
from railbird.assessment.games.battle import battle, rash, steady
from railbird.assessment.games.estimator import GameEstimator, exact_utility
from railbird.assessment.games.extensive_game import (
    CHANCE,
    LEAF,
    ChanceEvent,
    Choice,
    ExtensiveGame,
    Payoff,
    Profile,
    compile_tree,
    unfold,
    unfolded_profile,
)
from railbird.errors import BadInput
from railbird.solve import Game, compile_game, kuhn, leduc, solve, values
from railbird.solve.game_tree import Decision, Terminal


@cache
def tree_of(name: str) -> ExtensiveGame:
    return battle() if name == "battle" else unfold(kuhn() if name == "kuhn" else leduc())


def mixed(game: ExtensiveGame, seed: int) -> Profile:
    """Random probabilities everywhere, a few of them zero."""
    rng = np.random.default_rng(seed)

    def draw(_player: int, _knows: object, actions: int) -> list[float]:
        weights = rng.gamma(0.3, size=actions) * (rng.random(actions) < 0.8) + 1e-12
        chances: list[float] = (weights / weights.sum()).tolist()
        return chances

    return game.profile(draw)


def estimator(game: ExtensiveGame, value: np.ndarray, **known: object) -> GameEstimator:
    return GameEstimator(name="it", title="It", game=game, value=value, **known)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "game"), [("kuhn", kuhn()), ("leduc", leduc())])
def test_the_unfolded_game_has_the_solver_s_values(name: str, game: Game) -> None:
    tree = tree_of(name)
    found = solve(game, tolerance=1e-3)
    strategy = found.strategy
    profile = unfolded_profile(game, tree, strategy)
    value = values(game, strategy, player=0).sum()
    assert exact_utility(tree, profile).mean == pytest.approx(value, abs=1e-12)
    assert value == pytest.approx(found.value)
    assert tree.reach(profile)[tree.leaves].sum() == pytest.approx(1)


def test_kuhn_at_equilibrium_is_worth_minus_an_eighteenth() -> None:
    game = kuhn()
    profile = unfolded_profile(game, tree_of("kuhn"), solve(game, tolerance=1e-6).strategy)
    assert exact_utility(tree_of("kuhn"), profile).mean == pytest.approx(-1 / 18, abs=1e-4)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "battle"])
def test_the_mean_is_the_utility_s_whatever_is_guessed_and_played(name: str) -> None:
    game = tree_of(name)
    for seed in range(6):
        profile, guess = mixed(game, seed), mixed(game, 100 + seed)
        nonsense = np.random.default_rng(seed).normal(size=len(game.actor))
        truth = exact_utility(game, profile).mean
        for value, one, two in product((game.values(guess), nonsense), (0, 1), (0, 1)):
            known = (profile[0] if one else None, profile[1] if two else None)
            assert estimator(game, value, known=known).exact(profile).mean == pytest.approx(
                truth, abs=1e-10
            )


@pytest.mark.parametrize("name", ["kuhn", "leduc", "battle"])
def test_no_variance_is_left_where_all_is_known_and_valued_as_played(name: str) -> None:
    game = tree_of(name)
    profile = mixed(game, 7)
    own = game.values(profile)
    utility = exact_utility(game, profile).variance
    chance = estimator(game, own).exact(profile).variance
    half = estimator(game, own, known=(profile[0], None)).exact(profile).variance
    both = estimator(game, own, known=profile).exact(profile).variance
    assert both < 1e-20
    assert both < half < chance < utility


def test_a_wrong_guess_of_a_player_s_probabilities_is_a_bias() -> None:
    game = tree_of("leduc")
    profile, other = mixed(game, 1), mixed(game, 2)
    wrong = estimator(game, game.values(other), known=(other[0], None)).exact(profile)
    assert abs(wrong.mean - exact_utility(game, profile).mean) > 0.01


def test_a_sample_agrees_with_the_enumeration() -> None:
    game = battle()
    profile = game.profile(steady)[0], game.profile(rash)[1]
    one = estimator(game, game.values(game.profile(steady)))
    drawn = game.sample(profile, 40_000, np.random.default_rng(3))
    columns = one.score(drawn)
    exact, truth = one.exact(profile), exact_utility(game, profile)
    assert columns["it"].mean() == pytest.approx(
        exact.mean, abs=4 * (exact.variance / 40_000) ** 0.5
    )
    assert columns["it"].var() == pytest.approx(exact.variance, rel=0.05)
    assert columns["utility"].var() == pytest.approx(truth.variance, rel=0.05)
    assert np.allclose(columns["utility"] - columns["luck"], columns["it"])
    assert exact.variance < truth.variance


def test_a_battle_by_hand() -> None:
    game = battle()
    assert (game.actor == LEAF).sum() == 9 * 16 * 16
    # Strength 3 against 1: both hold, then the first attacks an entrenched army with a die of 2.
    path = [3 * 2 + 0, 0, 0, 0, 1, 0, 2]
    node = 0
    for place in path:
        children = np.flatnonzero(game.parent == node)
        node = int(children[game.action[children] == place][0])
    # It deals 3 + 2 - 2 and is struck back with 1.
    assert game.actor[node] == LEAF
    assert game.payoff[node] == 2
    # The same play of the same armies wins nothing; rash attacks lose.
    same = exact_utility(game, game.profile(steady)).mean
    assert same == pytest.approx(0, abs=1e-12)
    better = exact_utility(game, (game.profile(steady)[0], game.profile(rash)[1])).mean
    assert better > 0.1


def test_information_sets_hide_what_is_hidden() -> None:
    game = battle()
    for player in (0, 1):
        mine = np.flatnonzero(game.actor == player)
        for row in range(len(game.sets[player])):
            nodes = mine[game.information[mine] == row]
            # Somebody with the same army and the same sights may face any of the three armies.
            assert 1 <= len(nodes) <= 3
    first = np.flatnonzero((game.actor == 0) & (game.parent > 0) & (game.parent < 10))
    assert len(first) == 0
    assert (game.actor[game.parent[1:10]] == CHANCE).all()


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(BadInput, match="sum 1"):
        compile_tree(ChanceEvent(((0.5, Payoff(1)), (0.4, Payoff(2)))))
    one, two = (Choice(1, "same", tuple(Payoff(0) for _ in range(n))) for n in (2, 3))
    with pytest.raises(BadInput, match="actions: 'same'"):
        compile_tree(Choice(0, "start", (one, two)))
    with pytest.raises(BadInput, match="probabilities"):
        battle().profile(lambda _player, _knows, _actions: [0.5, 0.6])
    no_fold = compile_game(
        Decision(0, "a", ("x", "y"), (Terminal(0, 1), Decision(1, "b", ("z",), (Terminal(1, 1),)))),
        [np.eye(2) / 2, np.zeros((2, 2))],
    )
    with pytest.raises(BadInput, match="nobody can fold"):
        unfold(no_fold)


def test_it_is_one_of_the_family_of_estimators() -> None:
    one = estimator(battle(), battle().values(battle().uniform()))
    assert one.kind is Kind.UNBIASED
    assert one.needs(battle()) is None
    assert one.needs(tree_of("kuhn")) == "made for another game"
