"""What each format carries of a hand besides its cards and bets: formats by traits.

Each trait is a hand. A format that is written carries it (``yes``) if what it writes reads back
with the trait; it says that it cannot write it (``no``), or writes the hand without it (``lost``),
which is allowed of marks alone that change nobody's result at the table. A format that is only read
carries what its golden texts show, which the second table tells. Run as a script, this prints both.
"""

from __future__ import annotations

import dataclasses
import io
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from contracts.test_formats_contract import GOLDEN as TEXTS
from railbird.cards import holding_of, parse_cards
from railbird.game import Action, Betting, Call, Fold, Raise, payoffs, pots, replay
from railbird.histories import (
    FORMATS,
    HandRecord,
    ReadOptions,
    Skipped,
    WriteOptions,
    read,
    write,
)
from railbird.histories.betting import BettingReplay
from railbird.histories.format import MARKS
from railbird.histories.sites.replay import Posts, site_rules
from railbird.units import Chips

GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
CARDS = "AsKs QdQc 7h6h 2c2d"
BOARD = "Ah9d5c3sJd"


def chips(amounts: Sequence[int]) -> tuple[Chips, ...]:
    return tuple(map(Chips, amounts))


def hand(
    blinds: Sequence[int] = (50, 100, 0, 0),
    antes: Sequence[int] = (0, 0, 0, 0),
    stacks: Sequence[int] = (5000, 5000, 5000, 5000),
    last: int = 1,
    actions: Sequence[Action] = (Fold(), Raise(Chips(300)), Fold()),
) -> HandRecord:
    """A hand of four players in the rules of a site; after these actions all call and check."""
    posts = Posts(chips(blinds), chips(antes), small=0, last=last)
    rules = site_rules(Betting.NO_LIMIT, (Chips(50), Chips(100)), posts, stacks=chips(stacks))
    holes = tuple(holding_of(*parse_cards(cards)) for cards in CARDS.split())
    walk = BettingReplay(rules)
    for action in actions:
        walk.act(action)
    while walk.betting_is_open or walk.board_is_due:
        if walk.board_is_due:
            walk.deal()
        else:
            walk.act(Call())
    end = replay(rules, holes, parse_cards(BOARD), walk.actions)
    return HandRecord(
        rules=rules,
        players=("Ann", "Bo", "Cy", "Di"),
        holes=holes,
        board=tuple(parse_cards(BOARD)),
        actions=walk.actions,
        payoffs=payoffs(end),
        number=7,
    )


PLAIN: Final = hand()
ALL_IN: Final = hand(
    stacks=(700, 5000, 300, 5000),
    actions=(Raise(Chips(300)), Fold(), Raise(Chips(700))),
)


def raked(record: HandRecord) -> HandRecord:
    winner = max(range(4), key=record.payoffs.__getitem__)
    paid = [won - 20 * (seat == winner) for seat, won in enumerate(record.payoffs)]
    return dataclasses.replace(record, payoffs=tuple(paid))


def run_twice(record: HandRecord) -> HandRecord:
    again = tuple(parse_cards("Td8d8c4s4h"))
    ends = [
        payoffs(replay(record.rules, record.holes, board, record.actions))
        for board in (record.board, again)
    ]
    mean = tuple((one + two) / 2 for one, two in zip(*ends, strict=True))
    return dataclasses.replace(record, more_boards=(again,), payoffs=mean)


replace = dataclasses.replace
TRAITS: Final[dict[str, HandRecord]] = {
    "plain": PLAIN,
    "straddle": hand(blinds=(50, 100, 200, 0), last=2, actions=(Fold(), Fold())),
    "ante": hand(antes=(10, 10, 10, 10)),
    "late blind": hand(blinds=(50, 100, 0, 100)),
    "dead blind": hand(blinds=(50, 100, 0, 100), antes=(0, 0, 0, 50)),
    "side pots": ALL_IN,
    "unknown cards": replace(PLAIN, holes=(PLAIN.holes[0], None, None, PLAIN.holes[3])),
    "rake": raked(PLAIN),
    "run twice": run_twice(ALL_IN),
    "house": replace(PLAIN, house=(Fraction(30), Fraction(0), Fraction(-20), Fraction(0))),
    "money": replace(PLAIN, currency="$", denomination=Fraction(1, 100)),
    "tournament": replace(PLAIN, tournament=True),
    "play money": replace(PLAIN, play_money=True),
    "letters": replace(PLAIN, number=None, number_text="ab12CD"),
    "table": replace(PLAIN, table="Alba"),
}


def carried(format_name: str, trait: str) -> str:
    """Return whether a format carries a trait: yes, no or lost."""
    known = next(known for known in FORMATS if known.name == format_name)
    record = TRAITS[trait]
    assert known.write is not None
    pieces = list(known.write([record], WriteOptions()))
    if any(isinstance(piece, Skipped) for piece in pieces):
        return "no"
    options = ReadOptions(rules=record.rules if known.name == "irc" else None)
    back, *more = known.read(io.StringIO("".join(map(str, pieces))), options)
    assert isinstance(back, HandRecord), (format_name, trait, back)
    assert not more
    assert back.payoffs == record.payoffs, "nobody's result at the table is lost"
    assert (back.holes, back.more_boards, back.house) == (
        record.holes,
        record.more_boards,
        record.house,
    )
    marks = ("tournament", "play_money", "currency", "table", "number_text")
    return "yes" if all(getattr(back, m) == getattr(record, m) for m in marks) else "lost"


