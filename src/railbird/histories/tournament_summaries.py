"""Summaries of tournaments that sites and PokerTracker write: what an entry cost and brought.

A grammar is a table of patterns whose named groups say what a line tells. Of a list of all players
only the owner's lines count: of others a summary tells neither re-buys nor bounties. A ticket is
worth the amount that the text gives it; a prize without one is not known. Points, and chips for
play, are no money, and such summaries are refused, as are pages and tables in other formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import (
    AMOUNT,
    ANY_AMOUNT,
    UNIT,
    currency_in,
    read_amount,
)

_NUMBER: Final = r"(?P<number>[0-9]{1,18})"
_TITLE: Final = "(?P<title>.{1,120}?)"
_OWNER: Final = "(?P<owner>.{1,60})"
_COUNT: Final = "[0-9]{1,9}"
_PLACE: Final = rf"(?P<place>{_COUNT})(?:st|nd|rd|th)"


class _Grammar(NamedTuple):
    """How a site writes summaries; groups of one name in several lines add up."""

    header: re.Pattern[str]
    """First line of a summary."""
    lines: tuple[re.Pattern[str], ...]
    """Lines whose groups tell something: ``cost``, ``rebuys``, ``owner`` and so on."""
    listed: re.Pattern[str]
    """Line of a player in the list of places: ``place``, ``name``, ``prize`` and what follows."""
    with_hands: bool = False
    """Whether hands follow in the same text."""


def _grammar(header: str, *lines: str, listed: str = "(?!)", with_hands: bool = False) -> _Grammar:
    compiled = tuple([re.compile(line, re.IGNORECASE) for line in lines])
    return _Grammar(re.compile(header), compiled, re.compile(listed), with_hands)


_GRAMMARS: Final = (
    _grammar(  # PokerStars, and Full Tilt on its software
        rf"(?:PokerStars|Full Tilt(?: Poker)?) Tournament #{_NUMBER}, {_TITLE}",
        r"Buy-In: (?P<cost>.{1,60})",
        rf"(?P<entrants>{_COUNT}) players",
        r"Total Prize Pool: (?P<pool>.{1,60})",
        r"(?P<kind>(?:Super )?Satellite)",
        r"Target Tournament #[0-9]+(?: Buy-In: (?P<target>.{1,60}))?",
        rf"You finished in {_PLACE} place.*",
        rf"Dear {_OWNER},",
        rf"You finished the tournament in {_PLACE} place\.(?: A (?P<won>.{{1,40}}) award has .*)?",
        r"You made .{1,60} for a total of (?P<more>.{1,40}?)\.?",
        rf"You collected {_COUNT} bount(?:y|ies) for a total of (?P<bounties>.{{1,40}}?)\.?",
        listed=rf"\s*(?P<place>{_COUNT}): (?P<name>.{{1,60}}?)(?: \[[0-9]+\])? \([^()]{{1,40}}\),?"
        r"(?P<prize>.{0,120})",
    ),
    _grammar(
        rf"Tournament #{_NUMBER}, {_TITLE}",  # GGPoker
        r"Buy-in: (?P<cost>.{1,60})",
        rf"(?P<entrants>{_COUNT}) Players",
        r"Total Prize Pool: (?P<pool>.{1,60})",
        rf"{_PLACE} : {_OWNER}, (?P<won>{ANY_AMOUNT}.*)",
        rf"You finished the tournament in {_PLACE} place\.?",
        rf"You made (?P<reentries>{_COUNT}) re-?entr(?:y|ies) and received a total of .*",
    ),
    _grammar(
        rf"Full Tilt Poker Tournament Summary (?P<title>.{{1,120}}) \({_NUMBER}\)"
        "(?P<kind>.{0,120})",
        r"Buy-In: (?P<cost>.{1,60})",
        r"Rebuy: (?P<rebuy>.{1,60})",
        r"Add-On: (?P<addon>.{1,60})",
        r"Knockout Bounty: (?P<bounty>.{1,60})",
        rf"{_OWNER} performed (?P<rebuys>{_COUNT}) Rebuys?",
        rf"{_OWNER} performed (?P<addons>{_COUNT}) Add-Ons?",
        rf"{_OWNER} received (?P<knockouts>{_COUNT}) Knockout Bounty Awards?",
        rf"(?P<entrants>{_COUNT}) Entries",
        r".{0,40}Total Prize Pool: (?P<pool>.{1,60})",
        rf"{_OWNER} finished in {_PLACE} place",
        listed=rf"(?P<place>{_COUNT}): (?P<name>.{{1,60}}?)(?:, (?P<prize>.{{1,120}}))?",
    ),
    _grammar(
        r"\*{5} (?:Cassava|888|Pacific).{0,20} Tournament Summary \*{5}",
        rf"Tournament ID: {_NUMBER}",
        r"Buy-In: (?P<cost>.{1,60})",
        r"Rebuy: (?P<rebuy>.{1,60})",
        r"Add-On: (?P<addon>.{1,60})",
        rf"{_OWNER} performed (?P<rebuys>{_COUNT}) rebuys?",
        rf"{_OWNER} performed (?P<addons>{_COUNT}) add-ons?",
        rf"{_OWNER} finished (?P<place>{_COUNT})/(?P<entrants>{_COUNT})"
        r"(?: and won (?P<won>.{1,60}))?",
    ),
    _grammar(
        rf"Winamax Poker - Tournament summary : (?P<title>.{{0,120}})\({_NUMBER}\)"
        "(?P<kind>.{0,80})",
        rf"Player : {_OWNER}",
        r"Buy-In : (?P<cost>.{1,60})",
        r"Rebuy cost : (?P<rebuy>.{1,60})",
        r"Addon cost : (?P<addon>.{1,60})",
        rf"Your rebuys : (?P<rebuys>{_COUNT})",
        rf"Your addons : (?P<addons>{_COUNT})",
        rf"Registered players : (?P<entrants>{_COUNT})",
        r"Prizepool : (?P<pool>.{1,60})",
        r"(?:Mode|Type|Speed) : (?P<kind>.{1,80})",
        rf"You finished in {_PLACE} place",
        r"You won (?P<won>.{1,120})",
    ),
    _grammar(
        r"PokerTracker [0-9] Tournament Summary",
        rf"Tournament #: {_NUMBER}",
        r"(?:Buyin|Fee): (?P<cost>.{1,60})",
        r"Bounty: (?P<bounty>(?P<cost>.{1,60}))",
        r"Rebuy: (?P<rebuy>.{1,60})",
        r"Addon: (?P<addon>.{1,60})",
        r"Prize Pool: (?P<pool>.{1,60})",
        r"(?:Game|Table Type|Tourney Type): (?P<kind>.{1,80})",
        rf"Players: (?P<entrants>{_COUNT})",
        listed=rf"Place: (?P<place>{_COUNT}), Player: (?P<name>.{{1,60}}?), "
        r"Won: (?P<prize>[^ ]{1,30}),"
        rf"(?: Rebuys: (?P<rebuys>{_COUNT}),)?(?: Addons: (?P<addons>{_COUNT}),)?"
        rf"(?: Bounties: (?P<knockouts>{_COUNT}),)?.{{0,80}}",
    ),
    _grammar(  # a session of iPoker, element by element
        rf'<session sessioncode="{_NUMBER}".{{0,40}}',
        rf"<tournamentcode>{_NUMBER}",
        rf"<nickname>{_OWNER}",
        r"<tournamentname>(?P<title>.{1,120})",
        r"<currency>(?P<currency>[A-Z]{3})",
        r"<buyin>(?P<cost>.{1,60})",
        r"<totalbuyin>(?P<paid>[^A-Za-z\[]{1,40})",
        rf"<place>(?P<place>{_COUNT})",
        r"<win>(?P<won>.{1,40})",
        with_hands=True,
    ),
)

_PENDING: Final = re.compile("still playing", re.IGNORECASE)
_QUALIFIED: Final = re.compile("qualified for the target", re.IGNORECASE)
_NO_MONEY: Final = re.compile(r"\b(?:FPP|VPP|SC|Play Chips|points?)\b|\bP[0-9]", re.IGNORECASE)
_ELEMENT: Final = re.compile("(?=<[a-z])|</")
_MARKS: Final = ("Tournament", "<session ")
"""Parts of first lines, of which every one has one."""
_LONGEST: Final = 500


def is_summary(lines: Iterable[str]) -> bool:
    """Return whether a text begins with the summary of a tournament, and so has no hands."""
    begun = next(filter(None, map(_begun, map(_bare, lines))), None)
    return begun is not None and not begun[0].with_hands


def tells_of_tournament(lines: Sequence[str]) -> bool:
    """Return whether a text has summaries, alone or before its hands."""
    return any(_begun(_bare(line)) for line in lines)


def _bare(line: str) -> str:
    return line.strip().lstrip("\ufeff")[:_LONGEST]


def _begun(text: str) -> tuple[_Grammar, re.Match[str]] | None:
    if any(mark in text for mark in _MARKS):
        for grammar in _GRAMMARS:
            if header := grammar.header.fullmatch(text):
                return grammar, header
    return None


@dataclass(slots=True)
class Summary:
    """What the text of a summary says, in words by subject."""

    lines: list[str]
    """Those that told something, without other players'."""
    words: dict[str, list[str]] = field(default_factory=dict)
    listed: list[re.Match[str]] = field(default_factory=list)
    """Lines of the list of places."""

    def take(self, match: re.Match[str]) -> None:
        """Keep what the groups of a line are."""
        for name, text in match.groupdict().items():
            if text is not None and text.strip():
                self.words.setdefault(name, []).append(text.strip())

    def text(self, name: str) -> str:
        """Return the last words on something, "" if there are none."""
        return self.words.get(name, [""])[-1]

    def count(self, name: str) -> int:
        """Return a number, the largest of several; 0 if the text names none."""
        return max([int(text) for text in self.words.get(name, ())], default=0)

    @property
    def number(self) -> int | None:
        """Number of the tournament."""
        return int(text) if (text := self.text("number")) else None

    @property
    def owner(self) -> str:
        """Whose summary it is; "" if the text does not say."""
        if owner := self.text("owner"):
            return owner
        at_place = {line["name"] for line in self.listed if int(line["place"]) == self.place}
        return at_place.pop() if self.place and len(at_place) == 1 else ""

    @property
    def place(self) -> int | None:
        """The owner's place as the text says it; None if it does not."""
        return self.count("place") or None

    def places_of(self, owner: str) -> list[str]:
        """Return the lines of the list of places of a player, all if it is nobody's."""
        return [line.string for line in self.listed if owner in ("", line["name"])]

    @property
    def kind(self) -> str:
        """All words on what kind of tournament it is."""
        return " ".join(self.words.get("title", []) + self.words.get("kind", []))


