"""A person's game in this process: who is told what, what is logged, and how it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.command_line import wait_for
from railbird.arena.guarded_player import DEFAULT_FAULTS, GuardedPlayer, seat_players
from railbird.arena.names import names_of
from railbird.assessment.prizes import assess_tournaments
from railbird.client.local_game import LocalGame
from railbird.client.table_model import (
    HandLog,
    LinkNews,
    LinkState,
    News,
    TableModel,
    open_hand_log,
)
from railbird.errors import BadInput
from railbird.game import Action, Betting, Call, View
from railbird.histories import HandRecord
from railbird.histories import read as read_log
from railbird.hosting.formats import Clocks, RingFormat, TournamentFormat
from railbird.protocol import following
from railbird.protocol.messages import (
    Acted,
    ActMessage,
    BuyChips,
    CardsRevealed,
    ErrorMessage,
    HandBegins,
    HandOver,
    HandView,
    Result,
    Shown,
    StandUp,
    Turn,
    Verb,
)
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import betting_tree, write_strategy
from railbird.solve.limit.strategy import uniform_strategy
from railbird.tournament import parse_schedule
from railbird.units import Seat

CLOCKS = Clocks(limit=86_400, bank=0, refill=None, lag=0)
Chooser = Callable[[Turn], ActMessage]


def ring(seats: int = 3, **options: Any) -> RingFormat:
    return RingFormat(name="play", seats=seats, buy_ins=(20, 400), clocks=CLOCKS, **options)


def calls(turn: Turn) -> ActMessage:
    return ActMessage(turn=turn.turn, action=1, verb=Verb.CALL)


def shoves(turn: Turn) -> ActMessage:
    return ActMessage(turn=turn.turn, action=1, verb=Verb.ALL_IN)


class Person:
    """Answers turns at once, keeps what it is told, and leaves after some hands."""

    def __init__(self, chooses: Chooser | None = calls, *, hands: int | None = None) -> None:
        self.chooses = chooses
        self.hands = hands
        self.buys_again = hands is not None
        self.news: list[News] = []
        self.over = threading.Event()
        self.turn = threading.Event()
        self.game: LocalGame | None = None

    def of(self, kind: type[Any]) -> list[Any]:
        return [one for one in self.news if isinstance(one, kind)]

    def hear(self, news: News) -> None:
        self.news.append(news)
        assert self.game is not None
        if isinstance(news, LinkNews) and news.state is LinkState.OVER:
            self.over.set()
        if isinstance(news, HandOver):
            if len(self.of(HandOver)) == self.hands:
                self.game.send(StandUp())
            elif self.buys_again:
                self.game.send(BuyChips(amount=400))  # refused while there are chips
        if isinstance(news, Turn):
            self.turn.set()
            if self.chooses is not None:
                self.game.send(self.chooses(news))


def seated(*specs: str, rules: Any = None) -> dict[str, GuardedPlayer]:
    names = names_of(specs)
    rules = rules or ring(len(specs) + 1).rules([400] * (len(specs) + 1))
    return dict(zip(names, seat_players(specs, names, DEFAULT_FAULTS, rules), strict=True))


def play(
    form: RingFormat | TournamentFormat,
    person: Person,
    *specs: str,
    log: HandLog | None = None,
    seed: int = 1,
    open_cards: bool = False,
) -> LocalGame:
    person.game = LocalGame(
        form, "ann", seated(*specs), seed=seed, log=log, pause=0, open_cards=open_cards
    )
    person.game.start(person.hear)
    assert person.over.wait(120)
    return person.game


def read(path: Path) -> list[HandRecord]:
    hands = list(read_log(path))
    assert all(isinstance(hand, HandRecord) for hand in hands), hands
    return hands  # type: ignore[return-value]


def test_every_hand_is_logged_as_it_was_told(tmp_path: Path) -> None:
    path, person = tmp_path / "evening.phhs", Person(hands=12)
    with open_hand_log(path) as log:
        game = play(ring(), person, "random", "always-call", log=log)
    assert game.failure is None
    hands = read(path)
    over = person.of(HandOver)
    assert len(hands) == len(over) == 12
    began = person.of(HandBegins)
    for hand, first, last in zip(hands, began, over, strict=True):
        assert [int(won) for won in hand.payoffs] == last.won
        assert hand.players == tuple(seat.name for seat in first.hand.seats)
        assert sum(hand.payoffs) == 0
        assert None not in hand.holes


def test_the_person_is_told_no_card_that_is_not_shown() -> None:
    person = Person(hands=10)
    play(ring(), person, "random", "random", seed=5)
    shown: set[tuple[int, int]] = set()
    for news in person.news:
        if isinstance(news, Shown):
            shown.add((news.hand, news.entry.seat))
        hand = news.hand if isinstance(news, HandBegins | Turn) else None
        if hand is not None:
            known = {s for s, seat in enumerate(hand.seats) if seat.cards is not None}
            assert known <= {hand.you} | {s for h, s in shown if h == hand.hand}


def test_the_fold_of_the_news_is_what_a_turn_says() -> None:
    person = Person(hands=10)
    play(ring(), person, "random", "random", seed=2)
    hand: HandView | None = None
    turns = 0
    for news in person.news:
        if isinstance(news, LinkNews):
            continue
        if isinstance(news, Turn):
            assert hand == news.hand
            turns += 1
        hand = following(hand, news)
    assert turns > 10


def test_the_same_seed_deals_the_same_cards(tmp_path: Path) -> None:
    logs = []
    for number in range(2):
        path = tmp_path / f"{number}.phhs"
        with open_hand_log(path) as log:
            play(ring(), Person(hands=5), "random", "always-call", log=log, seed=7)
        logs.append([(hand.holes, hand.board, hand.actions) for hand in read(path)])
    assert logs[0] == logs[1]
    with open_hand_log(tmp_path / "other.phhs") as log:
        play(ring(), Person(hands=5), "random", "always-call", log=log, seed=8)
    assert [hand.holes for hand in read(tmp_path / "other.phhs")] != [h[0] for h in logs[0]]


def test_everybody_is_brought_back_to_the_full_stack(tmp_path: Path) -> None:
    """So that who plays by the tree of heads-up limit may sit down, which stacks would end."""
    limit = replace(ring(2, betting=Betting.LIMIT), buy_ins=(480, 480), top_up=True)
    strategy = uniform_strategy(betting_tree(limit.rules([480, 480])), CardBlind())
    write_strategy(tmp_path / "x.strategy", strategy)
    spec = f"equilibrium:{tmp_path / 'x.strategy'}"
    (house,) = seat_players([spec], ["dan"], DEFAULT_FAULTS, limit.rules([480, 480]))
    person = Person(hands=12)
    person.buys_again = False
    person.game = game = LocalGame(limit, "ann", {"dan": house}, seed=2, pause=0)
    game.start(person.hear)
    assert person.over.wait(120)
    assert game.failure is None
    assert [tally.counts for _, tally in game.take_faults()] == [{}]
    seats = [seat for begun in person.of(HandBegins) for seat in begun.hand.seats]
    assert [seat.stack + seat.spent for seat in seats] == [480] * 24
    assert game.net


def test_leaving_at_ones_turn_folds_and_logs_the_hand(tmp_path: Path) -> None:
    path, person = tmp_path / "left.phhs", Person(None)
    with open_hand_log(path) as log:
        person.game = game = LocalGame(
            ring(), "ann", seated("always-raise", "always-call"), seed=1, log=log, pause=0
        )
        game.start(person.hear)
        assert person.turn.wait(60)
        game.close()
    assert person.over.is_set()
    (hand,) = read(path)
    assert sum(hand.payoffs) == 0


def test_a_check_that_is_not_free_is_refused() -> None:
    person = Person(lambda turn: ActMessage(turn=turn.turn, action=1, verb=Verb.CHECK))
    person.game = game = LocalGame(ring(2), "ann", seated("always-raise"), seed=1, pause=0)
    game.start(person.hear)
    try:
        wait_for(lambda: bool(person.of(ErrorMessage)))
        error, turn = person.of(ErrorMessage)[0], person.of(Turn)[-1]
        price = turn.legal.to_call
        assert error.text == f"seat {turn.hand.you} cannot check: {price} to call (preflop)"
        assert error.turn == turn.turn
        assert all(acted.entry.seat != turn.hand.you for acted in person.of(Acted))
    finally:
        game.close()


def test_whoever_has_no_chips_decides_before_the_next_hand() -> None:
    person = Person(shoves)
    person.game = game = LocalGame(
        ring(), "ann", seated("always-call", "always-call"), seed=3, pause=0
    )

    def is_broke() -> bool:
        over, began = person.of(HandOver), person.of(HandBegins)
        return bool(over) and over[-1].stacks[began[-1].hand.you] == 0

    game.start(person.hear)
    wait_for(is_broke)
    hands = len(person.of(HandBegins))
    # It takes the second request once it has nothing else to do; others would have played on.
    for _ in range(2):
        game.send(calls(person.of(Turn)[-1]))
        wait_for(game._calls.empty)
    assert len(person.of(HandBegins)) == hands, "others play on without asking"
    person.chooses = None
    person.turn.clear()
    game.send(BuyChips(amount=400))
    assert person.turn.wait(60)
    began = person.of(HandBegins)[-1].hand
    mine = began.seats[began.you]
    assert mine.stack + mine.spent == 400
    game.close()


def test_house_players_without_chips_buy_in_again() -> None:
    person = Person(shoves, hands=15)
    play(ring(), person, "always-call", "always-call", seed=4)
    assert all(len(began.hand.seats) == 3 for began in person.of(HandBegins))


def test_a_tournament_to_its_result(tmp_path: Path) -> None:
    form = TournamentFormat(
        name="play",
        seats=3,
        stack=200,
        schedule=parse_schedule("10/20x3,20/40x3"),
        payouts=(Fraction(1),),
        fee=0,
        clocks=CLOCKS,
        house_after=None,
    )
    path, person = tmp_path / "t.phhs", Person()
    with open_hand_log(path) as log:
        play(form, person, "random", "always-call", log=log)
    (result,) = person.of(Result)
    assert {place.name for place in result.places} == {"ann", "random", "always-call"}
    hands = read(path)
    chips = dict.fromkeys(hands[-1].players, 0)
    last = hands[-1]
    assert last.rules.stacks is not None
    for name, stack, won in zip(last.players, last.rules.stacks, last.payoffs, strict=True):
        chips[name] = int(stack + won)
    assert sorted(chips.values())[-1] == 600


def test_a_series_of_tournaments_is_remembered_and_assessed(tmp_path: Path) -> None:
    """Booker (2004), section 9: through all of them the house player keeps what it has seen."""
    form = TournamentFormat(
        name="play",
        seats=2,
        stack=200,
        schedule=parse_schedule("10/20x3,20/40x3"),
        payouts=(Fraction(1),),
        fee=0,
        clocks=CLOCKS,
        house_after=None,
    )
    path, person = tmp_path / "series.phhs", Person(shoves)
    house = seated("booker:4")
    booker: Any = house["booker:4"].player
    learns, known = booker.opponents.end, []

    def end(view: View) -> None:
        learns(view)
        known.append(booker.opponents[Seat(1 - view.seat)].hands)

    booker.opponents.end = end
    with open_hand_log(path) as log:
        person.game = game = LocalGame(form, "ann", house, seed=1, log=log, pause=0, count=3)
        game.start(person.hear)
        assert person.over.wait(120)
    assert game.failure is None
    assert len(person.of(Result)) == len(game.places) == 3
    assert game.series == (3, 3)
    winners = [result.places[0].name for result in person.of(Result)]
    assert [place == 1 for place in game.places] == [name == "ann" for name in winners]
    turns = [turn.turn for turn in person.of(Turn)]
    assert len(turns) == len(set(turns)), "a turn of one tournament is named like one of another"
    hands = read(path)
    assert [hand.table for hand in hands] == sorted(hand.table for hand in hands)
    assert {hand.table for hand in hands} == {"1.1", "2.1", "3.1"}
    found = assess_tournaments(hands, payouts=form.payouts)
    assert (found.tournaments, found.unfinished.count) == (3, 0)
    assert found.wins("ann").sum() == game.places.count(1)
    deals = {hand.holes for hand in hands}
    assert len(deals) == len(hands), "each tournament has cards of its own"
    assert known == list(range(1, len(hands) + 1)), "it remembers them all"


def test_open_cards_come_after_the_hand_only() -> None:
    person = Person(hands=6)
    play(ring(), person, "random", "always-call", open_cards=True)
    kinds = [type(news) for news in person.news]
    revealed = [n for n, kind in enumerate(kinds) if kind is CardsRevealed]
    assert len(revealed) == 6
    assert all(kinds[n - 1] is HandOver for n in revealed)
    closed = Person(hands=6)
    play(ring(), closed, "random", "always-call")
    assert not closed.of(CardsRevealed)


class Slow:
    """Thinks until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.asked = threading.Event()

    def reset(self, rng: np.random.Generator) -> None: ...

    def act(self, view: View) -> Action:
        self.asked.set()
        self.go.wait(120)
        return Call()


