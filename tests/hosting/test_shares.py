"""Deals that nobody chose: seeds have shares of the seats, given after the house's commitment."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path
from random import Random
from typing import Any

import pytest

from helpers.hosted import (
    ManualTime,
    Player,
    bots,
    hosting,
    lines_of,
)
from railbird.errors import NothingUsable
from railbird.hosting.deck import commitment, deal_from_seed, mixed_seed, new_seed
from railbird.hosting.formats import RingFormat, TournamentFormat
from railbird.hosting.house_game import log, play_of
from railbird.hosting.journal import SharedSeed, read_journal
from railbird.hosting.settings import RING_SEED_SECONDS, SHARE_SECONDS
from railbird.hosting.verify import verify
from railbird.protocol import Identity, PlayerKind, client_line
from railbird.protocol.messages import Practise, SeedShare, Sit, StandUp, Verb

pytestmark = pytest.mark.anyio

FORM = TournamentFormat(name="three", seats=3, stack=300, house_after=None)
RING = RingFormat(name="small", seats=4)


class Silent(Player):
    """A program of an older version, which does not know what it is asked."""

    def connect(self) -> None:
        super().connect()
        receive = self.connection.receive

        def without_shares(data: bytes) -> None:
            lines = data.splitlines(keepends=True)
            receive(b"".join(line for line in lines if b"seed_share" not in line))

        self.connection.receive = without_shares  # type: ignore[method-assign]


def kept(player: Player) -> list[bytes]:
    """What a player was sent, with its own shares where it gave them: after the questions."""
    own = iter(player.session.shares)
    lines = []
    for line in lines_of(player):
        lines.append(json.dumps(line).encode())
        if line["type"] == "ask_share" and (share := next(own, None)) is not None:
            lines.append(client_line(share))
    return lines


async def played(folder: Path, clock: ManualTime | None = None, *more: type[Player]) -> Any:
    when = None if clock is None else clock.time
    async with hosting(folder, FORM, pace=1.0, when=when) as house:
        players = bots(house, 3 - len(more), chooses=lambda turn, rng: (Verb.ALL_IN, None))
        for number, kind in enumerate(more):
            identity = Identity(f"old{number}", PlayerKind.BOT, "1", f"owner of {number}")
            players.append(kind(house, identity, chooses=lambda turn, rng: (Verb.ALL_IN, None)))
        for player in players:
            player.queue("three")
        if clock is not None:
            await players[0].until("ask_share")
            await passing(clock, players[0], "hand")
        for player in players:
            await player.until("result")
    return players, folder / "done" / "three.1.journal"


async def passing(clock: ManualTime, player: Player, kind: str) -> None:
    """Let time pass until a message comes; real time, for which timers wait, passes in steps."""
    count = len(player.of(kind)) + 1
    while len(player.of(kind)) < count:
        clock.now += 0.25
        await asyncio.sleep(0.01)


async def test_everybody_has_a_share_from_the_first_hand_on(tmp_path: Path) -> None:
    players, journal = await played(tmp_path)
    for player in players:
        hands = player.of("hand")
        assert all(len(hand.shares) == len(hand.hand.seats) for hand in hands)
        assert all("" not in hand.shares for hand in hands)
        own = player.session.shares[0].share
        assert all(hand.shares[hand.hand.you] == own for hand in hands if hand.hand.you is not None)
        (checked,) = verify(kept(player))
        assert not checked.problems
        assert (checked.shares, checked.withheld) == (checked.hands, [])
        assert sorted(checked.sharing) == ["bot0", "bot1", "bot2"]
    (of_journal,) = verify(journal.read_bytes().splitlines())
    assert not of_journal.problems
    assert (of_journal.shares, of_journal.withheld) == (of_journal.hands, [])
    told = "\n".join(log(read_journal(journal)))
    assert f"bot0 gives the share {players[0].session.shares[0].share}" in told


async def test_whoever_gives_none_is_waited_for_a_moment_and_named(tmp_path: Path) -> None:
    clock = ManualTime()
    players, journal = await played(tmp_path, clock, Silent)
    for checked in (*verify(kept(players[0])), *verify(journal.read_bytes().splitlines())):
        assert not checked.problems
        assert checked.withheld == ["old0"]
        assert checked.shares == checked.hands
    dealt = [record.at for record in read_journal(journal) if record.r == "dealt"]
    assert dealt[0] - read_journal(journal)[0].at >= 1000 * SHARE_SECONDS


async def test_a_ring_game_asks_anew_for_every_seed(tmp_path: Path) -> None:
    clock = ManualTime()
    async with hosting(tmp_path, rings=(RING,), when=clock.time, pace=1.0) as house:
        players = bots(house, 3, chooses=lambda turn, rng: (Verb.CALL, None))
        for player in players:
            player.send(Sit(table="small.1", buy_in=2000))
        await players[0].until("hand_over", 3)
        clock.now += RING_SEED_SECONDS
        await players[0].until("ask_share", 2)
        await players[0].until("hand_over", len(players[0].of("hand_over")) + 3)
        for player in players:
            player.send(StandUp())
        for player in players:
            await player.until("left")
            await player.until("seed", 2)
    first, second = (share.share for share in players[0].session.shares)
    assert first != second
    for player in players:
        (checked,) = verify(kept(player))
        assert not checked.problems
        hour = player.of("seed")[0].last_hand
        own = [h.shares[h.hand.you] for h in player.of("hand") if h.hand.hand > hour]
        assert set(own) == {player.session.shares[1].share}


async def test_house_players_have_no_share_and_cards_come_without_theirs(tmp_path: Path) -> None:
    async with hosting(tmp_path, pace=1.0) as house:
        (ann,) = bots(house, 1, chooses=None)
        ann.send(Practise(opponents=["always-call"]))
        hand = await ann.until("hand")
        assert [bool(share) for share in hand.shares] == [
            seat.kind is not PlayerKind.HOUSE for seat in hand.hand.seats
        ]


@pytest.mark.parametrize("game", ["three.1", "elsewhere", "three.1-1"])
async def test_a_second_share_and_one_of_another_game_change_nothing(
    tmp_path: Path, game: str
) -> None:
    async with hosting(tmp_path, FORM, pace=1.0) as house:
        players = bots(house, 3, chooses=None)
        for player in players:
            player.queue("three")
        await players[0].until("hand")
        players[0].send(SeedShare(game=game, share="ab" * 32))
        error = await players[0].until("error")
        assert (error.code, error.text.split(";")[1]) == ("stale", " allowed: one, of three.1")
        records = read_journal(tmp_path / "three.1.journal")
        assert sum(isinstance(record, SharedSeed) for record in records) == 3


@pytest.mark.parametrize("share", ["", "ab" * 31, "AB" * 32, "zz" * 32, "ab" * 33, "é" * 64])
async def test_a_share_that_is_none_is_malformed(tmp_path: Path, share: str) -> None:
    async with hosting(tmp_path, FORM) as house:
        (ann,) = bots(house, 1)
        ann.send(SeedShare(game="three.1", share=share))
        assert (await ann.until("error")).code == "malformed"


async def test_a_game_that_is_read_again_deals_by_the_same_shares(tmp_path: Path) -> None:
    players, journal = await played(tmp_path)
    opened, *records = read_journal(journal)
    play = play_of(opened)  # type: ignore[arg-type]
    play.read(records)
    assert [play.shares[number].hex() for number in range(3)] == [
        next(p for p in players if p.identity.name == entrant.name).session.shares[0].share
        for entrant in opened.entrants  # type: ignore[union-attr]
    ]


def problems(lines: list[dict[str, Any]], own: SeedShare) -> str:
    texts = []
    for line in lines:
        texts.append(json.dumps(line).encode())
        if line["type"] == "ask_share":
            texts.append(client_line(own))
    return " / ".join(problem for checked in verify(texts) for problem in checked.problems)


def no_shares_are_told(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        line.pop("shares", None)


def my_share_is_left_out(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        if line["type"] == "hand":
            line["shares"][line["hand"]["you"]] = ""


def my_share_is_another(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        if line["type"] == "hand":
            line["shares"][line["hand"]["you"]] = "ab" * 32


def a_share_that_changes(lines: list[dict[str, Any]]) -> None:
    second = [line for line in lines if line["type"] == "hand"][1]
    second["shares"][(second["hand"]["you"] + 1) % len(second["shares"])] = "cd" * 32


def a_share_of_the_house(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        if line["type"] == "hand":
            seats = line["hand"]["seats"]
            seats[(line["hand"]["you"] + 1) % len(seats)]["kind"] = "house"


def too_few_shares(lines: list[dict[str, Any]]) -> None:
    next(line for line in lines if line["type"] == "hand")["shares"].pop()


def a_commitment_after_the_share(lines: list[dict[str, Any]]) -> None:
    for line in lines:
        if line["type"] in ("ask_share", "seated"):
            line["commitment"] = "ab" * 32


@pytest.fixture(scope="module")
async def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[dict[str, Any]], SeedShare]:
    """What a player of a tournament was sent, and its share."""
    while True:
        async with hosting(tmp_path_factory.mktemp("three"), FORM, pace=1.0) as house:
            players = bots(house, 3, chooses=lambda turn, rng: (Verb.CALL, None))
            for player in players:
                player.queue("three")
            await players[0].until("hand", 3)
            for player in players:
                player.chooses = lambda turn, rng: (Verb.ALL_IN, None)
            await players[0].until("result")
        return lines_of(players[0]), players[0].session.shares[0]


@pytest.mark.parametrize(
    ("attack", "words"),
    [
        (no_shares_are_told, "nobody's shares are in the seed"),
        (my_share_is_left_out, "your share was given before, and the seed has none"),
        (my_share_is_another, "your share was given before, and the seed has abab"),
        (a_share_that_changes, "and is cdcd"),
        (a_share_of_the_house, "of the house has a share of the seed"),
        (too_few_shares, "nobody's shares are in the seed"),
        (a_commitment_after_the_share, "cards were dealt under commitment abab"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
async def test_a_log_whose_shares_are_not_as_given_does_not_verify(
    game: tuple[list[dict[str, Any]], SeedShare], attack: Any, words: str
) -> None:
    lines, own = json.loads(json.dumps(game[0])), game[1]
    assert not problems(lines, own)
    attack(lines)
    assert words in problems(lines, own)


async def test_a_share_that_is_no_text_of_hexadecimal_digits_is_no_message(
    game: tuple[list[dict[str, Any]], SeedShare],
) -> None:
    lines = json.loads(json.dumps(game[0]))
    next(line for line in lines if line["type"] == "hand")["shares"][0] = "é"
    with pytest.raises(NothingUsable, match="neither a journal nor messages"):
        problems(lines, game[1])


# The house tries seeds.


def aces(seed: bytes, hands: int = 4) -> int:
    """How many aces a seat that the house favours is dealt in its first hands."""
    rows = [deal_from_seed(seed, "three.1-1", hand, seats=3) for hand in range(1, hands + 1)]
    return sum(int(card) // 4 == 12 for row in rows for card in row[:2])


def house_tries(seeds: int, games: int) -> None:
    """The house commits to the best of many seeds, and its seat is dealt no better than any."""
    rng = Random(37)
    best = max((rng.randbytes(32) for _ in range(seeds)), key=aces)
    assert aces(best) >= 4 + (seeds >= 10**5)  # of eight cards: alone it would have chosen them
    shares = [(b"", rng.randbytes(32), rng.randbytes(32)) for _ in range(games)]
    counts = [aces(mixed_seed(best, given)) for given in shares]
    mean, chance = sum(counts) / games, 8 / 13
    spread = math.sqrt(8 * (1 / 13) * (12 / 13) / games)  # an upper bound: cards of a hand differ
    assert abs(mean - chance) < 4 * spread
    # Nor can it choose once it knows the shares: it is committed.
    promised = commitment(best)
    better = max(
        (rng.randbytes(32) for _ in range(200)), key=lambda s: aces(mixed_seed(s, shares[0]))
    )
    assert commitment(better) != promised


def test_the_house_tries_seeds_and_moves_nothing() -> None:
    house_tries(3_000, 2_000)


@pytest.mark.slow
def test_the_house_tries_a_million_seeds_and_moves_nothing() -> None:
    house_tries(10**6, 20_000)


def test_one_share_is_enough_to_make_every_seed_another() -> None:
    seed, share = new_seed(), new_seed()
    assert mixed_seed(seed, [b"", share]) != mixed_seed(seed, [share, b""])
    assert mixed_seed(seed, [b""]) == mixed_seed(seed, [bytes(32)]) != seed
