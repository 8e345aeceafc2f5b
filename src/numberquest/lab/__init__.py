"""Experiments: how strong the computer players are, worked out and played out."""
