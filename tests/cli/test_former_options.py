"""Options' former names: they work, say the new one, and lead to options that exist."""

from __future__ import annotations

import click
import pytest

from helpers.command_line import call
from measure import options
from railbird.cli._former_options import FORMER, LIKE, with_current_options, wrong_option

COMMANDS = options.commands()
FORMER_NAMES = [(verb, former) for verb, former_names in FORMER.items() for former in former_names]


@pytest.mark.parametrize(("verb", "former"), FORMER_NAMES)
def test_a_former_option_leads_to_one_that_exists(verb: str, former: str) -> None:
    known = {
        name: option
        for option in COMMANDS[verb].params
        if isinstance(option, click.Option)
        for name in [*option.opts, *option.secondary_opts]
    }
    current, _, form = FORMER[verb][former].partition(" ")
    assert former not in known
    assert known[current].is_flag == (not form)


def test_every_name_that_is_like_an_option_s_leads_to_one() -> None:
    known = set(options.option_names())
    meant = {option for meant_options in LIKE.values() for option in meant_options}
    assert meant <= known
    assert list(LIKE) == sorted(LIKE)


@pytest.mark.parametrize("name", LIKE)
def test_a_name_like_an_option_s_is_answered_by_an_option_of_the_verb(name: str) -> None:
    for command in COMMANDS.values():
        known = {option for parameter in command.params for option in parameter.opts}
        meant = [option for option in LIKE[name] if option in known]
        if meant and name not in known:
            assert wrong_option(name, command).endswith(f"did you mean {' or '.join(meant)}?")


def test_the_names_of_options_are_few() -> None:
    assert len(options.option_names()) <= options.MOST


@click.command()
@click.option("--clock")
@click.option("--show", multiple=True)
@click.option("--note")
@click.option("-v", "--verbose", is_flag=True)
@click.argument("files", nargs=-1)
def example() -> None:
    """Have options of each kind."""


EXAMPLE = {
    "--time": "--clock {}",
    "--bank": "--clock ...+{}",
    "--refill": "--clock ...+{}",
    "--outs": "--show outs",
    "--loud": "--verbose",
}


@pytest.mark.parametrize(
    ("args", "current"),
    [
        ("--outs a", "--show outs a"),
        ("--loud", "--verbose"),
        ("--time 5", "--clock 5"),
        ("--time=5", "--clock 5"),
        ("--bank 60 --time 5 a", "--clock 5+60 a"),
        ("--refill 1/9 --bank 60 --clock=5", "--clock=5+60+1/9"),
        ("--time", "--clock"),
        ("--note --outs --outs", "--note --outs --show outs"),
        ("--note=--outs", "--note=--outs"),
        ("-v --outs -- --outs", "-v --show outs -- --outs"),
    ],
)
def test_arguments_are_written_with_current_names(
    monkeypatch: pytest.MonkeyPatch, args: str, current: str
) -> None:
    monkeypatch.setattr("railbird.cli._former_options.FORMER", {"example": EXAMPLE})
    assert " ".join(with_current_options("example", example, args.split())[0]) == current
    assert with_current_options("another", example, args.split()) == (args.split(), [])


def test_a_former_option_works_and_says_the_new_one(capsys: pytest.CaptureFixture[str]) -> None:
    line = "railbird: `--by-position` is now `--by position`\n"
    now = call(capsys, "stats", "absent.txt", "--by", "position", "--json")
    assert now[:2] == (2, "")
    former = call(capsys, "stats", "absent.txt", "--by-position", "--json")
    assert former == (*now[:2], line + now[2])
    assert call(capsys, "stats", "absent.txt", "--by-position", "-jq") == now
