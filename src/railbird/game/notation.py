"""Names of actions: check or call, bet or raise, as words, letters and in the ACPC's notation.

The rules have three actions (`railbird.game.actions`). Players distinguish five, depending on
whether there is a bet to call or to raise; that distinction is made only here.
"""

from __future__ import annotations

from enum import IntEnum
from typing import assert_never

from railbird.game.actions import Action, Call, Fold, Raise


class ActionName(IntEnum):
    """Players' name for an action; the values are the codes in columns of actions."""

    FOLD = 0
    CHECK = 1
    CALL = 2
    BET = 3
    RAISE = 4

    @property
    def word(self) -> str:
        """The verb: ``fold``, ``check``, ``call``, ``bet`` or ``raise``."""
        return _WORDS[self]

    @property
    def past(self) -> str:
        """The past tense: ``folded``, ``checked``, ``called``, ``bet`` or ``raised``."""
        return _PAST[self]

    @property
    def letter(self) -> str:
        """One letter: ``f``, ``k``, ``c``, ``b`` or ``r``, as in ``b/r/c`` or ``kbf``."""
        return _LETTERS[self]

    @property
    def acpc(self) -> str:
        """The ACPC's letter, which does not distinguish check from call or bet from raise."""
        return _ACPC[self]

    @property
    def is_aggressive(self) -> bool:
        """True for bets and raises."""
        return self >= ActionName.BET


_WORDS = ("fold", "check", "call", "bet", "raise")
_PAST = ("folded", "checked", "called", "bet", "raised")
_LETTERS = "fkcbr"
_ACPC = "fccrr"


def name_of(action: Action, *, to_call: int, bet: int) -> ActionName:
    """Name an action.

    ``to_call`` is the cost of a call to the actor, 0 for a check; ``bet`` is what a seat must have
    put in on this street to stay, 0 if nobody has bet. Both are in chips.

    >>> name_of(Call(), to_call=0, bet=20).word  # the big blind's option
    'check'
    >>> name_of(Raise(60), to_call=0, bet=20).word, name_of(Raise(60), to_call=0, bet=0).word
    ('raise', 'bet')
    """
    match action:
        case Fold():
            return ActionName.FOLD
        case Call():
            return ActionName.CALL if to_call else ActionName.CHECK
        case Raise():
            return ActionName.RAISE if bet else ActionName.BET
        case other:
            assert_never(other)
