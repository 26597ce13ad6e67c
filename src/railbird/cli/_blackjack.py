"""``railbird blackjack play``, ``assess``, ``match``: rounds played, and judged by skill."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from railbird import blackjack
from railbird._files import replace_files
from railbird.cli._completion import INPUT_FILE, Whole, Within
from railbird.cli._console import (
    SafeConsole,
    errors,
    json_option,
    output,
    print_json,
    print_table,
    progress,
    seed_option,
)
from railbird.cli._hand_files import check_inputs
from railbird.cli._keyed_options import Setting, set_option
from railbird.errors import BadInput, NothingUsable
from railbird.report.document import Table
from railbird.report.number_format import counted, interval_of, number, percent, signed

if TYPE_CHECKING:
    import numpy as np


# Options that the verbs of blackjack share.


def rules_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --decks and --rules."""
    for option in (
        click.option("--decks", metavar="N|inf", help="Number of decks; 4 by default."),
        click.option(
            "--rules",
            default="",
            show_default=False,
            metavar="WORDS",
            help="Differences from H17,peek,das,resplit=0,nosur,bj=3:2,dbl=any: S17, enhc, "
            "nodas, resplit=N, rsa, hsa, ls, es, bj=6:5, dbl=9-11 or 10-11, charlie=N, "
            "decks=N.",
        ),
    ):
        function = option(function)
    return function


def rules_of(rules: str, decks: str | None) -> blackjack.Rules:
    """Read both options."""
    return blackjack.parse_rules(rules if decks is None else f"{rules},decks={decks}")


def shoe_of(shoe: str | None, decks: str | None) -> blackjack.Shoe | None:
    """Read --shoe, which replaces --decks."""
    if shoe is None:
        return None
    if decks is not None:
        raise BadInput("--decks and --shoe; allowed: one of them")
    return blackjack.parse_shoe(shoe)


penetration_option = set_option(
    penetration=Setting(
        "0.75",
        "share of the shoe that is dealt before it is shuffled, where 0 shuffles before each round",
        Within(),
    )
)


# Charts and tables of blackjack for the terminal.


STYLES = {"H": "", "S": "on red", "D": "on blue", "P": "on green", "R": "on magenta"}
"""Colours of the cells, which only add to the letters."""


def value_table(values: blackjack.HandValues) -> Table:
    """Values of the actions, the best first."""
    rows = []
    allowed = [action for action in blackjack.Action if values.of(action) == values.of(action)]
    best = values.of(values.best)
    for action in sorted(allowed, key=values.of, reverse=True):
        word = action.word
        if word == "split":
            word += f" ({values.after_split.value})"
        cost = best - values.of(action)
        rows.append((word, signed(values.of(action), 5), number(cost, 5) if cost else "best"))
    return Table(("action", "value", "costs"), rows)


def chart_table(chart: blackjack.Chart) -> RichTable:
    """The chart, coloured."""
    table = RichTable(box=None, padding=(0, 0, 0, 1), pad_edge=False, header_style="")
    table.add_column("")
    for upcard in blackjack.UPCARDS:
        table.add_column(upcard, justify="center", min_width=2)
    for row, cells in chart.items():
        if row in ("A,2", "2,2"):
            table.add_row()
        table.add_row(row, *(Text(cell.ljust(2), STYLES[cell[0]]) for cell in cells.values()))
    return table


def index_table(plays: Sequence[blackjack.IndexPlay]) -> Table:
    """Index plays."""
    rows = [(play.row, play.upcard, play.below, f"{play.count:+d}", play.above) for play in plays]
    return Table(("hand", "dealer", "below", "from", "play"), rows, names=2)


def seat_table(results: Sequence[blackjack.SeatResult]) -> Table:
    """What the seats won."""
    rows = [
        (
            result.name,
            signed(result.won.value, 5),
            interval_of(result.won, 5),
            percent(result.per_wager, 3),
            number(result.sd, 3),
            number(result.wagered, 2),
        )
        for result in results
    ]
    return Table(("seat", "units a round", "95 % interval", "a wager", "sd", "wager"), rows)


def assessment_table(
    players: Sequence[tuple[str, blackjack.assessment.BlackjackAssessment]],
) -> Table:
    """Money beside skill."""
    headings = ("rounds", "money", "skill", "95 % interval", "sd money", "sd skill", "reduction")
    rows = [
        (
            name,
            f"{evaluation.rounds:,}",
            signed(evaluation.money.value, 4),
            signed(evaluation.skill.value, 5),
            interval_of(evaluation.skill, 5),
            number(evaluation.money_sd, 3),
            number(evaluation.skill_sd, 4),
            number(evaluation.variance_reduction, 0),
        )
        for name, evaluation in players
    ]
    return Table(("player", *headings), rows)