def summaries_in(lines: Iterable[str]) -> Iterator[Summary]:
    """Cut a text into summaries and take their lines."""
    summary: Summary | None = None
    grammar = _GRAMMARS[0]
    for line in lines:
        text = _bare(line)
        if begun := _begun(text):
            if summary is not None:
                yield summary
            grammar, header = begun
            summary = Summary([text])
            summary.take(header)
        elif summary is not None and text:
            if text.startswith("<game "):  # its hands follow
                yield summary
                summary = None
                continue
            parts = _ELEMENT.split(text) if grammar.with_hands else [text]
            read = [fact for part in parts if (fact := _told(grammar, part, summary)) is not None]
            summary.lines += [text] if read else []
    if summary is not None:
        yield summary


def _told(grammar: _Grammar, text: str, summary: Summary) -> str | None:
    """Take a line; return it if it told something that is not of the list of places."""
    if listed := grammar.listed.fullmatch(text):
        summary.listed.append(listed)
        return None
    for pattern in grammar.lines:
        if line_match := pattern.fullmatch(text):
            summary.take(line_match)
            return text
    return None


class SummaryEntry(NamedTuple):
    """What a summary says of one entry of its owner."""

    currency: str
    price: Fraction
    """Cost of entering once."""
    cost: Fraction
    """All that was paid: re-entries, re-buys and add-ons, too."""
    prize: Fraction
    place: int | None
    finished: bool


