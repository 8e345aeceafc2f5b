"""Whatever is typed at a prompt: never a traceback, never a hang, never a move that is not allowed."""

import random
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from numberquest.core.record import read
from numberquest.core.registry import GAMES
from numberquest.players.levels import PLAYERS
from tests.conftest import ALL
from tests.terminal.session import PROGRAM, piped
from tests.torture.campaign import length

LINES = 10_000 if ALL else 2_000
GAMES_OF_NOISE = length(short=3, long=40)


class Prompt(NamedTuple):
    """A question: how to get there, how many moves and reveals that takes, what it says, which answers it takes."""

    arguments: list[str]
    before: list[str]
    played: int
    words: str
    taken: set[str]


NUMBERS = {str(number) for number in range(10)}
YES_NO = {"yes", "y", "no", "n"}
DEAL = ["--deal", "3,7,1,5,2,8,9,4,6,2,5,7,1,6,8,9,4,3"]
PROMPTS = {
    "showdown yes or no": Prompt(
        ["play", "showdown"], [], 0, "Do you want to declare", YES_NO | {f"predict {n}" for n in range(100)}
    ),
    "showdown prediction": Prompt(
        ["play", "showdown"], ["yes"], 0, "Enter your prediction", {str(n) for n in range(100)} | YES_NO
    ),
    "showdown number": Prompt(["play", "showdown"], ["no"], 0, "Select a number", NUMBERS),
    "fifty number": Prompt(["play", "fifty"], ["5+"], 1, "Select a number", NUMBERS),
    "fifty operation": Prompt(["play", "fifty"], ["5+", "3"], 1, "Choose an operation", set("+-*/×÷xX−")),
    "grid cell": Prompt(["play", "grid"], ["1,1"], 2, "Select a cell", set()),
    "grid cell or stand": Prompt(["play", "grid", "--set", "stand=yes"], ["1,1"], 2, "Select a cell", {"stand"}),
    "sumquest number": Prompt(["play", "sumquest"], ["5"], 1, "Player 2 Input:", NUMBERS),
    "mystic action": Prompt(["play", "mystic", *DEAL], ["1"], 3, "Enter the number", {*"123asp+-", "add", "pass"}),
    "undo agreement": Prompt(["play", "sumquest"], ["5", "undo"], 1, "do you agree?", YES_NO),
    "resignation": Prompt(["play", "sumquest"], ["5", "resign"], 1, "do you really resign?", YES_NO),
}

PIECES = [
    *("\x00", "\x07", "\x1b[2J", "\x1b]0;x\x07", "\x7f", "\t", "\r", "\x0b", "\x85", "\u2028"),
    *("١", "५", "９", "²", "Ⅷ", "½", "五", "\u202e", "\u200b", "é", "😀", "\ud800"),
    *("-1", "+5", "5.0", "1e3", "0x5", "1_0", "99999999999999999999", "NaN", "inf", "None", "True"),
    *("predict 45", "5 5", "5,5,5", "'", '"', "\\", "%s", "{0}", "$(ls)", "`ls`", ";", "&&", "|", "<script>"),
    *("helpp", "undo undo", "quit now", "resign!", "rules of", "moves?", "show me", "yes no", "--plain"),
]


def hostile(dice: random.Random) -> bytes:
    """A line that no prompt should take."""
    kind = dice.randrange(6)
    if kind == 0:
        return bytes(dice.randrange(256) for _ in range(dice.randrange(1, 40)))
    if kind == 1:
        return ("9" * dice.randrange(5, 5000)).encode()
    text = "".join(dice.choice(PIECES) for _ in range(dice.randrange(1, 4)))
    return text.encode(errors="surrogatepass")


def harmless(line: bytes, taken: set[str]) -> bool:
    """Whether the line is none of the prompt's answers, no word of the program, and one line."""
    text = line.decode(errors="replace").strip().lower()
    words = {"help", "?", "moves", "show", "rules", "hint", "undo", "resign", "quit", "q", "exit"}
    is_cell = len(text) <= 9 and text[:1] in "(123" and any(sign in text for sign in ",; ")
    return not (text in taken | words or text.startswith("save") or is_cell or b"\n" in line)


