"""Numbers of Kan (2007) that follow from others or from the cards, beside ours, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from statistics import NormalDist
from typing import Final

from railbird.assessment import HandScore, score_hand
from railbird.baseline import (
    AGGRESSIVENESS,
    STANDARD,
    break_even_fractions,
    derived_thresholds,
    exact,
    parse_settings,
)
from railbird.blackjack import Rules as BlackjackRules
from railbird.blackjack import hand_values, parse_shoe
from railbird.cards import CLASSES, DECK, HandClass, holdings_of_class, parse_cards, strength
from railbird.estimates import Estimate
from railbird.histories import read_hand
from railbird.odds import hand_odds, open_tables, pot_odds
from railbird.report import number_format
from railbird.report.charts import RowMark, rows
from railbird.report.document import Figure
from railbird_papers.framework.experiment import ExperimentResult
from railbird_papers.framework.figures import Drawing
from railbird_papers.framework.rows import Published, Row, compared
from railbird_papers.framework.workspace import Workspace

ALICE_V_BOB: Final = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBrC/bRrC/bC"
"""The first half of the source's duplicate pair (table 3.3)."""
BOB_V_ALICE: Final = "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCk/kBc/kBrC/bF"
"""The other half (table 3.4)."""

POTS: Final = (
    (
        "the example of a betting sequence (1.1)",
        "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlCrC/kK/bC/bRc",
        "16",
        "",
    ),
    ("Alice against Bob (1.2)", ALICE_V_BOB, "22", ""),
    ("Bob against Alice, who folds (1.2)", BOB_V_ALICE, "12", ""),
    (
        "Always-Call against Always-Raise (1, 4.2.1)",
        "T♠-6♠,J♦-5♦,T♦-5♥-T♥/2♦/2♥ SlRc/kBc/kBc/kBc",
        "7",
        "Each of the two puts in seven; the spread of 6.856 is of such pots.",
    ),
)
"""Hands, some with arbitrary cards, and the source's size of the pot at the end."""

STREETS: Final = ("preflop", "flop", "turn", "river")

HOLDINGS: Final = ("1225", "1081", "1035", "990")
"""Holdings of an opponent, by round."""

RANKS: Final = {
    "IHR of T♠6♠": ("0.3857", "0.9672", "0.9599", "0.9980"),
    "IHR of J♦5♦": ("0.4771", "0.8483", "0.8406", "0.7091"),
    "7cHR of T♠6♠": ("0.4894", "0.9273", "0.9378", "0.9980"),
    "7cHR of J♦5♦": ("0.4999", "0.6767", "0.7827", "0.7091"),
    "EHR of T♠6♠": ("0.4376", "0.9672", "0.9599", "0.9980"),
    "EHR of J♦5♦": ("0.4884", "0.8483", "0.8406", "0.7091"),
}
"""Both tables print the same ranks."""

EQUITIES: Final = {
    "3.3": {
        "actual": ("-0.1487", "2.7576", "5.7273", "11.0000"),
        "baseline": ("-0.1487", "3.6768", "5.7273", "11.0000"),
        "difference": ("0.0000", "-0.9192", "0.0000", "0.0000"),
    },
    "3.4": {
        "actual": ("-0.1487", "1.8384", "3.8182", "6.0000"),
        "baseline": ("-0.1487", "3.6768", "5.0909", "8.0000"),
        "difference": ("0.0000", "-1.8384", "-1.2727", "-2.0000"),
    },
}
"""AIE of player 1 by table and round."""

