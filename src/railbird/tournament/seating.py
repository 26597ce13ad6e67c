"""Seating in a tournament: moving the button, balancing and breaking tables.

A table is a tuple of players clockwise, starting with the next hand's button. The simple moving
button goes to the next player still in: somebody may miss a blind when a player is knocked out, but
nobody plays behind an empty seat. Heads-up the button posts the small blind, and goes to whoever
has just posted the big blind, so that nobody posts it twice running.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

TableOrder = tuple[int, ...]


def first_tables(drawn: Sequence[int], seats: int) -> list[TableOrder]:
    """Return the fewest tables, as equal as possible, from the order in which players were drawn.

    >>> first_tables(range(7), 3)
    [(0, 3, 6), (1, 4), (2, 5)]
    """
    tables = -(-len(drawn) // seats)
    return [tuple(drawn[table::tables]) for table in range(tables)]


def big_blind(table: TableOrder) -> int:
    """Return the player who posts the big blind in the next hand."""
    return table[min(2, len(table) - 1)]


def by_seat(table: TableOrder) -> TableOrder:
    """Return the players by the engine's seats: the button last."""
    return table[1:] + table[:1]


def advance_button(table: TableOrder, out: Container[int]) -> TableOrder:
    """Return the table after a hand in which some players may have been knocked out.

    >>> advance_button((0, 1, 2), out=[1])
    (2, 0)
    >>> advance_button((0, 1, 2), out=[0])
    (2, 1)
    """
    posted = big_blind(table)
    left = tuple(player for player in by_seat(table) if player not in out)
    return left[::-1] if len(left) == 2 and left[1] == posted else left


def balance_tables(tables: Sequence[TableOrder], seats: int) -> list[TableOrder]:
    """Return the fewest tables, with sizes that differ by at most one.

    The smallest tables are broken; one by one, their players are seated to the right of the
    smallest table's next button. To balance, the largest table's next big blind moves and becomes
    the smallest table's. Of equal tables the first receives a player, and the last gives or breaks.

    >>> balance_tables([(0, 1, 2, 3), (4, 5)], seats=4)
    [(0, 1, 3), (4, 5, 2)]
    >>> balance_tables([(0, 1), (4, 5)], seats=4)
    [(0, 1, 4, 5)]
    """
    floor = [table for table in tables if table]
    while len(floor) > -(-sum(map(len, floor)) // seats):
        homeless = floor.pop(_last_of_size(floor, min(map(len, floor))))
        for player in homeless:
            to = _first_smallest(floor)
            floor[to] += (player,)
    while max(map(len, floor)) - min(map(len, floor)) > 1:
        from_, to = _last_of_size(floor, max(map(len, floor))), _first_smallest(floor)
        player = big_blind(floor[from_])
        floor[from_] = tuple(other for other in floor[from_] if other != player)
        floor[to] = (*floor[to][:2], player, *floor[to][2:])
    return floor


def _first_smallest(floor: Sequence[TableOrder]) -> int:
    return min(range(len(floor)), key=lambda table: len(floor[table]))


def _last_of_size(floor: Sequence[TableOrder], size: int) -> int:
    return max(table for table in range(len(floor)) if len(floor[table]) == size)
