"""The lobby: accounts, queues in which they wait, tables that they watch, and its listing."""
