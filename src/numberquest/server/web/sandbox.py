"""What the page must allow so that somebody else's Python can run in a frame of it.

The frame is written into the page by its own script (parts/sandbox.js), so that it is there without a network; it
inherits the page's policy, and brings a stricter one. The page therefore allows three things more: that one script, by
its hash; workers that are made of a text; and reading what lies in the memory of the page itself.
"""

from base64 import b64encode
from hashlib import sha256
from typing import Final

FRAME: Final = "static/site/frame.js"
"""The one script of the frame."""


def allowing(policy: str, script: bytes) -> str:
    """A page's policy, with what the frame of this script takes."""
    digest = b64encode(sha256(script).digest()).decode()
    policy = policy.replace("'wasm-unsafe-eval'", f"'wasm-unsafe-eval' 'sha256-{digest}'")
    return policy.replace("connect-src 'self'", "connect-src 'self' blob:") + "; worker-src 'self' blob: data:"
