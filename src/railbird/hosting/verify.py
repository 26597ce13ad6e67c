"""Checking the cards and chips of a game: by its own journal, or by a client's messages."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from railbird.cards import CARD_OF_TEXT, HOLDEM, TEXT_OF_CARD, Card, Variant, variant_from
from railbird.errors import BadInput, DamagedFile, NothingUsable, RailbirdError
from railbird.game import (
    BOARD_CARDS,
    Act,
    Action,
    Betting,
    DealBoard,
    DealStreet,
    Discard,
    Event,
    HandDealer,
    HandState,
    OpenFold,
    Rules,
    initial,
    parse_rake,
    payoffs,
    step,
)
from railbird.hosting.deck import (
    SEED_BYTES,
    commitment,
    deal_from_seed,
    draw_seats,
    mixed_seed,
)
from railbird.hosting.house_game import is_over, play_of
from railbird.hosting.journal import (
    AnyRecord,
    Drawn,
    HandDealt,
    Opened,
    Paid,
    Reseeded,
    SharedSeed,
    parse_record,
)
from railbird.hosting.play import HostedPlay, paid_in_two_runs
from railbird.hosting.tournament_play import TournamentPlay
from railbird.protocol import AnyServer, PlayerKind, event_of, following, parse_server
from railbird.protocol.encoding import parse_client
from railbird.protocol.messages import (
    Acted,
    AskShare,
    GameFormat,
    HandBegins,
    HandOver,
    HandView,
    HandVoid,
    PlayerLeft,
    PlayerSat,
    Result,
    RunsTwice,
    Seated,
    SeedRevealed,
    SeedShare,
    Snapshot,
    StreetEntry,
    TableInfo,
)
from railbird.protocol.redaction import first_cards, texts
from railbird.tournament.schedule import first_tables, posted_rules


@dataclass(slots=True, kw_only=True)
class Checked:
    """What of a game was compared with what its seed deals."""

    game: str
    hands: int = 0
    cards: int = 0
    payouts: int = 0
    """Hands whose chips were computed again from the seed's cards and the actions."""
    voids: int = 0
    """Hands that did not count; their cards are compared, too."""
    reshuffled: int = 0
    """Hands of draw games in which the deck ran out, so that cards were dealt again that others had
    thrown away: a client's log does not tell which, so only the first cards are compared."""
    shares: int = 0
    """Hands whose seed has a share of somebody besides the house."""
    sharing: list[str] = field(default_factory=list)
    """Players whose shares those are."""
    withheld: list[str] = field(default_factory=list)
    """Players without a share in some hand, house players included, who never have one."""
    places: int = 0
    """Players whose places and prizes follow from the hands in which they were seen."""
    is_journal: bool = False
    """Whether it was the house's own journal that was read, not what a client had been sent."""
    problems: list[str] = field(default_factory=list)
    """Every difference, and whatever is missing, in one line; empty if all is as committed."""


def verify(lines: Iterable[bytes]) -> list[Checked]:
    """Check a journal, or a log with one message of the server in each line.

    Raises `NothingUsable` for games whose seeds are not revealed yet, and for a text that is
    neither.
    """
    texts = [line.strip() for line in lines if line.strip()]
    if not texts:
        raise NothingUsable("an empty log; allowed: a journal, or messages as a client got them")
    if b'"r":"opened"' in texts[0]:
        return [_by_journal(list(map(_record, texts)))]
    return _by_messages([message for message in map(_message, texts) if message is not None])


def _record(line: bytes) -> AnyRecord:
    try:
        return parse_record(line)
    except BadInput:
        raise NothingUsable("a line of the journal that is no record") from None


def _message(line: bytes) -> AnyServer | SeedShare | None:
    try:
        # A log may hold what its client sent, of which only shares matter; all else is read as a
        # message of the server.
        if b'"seed_share"' in line and isinstance(own := parse_client(line), SeedShare):
            return own
    except BadInput:
        pass
    try:
        return parse_server(line)
    except BadInput as problem:
        raise NothingUsable(f"neither a journal nor messages of the server: {problem}") from None


