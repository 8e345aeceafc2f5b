"""The same job done by others: other servers for board games beside ours, measured in one run."""
