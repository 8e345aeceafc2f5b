"""What a link to a match shows where it is pasted: who invites whom to which game, and a picture.

All of it is what everybody who opens the link sees first. The invitation itself stands behind the # of its address,
which is never sent to a server.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from numberquest.contract import player_name
from numberquest.server.match.entries import FRIEND
from numberquest.server.web.pages import PREVIEW, page_file

if TYPE_CHECKING:
    from numberquest.server.match.state import MatchState
    from numberquest.server.web.pages import File, Pages

WIDE, TALL = 1200, 630
"""How large the pictures are."""
TITLE: Final = "<title>Number Quest</title>"
"""What the page is called until it has loaded."""


def previewed(pages: Pages, state: MatchState, home: str | None) -> File:
    """The page of a match, with what others are shown of it; `home` is where they open our pages, if that is known."""
    words = headline(state)
    if not words:
        return pages.index
    game = state.line.game
    tags = {
        "og:site_name": "Number Quest",
        "og:type": "website",
        "og:title": words,
        "og:description": game.summary,
        "twitter:card": "summary",
    }
    if home is not None:
        own = f"/static/games/{game.slug}/{PREVIEW}"
        picture = home + (own if own in pages.files else f"/static/{PREVIEW}")
        tags |= {
            "og:url": f"{home}/m/{state.kept.match}",
            "og:image": picture,
            "og:image:width": str(WIDE),
            "og:image:height": str(TALL),
            "og:image:alt": f"The board of {game.short_title}",
            "twitter:card": "summary_large_image",
        }
    lines = [f'<meta property="{name}" content="{escape(text)}">' for name, text in tags.items()]
    head = "\n".join([f"<title>{escape(words)} – Number Quest</title>", *lines])
    return page_file(pages.index.plain.decode().replace(TITLE, head, 1).encode())


def headline(state: MatchState) -> str:
    """Who invites to what, or who plays what; nothing of an invitation that was withdrawn."""
    title = state.line.game.short_title
    if state.withdrawn:
        return ""
    if state.opponent == FRIEND and not all(state.joined):
        seat = state.joined.index(True)
        name = state.names[seat]
        return f"{'A friend' if name == player_name(seat) else name} invites you to {title}"
    return f"{state.names[0]} and {state.names[1]} play {title}"
