"""``railbird blackjack assess`` and ``match``: rounds judged by skill."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from railbird.cli import _blackjack_tables as tables
from railbird.cli._blackjack_options import penetration_option, rules_of, rules_options
from railbird.cli._completion import INPUT_FILE
from railbird.cli._console import (
    errors,
    json_option,
    output,
    print_json,
    print_table,
    progress,
    seed_option,
)
from railbird.cli._file_checks import check_inputs
from railbird.errors import NothingUsable
from railbird.report.toolkit.number_format import counted, signed

if TYPE_CHECKING:
    from railbird.blackjack.score.assessment import Assessment


@click.command()
@click.argument("file", type=INPUT_FILE)
@rules_options
@click.option("--baseline", default="optimal", show_default=True, help="Strategy, as a seat's.")
@json_option
def assess(*, file: Path, rules: str, decks: str | None, baseline: str, as_json: bool) -> None:
    """Score the rounds of a CSV file: what the decisions cost, and what the cards gave.

    The column round has a text such as "45v7 dT|T": a 4 and a 5 against a 7, doubled with a ten;
    the dealer turns up a ten. Letters: h hit, s stand, d double, p split, r surrender, i insurance;
    o and x come before the cards that other players are dealt and that they draw.
    Optional columns: wager, player, and shoe, the cards before the deal. The exit code is 1 if no
    row is usable.

    \b
    Example:
      railbird blackjack assess rounds.csv --decks 6 --rules S17
    """
    from railbird.blackjack.play.seat_text import parse_strategy
    from railbird.blackjack.score import assessment
    from railbird.blackjack.score.round_file import read_rounds

    chosen = rules_of(rules, decks)
    check_inputs([file])
    with progress() as tell:
        base = parse_strategy(baseline, chosen)
        try:
            with click.open_file(str(file), encoding="utf-8-sig", errors="replace") as lines:
                read = read_rounds(lines, chosen)
        except NothingUsable as problem:
            raise NothingUsable(f"{file}: {problem}") from None
        values = assessment.baseline_of(base)
        players = [
            (
                name,
                assessment.assess(
                    assessment.score_rounds(values, of.tokens, of.before, progress=tell), of.wagers
                ),
            )
            for name, of in read.players.items()
        ]
    if as_json:
        print_json(
            {
                "rules": chosen.text(),
                "baseline": base.name,
                "players": {name: _assessed(found) for name, found in players},
                "skipped": dict(read.skipped),
            }
        )
    else:
        if players:
            print_table(tables.assessment_table(players))
            output.print("money and skill in wagers' units a round")
        for name, found in players:
            if found.skill.enough:
                by_skill, by_money = found.rounds_by_skill, found.rounds_by_money
                output.print(
                    f"{name}: it takes {tables.needed(by_skill)} like these to see the skill,"
                    f" {tables.needed(by_money)} to see it in the money"
                )
        for reason, times in read.skipped.items():
            line = read.first_line[reason]
            errors.print(f"skipped {counted(times, 'row')}, the first in line {line}: {reason}")
    if not players:
        raise NothingUsable(f"{file}: no round that can be scored")


def _assessed(found: Assessment) -> dict[str, object]:
    return {field.name: getattr(found, field.name) for field in fields(found)}


@click.command()
@click.argument("seats", nargs=2, metavar="SEAT SEAT")
@rules_options
@click.option("--rounds", type=click.IntRange(2, 1_000_000), help="Of each player; 20,000.")
@penetration_option
@click.option("--baseline", default="optimal", show_default=True, help="Strategy, as a seat's.")
@seed_option
@json_option
def match(
    *,
    seats: tuple[str, str],
    rules: str,
    decks: str | None,
    rounds: int | None,
    penetration: float | None,
    baseline: str,
    seed: int,
    as_json: bool,
) -> None:
    """Let two players play, each alone with the dealer, and tell them apart by skill.

    Shows after how many rounds the money would have told them apart, and after how many the score.
    Each round has a fresh shoe, unless --penetration is given.

    \b
    Example:
      railbird blackjack match basic source
    """
    from railbird.blackjack.play.seat_text import parse_seat, parse_strategy
    from railbird.blackjack.score import assessment
    from railbird.blackjack.settings import MATCH_ROUNDS

    chosen = rules_of(rules, decks)
    with progress() as tell:
        first, second = (parse_seat(text, chosen, progress=tell) for text in seats)
        base = assessment.baseline_of(parse_strategy(baseline, chosen))
        found = assessment.play_match(
            chosen,
            (first, second),
            base,
            rounds or MATCH_ROUNDS,
            penetration=penetration or 0.0,
            seed=seed,
            progress=tell,
        )
    names = found.names if seats[0] != seats[1] else (seats[0], f"{seats[1]}#2")
    if as_json:
        print_json(
            {
                "rules": chosen.text(),
                "baseline": base.strategy.name,
                "seed": seed,
                "players": {
                    name: _assessed(one) for name, one in zip(names, found.players, strict=True)
                },
                "money": found.money,
                "skill": found.skill,
                "rounds_by_money": found.rounds_by_money,
                "rounds_by_skill": found.rounds_by_skill,
            }
        )
        return
    print_table(tables.assessment_table(list(zip(names, found.players, strict=True))))
    output.print(
        f"{names[0]} is {signed(found.skill.value, 5)} wagers a round better by skill,"
        f" {signed(found.money.value, 5)} by money"
    )
    if not (found.skill.low > 0 or found.skill.high < 0):
        output.print("these are too few rounds to tell them apart by skill")
        return
    output.print(
        f"it takes {tables.needed(found.rounds_by_skill)} of each to tell by skill,"
        f" {tables.needed(found.rounds_by_money)} by money"
    )
