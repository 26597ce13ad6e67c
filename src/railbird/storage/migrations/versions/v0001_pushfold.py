"""Players, and their hands and decisions at push/fold."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "player",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("token", sa.String(32), nullable=False, unique=True),
        sa.Column("nickname", sa.String(24), nullable=False),
        sa.Column("skill", sa.String(12), nullable=False),
        sa.Column("stack", sa.Float, nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "pushfold_hand",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "player_id", sa.Integer, sa.ForeignKey("player.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("stack", sa.Float, nullable=False),
        sa.Column("seat", sa.String(2), nullable=False),
        sa.Column("own", sa.String(4), nullable=False),
        sa.Column("opponent", sa.String(4), nullable=False),
        sa.Column("board", sa.String(10), nullable=False),
        sa.Column("opponent_choice", sa.String(8), nullable=False),
        sa.Column("hinted", sa.Boolean, nullable=False),
        sa.Column("ending", sa.String(16)),
        sa.Column("winnings", sa.Float, nullable=False),
        sa.Column("dealt_at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("player_id", "number"),
    )
    op.create_table(
        "pushfold_decision",
        sa.Column(
            "hand_id",
            sa.Integer,
            sa.ForeignKey("pushfold_hand.id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("choice", sa.String(8), nullable=False),
        sa.Column("hand_class", sa.Integer, nullable=False),
        sa.Column("frequency", sa.Float, nullable=False),
        sa.Column("ev_aggress", sa.Float, nullable=False),
        sa.Column("ev_fold", sa.Float, nullable=False),
        sa.Column("loss", sa.Float, nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_pushfold_decision_decided_at", "pushfold_decision", ["decided_at"])


def downgrade() -> None:
    """Drop the three tables."""
    for table in ("pushfold_decision", "pushfold_hand", "player"):
        op.drop_table(table)
