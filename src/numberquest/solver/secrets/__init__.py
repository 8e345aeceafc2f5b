"""Games with secrets, or with choices at the same time: a strategy for each player, and a proof of what it is worth."""
