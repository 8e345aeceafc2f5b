"""What a move was worth, in facts that become sentences."""
