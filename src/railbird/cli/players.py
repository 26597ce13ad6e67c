"""``railbird players``: the players, their options and claims, contracts and fingerprints."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from railbird import arena, extending, players, report
from railbird.cli._completion import OUTPUT_FILE, PLAYER, Whole
from railbird.cli._console import (
    EXIT_FINDING,
    json_option,
    output,
    print_document,
    print_json,
    print_table,
    progress,
    seed_option,
)
from railbird.cli._hand_files import check_ending, check_output, force_option
from railbird.cli._play import game_option, rules_of, stack_option
from railbird.errors import BadInput, unknown_name
from railbird.report.document import Table


@click.command(name="players")
@click.argument("name", metavar="[PLAYER]", required=False, type=PLAYER)
@click.option("--check", is_flag=True, help="Check that PLAYER does what all players must do.")
@click.option(
    "--fingerprint",
    is_flag=True,
    help="Play PLAYER heads-up against opponents that fold and raise at random.",
)
@game_option
@stack_option
@click.option(
    "-n",
    "--hands",
    type=Whole(min=2),
    default=100,
    help="With --fingerprint: hands against each opponent.",
)
@seed_option
@click.option(
    "-o",
    "--out",
    type=OUTPUT_FILE,
    help="With --fingerprint: file of the maps, .png, .svg, .html or .md.",
)
@force_option
@json_option
def command(
    *,
    name: str | None,
    check: bool,
    fingerprint: bool,
    game: str,
    stack: str | None,
    hands: int,
    seed: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """List the players, or the options and claims of PLAYER.

    --check is for your own players: it plays some thousand decisions, and says how PLAYER breaks
    the contract of players. The exit code is 1 if it does. --fingerprint shows how often PLAYER
    raises and folds, and what it wins, against opponents that raise and fold more or less often.

    \b
    Examples:
      railbird players
      railbird players loki
      railbird players --check python:mine:Mine
      railbird players --fingerprint loki:som -o som.png
    """
    if check and fingerprint:
        raise BadInput("--check with --fingerprint; allowed: one of them")
    if out is not None and not fingerprint:
        raise BadInput("--out without --fingerprint; allowed: with --fingerprint")
    if name is None and (check or fingerprint):
        raise BadInput(f"--{'check' if check else 'fingerprint'} without a player")
    if name is None:
        _show_all(as_json=as_json)
    elif check:
        _check(name, as_json=as_json)
    elif fingerprint:
        if out is not None:
            check_ending(out, (".png", ".svg", ".html", ".md"))
            check_output(out, force=force)
        with progress() as notify:
            probed = arena.play_fingerprint(
                name,
                rules=rules_of(game, stack=stack),
                deals=-(-hands // 2),
                seed=seed,
                progress=notify,
            )
        _tell_fingerprint(probed, out, as_json=as_json)
    else:
        _show(name, as_json=as_json)


def _show_all(*, as_json: bool) -> None:
    entries = players.REGISTRY.values()
    if as_json:
        print_json({"players": [entry.as_json() for entry in entries]})
    else:
        _list([(entry.name, entry.summary) for entry in entries])


def _tell_fingerprint(probed: arena.PlayerFingerprint, out: Path | None, *, as_json: bool) -> None:
    document = report.fingerprint_document(probed)
    if out is not None:
        report.html_page.write(document, out)
    if as_json:
        print_json({**probed.as_json(), "written": None if out is None else str(out)})
        return
    print_document(document)
    if out is not None:
        output.print(f"written: {out}", soft_wrap=True)


def _show(name: str, *, as_json: bool) -> None:
    """Tell what there is to choose, and what the player claims."""
    spec = players.parse_spec(name)
    if spec.name not in players.REGISTRY:
        raise unknown_name("player", name, players.REGISTRY)
    entry = players.REGISTRY[spec.name]
    if spec.detail:
        entry.values(spec)  # refuses a version and options that there are not
    if as_json:
        print_json({"players": [entry.as_json()]})
        return
    output.print(f"{entry.name} {entry.summary}", highlight=False)
    if note := entry.fit_of(spec).note:
        output.print(f" {note}", highlight=False)
    if (claims := players.claims_of(name)) is not None:
        output.print(f" {claims.words}", highlight=False)
    if not entry.forms:
        output.print(" It has no options.")
        return
    _list(
        [
            (
                form,
                f"{option.summary}: {option.allowed}"
                + (f"; default {option.default_text}" if option.default_text else ""),
            )
            for form, option in entry.forms
        ]
    )


_NEEDED_BY_OTHERS: Final = ("methods", "legal actions")
"""Contracts without which a player cannot be tried by the others."""


def _check(spec: str, *, as_json: bool) -> None:
    """Try out contract by contract, and say what comes of each."""
    breaches: dict[str, str | None] = {}
    with progress() as notify:
        for number, contract in enumerate(extending.PLAYER_CONTRACTS):
            notify(number, len(extending.PLAYER_CONTRACTS), f"checking, {contract.name}")
            if any(breaches.get(name) for name in _NEEDED_BY_OTHERS):
                break
            breaches[contract.name] = None
            try:
                extending.check_player(spec, only=[contract.name])
            except extending.BrokenContract as problem:
                breaches[contract.name] = problem.breach
    if as_json:
        print_json(
            {
                "player": spec,
                "contracts": [
                    {
                        "name": contract.name,
                        "kept": breaches[contract.name] is None
                        if contract.name in breaches
                        else None,
                        "breach": breaches.get(contract.name),
                    }
                    for contract in extending.PLAYER_CONTRACTS
                ],
            }
        )
    else:
        for contract in extending.PLAYER_CONTRACTS:
            breach = breaches.get(contract.name)
            if contract.name not in breaches:
                output.print(f"– {contract.promise}: not tried", highlight=False)
            elif breach is None:
                output.print(f"✓ {contract.promise}", highlight=False)
            else:
                output.print(f"✗ {contract.promise}: {breach}", highlight=False)
    if any(breaches.values()):
        click.get_current_context().exit(EXIT_FINDING)


def _list(rows: list[tuple[str, str]]) -> None:
    print_table(Table(("", ""), rows))