REDUCTIONS: Final = (
    ("first match (4.2.1)", ("6.856",), ("2.934",), "5.46", ""),
    ("second match (4.2.1)", ("6.856",), ("2.917",), "5.52", ""),
    ("400,000 hands (4.2.1)", ("6.856",), ("2.913",), "5.54", ""),
    ("PsOpti4 against itself (4.2.2)", ("4.691",), ("1.863",), "6.34", ""),
    ("PsOpti4 and PsOpti6 (4.2.3)", ("4.750", "4.747"), ("1.929", "1.932"), "6.05", ""),
    (
        "thecount, money's spread of the text (5.2)",
        ("5.576",),
        ("2.109",),
        "7.4",
        "With the 5.756 of figure 5.5 it is 7.4: two digits of the text have changed places.",
    ),
    ("thecount, money's spread of figure 5.5 (5.2)", ("5.756",), ("2.109",), "7.4", ""),
    ("Poki-X and PokerProbot (5.3.1)", ("4.680",), ("2.168",), "4.7", ""),
    ("Laak and PokerProbot (5.3.2)", ("3.2289",), ("2.081",), "2.4", ""),
)
"""Of each match: spreads of the money and of DIVAT as printed, and the printed reduction."""

TABLES_OF_2006: Final = {
    "5.1": {
        "Alberta": (("0.05", "0.72", "0.41"), "0.39"),
        "Bluffbot": (("-0.05", "0.53", "-0.19"), "0.10"),
        "Monash": (("-0.72", "-0.53", "1.17"), "-0.03"),
        "Teddy": (("-0.41", "0.19", "-1.17"), "-0.46"),
    },
    "5.2": {
        "Alberta": (("0.11", "0.18", "0.73"), "0.34"),
        "Bluffbot": (("-0.11", "0.12", "0.52"), "0.18"),
        "CMU": (("-0.18", "-0.12", "0.65"), "0.12"),
        "Monash": (("-0.73", "-0.52", "-0.65"), "-0.64"),
    },
}
"""Results of each program against the others, and the printed mean of them."""

TENS: Final = "A-9:10,T:55"
"""The shoe of section 2.4 that is rich in tens."""

_RIVER = "A misprint: T5 beats T6 too, and other tens tie."
_PREFLOP = "It prints the mean of both ranks; by its definition the EHR before the flop is 7cHR."
_TERMS = "The source rounds both terms before it subtracts."
_ROUNDED = "The mean of both ranks after they were rounded."


def perform(workspace: Workspace) -> ExperimentResult:
    """Compute all numbers; ``workspace`` is needed only for its progress."""
    tables = {"3.3": ALICE_V_BOB, "3.4": BOB_V_ALICE}
    scores = {name: score_hand(read_hand(text)) for name, text in tables.items()}
    all_rows = [
        *_sizes(),
        *_blackjack(),
        *_ranks(workspace),
        *_thresholds(),
        *_hand_ranks(scores["3.3"]),
        *(row for name, score in scores.items() for row in _equities(name, score)),
        _pair(scores),
        *_results(),
    ]
    drawings = tuple(_drawing(name, score) for name, score in scores.items())
    return ExperimentResult(
        hands=len(all_rows), noun="number", rows=tuple(all_rows), drawings=drawings
    )


def _exact(value: float, unit: str = "") -> Estimate:
    return Estimate(float(value), 0.0, 1, unit)


def _sizes() -> Iterator[Row]:
    """Yield the sizes of matches (chapter 1, 2.2) and of pots."""
    yield compared(
        "games of blackjack for 0.01 bets, at a standard deviation of 1.148 (2.2)",
        Published(text="52716"),
        _exact((2 * 1.148 / 0.01) ** 2, "games"),
        "At two standard errors, as the source has it.",
    )
    yield compared(
        "hours that these take at 500 an hour, in hundreds (2.2)",
        Published(text="1"),
        _exact(52_716 / 500 / 100, "hundred hours"),
    )
    yield compared(
        "hands of limit for 0.01 small bets, at a standard deviation of 5, in millions (1)",
        Published(text="1"),
        _exact((2 * 5 / 0.01) ** 2 / 1e6, "million hands"),
    )
    yield compared(
        "confidence after 100,000 hands at 0.026 ± 6.856, two-sided, in per cent (1)",
        Published(text="70"),
        _confidence(0.026, 6.856, 100_000),
        "What its numbers give. It says about, of a line outside the curve of one standard "
        "deviation, which is 68 %.",
    )
    for name, text, pot, note in POTS:
        # All chips in the pot are of both alike, so the winner wins half of it.
        won = abs(score_hand(read_hand(text)).money)
        yield compared(f"pot of {name}", Published(text=pot), _exact(2 * won, "small bets"), note)


