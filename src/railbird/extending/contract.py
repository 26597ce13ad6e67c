"""What a part has to keep to, as data: a name, a promise, and how a breach is found."""

# The suites of our own tests could have been functions of pytest. They are data of the library
# instead, because those who extend it elsewhere need the same tests without our repository and
# perhaps without pytest. One list of contracts serves both, so what we ask of our own players,
# formats and estimators is what we ask of theirs.
#
# A contract yields breaches rather than raising the first, since some find several in one pass; a
# run still ends at the first one. Later contracts take earlier ones for granted, and what they
# would say of a player without methods helps nobody. So the order of a list is part of it: first
# what is cheap and what all others need.
#
# Breaches say what the part does, the promise what it should do. Both are in the message, so that
# somebody who has never seen this file can act on it.

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from railbird.errors import RailbirdError, unknown_name

_Part = TypeVar("_Part")


class BrokenContract(RailbirdError):
    """A part breaks a contract of its kind; the message names both."""

    def __init__(self, part: str, contract: str, breach: str, promise: str) -> None:
        super().__init__(part, contract, breach, promise)
        self.part = part
        self.contract = contract
        """The `Contract.name`."""
        self.breach = breach
        self.promise = promise

    def __str__(self) -> str:
        return f"{self.part} breaks {self.contract!r}: {self.breach}; asked: {self.promise}"


@dataclass(frozen=True, slots=True)
class Contract(Generic[_Part]):
    """One promise that all parts of a kind keep."""

    name: str
    promise: str
    """What such a part does, as a sentence without a subject."""
    breaches: Callable[[_Part], Iterator[str]]
    """Try a part out; yield what it does instead, a line each."""


def require(
    name: str, subject: _Part, contracts: Sequence[Contract[_Part]], only: Collection[str]
) -> None:
    """Raise `BrokenContract` for the first contract that is broken, of all or of some by name.

    Raises `railbird.errors.BadInput` for a name that no contract has.
    """
    known = [contract.name for contract in contracts]
    if unknown := sorted(set(only) - set(known)):
        raise unknown_name("contract", unknown[0], known)
    for contract in contracts:
        if not only or contract.name in only:
            for breach in contract.breaches(subject):
                line = " ".join(breach.split())
                raise BrokenContract(name, contract.name, line, contract.promise)
