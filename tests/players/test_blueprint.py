"""A player of a blueprint of no-limit: equilibrium:nolimit, equilibrium:FILE."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from railbird.arena import Match, play
from railbird.cards import Card, Holding
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Act,
    Action,
    Call,
    Fold,
    HandDealer,
    Moment,
    Raise,
    Rules,
    View,
    acpc_rules,
    act,
    no_limit_holdem,
    pot_limit_holdem,
)
from railbird.players import make_player
from railbird.players.blueprint import (
    LEAST_LIKELY,
    ActionChoice,
    BlueprintPlayer,
    ResolvingBlueprintPlayer,
)
from railbird.players.policy import why_not
from railbird.solve.nolimit.following import Alternative, Rest, solve_rest
from railbird.solve.nolimit.settings import BlueprintSize
from railbird.solve.nolimit.solving import solve_nolimit
from railbird.units import Chips, Seat

MENU = "opens = 2x, 3x, a; reraises = 3x, a; bets = 60%, a; raises = a"


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("blueprint") / "some.strategy"
    solve_nolimit(path, BlueprintSize(MENU, (169, 1, 1, 1), 3_000), stacks=(5, 20, 60))
    return f"equilibrium:{path}"


@pytest.fixture
def player(spec: str) -> BlueprintPlayer:
    found = make_player(spec)
    assert isinstance(found, BlueprintPlayer)
    return found


def match(spec: str, rules: Rules, opponent: str, deals: int) -> Match:
    return Match(players=(spec, opponent), rules=rules, deals=deals, seed=3)


@pytest.mark.parametrize(
    "rules",
    [
        acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=5_000)),
        no_limit_holdem(2, blinds=(1, 2), stack=(7, 130)),
        no_limit_holdem(2, blinds=(10, 20), stack=(30, 17)),
        no_limit_holdem(2, blinds=(5, 10), stack=600),
    ],
)
@pytest.mark.parametrize("opponent", ["random", "always-raise:min", "always-raise:max"])
def test_never_at_fault_whatever_is_bet(spec: str, rules: Rules, opponent: str) -> None:
    played = play(match(spec, rules, opponent, deals=60))
    assert played.faults[0].as_json() == {}


def test_it_wins_from_who_gives_everything_up(spec: str) -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=2_000)
    one = play(match(spec, rules, "always-fold", deals=300))
    assert one.payoffs[..., 0].mean() > 0


BOARD = [Card(card) for card in (20, 21, 30, 40, 51)]
BLIND, DEALER = Seat(0), Seat(1)


def told(player: BlueprintPlayer, rules: Rules, actions: list[Call | Raise], seat: Seat) -> Moment:
    """Let a player see a hand up to a decision of its own."""
    dealer = HandDealer(rules, [Holding(1000), Holding(3)], BOARD)
    dealt, *_ = dealer.begin()
    player.reset(np.random.default_rng(1))
    player.begin(Moment(dealt.after).view(seat))
    for action in actions:
        actor = dealer.asks
        assert actor is not None
        for event, _, state in dealer.act(action):
            player.observe(Moment(state).view(seat), event)
    return Moment(dealer.state)


def test_asking_changes_nothing_and_a_copy_goes_on_by_itself(player: BlueprintPlayer) -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=3_000)
    moment = told(player, rules, [Raise(Chips(300))], BLIND)
    view = moment.view(BLIND)
    before = player.distribution(view)
    copy = deepcopy(player)
    after = act(moment.state, Raise(Chips(900)))
    copy.observe(Moment(after).view(BLIND), Act(BLIND, Raise(Chips(900))))
    assert copy.strategy is player.strategy
    assert player.distribution(view) == before
    again = deepcopy(player)
    assert [again.act(view) for _ in range(20)] == [player.act(view) for _ in range(20)]


@pytest.mark.parametrize("choice", ["threshold", "most-likely"])
@pytest.mark.parametrize("resolve", ["", ",resolve=river"])
def test_what_it_tells_is_what_it_plays(spec: str, choice: str, resolve: str) -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=3_000)
    sampled = make_player(spec)
    player = make_player(f"{spec}{resolve},play={choice}")
    assert isinstance(sampled, BlueprintPlayer)
    assert isinstance(player, BlueprintPlayer)
    holdings = np.arange(0, 1326, 13)
    view = told(sampled, rules, [Raise(Chips(300))], BLIND).view(BLIND)
    told(player, rules, [Raise(Chips(300))], BLIND)
    everything = sampled.range_distribution(view, holdings)
    played = player.range_distribution(view, holdings)
    for number in range(len(holdings)):
        before: dict[Action, float] = {
            Fold(): everything.row(number).fold,
            Call(): everything.row(number).call,
        }
        before |= {Raise(sizes.low): sizes.probability for sizes in everything.row(number).raises}
        most = max(before.values())
        kept = {
            action: p
            for action, p in before.items()
            if p >= min(most, LEAST_LIKELY if choice == "threshold" else 1)
        }
        if choice == "most-likely":
            kept = dict(list(kept.items())[:1])
        for action in before:
            wanted = kept.get(action, 0.0) / sum(kept.values())
            assert played.row(number).probability(action) == pytest.approx(wanted)
    mine = player.distribution(view)
    actions = {player.act(view) for _ in range(60)}
    assert all(mine.probability(action) > 0 for action in actions)
    assert "without" in player.explain(view).rule or "alone" in player.explain(view).rule


def test_a_choice_of_actions_is_that_of_no_limit(spec: str) -> None:
    assert ActionChoice("sampled").applied(np.ones((1, 1))).tolist() == [[1.0]]
    few = np.full((1, 10), 0.1)
    assert ActionChoice.THRESHOLD.applied(few) == pytest.approx(few)
    with pytest.raises(BadInput, match=r"play=purified; .*sampled, threshold, most-likely"):
        make_player(f"{spec},play=purified")
    with pytest.raises(BadInput, match="play=threshold; allowed: in no-limit"):
        make_player("equilibrium:small,play=threshold")


def test_it_says_why(player: BlueprintPlayer) -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=3_000)
    view = told(player, rules, [Raise(Chips(300))], BLIND).view(BLIND)
    with pytest.raises(LookupError):
        player.explain(view)
    action = player.act(view)
    said = player.explain(view)
    (decided,) = [each for each in said.requirements if each.decided]
    words = {Fold: "fold", Call: "call", Raise: "raise to"}[type(action)]
    assert decided.action.startswith(words)
    assert player.strategy.hash[:12] in said.rule
    assert {"of buckets"} <= {reading.name for reading in said.readings}


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (HEADS_UP_LIMIT, "heads-up no-limit"),
        (no_limit_holdem(3, blinds=(50, 100), stack=2_000), "heads-up no-limit"),
        (pot_limit_holdem(2, blinds=(50, 100), stack=2_000), "heads-up no-limit"),
        (no_limit_holdem(2, blinds=(100, 100), stack=2_000), "half the big one"),
        (no_limit_holdem(2, blinds=(50, 100), stack=2_000, ante=10), "without antes"),
        (HEADS_UP_NO_LIMIT, "up to 60 big blinds"),
    ],
)
def test_games_that_it_does_not_play(spec: str, rules: Rules, words: str) -> None:
    reason = why_not(make_player(spec), rules)
    assert reason is not None
    assert words in reason
    if rules.seats == 2:
        with pytest.raises(BadInput, match=words):
            play(match(spec, rules, "random", deals=1))


def test_a_night_is_not_begun_unasked() -> None:
    with pytest.raises(BadInput, match="railbird solve nolimit --size medium"):
        make_player("equilibrium:nolimit-medium")


# Solving while playing.


@pytest.mark.parametrize("opponent", ["random", "always-raise:min"])
def test_it_solves_the_river_without_faults(spec: str, opponent: str) -> None:
    rules = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=3_000))
    solving = match(f"{spec},resolve=river", rules, opponent, deals=15)
    first, again = play(solving), play(solving)
    assert first.faults[0].as_json() == {}
    assert np.array_equal(first.payoffs, again.payoffs)


TO_THE_RIVER = [Call(), *[Call()] * 5]


@pytest.mark.parametrize(
    ("more", "seat", "words"),
    [
        ([], BLIND, ["check", "bet 120"]),
        ([Raise(Chips(133))], DEALER, ["fold", "call", "raise to 1900"]),
        ([Raise(Chips(133)), Raise(Chips(777))], BLIND, ["fold", "call", "raise to 1900"]),
    ],
)
def test_what_was_bet_is_in_the_tree_that_it_solves(
    spec: str, more: list[Call | Raise], seat: Seat, words: list[str]
) -> None:
    player = make_player(f"{spec},resolve=river")
    assert isinstance(player, ResolvingBlueprintPlayer)
    rules = no_limit_holdem(2, blinds=(50, 100), stack=2_000)
    view = told(player, rules, [*TO_THE_RIVER, *more], seat).view(seat)
    assert view.state.street == 3
    player.act(view)
    said = player.explain(view)
    actions = [requirement.action for requirement in said.requirements]
    assert actions[: len(words)] == words
    iterations = {reading.name: reading.value for reading in said.readings}
    assert isinstance(iterations["iterations of solving this hand"], int)


def test_what_a_copy_has_solved_is_not_solved_again(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy is shown a bet that the tree lacks; then the bet is made, in this hand and another."""
    solved = []

    def counted(*given: Any, **named: Any) -> Rest:
        solved.append(named["totals"])
        return solve_rest(*given, **named)

    monkeypatch.setattr("railbird.players.blueprint.solve_rest", counted)
    player = make_player(f"{spec},resolve=river")
    assert isinstance(player, ResolvingBlueprintPlayer)
    rules = no_limit_holdem(2, blinds=(50, 100), stack=2_000)
    for _ in range(2):
        for asked in (player, deepcopy(player)):
            line: list[Call | Raise] = [*TO_THE_RIVER, Raise(Chips(277))]
            asked.act(told(asked, rules, line, Seat(1)).view(Seat(1)))
    assert len(solved) == 1