def with_pauses(lines: list[bytes]) -> bytes:
    """The lines, and a word between some that is understood: whoever types nothing else is not asked for ever."""
    return b"\n".join(b"help\n" + line if at % 50 == 49 else line for at, line in enumerate(lines))


def survived(arguments: list[str], typed: bytes | list[str]) -> str:
    """What the program shows for it; it comes to its end in good order."""
    done = piped(arguments, typed)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", PROMPTS)
def test_hostile_lines_at_a_prompt_change_nothing(name: str, home: Path) -> None:
    prompt = PROMPTS[name]
    dice = random.Random(name)
    lines: list[bytes] = []
    while len(lines) < LINES:
        line = hostile(dice)
        # A leading zero or a blank is still the number that it says.
        if harmless(line, prompt.taken) and harmless(line.lstrip(b"0"), prompt.taken):
            lines.append(line)
    for at in range(0, LINES, 2000):
        lines[at] = b"5" * 1_000_000
    start = "".join(f"{line}\n" for line in prompt.before).encode()
    shown = survived(prompt.arguments, start + with_pauses(lines) + b"\nquit\n")
    assert shown.count(prompt.words) >= LINES + 1
    assert not any(sign in shown for sign in ("\x00", "\x07", "\x1b", "\u202e"))
    saved = list((home / ".local" / "state" / "numberquest").glob("*.nq"))
    assert len(read(saved[0].read_bytes()).match.history if saved else ()) == prompt.played


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", range(GAMES_OF_NOISE))
def test_a_game_of_answers_and_noise_stays_within_the_rules(slug: str, seed: int, home: Path) -> None:
    dice = random.Random(f"{slug}{seed}")
    answers = [*game_answers(slug), "yes", "no", "undo", "moves", "help", "show", "resign"]
    lines = [
        dice.choice(answers).encode() if dice.random() < 0.7 else hostile(dice).replace(b"\n", b"") for _ in range(400)
    ]
    record = home / "game.nq"
    survived(["play", slug, "--record", str(record)], b"\n".join(lines) + b"\n")
    # Reading a record replays it by the rules: a move that is not allowed would not come through.
    if record.exists():
        assert read(record.read_bytes()).match.game.slug == slug


def game_answers(slug: str) -> list[str]:
    """Things that the game's prompts take, or would at another time."""
    if slug == "grid":
        return ["1,1", "2 2", "3,3", "(1,2)", "1;3", "2,1", "2,3", "3 1", "3,2"]
    return [*"123456789", "+", "-", "*", "/", "6*", "45", "add", "pass", "subtract"]


@pytest.mark.parametrize("start", [b"4\n", b""])
def test_hostile_lines_at_the_menu_start_nothing(start: bytes) -> None:
    dice = random.Random(1)
    keys = {*"abglopqr", "back", "lesson", "quit", "exit"}
    taken = {*GAMES, *keys, *NUMBERS, "human", *PLAYERS, ""}
    noise = [line for line in (hostile(dice) for _ in range(LINES)) if harmless(line, taken)]
    shown = survived([], start + with_pauses(noise) + b"\n")
    refusals = ("is not one of them", "too long to be an answer", "Did you mean")
    # Some of so many are refused in yet other words.
    assert sum(map(shown.count, refusals)) > 0.99 * len(noise)
    assert "Game Start" not in shown


@pytest.mark.parametrize("word", ["undo", "resign"])
def test_questions_inside_questions_do_not_pile_up(word: str) -> None:
    survived(["play", "sumquest"], b"5\n" + with_pauses([word.encode()] * 2000) + b"\nno\nquit\n")


def test_what_is_cut_off_is_not_taken_for_what_was_meant() -> None:
    shown = survived(["play", "sumquest"], b"5" + b" " * 5000 + b"junk\nquit\n")
    assert "That line is too long to be an answer." in shown
    assert "chooses" not in shown


def test_an_endless_line_is_taken_for_nobody_there() -> None:
    command = f"{' '.join(PROGRAM)} play sumquest </dev/zero"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)  # noqa: S607
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
