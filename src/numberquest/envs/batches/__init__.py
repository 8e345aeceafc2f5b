"""The rules as tables, for thousands of games at once, filled by asking `Game`: a move is played, and written down.

`general.py` has those of any game, `tables.py` what all have in common. A game's folder may hold faster ones: its
`batch.py` names the class `TABLES`.
"""
