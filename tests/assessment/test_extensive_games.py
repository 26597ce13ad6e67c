"""Skill and luck in games that can be enumerated: what must be exact is."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from railbird.assessment.estimator import EstimatorKind
from railbird.assessment.extensive_games import (
    CHANCE,
    LEAF,
    ChanceEvent,
    ExtensiveGame,
    Known,
    Payoff,
    PlayerChoice,
    Profile,
    Signal,
    battle,
    compile_tree,
    either_seat,
    rash,
    seated,
    steady,
    unfold,
    unfolded_profile,
)
from railbird.assessment.extensive_games_aivat import (
    GameAivat,
    GameEstimator,
    exact_moments,
    exact_utility,
    imaginary_observations,
    observe,
)
from railbird.errors import BadInput
from railbird.solve import Game, compile_game, kuhn, leduc, solve, values
from railbird.solve.cfr import Decision, Terminal


@cache
def other_games_tree_of(name: str) -> ExtensiveGame:
    return battle() if name == "battle" else unfold(kuhn() if name == "kuhn" else leduc())


def other_games_mixed(game: ExtensiveGame, seed: int) -> Profile:
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
    tree = other_games_tree_of(name)
    found = solve(game, tolerance=1e-3)
    strategy = found.strategy
    profile = unfolded_profile(game, tree, strategy)
    value = values(game, strategy, player=0).sum()
    assert exact_utility(tree, profile).mean == pytest.approx(value, abs=1e-12)
    assert value == pytest.approx(found.value)
    assert tree.reach(profile)[tree.leaves].sum() == pytest.approx(1)


def test_kuhn_at_equilibrium_is_worth_minus_an_eighteenth() -> None:
    game = kuhn()
    profile = unfolded_profile(
        game, other_games_tree_of("kuhn"), solve(game, tolerance=1e-6).strategy
    )
    assert exact_utility(other_games_tree_of("kuhn"), profile).mean == pytest.approx(
        -1 / 18, abs=1e-4
    )


@pytest.mark.parametrize("name", ["kuhn", "leduc", "battle"])
def test_the_mean_is_the_utility_s_whatever_is_guessed_and_played(name: str) -> None:
    game = other_games_tree_of(name)
    for seed in range(6):
        profile, guess = other_games_mixed(game, seed), other_games_mixed(game, 100 + seed)
        nonsense = np.random.default_rng(seed).normal(size=len(game.actor))
        truth = exact_utility(game, profile).mean
        for value, one, two in product((game.values(guess), nonsense), (0, 1), (0, 1)):
            known = (profile[0] if one else None, profile[1] if two else None)
            assert estimator(game, value, known=known).exact(profile).mean == pytest.approx(
                truth, abs=1e-10
            )


@pytest.mark.parametrize("name", ["kuhn", "leduc", "battle"])
def test_no_variance_is_left_where_all_is_known_and_valued_as_played(name: str) -> None:
    game = other_games_tree_of(name)
    profile = other_games_mixed(game, 7)
    own = game.values(profile)
    utility = exact_utility(game, profile).variance
    chance = estimator(game, own).exact(profile).variance
    half = estimator(game, own, known=(profile[0], None)).exact(profile).variance
    both = estimator(game, own, known=profile).exact(profile).variance
    assert both < 1e-20
    assert both < half < chance < utility


def test_a_wrong_guess_of_a_player_s_probabilities_is_a_bias() -> None:
    game = other_games_tree_of("leduc")
    profile, other = other_games_mixed(game, 1), other_games_mixed(game, 2)
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
    one, two = (PlayerChoice(1, "same", tuple(Payoff(0) for _ in range(n))) for n in (2, 3))
    with pytest.raises(BadInput, match="actions: 'same'"):
        compile_tree(PlayerChoice(0, "start", (one, two)))
    with pytest.raises(BadInput, match="probabilities"):
        battle().profile(lambda _player, _knows, _actions: [0.5, 0.6])
    no_fold = compile_game(
        Decision(0, "a", ("x", "y"), (Terminal(0, 1), Decision(1, "b", ("z",), (Terminal(1, 1),)))),
        [np.eye(2) / 2, np.zeros((2, 2))],
    )
    with pytest.raises(BadInput, match="nobody can fold"):
        unfold(no_fold)


def test_other_games_it_is_one_of_the_family_of_estimators() -> None:
    one = estimator(battle(), battle().values(battle().uniform()))
    assert one.kind is EstimatorKind.UNBIASED
    assert one.needs(battle()) is None
    assert one.needs(other_games_tree_of("kuhn")) == "made for another game"


# AIVAT in games that can be enumerated: no bias in any case, no variance where all is known.


GAMES = ("kuhn", "leduc", "battle", "kuhn in either seat")


@cache
def aivat_in_small_games_tree_of(name: str) -> ExtensiveGame:
    if name == "kuhn in either seat":
        return either_seat(aivat_in_small_games_tree_of("kuhn"))
    return battle() if name == "battle" else unfold(kuhn() if name == "kuhn" else leduc())


def aivat_in_small_games_mixed(game: ExtensiveGame, seed: int, *, pure: bool = False) -> Profile:
    """Random probabilities, or a random action of probability one."""
    rng = np.random.default_rng(seed)

    def draw(_player: int, _knows: object, actions: int) -> list[float]:
        weights = rng.gamma(0.5, size=actions) + 1e-9
        if pure:
            weights = np.eye(actions)[rng.integers(actions)]
        chances: list[float] = (weights / weights.sum()).tolist()
        return chances

    return game.profile(draw)


def known_of(profile: Profile) -> list[Known]:
    return [
        (profile[0] if one else None, profile[1] if two else None)
        for one, two in product((False, True), repeat=2)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_every_hand_has_the_exact_mean_if_both_are_known_and_valued_as_they_play(name: str) -> None:
    game = aivat_in_small_games_tree_of(name)
    for seed, pure in ((1, False), (2, True)):
        profile = aivat_in_small_games_mixed(game, seed, pure=pure)
        value = game.values(profile)
        estimates = GameAivat(game=game, value=value, known=profile).by_node()
        played = game.leaves[game.reach(profile)[game.leaves] > 0]
        assert np.abs(estimates[played] - value[0]).max() < 1e-10


@pytest.mark.parametrize("name", GAMES)
def test_it_has_no_bias_whoever_is_known_and_whatever_the_values(name: str) -> None:
    game = aivat_in_small_games_tree_of(name)
    nonsense = np.random.default_rng(3).normal(scale=9, size=len(game.actor))
    for seed, pure in ((4, False), (5, True)):
        profile = aivat_in_small_games_mixed(game, seed, pure=pure)
        truth = exact_utility(game, profile).mean
        # Only one of them plays as valued: values of another pair.
        mismatched = game.values((profile[0], aivat_in_small_games_mixed(game, 6)[1]))
        for value, known in product((mismatched, nonsense), known_of(profile)):
            found = GameAivat(game=game, value=value, known=known).exact(profile)
            assert found.mean == pytest.approx(truth, abs=1e-10)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_every_player_known_takes_variance_away(name: str) -> None:
    game = aivat_in_small_games_tree_of(name)
    profile = aivat_in_small_games_mixed(game, 7)
    value = game.values(profile)
    none, second, first, both = (
        GameAivat(game=game, value=value, known=known).exact(profile).variance
        for known in known_of(profile)
    )
    assert both < 1e-20
    assert 0.01 < max(first, second) < none < exact_utility(game, profile).variance


def test_without_a_known_player_it_is_mivat() -> None:
    game = aivat_in_small_games_tree_of("leduc")
    value = np.random.default_rng(8).normal(size=len(game.actor))
    chance = GameEstimator(name="it", title="It", game=game, value=value)
    expected = chance.score(game.leaves)["it"]
    assert GameAivat(game=game, value=value).score(game.leaves)["aivat"] == pytest.approx(expected)


def test_probabilities_that_are_not_played_are_a_bias() -> None:
    game = aivat_in_small_games_tree_of("leduc")
    profile, other = aivat_in_small_games_mixed(game, 9), aivat_in_small_games_mixed(game, 10)
    score = GameAivat(game=game, value=game.values(other), known=(other[0], None))
    assert abs(score.exact(profile).mean - exact_utility(game, profile).mean) > 0.01


def test_imaginary_observations_average_what_the_known_player_could_hold() -> None:
    game = aivat_in_small_games_tree_of("leduc")
    profile = aivat_in_small_games_mixed(game, 11)
    known = (profile[0], None)
    averaged = imaginary_observations(game, known, game.payoff)
    found = exact_moments(game, profile, averaged[game.leaves])
    truth = exact_utility(game, profile)
    assert found.mean == pytest.approx(truth.mean, abs=1e-10)
    assert found.variance < truth.variance


def test_an_observer_sees_what_is_public_and_the_cards_of_unknown_players() -> None:
    game = aivat_in_small_games_tree_of("leduc")
    profile = aivat_in_small_games_mixed(game, 12)
    below_the_deal = []
    for known in known_of(profile):
        seen = observe(game, known)
        below_the_deal.append(int((seen.game.parent == 0).sum()))
        shares = seen.game.chance[seen.game.parent == 0]
        assert shares.sum() == pytest.approx(1)
    assert below_the_deal == [9, 3, 3, 1]
    assert len(observe(game, (None, None)).game.actor) == len(game.actor)


def test_either_seat_is_the_mean_of_both() -> None:
    game = aivat_in_small_games_tree_of("leduc")
    one, other = aivat_in_small_games_mixed(game, 13), aivat_in_small_games_mixed(game, 14)
    wins = exact_utility(game, (one[0], other[1])).mean
    loses = exact_utility(game, (other[0], one[1])).mean
    either = either_seat(game)
    assert exact_utility(either, seated(one, other)).mean == pytest.approx((wins - loses) / 2)
    assert exact_utility(either, seated(one, one)).mean == pytest.approx(0, abs=1e-12)


def test_the_formula_of_the_publication_by_hand_in_kuhn_poker() -> None:
    """Sum over what the first player could hold, as the publication writes it, without a tree."""
    rng = np.random.default_rng(15)
    game = aivat_in_small_games_tree_of("kuhn")
    profile = aivat_in_small_games_mixed(game, 16)
    # Ends: check-check, check-bet-fold, check-bet-call, bet-fold, bet-call.
    ends = ("cc", "cbf", "cbk", "bf", "bk")
    # What the first player does: its actions in turn, with the betting before each.
    own = {"cc": [("", 0)], "cbf": [("", 0), ("cb", 0)], "cbk": [("", 0), ("cb", 1)]}
    own |= {"bf": [("", 1)], "bk": [("", 1)]}
    plays = {"": ("c", "b"), "cb": ("cbf", "cbk")}

    def by_path(i: int, j: int, line: str) -> int:
        """Find the node: below the deal, then by actions."""
        deals = [(a, b) for a in range(3) for b in range(3) if a != b]
        node = 1 + deals.index((i, j))
        at = {"c": 0, "b": 1, "f": 0, "k": 1}
        for letter in line:
            children = np.flatnonzero(game.parent == node)
            node = int(children[game.action[children] == at[letter]][0])
        return node

    value = rng.normal(size=len(game.actor))
    for j, end in product(range(3), ends):
        held = [i for i in range(3) if i != j]

        def reach(i: int, steps: list[tuple[str, int]], j: int = j) -> float:
            chance = 1 / 6
            for before, action in steps:
                node = by_path(i, j, before)
                chance *= profile[0][game.information[node], action]
            return chance

        weights = np.array([reach(i, own[end]) for i in held])
        expected = weights @ [game.payoff[by_path(i, j, end)] for i in held] / weights.sum()
        # Of the deal: all pairs of cards, less those with the second player's card.
        pairs = [(a, b) for a in range(3) for b in range(3) if a != b]
        expected += np.mean([value[by_path(a, b, "")] for a, b in pairs])
        expected -= np.mean([value[by_path(i, j, "")] for i in held])
        for turn, (before, action) in enumerate(own[end]):
            came = np.array([reach(i, own[end][:turn]) for i in held])
            for k, after in enumerate(plays[before]):
                went = np.array([reach(i, [*own[end][:turn], (before, k)]) for i in held])
                values = np.array([value[by_path(i, j, after)] for i in held])
                expected += went @ values / came.sum()
                if k == action:
                    expected -= went @ values / went.sum()
        found = GameAivat(game=game, value=value, known=(profile[0], None)).by_node()
        for i in held:
            assert found[by_path(i, j, end)] == pytest.approx(expected, abs=1e-12)


def test_labels_fit_their_branches() -> None:
    with pytest.raises(BadInput, match="1 labels; allowed: 2, one a branch"):
        compile_tree(ChanceEvent(((0.5, Payoff(1)), (0.5, Payoff(2))), (Signal(),)))


def test_signals_that_tell_a_player_less_than_it_knows_are_refused() -> None:
    ends = Payoff(1), Payoff(-1)
    hands = tuple((0.5, PlayerChoice(1, hand, ends)) for hand in ("high", "low"))
    told = tuple(Signal(private=(None, hand)) for hand in ("high", "low"))
    assert len(observe(compile_tree(ChanceEvent(hands, told)), (None, None)).game.actor) == 7
    untold = compile_tree(ChanceEvent(hands, (Signal(), Signal())))
    with pytest.raises(BadInput, match="signals hide from a player what it knows"):
        observe(untold, (None, None))


def test_values_and_strategies_of_another_game_are_refused() -> None:
    game, other = aivat_in_small_games_tree_of("kuhn"), aivat_in_small_games_tree_of("leduc")
    with pytest.raises(BadInput, match=r"values of shape \(1936,\); allowed: \(55,\)"):
        GameAivat(game=game, value=other.payoff)
    with pytest.raises(BadInput, match=r"probabilities of shape .*; allowed: \(6, 2\)"):
        GameAivat(game=game, value=game.payoff, known=(None, other.uniform()[1]))


def test_aivat_in_small_games_it_is_one_of_the_family_of_estimators() -> None:
    one = GameAivat(game=battle(), value=battle().payoff)
    assert one.kind is EstimatorKind.UNBIASED
    assert one.needs(battle()) is None
    assert one.needs(aivat_in_small_games_tree_of("kuhn")) == "made for another game"
    drawn = battle().sample(
        aivat_in_small_games_mixed(battle(), 17), 100, np.random.default_rng(18)
    )
    columns = one.score(drawn)
    assert columns["utility"] - columns["luck"] == pytest.approx(columns["aivat"])