def _by_journal(records: Sequence[AnyRecord]) -> Checked:
    opened = records[0]
    if not isinstance(opened, Opened) or not is_over(records):
        raise NothingUsable("this game is not over; its seed is revealed with its result")
    checked = Checked(game=opened.id, is_journal=True)
    play = play_of(opened)
    key = _JournalKey(checked, opened)
    left = list(range(len(opened.entrants)))
    chips: list[_Chips] = []
    # The state is compared before each record is applied, since a payment ends the hand whose
    # players and stacks it needs.
    for record in records[1:]:
        key.follow(record, play)
        match record:
            case Drawn(stage=stage) if isinstance(play, TournamentPlay):
                order = draw_seats(key.of(left), stage, left)
                if tuple(first_tables(order, play.form.table_seats)) != record.tables:
                    checked.problems.append(f"stage {stage}: other seats than the seed draws")
            case Paid(cards=cards):
                name = play.table_name(record.table)
                chips += _journal_chips(play, record)
                seats = len(record.stacks)
                checked.hands += 1
                of_hand = key.by_table.get(record.table, b"")
                game = play.form.game
                row = _row(checked, of_hand, name, record.hand, seats, game)
                if row is not None:
                    where = f"hand {record.hand} at {name}"
                    places = _Places(row.tolist(), game.dealt_size)
                    _compare(checked, where, places, set(enumerate(cards)))
            case _:
                pass
        try:
            play.read([record])  # which computes all chips again
        except DamagedFile as problem:
            checked.problems.append(str(problem))
            break
        checked.payouts += isinstance(record, Paid)
        if isinstance(play, TournamentPlay) and play.stage:
            left = [player for player, stack in enumerate(play.stacks) if stack]
    if isinstance(play, TournamentPlay):
        _check_result(checked, play.result(), play.form.as_message(), chips)
    return checked


class _JournalKey:
    """What deals in a journal, hand by hand: the house's seed, mixed with the shares of seats."""

    def __init__(self, checked: Checked, opened: Opened) -> None:
        self.by_table: dict[int, bytes] = {}
        """What deals the hand in play."""
        self._checked = checked
        self._has_shares = opened.has_shares
        self._seed = _seed(checked, opened.seed, opened.commitment)
        self._shares: dict[int, str] = {}

    def of(self, players: Sequence[int]) -> bytes:
        """Return what deals to players."""
        if not self._has_shares:
            return self._seed
        return _mixed(self._checked, self._seed, [self._shares.get(p, "") for p in players])

    def follow(self, record: AnyRecord, play: HostedPlay) -> None:
        """Note shares, and the seats that a hand is dealt to."""
        match record:
            case SharedSeed(player=player, share=share):
                self._shares[player] = share
            case Reseeded():
                self._seed = _seed(self._checked, record.seed, record.commitment)
                self._shares = {}
            case HandDealt(table=table, seats=players):
                self.by_table[table] = self.of(players)
                known = [player for player in players if player < len(play.players)]
                _note_shares(
                    self._checked,
                    {play.players[p].entrant.name: self._shares.get(p, "") for p in known},
                )
            case _:
                pass


def _by_messages(messages: Sequence[AnyServer | SeedShare]) -> list[Checked]:
    games: dict[str, _GameLog] = {}
    of_table: dict[str, _GameLog] = {}
    asked: dict[str, list[AskShare | SeedShare]] = {}
    """By game: questions for shares, and shares, that came before the seat."""
    early: dict[str, Checked] = {}
    """By table: hands of which nobody had said which game they were of, and what commits it."""
    for message in messages:
        match message:
            case Seated(table=info) | Snapshot(table=info):
                game = games.setdefault(info.tournament or info.table, _GameLog(info))
                of_table[info.table] = game
                for question in asked.pop(game.name, ()):
                    game.share(question)
                game.promised(message.commitment)
            case AskShare(game=name) | SeedShare(game=name):
                asked.setdefault(name, []).append(message)
                # A question for a share may come before the message that says which game the table
                # belongs to; it waits until then.
                for question in asked.pop(name) if name in games else ():
                    games[name].share(question)
            case Result(tournament=name):
                if name in games:
                    games[name].revealed(message)
            case _:
                pass
        if not isinstance(message, AskShare | SeedShare | Result):
            _take(message, of_table, early)
    if not any(game.seeds for game in games.values()):
        raise NothingUsable("no result of a tournament and no seed; nothing here can be checked")
    checked = [game.check() for game in games.values() if game.hands or game.seeds]
    return [*checked, *early.values()]


