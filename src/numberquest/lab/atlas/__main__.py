"""Makes the atlas: `python -m numberquest.lab.atlas`, or of some games alone, and goes on where it was interrupted."""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING, Final

from numberquest.games import GAMES, kind_for
from numberquest.lab.atlas.making import CARD, MEASURED, Making, make
from numberquest.lab.atlas.packed import place_for, read
from numberquest.lab.sweep import MOST
from numberquest.mistake import Mistake
from numberquest.settings import BadSetting
from numberquest.solver.card import NoCard, card
from numberquest.solver.device import CPU

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY: Final = 5.0
"""So many seconds lie between two words about how far it is."""


def main(arguments: list[str] | None = None) -> int:
    """Make what is asked for; 0 where all is well."""
    parser = argparse.ArgumentParser(prog="python -m numberquest.lab.atlas", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="of these games; of all where none is named")
    parser.add_argument("--folder", default=os.path.join("build", "atlas"), help="where rows are kept meanwhile")
    parser.add_argument("--out", help="the folder for the files; beside the rules of each game where none is named")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes work at a time")
    parser.add_argument("--device", choices=(CPU, CARD), help="a card is used where there is one")
    parser.add_argument("--most", type=float, default=MOST, help="the most positions that the processor solves")
    parser.add_argument("--measured", type=float, default=MEASURED, help="the most positions that are measured")
    asked = parser.parse_args(arguments)
    try:
        kinds = [kind_for(name) for name in asked.games] or list(GAMES.own.values())
        how = Making(
            asked.folder,
            asked.jobs,
            _card(asked.device),
            asked.most,
            asked.device == CPU,
            asked.measured,
            _progress(),
            _say,
        )
        for kind in kinds:
            path = place_for(kind)
            if asked.out is not None:
                path = os.path.join(asked.out, f"{kind.slug}-{os.path.basename(path)}")
            make(kind, how, path)
            _say(f"{kind.slug}: {os.path.getsize(path):,} bytes in {path}, SHA-256 {read(kind, path).hash}")
    except (BadSetting, Mistake, NoCard, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        _say("What is done is kept: the same command goes on from there.")
        return 130
    return 0


def _card(device: str | None) -> bool:
    """Whether a card works; `NoCard` where one was asked for and is not there."""
    if device == CPU:
        return False
    try:
        card()
    except NoCard:
        if device == CARD:
            raise
        return False
    return True


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _progress() -> Callable[[int, int], None]:
    said = time.monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal said
        if time.monotonic() - said > EVERY:
            said = time.monotonic()
            _say(f"  {100 * done // total} %")

    return progress


if __name__ == "__main__":
    sys.exit(main())
