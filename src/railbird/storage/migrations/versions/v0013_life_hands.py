"""Results of an account's hands, one by one, for the page of its lifetime."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "life_hand",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "account_id",
            sa.Integer,
            sa.ForeignKey("account.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("digest", sa.String(32), nullable=False),
        sa.Column("source", sa.String(80), nullable=False),
        sa.Column("game", sa.String(80), nullable=False),
        sa.Column("position", sa.String(24), nullable=False),
        sa.Column("money", sa.Float, nullable=False),
        sa.Column("skill", sa.Float),
        sa.UniqueConstraint("account_id", "digest"),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("life_hand")
