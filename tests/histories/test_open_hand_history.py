"""Open Hand History: objects as programs write them, and what is wrong with others."""

from __future__ import annotations

import copy
import dataclasses
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from railbird.cards import format_holding
from railbird.game import Betting, Raise
from railbird.histories import (
    HandRecord,
    ReadOptions,
    Skipped,
    SkipReason,
    convert,
    format_named,
    read,
    write,
)
from railbird.units import Chips

Edit = Callable[[dict[str, Any]], None]


def action(player: int, kind: str, amount: float | None = None, **more: object) -> dict[str, Any]:
    done = {"player_id": player, "action": kind, **more}
    return done if amount is None else {**done, "amount": amount, "is_allin": False}


HAND: dict[str, Any] = {
    "spec_version": "1.4.7",
    "site_name": "Site",
    "network_name": "Network",
    "internal_version": "1.0.0",
    "game_number": "8599887794",
    "start_date_utc": "2020-04-07T14:32:50",
    "table_name": "Bergen",
    "game_type": "Holdem",
    "bet_limit": {"bet_type": "NL", "bet_cap": 0.00},
    "table_size": 6,
    "currency": "EUR",
    "dealer_seat": 6,
    "small_blind_amount": 0.01,
    "big_blind_amount": 0.02,
    "ante_amount": 0.00,
    "hero_player_id": 3,
    "flags": ["Fast"],
    "players": [
        {"id": 7, "seat": 1, "name": "Ann", "starting_stack": 0.80, "player_bounty": 0},
        {"id": 3, "seat": 3, "name": 'Bo {\\"', "starting_stack": 2.38, "display": "Bo"},
        {"id": 1, "seat": 5, "name": "Cy", "starting_stack": 2.00, "is_sitting_out": False},
        {"id": 9, "seat": 6, "name": "Di", "starting_stack": 1.00, "is_sitting_out": True},
    ],
    "rounds": [
        {
            "id": 0,
            "street": "Preflop",
            "cards": "",
            "actions": [
                action(7, "Post SB", 0.01),
                action(3, "Post BB", 0.02),
                action(3, "Dealt Cards", cards=["Ks", "Kh"]),
                action(1, "Raise", 0.06),
                action(7, "Fold", 0),
                action(3, "Raise", 0.18),
                action(1, "Call", 0.14),
                action(9, "Sits Down"),
            ],
        },
        {
            "id": 1,
            "street": "Flop",
            "cards": ["Qh", "Jd", "2c"],
            "actions": [
                action(3, "Bet", 0.30),
                action(1, "Raise", 1.80, is_allin=True),
                action(3, "Call", 1.50),
            ],
        },
        {"id": 2, "street": "Turn", "cards": ["2d"], "actions": []},
        {"id": 3, "street": "River", "cards": ["9s"]},
        {
            "id": 4,
            "street": "Showdown",
            "cards": None,
            "actions": [
                action(3, "Shows Cards", 0, cards=["Ks", "Kh"]),
                action(1, "Mucks Cards", cards=["Ah", "Qc"]),
                action(3, "Payout"),
            ],
        },
    ],
    "pots": [
        {
            "number": 0,
            "amount": 4.01,
            "rake": 0.18,
            "jackpot": 0.02,
            "player_wins": [{"player_id": 3, "win_amount": 3.81, "contributed_rake": 0.2}],
        }
    ],
}


def found(text: str) -> list[HandRecord | Skipped]:
    return list(format_named("ohh").read(io.StringIO(text), ReadOptions()))


def one(edit: Edit | None = None) -> HandRecord | Skipped:
    hand = copy.deepcopy(HAND)
    if edit is not None:
        edit(hand)
    (read_back,) = found(json.dumps({"ohh": hand}))
    return read_back


