"""Every reader against a slow reading of the money lines, on texts as they are and mutated.

A figure is changed, a comma, dot or blank set, taken away or exchanged, a line dropped or doubled.
What a reader then still accepts must have the payoffs that the text states.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from railbird.histories import HandRecord, ReadOptions, Skipped, format_named
from twins.slow_money_lines import Unclear, contradiction, money_of, money_of_xml

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
FILES = {
    "pokerstars": "stars.txt",
    "ggpoker": "ggpoker.txt",
    "winamax": "winamax.txt",
    "partypoker": "partypoker.txt",
    "pacific": "pacific.txt",
    "full-tilt": "full_tilt.txt",
    "ipoker": "ipoker.xml",
}
FOLDERS = {"full-tilt": "fulltilt"}
DOTS = ("pokerstars", "pacific")
"""Sites of which a dot before three digits separates thousands."""
WHOLE_CHIPS = {
    "ggpoker": Decimal(2),
    "partypoker": Decimal(1),
    "winamax": Decimal(2),
}
"""Chips that a site's tournaments round away."""
FEW = 150
MANY = 3_500


def read_text(site: str, text: str) -> list[HandRecord | Skipped]:
    lines = text.splitlines(keepends=True)
    return list(format_named(site).read(lines, ReadOptions()))


def hands_in(site: str, path: Path) -> Iterator[str]:
    """Cut a file into the texts of the hands that the reader accepts."""
    content = path.read_bytes()
    for encoding in ("utf-8-sig", "utf-16" if content[:2] == b"\xff\xfe" else "cp1252"):
        try:
            text = content.decode(encoding)
            break
        except UnicodeError:
            continue
    else:
        return
    if site == "ipoker":
        texts = [
            f"{session.partition('<game ')[0]}{game}"
            for session in re.findall(r"(?s)<session.*?</session>", text)
            for game in re.findall(r"(?s)<game .*?</game>", session)
        ]
    else:
        items = read_text(site, text)
        places = [
            item.line if isinstance(item, Skipped) else item.source.line if item.source else 1
            for item in items
        ]
        lines = text.splitlines(keepends=True)
        ends = [*places[1:], len(lines) + 1] if places else []
        texts = ["".join(lines[a - 1 : b - 1]) for a, b in zip(places, ends, strict=True)]
    for one in texts:
        found = read_text(site, one)
        if len(found) == 1 and isinstance(found[0], HandRecord):
            yield one if one.endswith("\n") else f"{one}\n"


def fault(site: str, text: str, hand: HandRecord) -> str:
    """Return how the text contradicts a hand read from it. Raises `Unclear`."""
    chip = WHOLE_CHIPS.get(site, Decimal(0)) if not hand.currency else Decimal(0)
    unit = hand.denomination
    payoffs = {
        player: Decimal((chips * unit).numerator) / Decimal((chips * unit).denominator)
        for player, chips in zip(hand.players, hand.payoffs, strict=True)
    }
    money = money_of_xml(text) if site == "ipoker" else money_of(text, dots=site in DOTS)
    return contradiction(money, payoffs, chip=chip)


def mutated(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    kind = rng.choice(["figure", "set", "take", "exchange", "drop", "double"])
    if kind in ("drop", "double"):
        place = rng.randrange(1, len(lines))
        lines[place : place + 1] = [] if kind == "drop" else [lines[place]] * 2
        return "".join(lines)
    with_digits = [place for place, line in enumerate(lines) if re.search("[0-9]", line)]
    place = rng.choice(with_digits)
    line = lines[place]
    digits = [match.start() for match in re.finditer("[0-9]", line)]
    marks = [match.start() for match in re.finditer("(?<=[0-9])[.,](?=[0-9])", line)]
    at = rng.choice(marks if marks and kind in ("take", "exchange") else digits)
    new = {"figure": rng.choice("0123456789"), "set": rng.choice(",. ") + line[at], "take": ""}
    lines[place] = line[:at] + new.get(kind, rng.choice(",.")) + line[at + 1 :]
    return "".join(lines)


def contradicted(site: str, texts: list[str], times: int) -> tuple[int, list[tuple[str, str]]]:
    """Return how many mutated texts were accepted, and those with contradicted payoffs."""
    rng, accepted, wrong = random.Random(7), 0, list[tuple[str, str]]()
    for _ in range(times):
        text = mutated(rng.choice(texts), rng)
        items = read_text(site, text)
        if len(items) != 1 or not isinstance(items[0], HandRecord):
            continue
        accepted += 1
        try:
            if why := fault(site, text, items[0]):
                wrong.append((text, why))
        except Unclear:
            continue
    return accepted, wrong


def judged(site: str, paths: list[Path]) -> list[str]:
    """Return the texts that the slow reading understands, after comparing it with the reader."""
    texts = list[str]()
    for path in paths:
        for text in hands_in(site, path):
            (hand,) = read_text(site, text)
            assert isinstance(hand, HandRecord)
            try:
                assert not fault(site, text, hand), path.name
            except Unclear:
                continue
            texts.append(text)
    return texts


@pytest.mark.parametrize("site", FILES)
def test_no_payoff_that_the_text_contradicts(site: str) -> None:
    texts = judged(site, [GOLDEN / FILES[site]])
    accepted, wrong = contradicted(site, texts, FEW)
    assert accepted > FEW // 10
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("site", FILES)
def test_no_payoff_that_real_texts_contradict(site: str, shared_data: Path) -> None:
    folder = shared_data / "sites" / FOLDERS.get(site, site)
    real = sorted(folder.iterdir()) if folder.is_dir() else []
    texts = judged(site, [GOLDEN / FILES[site], *real])
    accepted, wrong = contradicted(site, texts, MANY)
    assert accepted > MANY // 10
    assert not wrong
