"""How long every player of the registry thinks, and how long prize equities take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from bench.goals import Row
from bench.timing import least
from contracts.test_players_contract import PLAYERS, TWO_GAMES
from railbird.game import HandDealer, Rules, refusal, seeded_deals, seen_by, view
from railbird.players import Observer, make_player
from railbird.players.policy import close, why_not
from railbird.tournament import prize_equities
from railbird.units import Seat

HANDS = 200
_OWN = Seat(0)


def rows() -> list[Row]:
    """Return what, how much and in which unit; processor time, once everything is compiled."""
    return [*_prizes(), *_decisions()]


def _prizes() -> Iterator[Row]:
    chips = np.random.default_rng(1).integers(1, 10_000, 20).tolist()
    seconds = least(partial(prize_equities, chips, range(20, 0, -1)), times=5)
    yield "prize equities of 20 players with 20 prizes", 1000 * seconds, "ms"


def _decisions() -> Iterator[Row]:
    for spec in PLAYERS:
        rules = next((each for each in TWO_GAMES if why_not(make_player(spec), each) is None), None)
        if rules is None:
            continue
        _taken(spec, rules)  # compiles
        taken = 1000 * np.array(_taken(spec, rules))
        yield f"{spec}: the mean decision of {HANDS} hands", float(taken.mean()), "ms"
        yield f"{spec}: the slowest", float(taken.max()), "ms"


def _taken(spec: str, rules: Rules) -> list[float]:
    """Play against players at random; return the seconds of each decision."""
    rng = np.random.default_rng(1)
    player, others = make_player(spec), make_player("random")
    player.reset(rng)
    others.reset(rng)
    observer = player if isinstance(player, Observer) else None
    taken = []
    for row in seeded_deals(rng, seats=rules.seats, deals=HANDS):
        dealer = HandDealer.of_row(rules, row)
        dealt, *steps = dealer.begin()
        if observer is not None:
            observer.begin(view(dealt.after, _OWN))
        while True:
            for step in steps:
                if observer is not None:
                    observer.observe(view(step.after, _OWN), seen_by(step.event, _OWN))
            if (seat := dealer.asks) is None:
                break
            shown = view(dealer.state, seat)
            if seat == _OWN:
                begun = time.process_time()
                action = player.act(shown)
                taken.append(time.process_time() - begun)
                assert refusal(dealer.state, action) is None
            else:
                action = others.act(shown)
            steps = dealer.act(action)
        if observer is not None:
            observer.end(view(dealer.state, _OWN))
    close(player)
    return taken
