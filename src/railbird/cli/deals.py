"""``railbird deals``: cards for anybody's arena, each deal played from every seat."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Final

import click

from railbird import cards, game
from railbird._files import replace_files
from railbird.cli._completion import OUTPUT_FILE, OneOf, Whole
from railbird.cli._console import json_option, output, print_json
from railbird.cli._hand_files import check_output, force_option
from railbird.errors import BadInput

_MOST: Final = 1_000_000


class _Form(Enum):
    KAGGLE = "kaggle"
    TEXT = "text"


@click.command(name="deals")
@click.option("--seats", type=Whole(2, 10), default=2, help="Players at the table.")
@click.option(
    "-n",
    "--count",
    type=Whole(1, _MOST),
    required=True,
    help="Number of deals; with --duplicate a multiple of the seats, and each deal is dealt once "
    "for every seat.",
)
@click.option("--duplicate", is_flag=True, help="Play each deal from every seat.")
@click.option(
    "--to",
    "form",
    type=OneOf([form.value for form in _Form]),
    default=_Form.KAGGLE.value,
    help="kaggle: the JSON of presetHands; text: a hand in each line, AhKd for each player, then "
    "the board.",
)
@click.option("-s", "--seed", type=Whole(0), default=0, help="The same seed deals the same cards.")
@click.option("-o", "--out", type=OUTPUT_FILE, help="File to write, by default the terminal.")
@force_option
@json_option
def command(
    *,
    seats: int,
    count: int,
    duplicate: bool,
    form: str,
    seed: int,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Deal hands for another arena to play.

    The players keep their seats and the button moves on by one after each hand, as in Kaggle's
    repeated_poker. With --duplicate every player gets the cards of every seat of each deal once, so
    that the luck of the deal cancels. assess recognises the copies by their cards. Copies are as
    far apart as possible.

    \b
    Examples:
      railbird deals --duplicate --seats 2 --count 50 --out preset.json
      railbird deals --duplicate --seats 6 --count 120 --to text
    """
    import numpy as np

    if duplicate and count % seats:
        raise BadInput(f"--count {count} at {seats} seats; allowed: a multiple of {seats}")
    if out is not None:
        check_output(out, inputs=(), force=force)
    rng = np.random.default_rng(seed)
    rows = (
        game.duplicate_deals(rng, seats, count)
        if duplicate
        else game.seeded_deals(rng, seats, count)
    )
    lines = _kaggle(rows.tolist()) if form == _Form.KAGGLE.value else _text(rows.tolist(), seats)
    if as_json and out is None:
        print_json({"hands": len(rows), "seats": seats, "out": None, "presetHands": rows.tolist()})
        return
    if out is None:
        for line in lines:
            output.print(line, soft_wrap=True, markup=False, highlight=False)
        return

    replace_files({out: "".join(f"{line}\n" for line in lines).encode()})
    if as_json:
        print_json({"hands": len(rows), "seats": seats, "out": str(out)})
    else:
        output.print(f"{len(rows):,} hands: {out}", soft_wrap=True)


def _kaggle(rows: list[list[int]]) -> Iterator[str]:
    """Yield the one line that the environment's configuration takes, or its file of presets."""
    yield json.dumps({"presetHands": rows}, separators=(",", ":"))


def _text(rows: list[list[int]], seats: int) -> Iterator[str]:
    """Yield a line for each hand: two cards for each player, then the board."""
    for row in rows:
        words = [cards.TEXT_OF_CARD[card] for card in row]
        held = ["".join(words[2 * seat : 2 * seat + 2]) for seat in range(seats)]
        yield " ".join([*held, "".join(words[2 * seats :])])
