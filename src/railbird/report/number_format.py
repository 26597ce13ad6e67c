"""Formatting of numbers and names for any game, the same in pages, figures and the terminal."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from railbird._terminal_safe import visible
from railbird.units import counted as counted
from railbird.units import reasons_in_words

if TYPE_CHECKING:
    from railbird.cards import Card
    from railbird.estimates.bounded_mean import BoundedMean
    from railbird.estimates.estimate import Estimate

MINUS = "\N{MINUS SIGN}"
_MOST_TIMES = 10_000
"""Ratio of variances above which rounding and the values' own errors are all that is left."""
_AS_TEXT = "\N{VARIATION SELECTOR-15}"
THIN = "\N{NARROW NO-BREAK SPACE}"

TOO_FEW, ALL_ALIKE = "too few to say", "all alike"
"""Shown instead of an interval of few values, and of equal ones."""

SPECIAL_SOURCES = {"-": "standard input", "": "text"}
"""Sources of hands that are not files, by the names they are given."""

_NAME_LIMIT = 40
_LONGEST_FILE = 40
"""Characters of a file name that come from a name in a log."""


def display_name(name: str) -> str:
    r"""Make a name from a log safe to show: nothing invisible, nothing longer than 40 characters.

    Control characters could drive a terminal, and direction marks could reorder the page.

    >>> display_name("Mvb1"), display_name("a\x1b[31mb"), display_name("x" * 50)[-3:]
    ('Mvb1', 'a\ufffd[31mb', 'xx…')
    """
    shown = visible(name, layout="").strip()
    if not shown:
        return "(no name)"
    return shown if len(shown) <= _NAME_LIMIT else shown[: _NAME_LIMIT - 1] + "…"


def cards_text(cards: Iterable[Card]) -> str:
    """Show cards with suit symbols that stay text on a phone, which would draw pictures."""
    from railbird.cards import Suits, format_cards  # not needed by most of what imports this

    shown = (f"{format_cards((card,), suits=Suits.SYMBOLS)}{_AS_TEXT}" for card in cards)
    return THIN.join(shown)


def decimals_for(stderr: float) -> int:
    """Choose decimals so that a standard error is at least 3 in the last; 2 to 4 of them.

    >>> decimals_for(0.0292), decimals_for(0.4), decimals_for(0.0011), decimals_for(0.0)
    (3, 2, 4, 3)
    """
    if not math.isfinite(stderr) or stderr <= 0:
        return 3
    return min(4, max(2, math.ceil(math.log10(3 / stderr))))


def bounded_below(value: float, decimals: int) -> str:
    """Format a small positive value, or say that it is less than what the decimals show.

    >>> bounded_below(0.0123, 3), bounded_below(9.9e-9, 5), bounded_below(0.0, 5)
    ('0.012', 'under 0.00001', '0.00000')
    """
    least = 10.0**-decimals
    return f"under {least:.{decimals}f}" if 0 < value < least else number(value, decimals)


def number(value: float | None, decimals: int) -> str:
    r"""Format a value with a real minus sign and thousands separated; a dash where there is none.

    >>> print(*(ascii(number(x, 2)) for x in (-1234.5, -0.0001, None)))
    '\u22121,234.50' '0.00' '\u2013'
    """
    if value is None or not math.isfinite(value):
        return "\N{EN DASH}"
    text = f"{abs(value):,.{decimals}f}"
    negative = value < 0 and any(digit in text for digit in "123456789")
    return MINUS + text if negative else text


def times(value: float | None) -> str:
    """Format a ratio of variances, which means nothing any more where hardly any is left.

    >>> times(2.604), times(67_477_249.66)
    ('2.60', 'over 10,000')
    """
    if value is not None and math.isfinite(value) and value > _MOST_TIMES:
        return f"over {_MOST_TIMES:,}"
    return number(value, 2)


def signed(value: float | None, decimals: int) -> str:
    """Format like `number`, with a plus sign on positive numbers.

    >>> signed(0.031, 3), signed(0.0, 3)
    ('+0.031', '0.000')
    """
    text = number(value, decimals)
    return "+" + text if any(d in text for d in "123456789") and text[0] != MINUS else text


