"""``railbird ledger``: who owes whom after a home game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from pathlib import Path

import click

from railbird import assessment, histories, report
from railbird.cli._completion import FILE
from railbird.cli._console import (
    errors,
    json_option,
    log_game_option,
    output,
    print_json,
    print_table,
    progress,
)
from railbird.cli._hand_files import (
    SkipList,
    batches_of_files,
    check_inputs,
    reasons,
    same_names,
    same_option,
)
from railbird.errors import BadInput, NothingUsable
from railbird.report.number_format import display_name


@click.command(name="ledger")
@click.argument("files", nargs=-1, metavar="FILE...", type=FILE)
@click.option(
    "--net",
    metavar="RESULTS",
    help="Results in place of logs, such as 'Ann +12.50, Bob -7.50, Cid -5'.",
)
@same_option
@log_game_option
@json_option
def command(
    *, files: Sequence[str], net: str | None, same: Sequence[str], game: str | None, as_json: bool
) -> None:
    """Say who owes whom after a cash game, with the fewest payments.

    Results come from the hands of logs or archives, added up exactly and by currency, from --net,
    or from PokerNow's ledger. Rake is owed to the house.

    \b
    Examples:
      railbird ledger home-game.txt
      railbird ledger ledger_pgl3Qx.csv
      railbird ledger --net "Ann +12.50, Bob -7.50, Cid -5"
      railbird ledger friday/ --same "Bob=Bobby,bob_phone" --json
    """
    if (net is None) is not bool(files):
        raise BadInput("a ledger of FILE or --net; allowed: one of them")
    if net is not None and same:
        raise BadInput("--same; allowed: with FILE, whose names it joins")
    withheld = None
    if net is not None:
        won = {"": histories.parse_results(net)}
        settled = {"": histories.settle(won[""])}
    elif (sums := _ledger_sums(files, same_names(same))) is not None:
        won = {"": sums}
        settled = {"": histories.settle(sums)}
    else:
        won, withheld = _won(files, same_names(same), game)
        settled = {currency: histories.settle(of) for currency, of in won.items()}
    if as_json:
        print_json(
            {
                "files": list(files),
                "withheld": withheld,
                "ledgers": ledgers_json(won, settled),
            }
        )
        return
    for currency, of in won.items():
        _show(currency, of, settled[currency])
    if withheld is not None:
        output.print(f"This ledger may be wrong: {withheld}.")


def ledgers_json(
    won: Mapping[str, Mapping[str, Fraction]], settled: Mapping[str, histories.Settlement]
) -> list[dict[str, object]]:
    """Return results and payments by currency."""
    return [
        {
            "currency": currency,
            "results": {name: float(amount) for name, amount in of.items()},
            "payments": settled[currency].payments,
            "fewest": settled[currency].is_fewest,
            "rounded": settled[currency].is_rounded,
        }
        for currency, of in won.items()
    ]


def _ledger_sums(files: Sequence[str], same: Mapping[str, str]) -> dict[str, Fraction] | None:
    """Add up PokerNow's ledgers; None if none of the files is one. Raises `BadInput` for some."""
    from railbird.histories.files import LogFile  # brings NumPy, which completion does without

    check_inputs(files)
    logs = {file: LogFile(file) for file in files if Path(file).is_file()}
    ledgers = [file for file, log in logs.items() if histories.is_ledger_file(log.head)]
    if not ledgers:
        return None
    if len(ledgers) < len(files):
        log = next(file for file in files if file not in ledgers)
        raise BadInput(f"{ledgers[0]} is PokerNow's ledger and {log} is none; allowed: one kind")
    won: dict[str, Fraction] = {}
    for file in dict.fromkeys(ledgers):
        try:
            results = histories.read_ledger_file(logs[file].lines())
        except BadInput as problem:
            raise BadInput(f"{file}: {problem}") from None
        for name, amount in results.items():
            first = same.get(name, name)
            won[first] = won.get(first, Fraction(0)) + amount
    return won


def _won(
    files: Sequence[str], same: Mapping[str, str], game: str | None
) -> tuple[dict[str, dict[str, Fraction]], str | None]:
    """Sum up hands, the house with what they paid it; also say why they may not be all."""
    check_inputs(files)
    histories.check_players({*same} - set(same.values()), files)
    log = assessment.Log(same)
    skips = SkipList(log)
    with progress() as notify:
        batches = batches_of_files(files, game, log, skips, notify)
        unlabelled = set[str]()
        money_by_currency = histories.money_by_player(histories.cash_games(batches, unlabelled))
    skips.show()
    histories.ledger.check_payable(chain.from_iterable(money_by_currency.values()), files)
    if not money_by_currency:
        raise NothingUsable(f"no hand could be read: {reasons(skips.counts)}")
    won = histories.with_house(of_money(money_by_currency), same)
    checks = log.integrity(unit="chips", luck={}, money={})
    return won, checks.withheld(display=display_name) or report.night_page.why_open(
        won, skips.counts, unlabelled
    )


def of_money(
    money_by_currency: Mapping[str, Mapping[str, Fraction]],
) -> Mapping[str, Mapping[str, Fraction]]:
    """Leave chips out where there is money, and say so."""
    money = histories.ledger.money_alone(money_by_currency)
    if len(money) < len(money_by_currency):
        errors.print("left out: hands for chips that are not money")
    return money


def _show(currency: str, won: Mapping[str, Fraction], settled: histories.Settlement) -> None:
    """Print results, the winners first, and who pays whom."""
    print_table(report.results_table(currency, won))
    output.print()
    for line in report.payment_words(currency, won, settled):
        output.print(line)
