"""A tournament in play: stages, rounds, places.

All tables play hand for hand, as in `railbird.arena`, so players who are knocked out in the same
hand of the tournament share a place by their stacks, whichever table they sat at.
"""

# A tournament is a fold over its journal, as every `HostedPlay` is. Commands (`advance` and what it
# calls) read the state, decide, and commit a record; only the part below "The fold" changes the
# state, and it must do so from the record alone. So it reads no clock, draws nothing, and never
# asks what a command would have decided: cards and seats come from the seed, times and tables from
# the record. A change of a rule that is read in the fold would replay old journals to another
# state.
#
# All tables play hand for hand: a *round* is one hand of each. That costs the fast tables some
# waiting, and gives what no other order does: players who are knocked out in the same round have a
# common measure, the stacks with which they began it (``_had``), and tables are balanced at one
# moment at which nobody is in a hand.
#
# Tables keep their number by their first player after balancing (`_next_round`), which is why a
# lost player is looked for there. In a shoot-out tables are never balanced; places are known at a
# table first (``_ranks``) and in the tournament once all tables have a winner.
#
# Who would notice: tests/hosting/test_journal.py plays on from every prefix of a journal, and
# tests/hosting/test_chips.py adds up the chips of every hand.

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from fractions import Fraction

from railbird.errors import BadInput
from railbird.hosting.deck import deal_from_seed, draw_seats
from railbird.hosting.formats import LevelBy, tournament_format
from railbird.hosting.interfaces import Finish, TournamentOutcome
from railbird.hosting.journal import AnyRecord, Closed, Drawn, HandDealt, Opened, Placed, RoundBegun
from railbird.hosting.play import GamePlayer, HostedPlay, TableHand, Time
from railbird.hosting.settings import DRAW_SECONDS, SHARE_SECONDS
from railbird.protocol.messages import KnockedOut, LeaveReason, Place, PlayReport, Result, TableInfo
from railbird.protocol.redaction import KnockOut, SeatHolder, TournamentEnd
from railbird.tournament.icm import places_of
from railbird.tournament.schedule import (
    Level,
    Stages,
    TableOrder,
    advance_button,
    balance_tables,
    by_seat,
    first_tables,
    shoot_out_places,
)
from railbird.units import Chips


