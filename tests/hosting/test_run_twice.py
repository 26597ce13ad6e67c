"""All-ins that are run twice at private tables, where everybody left in the hand wants it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.hosted import SEED, Listening, ManualTime, Records, bots, hosting
from railbird.game import payoff_parts, replay
from railbird.histories import HandRecord, read
from railbird.hosting.deck import commitment, deal_from_seed
from railbird.hosting.formats import PRIVATE, RingFormat, format_text
from railbird.hosting.house_game import hand_records, log, phh
from railbird.hosting.journal import Entrant, Opened
from railbird.hosting.play import paid_in_two_runs
from railbird.hosting.ring_play import TABLE, Refused, RingPlay
from railbird.hosting.verify import verify
from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages import ActMessage, HandOver, RunTwice, Sit, StandUp, Turn, Verb
from railbird.protocol.redaction import HandEnd, TableEvent, told

NAMES = ("ann", "bob", "cid")


class Told(Listening):
    def __init__(self) -> None:
        super().__init__()
        self.ends: list[HandEnd] = []

    def tell(self, table: int, event: TableEvent) -> None:
        super().tell(table, event)
        if isinstance(event, HandEnd):
            self.ends.append(event)


class Table:
    """A private table on a clock that stands still; everybody always goes all-in."""

    def __init__(self, wants: Sequence[str], *, names: Sequence[str] = NAMES) -> None:
        form = RingFormat(name=f"{PRIVATE}x", seats=6, blinds=(10, 20), buy_ins=(20, 2000))
        self.opened = Opened(
            at=0,
            kind="ring",
            id="friends.1",
            format=form.name,
            settings=format_text(form),
            commitment=commitment(SEED),
            seed=SEED.hex(),
        )
        self.play = RingPlay(self.opened, ManualTime().time)
        self.records, self.told = Records(), Told()
        self.play.attach(self.records, self.told)
        for number, name in enumerate(names):
            self.play.join(Entrant(name=name, kind=PlayerKind.PERSON), 501 + 333 * number)
            self.play.run_twice(number, name in wants)
        self.names = names
        self.play.advance()

    def all_in(self, verbs: Sequence[Verb] = ()) -> HandEnd:
        """Play a hand, by these actions and then all-in; return its end."""
        todo, hands = iter(verbs), len(self.told.ends)
        while len(self.told.ends) == hands:
            turn, name = self.told.turns.popitem()
            verb = next(todo, Verb.ALL_IN)
            refused = self.play.act(
                self.names.index(name), ActMessage(turn=turn, action=1, verb=verb)
            )
            if refused is not None:  # a call is all that is left
                self.play.act(
                    self.names.index(name), ActMessage(turn=turn, action=1, verb=Verb.CALL)
                )
        return self.told.ends[-1]


def test_both_boards_come_from_the_seed_and_each_has_half_of_every_pot() -> None:
    table = Table(NAMES)
    end = table.all_in()
    state = end.moment.state
    row = deal_from_seed(SEED, "friends.1", 1, seats=3, runs=2)
    assert list(state.board) == row[6:11].tolist()
    assert list(end.second_board) == row[11:].tolist()
    assert row[:11].tolist() == deal_from_seed(SEED, "friends.1", 1, seats=3).tolist()
    assert not state.mucked, "whoever lost the first run may win the second"
    (hand,) = hand_records([table.opened, *table.records.written])
    runs = [
        payoff_parts(replay(hand.rules, hand.holes, board, hand.actions))
        for board in (hand.board, *hand.more_boards)
    ]
    assert None not in runs
    for seat, won in enumerate(hand.payoffs):
        assert abs(2 * won - sum(parts[seat] for parts in runs if parts)) <= 1
    assert sum(hand.payoffs) == 0


def test_cards_that_lay_before_the_last_call_are_on_both_boards() -> None:
    table = Table(NAMES, names=NAMES[:2])
    end = table.all_in([Verb.CALL, Verb.CHECK])
    board = end.moment.state.board
    assert end.second_board[:3] == board[:3]
    assert not {*end.second_board[3:]} & {*board}


@pytest.mark.parametrize("wants", [(), ("ann",), ("ann", "bob")], ids=["none", "one", "two"])
def test_without_everybodys_consent_the_board_comes_once(wants: tuple[str, ...]) -> None:
    assert Table(wants).all_in().second_board == ()


def test_who_has_folded_is_not_asked() -> None:
    table = Table(("ann", "bob"))
    first = next(iter(table.told.turns.values()))
    verbs = [Verb.FOLD] if first == "cid" else []
    end = table.all_in(verbs)
    left = {end.moment.holders[seat].name for seat in end.moment.state.in_hand}
    assert bool(end.second_board) == (left <= {"ann", "bob"})


def test_a_hand_that_is_called_on_the_river_or_folded_is_not_run_again() -> None:
    checks = [Verb.CALL, Verb.CHECK, *[Verb.CHECK] * 6]
    assert Table(NAMES, names=NAMES[:2]).all_in(checks).second_board == ()
    folded = Table(NAMES, names=NAMES[:2]).all_in([Verb.ALL_IN, Verb.FOLD])
    assert folded.second_board == ()


def test_a_journal_and_its_proceedings_keep_both_boards() -> None:
    table = Table(NAMES)
    table.all_in()
    records = [table.opened, *table.records.written]
    again = RingPlay(table.opened)
    again.read(records[1:])
    assert again.hands_over[TABLE][0].second_board == table.told.ends[0].second_board
    assert [player.runs_twice for player in again.players] == [True] * 3
    (hand,) = hand_records(records)
    (copy,) = read(io.BytesIO("".join(phh(records)).encode()))
    assert isinstance(copy, HandRecord)
    assert (copy.more_boards, copy.payoffs) == (hand.more_boards, hand.payoffs)
    lines = list(log(records))
    assert sum("second run" in line for line in lines) == 1
    assert "ann would run all-ins twice" in lines


def test_only_private_tables_run_twice() -> None:
    form = RingFormat(name="ring", seats=3, buy_ins=(400, 2000))
    opened = Table(()).opened
    play = RingPlay(
        Opened(
            at=0,
            kind="ring",
            id="ring.1",
            format="ring",
            settings=format_text(form),
            commitment=opened.commitment,
            seed=opened.seed,
        )
    )
    play.attach(Records(), Told())
    play.join(Entrant(name="ann", kind=PlayerKind.BOT), 2000)
    with pytest.raises(Refused, match="private"):
        play.run_twice(0, True)
    assert play.player_info(0, 2000).runs_twice is None


def test_what_is_told_of_the_end_has_the_second_board() -> None:
    twice, once = Table(NAMES).all_in(), Table(()).all_in()
    over = told(twice, None)
    assert over is not None
    assert len(over.second_board or ()) == 5  # type: ignore[union-attr]
    assert told(once, None).second_board is None  # type: ignore[union-attr]


@given(st.lists(st.tuples(st.integers(-500, 500), st.integers(-500, 500)), min_size=2, max_size=6))
def test_two_runs_pay_out_what_was_put_in(pairs: list[tuple[int, int]]) -> None:
    first, second = ([pair[run] for pair in pairs] for run in (0, 1))
    first[0] -= sum(first)
    second[0] -= sum(second)
    paid = paid_in_two_runs(first, second)
    assert sum(paid) == 0
    for chips, once, again in zip(paid, first, second, strict=True):
        assert abs(2 * chips - once - again) <= 1


def shoves(turn: Turn, rng: Random) -> tuple[Verb, None]:
    del turn, rng
    return Verb.ALL_IN, None


async def log_of_an_all_in(folder: Path, *, wants: bool) -> tuple[list[bytes], HandOver]:
    """Return what a client was sent of a hand in which both go all-in, and its end."""
    form = RingFormat(name=f"{PRIVATE}x", seats=6, blinds=(10, 20), buy_ins=(20, 2000))
    async with hosting(folder) as house:
        table = house.open_private(form)
        ann, bob = bots(house, 2, chooses=None)
        for player in (ann, bob):
            player.send(Sit(table=table, buy_in=500))
            await player.until("snapshot")
            if wants:
                player.send(RunTwice(table=table, wants=True))
        for player in (ann, bob):
            if wants:
                await bob.until("runs_twice")
            player.chooses = shoves
            if player.turn is not None:
                turn, player.turn = player.turn, None
                player.act(Verb.ALL_IN, turn=turn.turn)
        over = await ann.until("hand_over")
        for player in (ann, bob):
            player.send(StandUp())
        await ann.until("seed")
        return b"".join(ann.stream).splitlines(keepends=True), over


def problems_of(lines: Sequence[bytes]) -> list[str]:
    (checked,) = verify(lines)
    assert checked.payouts >= 1 or checked.problems
    return checked.problems


@pytest.mark.anyio
async def test_a_client_checks_the_second_board_and_who_withholds_it_is_found_out(
    tmp_path: Path,
) -> None:
    lines, over = await log_of_an_all_in(tmp_path, wants=True)
    assert over.second_board is not None
    assert problems_of(lines) == []
    card = over.second_board[4]
    instead = next(text for text in ("2c", "3c", "4c") if text not in over.second_board)
    forged = [
        line.replace(card.encode(), instead.encode()) if b'"hand_over"' in line else line
        for line in lines
    ]
    assert any("second board" in problem for problem in problems_of(forged))


@pytest.mark.anyio
async def test_a_house_that_does_not_run_as_often_as_was_agreed_is_named(tmp_path: Path) -> None:
    once, over = await log_of_an_all_in(tmp_path / "once", wants=False)
    assert over.second_board is None
    assert problems_of(once) == []
    agreed = [line.replace(b'"runs_twice":false', b'"runs_twice":true') for line in once]
    assert agreed != once
    (problem,) = problems_of(agreed)
    assert problem.endswith("everybody left wanted to run it twice, and it was run once")

    twice, _ = await log_of_an_all_in(tmp_path / "twice", wants=True)
    refused = [
        line.replace(b'"name":"bot1","wants":true', b'"name":"bot1","wants":false')
        for line in twice
    ]
    assert refused != twice
    assert problems_of(refused)[0].endswith("it was run twice against the wish of bot1")
