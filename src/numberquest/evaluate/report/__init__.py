"""What was measured, as a page: one file of HTML that needs nothing else."""
