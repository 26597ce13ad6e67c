"""Tournaments of other games than hold'em at a server: their hands, journals, logs and proofs."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import numpy as np
import pytest

from helpers.hosted import Listening as Turns
from helpers.hosted import (
    Records,
    bots,
    hosting,
    lines_of,
    opened,
    play_on,
    played_records,
    result_of,
    ticking,
)
from railbird.cards import DECK, VARIANTS, Variant, format_card
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Betting, Call, Fold, legal
from railbird.histories import HandRecord, read
from railbird.hosting.formats import (
    PRIVATE,
    Freeze,
    RingFormat,
    TournamentFormat,
    format_text,
    tournament_format,
)
from railbird.hosting.house_game import hand_records, log, phh
from railbird.hosting.house_seats import OTHER_GAMES, house_specs, why_other_game
from railbird.hosting.journal import Paid, record_line
from railbird.hosting.play import TableHand
from railbird.hosting.tournament_play import TournamentPlay
from railbird.hosting.verify import verify
from railbird.players import make_player, policy
from railbird.players.registry import REGISTRY
from railbird.protocol import PlayerKind
from railbird.protocol.encoding import parse_server
from railbird.protocol.messages import HandView, Practise, ShowEntry, Sit, Turn
from railbird.protocol.redaction import SeatHolder
from railbird.table.advice import FollowedHand
from railbird.tournament import parse_schedule

pytestmark = pytest.mark.anyio

DECK_TEXTS = [*map(format_card, DECK)]
SCHEDULE = parse_schedule("10/20x4,50/100x10")
FEW = (
    "omaha-hilo",
    "double-board-omaha",
    "courchevel",
    "irish",
    "stud-hilo",
    "27-triple",
    "five-card-draw",
)


def form_of(variant: str, betting: Betting = Betting.POT_LIMIT) -> TournamentFormat:
    return TournamentFormat(
        name="three",
        variant=variant,
        betting=betting,
        seats=3,
        stack=300,
        schedule=SCHEDULE,
        rated=False,
        house_after=None,
    )


@pytest.mark.slow(but=FEW)
@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "holdem"])
def test_a_journal_says_all_of_a_tournament(variant: str) -> None:
    form = form_of(variant)
    records = played_records(form, random.Random(variant))
    (checked,) = verify(map(record_line, records))
    assert not checked.problems
    assert checked.payouts == checked.hands == sum(isinstance(one, Paid) for one in records) > 0

    hands = list(hand_records(records))
    assert {hand.rules.variant for hand in hands} == {VARIANTS[variant]}
    text = "".join(phh(records))
    copies = list(read(io.BytesIO(text.encode()), variants=True))
    assert [copy.payoffs for copy in copies if isinstance(copy, HandRecord)] == [
        hand.payoffs for hand in hands
    ]
    most = max(len(own) for hand in hands for own in hand.cards)
    game = VARIANTS[variant]
    assert game.hand_size <= most <= game.most_cards
    assert (most > game.hand_size) == game.throws_away
    assert sum(" shows " in line for line in log(records)) > 0


@pytest.mark.parametrize("variant", FEW)
def test_an_interrupted_tournament_goes_on_from_its_journal(variant: str) -> None:
    form = form_of(variant)
    records = played_records(form, random.Random(7))
    half = records[: len(records) // 2]
    again, turns, rest = TournamentPlay(opened(form, 3), ticking()), Turns(), Records()
    again.read(half[1:])
    again.attach(rest, turns)
    play_on(again, turns, random.Random(8))
    assert set(again.places) == {0, 1, 2}
    assert not verify(map(record_line, [half[0], *half[1:], *rest.written]))[0].problems


@pytest.mark.parametrize("variant", FEW)
async def test_messages_tell_what_the_rules_say_and_nobody_elses_cards(
    variant: str, tmp_path: Path
) -> None:
    async with hosting(tmp_path, form_of(variant)) as house:
        players = bots(house, 3)
        for player in players:
            player.queue("three")
        await players[0].until("result")
    game = VARIANTS[variant]
    for player in players:
        assert result_of(player).places
        for turn in player.of("turn"):
            _check_turn(turn, game)
    (checked,) = verify(json.dumps(line).encode() for line in lines_of(players[0]))
    assert not checked.problems
    assert checked.payouts == checked.hands > 0
    assert checked.cards > 0


def _check_turn(turn: Turn, game: Variant) -> None:
    hand = turn.hand
    assert hand.you is not None
    streets = game.streets[: 1 + game.street_names.index(hand.street)]
    for number, seat in enumerate(hand.seats):
        is_open = number == hand.you or any(
            isinstance(entry, ShowEntry) and entry.seat == number for entry in hand.history
        )
        own = sum(street.down + street.up for street in streets)
        waits = turn.legal.draw is None and len(seat.draws or ()) > max(
            game.discards, sum(entry.did == "street" for entry in hand.history)
        )
        assert not waits
        if game.discards:
            own -= sum(draw.count for draw in seat.draws or ())
        assert len(seat.cards or ()) == (own if is_open else 0)
        for draw in seat.draws or ():
            assert draw.count <= streets[-1].draw or not streets[-1].draw
            assert draw.count == 2 or not game.discards
            assert (draw.thrown is not None) == (number == hand.you)
            assert number == hand.you or draw.cards is None
        if not seat.folded:
            assert len(seat.up or ()) == sum(street.up for street in streets)
    assert (hand.second_board is not None) == (game.boards == 2)
    level = SCHEDULE.level(hand.hand - 1)  # goes on beyond the last that it names
    stakes = (level.small, level.big) if game.has_bring_in else (None, None)
    assert (hand.bring_in, hand.small_bet) == stakes
    allowed = legal(_followed(hand).view.state)
    assert (allowed.fold, allowed.to_call) == (turn.legal.fold, turn.legal.to_call)
    assert (allowed.min_raise_to, allowed.max_raise_to) == (turn.legal.min_to, turn.legal.max_to)


def _followed(hand: HandView) -> FollowedHand:
    """Follow a hand from its own history, as our players at servers do."""
    followed = FollowedHand(Betting.POT_LIMIT, hand)
    for _ in followed.news(hand):
        pass
    return followed


async def test_a_cheating_house_is_found_out(tmp_path: Path) -> None:
    async with hosting(tmp_path, form_of("omaha-hilo")) as house:
        players = bots(house, 3)
        for player in players:
            player.queue("three")
        await players[0].until("result")
    lines = lines_of(players[0])
    first = next(line for line in lines if line["type"] == "hand")["hand"]
    own = first["seats"][first["you"]]["cards"]
    changed = next(text for text in ("2c", "2d", "2h", "2s", "3c") if text not in own)
    text = json.dumps(lines).replace(json.dumps(own), json.dumps([changed, *own[1:]]))
    (checked,) = verify(json.dumps(line).encode() for line in json.loads(text))
    assert any("the seed deals" in problem for problem in checked.problems)


@pytest.mark.parametrize("variant", ["badugi", "27-single"])
async def test_a_cheating_house_is_found_out_by_the_cards_that_were_drawn(
    variant: str, tmp_path: Path
) -> None:
    async with hosting(tmp_path, form_of(variant)) as house:
        players = bots(house, 3)
        for player in players:
            player.queue("three")
        await players[0].until("result")
    lines = lines_of(players[0])
    for number, line in enumerate(lines):
        if line["type"] == "street" and line.get("cards"):
            around = json.dumps(lines[max(0, number - 60) : number + 60])
            line["cards"][0] = next(text for text in DECK_TEXTS if f'"{text}"' not in around)
    (checked,) = verify(json.dumps(line).encode() for line in lines)
    assert any("the seed deals" in problem for problem in checked.problems)


def test_formats_of_other_games_are_read_and_refused_in_a_line() -> None:
    form = form_of("omaha")
    assert tournament_format(format_text(form)) == form
    assert "variant" not in format_text(TournamentFormat(name="six"))
    with pytest.raises(BadInput, match="omaha with ratings; allowed: rated = false"):
        TournamentFormat(name="x", variant="omaha")
    with pytest.raises(BadInput, match="9 seats in omaha6; allowed: 2 to 7"):
        RingFormat(name="x", variant="omaha6", seats=9)
    with pytest.raises(BadInput, match="no variant 'omahaa'"):
        RingFormat(name="x", variant="omahaa")
    assert not RingFormat(name=f"{PRIVATE}x", variant="omaha").runs_twice
    assert RingFormat(name=f"{PRIVATE}x").runs_twice


@pytest.mark.slow
def test_the_players_of_other_games_are_those_that_play_them() -> None:
    rules = form_of("omaha").rules(parse_schedule("10/20x10").level(0), [300] * 3)
    able = set()
    for name, entry in REGISTRY.items():
        if entry.is_text or name in ("acpc", "bot", "llm", "python"):
            continue
        try:
            player = make_player(name, writes=False)
        except BadInput:
            continue
        try:
            if policy.why_not(player, rules) is None:
                able.add(name)
        finally:
            policy.close(player)
    assert set(OTHER_GAMES) <= able
    assert house_specs(rules) == ("sensible",)
    assert all(why_other_game(name, rules) is None for name in OTHER_GAMES)
    assert "does not play Omaha" in (why_other_game("tight", rules) or "")
    assert why_other_game("tight", HEADS_UP_LIMIT) is None


async def test_a_practice_table_of_another_game_seats_only_who_plays_it(tmp_path: Path) -> None:
    async with hosting(tmp_path) as house:
        (player,) = bots(house, 1, chooses=None)
        player.send(Practise(opponents=["tight"], variant="omaha"))
        assert "does not play Omaha" in (await player.until("error")).text
        player.send(Practise(opponents=["always-call", "always-call"], variant="omaha"))
        hand = (await player.until("hand")).hand
        assert (hand.variant, len(hand.seats[hand.you or 0].cards)) == ("omaha", 4)


@pytest.mark.parametrize("freeze", [*Freeze])
def test_whoever_is_not_there_brings_it_in(freeze: Freeze) -> None:
    rules = form_of("stud", Betting.LIMIT).rules(parse_schedule("10/20x10").level(0), [300] * 3)
    holders = tuple(SeatHolder(name, PlayerKind.PERSON, 1) for name in "abc")
    cards = np.arange(21, dtype=np.uint8)
    hand = TableHand(
        table="t", number=1, players=(0, 1, 2), holders=holders, rules=rules, cards=cards
    )
    hand.begin()
    assert hand.default_action(freeze) == Call()
    hand.act(hand.default_action(freeze), "absence")
    assert hand.default_action(freeze) == Fold()


@pytest.mark.parametrize("variant", ["omaha", "razz", "badugi"])
async def test_a_ring_game_is_dealt(variant: str, tmp_path: Path) -> None:
    ring = RingFormat(name="small", variant=variant, betting=Betting.POT_LIMIT, seats=3)
    async with hosting(tmp_path, rings=(ring,)) as house:
        players = bots(house, 3)
        for player in players:
            player.send(Sit(table="small", buy_in=400))
        for hands in (1, 2, 3):
            over = await players[0].until("hand_over", hands)
            assert sum(over.won) == 0
            if sum(stack > 0 for stack in over.stacks) < 2:
                break  # nobody is left to play against
    message = parse_server(json.dumps(lines_of(players[0])[-1]))
    assert message is not None