def test_a_hand() -> None:
    hand = one()
    assert isinstance(hand, HandRecord), hand
    assert hand.players == ("Ann", 'Bo {\\"', "Cy")
    assert (hand.rules.blinds, hand.rules.stacks) == ((1, 2, 0), (80, 238, 200))
    assert hand.actions[0] == Raise(Chips(6))
    assert hand.actions[2] == Raise(Chips(20))
    assert list(map(int, hand.payoffs)) == [-1, 181, -200]
    assert hand.rake == 20
    assert hand.denomination == Fraction(1, 100)
    assert (hand.currency, hand.number, hand.table) == ("€", 8599887794, "Bergen")
    assert hand.played_at == datetime(2020, 4, 7, 14, 32, 50, tzinfo=UTC)
    assert [hole and format_holding(hole) for hole in hand.holes] == [None, "KsKh", "AhQc"]


def test_layouts() -> None:
    """One to a line, spread over lines, in a list, with fields around, in pieces, unseparated."""
    whole = {"ohh": HAND}
    pretty = json.dumps(whole, indent=4)
    hand = one()
    for text in (
        json.dumps(whole),
        pretty,
        f"{pretty}\n\n{pretty}\n\n{json.dumps(whole)}\n",
        json.dumps([whole, whole]),
        json.dumps({"id": "a{", "_format": "ohh", **whole, "createdAt": "}"}),
        json.dumps(whole) * 3,
    ):
        assert found(text) == [hand] * text.count("8599887794")
    text = json.dumps(whole) * 2
    pieces = [text[n : n + 7] for n in range(0, len(text), 7)]
    assert list(format_named("ohh").read(pieces, ReadOptions())) == [hand, hand]


def test_a_lost_brace_or_quote_costs_no_other_hand() -> None:
    line = json.dumps({"ohh": HAND})
    pretty = json.dumps({"ohh": HAND}, indent=1)
    for broken, good in ((line, line), (pretty, pretty), (line, pretty)):
        for lost in ("}", '"', "]"):
            place = broken.rindex(lost, 0, -20)
            text = f"{good}\n\n{broken[:place]}{broken[place + 1 :]}\n\n{good}\n\n"
            first, bad, last = found(text)
            assert (first, last) == (one(), one())
            assert isinstance(bad, Skipped)
            assert bad.reason is SkipReason.UNREADABLE


def test_an_uncalled_bet_may_be_won_or_not_be_mentioned() -> None:
    def fold(hand: dict[str, Any]) -> None:
        hand["rounds"] = hand["rounds"][:2]
        hand["rounds"][1]["actions"][2] = action(3, "Fold", 0)

    def pots(amount: float, won: float) -> Edit:
        def edit(hand: dict[str, Any]) -> None:
            fold(hand)
            wins = [{"player_id": 1, "win_amount": won}]
            hand["pots"] = [{"number": 0, "amount": amount, "rake": 0.01, "player_wins": wins}]

        return edit

    without, with_it = one(pots(1.01, 1.00)), one(pots(2.51, 2.50))
    assert isinstance(without, HandRecord), without
    assert without == with_it
    assert list(map(int, without.payoffs)) == [-1, -50, 50]


def set_to(*path: object) -> Edit:
    """Set a field; the path ends with its value."""
    *steps, last, value = path

    def edit(hand: dict[str, Any]) -> None:
        place: Any = hand
        for step in steps:
            place = place[step]
        place[last] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "detail"),
    [
        (set_to("game_type", "Omaha"), "no-limit Omaha"),
        (set_to("game_type", "OmahaHiLo"), "no-limit Omaha hi-lo"),
        (set_to("game_type", "ShortDeck"), "no-limit short-deck hold'em"),
        (set_to("bet_limit", "bet_type", "SL"), "'SL'"),
        (set_to("flags", ["Run_It_Twice"]), "more than one board"),
        (set_to("rounds", 0, "actions", 7, {"action": "Add to Pot", "amount": 1}), "the house"),
        (set_to("pots", 0, "player_wins", 0, "cashout_amount", 1.5), "the house"),
        (set_to("pots", 0, "player_wins", 0, "bonus_amount", 1.5), "the house"),
    ],
)
def test_what_the_engine_does_not_play(edit: Edit, detail: str) -> None:
    hand = one(edit)
    assert isinstance(hand, Skipped)
    assert hand.reason is SkipReason.ANOTHER_GAME
    assert detail in hand.detail


