"""What a site's text says of money, line by line: a slow reading without any rules of poker.

Each player's money is what the text gives him less what he puts in, by its own words. Nothing here
knows whose turn it is, who wins, or what a call costs, so that it can only be wrong in other ways
than the readers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

_NUMBER = re.compile(r"[0-9](?:[0-9.,'\xa0\u202f]|(?<=[0-9]) (?=[0-9]{3}(?![0-9])))*")
_SEAT = re.compile(r"seat #?([0-9]+): (.+?) *\( *([^()]*?[0-9][^()]*)\)", re.IGNORECASE)
_STREET = re.compile(r"\*\*\*? (?:dealing )?(flop|turn|river) \*\*", re.IGNORECASE)
_SUMMARY = re.compile(r"\*\*\*? summary \*\*", re.IGNORECASE)
_RETURNED = re.compile(r"uncalled bet (?:of )?\(?(.*?)\)? returned to (.+)", re.IGNORECASE)
_TAKES = re.compile(r"(?:collected|wins?|ties for)\b(.*)", re.IGNORECASE)
_TOTAL = re.compile(r"total pot ([^|]*)\|(.*)", re.IGNORECASE)
_SAID = re.compile(r"\b(?:collected|won) (?:\((?=[^()]*[0-9])([^()]*)\)|([^() ]*[0-9][^() ]*))")
_NET = re.compile(r"(lost|net) [+-]?([^ \[(]*[0-9][0-9.,]*)")
_UNCLEAR = re.compile(r"dead|both|missed|small & big|out of position|straddle|extra", re.IGNORECASE)


class Unclear(Exception):
    """The words do not say what is put in."""


@dataclass
class Money:
    """What one hand's text says, in its own unit."""

    put: dict[str, Decimal] = field(default_factory=dict)
    took: dict[str, Decimal] = field(default_factory=dict)
    returned: Decimal = Decimal(0)
    said: dict[str, Decimal] = field(default_factory=dict)
    """Winnings by the summary."""
    net: dict[str, Decimal] = field(default_factory=dict)
    """Results that the text states as such."""
    rake: Decimal | None = None
    pots: tuple[Decimal, ...] = ()
    """The total pot, and its parts where they are stated."""


def amounts(text: str, *, dots: bool = False) -> list[Decimal]:
    """Return the amounts in a text; ``dots`` says that a dot may separate thousands."""
    return [_amount(number, dots=dots) for number in _NUMBER.findall(text)]


def _amount(text: str, *, dots: bool) -> Decimal:
    number = re.sub(r"[ '\xa0\u202f]", "", text.rstrip(".,"))
    marks = [mark for mark in number if mark in ".,"]
    if not marks:
        return Decimal(number)
    last = marks[-1]
    whole, _, end = number.rpartition(last)
    decimals = marks.count(last) == 1 and (
        len(end) != 3 or whole == "0" or (last == "." and not dots) or len(set(marks)) == 2
    )
    digits = re.sub("[.,]", "", whole)
    return Decimal(f"{digits}.{end}") if decimals else Decimal(digits + end)


def money_of(text: str, *, dots: bool = False) -> Money:
    """Read the money in one hand's text. Raises `Unclear`."""
    lines = [line.strip("\ufeff \t\r") for line in text.splitlines()]
    lines = [line for line in lines if line]
    names = _names(lines)
    money, street, in_summary = Money(), dict[str, Decimal](), False
    money.put, money.took = dict.fromkeys(names, Decimal(0)), dict.fromkeys(names, Decimal(0))
    for line in lines[1:]:
        if _SUMMARY.search(line):
            in_summary = True
        elif _STREET.search(line):
            street = {}
        elif back := _RETURNED.fullmatch(line):
            amount = amounts(back[1], dots=dots)[0]
            money.took[back[2].strip()] += amount
            money.returned += amount
        elif total := _TOTAL.search(line):
            _take_total(money, total[1], total[2], dots=dots)
        else:
            _take_line(money, street, line, names, in_summary=in_summary, dots=dots)
    if not any(re.search(r"blind", line) for line in lines[2:] if not _SEAT.match(line)):
        raise Unclear("nobody posts a blind by the words")
    return money


def _names(lines: list[str]) -> list[str]:
    found = dict[str, None]()
    for line in lines:
        if _SUMMARY.search(line):
            break
        if seat := _SEAT.match(line):
            found[seat[2].strip()] = None
    return sorted(found, key=len, reverse=True)


def _take_total(money: Money, total: str, rest: str, *, dots: bool) -> None:
    money.pots = tuple(amounts(re.sub(r"pot-[0-9]+", "pot", total), dots=dots))
    taken = amounts(rest, dots=dots)
    if taken or "No rake" in rest:
        money.rake = sum(taken, Decimal(0))


