"""Sum Quest: its rules, and what it has besides them."""
