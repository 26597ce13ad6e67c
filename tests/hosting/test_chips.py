"""Chips over many hands: nothing is made and nothing is lost, whatever the players do."""

from __future__ import annotations

import random

import pytest
from msgspec import structs

from helpers.hosted import Listening, Records, opened, play_on, ticking
from railbird.hosting.formats import Freeze, TournamentFormat
from railbird.hosting.tournament_play import TournamentPlay
from railbird.tournament import parse_schedule
from railbird.tournament.schedule import Stages

HANDS = 800
MANY_HANDS = 1_000_000
"""Played by `load.long_rows`, in ten minutes and more."""


def a_format(rng: random.Random) -> TournamentFormat:
    return TournamentFormat(
        name="any",
        seats=rng.randint(2, 20),
        table_seats=rng.randint(2, 10),
        stack=rng.choice([15, 100, 1_507, 1_999]),
        schedule=parse_schedule(rng.choice(["10/20x5", "10/25/3x4,30/60/7x3", "1/2/bb2x50"])),
        stages=rng.choice(list(Stages)),
        freeze=rng.choice(list(Freeze)),
        house_after=None,
    )


def play_hands(hands: int, seed: int) -> int:
    """Play tournaments of all kinds until there were so many hands; return their number."""
    rng = random.Random(seed)
    played = tournaments = 0
    while played < hands:
        form = a_format(rng)
        head = opened(form, form.seats)
        play = TournamentPlay(structs.replace(head, seed=rng.randbytes(32).hex()), ticking())
        listening = Listening()
        play.attach(Records(), listening)
        play_on(play, listening, rng, folds=rng.randint(1, 20))
        # Every event of every hand was checked on the way (`TableHand`).
        in_the_end = form.stack * form.seats
        if form.stages is Stages.FREEZE_OUT:
            assert sum(play.stacks) == max(play.stacks) == in_the_end
        assert sorted(play.places) == list(range(form.seats))
        assert sum(finish.prize for finish in play.outcome("j").finishes) == 10 * form.seats
        played += sum(play.hands_begun.values())
        tournaments += 1
    return tournaments


@pytest.mark.slow
def test_the_chips_of_every_hand_add_up() -> None:
    assert play_hands(HANDS, seed=1) > 5


@pytest.mark.slow
def test_the_chips_of_a_hundred_thousand_hands_add_up() -> None:
    play_hands(MANY_HANDS // 10, seed=2)