def _take(message: AnyServer, of_table: Mapping[str, _GameLog], early: dict[str, Checked]) -> None:
    """Hand a message on to the game whose table it is about."""
    table = getattr(message, "table", None)
    name = table.table if isinstance(table, TableInfo) else table
    if isinstance(name, str) and name in of_table:
        of_table[name].take(name, message)
    elif isinstance(name, str) and isinstance(message, HandBegins):
        words = f"hand {message.hand.hand} began before any commitment to its cards"
        early.setdefault(name, Checked(game=name)).problems.append(words)


@dataclass(slots=True)
class _LoggedHand:
    """A hand as a client saw it, and the commitments known by then."""

    view: HandView
    commitment: str | None
    cards: set[tuple[int, int]] = field(default_factory=set)
    """All cards that any message showed, by their place in the deal."""
    over: HandOver | HandVoid | None = None
    shares: list[str] | None = None
    """By seat, as the message says that began the hand, or a snapshot."""
    own: str = ""
    """What this client had given to the seed before the hand."""
    runs_twice: Mapping[str, bool | None] = field(default_factory=dict)
    """Whether each player would run all-ins twice, when the last bet was made or called; empty
    where the log does not tell."""


class _GameLog:
    """What a client was sent about one game."""

    def __init__(self, info: TableInfo) -> None:
        self.name = info.tournament or info.table
        self.hands: dict[tuple[str, int], _LoggedHand] = {}
        self.seeds: list[Result | SeedRevealed] = []
        self._info = info
        self._commitment: str | None = None
        self._views: dict[str, HandView | None] = {}
        self._stacks: dict[str, tuple[int, dict[str, int]]] = {}
        """By table: the number of the last hand, and the stacks after it by name."""
        self._problems: list[str] = []
        self._own = ""
        """The client's own share of the present seed, of which the log has the line."""
        self._begun = 0
        """Hands begun since then."""
        self._shares: dict[str, str] = {}
        """Shares of the present seed by name, as earlier hands had them."""
        self._runs_twice: dict[str, bool | None] = {}
        """Whether each player would run all-ins twice, as told last; None where nobody is asked."""

    def share(self, message: AskShare | SeedShare) -> None:
        """Note what the client gave, or a commitment that came with the question for it."""
        match message:
            case AskShare(commitment=promise):
                self.promised(promise)
            case SeedShare(share=share) if self._commitment is None:
                self._problems.append("a share of the seed was given before any commitment")
                self._own = share
            case SeedShare(share=share) if not self._own:
                self._own, self._begun = share, 0
            case _:
                pass

    def promised(self, commitment: str | None) -> None:
        """Note the commitment that a message about the table has."""
        # The first commitment counts. A later one, or none, is the sign of a seed that was changed
        # after cards were known.
        before, self._commitment = self._commitment, self._commitment or commitment
        if before not in (None, commitment):
            self._problems.append(
                f"the commitment was {before}, and later it is {commitment or 'missing'}"
            )

    def revealed(self, message: Result | SeedRevealed) -> None:
        """Note a seed, and the commitment to the next one."""
        results = [result for result in self.seeds if isinstance(result, Result)]
        if isinstance(message, Result) and any(result.seed != message.seed for result in results):
            self._problems.append(f"a second result has another seed, {message.seed}")
        self.seeds.append(message)
        if isinstance(message, SeedRevealed):
            self._commitment = message.next_commitment
            self._own, self._shares = "", {}

    def take(self, table: str, message: AnyServer) -> None:
        """Note what a message shows of a table."""
        match message:
            case SeedRevealed():
                self.revealed(message)
                return
            case PlayerLeft(name=name) if table in self._stacks:
                self._stacks[table][1].pop(name, None)
            case HandOver() | HandVoid():
                self._end(table, message)
            case _:
                pass
        self._note_wish(message)
        try:
            view = self._views[table] = following(self._views.get(table), message)
        except (BadInput, IndexError) as problem:
            self._problems.append(f"{table}: {problem}")
            return
        if view is None:
            return
        if (table, view.hand) not in self.hands:
            self._begin(table, view)
            # A share may arrive when the cards of the next hand are dealt already, so that hand is
            # not compared with it.
            own = self._own if self._begun or not self._own else ""
            self.hands[table, view.hand] = _LoggedHand(view, self._commitment, own=own)
            self._begun += bool(self._own)
        hand = self.hands[table, view.hand]
        if hand.shares is None and isinstance(message, HandBegins | Snapshot):
            hand.shares = message.shares
            self._compare_shares(table, hand)
        if isinstance(message, HandBegins | Acted):
            hand.runs_twice = dict(self._runs_twice)
        elif isinstance(message, Snapshot):
            hand.runs_twice = {}  # it may have come after the last bet
        hand.view = view
        hand.cards |= _cards_of(view)

    def _note_wish(self, message: AnyServer) -> None:
        """Note who would run all-ins twice."""
        match message:
            case Seated(table=info) | Snapshot(table=info):
                self._runs_twice |= {player.name: player.runs_twice for player in info.players}
            case PlayerSat(player=player):
                self._runs_twice[player.name] = player.runs_twice
            case RunsTwice(name=name, wants=wants):
                self._runs_twice[name] = wants
            case _:
                pass

    def _compare_shares(self, table: str, hand: _LoggedHand) -> None:
        """Compare the shares of a hand with those of earlier hands, and with the client's own."""
        if hand.shares is None:
            return
        where = f"hand {hand.view.hand} at {table}"
        for number, (seat, share) in enumerate(zip(hand.view.seats, hand.shares, strict=False)):
            earlier_share = self._shares.get(seat.name, "")
            if earlier_share and share != earlier_share:
                words = f"the share of {seat.name} was {earlier_share}, and is {share or 'missing'}"
                self._problems.append(f"{where}: {words}")
            if share and seat.kind is PlayerKind.HOUSE:
                self._problems.append(f"{where}: {seat.name} of the house has a share of the seed")
            if number == hand.view.you and hand.own and share != hand.own:
                words = f"your share was given before, and the seed has {share or 'none'}"
                self._problems.append(f"{where}: {words}")
            self._shares[seat.name] = earlier_share or share

    def _begin(self, table: str, view: HandView) -> None:
        """Compare the stacks of a hand with those after the one before."""
        number, after = self._stacks.get(table, (0, {}))
        if number and number + 1 < view.hand and self._info.kind == "tournament":
            words = f"the log goes from hand {number} to hand {view.hand}"
            self._problems.append(f"{table}: {words}")
        most = self._info.format.stack if self._info.kind != "tournament" else 0
        for seat in view.seats:
            had, has = after.get(seat.name), seat.stack + seat.spent
            # Between hands chips may be bought up to the table's maximum, and some tables fill
            # stacks up; any other change is a fault.
            is_bought = had is not None and had < has <= most
            is_filled_up = self._info.format.top_up and has == most
            follows = had in (None, has) or is_bought or is_filled_up
            if number + 1 == view.hand and not follows:
                words = f"{seat.name} had {had} chips, and begins with {has}"
                self._problems.append(f"hand {view.hand} at {table}: {words}")

    def _end(self, table: str, message: HandOver | HandVoid) -> None:
        hand = self.hands.get((table, message.hand))
        if hand is None:
            return
        stacks = {seat.name: seat.stack + seat.spent for seat in hand.view.seats}
        hand.over = message
        if isinstance(message, HandOver):
            won = dict(zip(stacks, message.won, strict=False))
            computed = [had + won.get(name, 0) for name, had in stacks.items()]
            # Winnings and rake add up to nothing: what the players lose, somebody wins or the house
            # takes.
            if computed != message.stacks or sum(message.won) + message.rake:
                words = f"{message.won} won and {message.rake} rake give {message.stacks}"
                self._problems.append(f"hand {message.hand} at {table}: {words}")
            stacks = dict(zip(stacks, message.stacks, strict=False))
        self._stacks[table] = message.hand, stacks

    def check(self) -> Checked:
        """Compare cards and chips with what the seeds deal."""
        checked = Checked(game=self.name, problems=self._problems)
        keys = {
            id(revealed_seed): _seed(checked, revealed_seed.seed, revealed_seed.commitment)
            for revealed_seed in self.seeds
        }
        without: list[int] = []
        # For each table its last hand: keys are pairs, and later ones replace earlier ones.
        last = dict(self.hands.keys())
        differing: set[str] = set()
        chips: list[_Chips] = []
        for (table, number), hand in self.hands.items():
            source = next(
                (revealed_seed for revealed_seed in self.seeds if _deals(revealed_seed, number)),
                None,
            )
            if source is None:
                without.append(number)
                continue
            differing |= _missing(hand, source)
            key = _key(checked, hand, keys[id(source)])
            if hand.over is None and (number < last[table] or isinstance(source, Result)):
                checked.problems.append(f"hand {number} at {table}: its end is not in this log")
            checked.hands += 1
            row = _row(checked, key, table, number, len(hand.view.seats), _game(self._info.format))
            where = f"hand {number} at {table}"
            cards = hand.cards
            if _is_reshuffled(hand.view):
                checked.reshuffled += 1
                cards = _first_cards(hand.view)
            is_as_dealt = row is not None and _compare(
                checked, where, _by_place(checked, self._info.format, hand.view, row), cards
            )
            checked.voids += isinstance(hand.over, HandVoid)
            if isinstance(hand.over, HandOver):
                names = [seat.name for seat in hand.view.seats]
                before = [seat.stack + seat.spent for seat in hand.view.seats]
                chips.append(_chips(names, before, hand.over.stacks))
                # With other cards the payoffs would differ for that reason alone, which has been
                # said.
                if is_as_dealt:
                    self._pay(checked, key, table, hand, hand.over)
        for result in (
            revealed_seed for revealed_seed in self.seeds if isinstance(revealed_seed, Result)
        ):
            _check_result(checked, result, self._info.format, chips)
        if without:
            words = f"{len(without)} hands, the first of them hand {without[0]}"
            checked.problems.append(f"no seed was revealed of {words}")
        if not self.hands:
            checked.problems.append("no hand is in this log")
        checked.problems += sorted(differing)
        return checked

    def _pay(
        self, checked: Checked, seed: bytes, table: str, hand: _LoggedHand, over: HandOver
    ) -> None:
        """Compare the payoffs with those that the seed's cards and the actions give."""
        form, view = self._info.format, hand.view
        if Betting(form.betting) is Betting.SPREAD_LIMIT:
            return  # messages do not tell the sizes of spread limit
        seats = len(view.seats)
        where = f"hand {view.hand} at {table}"
        game, runs = _game(form), 1 if over.second_board is None else 2
        cards = deal_from_seed(seed, table, view.hand, seats=seats, runs=runs, variant=game)
        row = cards.tolist()
        events = [event_of(entry, game) for entry in view.history]
        actions = [event.action for event in events if isinstance(event, Act)]
        rules = _rules(form, view)
        try:
            if (
                game.throws_away
            ):  # what others threw away is not known, and what they hold is compared
                dealt = DealStreet(down=(None,) * seats)
                state = reduce(step, [dealt, *events], initial(rules))
            else:
                state = _replayed(rules, row, len(view.board), actions)
            won: Sequence[Fraction | int] = payoffs(state)
            checked.problems += _runs(hand, over, events, state.in_hand, where)
            if over.second_board is not None:
                again = _second_board(row, seats, events)
                if over.second_board != texts(again):
                    words = f"the second board was {' '.join(over.second_board)}"
                    checked.problems.append(
                        f"{where}: {words}, the seed's is {' '.join(texts(again))}"
                    )
                    return
                second = payoffs(_replayed(rules, [*row[: 2 * seats], *again], len(again), actions))
                won = paid_in_two_runs([*map(int, won)], [*map(int, second)])
        except RailbirdError as problem:
            checked.problems.append(f"{where}: {problem}")
            return
        checked.payouts += 1
        if list(won) != over.won:
            words = f"{over.won} were won; the seed's cards give {[str(chips) for chips in won]}"
            checked.problems.append(f"{where}: {words}")


