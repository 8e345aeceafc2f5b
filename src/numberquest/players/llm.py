"""`llm:MODEL`: a language model behind an address that speaks as OpenAI's does. docs/agents.md shows how.

Most local servers of models speak so. Nothing is sent anywhere that was not named in the environment.
"""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from random import uniform
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from numberquest.core.contract import Game
from numberquest.core.progress import Progress
from numberquest.core.settings import quoted
from numberquest.core.stream import Dice
from numberquest.players import prompt
from numberquest.players.answers import read_move
from numberquest.players.asking import BadPlayer, CutOff, Illegal, ProviderError, Questioned, seconds_for, shown

URL: Final = "NUMBERQUEST_LLM_URL"
KEY: Final = "NUMBERQUEST_LLM_KEY"
OPTIONS: Final = "NUMBERQUEST_LLM_OPTIONS"
USUAL_URL, USUAL_KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
"""Variables of other programs, read where `URL` is not set; a key goes to the address of its own pair alone."""
CUT_OFF: Final = (
    "the answer was cut off before there was a move in it: raise max_tokens in "
    f"""{OPTIONS}, such as '{{"max_tokens": 16000}}'"""
)
SECONDS: Final = 60.0
"""Seconds for one move, pauses for a busy server included, where `NUMBERQUEST_SECONDS` is not set."""
BUSY: Final = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 529))
"""With these a server says that another try may do."""
PAUSE: Final = 0.5
"""Seconds before the second request to a busy server at least; twice as many before the third, and so on."""
JITTER: Final = 0.5
"""Share of a pause that chance adds at most, so that many clients do not come back at the same moment."""
LONGEST: Final = 2**22


class Address(NamedTuple):
    """The address of a server of models, with key, options of every request, and seconds for one move."""

    url: str
    key: str
    options: Mapping[str, Any]
    seconds: float


def address() -> Address:
    """Read the address from the environment; `BadPlayer` where none is set, or a value cannot be used."""
    pairs = ((URL, KEY), (USUAL_URL, USUAL_KEY))
    variable, key = next((pair for pair in pairs if os.environ.get(pair[0])), pairs[0])
    url = os.environ.get(variable, "").strip()
    if not url:
        raise BadPlayer(f"set {URL} to the address of a server of models first, such as http://localhost:11434/v1")
    try:
        parts = urlsplit(url)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        fine = False
    if not fine or not url.isprintable() or " " in url:
        raise BadPlayer(f"{variable} is an address such as http://localhost:11434/v1, not {quoted(url)}")
    secret = os.environ.get(key, "").strip()
    if not (secret.isascii() and secret.isprintable()):
        raise BadPlayer(f"{key} is no key: it holds characters that cannot be sent")
    try:
        options = json.loads(os.environ.get(OPTIONS) or "{}")
    except ValueError:
        options = None
    if not isinstance(options, dict):
        raise BadPlayer(f'{OPTIONS} is a JSON object, such as {{"temperature": 0}}')
    return Address(url.rstrip("/"), secret, options, seconds_for(SECONDS))


class Model(Questioned):
    """A player that asks a language model for every move, with all that there is to know in each question."""

    is_language_model = True

    def __init__(self, spec: str, place: Address) -> None:
        super().__init__(spec)
        self._model = spec.partition(":")[2].strip()
        if not self._model:
            raise BadPlayer(f"{spec!r} names no model: write llm:MODEL")
        self._address = place

    @property
    def words(self) -> str:
        return f"plays as the language model {self._model} says"

    def prepare(self, game: Game[Any], tell: Callable[[str], None], progress: Progress | None = None) -> None:
        """Do nothing: a model needs no preparation."""

    def _answer(
        self, game: Game[Any], position: Any, dice: Dice, history: Sequence[str] | None, refused: Illegal | None
    ) -> str:
        text, is_complete = self._text(prompt.messages(game, position, history, refused))
        allowed = game.moves(position)
        if not is_complete and text.strip(" .[]`*\n") not in allowed:
            raise CutOff(CUT_OFF)
        reading = read_move(text, allowed, game.actions)
        if reading.move is None:
            raise Illegal(text, reading.why)
        return reading.move

    def _text(self, messages: Sequence[Mapping[str, str]]) -> tuple[str, bool]:
        """Return the model's text, and whether the text is complete; `ProviderError` where the server fails."""
        body = json.dumps({"model": self._model, "messages": messages, **self._address.options}).encode()
        deadline = time.monotonic() + self._address.seconds
        pause, busy = PAUSE, None
        while True:
            try:
                raw = _response(self._address, body, deadline)
                self.heard.append({"prompt": list(messages), "answer": raw.decode(errors="replace")})
                return _content(raw)
            except _Late as late:
                raise ProviderError(f"{late}; before that, {busy}" if busy else str(late)) from None
            except _Busy as error:
                busy = error
                # A server may ask for a longer pause, and never for a shorter one.
                wait = max(busy.wait, pause * uniform(1, 1 + JITTER))  # noqa: S311
                if time.monotonic() + wait >= deadline:
                    raise
                time.sleep(wait)
                pause *= 2