def interval(low: float, high: float, decimals: int) -> str:
    """Format a 95 % interval.

    >>> interval(0.0262, 0.0884, 3), interval(-math.inf, math.inf, 3)
    ('0.026 to 0.088', 'too few to say')
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return TOO_FEW
    return f"{number(low, decimals)} to {number(high, decimals)}"


def interval_of(estimate: Estimate | BoundedMean, decimals: int) -> str:
    """Format an estimate's 95 % interval, or the reason why there is none.

    >>> from railbird.estimates.estimate import estimate
    >>> interval_of(estimate([0.0] * 400), 3), interval_of(estimate([1.0, 2.0]), 3)
    ('all alike', 'too few to say')

    >>> from railbird.estimates.bounded_mean import BoundedMean
    >>> interval_of(BoundedMean.of([0, 0, 0, 0, 0], least=0, most=6, unit="money"), 2)
    '0.00 to 3.13'
    """
    low, high = estimate.interval()
    if estimate.stderr == 0 and math.isinf(high - low):  # values within bounds always have one
        return ALL_ALIKE
    return interval(low, high, decimals)


def with_interval(mean: Estimate | None) -> str:
    """Format a mean with its 95 % interval; a dash where there is none.

    >>> from railbird.estimates import Estimate
    >>> with_interval(Estimate(0.25, 0.01, 1000)), with_interval(None)
    ('+0.250 (0.230 to 0.270)', '–')
    """
    if mean is None:
        return "\N{EN DASH}"
    decimals = decimals_for(mean.stderr)
    return f"{signed(mean.value, decimals)} ({interval_of(mean, decimals)})"


def money_won(won: Mapping[str, float]) -> str:
    """Format amounts by currency, which is empty for chips; a dash if there are none.

    >>> money_won({"$": -195.0}), money_won({"": 25149.0}), money_won({})
    ('−$195.00', '+25,149 chips', '–')
    """
    amounts = []
    for currency, amount in won.items():
        text = signed(amount, 2 if currency else 0)
        sign = text[:1] if text[:1] in ("+", MINUS) else ""
        amounts.append(f"{sign}{currency}{text[len(sign) :]}" if currency else f"{text} chips")
    return ", ".join(amounts) or "\N{EN DASH}"


def skipped_words(skipped: Mapping[str, int]) -> str:
    """Return in words the skipped hands and the reasons; empty without any.

    >>> skipped_words({"hands given twice": 1200, "cut off": 1})
    'Skipped: 1,200 hands given twice, 1 cut off.'
    """
    reasons = reasons_in_words(skipped)
    return f"Skipped: {reasons}." if reasons else ""


def total(value: float) -> str:
    """Format an amount of many hands: whole from 100 up, one decimal below.

    >>> total(1130.42), total(3.25)
    ('1,130', '3.2')
    """
    return number(value, 0 if abs(value) >= 99.95 else 1)


def signed_total(value: float) -> str:
    """Format like `total`, with a plus sign on positive numbers."""
    return signed(value, 0 if abs(value) >= 99.95 else 1)


def about(count: float) -> str:
    """Round a number of hands to two digits, in words where it is astronomical.

    >>> about(41_832), about(7), about(3.2e6), about(float("inf"))
    ('42,000', '7', '3.2 million', 'more than a billion')
    """
    if not count < 1e9:
        return "more than a billion"
    rounded = count if count < 10 else float(f"{count:.1e}")
    if rounded >= 1e9:
        return "more than a billion"
    if rounded >= 1e6:
        return f"{rounded / 1e6:.3g} million"
    return f"{math.ceil(rounded):,}"


def percent(share: float, decimals: int = 1) -> str:
    r"""Format a share, with the narrow space that all percentages have.

    >>> print(ascii(percent(0.74622)), ascii(percent(1.0)), ascii(percent(0.07, 0)))
    '74.6\u202f%' '100.0\u202f%' '7\u202f%'
    """
    return f"{number(100 * share, decimals)}{THIN}%"


def chance(p: float) -> str:
    """Format a probability for a sentence.

    >>> chance(0.294), chance(0.012), chance(0.00001)
    ('29\u202f%', '1.2\u202f%', 'less than 0.1\u202f%')
    """
    if p < 0.001:
        return f"less than 0.1{THIN}%"
    return f"{100 * p:.{0 if p >= 0.1 else 1}f}{THIN}%"


def file_names(names: Sequence[str]) -> dict[str, str]:
    """Return the name of a file for each of some different names, without what a system refuses.

    >>> file_names(["Ann B.", "tight:nolimit", "ann b", "…"])
    {'Ann B.': 'Ann-B', 'tight:nolimit': 'tight-nolimit', 'ann b': 'ann-b-3', '…': '4'}
    """
    files: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        plain = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")[:_LONGEST_FILE]
        taken = {file.lower() for file in files.values()}
        same = not plain or plain.isdigit() or plain.lower() in taken
        files[name] = f"{plain}-{number}".strip("-") if same else plain
    return files


def file_name(source: str) -> str:
    """Name a source without its folders.

    >>> file_name("/home/me/logs/match.log.gz"), file_name("-"), file_name("")
    ('match.log.gz', 'standard input', 'text')
    """
    if source in SPECIAL_SOURCES:
        return SPECIAL_SOURCES[source]
    return display_name(source.replace("\\", "/").rsplit("/", 1)[-1])


def blinds_words(value: float | None, big_blind: int) -> str:
    """Return chips in big blinds, or nothing if the big blind is not known.

    >>> blinds_words(92.7, 10), blinds_words(-0.4, 100), blinds_words(5, 0)
    ('9.27 bb', '0.00 bb', '')
    """
    if not big_blind or value is None:
        return ""
    text = f"{abs(value) / big_blind:,.2f}"
    return f"−{text} bb" if value < 0 and text.strip("0.,") else f"{text} bb"
