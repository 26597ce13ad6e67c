"""Entries in tournaments: what they cost and brought, from summaries and from PokerStars' hands.

A log is complete only for its owner, whose cards it shows. Of others it has only the finishes that
it saw, a selected sample, which is left out. Logs do not report entries won instead of money. A
bounty of several players is given as one amount that they share, or as each one's part. A summary
(`railbird.histories.tournament_summaries`) replaces the information from the same tournament's
hands about its owner, unless it was written before the end.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from railbird.errors import DamagedFile
from railbird.histories.files import LogFile, logs_in
from railbird.histories.format import attempt
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import AMOUNT as MONEY
from railbird.histories.sites.money import ANY_AMOUNT, UNIT, currency_in, read_amount
from railbird.histories.sites.pokerstars_head import HEADER, TOURNAMENT
from railbird.histories.tournament_summaries import (
    Summary,
    amounts_in,
    entries_in,
    summaries_in,
    tells_of_tournament,
)

_SEAT: Final = re.compile(r"Seat ([0-9]{1,3}): (.+) \((\S+ in [Cc]hips.*)")
_ORDER_MARK: Final = "\ufeff"
_BUY_IN: Final = re.compile(
    rf"(?:.{{0,80}}[ }}])?{TOURNAMENT}([0-9]{{1,18}}), "
    rf"({ANY_AMOUNT}(?:\+{ANY_AMOUNT}){{0,2}})[ ,].*"
)
_DEALT: Final = re.compile(r"Dealt to (.{1,60}) \[[^\[\]]{1,20}\]")
_FINISH: Final = re.compile(
    rf"(.{{1,60}}) finished the tournament(?: in ([0-9]{{1,6}})(?:st|nd|rd|th) place)?"
    rf"(?: and received {MONEY})?\.?"
)
_WIN: Final = re.compile(
    rf"(.{{1,60}}) wins the tournament(?: and receives {MONEY})?(?: - congratulations!)?"
)
_BOUNTY: Final = re.compile(
    rf"(.{{1,60}}) wins (?:the )?{MONEY}(?: bounty)?"
    " for (?:(?:eliminating|splitting the elimination of) .+|(?:their|his|her) own bounty)"
)
_SPLIT: Final = re.compile(
    rf"(.{{1,600}}) split (?:the )?{MONEY}(?: bounty)? for (?:eliminating|the elimination of) .+"
)
_MORE_CHIPS: Final = re.compile(
    rf"(.{{1,60}}) (?:re-?buys|takes the add-?on) and receives {ANY_AMOUNT} chips for {MONEY}\.?"
)


@dataclass(frozen=True, slots=True)
class TournamentEntry:
    """A player's entry in a tournament."""

    tournament: int
    player: str
    currency: str
    buy_in: Fraction
    """What the entry cost, the fee, the bounty, re-buys and add-ons included."""
    prize: Fraction
    """What the entry won, bounties included."""
    place: int | None
    """The place in the end; None if the hands do not tell it."""
    finished: bool
    """False if the text does not say how it ended, and so what it brought."""
    price: Fraction | None = None
    """Cost of entering once, if a summary tells it."""
    entrants: int | None = None
    """Number of entries of all players, if a summary tells it."""
    pool: Fraction | None = None
    """Sum of all prizes, if a summary tells it; bounties may come on top."""
    kind: str = ""
    """A summary's words on what kind of tournament it is."""


class TournamentResults(NamedTuple):
    """Entries, and summaries that tell of none."""

    entries: list[TournamentEntry]
    refused: list[tuple[str, str]]
    """Name of a file, and why a summary in it counts for nothing."""


TOURNAMENTS_FILE: Final = "tournaments.txt.gz"
"""The lines of an archive's logs that tell of entries, in the order in which they were added."""


def entries_of(sources: Iterable[str | Path]) -> list[TournamentEntry]:
    """Read the entries in all tournaments for money in logs, their folders, zips and archives.

    Only the entries of players whose cards were dealt openly are read, since the logs are theirs. A
    player who finishes a tournament twice has entered it twice, and so has one who plays on after
    finishing it. Hands given again count once.
    """
    return results_of(sources).entries


def results_of(sources: Iterable[str | Path], players: Collection[str] = ()) -> TournamentResults:
    """Read the entries as `entries_of` does, and why summaries are left out.

    A summary that does not say whose it is belongs to the one of ``players`` whom it lists.
    """
    return _read(sources).results(players)


def tournament_lines(sources: Iterable[str | Path]) -> list[str]:
    """Return the lines from which `entries_of` reads its entries, once for each hand."""
    reader = _read(sources)
    return reader.lines + reader.summary_lines()


