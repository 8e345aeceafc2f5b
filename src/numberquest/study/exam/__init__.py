"""Number Quest Exam: positions in which the choice matters, one question each, with what every move is worth.

Which rules of a game are asked, the game says itself (`Game.exam_settings`); where it does not, those of its puzzles.
"""
