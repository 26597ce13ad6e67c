"""House players: whom they know again, and what they are told."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from msgspec import convert
from numpy.random import Generator

from helpers.hosted import PATIENCE_S, KeptResults, Player, bots, hosting
from railbird.errors import BadInput
from railbird.game import HEADS_UP_LIMIT, Action, Betting, Call, Event, View
from railbird.hosting.formats import RingFormat, TournamentFormat, ring_format
from railbird.hosting.house_game import hand_records
from railbird.hosting.house_seats import HousePlayers, shown_name, vexbots_in, why_unseatable
from railbird.hosting.journal import read_journal
from railbird.hosting.ladder import BY_NAME
from railbird.protocol import Identity
from railbird.protocol.messages import BuyChips, Practise, Sit, StandUp, Turn, Verb
from railbird.solve.abstraction import CardBlind
from railbird.solve.limit import betting_tree, write_strategy
from railbird.solve.limit.solving import strategy_path
from railbird.solve.limit.strategy import uniform_strategy
from railbird.solve.nolimit.settings import BlueprintSize
from railbird.solve.nolimit.solving import solve_nolimit
from railbird.tournament.schedule import hand_rules

pytestmark = pytest.mark.anyio

DUEL = TournamentFormat(name="duel", seats=2, house_after=0.0, house=("always-call",))


class Told:
    """Keeps what it is told, and calls."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.people: list[tuple[int, ...]] = []
        self.heard: list[str] = []
        self.begun = 0
        self.actions = 0

    def reset(self, rng: Generator) -> None:
        del rng

    def introduce(self, names: tuple[str, ...]) -> None:
        self.names = names

    def meet(self, people: tuple[int, ...]) -> None:
        self.people.append(people)

    def begin(self, view: View) -> None:
        self.begun += 1
        self.heard.append("begin")

    def observe(self, view: View, event: Event) -> None:
        assert self.begun
        self.heard.append(type(event).__name__)

    def end(self, view: View) -> None:
        self.heard.append("end")

    def act(self, view: View) -> Action:
        assert self.begun, "asked about a hand that it was not told of"
        self.actions += 1
        return Call()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Told]:
    found: list[Told] = []

    def make(spec: str) -> Told:
        found.append(Told())
        return found[-1]

    monkeypatch.setattr("railbird.hosting.house_seats.make_player", make)
    return found


def house_seats_passive(turn: Turn, rng: Random) -> tuple[Verb, None]:
    return Verb.CALL, None


async def test_house_players_know_people_by_their_names(tmp_path: Path, made: list[Told]) -> None:
    async with hosting(tmp_path) as house:
        ann = Player(house, Identity("ann"), chooses=house_seats_passive)
        ann.send(Practise(opponents=["always-call"], stack=4000, big_blind=20))
        await ann.until("hand", 4)
    (player,) = [one for one in made if one.begun]
    assert sorted(player.names) == ["ann", "house:always-call"]
    assert len(player.people) >= 4
    ours = player.names.index("ann")
    assert {people.index(ours) for people in player.people} == {0, 1}  # in either seat
    assert player.heard.count("begin") == player.heard.count("end") + 1


async def test_a_house_player_has_seen_what_was_played_before_a_restart(
    tmp_path: Path, made: list[Told]
) -> None:
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann"), chooses=house_seats_passive)
        ann.queue("duel")
        await ann.until("hand_over", 3)
        ann.chooses = None
    ended = len(ann.of("hand_over"))
    made.clear()
    async with hosting(tmp_path, DUEL) as house:
        ann = Player(house, Identity("ann"), chooses=house_seats_passive)
        await ann.until("hand_over", 2)
    (player,) = [one for one in made if one.begun]
    assert player.heard[0] == "begin"
    assert player.heard.count("end") >= ended + 2 >= 5
    assert "ann" in player.names


# Players of the betting tree at practice tables and in ring games: offered, refused, restarted.


LIMIT = {"betting": "limit", "stack": 480, "big_blind": 20, "top_up": True}


class Calls:
    """Stands for a player that takes long to make."""

    def reset(self, rng: object) -> None:
        """Forget nothing."""

    def act(self, view: View) -> Action:
        del view
        return Call()


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "railbird.hosting.house_seats.make_player", lambda spec: Calls() if spec else None
    )


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("railbird._paths.cache_folder", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def strategy(tmp_path: Path) -> str:
    """The spec of a strategy that draws every action as often."""
    path = tmp_path / "mine.strategy"
    write_strategy(path, uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind()))
    return f"equilibrium:{path}"


def house_players_passive(turn: Turn, rng: Random) -> tuple[Verb, None]:
    del turn, rng
    return Verb.CALL, None


def practise(*opponents: str, **changed: object) -> Practise:
    return convert({"type": "practise", "opponents": list(opponents), **LIMIT, **changed}, Practise)


async def refusal(player: Player, message: Practise) -> tuple[str, str]:
    count = len(player.of("error"))
    player.send(message)
    error = await player.until("error", count + 1)
    return error.code, error.text


