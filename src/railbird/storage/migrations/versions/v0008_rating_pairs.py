"""How often two owners have met in rated tournaments; names of the house without databases."""

from __future__ import annotations

import re

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_PLACE = re.compile(
    r"[:,]\s*(?:database\s*=[^,+#]*|(?:opponents|memory)\s*=(?!\s*\d+\s*(?:[,+#]|$))[^,+#]*)"
)
"""Where a house player kept what it knew of opponents, which its name has shown until now."""


def upgrade() -> None:
    """Make the table, and take paths out of names."""

    def account() -> sa.ForeignKey:
        return sa.ForeignKey("account.id", ondelete="CASCADE")

    op.create_table(
        "rating_pair",
        sa.Column("ladder", sa.String(32), primary_key=True),
        sa.Column("one_id", sa.Integer, account(), primary_key=True, autoincrement=False),
        sa.Column("other_id", sa.Integer, account(), primary_key=True, autoincrement=False),
        sa.Column("met", sa.Float, nullable=False),
        sa.Column("met_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tournaments", sa.Integer, nullable=False),
        sa.Column("ahead", sa.Integer, nullable=False),
        sa.Column("behind", sa.Integer, nullable=False),
    )
    op.create_index("ix_rating_pair_other", "rating_pair", ["other_id"])
    _shorten_names()


def _shorten_names() -> None:
    bind = op.get_bind()
    house = "SELECT id, name, key FROM account WHERE kind = 'house'"
    for id_, name, key in bind.execute(sa.text(house)).all():
        shorter = _PLACE.sub("", name)
        if shorter == name:
            continue
        new = _PLACE.sub("", key)
        taken = sa.text("SELECT 1 FROM account WHERE key = :key")
        if bind.execute(taken, {"key": new}).first() is not None:
            shorter, new = f"{shorter}#{id_}", f"{new}#{id_}"
        change = sa.text("UPDATE account SET name = :name, key = :key WHERE id = :id")
        bind.execute(change, {"name": shorter, "key": new, "id": id_})
    entries = "SELECT DISTINCT name FROM tournament_entry WHERE kind = 'house'"
    for (name,) in bind.execute(sa.text(entries)).all():
        if (shorter := _PLACE.sub("", name)) != name:
            change = sa.text("UPDATE tournament_entry SET name = :new WHERE name = :name")
            bind.execute(change, {"new": shorter, "name": name})


def downgrade() -> None:
    """Drop the table of pairs."""
    op.drop_table("rating_pair")
