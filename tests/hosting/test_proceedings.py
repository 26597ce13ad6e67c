"""Proceedings: every finished hand, nothing more while it is played, and cards that check."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from helpers.command_line import call, call_json
from helpers.hosted import Player, bots, hosting, lines_of
from helpers.tournament_journals import played_records
from railbird.errors import NothingUsable
from railbird.histories import HandRecord, hands_from
from railbird.hosting.formats import TournamentFormat
from railbird.hosting.journal import Journal, read_journal
from railbird.hosting.proceedings import hand_records, log, phh
from railbird.hosting.records import AnyRecord, Closed, Dealt, Opened, Paid, Resumed
from railbird.hosting.verify import verify
from railbird.protocol import Identity
from railbird.protocol.messages.client import Watch

FORM = TournamentFormat(name="six", seats=6, table_seats=4, house_after=None)


def lines(records: list[AnyRecord]) -> list[bytes]:
    return [record.model_dump_json().encode() for record in records]


@pytest.fixture(scope="module")
def records() -> list[AnyRecord]:
    return played_records(FORM, random.Random(8), folds=8)


def test_the_proceedings_are_read_back_as_the_same_hands(
    records: list[AnyRecord], tmp_path: Path
) -> None:
    path = tmp_path / "six.1.phhs"
    path.write_text("".join(phh(records)))
    read = [hand for hand in hands_from(path) if isinstance(hand, HandRecord)]
    written = list(hand_records(records))
    assert len(read) == len(written) == sum(isinstance(record, Paid) for record in records) > 3
    for one, other in zip(read, written, strict=True):
        assert (one.players, one.actions, one.payoffs) == (
            other.players,
            other.actions,
            other.payoffs,
        )
        assert (one.holes, one.board) == (other.holes, other.board)
        assert None not in one.holes
    last = written[-1]
    ends = [had + won for had, won in zip(last.rules.stacks or (), last.payoffs, strict=True)]
    assert max(ends) == 9000


def test_a_hand_has_the_time_at_which_it_was_dealt(records: list[AnyRecord]) -> None:
    dealt = {(one.table, one.hand): one.at for one in records if isinstance(one, Dealt)}
    for hand in hand_records(records):
        assert hand.played_at is not None
        table = int(hand.table.rpartition("-")[2])
        assert hand.played_at.timestamp() * 1000 == dealt[table, hand.number or 0]


def test_while_it_is_played_only_finished_hands_and_shown_cards_are_told(
    records: list[AnyRecord],
) -> None:
    opened = records[0]
    assert isinstance(opened, Opened)
    ends = [place for place, record in enumerate(records) if isinstance(record, Paid)]
    for cut in random.Random(2).sample(range(len(records) - 2), 20):
        running = records[:cut]
        if not running:
            continue
        told = list(hand_records(running))
        assert len(told) == sum(end < cut for end in ends)
        text = "\n".join(log(running))
        assert opened.seed not in text
        whole = list(hand_records(records))
        for part, full in zip(told, whole, strict=False):
            assert part.actions == full.actions
            for hole, known in zip(part.holes, full.holes, strict=True):
                assert hole in (None, known)
        assert text.count("hand ") == len(told)
    hidden = sum(hole is None for hand in hand_records(records[:-1]) for hole in hand.holes)
    assert hidden
    assert opened.seed in "\n".join(log(records))


def test_the_log_for_readers_tells_who_won(records: list[AnyRecord]) -> None:
    text = "\n".join(log(records))
    assert "place 1: p" in text
    assert text.count("place ") == 6
    assert text.rstrip().endswith("over")


def test_a_journal_verifies_and_a_changed_one_does_not(records: list[AnyRecord]) -> None:
    resumed = [records[0], Resumed(at=1), *records[1:]]  # before the seats were drawn
    (checked,) = verify(lines(resumed))
    assert not checked.problems
    assert checked.hands == sum(isinstance(record, Paid) for record in records)
    place = next(n for n, record in enumerate(records) if isinstance(record, Paid))
    paid = records[place]
    assert isinstance(paid, Paid)
    swapped = (paid.cards[1], paid.cards[0], *paid.cards[2:])
    for changed in (
        [*records[:place], paid.model_copy(update={"cards": swapped}), *records[place + 1 :]],
        [records[0].model_copy(update={"commitment": "0" * 64}), *records[1:]],
        [records[0].model_copy(update={"seed": "ab" * 32}), *records[1:]],
    ):
        (wrong,) = verify(lines(changed))
        assert wrong.problems


def test_a_game_in_play_cannot_be_checked_yet(records: list[AnyRecord]) -> None:
    with pytest.raises(NothingUsable, match="not over"):
        verify(lines(records[:-1]))
    assert isinstance(records[-1], Closed)


@pytest.mark.anyio
async def test_what_a_player_and_a_spectator_were_sent_verifies(tmp_path: Path) -> None:
    async with hosting(tmp_path, FORM) as house:
        players = bots(house, 6)
        rail = Player(house, Identity("rail"), chooses=None)
        for player in players:
            player.queue("six")
        await players[0].until("hand")
        rail.send(Watch(table="six.1-1"))
        for player in (*players, rail):
            await player.until("result")
    for player in (*players, rail):
        kept = lines_of(player)
        (checked,) = verify(json.dumps(line).encode() for line in kept)
        assert not checked.problems
        assert checked.cards
        for line in kept:
            if line["type"] == "hand" and player is not rail:
                line["hand"]["seats"][line["hand"]["you"]]["cards"][0] = "2c"
                line["hand"]["seats"][line["hand"]["you"]]["cards"][1] = "2d"
        (wrong,) = verify(json.dumps(line).encode() for line in kept)
        assert bool(wrong.problems) is (player is not rail)


def test_the_verb_says_what_it_checked(
    records: list[AnyRecord], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "six.1.journal"
    journal = Journal(path)
    for record in records:
        journal.write(record)
    journal.close()
    assert read_journal(path) == records
    told = call(capsys, "verify-deal", str(path))
    count = sum(isinstance(record, Paid) for record in records)
    assert told[0] == 0
    assert told[1].startswith(f"six.1: {count} hands, ")
    assert told[1].endswith(" cards, as committed\n")
    (game,) = call_json(capsys, "verify-deal", str(path))["games"]
    assert (game["game"], game["problems"]) == ("six.1", [])
    path.write_bytes(path.read_bytes().replace(b'"commitment":"', b'"commitment":"00'))
    code, out, _ = call(capsys, "verify-deal", str(path))
    assert code == 1
    assert "NOT as committed" in out
    other = tmp_path / "other.txt"
    other.write_text("hello\n")
    code, out, err = call(capsys, "verify-deal", str(other))
    assert (code, out) == (1, "")
    assert "neither a journal" in err