def test_a_blueprint_sits_where_two_play_no_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mine.strategy"
    solve_nolimit(path, BlueprintSize("opens = a; bets = a", (169, 1, 1, 1), 200), stacks=(30,))
    kept = tmp_path / "nolimit-small.strategy"
    monkeypatch.setattr("railbird.hosting.house_seats.nolimit_path", lambda size: kept)
    known, name = HousePlayers(), "equilibrium:nolimit"
    assert name not in known.offered()
    with pytest.raises(BadInput, match="railbird solve nolimit --size small does"):
        known.spec_of(name)
    six = hand_rules(Betting.NO_LIMIT, blinds=(10, 20), ante=0, stacks=[2000] * 6)
    assert "railbird solve nolimit --size small does" in str(
        why_unseatable(BY_NAME["Ada"].spec, six)
    )
    assert "Ada" not in known.offered()
    kept.write_bytes(path.read_bytes())
    assert known.offered()[name] == name
    assert known.spec_of("Ada") == BY_NAME["Ada"].spec
    mine = f"equilibrium:{path}"
    assert HousePlayers([mine]).spec_of("equilibrium:mine.strategy") == mine
    for stacks, words in (((150, 90), "None"), ((150, 90, 80), "heads-up no-limit")):
        rules = hand_rules(Betting.NO_LIMIT, blinds=(10, 20), ante=0, stacks=stacks)
        assert words in str(why_unseatable(mine, rules))
    limit = hand_rules(Betting.LIMIT, blinds=(10, 20), ante=0, stacks=(480, 480))
    assert "heads-up no-limit" in str(why_unseatable(mine, limit))


def test_what_is_offered_is_what_has_been_solved(empty_cache: Path) -> None:
    known = HousePlayers()
    assert not any("equilibrium" in name for name in known.offered())
    assert "vexbot" in known.offered()
    with pytest.raises(BadInput, match="railbird solve limit --size small does"):
        known.spec_of("equilibrium:small")
    path = strategy_path("small")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a strategy")
    assert "equilibrium:small" not in known.offered()
    path.unlink()
    write_strategy(path, uniform_strategy(betting_tree(HEADS_UP_LIMIT), CardBlind()))
    offered = known.offered()
    assert offered["equilibrium:small"] == "equilibrium:small"
    assert "coach:vexbot+equilibrium:small" in offered
    assert "equilibrium:medium" not in offered


def test_an_operator_adds_a_file_whose_folder_nobody_is_told(strategy: str) -> None:
    known = HousePlayers([strategy, f"coach:vexbot+{strategy}"])
    assert known.spec_of("equilibrium:mine.strategy") == strategy
    assert "coach:vexbot+equilibrium:mine.strategy" in known.offered()
    assert not any("/" in name for name in known.offered())
    for other in (strategy, "equilibrium:/etc/passwd", "equilibrium:blind", "coach:a+b"):
        with pytest.raises(BadInput, match="is no house player"):
            known.spec_of(other)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("bot:rm -rf /", "and no programs"),
        ("coach:vexbot+python:os:x", "and no programs"),
        ("loki:som", "allowed: coach, equilibrium, vexbot"),
        ("equilibrium:medium", "railbird solve limit --size medium does"),
        ("coach:vexbot+equilibrium:medium", "railbird solve limit --size medium does"),
        ("equilibrium:/no/such.strategy", "no such file"),
        ("vexbot:foo", "allowed: miximax, miximix"),
        ("coach:vexbot", "two or more players"),
    ],
)
def test_what_an_operator_cannot_add_is_told_in_a_line(
    spec: str, says: str, empty_cache: Path
) -> None:
    with pytest.raises(BadInput, match=r".") as told:
        HousePlayers([spec])
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_two_files_of_one_name_are_refused(strategy: str) -> None:
    with pytest.raises(BadInput, match="different names of files"):
        HousePlayers([strategy, strategy])


def test_names_and_vexbots_of_specs() -> None:
    assert shown_name("equilibrium:C:\\x\\y.strategy,resolve=turn") == (
        "equilibrium:y.strategy,resolve=turn"
    )
    assert shown_name("loki:som") == "loki:som"
    assert vexbots_in("coach:vexbot+vexbot:miximix+loki") == 2


def test_a_player_of_the_tree_is_refused_by_rules_alone(empty_cache: Path) -> None:
    """Without being made: that would solve it."""
    limit = hand_rules(Betting.LIMIT, blinds=(10, 20), ante=0, stacks=[480, 480])
    assert why_unseatable("vexbot", limit, top_up=True) is None
    assert "filled up before each hand" in str(why_unseatable("vexbot", limit))
    assert "railbird solve limit" in str(why_unseatable("equilibrium:small", limit, top_up=True))
    assert not empty_cache.exists()


