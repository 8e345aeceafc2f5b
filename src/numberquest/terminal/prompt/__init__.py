"""Playing at a prompt."""