def entries_in(summary: Summary, owner: str) -> list[SummaryEntry]:
    """Return the owner's entries. Raises `BadHand` with the reason why there is none."""
    cost_text = " + ".join(summary.words.get("cost", []))
    texts = [summary.text("currency"), cost_text, summary.text("pool"), summary.text("won")]
    texts += [summary.text("target"), *[line["prize"] or "" for line in summary.listed]]
    currency = next(filter(None, map(currency_in, texts)), "")
    if not currency or _NO_MONEY.search(cost_text):
        raise BadHand(SkipReason.ANOTHER_GAME, f"not for money: {cost_text[:40]!r}")
    own = [line for line in summary.listed if line["name"] == owner]
    counts = {}
    for name in ("rebuys", "addons", "knockouts"):
        of_places = [int(line[name]) for line in own if name in line.groupdict() and line[name]]
        counts[name] = max([summary.count(name), *of_places])
    price = amounts_in(cost_text)
    cost = amounts_in(summary.text("paid")) or price * (1 + summary.count("reentries"))
    cost += counts["rebuys"] * amounts_in(summary.text("rebuy"))
    cost += counts["addons"] * amounts_in(summary.text("addon"))
    bounties = counts["knockouts"] * amounts_in(summary.text("bounty"))
    bounties += amounts_in(summary.text("bounties"))
    results = [(int(line["place"]) or None, line["prize"] or "") for line in own]
    if not results or summary.text("won"):
        results = [(summary.place, summary.text("won"))]
    # Whoever entered again is listed again, or else pays for it in the one entry.
    cost += max(amounts_in(summary.text("more")) - (len(results) - 1) * price, Fraction(0))
    entries = []
    for place, text in results:
        prize = prize_in(text, summary.text("target"))
        if prize is None:
            raise BadHand(SkipReason.UNREADABLE, f"a prize of unknown worth: {text.strip()[:60]!r}")
        is_over = not _PENDING.search(text) and bool(place or prize)
        entries.append(SummaryEntry(currency, price, cost, prize + bounties, place, is_over))
        cost, bounties = price, Fraction(0)  # the first has them all
    return entries


