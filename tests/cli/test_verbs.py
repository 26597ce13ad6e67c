"""Help texts, lists of verbs and players, and what they load."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import click
import pytest

from helpers.command_line import call
from railbird import cli
from railbird.arena import Match, play
from railbird.cli._verbs import GROUPS, Verbs, verbs
from railbird.game import HEADS_UP_LIMIT
from railbird.players import REGISTRY


def command_of(verb: str) -> click.Command:
    """The command of a verb, of another package's too."""
    command = Verbs().get_command(click.Context(Verbs()), verb)
    assert command is not None
    return command.make_context(verb, [], resilient_parsing=True).command


@pytest.mark.parametrize("verb", verbs())
def test_every_verb_has_help_with_an_example(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    code, out, err = call(capsys, *verb.split(), "--help")
    assert (code, err) == (0, "")
    nested = [line.split()[0] for line in out.partition("Commands:")[2].splitlines() if line]
    for command in nested:
        out += call(capsys, *verb.split(), command, "--help")[1]
    # On a line of its own, without the mark that keeps it there.
    assert f"\n    railbird {verb}" in out.partition("Example")[2]
    assert "\\b" not in out
    assert "\b" not in out


@pytest.mark.parametrize("verb", verbs())
def test_every_option_says_what_it_does(verb: str) -> None:
    found = command_of(verb)
    commands = found.commands.values() if isinstance(found, click.Group) else [found]
    options = [each for one in commands for each in one.params if isinstance(each, click.Option)]
    assert options
    assert [option.name for option in options if not (option.help or option.hidden)] == []


@pytest.mark.parametrize("verb", [verb for verb in verbs() if verb != "mcp"])  # speaks JSON-RPC
def test_every_command_prints_json(verb: str) -> None:
    def commands(found: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
        if isinstance(found, click.Group):
            for name, command in found.commands.items():
                yield from commands(command, f"{path} {name}")
        else:
            yield path, found

    found = command_of(verb)
    without = [
        path
        for path, command in commands(found, verb)
        if not any("--json" in each.opts for each in command.params)
    ]
    assert without == []


def test_help_describes_two_dozen_verbs_and_names_the_others(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = call(capsys)
    assert code == 0
    first, _, more = out.partition("Begin here:")[2].partition("More:")
    described = re.findall(r"^  (\S+)  +[A-Z]", first, re.MULTILINE)
    assert described[0] == "demo"
    assert len(described) <= 24
    named = re.findall(r"^  ([\w-]+)  +[a-z]", more.partition("`")[0], re.MULTILINE)
    top_names = {verb.split()[0] for verb in verbs()} | {*GROUPS}
    assert sorted([*described, *named]) == sorted(top_names)


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (["help"], ["--help"]),
        (["help", "match"], ["match", "--help"]),
        (["help", "odds", "preflop"], ["odds", "preflop", "--help"]),
        (["help", "machine", "cache", "clear"], ["machine", "cache", "clear", "--help"]),
        (["server"], ["server", "--help"]),
        (["machine"], ["machine", "--help"]),
    ],
)
def test_help_of_a_verb(
    capsys: pytest.CaptureFixture[str], words: list[str], same: list[str]
) -> None:
    assert call(capsys, *words) == call(capsys, *same)
    code, out, err = call(capsys, *words)
    assert (code, err) == (0, "")
    usage = "railbird [OPTIONS]" if words == ["help"] else f"railbird {' '.join(same[:-1])} "
    assert out.startswith(f"Usage: {usage}")


@pytest.mark.parametrize(("group", "members"), GROUPS.items())
def test_a_group_lists_its_members(
    capsys: pytest.CaptureFixture[str], group: str, members: tuple[str, ...]
) -> None:
    listed = call(capsys, group, "--help")[1].partition("Commands:")[2]
    assert re.findall(r"^  (\S+)  +[A-Z]", listed, re.MULTILINE) == list(members)


def test_a_misspelt_member_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    line = "railbird machine: no command 'docter'; did you mean doctor?\n"
    assert call(capsys, "machine", "docter") == (2, "", line)


def test_former_names_work_and_say_the_new_one(capsys: pytest.CaptureFixture[str]) -> None:
    line = "railbird: `table169` is now `odds table169`\n"
    now = call(capsys, "odds", "table169", "AKs", "QQ", "--json")
    assert now[::2] == (0, "")
    assert call(capsys, "table169", "AKs", "QQ", "--json") == (*now[:2], line)
    for quiet in (["-j", "-q"], ["-jq"], ["-qj"], ["--json", "--quiet"]):
        assert call(capsys, "table169", "AKs", "QQ", *quiet) == now
    code, out, err = call(capsys, "cache", "clera")
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "railbird: `cache` is now `machine cache`",
        "railbird machine cache: no command 'clera'; did you mean clear?",
    ]
    for members in GROUPS.values():
        for former in members:
            assert call(capsys, former, "--help")[0] == 0


