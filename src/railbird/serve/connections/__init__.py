"""Connections of players: the protocol's sessions over TCP and WebSocket, and who may log in."""