def amounts_in(text: str) -> Fraction:
    """Return the sum of the amounts in a text, such as ``$4.75 + $0.25``. Raises `BadHand`.

    >>> amounts_in("$4.75 + $0.25"), amounts_in("250 €")
    (Fraction(5, 1), Fraction(250, 1))
    """
    amounts = re.findall(AMOUNT, text)
    return sum((Fraction(read_amount(of, dot_groups=True), UNIT) for of in amounts), Fraction(0))


_WORTH: Final = re.compile(rf"[^0-9]{{0,40}}?({ANY_AMOUNT}).{{0,80}}")


def prize_in(text: str, target: str) -> Fraction | None:
    """Return what a prize is worth; None for a ticket or a seat without an amount.

    ``target`` says what the tournament costs for which a satellite qualifies. Raises `BadHand`.

    >>> prize_in("$1,024.30 (38.221%)", ""), prize_in("Ticket 5€ + 0.50€", "")
    (Fraction(10243, 10), Fraction(11, 2))
    >>> prize_in("Sunday Million ticket", "") is None
    True
    """
    words = re.sub(r"\([^()]*%\)", "", text).strip(" ,.")
    if _QUALIFIED.search(words):
        words = target or _QUALIFIED.sub("", words).strip(" ()")
    elif _PENDING.search(words) or not words:
        return Fraction(0)
    worth = Fraction(0)
    for part in words.split(" + "):
        amount = _WORTH.fullmatch(part)
        if amount is None or re.search("[#A-Za-z]{2,}[0-9]", part):
            return None
        worth += amounts_in(amount[1])
    return worth
