"""What `verify-deal` finds in logs in which something was changed, or left out."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.hosted import ManualTime, bots, hosting, lines_of
from railbird.errors import NothingUsable
from railbird.game import parse_rake
from railbird.hosting.deck import commitment
from railbird.hosting.formats import RingFormat, TournamentFormat
from railbird.hosting.house_game import log
from railbird.hosting.journal import Reseeded, read_journal
from railbird.hosting.settings import RING_SEED_SECONDS
from railbird.hosting.verify import verify
from railbird.protocol.messages import Sit, StandUp, Verb

FORM = TournamentFormat(name="six", seats=6, stack=200, fee=10, house_after=None)
RING = RingFormat(name="small", seats=4, rake=parse_rake("5%,cap=15"))


@pytest.fixture(scope="module")
async def tournament(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What a player of a whole tournament was sent."""
    while True:  # cards are drawn anew, and few tournaments have only two hands
        async with hosting(tmp_path_factory.mktemp("six"), FORM) as house:
            players = bots(house, 6)
            for player in players:
                player.queue("six")
            await players[0].until("result")
        lines = lines_of(players[0])
        if sum(line["type"] == "hand" for line in lines) > 2:
            return lines


@pytest.fixture
def sent(tournament: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A copy, for a test to change."""
    return copy.deepcopy(tournament)


def problems_of(sent: list[dict[str, Any]]) -> str:
    games = verify(json.dumps(line).encode() for line in sent)
    return " / ".join(problem for game in games for problem in game.problems)


def without_commitment(sent: list[dict[str, Any]]) -> None:
    for line in sent:
        if line["type"] in ("seated", "snapshot"):
            line.pop("commitment", None)
    sent[:] = [line for line in sent if line["type"] != "ask_share"]
    for number, line in enumerate(sent, 1):
        line["seq"] = number


def another_commitment_later(sent: list[dict[str, Any]]) -> None:
    (seated,) = (line for line in sent if line["type"] == "seated")
    last = next(n for n, line in enumerate(sent) if line["type"] == "result")
    snapshot = {"type": "snapshot", "table": seated["table"], "commitment": "ab" * 32}
    sent.insert(last, snapshot)
    for number, line in enumerate(sent, 1):
        line["seq"] = number


def another_commitment_in_the_result(sent: list[dict[str, Any]]) -> None:
    seed = "cd" * 32
    for line in sent:
        if line["type"] == "result":
            line["seed"], line["commitment"] = seed, commitment(bytes.fromhex(seed))


def cards_before_the_commitment(sent: list[dict[str, Any]]) -> None:
    seated = next(line for line in sent if line["type"] == "seated")
    sent.remove(seated)
    over = next(n for n, line in enumerate(sent) if line["type"] == "hand_over")
    sent.insert(over + 1, seated)
    for number, line in enumerate(sent, 1):
        line["seq"] = number


def chips_from_nowhere(sent: list[dict[str, Any]]) -> None:
    """Between two hands a stack grows."""
    second = [line for line in sent if line["type"] == "hand"][1]
    second["hand"]["seats"][0]["stack"] += 100
    for line in sent:  # in every message about that hand, so that the hand itself adds up
        if line.get("turn") and line.get("hand", {}).get("hand") == second["hand"]["hand"]:
            line["hand"]["seats"][0]["stack"] += 100
        if line["type"] == "hand_over" and line["hand"] == second["hand"]["hand"]:
            line["stacks"][0] += 100


def a_pot_to_somebody_else(sent: list[dict[str, Any]]) -> None:
    """Chips that add up go to whoever has not won them."""
    over = next(line for line in sent if line["type"] == "hand_over")
    won, had = over["won"], [n - m for n, m in zip(over["stacks"], over["won"], strict=True)]
    winner, loser = won.index(max(won)), won.index(min(won))
    won[winner], won[loser] = won[loser], won[winner]
    over["stacks"] = [n + m for n, m in zip(had, won, strict=True)]


def a_hand_cut_out(sent: list[dict[str, Any]]) -> None:
    """Every message of a hand between two others is missing."""

    def hand_of(line: dict[str, Any]) -> object:
        hand = line.get("hand")
        return hand.get("hand") if isinstance(hand, dict) else hand

    numbers = sorted({one for one in map(hand_of, sent) if isinstance(one, int)})
    assert len(numbers) > 2, "the fixture plays until there are three hands"
    sent[:] = [line for line in sent if hand_of(line) != numbers[1]]
    for number, line in enumerate(sent, 1):
        line["seq"] = number


def no_end_of_hands(sent: list[dict[str, Any]]) -> None:
    sent[:] = [line for line in sent if line["type"] != "hand_over"]
    for number, line in enumerate(sent, 1):
        line["seq"] = number


def a_second_result(sent: list[dict[str, Any]]) -> None:
    seed = "cd" * 32
    result = copy.deepcopy(next(line for line in sent if line["type"] == "result"))
    result |= {"seed": seed, "commitment": commitment(bytes.fromhex(seed)), "seq": len(sent) + 1}
    sent.append(result)


def places_swapped(sent: list[dict[str, Any]]) -> None:
    """The first and the last of the result change places, with their prizes."""
    result = next(line for line in sent if line["type"] == "result")
    first, last = result["places"][0], result["places"][-1]
    first["name"], last["name"] = last["name"], first["name"]


def a_prize_to_somebody_else(sent: list[dict[str, Any]]) -> None:
    result = next(line for line in sent if line["type"] == "result")
    first, last = result["places"][0], result["places"][-1]
    first["prize"], last["prize"] = last["prize"], first["prize"]


def a_stranger_in_the_result(sent: list[dict[str, Any]]) -> None:
    result = next(line for line in sent if line["type"] == "result")
    result["places"][-1]["name"] = "mallory"


def another_card_in_a_void_hand(sent: list[dict[str, Any]]) -> None:
    """The last hand does not count, and one of the viewer's cards is not the seed's."""
    over = [line for line in sent if line["type"] == "hand_over"][-1]
    begins = [line for line in sent if line["type"] == "hand"][-1]
    over_text = {"type": "hand_void", "table": over["table"], "hand": over["hand"], "text": "x"}
    sent[sent.index(over)] = over_text | {"seq": over["seq"]}
    cards = {text for seat in begins["hand"]["seats"] for text in seat.get("cards") or ()}
    free = next(rank + "c" for rank in "23456" if rank + "c" not in cards)
    for seat in begins["hand"]["seats"]:
        if seat.get("cards"):
            seat["cards"][0] = free


def no_seed(sent: list[dict[str, Any]]) -> None:
    """A second tournament has begun, and no seed of it has come."""
    table = {**next(line for line in sent if line["type"] == "seated")["table"]}
    table |= {"table": "six.2-1", "tournament": "six.2"}
    begins = copy.deepcopy(next(line for line in sent if line["type"] == "hand"))
    begins["table"] = "six.2-1"
    sent += [{"type": "seated", "table": table, "commitment": "ef" * 32}, begins]
    for number, line in enumerate(sent, 1):
        line["seq"] = number


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("attack", "words"),
    [
        (without_commitment, "no commitment came before the first card"),
        (cards_before_the_commitment, "hand 1 began before any commitment"),
        (another_commitment_later, "later it is abab"),
        (another_commitment_in_the_result, "cards were dealt under commitment"),
        (chips_from_nowhere, "and begins with"),
        (a_pot_to_somebody_else, "were won; the seed's cards give"),
        (a_hand_cut_out, "from hand 1 to hand 3"),
        (no_end_of_hands, "its end is not in this log"),
        (a_second_result, "a second result has another seed"),
        (places_swapped, "otherwise than by the hand in which"),
        (a_prize_to_somebody_else, "has prize 0, where place 1 has"),
        (a_stranger_in_the_result, "a place for mallory, who had no hand"),
        (another_card_in_a_void_hand, "the seed deals"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
async def test_a_log_in_which_something_is_missing_or_differs_does_not_verify(
    sent: list[dict[str, Any]], attack: Callable[[list[dict[str, Any]]], None], words: str
) -> None:
    assert not problems_of(sent)
    attack(sent)
    assert words in problems_of(sent)


@pytest.mark.anyio
async def test_a_game_whose_seed_did_not_come_does_not_verify(sent: list[dict[str, Any]]) -> None:
    no_seed(sent)
    first, second = verify(json.dumps(line).encode() for line in sent)
    assert not first.problems
    assert second.problems == ["no seed was revealed of 1 hands, the first of them hand 1"]


async def ring_logs(folder: Path, *, hours: int) -> tuple[list[list[dict[str, Any]]], Path]:
    """Return what three players of a ring table were sent, until all have left, and its journal."""
    clock = ManualTime()
    async with hosting(folder, rings=(RING,), when=clock.time) as house:
        players = bots(house, 3, chooses=lambda turn, rng: (Verb.CALL, None))
        for player in players:
            player.send(Sit(table="small.1", buy_in=2000))
        for _ in range(hours):
            await players[0].until("hand_over", len(players[0].of("hand_over")) + 3)
            clock.now += RING_SEED_SECONDS
        await players[0].until("hand_over", len(players[0].of("hand_over")) + 3)
        for player in players:
            player.send(StandUp())
        for player in players:
            await player.until("left")
            await player.until("seed", hours + 1)
        return [lines_of(player) for player in players], folder / "done" / "small.1.journal"


@pytest.mark.anyio
async def test_a_ring_log_has_a_seed_for_each_hour_and_verifies(tmp_path: Path) -> None:
    logs, journal = await ring_logs(tmp_path, hours=2)
    for sent in logs:
        (checked,) = verify(json.dumps(line).encode() for line in sent)
        assert (checked.game, checked.problems) == ("small.1", [])
        assert checked.payouts == len([line for line in sent if line["type"] == "hand_over"]) >= 9
        seeds = [line for line in sent if line["type"] == "seed"]
        assert len({line["seed"] for line in seeds}) == 3
        hands = [(line["first_hand"], line["last_hand"]) for line in seeds]
        assert [first for first, _ in hands] == [1, *(last + 1 for _, last in hands[:-1])]
        promised = [line.get("next_commitment") for line in seeds]
        assert promised == [seeds[1]["commitment"], seeds[2]["commitment"], None]
    records = read_journal(journal)
    assert sum(isinstance(record, Reseeded) for record in records) == 2
    (checked,) = verify(journal.read_bytes().splitlines())
    assert not checked.problems
    for line in logs[0]:
        if line["type"] == "seed":
            assert f"seed of hands {line['first_hand']} to" in "\n".join(log(records))


@pytest.mark.anyio
async def test_an_hour_without_its_seed_does_not_verify(tmp_path: Path) -> None:
    (sent, *_), _ = await ring_logs(tmp_path, hours=1)
    seeds = [line for line in sent if line["type"] == "seed"]
    with pytest.raises(NothingUsable, match="no seed"):
        verify(json.dumps(line).encode() for line in sent if line not in seeds)
    words = problems_of([line for line in sent if line != seeds[0]])
    assert "no seed was revealed of" in words
    seeds[0]["seed"] = "ab" * 32
    assert "not the one that was committed to" in problems_of(sent)
