"""A match, pure: what can happen in it, and how it stands after that."""
