"""What every player of ours keeps to that says how likely its actions are.

A player that does not is named in `SILENT`, so a new one has to choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from contracts.test_players_contract import PLAYERS
from railbird.arena import Match
from railbird.arena.match_chunks import ChunkJob, ChunkPlayer, Loop
from railbird.cards import HOLDING_INDEX, Holding
from railbird.errors import BadInput
from railbird.game import (
    Action,
    Call,
    Fold,
    HandDealer,
    Moment,
    Raise,
    Rules,
    Step,
    View,
    limit_holdem,
    no_limit_holdem,
    seen_by,
)
from railbird.players import (
    Closable,
    Distribution,
    Observer,
    Player,
    Policy,
    RaiseSizes,
    RangePolicy,
    Selective,
    distribution_of,
    make_player,
)
from railbird.players.policy import why_not
from railbird.units import Chips, Seat

SILENT = {"loki:sim", "loki:best"}
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
HANDS = 400
MOST_SIGMAS = 4.5
KINDS = 3


def games() -> Iterator[Rules]:
    yield limit_holdem(2)
    yield limit_holdem(3)
    yield no_limit_holdem(2, blinds=(1, 2), stack=20)


class Asking:
    """Asks a player for its probabilities before each of its actions."""

    def __init__(self, spec: str) -> None:
        self._player = make_player(spec)
        self.expected = np.zeros(KINDS)
        self.variance = np.zeros(KINDS)
        self.seen = np.zeros(KINDS)
        self.silent = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self.__dict__["_player"], name)

    def act(self, view: View) -> Action:
        said = distribution_of(self._player, view)
        again = distribution_of(self._player, view)
        assert said == again
        action = self._player.act(view)
        if said is None:
            self.silent += 1
            return action
        assert said.probability(action) > 0
        for sizes in said.raises:
            assert view.legal.min_raise_to is not None
            assert view.legal.max_raise_to is not None
            assert view.legal.min_raise_to <= sizes.low
            assert sizes.high <= view.legal.max_raise_to
        assert view.legal.fold or not said.fold
        chances = np.array([said.fold, said.call, sum(s.probability for s in said.raises)])
        self.expected += chances
        self.variance += chances * (1 - chances)
        self.seen[0 if action == Fold() else 1 if action == Call() else 2] += 1
        return action


def played(rules: Rules, player: str | Player) -> tuple[np.ndarray, ChunkPlayer]:
    match = Match(
        players=(player, *["random"] * (rules.seats - 1)), rules=rules, deals=HANDS, seed=5
    )
    table = ChunkPlayer(ChunkJob(match, Loop.PYTHON, logged=False))
    return table.play(0).payoffs, table


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
    for rules in games():
        asking = Asking(spec)
        if why_not(asking, rules):
            continue
        payoffs, _ = played(rules, asking)  # type: ignore[arg-type]
        assert asking.silent == 0
        off = np.abs(asking.seen - asking.expected)
        assert (off <= MOST_SIGMAS * np.sqrt(asking.variance) + 1e-6).all()
        # Asking changes nothing.
        assert np.array_equal(payoffs, played(rules, f"asking={spec}")[0])


@pytest.mark.slow
def test_who_plays_hands_out_says_nothing_after_the_flop() -> None:
    asking = Asking("loki:sim,trials=20")
    played(limit_holdem(2), asking)  # type: ignore[arg-type]
    assert asking.silent > 0
    assert asking.expected.sum() > 0


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
    for rules in (limit_holdem(2), no_limit_holdem(2, blinds=(50, 100), stack=10_000)):
        if why_not(make_player(spec), rules):
            continue
        for seed in range(15):
            _play_and_ask(spec, rules, seed, np.random.default_rng(seed).permutation(52))


@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec.startswith(OWN_CARDS)])
def test_who_tells_of_no_other_cards(spec: str) -> None:
    assert not isinstance(make_player(spec), RangePolicy)


def test_what_is_drawn_or_kept_to_oneself_is_not_told() -> None:
    view = Moment(HandDealer(limit_holdem(2), [Holding(0), Holding(9)], []).begin()[-1].after)
    for spec, words in [
        ("booker:1n", "some hands, drawn beforehand, it plays otherwise; allowed: noise=0"),
        ("booker:4", "some hands, drawn beforehand, it plays otherwise; allowed: pay=0"),
        ("loki:som", "goes on with a semi-bluff is not seen; allowed: semi-bluff=off"),
    ]:
        player = make_player(spec)
        assert isinstance(player, RangePolicy)
        with pytest.raises(BadInput, match=words):
            player.range_distribution(view.view(Seat(1)), np.array([0]))


def _play_and_ask(spec: str, rules: Rules, seed: int, cards: np.ndarray) -> None:
    held, other, dealt = (
        Holding(HOLDING_INDEX.item(*sorted(cards[at : at + 2].tolist()))) for at in (0, 2, 4)
    )
    seat, board = Seat(seed % 2), cards[6:11].tolist()
    rng = np.random.default_rng(seed)
    players, dealers = [make_player(spec) for _ in range(2)], []
    for player, own in zip(players, (held, dealt), strict=True):
        player.reset(np.random.default_rng(seed))
        dealer = HandDealer(rules, [own, other] if seat == 0 else [other, own], board)
        first, *steps = dealer.begin()
        if isinstance(player, Observer):
            player.begin(Moment(first.after).view(seat))
        _tell(player, seat, steps)
        dealers.append(dealer)
    while (actor := dealers[0].asks) is not None:
        state = dealers[0].state
        if actor == seat:
            wanted = distribution_of(players[0], Moment(state).view(seat))
            asked = players[1]
            assert isinstance(asked, RangePolicy)
            view = Moment(dealers[1].state).view(seat)
            found = asked.range_distribution(view, np.array([held, other]))
            action = players[0].act(Moment(state).view(seat))
            assert found.row(0) == wanted
            assert wanted is not None
            assert wanted.probability(action) > 0
            assert found.probability(action)[0] == pytest.approx(wanted.probability(action))
        else:
            low, high = state.min_raise_to, state.max_raise_to
            action = Call()
            if low is not None and high is not None and rng.random() < 0.4:
                action = Raise(Chips(min(high, low * int(rng.integers(1, 3)))))
        for player, dealer in zip(players, dealers, strict=True):
            _tell(player, seat, dealer.act(action))


def _tell(player: Player, seat: Seat, steps: Sequence[Step]) -> None:
    if isinstance(player, Observer):
        for event, _, state in steps:
            player.observe(Moment(state).view(seat), seen_by(event, seat))
