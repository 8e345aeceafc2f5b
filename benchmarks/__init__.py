"""Speed as ratios, measured in one run against named references. Run by hand: make bench."""
