"""The exam and whole games as tasks of Inspect AI: `inspect eval numberquest/exam`. docs/inspect.md describes them.

Inspect finds them by the entry point in pyproject.toml, which names `tasks`: importing it makes all of them known.
"""
