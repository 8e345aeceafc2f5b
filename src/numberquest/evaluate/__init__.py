"""Agents measured exactly: players by specification, evaluation, league, exam, adapters."""