# Options that many verbs have are short in all of them.

_SHORT = {"--json": "-j", "--quiet": "-q", "--out": "-o", "--seed": "-s"}
_NUMBERS = {"match", "league", "ring", "demo", "tournament", "deals", "join", "play"}


def _below(command: click.Command) -> Iterator[click.Command]:
    if isinstance(command, click.Group):
        for below in command.commands.values():
            yield from _below(below)
    else:
        yield command


@pytest.mark.parametrize("verb", verbs())
def test_shared_options_are_short(verb: str) -> None:
    for command in _below(command_of(verb)):
        options = [param.opts for param in command.params]
        for names in options:
            for name in names:
                assert _SHORT.get(name) in (None, *names), (command.name, name)
        shorts = [name for names in options for name in names if not name.startswith("--")]
        assert len(shorts) == len({*shorts})
        if verb in _NUMBERS:
            assert "-n" in shorts


def test_short_options_are_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    deals = tmp_path / "deals"
    assert call(capsys, "deals", "-n", "3", "-s", "5", "-o", str(deals), "-q")[::2] == (0, "")
    assert call(capsys, "deals", "--count", "3", "--seed", "5")[1] == deals.read_text()
    err = call(capsys, "deals", "-n", "x")[2]
    assert err.startswith("railbird deals: --count: 'x'")