def test_nobody_waits_for_a_slow_house_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("railbird.client.local_game.CLOSE_SECONDS", 0.2)
    slow = Slow()
    person = Person()
    house = {"slow": GuardedPlayer(slow, DEFAULT_FAULTS, name="slow")}
    person.game = game = LocalGame(ring(2), "ann", house, seed=2, pause=0)
    game.start(person.hear)
    assert slow.asked.wait(60)
    game.send(StandUp())
    game.close()
    assert not person.over.is_set(), "it waited until the house player had thought"
    slow.go.set()
    assert person.over.wait(120)


class Failing:
    def reset(self, rng: np.random.Generator) -> None: ...

    def act(self, view: View) -> Action:
        raise RuntimeError("no idea")


def test_a_house_player_that_fails_checks_or_folds_and_is_reported() -> None:
    person = Person(hands=4)
    house = {"failing": GuardedPlayer(Failing(), DEFAULT_FAULTS, name="failing")}
    person.game = game = LocalGame(ring(2), "ann", house, seed=2, pause=0)
    game.start(person.hear)
    assert person.over.wait(120)
    ((name, tally),) = game.take_faults()
    assert name == "failing"
    assert sum(tally.counts.values()) >= 4
    assert game.failure is None


def test_a_full_disk_ends_the_game_with_its_reason(tmp_path: Path) -> None:
    person = Person(hands=4)
    with open_hand_log(tmp_path / "x.phhs") as log:

        def full(record: HandRecord) -> None:
            raise BadInput(f"{tmp_path / 'x.phhs'}: no space left on device")

        log.append = full  # type: ignore[method-assign]
        game = play(ring(), person, "random", "random", log=log)
    assert "no space left" in str(game.failure)
    assert not (tmp_path / "x.phhs").exists()