class _Late(ProviderError):
    """The time for an answer is over."""


class _Busy(ProviderError):
    """The server cannot answer now, and asks for a pause of `wait` seconds or more."""

    wait: float = 0.0


def _response(place: Address, body: bytes, deadline: float) -> bytes:
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if place.key:
        headers["Authorization"] = f"Bearer {place.key}"
    # The scheme was looked at when the address was read.
    request = Request(f"{place.url}/chat/completions", body, headers)  # noqa: S310
    late = f"{place.url} gave no answer within {place.seconds:g} s"
    host = urlsplit(place.url).hostname or ""
    near = host == "localhost" or host.startswith("127.") or host == "::1"
    # A proxy does not know what this machine calls itself.
    opener = build_opener(_Stay, *([ProxyHandler({})] if near else []))
    try:
        with opener.open(request, timeout=max(deadline - time.monotonic(), 0.001)) as answer:
            body_read = b""
            while piece := answer.read1(65536):
                body_read += piece
                if len(body_read) > LONGEST:
                    raise ProviderError(f"{place.url} answers with more than {LONGEST:,} bytes")
                if time.monotonic() > deadline:
                    raise _Late(late)
            if answer.length:
                raise ProviderError(f"{place.url} broke off in the middle of its answer")
            return body_read
    except HTTPError as error:
        raise _refusal(place, error) from None
    except TimeoutError:
        raise _Late(late) from None
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise _Late(late) from None
        why = getattr(error.reason, "strerror", None) or error.reason
        raise ProviderError(f"{place.url} cannot be reached: {why}") from None
    except (OSError, HTTPException) as error:
        raise ProviderError(f"{place.url} broke off: {type(error).__name__}: {error}") from None


class _Stay(HTTPRedirectHandler):
    """Follows no redirection: the key is for this address alone."""

    def redirect_request(self, *_: Any) -> None:
        """Not."""


def _refusal(place: Address, error: Any) -> ProviderError:
    """Make an error from the response of a server that refuses a request."""
    try:
        text = error.read(10_000).decode(errors="replace")
    except (OSError, HTTPException):
        text = ""
    finally:
        error.close()
    why = _message(text) or text.strip() or error.reason
    hint = "; the address mostly ends in /v1" if error.code == 404 and not place.url.endswith("/v1") else ""
    sentence = f"{place.url} answers {error.code}: {shown(str(why), 200)}{hint}"
    if error.code not in BUSY:
        return ProviderError(sentence)
    busy = _Busy(sentence)
    after = error.headers.get("Retry-After", "")
    busy.wait = float(after) if after.isdecimal() else 0.0
    return busy


def _message(text: str) -> str:
    """Return the message in the body of an error, or an empty text."""
    try:
        body = json.loads(text)
        error = body.get("error", body)
        return str(error if isinstance(error, str) else error.get("message") or "")
    except (ValueError, AttributeError):
        return ""


def _content(answer: bytes) -> tuple[str, bool]:
    """Return the model's text out of the server's response, and whether the text is complete."""
    try:
        body = json.loads(answer)
        if isinstance(body, dict) and body.get("error"):
            # Some servers answer that all is well, and then that it is not.
            raise ProviderError(f"the server reports an error: {shown(_message(answer.decode()), 200)}")
        choice = body["choices"][0]
        message, why = choice["message"], choice.get("finish_reason")
        content = message.get("content") or message.get("refusal") or ""
        if isinstance(content, list):
            content = "".join(part.get("text") or "" for part in content)
    except (ValueError, LookupError, TypeError, AttributeError):
        text = answer.decode(errors="replace")
        raise ProviderError(f"this is no answer of a model: {shown(text)}") from None
    if not isinstance(content, str):
        raise ProviderError(f"this is no answer of a model: {shown(str(content))}")
    # Some servers say nothing of the limit, where all of it went into what the model thought.
    only_thought = not content.strip() and any(message.get(name) for name in ("reasoning_content", "reasoning"))
    return content, why != "length" and not only_thought