def test_quiet_says_only_errors_and_how_many_hands_are_lost(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    log = tmp_path / "hands.log"
    log.write_text("Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC\nno hand\n")
    call(capsys, "convert", str(log), "-", "--to", "phh")  # says what it compiles, on first use
    said, quiet = (call(capsys, "convert", str(log), "-", "--to", "phh", *q) for q in ([], ["-q"]))
    assert said[0] == quiet[0] == 0
    assert said[1] == quiet[1]
    assert "line 2" in said[2]
    assert quiet[2] == "skipped: 1 unreadable\n"
    assert call(capsys, "match", "tmo", "random", "-q")[2].startswith("railbird: no player 'tmo'")
    assert call(capsys, "convert", "-q", str(log), "-", "--too")[0] == 2
    assert call(capsys, "convert", str(log), "-", "--to", "phh")[2] == said[2]


@pytest.mark.parametrize(
    "words", ["odds nosuch", "match foo", "odds hits extra", "nosuch", "machine docter"]
)
def test_help_of_what_does_not_exist_is_refused(
    capsys: pytest.CaptureFixture[str], words: str
) -> None:
    code, out, err = call(capsys, "help", *words.split())
    assert (code, out) == (2, "")
    assert f"no verb '{words.split()[-1]}'" in err
    assert len(err.splitlines()) == 1


def test_summaries_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("solve", "pushfold", "train", "archive", "opponents", "machine cache"):
        _, out, _ = call(capsys, "help", *verb.split())
        assert "..." not in out.partition("Commands:")[2], verb


def test_json_goes_nowhere_where_standard_output_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert cli.run(["odds", "AsKs", "Kd9s2h", "--json"]) == 0


@pytest.mark.slow
def test_help_and_lists_load_neither_numpy_nor_numba() -> None:
    # A module that is loaded on first use is listed before, but nothing below it.
    program = (
        "import sys; from railbird.cli import run; from railbird.cli._verbs import verbs; "
        "[run([*verb, '--help']) for verb in ([], *(verb.split() for verb in verbs()))]; "
        "run(['experiment', 'list']); "
        "sys.exit(sorted({'numpy', 'numba', 'polars', 'altair.vegalite'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_judging_a_match_loads_no_players_that_it_does_not_need(tmp_path: Path) -> None:
    match = Match(players=("always-call", "random"), rules=HEADS_UP_LIMIT, deals=20, seed=1)
    play(match, log=tmp_path / "x.log")
    program = (
        "import sys; from railbird.cli import run; assert run(['assess', 'x.log']) == 0; "
        "unneeded = ('railbird.players.registry', 'railbird.players.loki', 'railbird.protocol', "
        "'railbird.modelling', 'railbird.solve'); "
        "sys.exit([name for name in sys.modules if name.startswith(unneeded)] or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr


def test_players_are_listed_with_all_that_they_take(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "players")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line[1] != " "] == list(REGISTRY)
    code, out, _ = call(capsys, "players", "loki", "--json")
    (loki,) = json.loads(out)["players"]
    assert [each["form"] for each in loki["forms"]] == [
        "loki:VERSION",
        *(f"{option.key}=" for option in REGISTRY["loki"].options),
    ]
    assert all(each["summary"] and each["allowed"] for each in loki["forms"])


# The manual's page on the command line knows every verb, and no page shows a wrong command.


PAGE = Path(__file__).parents[2] / "docs" / "cli.md"


@pytest.mark.parametrize("width", ["20", "80"])
@pytest.mark.parametrize("name", REGISTRY)
def test_every_player_is_shown_with_its_options_or_that_it_has_none(
    name: str, width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    code, out, err = call(capsys, "players", name)
    assert (code, err) == (0, "")
    words = "".join(out.split())
    assert words.startswith(name)
    assert ("Ithasnooptions." in words) is not bool(REGISTRY[name].forms)


def commands() -> list[str]:
    names = []
    for verb in verbs():
        command = command_of(verb)
        group = command.commands if isinstance(command, click.Group) else {}
        names += [f"{verb} {name}" for name in group] or [verb]
    return names


@pytest.mark.parametrize("name", commands())
def test_the_manual_lists_every_verb(name: str) -> None:
    table = PAGE.read_text().partition("## Verbs")[2].partition("\n## ")[0]
    assert f"`{name}`" in table


DOCS = PAGE.parent
PAGES = [DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
_BLOCK = re.compile(r"^ *```([^\n`]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)


def _words(line: str) -> list[str]:
    """Split a command line, up to where the shell has something of its own."""
    words = shlex.split(line)
    return list(takewhile(lambda word: word[0:1] not in ("|", ">", "&", ";", "#"), words))


class _UnknownCommand(click.UsageError):
    """No verb, or nothing below it, has this name."""


def _parse(words: list[str]) -> None:
    """Parse a command line without running it. Raises `click.UsageError`."""
    command: click.Command = Verbs(name="railbird")
    context = click.Context(command)
    if words[0] == "help":
        words = [*words[1:], "--help"]
    if " ".join(words[:2]) in verbs():
        words = [" ".join(words[:2]), *words[2:]]
    while isinstance(command, click.Group) and words:
        name, *words = words
        found = command.get_command(context, name)
        if found is None and (default := getattr(command, "default", None)):
            found, words = command.commands[default], [name, *words]
        if found is None:
            raise _UnknownCommand(f"no command {name!r}")
        command = found
    if not isinstance(command, click.Group):
        command.make_context("railbird", words, parent=context)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_commands_are_run(page: Path) -> None:
    """What a page shows of a command's output is compared with it; the README repeats a page."""
    shown = [
        block.partition("\n")[0]
        for language, block in _BLOCK.findall(page.read_text())
        if block.startswith("$ ") and language != "console"
    ]
    assert shown == [] or page.name == "README.md"


def test_the_readme_shows_what_first_steps_does() -> None:
    (block,) = [text for _, text in _BLOCK.findall(PAGES[0].read_text()) if text.startswith("$ ")]
    command, *lines = block.splitlines()
    page = (DOCS / "first.md").read_text()
    assert command in page
    assert " ".join(lines) in " ".join(page.split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_other_commands_of_the_manual_parse(page: Path) -> None:
    """Those that need logs of one's own, a server or a terminal: options and their values."""
    wrong = []
    for language, block in _BLOCK.findall(page.read_text()):
        if language == "console":
            continue
        for line in block.replace("\\\n", " ").splitlines():
            if (line := line.strip()).startswith("railbird "):
                try:
                    _parse(_words(line)[1:])
                except click.ClickException as problem:
                    wrong.append(f"{line}: {problem.format_message()}")
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_in_sentences_have_such_options(page: Path) -> None:
    wrong = []
    for text in re.findall(r"`railbird ([a-z][^`]*)`", _BLOCK.sub("", page.read_text())):
        try:
            _parse(_words(text))
        except (click.NoSuchOption, _UnknownCommand) as problem:
            wrong.append(f"{text}: {problem}")
        except (click.UsageError, click.exceptions.Exit):
            pass  # a value is a placeholder or left out, or the option is --help
    assert wrong == []


def test_the_drawing_of_the_rooms_is_the_order_that_is_enforced() -> None:
    (contract,) = [
        each
        for each in tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["tool"][
            "importlinter"
        ]["contracts"]
        if each["type"] == "layers"
    ]
    layers = [set(layer.split(" | ")) for layer in contract["layers"]]
    drawing = _BLOCK.findall((DOCS / "inside.md").read_text())[0][1]
    lines = [re.split(r"\s{3,}", line.strip())[0] for line in drawing.splitlines()]
    drawn = [set(line.split(" · ")) for line in lines if not line.startswith("ACPC protocol")]
    flat = [room for line in drawn for room in sorted(line)]
    assert sorted(flat) == sorted(set().union(*layers))
    below = {room: depth for depth, layer in enumerate(layers) for room in layer}
    assert [below[room] for room in flat] == sorted(below[room] for room in flat)