def _runs(
    hand: _LoggedHand, over: HandOver, events: Sequence[Event], left: Sequence[int], where: str
) -> Iterator[str]:
    """Yield how often an all-in was run otherwise than everybody left in the hand wanted."""
    seats = [hand.view.seats[seat] for seat in left]
    acts = [place for place, event in enumerate(events) if isinstance(event, Act)]
    since = events[acts[-1] + 1 :] if acts else events
    is_all_in = len(seats) > 1 and any(isinstance(event, DealBoard) for event in since)
    is_asked = any(seat.kind is not PlayerKind.HOUSE for seat in seats)
    wants = [hand.runs_twice.get(seat.name) for seat in seats]
    against = [seat.name for seat, want in zip(seats, wants, strict=True) if want is False]
    if over.second_board is None and is_all_in and is_asked and all(wants):
        yield f"{where}: everybody left wanted to run it twice, and it was run once"
    elif over.second_board is not None and (against or not is_all_in):
        why = f"against the wish of {', '.join(against)}" if against else "without an all-in"
        yield f"{where}: it was run twice {why}"


def _replayed(rules: Rules, row: Sequence[int], board: int, actions: Sequence[Action]) -> HandState:
    """Return the end of a hand, given the cards and how many lie on the board.

    Raises `RailbirdError` for actions that the rules refuse, or that lead to another board.
    """
    dealer = HandDealer.of_row(rules, np.array(row, np.uint8))
    dealer.begin()
    for action in actions:
        dealer.act(action)
    if len(dealer.state.board) != board:
        raise BadInput(f"a board of {board} cards; the actions lead to {len(dealer.state.board)}")
    return dealer.state


