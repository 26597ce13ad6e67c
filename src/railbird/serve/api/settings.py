"""Settings of the HTTP interface."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiSettings:
    """Settings of the HTTP interface."""

    log_ins_per_address: float = 30
    """Log-ins that one address may try at once; they refill in ten minutes."""
    failures_per_account: float = 10
    """Wrong passwords for one name at once; they refill in ten minutes. Somebody who guesses keeps
    its owner from logging in by password, but not from what is logged in, nor bots with tokens."""
    sign_ups_per_address: float = 10
    """Accounts that one address may create at once; they refill in an hour."""
    most_results: int = 100
    """Results in one answer."""
