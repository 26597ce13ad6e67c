"""Cards that are shown by choice once a hand is over."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any

import pytest

from helpers.hosted import (
    PATIENCE_S,
    SEED,
    Listening,
    ManualTime,
    Player,
    Records,
    bots,
    hosting,
)
from railbird.assessment.player_statistics import Statistic, statistics_of
from railbird.histories import HandRecord, read
from railbird.histories.columns import batch_of
from railbird.hosting.deck import commitment
from railbird.hosting.formats import RingFormat, TournamentFormat, format_text
from railbird.hosting.house_game import hand_records, log, phh
from railbird.hosting.house_seats import HouseSeat
from railbird.hosting.journal import CardsShown, Entrant, Opened
from railbird.hosting.ring_play import TABLE, RingPlay
from railbird.hosting.settings import STUDY_SECONDS
from railbird.players.booker import LearningBooker
from railbird.protocol.identity import PlayerKind
from railbird.protocol.messages import ActMessage, ShowCards, Sit, Verb
from railbird.protocol.messages import Showed as ShowedMessage
from railbird.protocol.redaction import (
    HandEnd,
    HandStart,
    HandStep,
    ShownByChoice,
    TableEvent,
    told,
)
from railbird.units import Seat

NAMES = ("ann", "bob", "cid")


class Told(Listening):
    """Keeps every event, too."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[TableEvent] = []

    def tell(self, table: int, event: TableEvent) -> None:
        super().tell(table, event)
        self.events.append(event)

    def is_over(self, hand: int) -> bool:
        ends = (one.moment.hand for one in self.events if isinstance(one, HandEnd))
        return hand in ends

    def messages(self, viewer: str | None) -> list[Any]:
        return [message for one in self.events if (message := told(one, viewer)) is not None]


class Table:
    """A ring table of three on a clock that stands still."""

    def __init__(self, kind: str = "ring") -> None:
        form = RingFormat(name="ring", seats=3, buy_ins=(400, 2000), practice=kind == "practice")
        self.opened = Opened(
            at=0,
            kind="ring" if kind == "ring" else "practice",
            id="ring.1",
            format="ring",
            settings=format_text(form),
            commitment=commitment(SEED),
            seed=SEED.hex(),
        )
        self.clock = ManualTime()
        self.play = RingPlay(self.opened, self.clock.time)
        self.records, self.told = Records(), Told()
        self.play.attach(self.records, self.told)
        for name in NAMES:
            self.play.join(Entrant(name=name, kind=PlayerKind.BOT), 2000)
        self.play.advance()

    def until_over(self, hand: int, verb: Verb = Verb.FOLD) -> None:
        """Everybody does the same until a hand is over; the next is dealt at once."""
        while not self.told.is_over(hand):
            turn, name = self.told.turns.popitem()
            message = ActMessage(turn=turn, action=1, verb=verb)
            assert self.play.act(NAMES.index(name), message) is None
        while self.play.has_more:
            self.play.advance()

    def show(self, name: str, hand: int) -> str:
        """Show somebody's cards; return the code of the refusal."""
        message = ShowCards(table="ring.1", hand=hand)
        refused = self.play.show(NAMES.index(name), message)
        return "" if refused is None else refused.code.value


def test_folded_cards_and_those_that_won_without_a_call_are_shown_to_everybody() -> None:
    table = Table()
    table.until_over(1)
    over = next(one for one in table.told.messages(None) if one.type == "hand_over")
    assert over.show_ms == 30_000
    winner = next(seat for seat, won in enumerate(over.won) if won > 0)
    start = next(one for one in table.told.events if isinstance(one, HandStart))
    names = [holder.name for holder in start.moment.holders]
    folded = names[(winner + 1) % 3]
    for name in (names[winner], folded):
        assert table.show(name, 1) == ""
    for viewer in (None, *NAMES):
        shown = [one for one in table.told.messages(viewer) if isinstance(one, ShowedMessage)]
        assert [one.name for one in shown] == [names[winner], folded]
        for one in shown:
            own = next(m for m in table.told.messages(one.name) if m.type == "hand")
            assert own.hand.seats[one.seat].cards == one.cards
    assert table.show(folded, 1) == "unexpected", "twice"


def test_whoever_says_nothing_has_mucked() -> None:
    table = Table()
    table.until_over(1)
    assert not [one for one in table.told.messages(None) if one.type in ("showed", "shown")]
    assert not [one for one in table.records.written if isinstance(one, CardsShown)]