async def test_stacks_are_filled_up_before_each_hand(tmp_path: Path, strategy: str) -> None:
    async with hosting(tmp_path, more_house=(strategy,)) as house:
        ann = Player(house, Identity("ann"))
        ann.send(practise("equilibrium:mine.strategy"))
        await ann.until("hand_over", 12)
        ann.send(BuyChips(amount=20))
        assert "filled up" in (await ann.until("error")).text
        ann.chooses = None
        ann.send(StandUp())
        report = await ann.until("session_report")
    begun = [[seat.stack + seat.spent for seat in one.hand.seats] for one in ann.of("hand")]
    assert begun == [[480, 480]] * len(begun)
    (path,) = tmp_path.glob("practice/ann/*")
    records = read_journal(path)
    hands = list(hand_records(records))
    assert {hand.rules.stacks for hand in hands} == {(480, 480)}
    won = [hand.payoffs[hand.players.index("ann")] for hand in hands]
    assert report.won == sum(won)
    assert any(won), "the cards are drawn anew each time, and the sum may be nothing"
    assert report.hands == len(hands) >= 12


async def test_what_players_of_the_tree_cannot_play_is_refused(
    tmp_path: Path, strategy: str, empty_cache: Path
) -> None:
    name = "equilibrium:mine.strategy"
    async with hosting(tmp_path, more_house=(strategy,)) as house:
        ann = Player(house, Identity("ann"))
        for message in (
            practise(name, betting="no-limit"),
            practise(name, top_up=False),
            practise(name, stack=460),
            practise(name, big_blind=5),
            practise(name, name),
            practise("vexbot", betting="pot-limit"),
        ):
            code, text = await refusal(ann, message)
            assert code == "no_such_player"
            assert "plays limit against one opponent" in text
            assert str(tmp_path) not in text
        code, text = await refusal(ann, practise("equilibrium:small"))
        assert (code, text) == (
            "no_such_player",
            "equilibrium:small has not been solved on this machine; "
            "railbird solve limit --size small does",
        )
        for other in ("equilibrium:/etc/passwd", "equilibrium:blind", "vexbot,kept=0.5"):
            assert "is no house player" in (await refusal(ann, practise(other)))[1]
        assert not house.tasks
    assert not (empty_cache / "strategies").exists()


async def test_only_so_many_vexbots_play_at_once(
    tmp_path: Path, light: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("railbird.hosting.house.MOST_VEXBOTS", 2)
    async with hosting(tmp_path) as house:
        players = [Player(house, Identity(f"p{n}"), chooses=None) for n in range(3)]
        for player in players:
            player.send(practise("vexbot"))  # before any of them has sat down
        await players[0].until("hand")
        await players[1].until("hand")
        error = await players[2].until("error")
        code, text = error.code, error.text
        assert (code, text) == ("busy", "2 Vexbots play here now, of 2 at most; try again later")
        players[2].send(practise("always-call"))  # others are welcome
        await players[2].until("hand")
        players[2].send(StandUp())
        players[0].send(StandUp())
        await players[0].until("left")
        await players[2].until("left")
        async with asyncio.timeout(PATIENCE_S):
            while len(house.tasks) > 1:
                await asyncio.sleep(0.005)
        players[2].send(practise("vexbot"))
        await players[2].until("hand", 2)


def ring_with(spec: str) -> RingFormat:
    return RingFormat(
        name="theory",
        betting=Betting.LIMIT,
        seats=2,
        buy_ins=(480, 480),
        top_up=True,
        house=(spec,),
    )


async def test_a_house_player_sits_as_long_as_anybody_does(tmp_path: Path, strategy: str) -> None:
    results = KeptResults()
    form = ring_with(strategy)
    async with hosting(tmp_path, rings=(form,), results=results) as house:
        (bot,) = bots(house, 1)
        assert not house.tasks["theory.1"].play.still_in
        bot.send(Sit(table="theory.1", buy_in=480))
        await bot.until("hand_over", 5)
    # The server has stopped in the middle, and goes on.
    async with hosting(tmp_path, rings=(form,), results=results) as house:
        (bot,) = bots(house, 1)
        await bot.until("hand_over", 5)
        bot.send(StandUp())
        assert (await bot.until("session_report")).hands >= 10
        await bot.until("left")
        async with asyncio.timeout(PATIENCE_S):
            while "theory.2" not in house.tasks:
                await asyncio.sleep(0.005)
        assert not house.tasks["theory.2"].play.still_in
        await house.outbox.flushed()
    names = {
        hand.players for hand in hand_records(read_journal(tmp_path / "done/theory.1.journal"))
    }
    assert {frozenset(each) for each in names} == {
        frozenset(("bot0", "house:equilibrium:mine.strategy"))
    }
    by_name = {session.player.name: session for session in results.sessions}
    assert by_name["bot0"].won == -sum(s.won for n, s in by_name.items() if n != "bot0")


def test_stacks_and_house_players_of_ring_games_are_checked(strategy: str) -> None:
    assert ring_format('{"name": "old"}').top_up is False
    for changed, says in (
        ({"buy_ins": (400, 480)}, "allowed: one stack"),
        ({"top_up": False}, "where stacks are filled up"),
        ({"house": (strategy, strategy)}, "a seat is left"),
    ):
        with pytest.raises(BadInput, match=says):
            replace(ring_with(strategy), **changed)