def needed(rounds: int | None) -> str:
    """Rounds that tell a difference, in words."""
    return "any number of rounds" if rounds is None else counted(rounds, "round")


@click.command()
@click.argument("file", type=INPUT_FILE)
@rules_options
@click.option(
    "--baseline",
    default="optimal",
    help="Strategy to compare with: basic, or any that a seat plays.",
)
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
    chosen = rules_of(rules, decks)
    check_inputs([file])
    with progress() as tell:
        base = blackjack.parse_strategy(baseline, chosen)
        try:
            with click.open_file(str(file), encoding="utf-8-sig", errors="replace") as lines:
                read = blackjack.assessment.read_rounds(lines, chosen)
        except NothingUsable as problem:
            raise NothingUsable(f"{file}: {problem}") from None
        values = blackjack.assessment.baseline_of(base)
        players = [
            (
                name,
                blackjack.assessment.assess(
                    blackjack.assessment.score_rounds(values, of.tokens, of.before, progress=tell),
                    of.wagers,
                ),
            )
            for name, of in read.players.items()
        ]
    if as_json:
        print_json(
            {
                "rules": chosen.text(),
                "baseline": base.name,
                "players": {name: _assessed(evaluation) for name, evaluation in players},
                "skipped": dict(read.skipped),
            }
        )
    else:
        if players:
            print_table(assessment_table(players))
            output.print("money and skill in wagers' units a round")
        for name, evaluation in players:
            if evaluation.skill.enough:
                by_skill, by_money = evaluation.rounds_by_skill, evaluation.rounds_by_money
                output.print(
                    f"{name}: to tell {blackjack.assessment.DIFFERENCE:g} wagers a round from none"
                    f" takes {needed(by_skill)} like these by skill, {needed(by_money)} by money"
                )
        for reason, times in read.skipped.items():
            line = read.first_line[reason]
            errors.print(f"skipped {counted(times, 'row')}, the first in line {line}: {reason}")
    if not players:
        raise NothingUsable(f"{file}: no round that can be scored")


def _assessed(evaluation: blackjack.assessment.BlackjackAssessment) -> dict[str, object]:
    return {field.name: getattr(evaluation, field.name) for field in fields(evaluation)}


@click.command()
@click.argument("first_seat", metavar="SEAT")
@click.argument("second_seat", metavar="SEAT")
@rules_options
@click.option(
    "-n",
    "--count",
    "rounds",
    type=Whole(2, 1_000_000),
    help="Rounds of each player, 20,000 by default.",
)
@penetration_option
@click.option(
    "--baseline",
    default="optimal",
    help="Strategy to compare with: basic, or any that a seat plays.",
)
@seed_option
@json_option
def match(
    *,
    first_seat: str,
    second_seat: str,
    rules: str,
    decks: str | None,
    rounds: int | None,
    penetration: float | None,
    baseline: str,
    seed: int,
    as_json: bool,
) -> None:
    """Let two players play, each alone with the dealer, and find out which has more skill.

    Shows how many rounds the money needs to show it, and how many the score. Each round has a fresh
    shoe, unless a penetration is set.

    \b
    Example:
      railbird blackjack match basic source
    """
    chosen = rules_of(rules, decks)
    seats = (first_seat, second_seat)
    with progress() as tell:
        first, second = (blackjack.parse_seat(text, chosen, progress=tell) for text in seats)
        base = blackjack.assessment.baseline_of(blackjack.parse_strategy(baseline, chosen))
        match_result = blackjack.assessment.play_match(
            chosen,
            (first, second),
            base,
            rounds or blackjack.rules.MATCH_ROUNDS,
            penetration=penetration or 0.0,
            seed=seed,
            progress=tell,
        )
    names = match_result.names if seats[0] != seats[1] else (seats[0], f"{seats[1]}#2")
    if as_json:
        print_json(
            {
                "rules": chosen.text(),
                "baseline": base.strategy.name,
                "seed": seed,
                "players": {
                    name: _assessed(evaluation)
                    for name, evaluation in zip(names, match_result.players, strict=True)
                },
                "money": match_result.money,
                "skill": match_result.skill,
                "rounds_by_money": match_result.rounds_by_money,
                "rounds_by_skill": match_result.rounds_by_skill,
            }
        )
        return
    print_table(assessment_table(list(zip(names, match_result.players, strict=True))))
    output.print(
        f"{names[0]} is {signed(match_result.skill.value, 5)} wagers a round better by skill,"
        f" {signed(match_result.money.value, 5)} by money"
    )
    if not match_result.skill.excludes_zero:
        output.print("these are too few rounds to tell them apart by skill")
        return
    output.print(
        f"to tell {blackjack.assessment.DIFFERENCE:g} wagers a round from none takes"
        f" {needed(match_result.rounds_by_skill)} of each by skill,"
        f" {needed(match_result.rounds_by_money)} by money"
    )


