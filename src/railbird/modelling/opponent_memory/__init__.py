"""What is remembered of opponents between sessions, in a database."""

from railbird.modelling.opponent_memory.memory import Learned, OpponentMemory, RecordForm

__all__ = ["Learned", "OpponentMemory", "RecordForm"]
