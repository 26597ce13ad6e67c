"""An option that takes one value takes no second one, in any verb and by any of its names."""

from __future__ import annotations

import click
import pytest

from helpers.command_line import leaves
from railbird.cli import run
from railbird.cli._verbs import _command, verbs


@pytest.mark.parametrize("verb", verbs())
def test_every_option_of_one_value_is_refused_the_second_time(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = verb.split()
    for path, command in leaves(_command(words[-1]), tuple(words)):
        for option in command.params:
            if not isinstance(option, click.Option) or option.multiple or option.is_flag:
                continue
            values = [("1",) * option.nargs, ("2",) * option.nargs]
            args = [option.opts[0], *values[0], option.opts[-1], *values[1]]
            assert run([*path, *args]) == 2, (path, option.name)
            last = capsys.readouterr().err.splitlines()[-1]
            first, second = (" ".join(value) for value in values)
            assert (
                f"{option.opts[-1]} is given twice, as {first} and {second}; allowed: once" in last
            )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["match", "baseline", "random", "--seed", "1", "-s", "2"],
            "railbird match: --seed is given twice, as 1 and 2; allowed: once",
        ),
        (
            ["match", "baseline", "random", "-s1", "--seed=2"],
            "railbird match: --seed is given twice, as 1 and 2; allowed: once",
        ),
        (
            ["odds", "AhKh", "--opponents", "2", "--count", "3"],
            "railbird odds: --count is given twice, as 2 and 3; allowed: once",
        ),
    ],
)
def test_all_names_of_an_option_count_as_one(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2
    assert capsys.readouterr().err.splitlines()[-1] == said


def test_a_key_of_set_has_one_value(capsys: pytest.CaptureFixture[str]) -> None:
    keys = ["--set", "future-game=1", "--set", "future-game=2"]
    assert run(["icm", "--stacks", "10,20", "--payouts", "1", *keys]) == 2
    said = capsys.readouterr().err
    assert said == "railbird: --set future-game is given twice, as 1 and 2; allowed: once\n"