def _game(form: GameFormat) -> Variant:
    return variant_from(form.variant or HOLDEM)


def _second_board(row: Sequence[int], seats: int, events: Sequence[Event]) -> tuple[Card, ...]:
    """Return the board of a second run, given the cards of a hand dealt for two boards."""
    acts = [place for place, event in enumerate(events) if isinstance(event, Act)]
    bet_on = events[: acts[-1] + 1] if acts else []
    # Both boards share the cards that lay there when the betting ended.
    common = sum(len(event.cards) for event in bet_on if isinstance(event, DealBoard))
    first = 2 * seats
    further = row[first + BOARD_CARDS[-1] :][: BOARD_CARDS[-1] - common]
    return tuple(map(Card, (*row[first : first + common], *further)))


def _key(checked: Checked, hand: _LoggedHand, seed: bytes) -> bytes:
    """Return what deals a hand: the house's seed alone where the log has no shares."""
    if hand.shares is None:
        return seed
    names = [seat.name for seat in hand.view.seats]
    _note_shares(checked, dict(zip(names, hand.shares, strict=False)))
    return _mixed(checked, seed, hand.shares)


def _rules(form: GameFormat, view: HandView) -> Rules:
    stacks = [seat.stack + seat.spent for seat in view.seats]
    rules = posted_rules(
        Betting(form.betting),
        posts=view.blinds,
        antes=view.antes,
        stacks=stacks,
        variant=_game(form),
        opening=(view.bring_in or 0, view.small_bet or 0),
    )
    return replace(
        rules,
        open_fold=OpenFold.ALLOWED if form.freeze == "fold" else rules.open_fold,
        rake=None if form.rake is None else parse_rake(form.rake),
    )


