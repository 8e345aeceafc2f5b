"""What `cache` prints: the solved games that are kept on disk."""

from __future__ import annotations

import os

from numberquest.mistake import FAILURE, Mistake
from numberquest.solver.budget import in_words
from numberquest.solver.table import folder, kept


def shown() -> str:
    """Every kept file with its size, and how to clear them."""
    files = list(kept())
    if not files:
        return f"Nothing is kept in {folder()}."
    lines = [f"Kept in {folder()}:"]
    lines += [f"  {in_words(size):>8}  {os.path.basename(path)}" for path, size in files]
    lines += [f"  {in_words(sum(size for _, size in files)):>8}  in all; numberquest cache --clear removes it"]
    return "\n".join(lines)


def cleared() -> str:
    """Remove every kept file, and say how much that was."""
    removed, size = 0, 0
    for path, bytes_in_it in kept():
        try:
            os.unlink(path)
        except FileNotFoundError:
            # Somebody else has cleared it in the meantime.
            continue
        except OSError as error:
            raise Mistake(f"{path} cannot be removed: {error.strerror}", FAILURE) from None
        removed += 1
        size += bytes_in_it
    return f"Removed {removed} {'file' if removed == 1 else 'files'}, {in_words(size)}."
