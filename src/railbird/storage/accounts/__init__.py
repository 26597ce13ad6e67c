"""Accounts of people and programs: passwords, tokens, sessions, bans, deletion and export."""

from railbird.storage.accounts import accounts, keys, offences
from railbird.storage.accounts.accounts import (
    Account,
    Forbidden,
    Kind,
    NameTaken,
    checked_name,
)
from railbird.storage.accounts.directory import Banned, Directory, LogInRefused
from railbird.storage.accounts.passwords import Busy, Passwords, WeakPassword

__all__ = [
    "Account",
    "Banned",
    "Busy",
    "Directory",
    "Forbidden",
    "Kind",
    "LogInRefused",
    "NameTaken",
    "Passwords",
    "WeakPassword",
    "accounts",
    "checked_name",
    "keys",
    "offences",
]
