"""Hands of any format without anybody's name: keyed pseudonyms, shifted times, other numbers.

A name is replaced by the beginning of its HMAC-SHA256 (RFC 2104) under a secret key. So a person
has the same pseudonym in all logs changed with one key, and nobody can try names without the key.
Tables and hand numbers are replaced in the same way, which keeps views of one hand equal. Times
move by a span that the key determines, between one and four years, so that pauses and sessions
stay. Comments are dropped, since chat and file names are there. The play does not change: somebody
who knows a few hands of a player can still recognise them.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Final

from railbird._files import errors_named
from railbird.errors import BadInput
from railbird.histories.record import HandRecord, RefusedHand, Skipped

KEY_BYTES: Final = 32
_KEY: Final = re.compile(rf"[0-9a-f]{{{2 * KEY_BYTES}}}")
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Thirty-two characters, no two of which look the same."""
_LENGTH: Final = 10
"""Letters of a pseudonym, 50 bits: among a million names, two get the same pseudonym with one key
in 2,000."""
_DIGITS: Final = 10**15
_YEAR: Final = 365 * 24 * 60


class Anonymiser:
    """What one key makes of names, numbers and times."""

    def __init__(self, key: bytes) -> None:
        """Take a secret key of `KEY_BYTES`."""
        self._key = key
        self._names: dict[str, str] = {}
        self._shift = timedelta(minutes=_YEAR + self._number("shift", "") % (3 * _YEAR))

    def hands(self, hands: Iterable[HandRecord | Skipped]) -> Iterator[HandRecord | Skipped]:
        """Change hands, and the reports on those that could not be used."""
        for hand in hands:
            yield self.skipped(hand) if isinstance(hand, Skipped) else self.record(hand)

    def record(self, hand: HandRecord) -> HandRecord:
        """Change a hand; nothing of cards, chips or actions changes."""
        number = hand.number_text or ("" if hand.number is None else str(hand.number))
        return replace(
            hand,
            players=tuple(self.name(player) for player in hand.players),
            number=self._number("hand", number) % _DIGITS if number else None,
            number_text="",
            table=self._word("table", hand.table) if hand.table else "",
            played_at=self._moved(hand.played_at),
            comment="",
            source=None,
        )

    def skipped(self, skip: Skipped) -> Skipped:
        """Change the report on a hand that could not be used; its text is not quoted."""
        hand = skip.hand
        number = f"{self._number('hand', hand.number) % _DIGITS}" if hand.number else ""
        refused = RefusedHand(
            {self.name(player): amount for player, amount in hand.won.items()},
            self._moved(hand.played_at),
            hand.stake,
            number,
        )
        by = self.name(skip.by) if skip.by else ""
        return replace(skip, detail="", by=by, hand=refused)

    def name(self, name: str) -> str:
        """Return a person's pseudonym."""
        if name not in self._names:
            self._names[name] = self._word("player", name)
        return self._names[name]

    def _moved(self, moment: datetime | None) -> datetime | None:
        """Move a time into the past; what would come before all calendars is not told."""
        try:
            return None if moment is None else moment - self._shift
        except OverflowError:
            return None

    def _number(self, kind: str, text: str) -> int:
        message = f"{kind}\0{text}".encode(errors="surrogatepass")
        return int.from_bytes(hmac.digest(self._key, message, sha256), "big")

    def _word(self, kind: str, text: str) -> str:
        """Spell a number: ``P`` for players or ``T`` for tables, and letters."""
        number = self._number(kind, text)
        letters = []
        for _ in range(_LENGTH):
            number, letter = divmod(number, len(_LETTERS))
            letters.append(_LETTERS[letter])
        return kind[0].upper() + "".join(letters)


def new_key() -> bytes:
    """Return a random key."""
    return secrets.token_bytes(KEY_BYTES)


def key_from(path: Path) -> bytes:
    """Read a key file, or make one that its owner alone may read.

    Raises `BadInput` for another file, which stays as it is, or one that cannot be read or made.
    """
    with errors_named(path):
        if not path.exists():
            key = new_key()
            path.touch(mode=0o600, exist_ok=False)
            path.write_text(f"{key.hex()}\n", encoding="ascii")
            return key
        with path.open("rb") as file:
            text = file.read(4 * KEY_BYTES).decode("ascii", "replace").strip()
    if not _KEY.fullmatch(text):
        digits = 2 * KEY_BYTES
        raise BadInput(f"{path}: no key; allowed: {digits} hexadecimal digits, or no file yet")
    return bytes.fromhex(text)