@pytest.mark.parametrize(
    ("edit", "reason", "detail"),
    [
        (lambda hand: hand.pop("players"), SkipReason.UNREADABLE, "players: Field required"),
        (set_to("rounds", 0, "actions", 3, "player_id", 2), SkipReason.UNREADABLE, "the id 2"),
        (set_to("rounds", 0, "actions", 3, "action", "Jump"), SkipReason.UNREADABLE, "'Jump'"),
        (set_to("rounds", 0, "actions", 3, "amount", -1), SkipReason.UNREADABLE, "is no amount"),
        (set_to("rounds", 0, "actions", 3, "amount", "x"), SkipReason.UNREADABLE, "amount"),
        (set_to("rounds", 0, "actions", 3, "amount", True), SkipReason.UNREADABLE, "no amount"),
        (set_to("players", 0, "starting_stack", 1e-9), SkipReason.UNREADABLE, "decimals"),
        (set_to("players", 0, "starting_stack", 1e300), SkipReason.UNREADABLE, "no amount"),
        (set_to("players", 0, "seat", 3), SkipReason.SAME_NAME, "seat 3"),
        (set_to("players", 0, "name", "Cy"), SkipReason.SAME_NAME, "'Cy'"),
        (set_to("pots", 0, "rake", 0.2), SkipReason.WRONG_PAYOFF, "rake 22; 401"),
        (set_to("pots", 0, "amount", 4.02), SkipReason.WRONG_PAYOFF, "total pot 402"),
        (set_to("rounds", 1, "actions", 2, "amount", 1.4), SkipReason.ILLEGAL_ACTION, "140"),
        (set_to("rounds", 2, "cards", ["2c"]), SkipReason.DUPLICATE_CARD, "board"),
        (set_to("rounds", 2, "cards", []), SkipReason.WRONG_BOARD, "9s"),
    ],
)
def test_what_is_wrong(edit: Edit, reason: SkipReason, detail: str) -> None:
    hand = one(edit)
    assert isinstance(hand, Skipped)
    assert hand.reason is reason
    assert detail in hand.detail


@pytest.mark.parametrize(
    ("edit", "detail"),
    [
        (set_to("players", 1, "seat", 1000), "players.1.seat: Expected `int` <= 999"),
        (set_to("players", 1, "id", "x"), "players.1.id: Expected `int`, got `str`"),
        (set_to("players", 1, "name", None), "players.1.name: Expected `str`, got `null`"),
        (
            set_to("players", 1, "name", "x" * 201),
            "players.1.name: Expected `str` of length <= 200",
        ),
        (set_to("players", 1, "name", "\ud800"), "players.1.name: Expected `str`"),
        (set_to("players", 1, "id", "\ud800"), "not valid JSON: 'utf-8' codec can't encode"),
        (set_to("players", [HAND["players"][0]] * 1001), "players: Expected `array` of length <="),
        (set_to("rounds", 1, "cards", ["Ks"] * 11), "rounds.1.cards: no list of at most 10 cards"),
        (set_to("rounds", 1, "cards", {"a": 1}), "rounds.1.cards: no list of at most 10 cards"),
        (set_to("rounds", 1, "cards", [None]), "rounds.1.cards: a card that is no text"),
        (set_to("_decimals", 9), "_decimals: Expected `int` <= 8"),
        (set_to("bet_limit", {}), "bet_limit.bet_type: Field required"),
    ],
)
def test_a_field_of_another_form_is_refused_with_its_place(edit: Edit, detail: str) -> None:
    hand = one(edit)
    assert isinstance(hand, Skipped)
    assert hand.reason is SkipReason.UNREADABLE
    assert hand.detail.startswith(detail)


def test_a_number_may_be_a_text_and_a_text_a_number() -> None:
    def texts(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: texts(each) for key, each in value.items()}
        if isinstance(value, list):
            return list(map(texts, value))
        return str(value) if type(value) in (int, float) else value

    assert one(lambda hand: hand.update(texts(hand))) == one()
    assert one(set_to("game_number", 8599887794)) == one()
    named = one(set_to("players", 0, "name", 1.50))
    assert isinstance(named, HandRecord)
    assert named.players[0] == "1.5"
    assert one(set_to("dealer_seat", 6.0)) == one()
    assert one(set_to("rounds", 1, "cards", "Qh, Jd 2c")) == one()