def _missing(hand: _LoggedHand, source: Result | SeedRevealed) -> set[str]:
    """Return what should have come before the first card of a hand and has not."""
    problems = set()
    if hand.commitment is None:
        problems.add("no commitment came before the first card")
    elif hand.commitment != source.commitment:
        what = f"cards were dealt under commitment {hand.commitment}"
        problems.add(f"{what}, and the seed is that of {source.commitment}")
    if hand.shares is None or len(hand.shares) != len(hand.view.seats):
        problems.add(_NO_SHARES)
    return problems


_Chips = Mapping[str, tuple[int, int]]
"""The chips of each player of a hand, before and after it."""


def _chips(names: Sequence[str], before: Sequence[int], after: Sequence[int]) -> _Chips:
    return dict(zip(names, zip(before, after, strict=False), strict=False))


def _journal_chips(play: HostedPlay, paid: Paid) -> list[_Chips]:
    hand = play.hands.get(paid.table)
    if hand is None:
        return []
    names = [play.players[player].entrant.name for player in hand.players]
    return [_chips(names, hand.moment.state.rules.stacks or (), paid.stacks)]


def _check_result(
    checked: Checked, result: Result, form: GameFormat, hands: Sequence[_Chips]
) -> None:
    """Compare places with who lost all chips in the hands, and prizes with the places."""
    if result.void:
        return
    problems_before = len(checked.problems)
    places = {placed.name: placed.place for placed in result.places}
    ranks = sorted(places.values())
    if any(place != 1 + ranks.index(place) for place in ranks):
        checked.problems.append(f"places {', '.join(map(str, ranks))} of {len(places)} players")
    players = {name for chips in hands for name in chips}
    is_one_table = form.seats <= form.table_seats
    if missing := sorted(players - set(places)):
        checked.problems.append(f"the result has no place for {', '.join(missing)}")
    if is_one_table and hands and (absent := sorted(set(places) - players)):
        checked.problems.append(f"the result has a place for {', '.join(absent)}, who had no hand")
    checked.problems += sorted({words for chips in hands for words in _misplaced(chips, places)})
    for name, prize in _prizes(places, form).items():
        got = next(placed.prize for placed in result.places if placed.name == name)
        if not _is_about(got, prize, form.fee * len(places)):
            words = f"{name} has prize {got}, where place {places[name]} has {float(prize):.2f}"
            checked.problems.append(words)
    if len(checked.problems) == problems_before:
        checked.places += len(players)