def _take_line(
    money: Money,
    street: dict[str, Decimal],
    line: str,
    names: list[str],
    *,
    in_summary: bool,
    dots: bool,
) -> None:
    at_seat = re.match(r"Seat [0-9]+: ", line)
    start = line[at_seat.end() :] if at_seat else line
    name = next((one for one in names if start.startswith((f"{one}:", f"{one} "))), None)
    if name is None:
        return
    rest = start[len(name) :].lstrip(": ")
    if at_seat:
        if in_summary and (won := _SAID.findall(rest)):
            money.said[name] = sum((amounts(a or b, dots=dots)[0] for a, b in won), Decimal(0))
        return
    if rest.startswith("balance"):
        _take_balance(money, name, rest, dots=dots)
        return
    if re.search("bounty|eliminating|tournament", rest):
        return
    if taken := _TAKES.match(rest):
        before = re.split(r"\bfrom\b|\bwith\b|;", taken[1])[0]
        money.took[name] += amounts(before.replace("pot 1", "pot"), dots=dots)[-1]
        return
    if (paid := _put(street, name, rest, dots=dots)) is not None:
        money.put[name] += paid


def _take_balance(money: Money, name: str, rest: str, *, dots: bool) -> None:
    collected = re.search(r"collected ([^ ]*?),(?: |$)", rest)
    if collected:
        money.took[name] += amounts(collected[1], dots=dots)[0]
    if net := _NET.search(rest):
        amount = amounts(net[2], dots=dots)[0]
        money.net[name] = -amount if net[1] == "lost" or "net -" in rest else amount


def _put(street: dict[str, Decimal], name: str, rest: str, *, dots: bool) -> Decimal | None:
    """Return what a line puts in; None for a line that is none of these."""
    word = rest.split(" ")[0].lower()
    if word not in ("posts", "antes", "calls", "bets", "raises", "is", "bet", "straddle"):
        return None
    said = amounts(re.split(r", and|and is| \[[2-9TJQKA]", rest)[0], dots=dots)
    if not said or (word == "is" and "all-in" not in rest.lower()):
        return None
    if word in ("posts", "antes", "straddle"):
        if _UNCLEAR.search(rest):
            raise Unclear(rest)
        if word == "antes" or "ante" in rest:
            return said[0]
    already = street.get(name, Decimal(0))
    paid = said[-1] - already if word == "raises" and re.search(r"\bto\b", rest) else said[0]
    street[name] = already + paid
    return paid


def contradiction(money: Money, payoffs: dict[str, Decimal], *, chip: Decimal) -> str:
    """Return how a text contradicts payoffs, empty if it does not.

    Where it does not say what becomes of an uncalled bet, that may be in the winnings or not.
    ``chip`` is what a text may round away.
    """
    if set(payoffs) - set(money.put):
        raise Unclear("somebody without a seat")
    if sum(money.took.values()) == money.returned:  # winners are told in the summary alone
        for name, won in money.said.items():
            money.took[name] += won
    put = [money.put[name] for name in payoffs]
    first, second = sorted(put)[-1], sorted(put)[-2]
    net = {name: money.took[name] - money.put[name] for name in payoffs}
    best = max(payoffs, key=lambda name: money.put[name])
    with_back = net | {best: net[best] + (Decimal(0) if money.returned else first - second)}
    if not any(_equal(payoffs, way, chip) for way in (net, with_back)):
        return f"{ {name: str(one) for name, one in net.items()} } by the lines"
    if not _equal({name: payoffs[name] for name in money.net if name in payoffs}, money.net, chip):
        return f"{money.net} by the balances"
    house = -sum(payoffs.values(), Decimal(0))
    if money.rake is not None and abs(house - money.rake) > chip:
        return f"a rake of {money.rake}, not of {house}"
    back = money.returned or first - second
    for name, said in money.said.items():
        own = back if name == best else Decimal(0)
        took = money.took[name]
        if name in payoffs and not any(abs(said - one) <= chip for one in (took, took - own)):
            return f"{name} wins {said} in the summary"
    return ""


def _equal(payoffs: dict[str, Decimal], said: dict[str, Decimal], chip: Decimal) -> bool:
    return all(abs(one - said.get(name, one)) <= chip for name, one in payoffs.items())


def money_of_xml(text: str) -> Money:
    """Read the money in one hand of iPoker's XML, by its attributes alone. Raises `Unclear`."""
    is_tournament = bool(re.search("<(tournamentname|tournamentcode|buyin)>", text))
    money, dots = Money(), is_tournament  # chips are whole: 1.540 is 1540
    for tag in re.findall(r"<player [^>]*>", text):
        if name := _attribute(tag, "name"):
            money.put[name] = Decimal(0)
            money.took[name] = amounts(_attribute(tag, "win"), dots=dots)[0]
    street, antes = dict[str, Decimal](), set[Decimal]()
    rounds = re.findall(r'(?s)<round no="([0-9]+)">(.*?)</round>', text)
    for number, round_ in sorted(rounds, key=lambda one: int(one[0])):
        if int(number) > 1:  # the blinds of round 0 count in the totals of round 1
            street = {}
        tags = re.findall(r"<action [^>]*>", round_)
        for tag in sorted(tags, key=lambda one: int(_attribute(one, "no"))):
            name, kind = _attribute(tag, "player"), _attribute(tag, "type")
            if kind not in ("1", "2", "3", "5", "6", "7", "15", "23"):
                continue
            amount = amounts(_attribute(tag, "sum"), dots=dots)[0]
            already = street.get(name, Decimal(0))
            paid = amount - already if kind == "23" else amount
            money.put[name] += paid
            if kind == "15":
                antes.add(amount)
            else:
                street[name] = already + paid
    if len(antes) > 1:
        raise Unclear("who put in most need not have bet most")
    return money


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return found[1].strip() if found else ""
