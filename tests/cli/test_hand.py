"""``railbird hand``: a hand of any format as players read it, with sums that must agree."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from rich.cells import cell_len

from helpers.command_line import call, call_json
from railbird import arena, histories
from railbird.cards import VARIANTS, parse_cards, parse_holding
from railbird.cli import run
from railbird.game import (
    Call,
    Discard,
    Raise,
    in_variant,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
)
from railbird.histories import HandRecord, read
from railbird.report.html_page import markdown
from railbird.report.number_format import cards_text
from railbird.report.street_document import action_costs, street_document, street_json
from railbird.units import Chips

HISTORIES = Path(__file__).parents[1] / "golden" / "histories"
FORMATS = sorted(path.name for path in HISTORIES.iterdir())
SIDE_POTS = ["hand", str(HISTORIES / "stars.txt"), "--hand", "3"]


def _records(name: str) -> list[HandRecord]:
    return [hand for hand in read(HISTORIES / name) if isinstance(hand, HandRecord)]


@pytest.mark.parametrize("name", FORMATS)
def test_a_hand_of_every_format_is_shown_and_its_costs_add_up(name: str) -> None:
    records = _records(name)[:40]
    assert records or name == "kaggle_forfeit.json"
    for record in records:
        actions = list(action_costs(record))
        rules = record.rules
        antes = sum(map(min, rules.antes, rules.stacks or rules.antes)) if rules.antes else 0
        begun = actions[0].pot - actions[0].paid if actions else 0
        if rules.stacks is None and actions:
            assert begun == sum(rules.blinds) + antes
        pot = begun
        for action in actions:
            pot += action.paid
            assert action.pot == pot
            assert action.paid >= 0
        document = street_document(record)
        assert document.sections[-1].heading == "Result"
        table = document.sections[-1].table
        assert table is not None
        assert len(table.rows) == rules.seats


def test_side_pots_and_a_bet_that_nobody_called(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: antes 4, 14 of three each and 5 of the folded small blind; 45 twice beyond."""
    _, said, _ = call(capsys, *SIDE_POTS)
    assert "Main pot 51, side pot 90." in said
    assert "340 that nobody called went back to Bill." in said
    assert said.count("Pot 141.") == 3, "without what went back"
    assert "raise to 399, all-in" in said
    assert " CO " in said


def test_json_has_the_amounts_in_chips(capsys: pytest.CaptureFixture[str]) -> None:
    found = call_json(capsys, *SIDE_POTS)
    assert [action["paid"] for action in found["actions"]] == [10, 10, 0, 389, 4, 49]
    assert [action["stack"] for action in found["actions"]] == [4, 49, 84, 0, 0, 0]
    assert sum(player["won"] for player in found["players"]) == -found["rake"]


def test_the_first_hand_of_a_log_is_shown_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["hand", str(HISTORIES / "stars.txt")]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("Hand 1 (number 1876000 in the log), ")
    assert said.err == "the first hand of several; --hand 2 shows the next\n"


def test_the_numbers_in_lists_are_those_that_hand_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As those of a duplicate match, numbers repeat, and a hand that cannot be read counts, too."""
    match = arena.Match(
        players=("tight:nolimit", "random"),
        rules=pot_limit_holdem(2, blinds=(1, 2), stack=100),
        deals=40,
    )
    hands = [replace(hand, number=place // 2) for place, hand in enumerate(arena.hands(match))]
    log = tmp_path / "log.phhs"
    histories.write(hands, log)
    log.write_text("[1]\nvariant = 'NT'\nantes = 1\n\n" + log.read_text())
    names = ["stats", str(log), "--player", "random", "--hands"]
    _, said, _ = call(capsys, *names)
    rows = [line.split() for line in said.splitlines() if line.startswith(" random")]
    places = [row[1] for row in rows]
    assert len(set(places)) == len(places) > 30
    for (_, place, _, *_, won), _ in zip(rows, range(3), strict=False):
        found = call_json(capsys, "hand", str(log), "--hand", place)
        (own,) = (player for player in found["players"] if player["name"] == "random")
        assert float(own["won"]) / 2 == pytest.approx(float(won), abs=0.06)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nothing.txt"], "nothing.txt: no such file and no hand"),
        ([str(HISTORIES / "stars.txt"), "--hand", "1000"], "hand 1000; allowed: 1 to "),
        ([str(HISTORIES / "stars.txt"), "--hand", "0"], "allowed: 1 or more"),
        (["Ts6s,Jd5d SlCk/bF", "--hand", "2"], "--hand 2 needs a file"),
        (["x" * 100_000], "no such file and no hand"),
    ],
)
def test_what_is_no_hand_is_refused_in_one_line(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["hand", *args]) in (1, 2)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert len(captured.err.splitlines()) == 1


def test_a_log_without_hands_has_no_first_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "m.log"
    log.write_text("# name/game/hands/seed m holdem.limit.2p.reverse_blinds.game 2 0\n")
    assert call(capsys, "hand", str(log))[::2] == (1, f"railbird: {log}: no hand is in it\n")


def test_hostile_names_are_cut_and_made_visible(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (HISTORIES / "stars.txt").read_text().split("\n\n\n")[0]
    log = tmp_path / "log.txt"
    log.write_text(text.replace("Annie", "A\N{RIGHT-TO-LEFT OVERRIDE}" + "y" * 100) + "\n\n\n")
    _, said, _ = call(capsys, "hand", str(log))
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in said
    assert "yy…" in said
    assert max(map(cell_len, said.splitlines())) <= 80


@pytest.mark.parametrize("name", ["hands.phhs", "irc.txt", "limit.log", "six.log"])
@pytest.mark.parametrize("verb", ["hand", "stats", "ledger"])
def test_a_name_of_ten_thousand_characters_is_cut(
    name: str, verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Formats that read such a name show it cut; the others refuse the hand in one line."""
    first = _records(name)[0].players[0]
    log = tmp_path / name
    log.write_text((HISTORIES / name).read_text().replace(first, "x" * 10_000))
    run([verb, str(log)])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert max(map(len, (said.out + said.err).splitlines())) < 200