def _read(sources: Iterable[str | Path]) -> _Reader:
    reader = _Reader()
    for source in sources:
        for log in logs_in(source):
            if isinstance(log, Path):
                lines = _lines_in(log / TOURNAMENTS_FILE)
                reader.read(lines)
                reader.read_summaries(lines, str(log))
            elif isinstance(log, LogFile) and tells_of_tournament(log.head):
                reader.read_summaries(log.lines(), log.name)
            elif isinstance(log, LogFile) and any(TOURNAMENT in line for line in log.head):
                reader.read(log.lines())
    return reader


def _lines_in(path: Path) -> list[str]:
    """Return an archive's lines; none if the archive is from before they were kept.

    Raises `DamagedFile`.
    """
    try:
        return gzip.decompress(path.read_bytes()).decode().splitlines() if path.exists() else []
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DamagedFile(f"{path}: cannot be read: {error}") from error


@dataclass(slots=True)
class _Told:
    """What hands tell of a player in a tournament."""

    bounties: Fraction = Fraction(0)
    more_chips: Fraction = Fraction(0)
    """Price of re-buys and add-ons."""
    finishes: list[tuple[int | None, Fraction]] = field(default_factory=list)
    """Place and prize of each entry that has ended."""
    last_finish: int = -1
    """Hand in which the last of them did."""
    last_hand: int = -1
    """Last hand in which the player was dealt cards."""

    def finish(self, hand: int, place: int | None, prize: Fraction) -> None:
        """End an entry with a hand."""
        self.finishes.append((place, prize))
        self.last_finish = max(self.last_finish, hand)


