"""The manual's table of variants is made from their data, and of the verbs that play them.

``PYTHONPATH=tests python tests/contracts/test_variant_table.py`` writes it anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click
import pytest

from helpers.command_line import call
from measure import options
from railbird import arena, histories
from railbird.cards import HOLDEM, REFUSED, VARIANTS, PotShare, StreetDeal, Variant
from railbird.game import in_variant, pot_limit_holdem
from railbird.histories.sites.other_games import READ as NAMED

PAGE = Path(__file__).parents[2] / "docs" / "other-games.md"
TABLE = re.compile(r"(<!-- variants -->\n).*?(<!-- end of variants -->)", re.DOTALL)
KINDS = ("down", "up", "board")
READ_BY: Final = {
    "assess": (),
    "convert": (),
    "hand": (),
    "report": ("--player", "random"),
    "stats": (),
}
"""Verbs that read logs of other games, and what else they are given here."""


def _street(street: StreetDeal) -> str:
    words = [f"discard {street.discard}"] if street.discard else []
    words += [f"{getattr(street, kind)} {kind}" for kind in KINDS if getattr(street, kind)]
    return " ".join(words + ([f"draw {street.draw}"] if street.draw else []))


def _share(share: PotShare) -> str:
    words = share.ranking.value
    if share.qualifier is not None:
        words = f"{share.qualifier} or better"
    return f"{words}, two own cards" if share.use == 2 else words


def _pot(variant: Variant) -> str:
    words = "; ".join(_share(share) for share in variant.shares)
    return f"{words}; {variant.boards} boards" if variant.boards > 1 else words


def _verbs() -> list[str]:
    return [
        verb
        for verb, command in sorted(options.commands().items())
        if any(
            isinstance(option, click.Option) and "--variant" in option.opts
            for option in command.params
        )
    ]


def _verbs_of(variant: Variant) -> str:
    if variant is HOLDEM:
        return "all"
    return ", ".join(f"`{verb}`" for verb in _verbs())


def _logs_of(variant: Variant) -> str:
    if variant is HOLDEM:
        return "all"
    return ", ".join(f"`{verb}`" for verb in READ_BY)


def _texts_of(variant: Variant) -> str:
    """Which sites' texts are read, as `named_game` knows their names for games."""
    if variant is HOLDEM:
        return "all"
    if variant.counted_as not in NAMED:
        return "–"
    if variant.discards or variant.name == "a5-triple":
        return "Full Tilt"
    if not variant.board_sizes[-1]:
        return "PokerStars, Full Tilt"
    return "all" if variant.boards == 1 else "PokerStars"


def rows() -> list[str]:
    """A row for each variant."""
    return [
        "| `--variant` | dealt, street by street | shares of the pot | usually | players "
        "| verbs | of logs | texts |",
        "|---|---|---|---|--:|---|---|---|",
        *(
            f"| `{name}` | {'; '.join(map(_street, variant.streets))} | {_pot(variant)} "
            f"| {variant.betting} | {variant.most_players} | {_verbs_of(variant)} "
            f"| {_logs_of(variant)} | {_texts_of(variant)} |"
            for name, variant in VARIANTS.items()
        ),
    ]


def _written(text: str) -> str:
    return TABLE.sub(lambda table: "\n".join([table[1], *rows(), "", table[2]]), text)


def test_the_manual_has_every_variant_and_what_it_can_do() -> None:
    text = PAGE.read_text("utf-8")
    assert TABLE.search(text)
    assert text == _written(text)


@pytest.mark.slow(but=["omaha-hilo"])
@pytest.mark.parametrize(
    "name",
    [name for name, variant in VARIANTS.items() if variant is not HOLDEM],
)
def test_verbs_of_logs_read_every_game_that_is_dealt(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rules = in_variant(pot_limit_holdem(2, blinds=(1, 2), stack=50), VARIANTS[name])
    match = arena.Match(players=("always-call", "random"), rules=rules, deals=3)
    log = tmp_path / "log.phhs"
    histories.write(arena.hands(match), log)
    for verb, options_given in READ_BY.items():
        copy = [str(tmp_path / "copy.phhs")] if verb == "convert" else []
        code, _, err = call(capsys, verb, str(log), *options_given, *copy)
        assert code == 0, f"{verb}: {err}"


def test_the_manual_names_what_is_refused() -> None:
    text = PAGE.read_text("utf-8")
    for name in REFUSED:
        assert f"`{name}`" in text


if __name__ == "__main__":
    PAGE.write_text(_written(PAGE.read_text("utf-8")), "utf-8")
