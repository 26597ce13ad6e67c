"""What a player learns of his opponents from their actions."""