# A person plays blackjack in the terminal.


def play_rounds(
    rules: blackjack.Rules, *, rounds: int | None, log: Path | None, seed: int, as_json: bool
) -> None:
    """Play until the rounds are over, or the person has had enough."""
    import numpy as np

    rng = np.random.default_rng(seed)
    screen = SafeConsole(stderr=True) if as_json else output
    screen.print(rules.text())
    won, cost, decisions, mistakes = 0.0, 0.0, 0, 0
    texts: list[str] = []
    while rounds is None or len(texts) < rounds:
        screen.print(f"\nround {len(texts) + 1}")
        played = _one_round(rules, rng, screen)
        if played is None:
            break
        won += played.round.won()
        cost -= played.skill
        decisions += len(played.verdicts)
        mistakes += sum(verdict.cost > 0 for verdict in played.verdicts)
        texts.append(played.round.text())
        screen.print(f"you win {signed(played.round.won(), 1)}; {signed(won, 1)} so far")
    luck = won + cost
    if log is not None:
        replace_files({log: "\n".join(["round", *texts, ""]).encode()})
    if as_json:
        print_json(
            {
                "rounds": len(texts),
                "money": won,
                "skill": -cost,
                "luck": luck,
                "decisions": decisions,
                "mistakes": mistakes,
                "seed": seed,
                "log": None if log is None else str(log),
            }
        )
        return
    output.print(
        f"\n{counted(len(texts), 'round')}: money {signed(won, 1)}, of which your mistakes"
        f" {signed(-cost, 3)} and the cards and the house {signed(luck, 3)}"
    )
    output.print(f"{counted(decisions, 'decision')}, {counted(mistakes, 'mistake')}")
    if log is not None:
        output.print(str(log))


def _one_round(
    rules: blackjack.Rules, rng: np.random.Generator, screen: Console
) -> blackjack.TrainingRound | None:
    """Play a round; None if the person stops."""
    played = blackjack.TrainingRound(rules, rng)
    while not played.over:
        _show(played.round, screen)
        choice = _ask(played.choices, on_stderr=screen is not output)
        if choice is None:
            return None
        screen.print(f"  {_judged(played.choose(choice))}")
    _show(played.round, screen)
    return played


def _ask(choices: tuple[str, ...], *, on_stderr: bool) -> str | None:
    keys = {_key(choice): choice for choice in choices}
    prompt = ", ".join(f"{key} {choice}" for key, choice in keys.items())
    while True:
        try:
            answer = click.prompt(f"  {prompt}, q stop", prompt_suffix="? ", err=on_stderr)
        except (click.Abort, EOFError):
            return None
        answer = answer.strip().lower()
        if answer in ("q", "quit"):
            return None
        if answer in keys:
            return keys[answer]
        if answer in choices:
            return answer


def _key(choice: str) -> str:
    return {"split": "p", "surrender": "r", "play on": "o", "no insurance": "n"}.get(
        choice, choice[0]
    )


def _show(played: blackjack.Round, screen: Console) -> None:
    dealer = blackjack.cards_text(played.dealer, " ")
    if len(played.dealer) == 1:
        dealer += " ?"
    hands = " | ".join(blackjack.cards_text(hand.cards, " ") for hand in played.hands)
    at = f"   (hand {played.current + 1})" if len(played.hands) > 1 and played.legal else ""
    screen.print(f"  dealer {dealer}   you {hands}{at}")


def _judged(verdict: blackjack.ChoiceVerdict) -> str:
    if verdict.cost <= 0:
        return f"{verdict.chosen}: right"
    return f"{verdict.chosen} costs {number(verdict.cost, 4)}; best is {verdict.best}"
