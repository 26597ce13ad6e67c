"""Times, sizes and counts of hosted games."""

from __future__ import annotations

from typing import Final

from railbird.tournament import parse_payouts
from railbird.tournament.schedule import Refill

ACTION_SECONDS: Final = 40.0
"""Limit for an action: Booker's (2004) forty seconds."""

BANK_SECONDS: Final = 60.0
"""Time for longer decisions at the start, and at most."""

REFILL: Final = Refill(seconds=10, hands=50)
"""Time added to the bank."""

LAG_SECONDS: Final = 10.0
"""Quota of measured lag that is taken off a player's times, per tournament or session: enough for
a quarter of a second in forty decisions, too little to be worth faking."""

MOST_LAG_SECONDS: Final = 1.0
"""Lag compensated in one action."""

PAYOUTS: Final = parse_payouts("70/30")
"""Prizes of Booker's (2004) six-player tournaments."""

STACK: Final = 1500
SEATS: Final = 6
FEE: Final = 10

HOUSE_AFTER_SECONDS: Final = 30.0
"""Wait of the first in a queue until house players take the empty seats."""

PLAYER_BYTES: Final = 1 << 20
"""Unsent bytes for a client after which it is closed: hundreds of the longest snapshots."""

SPECTATOR_BYTES: Final = 1 << 17
"""Unsent bytes after which a client gets no news of tables that it watches, but a fresh snapshot
once it has read what was waiting."""

MOST_LISTED: Final = 200
"""Tables in the lobby's message; any other is found by its name."""

DEEPEST: Final = 1000
"""Largest stack at the start in big blinds: a hand's history, which every turn repeats, is as long
as two players who only ever raise the least can make it."""

MOST_ENTRANTS: Final = 1000
"""Entrants of a tournament, whose result is one message."""

MOST_WATCHED: Final = 20
"""Tables that one connection may watch."""

HOUSE_CALL_SECONDS: Final = 120.0
"""Time after which a process of house players that does not answer is replaced: beyond any turn,
since a first decision may have to compile code or to read large tables."""

HOUSE_NICE: Final = 3
"""How much house players give way to the server, as niceness. Beside one busy process of niceness 0
on a core they get .34 of it, with 10 a tenth (Linux's weights of 526 and 110 to 1,024): people at a
practice table wait for them."""

HOUSE_STOP_SECONDS: Final = 2.0
"""Time for house players to keep what they learned when the server stops."""

MOST_HOUSE_FAULTS: Final = 3
"""Processes that the house players of one game may end before they are asked no more."""

PRACTICE_SECONDS: Final = 600.0
"""Limit for an action at a practice table, where people stop to think or read."""

MOST_JOURNAL_LINE: Final = 1 << 20
"""Longest line of a journal that is read."""

RING_AWAY_SECONDS: Final = 300.0
"""Absence after which a player leaves a ring table: the time of two or three hands."""

RING_BUY_BACK_SECONDS: Final = 3600.0
"""Time in which whoever comes back to a stake brings at least the chips that were taken away from
it: otherwise what was won would be out of the others' reach, and its winner not away."""

MOST_RING_TABLES: Final = 100
"""Tables of one ring game."""

RING_SEED_SECONDS: Final = 3600.0
"""Time after which a ring table reveals the seed of its cards and goes on with another one: a log
of an evening can be checked, and what others threw away is not known while it still matters."""

DRAW_SECONDS: Final = 0.5
"""Longest wait for shares of the seed before a tournament's seats are drawn: programs answer at
once, and no page is open yet."""

SHARE_SECONDS: Final = 2.0
"""Longest wait for shares of the seed before a first hand: time to load a page."""

REST_SECONDS: Final = 1.25
"""Pause before the next hand at a table where a person plays, so that the end of a hand is not read
on the clock of the next one."""

SHOW_SECONDS: Final = 30.0
"""Time after a hand in which cards may still be shown by choice, unless the next hand ends before;
it does not wait. A page that shows one action after the other may be eight seconds behind."""

REST_SHOWN_SECONDS: Final = 2.5
"""The same after a showdown."""

REST_EVENT_SECONDS: Final = {"board": 0.7, "show": 0.6, "muck": 0.2}
"""Added for each event after the last action, by kind."""

STUDY_SECONDS: Final = 300.0
"""Longest pause at a practice table whose person says when the next hand comes."""

MOST_VEXBOTS: Final = 20
"""Vexbots at practice tables at once: each keeps some 18 MB, and takes a twentieth of a second of
a core in each of its first hands."""

PRACTICE_KEPT_SECONDS: Final = 30 * 86_400.0
"""Age up to which the journals of practice tables are kept."""

MOST_PRACTICE_KEPT: Final = 30
"""Journals of practice tables that are kept of one person; the latest."""

MOST_PRACTICE_BYTES: Final = 1 << 23
"""Longest journal of a practice table that is kept: thousands of hands."""

PRACTICE_AWAY_SECONDS: Final = 60.0
"""Absence after which a practice table closes: time to load a page again, and nobody else waits."""

RESTART_SECONDS: Final = (0.1, 2.0)
"""First and longest pause before a background task that has failed is started again: results are
to be kept within five seconds after a database is back."""

FAULT_SECONDS: Final = 10.0
"""Least time for which a fault is reported: monitoring asks every few seconds."""

BEAT_SECONDS: Final = 30.0
"""Silence after which a background task that has a beat counts as one that hangs: databases and
disks that are slow, or away for a while, have answered or failed by then."""

AGAIN_SECONDS: Final = 1.0
"""Pause before the house does again what its disk has hindered."""

SHORT_SECONDS: Final = 60.0
"""Time between two words on want of descriptors."""
