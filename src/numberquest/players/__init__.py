"""Who plays: computer players of known strength, and everybody else's."""