def test_cards_can_be_shown_for_half_a_minute_and_the_next_hand_does_not_wait() -> None:
    table = Table()
    table.until_over(1)
    assert table.play.hands[TABLE].number == 2, "the next hand has begun"
    table.clock.now += 29.9
    assert table.show("ann", 1) == ""
    table.clock.now += 0.2
    assert table.show("bob", 1) == "stale"
    assert table.show("bob", 2) == "stale", "its hand goes on"
    assert table.show("bob", 7) == "stale"


def test_what_was_shown_in_the_showdown_is_not_shown_again_and_practice_shows_by_choice() -> None:
    table = Table()
    table.until_over(1, Verb.CALL)
    shown = [one for one in table.told.messages(None) if one.type == "shown"]
    assert shown
    start = next(one for one in table.told.events if isinstance(one, HandStart))
    assert table.show(start.moment.holders[shown[0].entry.seat].name, 1) == "unexpected"
    practice = Table("practice")
    practice.until_over(1)
    over = next(one for one in practice.told.messages(None) if one.type == "hand_over")
    assert over.show_ms == 1000 * STUDY_SECONDS
    assert practice.show("ann", 1) == "", "the house players have not seen them"
    assert any(isinstance(one, ShowedMessage) for one in practice.told.messages("bob"))


def test_a_journal_keeps_what_was_shown_and_its_proceedings_tell_it() -> None:
    table = Table()
    table.until_over(1)
    table.show("bob", 1)
    records = [table.opened, *table.records.written]
    again = RingPlay(table.opened)
    again.read(records[1:])
    assert again.hands_over[TABLE][0].shown_by_choice == {
        Seat(again.hands_over[TABLE][0].players.index(1))
    }
    (hand,) = hand_records(records)  # the game goes on: all that was not shown is hidden
    known = [name for name, two in zip(hand.players, hand.holes, strict=True) if two is not None]
    assert known == ["bob"]
    assert hand.shown_by_choice[hand.players.index("bob")]
    assert hand.shown_by_choice.count(False) == 2
    (copy,) = read(io.BytesIO("".join(phh(records)).encode()))
    assert isinstance(copy, HandRecord)
    assert copy.shown_by_choice == hand.shown_by_choice
    counted = statistics_of([batch_of([copy])])
    shares = {name: of.shares[Statistic.SHOWN_BY_CHOICE] for name, of in counted.items()}
    assert {name: (share.value, share.n) for name, share in shares.items()} == {
        "ann": (0.0, 1),
        "bob": (1.0, 1),
        "cid": (0.0, 1),
    }
    assert any(line.startswith("bob shows ") for line in log(records))


def test_learners_count_what_is_shown_by_choice_and_learn_nothing_else_from_it() -> None:
    counts = {}
    for shows in (False, True):
        table = Table()
        for hand in (1, 2, 3):
            table.until_over(hand)
            if shows:
                table.show("bob", hand)
        seat = HouseSeat("booker:4", 1)
        for event in table.told.events:
            if isinstance(event, HandStart | HandStep | HandEnd | ShownByChoice):
                names = [holder.name for holder in event.moment.holders]
                seat.happened(event, Seat(names.index("ann")))
        learner = seat._player
        assert isinstance(learner, LearningBooker)
        bob = learner.opponents._met[seat._met["bob"]]
        counts[shows] = bob.as_record()
    assert counts[True].pop("shown_freely") == 3
    assert counts[False].pop("shown_freely") == 0
    assert counts[True] == counts[False]


@pytest.mark.anyio
async def test_a_client_shows_its_cards_and_others_see_them(tmp_path: Path) -> None:
    form = RingFormat(name="small", seats=4)
    async with hosting(tmp_path, rings=(form,)) as house:
        ann, bob = bots(house, 2, chooses=None)
        for player in (ann, bob):
            player.send(Sit(table="small.1", buy_in=1000))
        async with asyncio.timeout(PATIENCE_S):
            while (actor := ann if ann.turn else bob).turn is None:
                await asyncio.sleep(0.005)
        actor.act(Verb.FOLD)
        over = await ann.until("hand_over")
        ann.send(ShowCards(table="small.1", hand=over.hand))
        shown = await bob.until("showed")
        assert (shown.name, shown.hand) == ("bot0", over.hand)
    async with hosting(tmp_path / "2", TournamentFormat(name="duel", seats=2)) as house:
        rail = Player(house, ann.identity, chooses=None)
        rail.send(ShowCards(table="small.1", hand=1))
        assert (await rail.until("error")).code == "not_seated"
