"""Games and agents measured exactly."""
