"""Answers as words, HTML and pictures."""