class TournamentPlay(HostedPlay):
    """A tournament from its entrants to its result."""

    def __init__(self, opened: Opened, when: Time | None = None) -> None:
        form = tournament_format(opened.settings)
        super().__init__(opened, form.clocks, form.freeze, when or Time())
        self.form = form
        self.players = [GamePlayer(entrant, form.clocks) for entrant in opened.entrants]
        self.stacks = [0 for _ in self.players]
        self.places: dict[int, int] = {}
        """Final places by player, as far as they are known."""
        self.stage = 0
        self._tables: dict[int, TableOrder] = {}
        self._dealt_to: set[int] = set()
        """Tables that were dealt their hand of this round."""
        self._had: list[int] = []
        """Stacks before this round."""
        self._ranks: dict[int, dict[int, int]] = {}
        """In a shoot-out, by table: ranks of players there."""
        self._table_of: dict[int, int] = {}
        self._ended_at = opened.at
        self._has_asked = False
        """Whether this process has asked for shares of the seed."""

    # Commands.

    def advance(self) -> None:
        """Play on as far as no player is needed, for one hand of each table."""
        self.has_more = False
        if self.closed is not None or self.paused:
            return
        if not self.stage:
            everybody = range(len(self.players))
            if not self._has_asked:
                self._has_asked = True
                self.ask_shares(everybody, DRAW_SECONDS)
            if self.awaits_shares:
                return
            self._draw(list(everybody))
            self.ask_shares(everybody, SHARE_SECONDS - DRAW_SECONDS, again=True)
        self.hand_on()
        if self.hands:
            return
        if any(len(order) > 1 and n not in self._dealt_to for n, order in self._tables.items()):
            if self.is_resting or self.awaits_shares:
                return
            self._deal()
            self.has_more = not self.turns
        else:
            self._end_round()
            self.has_more = self.closed is None

    def _draw(self, players: list[int]) -> None:
        order = draw_seats(self.seed_of(players), self.stage + 1, players)
        tables = first_tables(order, self.form.table_seats)
        first = max(self._tables, default=0) + 1
        at = self.when.unix_ms()
        self.commit(Drawn(at=at, stage=self.stage + 1, first_table=first, tables=tuple(tables)))

    def _deal(self) -> None:
        level = self._level()
        for table, order in self._tables.items():
            if len(order) < 2 or table in self._dealt_to:
                continue
            seats = by_seat(order)
            dealt = HandDealt(
                at=self.when.unix_ms(),
                table=table,
                hand=self.hands_begun[table] + 1,
                seats=seats,
                stacks=tuple(self.stacks[player] for player in seats),
                small=level.small,
                big=level.big,
                ante=level.ante,
                big_blind_ante=level.big_blind_ante,
            )
            self.commit(dealt)
        self.hand_on()

    def _level(self) -> Level:
        schedule = self.form.schedule
        if self.form.level_by is LevelBy.MINUTES:
            return schedule.level(self.playing_ms // 60_000)
        return schedule.level(max((self.hands_begun[t] for t in self._tables), default=0))

    def _end_round(self) -> None:
        shoot_out = self.form.stages is Stages.SHOOT_OUT
        out = [p for p, had in enumerate(self._had) if had and not self.stacks[p]]
        left = [p for p, stack in enumerate(self.stacks) if stack]
        at = self.when.unix_ms()
        if shoot_out:
            self._end_shoot_out_round(out, left)
            return
        places = places_of(out, self._had, len(left))
        if len(left) == 1:
            places[left[0]] = 1
        if places:
            self.commit(Placed(at=at, places=tuple(places.items())))
        if len(left) <= 1:
            self.close(void=False, why="")
            return
        orders = self._with_next_buttons(out)
        self._next_round(orders, balance_tables(list(orders.values()), self.form.table_seats))

    def _end_shoot_out_round(self, out: list[int], left: list[int]) -> None:
        orders = self._with_next_buttons(out)
        if any(len(order) > 1 for order in orders.values()):
            self._next_round(orders, list(orders.values()))
            return
        ranks = {table: dict(table_ranks) for table, table_ranks in self._ranks.items()}
        for table, order in self._tables.items():
            ranks.setdefault(table, {}).update(self._ranked(order, out))
        places = shoot_out_places(list(ranks.values()))
        known = {p: place for p, place in places.items() if len(left) == 1 or p not in left}
        at = self.when.unix_ms()
        self.commit(
            Placed(
                at=at,
                places=tuple(
                    sorted(known.items(), key=lambda player_and_place: player_and_place[1])
                ),
            )
        )
        if len(left) == 1:
            self.close(void=False, why="")
        else:
            self._draw(left)

    def _ranked(self, order: TableOrder, out: Sequence[int]) -> dict[int, int]:
        """Return the ranks at one table of those knocked out in this round, and of its winner."""
        here = [player for player in order if player in out]
        stay = [player for player in order if player not in out]
        ranks = places_of(here, self._had, len(stay))
        return ranks | ({stay[0]: 1} if len(stay) == 1 else {})

    def _with_next_buttons(self, out: Sequence[int]) -> dict[int, TableOrder]:
        orders = {n: order for n, order in self._tables.items() if order}
        return {n: advance_button(order, out) for n, order in orders.items()}

    def _next_round(self, before: dict[int, TableOrder], after: Sequence[TableOrder]) -> None:
        """Record the tables under the numbers that they have: a table keeps its first player."""
        first = {order[0]: order for order in after if order}
        tables = {n: first.get(order[0], ()) for n, order in before.items() if order}
        if sum(map(len, tables.values())) != sum(map(len, after)):
            raise AssertionError("a player was lost in balancing the tables")
        every = tuple(tables.get(n, ()) for n in self._tables)
        self.commit(RoundBegun(at=self.when.unix_ms(), tables=every))

    # The fold.

    def apply_own(self, record: AnyRecord) -> None:
        """Apply a record of a tournament."""
        match record:
            case Drawn():
                self._apply_drawn(record)
            case Placed(places=places):
                self._apply_places(dict(places))
            case RoundBegun(tables=tables):
                self._apply_round(dict(zip(list(self._tables), tables, strict=True)))
            case Closed():
                self._ended_at = record.at
                self._dismiss()
                self._outlet.tell_entrants(TournamentEnd(self.result(), self._reports()))
            case _:
                raise BadInput(f"a tournament has no {type(record).__name__}")

    def rules_of(self, dealt: HandDealt) -> TableHand:
        """Return a hand as dealt."""
        if dealt.stacks != tuple(self.stacks[p] for p in dealt.seats):
            raise BadInput(f"hand {dealt.hand} dealt with other stacks")
        level = Level(
            small=dealt.small,
            big=dealt.big,
            ante=dealt.ante,
            big_blind_ante=dealt.big_blind_ante,
            hands=1,
        )
        name = self.table_name(dealt.table)
        self._dealt_to.add(dealt.table)
        return TableHand(
            table=name,
            number=dealt.hand,
            players=dealt.seats,
            holders=tuple(map(self._holder, dealt.seats)),
            rules=self.form.rules(level, list(dealt.stacks)),
            cards=deal_from_seed(
                self.seed_of(dealt.seats),
                name,
                dealt.hand,
                seats=len(dealt.seats),
                variant=self.form.game,
            ),
            shares=self.share_texts(dealt.seats),
        )

    def stacks_paid(self, hand: TableHand, stacks: Sequence[Chips]) -> None:
        """Take over the stacks after a hand."""
        for player, stack in zip(hand.players, stacks, strict=True):
            self.stacks[player] = stack

    def _apply_drawn(self, record: Drawn) -> None:
        self.stage = record.stage
        moved = {p for order in record.tables for p in order}
        for player in sorted(moved & self._table_of.keys()):
            self._outlet.left(player, self._table_of[player], "moved")
        numbers = range(record.first_table, record.first_table + len(record.tables))
        self._tables = dict(zip(numbers, record.tables, strict=True))
        for table, order in self._tables.items():
            for chair, player in enumerate(order, 1):
                self.stacks[player] = self.form.stack
                self.players[player].chair = chair
                self._table_of[player] = table
        self._ranks = {}
        self._begin_round()
        for table, order in self._tables.items():
            for player in order:
                self._outlet.seated(player, table)

    def _apply_places(self, places: dict[int, int]) -> None:
        self.places |= places
        for player, place in places.items():
            if place == 1:
                continue
            seated = self.players[player]
            message = KnockedOut(
                table=self.table_name(self._table_of.get(player, 0)),
                tournament=self.id,
                name=seated.entrant.name,
                place=place,
                prize=prize_text(self._prizes()[player]),
            )
            self._outlet.tell_entrants(KnockOut(message, seated.report))
            self._leave(player, "knocked_out")

    def _apply_round(self, tables: dict[int, TableOrder]) -> None:
        out = [p for p, had in enumerate(self._had) if had and not self.stacks[p]]
        if self.form.stages is Stages.SHOOT_OUT:
            for table, order in self._tables.items():
                self._ranks.setdefault(table, {}).update(self._ranked(order, out))
        former_tables, self._tables = self._tables, tables
        for player in out:
            self._leave(player, "knocked_out")
        for table, order in tables.items():
            for player in order:
                if player not in former_tables[table]:
                    self._move(player, table)
        self._begin_round()

    def _move(self, player: int, table: int) -> None:
        self._outlet.left(player, self._table_of[player], "moved")
        taken = {self.players[p].chair for p in self._tables[table] if p != player}
        self.players[player].chair = next(c for c in range(1, 100) if c not in taken)
        self._table_of[player] = table
        self._outlet.seated(player, table)

    def _begin_round(self) -> None:
        self._dealt_to = set()
        self._had = self.stacks.copy()

    def _leave(self, player: int, reason: LeaveReason) -> None:
        table = self._table_of.pop(player, None)
        if table is not None:
            self._outlet.left(player, table, reason)

    def _dismiss(self) -> None:
        for player in list(self._table_of):
            self._leave(player, "over")

    # What others may know.

    @property
    def tables(self) -> tuple[int, ...]:
        """Numbers of the tables at which somebody still sits."""
        return tuple(n for n, order in self._tables.items() if order)

    def players_at(self, table: int) -> tuple[int, ...]:
        """Return the players at a table who are still in."""
        order = self._tables.get(table, ())
        return tuple(p for p in order if self._table_of.get(p) == table)

    @property
    def still_in(self) -> tuple[int, ...]:
        """Everybody before the seats are drawn; then the players with a seat."""
        if not self.stage and self.closed is None:
            return tuple(range(len(self.players)))
        return tuple(self._table_of)

    def table_info(self, table: int) -> TableInfo:
        """Return what everybody may know of a table."""
        return TableInfo(
            table=self.table_name(table),
            kind="tournament",
            tournament=self.id,
            format=self.form.as_message(),
            players=[self.player_info(p, self.stacks[p]) for p in self.players_at(table)],
            hand=self.hands_begun[table],
            paused=self.paused or self.is_parked,
            parked=self.is_parked,
        )

    def result(self) -> Result:
        """Return the public result."""
        closed = self.closed
        void = closed is None or closed.void
        order = sorted(self.places, key=lambda player: self.places[player])
        prizes = self._prizes()
        return Result(
            tournament=self.id,
            void=void,
            rated=self.form.rated and not void,
            places=[
                Place(
                    name=self.players[p].entrant.name,
                    kind=self.players[p].entrant.kind,
                    version=self.players[p].entrant.version or None,
                    place=self.places[p],
                    prize=prize_text(prizes[p]),
                )
                for p in order
            ],
            commitment=self.opened.commitment,
            seed=self.opened.seed,
        )

    def outcome(self, journal: str) -> TournamentOutcome:
        """Return the outcome for the database. Raises `BadInput` while it is played."""
        if self.closed is None:
            raise BadInput(f"{self.id} is still played")
        prizes, void = self._prizes(), self.closed.void
        order = sorted(self.places, key=lambda player: self.places[player])
        return TournamentOutcome(
            tournament=self.id,
            queue=self.form.name,
            began=_moment(self.opened.at),
            ended=_moment(self._ended_at),
            rated=self.form.rated and not void,
            void=void,
            hands=sum(self.hands_begun.values()),
            fee=self.form.fee,
            finishes=tuple(
                Finish(
                    player=self.players[p].identity,
                    place=self.places[p],
                    prize=prizes[p],
                    latency=self.players[p].latency,
                    offences=dict(self.players[p].offences),
                )
                for p in order
            ),
            commitment=self.opened.commitment,
            seed=self.opened.seed,
            journal=journal,
        )

    def _prizes(self) -> dict[int, Fraction]:
        """Return the prizes of those whose places are known; ties only among those known."""
        count = len(self.players)
        pool = self.form.fee * count
        payouts = self.form.payouts[:count]  # fewer may start by schedule than there are prizes
        taken = Counter(self.places.values())
        return {
            player: sum(payouts[place - 1 : place - 1 + taken[place]], Fraction(0))
            * pool
            / (taken[place] * sum(payouts))
            for player, place in self.places.items()
        }

    def _reports(self) -> dict[str, PlayReport]:
        return {player.entrant.name: player.report for player in self.players}

    def _holder(self, player: int) -> SeatHolder:
        seated = self.players[player]
        entrant = seated.entrant
        return SeatHolder(entrant.name, entrant.kind, seated.chair, seated.shown_presence)


def prize_text(amount: Fraction) -> str:
    """Return money as a decimal where it is one, else as a fraction.

    >>> prize_text(Fraction(18, 5)), prize_text(Fraction(10, 3)), prize_text(Fraction(42))
    ('3.6', '10/3', '42')
    """
    is_decimal = 100 % amount.denominator == 0
    return f"{float(amount):.2f}".rstrip("0").rstrip(".") if is_decimal else str(amount)


def _moment(unix_ms: int) -> datetime:
    return datetime.fromtimestamp(unix_ms / 1000, UTC)
