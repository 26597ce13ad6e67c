"""Sessions at ring tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "ring_session",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id", ondelete="SET NULL")),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("won", sa.BigInteger, nullable=False),
        sa.Column("rake", sa.BigInteger, nullable=False),
        sa.Column("big_blind", sa.BigInteger, nullable=False),
        sa.Column("service", sa.Text, nullable=False),
    )
    op.create_index("ix_ring_session_account", "ring_session", ["account_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("ring_session")