def test_it_solves_the_turn_in_time(spec: str) -> None:
    rules = no_limit_holdem(2, blinds=(50, 100), stack=2_000)
    solving = match(f"{spec},resolve=turn,seconds=0.1", rules, "random", deals=8)
    assert play(solving).faults[0].as_json() == {}


def test_it_solves_safely_from_the_street_before(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the turn by the blueprint's values, on the river by those of the turn that it solved."""
    kinds = []

    def alternative(
        player: ResolvingBlueprintPlayer, view: View, street: int
    ) -> Alternative | None:
        found = ALTERNATIVE(player, view, street)
        assert found is not None
        assert np.isfinite(found.values).all()
        assert np.abs(found.values).max() <= 2_000
        kinds.append((street, found.slope != 0))
        return found

    monkeypatch.setattr(ResolvingBlueprintPlayer, "_alternative", alternative)
    rules = no_limit_holdem(2, blinds=(50, 100), stack=2_000)
    solving = match(f"{spec},resolve=turn,solving=safe", rules, "always-call", deals=4)
    first, again = play(solving), play(solving)
    assert first.faults[0].as_json() == {}
    assert np.array_equal(first.payoffs, again.payoffs)
    assert {(2, True), (3, False)} <= set(kinds)


ALTERNATIVE = ResolvingBlueprintPlayer._alternative


@pytest.mark.parametrize(
    "options", ["seconds=1", "resolve=flop", "resolve=turn,seconds=0", "solving=safe"]
)
def test_options_that_do_not_go_together(spec: str, options: str) -> None:
    with pytest.raises(BadInput, match="allowed"):
        make_player(f"{spec},{options}")


def test_limit_has_no_time_limit() -> None:
    with pytest.raises(BadInput, match="in no-limit"):
        make_player("equilibrium:blind,resolve=river,seconds=1")
    with pytest.raises(BadInput, match="solving=safe; allowed: with resolve=, in no-limit"):
        make_player("equilibrium:blind,resolve=river,solving=safe")


def test_a_file_of_limit_is_no_file_of_no_limit(tmp_path: Path) -> None:
    path = tmp_path / "other.strategy"
    path.write_bytes(b"railbird no-limit strategy 1\n{}\n")
    with pytest.raises(BadInput, match="no strategy"):
        make_player(f"equilibrium:{path}")
