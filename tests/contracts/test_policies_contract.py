"""What every player of ours keeps to that says how likely its actions are.

A player that does not is named in `SILENT`, so a new one has to choose.
"""

from __future__ import annotations

import numpy as np
import pytest

from contracts.test_players_contract import PLAYERS
from railbird.cards import Holding
from railbird.errors import BadInput
from railbird.extending import check_player
from railbird.game import (
    Action,
    Call,
    HandDealer,
    Moment,
    View,
    limit_holdem,
)
from railbird.players import (
    Closable,
    Distribution,
    Observer,
    Policy,
    RaiseSizes,
    RangePolicy,
    Selective,
    claims_of,
    distribution_of,
    make_player,
)
from railbird.players.policy import close, why_not
from railbird.units import Chips, Seat

SILENT = ("loki:sim", "loki:best")
"""Players that decide by playing out random hands after the flop."""
HIDING = tuple(
    [f"booker:{version}" for version in ("1n", "3", "4", "5")]
    + [f"loki:{version}" for version in ("bpt", "bpm", "bpl", "gom", "som", "papp")]
)
"""Beginnings of the specs of players that draw something before the hand, or remember what they
decided with their own cards; those without it are `TELLING`."""
OWN_CARDS = ("equilibrium", "vexbot", "coach")
"""Beginnings of the specs of players that tell of the cards that they hold, and of no others."""
TELLING = (
    "booker:4,pay=0",
    "loki:gom,semi-bluff=off,check-raise=0.3,fake-check-raise=0.3",
    "loki:som,semi-bluff=off",
    "loki:papp,semi-bluff=off",
)


@pytest.mark.slow(
    but=[
        "always-raise",
        "always-raise:pot",
        "always-raise:max",
        "always-raise:random",
        "always-fold",
        "random",
        "random:amount",
        "random,fold=0.1,raise=5,size=min",
        "pushfold",
        "pushfold:12.5",
    ]
)
@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec not in SILENT])
def test_actions_come_as_often_as_is_said(spec: str) -> None:
    check_player(spec, only=["probabilities"])


@pytest.mark.slow
@pytest.mark.parametrize("spec", SILENT)
def test_who_plays_hands_out_says_nothing_after_the_flop(spec: str) -> None:
    claims = claims_of(spec)
    assert claims is not None
    assert not claims.tells
    player = make_player(spec)
    assert isinstance(player, Policy)
    view = first_view().view(Seat(1))
    player.reset(np.random.default_rng(1))
    told = distribution_of(player, view)
    assert told is not None
    close(player)


def first_view() -> Moment:
    return Moment(HandDealer(limit_holdem(2), [Holding(0), Holding(9)], []).begin()[-1].after)


def test_probabilities_add_up() -> None:
    with pytest.raises(Exception, match="allowed: sum 1"):
        Distribution(fold=0.5, call=0.4)
    with pytest.raises(Exception, match="from low to high"):
        Distribution(raises=(RaiseSizes(Chips(5), Chips(4), 1.0),))


def test_what_is_drawn_is_as_likely_as_is_said() -> None:
    mixed = Distribution(fold=0.2, call=0.3, raises=(RaiseSizes(Chips(4), Chips(5), 0.5),))
    rng = np.random.default_rng(1)
    drawn = [mixed.draw(rng) for _ in range(20_000)]
    for action in set(drawn):
        chance = mixed.probability(action)
        sigma = np.sqrt(chance * (1 - chance) / len(drawn))
        assert abs(drawn.count(action) / len(drawn) - chance) < 4 * sigma
    assert len(set(drawn)) == 4


def test_parts_of_a_player_are_told_by_its_methods() -> None:
    class Plain:
        def reset(self, rng: np.random.Generator) -> None: ...

        def act(self, view: View) -> Action:
            return Call()

    assert not isinstance(Plain(), Policy | Closable | Selective)
    assert isinstance(make_player("loki:som"), Policy)
    assert isinstance(make_player("loki:som"), Closable)


@pytest.mark.slow(only=["killer:flops"])
@pytest.mark.parametrize(
    "spec",
    [*TELLING, *(spec for spec in PLAYERS if not spec.startswith((*HIDING, *SILENT, *OWN_CARDS)))],
)
def test_what_a_player_tells_of_other_cards_is_what_it_does_with_them(spec: str) -> None:
    """One player plays a holding; another that was dealt others is asked what it would do."""
    player = make_player(spec)
    assert isinstance(player, RangePolicy)
    if why_not(player, limit_holdem(2)) is None:
        view = first_view().view(Seat(1))
        player.reset(np.random.default_rng(1))
        if isinstance(player, Observer):
            player.begin(view)
        player.range_distribution(view, np.array([0]))
    check_player(spec, only=["other cards"])


@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec.startswith(OWN_CARDS)])
def test_who_tells_of_no_other_cards(spec: str) -> None:
    assert not isinstance(make_player(spec), RangePolicy)


def test_what_is_drawn_or_kept_to_oneself_is_not_told() -> None:
    view = first_view()
    for spec, words in [
        ("booker:1n", "it plays random hands by another rule; allowed: noise=0"),
        ("booker:4", "it plays random hands by another rule; allowed: pay=0"),
        ("loki:som", "goes on with a semi-bluff is not seen; allowed: semi-bluff=off"),
    ]:
        player = make_player(spec)
        assert isinstance(player, RangePolicy)
        with pytest.raises(BadInput, match=words):
            player.range_distribution(view.view(Seat(1)), np.array([0]))