def _confidence(mean: float, spread: float, hands: int) -> Estimate:
    z = mean / (spread / sqrt(hands))
    return _exact(100 * (2 * NormalDist().cdf(z) - 1), "%")


def _results() -> Iterator[Row]:
    """Yield what chapters 4 and 5 derive from the spreads and results that they print."""
    for name, money, divat, text, note in REDUCTIONS:
        ours = sum(float(sd) ** 2 for sd in money) / sum(float(sd) ** 2 for sd in divat)
        yield compared(f"variance reduction, {name}", Published(text=text), _exact(ours), note)
    yield compared(
        "confidence after 100,000 hands at 0.0295 ± 6.856, two-sided, in per cent (4.2.1)",
        Published(text="70"),
        _confidence(0.0295, 6.856, 100_000),
        "What the numbers of figure 4.1(b) give.",
    )
    yield compared(
        "confidence after 400,000 hands at 0.010 ± 4.691, two-sided, in per cent (4.2.2)",
        Published(text="68"),
        _confidence(0.010, 4.691, 400_000),
        "What its numbers give; 68 % is one standard deviation, and this line is beyond it.",
    )
    for make1, text in ((0.46, "54"), (0.70, "30")):
        yield compared(
            f"hands bet from a Make1 of {make1:.2f}, in per cent (4.3)",
            Published(text=text),
            _exact(100 * (1 - make1), "%"),
        )
    for name in AGGRESSIVENESS:
        make = parse_settings(name).streets[1].make
        value = exact(make[0])
        for bets, share in enumerate(break_even_fractions(2), start=1):
            value = 1 - share * (1 - value)
            misprinted = exact(make[bets]) != value
            yield compared(
                f"table 4.1, {name}: Make{bets + 1} by its Make1",
                Published(text=f"{make[bets]:.4f}"),
                _exact(float(value)),
                "A misprint; kept, as that is what was run." if misprinted else "",
            )
    for table, programs in TABLES_OF_2006.items():
        for program, (results, text) in programs.items():
            yield compared(
                f"table {table}: mean of {program}",
                Published(text=text),
                _exact(sum(map(float, results)) / len(results), "small bets"),
                "Its entries are rounded, too." if text == "-0.64" else "",
            )


def _blackjack() -> Iterator[Row]:
    """Yield the examples of section 2.4: four and five against the dealer's seven."""
    for shoe, hit, double, score in (
        (None, "0.1786", "0.1252", "-0.0534"),
        (TENS, "0.2388", "0.2911", "0.0523"),
    ):
        values = hand_values(
            (3, 4), 6, BlackjackRules(), shoe=None if shoe is None else parse_shoe(shoe)
        )
        assert values.double is not None
        where = "fresh shoe" if shoe is None else "shoe rich in tens"
        yield compared(f"{where}: hitting (2.4)", Published(text=hit), _exact(values.hit, "bets"))
        yield compared(
            f"{where}: doubling down (2.4)", Published(text=double), _exact(values.double, "bets")
        )
        gain = _exact(values.double - values.hit, "bets")
        yield compared(
            f"{where}: score of doubling down (2.4)",
            Published(text=score),
            gain,
            "" if shoe is None else _TERMS,
        )


