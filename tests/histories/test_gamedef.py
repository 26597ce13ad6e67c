from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from helpers.random_hands import chips
from railbird.errors import BadInput
from railbird.game import acpc_rules
from railbird.game.rules import Betting, OddChips, Rules, ShortAllIn
from railbird.histories.acpc.gamedef import (
    STANDARD_GAMES,
    betting_named,
    format_game,
    game_spec,
    parse_game,
    resolve_game,
)
from railbird.units import Chips

HEADS_UP_LIMIT = """\
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""

KUHN = """\
GAMEDEF
limit
numPlayers = 3
numRounds = 1
blind = 1 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0
stack = 2 2 2
END GAMEDEF
"""


def test_a_limit_definition_becomes_rules() -> None:
    rules = parse_game(HEADS_UP_LIMIT)
    assert rules.betting is Betting.LIMIT
    assert rules.blinds == (10, 5)
    assert rules.stacks is None
    assert rules.bet_sizes == (10, 10, 20, 20)
    assert rules.max_raises == (3, 4, 4, 4)
    assert rules.first_to_act == (1, 0, 0, 0)
    assert rules.odd_chips is OddChips.FRACTION
    assert rules.short_all_in is ShortAllIn.REOPENS
    assert format_game(rules) == HEADS_UP_LIMIT


@pytest.mark.parametrize("name", STANDARD_GAMES)
def test_standard_games_are_written_and_read_back(name: str) -> None:
    rules = STANDARD_GAMES[name]
    assert parse_game(format_game(rules)) == rules
    assert game_spec(rules) == name
    assert resolve_game(name) == rules
    assert resolve_game(f"some/folder/{name}") == rules


def test_standard_games_are_those_that_the_dealer_comes_with(shared_data: Path) -> None:
    """Oracle: the definitions of project_acpc_server, byte for byte."""
    files = sorted((shared_data / "gamedefs").glob("holdem.*.game"))
    assert len(files) == 5
    for file in files:
        assert format_game(STANDARD_GAMES[file.name]) == file.read_text()
        assert resolve_game(str(file)) == STANDARD_GAMES[file.name]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("GAMEDEF\nlimit", "# our game\n\nGameDef\n  LIMIT"),
        ("blind = 10 5", "blind 10 5"),
        ("numRounds = 4", "NUMROUNDS=4   "),
    ],
)
def test_layout_is_forgiven(old: str, new: str) -> None:
    assert parse_game(HEADS_UP_LIMIT.replace(old, new)) == parse_game(HEADS_UP_LIMIT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no line GAMEDEF"),
        (KUHN, "not hold'em: numRounds is 1, hold'em has 4"),
        (HEADS_UP_LIMIT.replace("numHoleCards = 2", "numHoleCards = 4"), "numHoleCards is 4"),
        (HEADS_UP_LIMIT.replace("numSuits = 4\n", ""), "numSuits is missing"),
        (HEADS_UP_LIMIT.replace("limit\n", ""), "neither"),
        (HEADS_UP_LIMIT.replace("numPlayers = 2\n", ""), "numPlayers must be one number"),
        (HEADS_UP_LIMIT.replace("blind = 10 5", "blind = 10"), "blind must be 2 numbers, not 1"),
        (HEADS_UP_LIMIT.replace("blind = 10 5", "blind = 10 x"), "line 5"),
        (HEADS_UP_LIMIT.replace("numRanks = 13", "speed = 13"), "line 10"),
        (HEADS_UP_LIMIT.replace("raiseSize = 10 10 20 20\n", ""), "raiseSize must be 4"),
    ],
)
def test_other_text_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=f"^my.game.*{message}") as caught:
        parse_game(text, name="my.game")
    assert "\n" not in str(caught.value)


def test_changes_to_a_standard_game() -> None:
    spec = "holdem.nolimit.6p.game,stack=10000"
    rules = resolve_game(spec)
    assert rules.stacks == (10_000,) * 6
    assert rules.blinds == (50, 100, 0, 0, 0, 0)
    assert game_spec(rules) == spec


def test_changed_blinds_change_the_smallest_bet() -> None:
    rules = resolve_game("holdem.nolimit.2p.reverse_blinds.game,blind=2/1,stack=400/300")
    assert rules.bet_sizes == (2, 2, 2, 2)
    assert rules.stacks == (400, 300)


def test_changes_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.game"
    path.write_text(HEADS_UP_LIMIT)
    assert resolve_game(f"{path},maxRaises=1").max_raises == (1, 1, 1, 1)
    assert resolve_game("ours.game", beside=tmp_path) == parse_game(HEADS_UP_LIMIT)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("holdem.limit.11p.game", "no game 'holdem.limit.11p.game'"),
        ("", "no game ''"),
        ("holdem.limit.3p.game,ante=1", "'ante=1' is no change"),
        ("holdem.limit.3p.game,stack", "'stack' is no change"),
        ("holdem.limit.3p.game,numPlayers=4", "'numPlayers=4' is no change"),
        ("holdem.nolimit.3p.game,stack=1/2", "stack must be 3 numbers, not 2"),
    ],
)
def test_a_spec_that_cannot_be_used(spec: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        resolve_game(spec)
    assert "\n" not in str(caught.value)


def test_what_a_definition_cannot_say() -> None:
    rules = STANDARD_GAMES["holdem.nolimit.2p.reverse_blinds.game"]
    foreign: list[Rules] = [
        dataclasses.replace(rules, betting=Betting.POT_LIMIT),
        dataclasses.replace(rules, antes=chips([1, 1])),
        dataclasses.replace(rules, bet_sizes=(Chips(50),) * 4),
    ]
    for other in foreign:
        with pytest.raises(BadInput, match="cannot say"):
            format_game(other)


def test_settlement_is_the_dealers_own_when_read_back() -> None:
    ours = dataclasses.replace(
        STANDARD_GAMES["holdem.limit.3p.game"],
        odd_chips=OddChips.FIRST_LEFT,
        short_all_in=ShortAllIn.CLOSED,
    )
    assert parse_game(format_game(ours)) == acpc_rules(ours) != ours


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("limit", "holdem.limit.2p.reverse_blinds.game"),
        ("Fixed Limit", "holdem.limit.2p.reverse_blinds.game"),
        ("holdem.limit", "holdem.limit.2p.reverse_blinds.game"),
        ("nolimit", "holdem.nolimit.2p.reverse_blinds.game"),
        ("no-limit", "holdem.nolimit.2p.reverse_blinds.game"),
        ("No_Limit.6p", "holdem.nolimit.6p.game"),
        ("holdem-no-limit-3p", "holdem.nolimit.3p.game"),
        ("Hold'em NL", "holdem.nolimit.2p.reverse_blinds.game"),
        ("holdem.no-limit.2p.reverse_blinds.game", "holdem.nolimit.2p.reverse_blinds.game"),
        ("some/folder/HOLDEM.LIMIT.3P.GAME", "holdem.limit.3p.game"),
    ],
)
def test_a_game_may_be_spelt_in_any_way(spec: str, name: str) -> None:
    assert resolve_game(spec) == STANDARD_GAMES[name]
    stacks = resolve_game(f"{spec},stack=900").stacks
    assert stacks == (900,) * STANDARD_GAMES[name].seats


def test_seats_are_those_of_the_name_or_the_given_ones() -> None:
    assert resolve_game("nolimit", seats=5) == STANDARD_GAMES["holdem.nolimit.5p.game"]
    assert resolve_game("nolimit.3p", seats=5) == STANDARD_GAMES["holdem.nolimit.3p.game"]


@pytest.mark.parametrize(
    "spec",
    [
        "holdem.limit.2p.game",
        "holdem.limit.3p.reverse_blinds.game",
        "potlimit",
        "holdem",
        "limit.99p",
    ],
)
def test_games_that_the_acpc_does_not_have(spec: str) -> None:
    with pytest.raises(BadInput, match="no game"):
        resolve_game(spec)


@pytest.mark.parametrize(
    ("text", "betting"),
    [
        ("limit", Betting.LIMIT),
        ("Fixed Limit", Betting.LIMIT),
        ("NL", Betting.NO_LIMIT),
        ("pot_limit", Betting.POT_LIMIT),
        ("spread limit", Betting.SPREAD_LIMIT),
        ("", None),
    ],
)
def test_words_for_the_betting(text: str, betting: Betting | None) -> None:
    assert betting_named(text) is betting
