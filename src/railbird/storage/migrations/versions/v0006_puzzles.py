"""Puzzles of players' own decisions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "puzzle",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id", ondelete="CASCADE")),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("taken_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True)),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("right", sa.Integer, nullable=False),
        sa.UniqueConstraint("owner", "digest"),
    )
    op.create_index("ix_puzzle_account", "puzzle", ["account_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("puzzle")
