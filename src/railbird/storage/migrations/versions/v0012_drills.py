"""Answers to puzzles and drills that everybody is asked, and ratings of the puzzles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "drill_answer",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id", ondelete="CASCADE")),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("question", sa.String(24), nullable=False),
        sa.Column("answer", sa.String(24), nullable=False),
        sa.Column("cost", sa.Float, nullable=False),
        sa.Column("error", sa.Float, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("mean_after", sa.Float),
        sa.Column("deviation_after", sa.Float),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("owner", "question"),
    )
    op.create_index("ix_drill_answer_account", "drill_answer", ["account_id"])
    op.create_table(
        "drill_rating",
        sa.Column("question", sa.String(24), primary_key=True),
        sa.Column("mean", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("drill_rating")
    op.drop_table("drill_answer")
