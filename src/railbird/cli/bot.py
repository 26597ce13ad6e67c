"""``railbird bot``: writing and trying out programs that play by the server's protocol."""

from __future__ import annotations

from pathlib import Path

import click

from railbird import client
from railbird._files import replace_files
from railbird.cli._completion import Whole
from railbird.cli._console import EXIT_FINDING, json_option, print_json
from railbird.cli._hand_files import check_output, force_option
from railbird.cli._verbs import Commands
from railbird.errors import BadInput, unknown_name


@click.group(name="bot", cls=Commands)
def command() -> None:
    """Write a bot in any language, and try it out.

    \b
    Examples:
      railbird bot new tom
      railbird bot check "python3 tom.py"
      railbird match "bot:python3 tom.py" tight:nolimit --game nolimit
    """


@command.command()
@click.argument("name")
@click.option(
    "--language",
    default="python",
    help="python or javascript; a bot that you write yourself may be in any language.",
)
@force_option
@json_option
def new(*, name: str, language: str, force: bool, as_json: bool) -> None:
    """Write a bot of 30 lines, without dependencies, into the current folder.

    It plays at once: change its function `decide`.

    \b
    Example:
      railbird bot new tom --language javascript
    """
    if language not in client.templates.TEMPLATES:
        raise unknown_name("language", language, client.templates.TEMPLATES)
    if not name.isidentifier():
        raise BadInput(f"name {name!r}; allowed: letters, digits and _, a letter first")
    template = client.templates.TEMPLATES[language]
    file = Path(template.file(name))
    check_output(file, force=force)
    replace_files({file: template.text(name).encode()})
    run = f"{template.interpreter} {file}"
    if as_json:
        print_json({"file": str(file), "language": language, "program": run})
        return
    click.echo(f'{file}: change decide(), then\n  railbird bot check "{run}"')
    click.echo(f'  railbird match "bot:{run}" tight:nolimit --game nolimit --hands 1000')


@command.command()
@click.argument("program")
@click.option("-s", "--seed", type=Whole(0), default=0, help="Seed of the hands.")
@json_option
def check(*, program: str, seed: int, as_json: bool) -> None:
    """Try out PROGRAM, a bot that speaks the protocol on its standard input and output.

    A scripted server plays hands of limit, pot-limit and no-limit with it. It sends pings, refusals
    and messages that no version knows yet, and closes the connection. If something fails, it quotes
    the line. Exit code 1 means that a server would freeze the bot or hang up on it.

    \b
    Example:
      railbird bot check "python3 tom.py"
    """
    checks = []
    for bot_check in client.check_bot(program, seed=seed):
        checks.append(bot_check)
        if not as_json:
            mark = "✓" if bot_check.passed else ("!" if bot_check.is_advice else "✗")
            click.echo(
                f"{mark} {bot_check.name}" + (f": {bot_check.detail}" if bot_check.detail else "")
            )
    failed = [bot_check for bot_check in checks if not bot_check.passed and not bot_check.is_advice]
    if as_json:
        print_json(
            {
                "program": program,
                "passed": not failed,
                "checks": [
                    {
                        "name": bot_check.name,
                        "passed": bot_check.passed,
                        "advice": bot_check.is_advice,
                        "detail": bot_check.detail,
                    }
                    for bot_check in checks
                ],
            }
        )
    if failed:
        click.get_current_context().exit(EXIT_FINDING)
