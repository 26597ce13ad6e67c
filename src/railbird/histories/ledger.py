"""Who owes whom after a game: each player's winnings, and the fewest payments that settle them.

People whose results sum to zero can settle among themselves with one payment fewer than there are
people. So the fewest payments come from the division into the most such groups. To find it is
NP-hard (Verhoeff 2004, *Settling multiple debts efficiently*, Informatics in Education 3, 105-126).
If one person owes exactly what another is owed, the first may always pay the second: exchanging
partners loses no group. For the rest the subsets are enumerated, up to twenty people. With more
people, the one who owes most pays the one who is owed most. That takes fewer payments than there
are people, but perhaps not the fewest.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Final

import numpy as np

from railbird._arguments import check_commas, checked
from railbird._display import HasTable, table_of
from railbird.errors import BadInput
from railbird.histories.columns import UNKNOWN, HandBatch
from railbird.histories.sites.bovada import POSITION

if TYPE_CHECKING:
    import polars as pl

ENUMERATED: Final = 20
"""People for whom every subset is looked at: a million."""

_RESULT: Final = re.compile(r"(.*\S)\s+([+-]?\d{1,13}(?:\.\d{1,6})?)", re.ASCII)
_THOUSANDS: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}$|[+-]\d{1,3}\s+\d{3}$", re.ASCII)
"""Amounts in which a point or a blank may separate thousands."""
_EXAMPLE: Final = "Ann +12.50"
_CENTS: Final = 100
_MOST: Final = 10**15
"""Of the sum of amounts in cents, so that 64 bits have any sum of them."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment of one player to another."""

    payer: str
    payee: str
    amount: Fraction
    """In hundredths."""

    def as_json(self) -> dict[str, object]:
        """Return the fields."""
        return {"from": self.payer, "to": self.payee, "amount": float(self.amount)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement(HasTable):
    """Payments after which nobody owes anything."""

    payments: tuple[Payment, ...]
    is_fewest: bool
    """True if no fewer payments do; else there may be."""
    is_rounded: bool
    """True if a result was no whole number of hundredths."""

    def to_polars(self) -> pl.DataFrame:
        """Return a row for each payment."""
        return table_of(payment.as_json() for payment in self.payments)


@checked
def settle(results: Mapping[str, Fraction]) -> Settlement:
    """Return who pays whom; ``results`` are each player's winnings, negative for losses.

    Amounts are rounded to hundredths so that their sum stays zero. Raises `BadInput`
    for results that do not sum to zero, or of more than ten million million.

    >>> results = {"Ann": Fraction(25, 2), "Bob": Fraction(-15, 2), "Cid": Fraction(-5)}
    >>> for each in settle(results).payments:
    ...     print(each.payer, "pays", each.payee, each.amount)
    Bob pays Ann 15/2
    Cid pays Ann 5
    """
    if total := sum(results.values(), Fraction(0)):
        raise BadInput(f"results that sum to {float(total):+,.2f}; allowed: to zero")
    if sum(map(abs, results.values())) * _CENTS > _MOST:
        raise BadInput(f"results of more than {_MOST // _CENTS:,}; allowed: less")
    cents = _in_cents(results)
    pairs, rest = _pairs({name: owed for name, owed in cents.items() if owed})
    enumerated = len(rest) <= ENUMERATED
    groups = _most_groups(rest) if enumerated else [rest]
    payments = [payment for group in (*pairs, *groups) for payment in _payments(group)]
    return Settlement(
        payments=tuple(payments),
        is_fewest=enumerated,
        is_rounded=any(Fraction(cents[name], _CENTS) != of for name, of in results.items()),
    )


def _in_cents(results: Mapping[str, Fraction]) -> dict[str, int]:
    """Round down, and up again where most is left, so that the sum is still zero."""
    cents = {name: floor(of * _CENTS) for name, of in results.items()}
    left = {name: of * _CENTS - cents[name] for name, of in results.items()}
    for name in sorted(left, key=lambda name: -left[name])[: -sum(cents.values())]:
        cents[name] += 1
    return cents


def _pairs(results: Mapping[str, int]) -> tuple[list[dict[str, int]], dict[str, int]]:
    """Set apart those who owe each other's amount; return them and the rest."""
    rest, pairs = dict(results), []
    for name, amount in results.items():
        if name not in rest:
            continue
        partner = next((candidate for candidate, owed in rest.items() if owed == -amount), None)
        if partner is not None:
            pairs.append({name: rest.pop(name), partner: rest.pop(partner)})
    return pairs, rest


def _most_groups(results: Mapping[str, int]) -> list[dict[str, int]]:
    """Divide into the most groups that sum to zero each.

    Taken one by one in some order, people have summed to zero as often as there are groups; the
    best order is found over the sets of those who have been taken.
    """
    names, amounts = list(results), list(results.values())
    sums = np.zeros(1 << len(names), np.int64)
    for person, amount in enumerate(amounts):
        sums[1 << person : 2 << person] = sums[: 1 << person] + amount
    sets = np.arange(len(sums))
    sizes = np.bitwise_count(sets)
    most = (sums == 0).astype(np.int8)
    most[0] = 0
    for size in range(1, len(names) + 1):
        layer = sets[sizes == size]
        before = np.zeros(len(layer), np.int8)
        for person in range(len(names)):
            has = layer >> person & 1 == 1
            np.maximum(before, np.where(has, most[layer & ~(1 << person)], 0), out=before)
        most[layer] += before

    groups: list[dict[str, int]] = []
    left = len(sums) - 1
    while left:
        if sums[left] == 0:
            groups.append({})
        need = most[left] - (sums[left] == 0)
        person = next(i for i in range(len(names)) if left >> i & 1 and most[left ^ 1 << i] == need)
        groups[-1][names[person]] = amounts[person]
        left ^= 1 << person
    return groups


def _payments(group: Mapping[str, int]) -> list[Payment]:
    """Let the largest debtor pay the largest creditor, until all are even."""
    owed, payments = dict(group), []
    while any(owed.values()):
        payer, payee = min(owed, key=owed.__getitem__), max(owed, key=owed.__getitem__)
        amount = min(-owed[payer], owed[payee])
        payments.append(Payment(payer, payee, Fraction(amount, _CENTS)))
        owed[payer] += amount
        owed[payee] -= amount
    return payments


@checked
def money_by_player(batches: Iterable[HandBatch]) -> dict[str, dict[str, Fraction]]:
    """Sum up exactly what players won, in money by currency (empty for chips).

    What the house paid beside the pots counts, as it is money. The players' joint loss is the
    house's gain.
    """
    won: dict[str, dict[str, Fraction]] = {}
    for batch in batches:
        kinds = np.stack([batch.circumstances_of.astype(np.int64), batch.parts], axis=1)
        for kind in np.unique(kinds, axis=0):
            rows = (kinds == kind).all(axis=1)
            beside = batch.circumstances[int(kind[0])]
            worth = beside.denomination / int(kind[1])
            seated = batch.player[rows] != UNKNOWN
            players, payoffs = batch.player[rows][seated], batch.payoff[rows][seated]
            sums = np.zeros(len(batch.names), np.int64)
            np.add.at(sums, players, payoffs)
            of = won.setdefault(beside.currency, {})
            for number in np.unique(players).tolist():
                name = batch.names[number]
                of[name] = of.get(name, Fraction(0)) + int(sums[number]) * worth
            if beside.house:
                for row in np.flatnonzero(rows).tolist():
                    for place, chips in zip(batch.player[row].tolist(), beside.house, strict=False):
                        of[batch.names[place]] += chips * beside.denomination
    return won


HOUSE: Final = "the house"
"""Who is owed what hands paid beside the players."""


@checked
def cash_games(
    batches: Iterable[HandBatch], unlabelled: set[str], left_out: Counter[str] | None = None
) -> Iterator[HandBatch]:
    """Yield the hands of cash games; refuse or leave out tournaments and play money.

    With ``left_out`` they are counted there, by kind; without it, they raise `BadInput`. Hands from
    older archives may not say their kind; their files are put into ``unlabelled``.
    """
    for batch in batches:
        kinds = [
            "of a tournament" if beside.tournament else "for play money" * bool(beside.play_money)
            for beside in batch.circumstances
        ]
        unknown = [None in (beside.tournament, beside.play_money) for beside in batch.circumstances]
        if not any(kinds) and not any(unknown):
            yield batch
            continue
        rows = []
        for row, kind in enumerate(batch.circumstances_of.tolist()):
            file = batch.sources[batch.file[row]]
            if kinds[kind] and left_out is None:
                place = f"{file} line {batch.line[row]}: " if file else ""
                raise BadInput(
                    f"{place}a hand {kinds[kind]}, whose chips are not money;"
                    " allowed: hands of cash games for money"
                )
            if kinds[kind] and left_out is not None:
                left_out[kinds[kind]] += 1
                continue
            rows.append(row)
            if unknown[kind]:
                unlabelled.add(file)
        yield batch if len(rows) == len(batch) else batch.rows(np.array(rows, np.int64))


def check_payable(names: Iterable[str], files: Sequence[str]) -> None:
    """Raise `BadInput` where players go by their positions, so that one name is many people."""
    positions = sorted({name for name in names if re.fullmatch(POSITION, name)})
    if len(positions) > 1:
        raise BadInput(
            f"{', '.join(files)}: players are called by their positions ({', '.join(positions)}),"
            " so it is not known who is to be paid; allowed: logs with names"
        )


@checked
def money_alone(
    money: Mapping[str, Mapping[str, Fraction]],
) -> dict[str, Mapping[str, Fraction]]:
    """Return results by currency without those in chips, where there are some in money."""
    return {currency: of for currency, of in money.items() if currency or len(money) == 1}


def with_house(
    money: Mapping[str, Mapping[str, Fraction]], same: Mapping[str, str]
) -> dict[str, dict[str, Fraction]]:
    """Add the house, which has what the players lost together, by currency.

    ``same`` has other names of people, and the one under which they are counted.
    """
    won: dict[str, dict[str, Fraction]] = {}
    for currency, of in money.items():
        mine = won.setdefault(currency, {})
        for name, amount in of.items():
            first = same.get(name, name)
            mine[first] = mine.get(first, Fraction(0)) + amount
        if rake := -sum(mine.values(), Fraction(0)):
            mine[HOUSE] = mine.get(HOUSE, Fraction(0)) + rake
    return won


@checked
def parse_results(text: str) -> dict[str, Fraction]:
    """Read results such as ``Ann +12.50, Bob -7.50``; a line break or semicolon separates, too.

    Raises `BadInput` for unreadable text, and for a name given twice.

    >>> parse_results("Ann +12.50, Bob Lee -12.50")["Bob Lee"]
    Fraction(-25, 2)
    """
    results: dict[str, Fraction] = {}
    items = re.split(r",(?![0-9])|[;\n]", text.replace("\N{MINUS SIGN}", "-"))
    for item in filter(None, map(str.strip, items)):
        check_commas(repr(item), item, _EXAMPLE)
        result_match = _RESULT.fullmatch(item)
        if result_match is None:
            raise BadInput(f"{item!r}; allowed: a name and an amount, as in {_EXAMPLE}")
        if _THOUSANDS.search(item):
            raise BadInput(
                f"{item!r}: a point or a blank that may mark thousands; "
                f"allowed: such as {_EXAMPLE} or Ann +1250"
            )
        if result_match[1] in results:
            raise BadInput(f"{result_match[1]} comes twice; allowed: once")
        results[result_match[1]] = Fraction(result_match[2])
    if not results:
        raise BadInput("no results; allowed: such as Ann +12.50, Bob -12.50")
    return results


# The file in which PokerNow, the site of home games, keeps buy-ins and stacks.


_COLUMNS: Final = ("player_nickname", "player_id", "buy_in", "buy_out", "stack", "net")
_AMOUNT: Final = re.compile(r"[+-]?[0-9]{1,13}(?:\.[0-9]{1,6})?")
_LONGEST_NAME: Final = 60


@checked
def is_ledger_file(lines: Sequence[str]) -> bool:
    """Return whether a text begins as PokerNow's ledger does."""
    head = lines[0].strip().lstrip("\ufeff").replace('"', "").split(",") if lines else []
    return set(_COLUMNS) <= set(head)


@checked
def read_ledger_file(lines: Iterable[str]) -> dict[str, Fraction]:
    """Read what each player won from PokerNow's ledger, in the units that the file has.

    A person is identified by the id, and named by the last nickname. Somebody else with the same
    nickname gets the id behind it. Raises `BadInput` for rows that cannot be read, and for a sum
    that is not zero.

    >>> head = "player_nickname,player_id,buy_in,buy_out,stack,net"
    >>> read_ledger_file([head, "Ann,a1,100,,150,50", "Bob,b2,50,0,,-50"])
    {'Ann': Fraction(50, 1), 'Bob': Fraction(-50, 1)}
    """
    rows = csv.DictReader(line.lstrip("\ufeff") for line in lines)
    nickname: dict[str, str] = {}
    won: dict[str, Fraction] = {}
    try:
        for number, row in enumerate(rows, 2):
            name, key = (str(row.get(column) or "").strip() for column in _COLUMNS[:2])
            if not name or len(name) > _LONGEST_NAME or not key:
                raise BadInput(f"line {number}: no nickname or no id of a player")
            nickname[key] = name
            won[key] = won.get(key, Fraction(0)) + _net(row, number)
    except csv.Error as problem:
        raise BadInput(f"line {rows.line_num}: {problem}") from None
    if not won:
        raise BadInput("a ledger without players; allowed: a row for each")
    if total := sum(won.values(), Fraction(0)):
        raise BadInput(f"a ledger whose results sum to {float(total):+,.2f}; allowed: to zero")
    names = list(nickname.values())
    return {
        name if names.index(name) == place else f"{name} ({key})": won[key]
        for place, (key, name) in enumerate(nickname.items())
    }


def _net(row: Mapping[str, str | None], number: int) -> Fraction:
    """Return a row's result. Raises `BadInput` where it is not what was paid out less paid in."""
    amounts = {}
    for column in _COLUMNS[2:]:
        text = str(row.get(column) or "").strip() or "0"
        if not _AMOUNT.fullmatch(text):
            raise BadInput(f"line {number}: {column} {text[:40]!r}; allowed: a number")
        amounts[column] = Fraction(text)
    # A player who has left is paid out; of the others the stack is theirs.
    paid, out, stack = amounts["buy_in"], amounts["buy_out"], amounts["stack"]
    if amounts["net"] not in (out + stack - paid, out - paid, stack - paid):
        raise BadInput(f"line {number}: a net of {float(amounts['net']):,.2f} that does not add up")
    return amounts["net"]
