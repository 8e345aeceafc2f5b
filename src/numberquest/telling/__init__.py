"""What reviews, hints and puzzles tell, as facts: the terminal and the page make the sentences."""