@pytest.mark.parametrize(
    "number",
    [
        "1e99999",
        "-1e-99999",
        "9" * 100_000,
        "0." + "1" * 100_000,
        "NaN",
        "Infinity",
        "1e18",
        "-0.01",
    ],
)
def test_no_number_takes_long(number: str) -> None:
    text = json.dumps({"ohh": HAND}).replace("0.06", number)
    (hand,) = found(text)
    assert isinstance(hand, Skipped)
    assert hand.reason is SkipReason.UNREADABLE
    assert len(hand.detail) < 300


def test_nothing_is_nested_too_deeply() -> None:
    for deep in ('{"ohh":' * 100_000, '{"ohh": ' + "[" * 100_000 + "]" * 100_000 + "}"):
        hands = found(deep)
        assert all(isinstance(hand, Skipped) for hand in hands)
        assert len(hands) == 1


def test_a_hand_too_long_is_skipped_and_not_kept() -> None:
    filler = [f'"x{n}": "{"y" * 1000}",\n' for n in range(3000)]
    text = ["{", *filler, '"ohh": 1}\n', json.dumps({"ohh": HAND})]
    long, good = format_named("ohh").read(text, ReadOptions())
    assert isinstance(long, Skipped)
    assert "characters" in long.detail
    assert isinstance(good, HandRecord)


def test_limits_tournaments_and_play_money() -> None:
    def limit(hand: dict[str, Any]) -> None:
        hand["bet_limit"] = {"bet_type": "FL"}
        hand["tournament"] = True
        hand["tournament_info"] = {"type": "MTT"}
        hand["rounds"] = [hand["rounds"][0]]
        hand["rounds"][0]["actions"][3:] = [
            action(1, "Raise", 0.04), action(7, "Fold"), action(3, "Fold"),
        ]  # fmt: skip
        wins = [{"player_id": 1, "win_amount": 0.05}]
        hand["pots"] = [{"number": 0, "amount": 0.05, "rake": None, "player_wins": wins}]

    hand = one(limit)
    assert isinstance(hand, HandRecord), hand
    assert (hand.rules.betting, hand.rules.bet_sizes) == (Betting.LIMIT, (2, 2, 4, 4))
    assert (hand.currency, hand.denomination) == ("", Fraction(1, 100))
    played = one(set_to("currency", "XPM"))
    assert isinstance(played, HandRecord)
    assert played.currency == ""
    bitcoin = one(set_to("currency", "XBT"))
    assert isinstance(bitcoin, HandRecord)
    assert bitcoin.currency == "XBT"


def test_times_with_and_without_zones(tmp_path: Path) -> None:
    hand = one(set_to("start_date_utc", "2020-04-07T16:32:50.250+02:00"))
    assert isinstance(hand, HandRecord)
    assert hand.played_at == datetime(2020, 4, 7, 14, 32, 50, 250_000, tzinfo=UTC)
    for moment in (None, datetime(2020, 4, 7, 14), datetime(2020, 4, 7, 14, 1, tzinfo=UTC)):
        write([dataclasses.replace(hand, played_at=moment)], tmp_path / "a.ohh")
        (back,) = read(tmp_path / "a.ohh")
        assert isinstance(back, HandRecord)
        assert back.played_at == moment
        (tmp_path / "a.ohh").unlink()


def test_hands_of_sites_are_written_as_open_hand_history(tmp_path: Path) -> None:
    golden = Path(__file__).parents[1] / "golden" / "histories"
    for name in ("winamax.txt", "ggpoker.txt", "full_tilt.txt", "partypoker.txt", "ipoker.xml"):
        target = tmp_path / f"{name}.ohh"
        done = convert(golden / name, target)
        assert not done.skipped
        assert list(read(target)) == list(read(golden / name))
        for line in target.read_text().split("\n\n")[:-1]:
            hand = json.loads(line)["ohh"]
            assert hand["spec_version"] == "1.4.7"
            numbers = [
                done["action_number"] for street in hand["rounds"] for done in street["actions"]
            ]
            assert numbers == list(range(1, len(numbers) + 1))