@contextmanager
def _written(path: Path, hands: int) -> Iterator[None]:
    with open_hand_log(path) as log:
        play(ring(), Person(hands=hands), "random", "random", log=log)
    yield


def test_a_log_is_never_overwritten_and_goes_on_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "log.phhs"
    with _written(path, 3):
        before = path.read_bytes()
        with pytest.raises(BadInput, match="exists; --append"), open_hand_log(path):
            pass
        assert path.read_bytes() == before
        path.write_bytes(before + b"[4]\nvariant = 'NT'\nantes = [0, 0")  # killed in a hand
        with open_hand_log(path, append=True) as log:
            assert log.hands == 3
            play(ring(), Person(hands=2), "random", "random", log=log, seed=9)
        assert path.read_bytes().startswith(before)
        assert len(read(path)) == 5


def test_no_other_file_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("Dear diary\n\n")
    with (
        pytest.raises(BadInput, match="is not a log of `railbird play`"),
        open_hand_log(path, append=True),
    ):
        pass
    assert path.read_text() == "Dear diary\n\n"
    empty = tmp_path / "new.phhs"
    with open_hand_log(empty):
        pass
    assert not empty.exists()


@pytest.mark.parametrize("betting", [Betting.LIMIT, Betting.POT_LIMIT])
def test_other_bettings(betting: Betting) -> None:
    person = Person(hands=4)
    play(ring(betting=betting), person, "random", "always-raise")
    assert len(person.of(HandOver)) == 4


def test_the_model_counts_what_was_won() -> None:
    person, model = Person(hands=8), TableModel()
    game = play(ring(), person, "random", "always-call", seed=6)
    model.me = "ann"
    for news in person.news:
        model.hears(news)
    won = [
        over.won[began.hand.you]
        for began, over in zip(person.of(HandBegins), person.of(HandOver), strict=True)
    ]
    assert (model.hands, model.net) == (game.hands, game.net) == (8, sum(won))
