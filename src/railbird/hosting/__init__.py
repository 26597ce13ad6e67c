"""Hosting games: queues, tournaments, ring tables, clocks and journals, without sockets."""