class _Reader:
    """Everything told so far; hands may come in any order."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._buy_in: dict[int, tuple[str, Fraction]] = {}
        self._told: dict[tuple[int, str], _Told] = {}
        self._hand = 0
        """The hand that is being read, by its number, for numbers grow with time."""
        self._seated: dict[str, str] = {}
        """Its players, with the lines that seat them."""
        self.lines: list[str] = []
        """All that told something."""
        self._summaries: list[tuple[str, Summary]] = []

    def read(self, lines: Iterable[str]) -> None:
        current: int | None = None
        for line in lines:
            text = line.strip().lstrip(_ORDER_MARK)
            if (header := HEADER.fullmatch(text)) is not None:
                tournament = attempt(text, self._begin, text, *header.groups())
                current = None if isinstance(tournament, BadHand) else tournament
            elif current is not None:
                attempt(text, self._take, current, text)  # a line that does not read tells nothing

    def read_summaries(self, lines: Iterable[str], file: str) -> None:
        """Take the summaries of a text."""
        self._summaries += [(file, summary) for summary in summaries_in(lines)]

    def summary_lines(self) -> list[str]:
        """Return the lines of summaries, each once, without other players' where possible."""
        texts = dict.fromkeys(
            (*summary.lines, *summary.places_of(summary.owner)) for _, summary in self._summaries
        )
        return [line for text in texts for line in text]

    def _by_summary(
        self, owners: Mapping[int, str], players: Collection[str]
    ) -> tuple[dict[tuple[str, ...], list[TournamentEntry]], list[tuple[str, str]]]:
        """Return the contents of summaries by tournament and owner, and why some have none.

        ``owners`` are the owners of the tournaments' hands. If two summaries are of one entry, the
        finished one counts.
        """
        named = {summary.owner for _, summary in self._summaries} - {""}
        only = named if len(named) == 1 else set()
        entries_by_key: dict[tuple[str, ...], list[TournamentEntry]] = {}
        refused: list[tuple[str, str]] = []
        for file, summary in self._summaries:
            listed = {line["name"] for line in summary.listed}
            candidates = (
                {summary.owner} - {""}
                or {owners.get(summary.number or 0, "")} - {""}
                or listed.intersection(players)
                or listed & only
            )
            owner = candidates.pop() if len(candidates) == 1 else ""
            entries = attempt(summary.lines[0], _entries_of_summary, summary, owner)
            if isinstance(entries, BadHand):
                refused.append((file, entries.detail))
                continue
            # The matches of one Matrix tournament have one number.
            key = (summary.text("number"), *re.findall("Match [0-9]+", summary.kind), owner)
            before = entries_by_key.get(key, [])
            if not any(entry.finished for entry in before):
                entries_by_key[key] = entries
            elif any(entry.finished for entry in entries):
                entries_by_key[key] = before + [of for of in entries if of not in before]
        return entries_by_key, refused

    def results(self, players: Collection[str]) -> TournamentResults:
        """Return the entries of hands, with those of summaries in their place."""
        of_hands = list(self.entries())
        owners = {entry.tournament: entry.player for entry in of_hands}
        by_key, refused = self._by_summary(owners, players)
        of_summaries = [entry for entries in by_key.values() for entry in entries]
        over = {(entry.tournament, entry.player) for entry in of_summaries if entry.finished}
        of_hands = [entry for entry in of_hands if (entry.tournament, entry.player) not in over]
        played = {(entry.tournament, entry.player) for entry in of_hands}
        # One from before the end says no more than the hands do.
        of_hands += [
            entry
            for entry in of_summaries
            if entry.finished or (entry.tournament, entry.player) not in played
        ]
        return TournamentResults(of_hands, refused)

    def entries(self) -> Iterator[TournamentEntry]:
        """Yield what the hands tell."""
        for (tournament, player), player_record in self._told.items():
            currency, buy_in = self._buy_in[tournament]
            # Which entry a bounty or a re-buy belongs to is not told; the first one has them all.
            of = partial(TournamentEntry, tournament, player, currency)
            more_chips, bounties = player_record.more_chips, player_record.bounties
            for place, prize in player_record.finishes:
                yield of(buy_in + more_chips, prize + bounties, place, True)
                more_chips = bounties = Fraction(0)
            if player_record.last_hand > player_record.last_finish:
                yield of(buy_in + more_chips, bounties, None, False)

    def _begin(self, header: str, number: str, text: str) -> int | None:
        """Return the tournament of a hand; None where nothing is to be read of it."""
        buy_in_match = _BUY_IN.fullmatch(text)
        currency = "" if buy_in_match is None else currency_in(buy_in_match[2])
        if buy_in_match is None or not currency or number in self._seen:
            return None
        cost = sum(map(_money, buy_in_match[2].split("+")), Fraction(0))
        self._seen.add(number)
        self._hand = int(number) if number.isdecimal() else len(self._seen)
        self._seated = {}
        self.lines.append(header)
        self._buy_in[int(buy_in_match[1])] = currency, cost
        return int(buy_in_match[1])

    def _take(self, tournament: int, line: str) -> None:
        record_of = partial(self._told_of, tournament)
        if line.startswith("Seat "):
            self._seated |= {seat_match[2]: line} if (seat_match := _SEAT.fullmatch(line)) else {}
            return
        if dealt := _DEALT.fullmatch(line):
            dealt_in = self._told.setdefault((tournament, dealt[1]), _Told())
            dealt_in.last_hand = max(dealt_in.last_hand, self._hand)
        elif bounty := _BOUNTY.fullmatch(line):
            record_of(bounty[1]).bounties += _money(bounty[2])
        elif split := _SPLIT.fullmatch(line):
            sharing = [name for name in self._seated if _is_among(name, split[1])]
            self.lines += map(self._seated.__getitem__, sharing)
            for name in sharing:
                record_of(name).bounties += _money(split[2]) / len(sharing)
        elif more := _MORE_CHIPS.fullmatch(line):
            record_of(more[1]).more_chips += _money(more[2])
        elif out := _FINISH.fullmatch(line):
            place = int(out[2]) if out[2] else None
            record_of(out[1]).finish(self._hand, place, _money(out[3] or "0"))
        elif won := _WIN.fullmatch(line):
            record_of(won[1]).finish(self._hand, 1, _money(won[2] or "0"))
        else:
            return
        self.lines.append(line)

    def _told_of(self, tournament: int, player: str) -> _Told:
        """Return what the text says of a player; nothing about others is kept."""
        return self._told.get((tournament, player)) or _Told()


def _entries_of_summary(summary: Summary, owner: str) -> list[TournamentEntry]:
    """Return the entries of a summary's owner. Raises `BadHand` with the reason for none."""
    number = summary.number
    if number is None:
        raise BadHand(SkipReason.UNREADABLE, "no number of the tournament")
    if not owner:
        raise BadHand(SkipReason.UNREADABLE, f"tournament {number}: no word on whose summary it is")
    try:
        entries = entries_in(summary, owner)
    except BadHand as problem:
        raise BadHand(problem.reason, f"tournament {number}: {problem.detail}") from None
    return [
        TournamentEntry(
            tournament=number,
            player=owner,
            currency=entry.currency,
            buy_in=entry.cost,
            prize=entry.prize,
            place=entry.place,
            finished=entry.finished,
            price=entry.price,
            entrants=summary.count("entrants") or None,
            pool=amounts_in(summary.text("pool")) or None,
            kind=summary.kind,
        )
        for entry in entries
    ]


def _is_among(name: str, names: str) -> bool:
    """Return whether a name is one of several in a row, which may have commas of their own."""
    return re.search(rf"(?:^|, | and ){re.escape(name)}(?:$|, | and )", names) is not None


def _money(text: str) -> Fraction:
    """Return an amount. Raises `BadHand`."""
    number = re.fullmatch(MONEY, text)
    return Fraction(read_amount(text if number is None else number[1], dot_groups=True), UNIT)
