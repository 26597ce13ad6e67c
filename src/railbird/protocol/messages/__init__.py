"""All messages: from clients, of the session, and of the game."""
