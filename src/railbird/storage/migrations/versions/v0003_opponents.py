"""What players remember of their opponents."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "opponent",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("observer", sa.String(255), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("history", sa.Text, nullable=False),
        sa.Column("sessions", sa.Integer, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("first_met_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_met_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("observer", "kind", "game", "seats", "name", name="uq_opponent"),
    )
    op.create_index("ix_opponent_name", "opponent", ["name"])
    op.create_table(
        "opponent_import",
        sa.Column("file", sa.String(255), primary_key=True),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("opponent_import")
    op.drop_table("opponent")
