"""Reviews, hints and puzzles in words, for every place where people read them: the terminal and the page."""
