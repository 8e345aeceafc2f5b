"""What a game is and how one is played."""
