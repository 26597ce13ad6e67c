"""Pages of nights among friends, under links that nobody can guess."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "shared_night",
        sa.Column("link", sa.String(43), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("account_id", sa.Integer, sa.ForeignKey("account.id", ondelete="CASCADE")),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("page", sa.LargeBinary, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_shared_night_owner", "shared_night", ["owner"])
    op.create_index("ix_shared_night_account", "shared_night", ["account_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("shared_night")