WRITTEN: Final = [known.name for known in FORMATS if known.write is not None]
READ: Final = [known.name for known in FORMATS if known.write is None]
CARRIED: Final = {
    "acpc": "yes no no yes no yes yes no no no lost lost lost lost lost",
    "poker-academy": "yes no no no no yes yes no no no lost lost lost lost yes",
    "phh": "yes yes yes yes yes yes yes yes yes yes yes yes yes yes yes",
    "ohh": "yes yes yes yes yes yes yes yes no no yes yes yes yes yes",
    "pokerstars": "yes yes yes yes yes yes yes yes no no yes yes yes yes yes",
    "irc": "yes no no yes no yes yes no no no lost lost lost lost lost",
    "line": "no no no no no no no no no no no no no no no",
}
"""By written format what becomes of each of `TRAITS`, in their order."""
SHOWN: Final = {
    "transcript": "",
    "kaggle": "",
    "ggpoker": "ante, dead blind, unknown cards, rake, money, tournament",
    "winamax": "ante, dead blind, side pots, unknown cards, rake, money, tournament",
    "partypoker": "dead blind, unknown cards, rake, money, tournament",
    "pacific": "ante, dead blind, side pots, unknown cards, rake, money, tournament",
    "ipoker": "ante, dead blind, unknown cards, rake, money, tournament",
    "full-tilt": "ante, unknown cards, rake, money, tournament",
    "bovada": "ante, side pots, rake, money, tournament",
    "winning": "ante, unknown cards, rake, money, tournament",
    "pokernow": "straddle, dead blind, unknown cards, run twice",
    "pokertracker": "ante, side pots, unknown cards, rake, money, tournament",
    "ongame": "ante, side pots, unknown cards, rake, money, tournament",
    "pkr": "ante, side pots, unknown cards, rake, money, tournament",
    "betonline": "ante, side pots, unknown cards, rake, money, tournament",
    "everleaf": "ante, side pots, unknown cards, rake, money, tournament",
    "absolute": "ante, side pots, unknown cards, rake, money, tournament",
    "poker-mavens": "side pots, unknown cards, rake",
    "kingsclub": "side pots, unknown cards, rake",
    "entraction": "ante, side pots, unknown cards, rake, money, tournament",
    "cake": "ante, side pots, unknown cards, rake, money, tournament",
    "unibet": "side pots, unknown cards, rake, money",
    "big-game": "straddle, dead blind, unknown cards, run twice, money",
    "merge": "ante, side pots, unknown cards, rake, money, tournament",
    "everest": "ante, side pots, unknown cards, rake, money, tournament",
    "boss": "ante, side pots, unknown cards, rake, money, tournament",
    "microgaming": "ante, side pots, unknown cards, rake, money, tournament",
}
"""By format that is only read the traits that its golden texts have."""


def shown(format_name: str) -> str:
    """Return the traits that the golden texts of a format have."""
    texts = [GOLDEN / name for name, _ in TEXTS[format_name]]
    hands = [item for text in texts for item in read(text) if isinstance(item, HandRecord)]
    return ", ".join(trait for trait, has in HAS.items() if any(map(has, hands)))


def antes(record: HandRecord) -> set[int]:
    return {*record.rules.antes}


def side_pots(record: HandRecord) -> bool:
    state = replay(record.rules, record.holes, record.board, record.actions)
    return sum(len(pot.seats) > 1 for pot in pots(state)) > 1


HAS: Final[dict[str, Callable[[HandRecord], object]]] = {
    "straddle": lambda record: record.rules.straddle,
    "ante": lambda record: len(antes(record)) == 1,
    "dead blind": lambda record: len(antes(record)) > 1,
    "side pots": side_pots,
    "unknown cards": lambda record: None in record.holes,
    "rake": lambda record: record.rake,
    "run twice": lambda record: record.more_boards,
    "house": lambda record: record.house,
    "money": lambda record: record.currency,
    "tournament": lambda record: record.tournament,
    "play money": lambda record: record.play_money,
}
"""Whether a hand that was read has a trait."""


@pytest.mark.parametrize("name", WRITTEN)
def test_what_a_written_format_carries(name: str) -> None:
    traits = [carried(name, trait) for trait in TRAITS]
    assert dict(zip(TRAITS, traits, strict=True)) == dict(
        zip(TRAITS, CARRIED[name].split(), strict=True)
    )


@pytest.mark.parametrize("name", WRITTEN)
def test_a_format_says_which_marks_it_loses(name: str, tmp_path: Path) -> None:
    known = next(known for known in FORMATS if known.name == name)
    marks = {"tournament": "tournament", "play money": "play_money", "money": "currency"}
    marks |= {"letters": "number_text", "table": "table"}
    for trait, mark in marks.items():
        fate = carried(name, trait)
        if fate != "no":
            assert (fate == "yes") is (mark in known.carries), trait
            said = write([TRAITS[trait]], tmp_path / "log", format_name=name).lost
            assert said == ({} if fate == "yes" else {MARKS[mark]: 1})


@pytest.mark.parametrize("name", READ)
def test_what_a_format_that_is_only_read_has_shown(name: str) -> None:
    assert shown(name) == SHOWN[name]


if __name__ == "__main__":
    put = sys.stdout.write
    for name in WRITTEN:
        put(f'    "{name}": "{" ".join(carried(name, trait) for trait in TRAITS)}",\n')
    for name in READ:
        put(f'    "{name}": "{shown(name)}",\n')