def _misplaced(chips: _Chips, places: Mapping[str, int]) -> Iterator[str]:
    """Yield who is placed otherwise than by one hand: those who went out in it had less before."""
    # Who keeps chips outranks all who lost theirs; of those who went out in one hand, who began it
    # with more is placed higher.
    ranks = {name: math.inf if has else had for name, (had, has) in chips.items()}
    for name, (_, has) in chips.items():
        for rival in chips:
            if has or name not in places or rival not in places:
                continue
            place, rank = places[name] - places[rival], ranks[rival] - ranks[name]
            if (place > 0, place < 0) != (rank > 0, rank < 0):
                which = f"{name} is placed {places[name]}, and {rival} {places[rival]}"
                yield f"{which}, otherwise than by the hand in which {name} lost all chips"


def _prizes(places: Mapping[str, int], form: GameFormat) -> dict[str, Fraction]:
    """Return what each place wins of all fees; equals share."""
    payouts = [Fraction(text) for text in form.payouts][: len(places)]
    taken, pool = Counter(places.values()), form.fee * len(places)
    return {
        name: sum(payouts[place - 1 : place - 1 + taken[place]], Fraction(0))
        * pool
        / (taken[place] * (sum(payouts) or 1))
        for name, place in places.items()
    }


def _is_about(text: str, prize: Fraction, pool: int) -> bool:
    """Whether a prize is the one computed from percentages, which have six digits."""
    try:
        return abs(Fraction(text) - prize) <= Fraction(pool, 10**5)
    except (ValueError, ZeroDivisionError):
        return False


def _deals(source: Result | SeedRevealed, hand: int) -> bool:
    return isinstance(source, Result) or source.first_hand <= hand <= source.last_hand


def _cards_of(view: HandView) -> set[tuple[int, int]]:
    """Return the cards that a view shows, each with its place in the deal.

    The place of one of a seat's cards is negative: they come in any order. Up cards have theirs.
    """
    game = variant_from(view.variant or HOLDEM)
    size, first = game.most_cards, game.most_cards * len(view.seats)
    cards = {first + n: text for n, text in enumerate(view.board)}
    second = first + game.board_sizes[-1]
    cards |= {second + n: text for n, text in enumerate(view.second_board or ())}
    up_places = _up_places(game)
    for seat, seat_view in enumerate(view.seats):
        # A client sees a seat's cards in no particular order, so their places are negative and any
        # of the seat's cards will do.
        cards |= {-size * seat - 1 - n: text for n, text in enumerate(seat_view.cards or ())}
        up = zip(up_places, seat_view.up or (), strict=False)
        cards |= {size * seat + place: text for place, text in up}
    return {(place, int(CARD_OF_TEXT[text])) for place, text in cards.items()}


def _up_places(game: Variant) -> list[int]:
    """Return which of a seat's cards, in the order of dealing, everybody sees."""
    is_up = [up for deal in game.streets for up in [False] * deal.down + [True] * deal.up]
    return [place for place, up in enumerate(is_up) if up]


_NO_SHARES = "nobody's shares are in the seed: the house alone could have chosen it"


def _note_shares(checked: Checked, shares: Mapping[str, str]) -> None:
    """Note whose shares are in the seed of a hand, and whose are not."""
    checked.shares += any(shares.values())
    for name, share in shares.items():
        names = checked.sharing if share else checked.withheld
        if name not in names:
            names.append(name)


def _mixed(checked: Checked, seed: bytes, shares: Sequence[str]) -> bytes:
    share_bytes = []
    for share in shares:
        try:
            share_bytes.append(bytes.fromhex(share))
        except ValueError:
            share_bytes.append(b"")
        if len(share_bytes[-1]) not in (0, SEED_BYTES):
            share_bytes[-1] = b""
            checked.problems.append(f"a share of {len(share)} characters; allowed: 64, or none")
    return mixed_seed(seed, share_bytes)


