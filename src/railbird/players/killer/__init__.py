"""Hold'em Killer: straight play by reflective odds and models of opponents (Peretz 2005)."""

from railbird.players.killer.player import KillerPlayer

__all__ = ["KillerPlayer"]
