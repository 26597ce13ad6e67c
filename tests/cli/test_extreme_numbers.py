"""Every option that takes a number has bounds: what no count or amount can be is refused."""

from __future__ import annotations

import click
import pytest

from helpers.command_line import leaves
from railbird.cli import run
from railbird.cli._completion import Whole, Within
from railbird.cli._verbs import _command, verbs

NEVER = ("nan", "inf", "-inf", "1e300", "-1e300", "9" * 40, "-" + "9" * 40, "1" + "0" * 400)
BOUNDED = (Whole, Within)
BOUNDED_LATER = {"--gap", "--memory", "--stop"}
"""By the goal or the machine, with words of their own: `solve.settings.check_goal` and memory."""


@pytest.mark.parametrize("verb", verbs())
def test_numbers_have_bounds(verb: str) -> None:
    words = verb.split()
    for path, command in leaves(_command(words[-1]), tuple(words)):
        for option in command.params:
            is_number = option.type.name in {"integer", "float"}
            if is_number and option.opts[0] not in BOUNDED_LATER:
                assert isinstance(option.type, BOUNDED), (path, option.name)


@pytest.mark.parametrize("value", NEVER)
@pytest.mark.parametrize("kind", [Whole(), Whole(1, 9), Within(), Within(0, 1)], ids=repr)
def test_what_no_number_can_be_is_refused(kind: Whole | Within, value: str) -> None:
    with pytest.raises(click.BadParameter, match=r"allowed: |no whole number|not in the range"):
        kind.convert(value, None, None)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["bankroll", "5", "--sd", "nan"],
            "'nan' is no number; allowed: -1,000,000,000,000,000 to",
        ),
        (["bankroll", "5", "--sd", "1e300"], "1e300; allowed: -1,000,000,000,000,000 to"),
        (["odds", "AsKs", "--pot", "inf"], "inf; allowed: "),
        (["solve", "pushfold", "--ante", "inf"], "inf; allowed: "),
        (["odds", "preflop", "AKs", "--seats", "9" * 40], "9; allowed: "),
    ],
)
def test_one_line_says_what_is_allowed(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