@pytest.mark.parametrize("name", ["omaha-hilo", "double-board-omaha", "courchevel", "short-deck"])
def test_hands_of_other_games_are_shown_too(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Omaha shows four cards and high and low, two boards stand beside each other."""
    rules = replace(pot_limit_holdem(2, blinds=(1, 2), stack=100), variant=VARIANTS[name])
    match = arena.Match(players=("always-call", "random"), rules=rules, deals=30, seed=3)
    hands = list(arena.hands(match))
    log = tmp_path / "log.phhs"
    histories.write(hands, log)
    number = next(n for n, hand in enumerate(hands, 1) if len(hand.board) == 5)
    code, out, _ = call(capsys, "hand", str(log), "--hand", str(number))
    assert code == 0
    assert f"Pot-limit {rules.variant.title}, blinds 1/2, 2 players." in out
    assert "Board 2:" in out if "double" in name else "Board 2:" not in out
    told = call_json(capsys, "hand", str(log), "--hand", str(number))
    assert told["game"] == name
    size = rules.variant.hand_size
    assert {len(player["cards"]) for player in told["players"]} == {2 * size}
    assert [len(board) for board in told["boards"]] == [10] * rules.variant.boards
    for record in hands:
        document = street_document(record)
        table = document.sections[-1].table
        assert table is not None
        costs = [action.paid for action in action_costs(record)]
        assert min(costs, default=0) >= 0


def test_low_hands_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    rules = replace(pot_limit_holdem(2, blinds=(1, 2), stack=100), variant=VARIANTS["omaha-hilo"])
    match = arena.Match(players=("a=always-call", "b=always-call"), rules=rules, deals=40, seed=3)
    rows = [
        row
        for hand in arena.hands(match)
        for table in [street_document(hand).sections[-1].table]
        if table is not None
        for row in table.rows
    ]
    assert any("; low, 8-" in row[2] for row in rows)
    assert any("low" not in row[2] for row in rows)


def test_what_hands_make_is_said_of_every_run() -> None:
    rules = in_variant(pot_limit_holdem(2, blinds=(1, 2), stack=6), VARIANTS["omaha-hilo"])
    record = HandRecord(
        rules=rules,
        players=("ann", "bob"),
        holes=(None, None),
        board=parse_cards("2c7d8hKdQs"),
        more_boards=(parse_cards("2c7d8h9sJc"),),
        actions=(Raise(Chips(6)), Call()),
        payoffs=(Fraction(3), Fraction(-3)),
        cards=(parse_cards("Ah3h8c8d"), parse_cards("As4sKhKc")),
    )
    result = street_document(record).sections[-1]
    assert result.words == f"Board 2: {cards_text(record.more_boards[0])}."
    assert result.table is not None
    made = [row[2].partition(" ")[2] for row in result.table.rows]
    assert [words.partition("three")[1] + words.partition("three")[2] for words in made] == [
        "three of a kind, eights with king, queen; low, 8-7-3-2-A"
        " | three of a kind, eights with jack, nine; low, 8-7-3-2-A",
        "three of a kind, kings with queen, eight; low, 8-7-4-2-A"
        " | pair, kings with jack, nine, eight; low, 8-7-4-2-A",
    ]
    holdem = replace(
        record,
        rules=pot_limit_holdem(2, blinds=(1, 2), stack=6),
        holes=tuple(map(parse_holding, ("8c8d", "KhKc"))),
        cards=(),
    )
    result = street_document(holdem).sections[-1]
    assert result.table is not None
    assert [row[2].count(" | ") for row in result.table.rows] == [1, 1]


def test_cards_that_are_thrown_away_have_signs_on_pages_and_letters_in_json() -> None:
    rules = in_variant(limit_holdem(2), VARIANTS["27-single"])
    thrown = parse_cards("Kd")
    record = HandRecord(
        rules=rules,
        players=("ann", "bob"),
        holes=(None, None),
        board=(),
        actions=(Call(), Call(), Discard(thrown), Discard(()), Call(), Call()),
        payoffs=(Fraction(10), Fraction(-10)),
        cards=(parse_cards("2c3c4c7hKd8s"), parse_cards("2h3h4h8h9s")),
    )
    words = [
        row[2]
        for section in street_document(record).sections[1:-1]
        if section.table
        for row in section.table.rows
    ]
    assert words == [
        "call 5",
        "check",
        f"draw 1 for {cards_text(thrown)}",
        "stand pat",
        "check",
        "check",
    ]
    assert street_json(record)["actions"][2]["action"] == "draw 1 for Kd"


@pytest.mark.parametrize(
    ("antes", "words"),
    [((2, 2, 2), "ante 2, 3"), ((0, 10, 0), "ante 10 in all, 3"), ((0, 0, 0), "blinds 5/10, 3")],
)
def test_antes_are_named_each_or_in_all(antes: tuple[int, int, int], words: str) -> None:
    rules = no_limit_holdem(3, blinds=(5, 10), stack=1000, ante=antes)
    match = arena.Match(players=("always-call", "random", "b=random"), rules=rules, deals=1)
    (record,) = arena.hands(match)
    assert words in markdown(street_document(record))
