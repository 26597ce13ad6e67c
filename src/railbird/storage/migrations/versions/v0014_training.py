"""Decisions at solved spots, what they cost, and the hard ones that come back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "trained_decision",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id", ondelete="CASCADE")),
        sa.Column("run", sa.String(32), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("spot", sa.String(80), nullable=False),
        sa.Column("street", sa.String(8), nullable=False),
        sa.Column("made", sa.String(24), nullable=False),
        sa.Column("loss", sa.Float, nullable=False),
        sa.Column("pot", sa.Float, nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("owner", "run", "place"),
    )
    op.create_index("ix_trained_decision_account", "trained_decision", ["account_id"])
    op.create_table(
        "trained_card",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id", ondelete="CASCADE")),
        sa.Column("digest", sa.String(32), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("memory", sa.Text, nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
        sa.UniqueConstraint("owner", "digest"),
    )
    op.create_index("ix_trained_card_account", "trained_card", ["account_id"])
    op.create_index("ix_trained_card_due", "trained_card", ["owner", "due_at"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("trained_card")
    op.drop_table("trained_decision")