def _seed(checked: Checked, text: str, promised: str) -> bytes:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    # A wrong seed is used all the same: every card is then compared and differs, which says more
    # than one line.
    if len(seed) != SEED_BYTES or commitment(seed) != promised:
        checked.problems.append("the seed is not the one that was committed to")
    return seed


def _row(
    checked: Checked, seed: bytes, table: str, hand: int, seats: int, game: Variant
) -> NDArray[np.uint8] | None:
    """Return the row that a seed deals; None, and a problem, for a number of seats it cannot."""
    if not 2 <= seats <= 23 or game.row_length(seats) > len(game.deck):
        checked.problems.append(f"hand {hand} at {table}: {seats} seats")
        return None
    return deal_from_seed(seed, table, hand, seats=seats, variant=game)


class _Places(NamedTuple):
    """What a seed deals to each place: the cards of each seat in turn, then those of the board."""

    dealt: Sequence[int]
    """-1 where nothing is dealt."""
    size: int
    """Cards of a seat."""


def _by_place(
    checked: Checked, form: GameFormat, view: HandView, row: NDArray[np.uint8]
) -> _Places:
    """Return what a row deals, which of a whole deck depends on who was still in."""
    game, seats = _game(form), len(view.seats)
    if not game.is_row_of_deck(seats):
        return _Places(row.tolist(), game.dealt_size)
    events = [event_of(entry, game) for entry in view.history]
    size, dealer = game.most_cards, HandDealer.of_row(_rules(form, view), row)
    own: list[list[int]] = [[] for _ in view.seats]
    boards: list[int] = []
    try:
        steps = dealer.begin()
        for event in events:
            if isinstance(event, Act):
                steps += dealer.act(_with_cards(event, dealer.state))
    except RailbirdError as problem:
        checked.problems.append(str(problem))
        return _Places([-1] * (size * seats + 1), size)
    for dealt, *_ in steps:
        if isinstance(dealt, DealStreet):
            for by_seat in (dealt.down, dealt.up):
                for seat, cards in enumerate(by_seat):
                    own[seat] += cards or ()
            boards += (card for board in dealt.boards for card in board)
    places = [card for cards in own for card in (*cards, *[-1] * (size - len(cards)))]
    return _Places([*places, *boards, -1], size)


def _with_cards(event: Act, state: HandState) -> Action:
    """Return an action; of cards that were thrown away only the number is known, and matters.

    Which they were decides nothing as long as they are not dealt again.
    """
    if not isinstance(event.action, Discard):
        return event.action
    return Discard(state.cards[event.seat][: len(event.action.cards)])


def _is_reshuffled(view: HandView) -> bool:
    """Return whether more cards were dealt in a hand of a draw game than the deck has."""
    game = variant_from(view.variant or HOLDEM)
    streets = [entry.drawn or [] for entry in view.history if isinstance(entry, StreetEntry)]
    drawn = sum(map(sum, streets))
    return game.draws and game.hand_size * len(view.seats) + drawn > len(game.deck)


def _first_cards(view: HandView) -> set[tuple[int, int]]:
    """Return the viewer's cards of the first deal, as `_cards_of` does."""
    seats = [
        structs.replace(seat, cards=first_cards(seat) if number == view.you else None)
        for number, seat in enumerate(view.seats)
    ]
    return _cards_of(structs.replace(view, seats=seats))


def _compare(checked: Checked, where: str, places: _Places, cards: set[tuple[int, int]]) -> bool:
    """Compare cards by their place; a negative place is one of a seat's cards in any order.

    Returns whether all of them are the seed's.
    """
    dealt, size = places
    for place, card in sorted(cards):
        checked.cards += 1
        seat = (-place - 1) // size
        wanted = [dealt[place]] if place >= 0 else dealt[size * seat : size * seat + size]
        if card not in wanted:
            holder = f"seat {seat}" if place < 0 else f"place {place}"
            wanted_texts = [TEXT_OF_CARD[wanted_card] for wanted_card in wanted if wanted_card >= 0]
            words = f"{holder} has {TEXT_OF_CARD[card]}, the seed deals "
            checked.problems.append(f"{where}: {words}{' or '.join(wanted_texts) or 'nothing'}")
            return False
    return True
