"""Missed blinds at ring tables: whoever sits out does not play for others' blinds."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

import pytest

from helpers.hosted import SEED, Records, ticking
from railbird.hosting.deck import commitment
from railbird.hosting.formats import RingFormat, format_text
from railbird.hosting.journal import Annulled, Entrant, HandDealt, Opened, Present, StoodUp
from railbird.hosting.play import NobodyListens
from railbird.hosting.ring_play import TABLE, RingPlay
from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages import Presence

SMALL, BIG = 1, 2


def ring_play(seats: int) -> tuple[RingPlay, Records]:
    form = RingFormat(name="ring", seats=seats, blinds=(SMALL, BIG), buy_ins=(100, 200))
    opened = Opened(
        at=0,
        kind="ring",
        id="ring.1",
        format="ring",
        settings=format_text(form),
        commitment=commitment(SEED),
        seed=SEED.hex(),
    )
    play, records = RingPlay(opened, ticking()), Records()
    play.attach(records, NobodyListens())
    return play, records


def sit_down(play: RingPlay, *names: str) -> None:
    for name in names:
        play.join(Entrant(name=name, kind=PlayerKind.BOT), 200)


def next_hand(play: RingPlay, records: Records) -> HandDealt | None:
    """Deal a hand and annul it: what is posted is all that matters here."""
    before = len(records.written)
    play.advance()
    dealt = next((one for one in records.written[before:] if isinstance(one, HandDealt)), None)
    if dealt is not None:
        play.commit(Annulled(at=dealt.at, table=TABLE, hand=dealt.hand, why="posted"))
    return dealt


def without_cards(play: RingPlay, records: Records) -> HandDealt:
    """Move the blinds on as for a hand, of which no card is dealt and nothing written."""
    seats, blinds, dead = play._posts(play._order(play._ready()))
    stacks = (200,) * len(seats)
    dealt = HandDealt(
        at=0,
        table=TABLE,
        hand=1,
        seats=tuple(seats),
        stacks=stacks,
        small=SMALL,
        big=BIG,
        ante=0,
        blinds=blinds,
        dead=dead,
    )
    play._move_blinds(dealt)
    return dealt


def posts(play: RingPlay, dealt: HandDealt) -> list[tuple[int, int]]:
    """Return what each seat posted, live and dead."""
    seats = len(dealt.seats)
    if seats > 2:
        usual = (SMALL, BIG, *[0] * (seats - 2))
        return list(zip(dealt.blinds or usual, dealt.dead or (0,) * seats, strict=True))
    rules = play.form.rules(list(dealt.stacks), posts=dealt.blinds, dead=dealt.dead)
    return list(zip(rules.blinds, rules.antes or (0,) * rules.seats, strict=True))


@dataclass
class Account:
    """What a player was dealt, and what was posted for it."""

    hands: int = 0
    posted: int = 0
    due: float = 0.0
    """An equal part of the blinds of each hand that the player was dealt."""
    rounds: int = 0
    """Rounds of the big blind in which the player was dealt a hand."""
    is_new: bool = True
    """Whether the next hand is the first that the player is dealt in a round."""
    sit_outs: int = 0
    """Times that the player sat out."""


Choice = Callable[[RingPlay, Random], bool]
"""Whether player 0 sits in the next hand."""


def played(
    choice: Choice,
    *,
    seats: int,
    hands: int | None = None,
    sit_outs: int | None = None,
    waits: bool = False,
    seed: int = 1,
    deal: Callable[[RingPlay, Records], HandDealt | None] = next_hand,
) -> list[Account]:
    """Let player 0 choose before each hand whether to sit in it; all others play them all.

    It ends after so many hands, or once player 0 has sat out so often.
    """
    play, records = ring_play(seats)
    sit_down(play, *(f"p{n}" for n in range(seats)))
    rng, accounts = Random(seed), [Account() for _ in range(seats)]
    for _ in itertools.count() if hands is None else range(hands):
        if accounts[0].sit_outs == sit_outs:
            break
        is_in = choice(play, rng)
        if (play.players[0].presence is Presence.HERE) is not is_in:
            accounts[0].sit_outs += not is_in
            play.commit(
                Present(at=0, player=0, presence="here" if is_in else "sitting_out", waits=waits)
            )
        before = play._big
        dealt = deal(play, records)
        assert dealt is not None
        for number, account in enumerate(accounts):
            chairs = [(chair - before - 1) % seats for chair in (number + 1, play._big)]
            account.is_new |= chairs[0] <= chairs[1]  # the big blind has come, or has passed
        for number, (live, dead) in zip(dealt.seats, posts(play, dealt), strict=True):
            account = accounts[number]
            account.hands += 1
            account.rounds += account.is_new
            account.is_new = False
            account.posted += live + dead
            account.due += (SMALL + BIG) / len(dealt.seats)
    return accounts


def at_random(play: RingPlay, rng: Random) -> bool:
    is_in = play.players[0].presence is Presence.HERE
    return is_in is not (rng.random() < 0.15)


def is_next(play: RingPlay) -> bool:
    """Whether the big blind comes to player 0 in the next hand."""
    return play._big % play.form.seats + 1 == play.players[0].chair


def dodging(play: RingPlay, rng: Random) -> bool:
    """Mostly out when the big blind would come next; in again once it has passed, or later."""
    if is_next(play):
        return rng.random() < 0.2
    return play.players[0].presence is Presence.HERE or rng.random() < 0.6


def leaving_after_the_big_blind(play: RingPlay, rng: Random) -> bool:
    """In for the big blind, and mostly out for the small one that follows it."""
    return is_next(play) or (play._big != play.players[0].chair and rng.random() < 0.1)


@pytest.mark.parametrize(
    ("seats", "sit_outs"),
    [(6, 80), *(pytest.param(seats, 100_000, marks=pytest.mark.slow) for seats in (4, 6, 9))],
)
def test_whoever_sits_out_for_the_blinds_pays_them_in_every_round_of_play(
    seats: int, sit_outs: int
) -> None:
    """Every round is paid for, so that the differences do not grow with the rounds.

    The first one costs nothing, from the button on, and of the last one the small blind may be
    still to come. A round has at most as many hands as players, so an equal part of its hands'
    blinds is no more than the blinds.
    """
    dodger, *_ = played(dodging, seats=seats, sit_outs=sit_outs, deal=without_cards)
    # Who stays for one big blind in five is in for at least one round after four absences.
    assert dodger.rounds > sit_outs / 5
    blinds = SMALL + BIG
    assert abs(dodger.posted - blinds * dodger.rounds) <= blinds + SMALL
    assert dodger.posted >= dodger.due - blinds


@pytest.mark.parametrize("choice", [at_random, dodging])
def test_posts_are_the_same_without_cards(choice: Choice) -> None:
    assert played(choice, seats=6, hands=100) == played(
        choice, seats=6, hands=100, deal=without_cards
    )


@pytest.mark.parametrize("waits", [False, True], ids=["posts", "waits"])
@pytest.mark.parametrize("seats", [4, 6, 9])
@pytest.mark.parametrize("choice", [at_random, dodging, leaving_after_the_big_blind])
def test_no_choice_of_hands_costs_less_than_an_equal_part_of_their_blinds(
    choice: Choice, seats: int, waits: bool
) -> None:
    """By round it may cost less: whoever leaves after the big blind has paid that one alone."""
    chooser, *others = played(choice, seats=seats, hands=1500, waits=waits, deal=without_cards)
    assert chooser.hands > 100
    blinds = SMALL + BIG
    assert chooser.posted >= chooser.due - blinds
    assert BIG * chooser.rounds - blinds <= chooser.posted <= blinds * (chooser.rounds + 1)
    for account in others:  # who play every hand
        assert abs(account.posted - blinds * account.rounds) <= blinds + SMALL


def names_and_posts(play: RingPlay, records: Records) -> dict[str, tuple[int, int]]:
    dealt = next_hand(play, records)
    assert dealt is not None
    names = [play.players[number].entrant.name for number in dealt.seats]
    return dict(zip(names, posts(play, dealt), strict=True))


def present(play: RingPlay, player: int, *, is_here: bool, waits: bool = False) -> None:
    presence: Literal["here", "sitting_out"] = "here" if is_here else "sitting_out"
    play.commit(Present(at=0, player=player, presence=presence, waits=waits))


def at_table(seats: int = 6) -> tuple[RingPlay, Records]:
    """A table with five players, of whom ann has just had the button, bob and cid the blinds."""
    play, records = ring_play(seats)
    sit_down(play, "ann", "bob", "cid", "dan", "eva")
    first = names_and_posts(play, records)
    assert first == {"bob": (1, 0), "cid": (2, 0), "dan": (0, 0), "eva": (0, 0), "ann": (0, 0)}
    return play, records


def test_missed_blinds_are_posted_dead_and_live_once_the_button_has_passed() -> None:
    play, records = at_table()
    present(play, 3, is_here=False)
    assert list(names_and_posts(play, records)) == ["cid", "eva", "ann", "bob"]
    present(play, 3, is_here=True)
    assert list(names_and_posts(play, records)) == ["eva", "ann", "bob", "cid"], "behind the button"
    back = names_and_posts(play, records)
    assert back == {"ann": (1, 0), "bob": (2, 0), "cid": (0, 0), "dan": (2, 1), "eva": (0, 0)}


def test_a_small_blind_alone_is_owed_by_whoever_has_paid_the_big_one() -> None:
    play, records = at_table()
    present(play, 2, is_here=False)
    without_small = names_and_posts(play, records)
    assert without_small == {"dan": (2, 0), "eva": (0, 0), "ann": (0, 0), "bob": (0, 0)}
    present(play, 2, is_here=True)
    assert "cid" not in names_and_posts(play, records)
    back = names_and_posts(play, records)
    assert back == {"eva": (1, 0), "ann": (2, 0), "bob": (0, 0), "cid": (0, 1), "dan": (0, 0)}


def test_whoever_waits_for_the_big_blind_posts_nothing_else() -> None:
    play, records = at_table()
    present(play, 3, is_here=False)
    next_hand(play, records)
    present(play, 3, is_here=True, waits=True)
    for _ in range(3):
        assert "dan" not in names_and_posts(play, records)
    back = names_and_posts(play, records)
    assert back == {"cid": (1, 0), "dan": (2, 0), "eva": (0, 0), "ann": (0, 0), "bob": (0, 0)}


def test_whoever_comes_to_a_table_in_play_posts_a_big_blind_and_after_leaving_it_both() -> None:
    play, records = at_table()
    sit_down(play, "fay")
    first = names_and_posts(play, records)
    assert first["fay"] == (2, 0)
    number = len(play.players) - 1
    while names_and_posts(play, records)["fay"] != (1, 0):
        pass
    play.commit(StoodUp(at=0, player=number))
    next_hand(play, records)
    sit_down(play, "Fay")
    while "Fay" not in (back := names_and_posts(play, records)):
        pass
    assert back["Fay"] == (2, 1)


@pytest.mark.parametrize("out", ["frozen", "sitting_out"])
def test_a_seat_that_is_dealt_no_cards_for_any_reason_owes_what_passes_it(out: Any) -> None:
    play, records = at_table()
    play.commit(Present(at=0, player=3, presence=out))
    next_hand(play, records)
    assert play.sessions[3].owes_big
    assert play.sessions[3].owes_small


def test_blinds_that_are_owed_are_so_after_a_restart() -> None:
    play, records = at_table()
    present(play, 3, is_here=False)
    next_hand(play, records)
    again, _ = ring_play(6)
    again.read(records.written)
    for session, same in zip(play.sessions.values(), again.sessions.values(), strict=True):
        assert (session.owes_small, session.owes_big) == (same.owes_small, same.owes_big)
    assert (again._small, again._big) == (play._small, play._big)


def test_a_hand_with_posts_is_played_for_all_that_was_posted() -> None:
    play, _ = at_table()
    sit_down(play, "fay")
    play.advance()
    hand = play.hands[TABLE]
    assert hand.moment.state.pot == SMALL + 2 * BIG
    assert play.players[hand.to_act or 0].entrant.name == "eva", "left of the big blind"
