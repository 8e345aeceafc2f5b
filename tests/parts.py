"""Which of our games have an optional file beside their rules: what is tested of that part is tested of those alone."""

from pathlib import Path

import numberquest as nq

FOLDER = Path(str(nq.__file__)).parent / "games"


def having(file: str) -> list[str]:
    """The games that have this file."""
    return [slug for slug in nq.GAMES.own if (FOLDER / slug / file).exists()]