def _ranks(workspace: Workspace) -> Iterator[Row]:
    """Yield the ranks of section 3.1.1, and the chances of 3.1.2."""
    strong = hand_odds("AcKc", "Kd9s2h")
    yield compared("IHR of A♣K♣ on K♦9♠2♥ (3.1.1)", Published(text="0.968548"), _exact(strong.ihr))
    yield compared(
        "7cHR of A♣K♣ on K♦9♠2♥ (3.1.1)",
        Published(text="0.884692"),
        _exact(strong.hr7),
        "A misprint of one digit.",
    )
    board = parse_cards("Kd9s2h")
    known = (*parse_cards("AcKc"), *board)
    own = strength(known)
    others = combinations([card for card in DECK if card not in known], 2)
    rival_strengths = [strength((*rival, *board)) for rival in others]
    for name, text, ways in (
        ("behind", "28", sum(rival_strength > own for rival_strength in rival_strengths)),
        ("tied", "6", sum(rival_strength == own for rival_strength in rival_strengths)),
        ("ahead", "1044", sum(rival_strength < own for rival_strength in rival_strengths)),
    ):
        yield compared(
            f"ways in which A♣K♣ is {name} on K♦9♠2♥ (3.1.1)",
            Published(text=text),
            _exact(ways, "ways"),
            "Its own list adds up to 31." if name == "behind" else "",
        )
    weak = hand_odds("3c2c", "KsTh7d")
    for name, text, value in (
        ("IHR", "0.0042", weak.ihr),
        ("7cHR", "0.1507", weak.hr7),
        ("EHR", "0.0775", weak.ehr),
    ):
        yield compared(
            f"{name} of 3♣2♣ on K♠T♥7♦ (3.1.1)",
            Published(text=text),
            _exact(value),
            _ROUNDED if name == "EHR" else "",
        )
    for street, seen, text in zip(STREETS, (2, 5, 6, 7), HOLDINGS, strict=True):
        yield compared(
            f"holdings that an opponent can have, {street} (3.1.1)",
            Published(text=text),
            _exact(comb(52 - seen, 2), "holdings"),
        )
    tables = open_tables(progress=workspace.progress)
    yield compared(
        "7cHR of A♠A♦ before the flop (3.1.1)",
        Published(text="0.8520"),
        _exact(hand_odds("AsAd", tables=tables).hr7),
    )
    classes = (
        hand_odds(holdings_of_class(HandClass(class_number))[0], tables=tables)
        for class_number in range(CLASSES)
    )
    yield compared(
        "hands that a threshold of 0.333 folds before the flop (3.1.2)",
        Published(text="2"),
        _exact(sum(odds.raw_odds < 1 / 3 for odds in classes), "classes"),
    )
    for hole, text, note in (
        ("3c2d", "32.3", ""),
        ("4c3d", "33.2", "The hand of 33.2 % is 4-2 offsuit."),
        ("4c2d", "33.2", "What the source calls 4-3 offsuit."),
        ("7c2d", "34.58", ""),
    ):
        name = f"{hole[0]}-{hole[2]} offsuit wins against any hand, in per cent (3.1.2)"
        chance = _exact(100 * hand_odds(hole, tables=tables).raw_odds, "%")
        yield compared(name, Published(text=text), chance, note)


