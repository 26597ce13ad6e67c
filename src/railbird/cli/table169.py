"""``railbird odds table169``: every class of hands against every other, all-in before the flop."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from railbird import cards, odds, report
from railbird._files import replace_files
from railbird.cli._console import json_option, output, print_json, print_table, progress
from railbird.cli._hand_files import check_output, force_option
from railbird.cli._keyed_options import out_option
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import percent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_SHOWN: Final = 20


@click.command(name="table169")
@click.argument("hand", required=False)
@click.argument("other", required=False)
@click.option(
    "--against",
    metavar="RANGE",
    help="Sort the hands by their equity against this range instead of HAND's column.",
)
@out_option(
    "Write all 169 x 169 equities as .csv, or draw HAND's row as .png or .svg.",
    out=(".csv",),
    image=(".png", ".svg"),
)
@force_option
@json_option
def command(
    *,
    hand: str | None,
    other: str | None,
    against: str | None,
    out: Path | None,
    image: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Look up exact equities of classes of hands before the flop, HAND against OTHER or all others.

    Without a hand the classes are sorted by their equity against any hand or, with `--against`,
    against a range. All equities are exact, over every pair of holdings and all 1,712,304 boards of
    each pair.

    \b
    Examples:
      railbird odds table169 AKs 22
      railbird odds table169 AKs --out aks.png
      railbird odds table169 --against "top 10%"
      railbird odds table169 --out table169.csv
    """
    for file in filter(None, (out, image)):
        check_output(file, force=force)
    if image is not None and hand is None:
        raise BadInput(f"--out {image} draws the row of a hand; name it")
    if against is not None and hand is not None:
        raise BadInput("--against sorts all hands; allowed: --against or a hand")

    classes = [cards.parse_class(text) for text in (hand, other) if text is not None]
    weights = None if against is None else cards.range_from(against).weights
    with progress() as notify:
        matrix = odds.open_matrix(progress=notify)
        folded = odds.classes_matrix(matrix)
        equities = (
            odds.equities_against(weights, matrix) if not classes else folded.equity[classes[0]]
        )
    _write(folded, classes, out, image)
    if as_json:
        print_json(_json(folded, classes, equities, against))
        return
    if len(classes) == 2:
        _print_pair(folded, classes[0], classes[1])
    else:
        title = f"against {against}" if against else "against any hand"
        _print_sorted(
            equities, f"{cards.CLASS_NAMES[classes[0]]} against" if classes else f"best {title}"
        )
    for written in filter(None, (out, image)):
        output.print(str(written), soft_wrap=True)


def _json(
    folded: odds.ClassMatrix,
    classes: Sequence[int],
    equities: npt.NDArray[np.float64],
    against: str | None,
) -> dict[str, object]:
    table = folded.equity
    if len(classes) == 2:
        first, second = classes
        return {
            "table": {
                cards.CLASS_NAMES[first]: {cards.CLASS_NAMES[second]: float(table[first, second])}
            },
            "win": int(folded.wins[first, second]),
            "tie": int(folded.ties[first, second]),
            "lose": int(folded.wins[second, first]),
        }
    if classes:
        row = dict(zip(cards.CLASS_NAMES, equities.tolist(), strict=True))
        return {"table": {cards.CLASS_NAMES[classes[0]]: row}}
    import numpy as np

    order = [cards.CLASS_NAMES[hand_class] for hand_class in np.argsort(-equities, kind="stable")]
    result: dict[str, object] = {
        "against": against or "random",
        "order": order,
        "equity": dict(zip(cards.CLASS_NAMES, equities.tolist(), strict=True)),
    }
    if against is None:
        result["table"] = {
            name: dict(zip(cards.CLASS_NAMES, row.tolist(), strict=True))
            for name, row in zip(cards.CLASS_NAMES, table, strict=True)
        }
    return result


def _print_pair(folded: odds.ClassMatrix, first: int, second: int) -> None:
    rows = []
    for mine, theirs in ((first, second), (second, first)):
        boards = folded.boards[mine, theirs]
        rows.append(
            (
                cards.CLASS_NAMES[mine],
                percent(float(folded.wins[mine, theirs] / boards), 4),
                percent(float(folded.ties[mine, theirs] / boards), 4),
                percent(float(folded.equity[mine, theirs]), 4),
            )
        )
    print_table(Table(("hand", "wins", "ties", "equity"), rows))


def _print_sorted(equities: npt.NDArray[np.float64], title: str) -> None:
    """Print the first and the last classes, between them as many as a screen leaves out."""
    import numpy as np

    order = [
        hand_class
        for hand_class in np.argsort(-equities, kind="stable")
        if np.isfinite(equities[hand_class])
    ]
    rows = [
        (str(place), cards.CLASS_NAMES[hand_class], percent(float(equities[hand_class]), 4))
        for place, hand_class in enumerate(order, start=1)
    ]
    if len(rows) > 2 * _SHOWN:
        rows[_SHOWN:-_SHOWN] = [("…", "", "")]
    print_table(Table(("", "hand", "equity"), rows, title=title))


def _write(
    folded: odds.ClassMatrix, classes: Sequence[int], out: Path | None, image: Path | None
) -> None:
    """Write the files that are asked for, all or none."""
    files: dict[Path, bytes] = {}
    if out is not None:
        lines = [",".join(("hand", *cards.CLASS_NAMES))]
        for name, row in zip(cards.CLASS_NAMES, folded.equity.tolist(), strict=True):
            lines.append(",".join((name, *(f"{equity:.9f}" for equity in row))))
        files[out] = ("\n".join(lines) + "\n").encode()
    if image is not None:
        chart = report.odds.class_table_chart(
            folded.equity[classes[0]], cards.CLASS_NAMES[classes[0]]
        )
        files[image] = report.picture([chart], report.Image(image.suffix.lower()[1:]))
    if files:
        replace_files(files)
