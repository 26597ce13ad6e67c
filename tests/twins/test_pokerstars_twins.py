"""The one reader of sites' texts against the reader that PokerStars had, on 100,000 hands.

They are real ones, ones written from real logs of other formats, and both with one or two things
changed: a line dropped, doubled or exchanged, a number, a word or a sign. What both accept is the
same in every field; what one alone accepts is named below, and so are other reasons for a refusal.
"""

from __future__ import annotations

import dataclasses
import random
import re
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from railbird.game import Betting
from railbird.histories import HandRecord, ReadOptions, Skipped, WriteOptions, format_named, read
from twins import slow_pokerstars

GOLDEN = Path(__file__).parents[1] / "golden" / "histories" / "stars.txt"
START = re.compile(r"^\ufeff?(?=PokerStars |Full Tilt |Run It|PokerBros|PokerMaster)", re.MULTILINE)
NUMBER = re.compile(r"[0-9][0-9.,]*")
NUMBERS = ["0", "1", "2", "5", "10", "12", "100", "0.05", "1.50", "1,000"]
WORDS = ["", "folds", "calls", "checks", "raises", "bets", "x"]
SIGNS = ["", ":", " ", "[", "]", "(", "$", "-"]
EACH, BATCHES = 4_000, 25
FIELDS = [field.name for field in dataclasses.fields(HandRecord)]

NOW_REFUSED = re.compile(
    r"not a rank|not a suit|cards instead of|shows other cards|comes twice|with a card of the board"
    r"|a small blind of .*, by the stakes|plays without a seat|another player sits|^'\*\*\* "
    r"|the button is in|posts the same twice|run twice|small blind of 0"
    r"|: calls'$|: checks |: bets .* to |: raises [^ ]+(?: and is all-in)?'$"
    r"|does not continue the board"
    r"|^'(?:bets|calls|raises|posts) "
)
"""Cards between brackets and blinds that are none, which were passed over, half actions, and a
street whose bracket does not close."""
NOW_READ = re.compile(
    r"has no seat|\((?:button|small blind|big blind)\)|collected|won|does not continue the board"
    r"|raises by|where .* is due|less than a chip|posts '|^'(?:folds|calls|checks)"
    r"|not a rank|not a suit"
    r"|neither acts nor sits out|total pot|cannot raise to"
    r"|: +(?:shows|doesn't|mucks|folds|checks|calls|bets|raises|posts)"
    r"|\*\*\* (?:FLOP|TURN|RIVER)"
    r"|sells the hand to the house|run twice|adds money"
)
"""Spellings that other sites have, amounts of a raise that other programs mean, and cards that do
not read, where a bracket has not two: they stay unknown."""


@cache
def texts(shared_data: Path) -> list[str]:
    """Real hands, each with its end."""
    paths = [GOLDEN, *sorted((shared_data / "sites" / "pokerstars").glob("*.txt"))]
    for folder in ("faults-3", "faults-5"):
        paths += sorted((shared_data / folder).glob("ps-*.txt"))
    contents = [path.read_text(encoding="utf-8-sig", errors="replace") for path in paths]
    for name in ("limit3p", "nolimit2p", "nolimit3p"):
        log = read(shared_data / "acpc_loopback" / f"{name}.log")
        records = [hand for hand in islice(log, 200) if isinstance(hand, HandRecord)]
        write = format_named("pokerstars").write
        assert write is not None
        contents += [text for text in write(records, WriteOptions()) if isinstance(text, str)]
    hands = [text for content in contents for text in START.split(content) if text.strip()]
    return [f"{hand.rstrip()}\n\n\n" for hand in hands]