def _thresholds() -> Iterator[Row]:
    """Yield the pot odds of 3.1.2, and the bet thresholds that follow from each other.

    Suppose a player bets a hand that the best x of a caller's hands beat, and the best x r of them
    raise. The bet wins one from the hands behind, loses one to those that call, and two to those
    that raise: 0 = (1 - x) - x (1 - r) - 2 x r, so that x = 1 / (2 + r) (equations 3.4 to 3.7).
    Without raises r is 0.
    """
    yield compared(
        "fold threshold of a bet of 10 into a pot of 50 (3.1.2)",
        Published(text="0.167"),
        _exact(pot_odds(10, 50)),
    )
    share = 0.0
    for bets, text in enumerate(("0.5", "0.4", "0.417"), start=1):
        share = 1 / (2 + share)
        yield compared(
            f"share of the calling hands worth a bet, {bets - 1} raises to come (3.1.2)",
            Published(text=text),
            _exact(share, "share"),
        )
    for where, street, folded in (
        ("before the river", 1, Fraction(0)),
        ("on the river", 3, Fraction(1, 7)),
    ):
        derived = derived_thresholds(folded=folded, decimals=2)
        for bets, (printed, value) in enumerate(
            zip(STANDARD.streets[street].make, derived, strict=True), start=1
        ):
            yield compared(
                f"table 3.2: Make{bets} {where}, {folded} of the hands folding",
                Published(text=f"{printed:.3f}"),
                _exact(float(value)),
                "The first is rounded down to two digits, the others follow." if bets == 1 else "",
            )


def _hand_ranks(score: HandScore) -> Iterator[Row]:
    ours = {
        name: [ranks[player] for ranks in by_round]
        for rank, by_round in (
            ("IHR", [row.ihr for row in score.rounds]),
            ("7cHR", [row.hr7 for row in score.rounds]),
            ("EHR", [row.ehr for row in score.rounds]),
        )
        for player, name in enumerate((f"{rank} of T♠6♠", f"{rank} of J♦5♦"))
    }
    for name, printed in RANKS.items():
        for street, text, value in zip(STREETS, printed, ours[name], strict=True):
            note = _RIVER if text == "0.9980" else ""
            if name.startswith("EHR") and street == "preflop":
                note = _PREFLOP
            name_of = f"tables 3.3 and 3.4, {street}: {name}"
            yield compared(name_of, Published(text=text), _exact(value), note)


def _equities(table: str, score: HandScore) -> Iterator[Row]:
    for name, printed in EQUITIES[table].items():
        for street, text, row in zip(STREETS, printed, score.rounds, strict=True):
            ours = _exact(getattr(row.aie, name), "small bets")
            yield compared(f"table {table}, {street}: AIE, {name}", Published(text=text), ours)
    total = sum(row.aie.difference for row in score.rounds)
    printed_total = {"3.3": "-0.9192", "3.4": "-5.1111"}[table]
    yield compared(
        f"table {table}: AIE difference of the hand",
        Published(text=printed_total),
        _exact(total, "small bets"),
        "The text gives it to the other player, with the sign turned." if table == "3.4" else "",
    )


def _pair(scores: Mapping[str, HandScore]) -> Row:
    first, second = (
        sum(row.aie.difference for row in scores[table].rounds) for table in ("3.3", "3.4")
    )
    return compared(
        "AIE difference of Alice over the pair of hands (3.4)",
        Published(text="4.1919"),
        _exact(first - second, "small bets"),
    )


def _drawing(table: str, score: HandScore) -> Drawing:
    """Draw the differences by round, by all-in equity as printed and by roll-outs."""
    values = [
        {
            "row": f"{street}, {name}",
            "value": value,
            "low": None,
            "high": None,
            "shown": number_format.signed(value, 4),
            "interval": "exact",
        }
        for street, row in zip(STREETS, score.rounds, strict=True)
        for name, value in (("AIE", row.aie.difference), ("ROE", row.roe.difference))
    ]
    words = "; ".join(f"{value['row']} {value['shown']}" for value in values)
    return Drawing(
        figure=Figure(
            name=f"table-{table}",
            title=f"The hand of table {table}, round by round",
            words=f"DIVAT differences of player 1 in small bets: {words}.",
            note="By all-in equity, as the source works it out, and by roll-outs, which have no "
            "bias.",
            chart=rows(
                values,
                mark=RowMark.BAR,
                amount="small bets",
                colours=["money" if "AIE" in str(value["row"]) else "skill" for value in values],
            ),
        ),
        data={},
        subtitle=ALICE_V_BOB if table == "3.3" else BOB_V_ALICE,
    )