def changed(rng: random.Random, text: str) -> str:
    """The text with one thing changed."""
    lines = text.split("\n")
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    line = lines[place]
    match rng.choice(["drop", "double", "exchange", "number", "number", "word", "sign"]):
        case "drop":
            del lines[place]
        case "double":
            lines.insert(place, lines[other])
        case "exchange":
            lines[place], lines[other] = lines[other], line
        case "number" if numbers := list(NUMBER.finditer(line)):
            start, end = rng.choice(numbers).span()
            new = rng.choice([*NUMBERS, f"{line[start:end]}0", f"{line[start:end]}.5"])
            lines[place] = line[:start] + new + line[end:]
        case "word":
            words = line.split(" ")
            word = rng.randrange(len(words))
            words[word] = rng.choice(
                [*WORDS, words[word].lower(), words[word][:-1], rng.choice(words)]
            )
            lines[place] = " ".join(words)
        case _ if line:
            start = rng.randrange(len(line))
            lines[place] = line[:start] + rng.choice(SIGNS) + line[start + rng.randrange(2) :]
    return "\n".join(lines)


def difference(old: HandRecord | Skipped, new: HandRecord | Skipped) -> str:
    """In what the readers differ; empty where they agree or should not.

    A card with a sign behind it is read now, so that one more hole may be known. In limit, stakes
    that are not one to two were believed for streets that the hand did not reach. A hand whose
    first line stands at the end of another was placed a line too high behind an empty line.
    """
    if isinstance(old, HandRecord) and isinstance(new, HandRecord):
        rules, source = old.rules, old.source
        if rules.betting is Betting.LIMIT and len(old.board) <= 3:
            rules = dataclasses.replace(rules, bet_sizes=new.rules.bet_sizes)
        if source is not None and new.source is not None and source.line + 1 == new.source.line:
            source = new.source
        if source is not None and new.source is not None:  # who dealt a hand is read now
            source = source._replace(site=new.source.site, capped=new.source.capped)
        old = dataclasses.replace(old, rules=rules, source=source)
        fields = [name for name in FIELDS if getattr(old, name) != getattr(new, name)]
        return ", ".join(name for name in fields if name not in ("holes", "low_first"))
    if isinstance(old, Skipped) and isinstance(new, Skipped):
        return "" if new.line - old.line in (0, 1) else f"lines {old.line} and {new.line}"
    if isinstance(new, Skipped):
        return "" if NOW_REFUSED.search(new.detail) else f"refused: {new.detail}"
    return "" if isinstance(old, Skipped) and NOW_READ.search(old.detail) else f"read: {old}"


def compare(text: str) -> tuple[int, int]:
    """Numbers of hands that both accept, and that they judge with the same reason."""
    lines = text.splitlines(keepends=True)
    old = list(slow_pokerstars.read(lines, ReadOptions()))
    new = list(format_named("pokerstars").read(lines, ReadOptions()))
    if len(old) != len(new):  # what stands before the first hand's line, or behind an end
        assert not any(isinstance(item, HandRecord) for item in (*old, *new)[1:]), text
        return 0, 0
    for one, two in zip(old, new, strict=True):
        assert not difference(one, two), f"{difference(one, two)}\n{text}"
    pairs = list(zip(old, new, strict=True))
    both = [pair for pair in pairs if all(isinstance(item, HandRecord) for item in pair)]
    alike = [pair for pair in pairs if len({getattr(item, "reason", None) for item in pair}) == 1]
    return len(both), len(alike)


def test_real_hands_are_read_alike(shared_data: Path) -> None:
    accepted = [compare(text)[0] for text in texts(shared_data)]
    assert sum(accepted) > 600


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(BATCHES))
def test_changed_hands_are_read_alike(shared_data: Path, seed: int) -> None:
    rng = random.Random(seed)
    real = texts(shared_data)
    accepted = alike = 0
    for _ in range(EACH):
        text = changed(rng, rng.choice(real))
        both, same = compare(changed(rng, text) if rng.random() < 0.25 else text)
        accepted += both
        alike += same
    assert accepted > EACH // 5
    assert alike > 0.97 * EACH
