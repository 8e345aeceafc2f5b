"""The tasks: `numberquest/exam`, one question each, and `numberquest/games`, whole games against a computer player.

A model answers in plain text, or calls a tool.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import nan
from typing import Any, Final

from numberquest.core.contract import Game
from numberquest.core.dealer import BadDeal
from numberquest.core.errors import UsageError
from numberquest.core.match import Match
from numberquest.core.registry import GAMES
from numberquest.core.registry import game as make_game
from numberquest.core.settings import BadSetting, quoted, read_settings
from numberquest.core.stream import Stream
from numberquest.envs.arguments import needing
from numberquest.explain.review import RESIGNS, review
from numberquest.players.answers import Reading, read_move
from numberquest.players.asking import TRIES, CutOff, Illegal, ProviderError, Reply
from numberquest.players.levels import PLAYERS
from numberquest.players.prompt import again, instructions, question
from numberquest.solver import TooLarge, solve
from numberquest.study.exam.making import VERSION, NoExam, make_exam, published
from numberquest.study.exam.question import Question, line, read
from numberquest.study.exam.sitting import Answer
from numberquest.study.exam.sitting import score as exam_scored

with needing("inspect", adapter=True):
    from click import ClickException
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.log import transcript
    from inspect_ai.model import ChatMessageSystem, ChatMessageTool, ChatMessageUser, get_model

    # Inspect reads the annotations of metrics, scorers and solvers, so that their types are needed here.
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, mean, metric, scorer, stderr
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.tool import Tool, tool

MOST_DEALS: Final = 100_000
DONE: Final = "numberquest_done"
"""Where a sample's store keeps what came of it; nothing where it was broken off."""
ANSWERS: Final = "numberquest_answers"
"""Where a sample's store keeps every answer: what was said, and as which move it was read."""


@task
def exam(
    game: str | list[str] = "",
    count: int = 0,
    seed: str | int = "",
    answer: str = "text",
    list_moves: bool = True,
    tries: int = TRIES,
) -> Task:
    """Number Quest Exam: all of it, or the questions of some games (`a,b`), or only so many of each game.

    `seed` makes another exam that is as hard; `answer` is `text` or `tools`; `list_moves` tells the allowed moves.
    """
    with _in_one_sentence():
        sat = make_exam(seed) if seed != "" else published()
        wanted = _named(game)
        chosen = [one for one in sat.questions if one.game.slug in wanted]
        for name in wanted:
            if not any(one.game.slug == name for one in chosen):
                raise UsageError(f"the exam has no questions of {quoted(name)}")
        if type(count) is not int or count < 0:
            raise UsageError("count is a whole number; 0 is all questions")
        if count:
            chosen = _spread(chosen, count)
        answering = _solver(answer, tries)
    return Task(
        dataset=MemoryDataset(
            [exam_sample(one, list_moves=list_moves) for one in chosen],
            name=f"exam {sat.version}" if sat.seed is None else f"exam {sat.version}, seed {sat.seed}",
        ),
        solver=answering,
        scorer=lost_value(),
        version=VERSION,
        metadata={"hash": sat.hash, "seed": sat.seed, "answer": answer, "list_moves": list_moves, "tries": tries},
    )


@task
def games(
    game: str | list[str] = "",
    opponent: str = "hard",
    deals: int = 10,
    seed: str | int = 1,
    settings: str | list[str] = "",
    answer: str = "text",
    list_moves: bool = True,
    tries: int = TRIES,
) -> Task:
    """Whole games against a level, both seats of each deal; `settings` are written `target=30 copies=1`."""
    with _in_one_sentence():
        if opponent not in PLAYERS:
            raise UsageError(f"there is no opponent called {quoted(opponent)}; there is {', '.join(PLAYERS)}")
        if type(deals) is not int or not 1 <= deals <= MOST_DEALS:
            raise UsageError(f"deals is a whole number from 1 to {MOST_DEALS}")
        changes: dict[str, Any] = dict(read_settings(_parts(settings, " ")))
        kinds = [make_game(slug, **changes) for slug in _named(game)]
        for kind in kinds:
            # Now, and not while the first answer is waited for; and `TooLarge` before anything was paid for.
            solve(kind)
        answering = _solver(answer, tries)
    return Task(
        dataset=MemoryDataset(
            [
                game_sample(kind, opponent, deal, seat, str(seed), list_moves=list_moves)
                for kind in kinds
                for deal in range(1, deals + 1)
                for seat in (0, 1)
            ],
            name=f"games against {opponent}",
        ),
        solver=answering,
        scorer=play(),
        metadata={"answer": answer, "list_moves": list_moves, "tries": tries, "opponent": opponent, "seed": str(seed)},
    )


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    """Say what was asked for and cannot be as Inspect's command line shows it: without a traceback."""
    try:
        yield
    except (UsageError, BadSetting, BadDeal, NoExam, TooLarge) as error:
        raise ClickException(str(error)) from None


def _solver(answer: str, tries: int) -> Solver:
    if answer not in SOLVERS:
        raise UsageError(f"answer is {' or '.join(SOLVERS)}, not {quoted(answer)}")
    if type(tries) is not int or tries < 1:
        raise UsageError("tries is a whole number from 1 on")
    return SOLVERS[answer](tries)


def _named(names: str | Sequence[str]) -> list[str]:
    """The games of a list such as `a,b`; all that come with Number Quest where it is empty."""
    return _parts(names, ",") or list(GAMES.own)


def _parts(words: str | Sequence[str], sign: str) -> list[str]:
    """What stands between the signs; Inspect's command line may have taken it apart already, at commas."""
    parts = words.split(sign) if isinstance(words, str) else list(words)
    return [str(part).strip() for part in parts if str(part).strip()]


def _spread(questions: Sequence[Question], count: int) -> list[Question]:
    """So many of each game, from easy to hard."""
    found: list[Question] = []
    for slug in dict.fromkeys(one.game.slug for one in questions):
        own = sorted((one for one in questions if one.game.slug == slug), key=lambda one: one.grade)
        few = min(count, len(own))
        found += [own[at * len(own) // few] for at in range(few)]
    return found


@solver
def text(tries: int = TRIES) -> Solver:
    """Asks in plain text, up to so many times for one move."""
    return _asking(by_tool=False, tries=tries)


@solver
def tools(tries: int = TRIES) -> Solver:
    """Asks with a tool to make the move by, up to so many times for one move."""
    return _asking(by_tool=True, tries=tries)


SOLVERS: Final = {"text": text, "tools": tools}


def _asking(*, by_tool: bool, tries: int) -> Solver:
    async def asking(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        if "question" in state.metadata:
            asked = question_of(state.metadata)
            reply = await ask(state, asked.game, asked.position, by_tool=by_tool, tries=tries)
            counts = {"illegal": len(reply.illegal), "cut_off": reply.cut_off, "missing": reply.is_missing}
            done = {"move": reply.move, **counts}
        else:
            done = await _game(state, by_tool=by_tool, tries=tries)
        state.store.set(DONE, done)
        return state

    return asking


async def _game(state: TaskState, *, by_tool: bool, tries: int) -> dict[str, Any]:
    match, known = match_of(state.metadata), state.metadata
    seat, opponent = known["seat"] - 1, PLAYERS[known["opponent"]]
    moves: list[str] = []
    illegal = cut_off = 0
    del state.messages[1:]
    while match.outcome is None:
        if match.player != seat:
            dice = Stream(known["seed"], f"opponent {len(match.history)}")
            move = opponent.choose(match.game, match.position, dice, match.history)
        else:
            words = question(match.game, match.position, match.history, list_moves=known["list_moves"])
            state.messages.append(ChatMessageUser(content=words))
            answer = await ask(state, match.game, match.position, by_tool=by_tool, tries=tries)
            illegal, cut_off = illegal + len(answer.illegal), cut_off + answer.cut_off
            if answer.is_missing:
                # A missing answer counts as a random move, here as everywhere.
                dice = Stream(known["seed"], f"missing answer {len(match.history)}")
                answer = answer._replace(move=dice.choose(match.game.moves(match.position)))
            if answer.move is None:
                match.resign(seat)
                break
            move = answer.move
        moves.append(move)
        match.play(move)
    counts = {"forfeit": match.resigned is not None, "illegal": illegal, "cut_off": cut_off}
    return {"moves": moves, "history": list(match.history), **counts}


def rules_named(game: Game[Any]) -> str:
    """The game and its changed settings: what questions and games are grouped by."""
    return f"{game.slug} {game.changes}".strip()


def exam_sample(asked: Question, *, list_moves: bool) -> Sample:
    """One question of the exam."""
    game = asked.game
    return Sample(
        id=asked.id,
        input=[
            ChatMessageSystem(content=instructions(game)),
            ChatMessageUser(content=question(game, asked.position, asked.history, list_moves=list_moves)),
        ],
        target=list(asked.right),
        metadata={
            "game": game.slug,
            "rules": rules_named(game),
            "grade": asked.grade,
            "list_moves": list_moves,
            "question": line(asked),
        },
    )


def question_of(metadata: Mapping[str, Any]) -> Question:
    """The question of such a sample."""
    return read(metadata["question"], GAMES[metadata["game"]])


def game_sample(game: Game[Any], opponent: str, deal: int, seat: int, seed: str, *, list_moves: bool) -> Sample:
    """One game to play; both seats of a deal are dealt the same."""
    rules = rules_named(game)
    return Sample(
        id=f"{rules.replace(' ', ',')}-{opponent}-{deal}-{seat + 1}",
        input=[ChatMessageSystem(content=instructions(game)), ChatMessageUser(content=f"You are Player {seat + 1}.")],
        metadata={
            "game": game.slug,
            "settings": dict(game.changed),
            "rules": rules,
            "opponent": opponent,
            "deal": f"{rules} {deal}",
            "seat": seat + 1,
            "seed": f"{seed}.{deal}",
            "list_moves": list_moves,
        },
    )


def match_of(metadata: Mapping[str, Any]) -> Match[Any]:
    """The game of such a sample, at its start."""
    return Match(make_game(metadata["game"], **metadata["settings"]), seed=metadata["seed"])


@tool
def make_move() -> Tool:
    """The tool by which a model makes its move."""

    async def execute(move: str) -> str:
        """Make your move.

        Args:
            move: One of the moves of the game, as it is written in the rules.
        """
        # What is said to the model is decided where the answer is read.
        return move

    return execute


async def ask(state: TaskState, game: Game[Any], position: Any, *, by_tool: bool, tries: int) -> Reply:
    """Ask for a move, and again up to so many times in all. Errors of the provider are for Inspect to handle."""
    allowed = game.moves(position)
    tools = [make_move()] if by_tool else []
    illegal: list[Illegal] = []
    failures: list[ProviderError] = []
    while True:
        state.output = await get_model().generate(state.messages, tools=tools)
        state.messages.append(state.output.message)
        # Words are read too, where a model has called nothing.
        call = bool(state.output.choices and state.output.message.tool_calls)
        said = str(state.output.message.tool_calls[0].arguments.get("move", "")) if call else state.output.completion
        cut_off = not call and state.output.stop_reason in LIMITS and said.strip(" .[]`*\n") not in allowed
        reading = Reading(None, CUT_OFF) if cut_off else read_move(said, allowed, game.actions)
        entry = {
            "said": said,
            "read": reading.move,
            "why": reading.why,
            "how": "tool" if call else "text",
            "cut_off": cut_off,
        }
        transcript().info(entry, source="numberquest")
        state.store.set(ANSWERS, [*answers(state), entry])
        if reading.move is not None:
            _answer_calls(state, "Your move is made.")
            return Reply(reading.move, tuple(illegal), tuple(failures))
        wrong = Illegal(said, reading.why)
        # What was cut off is no wrong move: if no other answer comes, it is missing.
        failures, illegal = ([*failures, CutOff(CUT_OFF)], illegal) if cut_off else (failures, [*illegal, wrong])
        _answer_calls(state, again(wrong))
        if len(illegal) + len(failures) == tries:
            return Reply(None, tuple(illegal), tuple(failures), is_missing=cut_off)
        if not call:
            state.messages.append(ChatMessageUser(content=again(wrong)))


def answers(state: TaskState) -> list[dict[str, Any]]:
    """Every answer of a sample so far."""
    return list(state.store.get(ANSWERS, []))


def _answer_calls(state: TaskState, told: str) -> None:
    """Answer each call of the last message: a model that gets no answer to one cannot go on."""
    for number, call in enumerate(state.output.message.tool_calls or []):
        content = told if number == 0 else "Only the first move counts."
        state.messages.append(ChatMessageTool(content=content, tool_call_id=call.id, function=call.function))


LIMITS: Final = ("max_tokens", "model_length")
"""Why Inspect says that an answer ended before its end."""
CUT_OFF: Final = "the answer was cut off before there was a move in it: raise --max-tokens"
UNFINISHED = "broken off before there was an answer: counts for nothing"


@metric
def exam_score() -> Metric:
    """The score of the exam, 0 for random play and 100 for perfect, with its interval and that of each game."""

    def measured(scores: list[SampleScore]) -> dict[str, float]:
        sat: dict[str, list[Answer]] = {}
        for one in scores:
            asked = question_of(one.sample_metadata or {})
            value: Any = one.score.value
            sat.setdefault(asked.game.slug, []).append(Answer(asked, None, float(value["loss"])))
        total = exam_scored([answer for own in sat.values() for answer in own])
        figures = {"score": total.score, "low": total.low, "high": total.high}
        figures |= {slug: exam_scored(own).score for slug, own in sat.items()}
        return {name: nan if figure is None else figure for name, figure in figures.items()}

    return measured


@metric
def given_away() -> Metric:
    """Over the positions in which the choice mattered: the mean loss of winning chance, and the share of best moves."""

    def measured(scores: list[SampleScore]) -> dict[str, float]:
        values: list[Any] = [one.score.value for one in scores]
        mattered = sum(value["mattered"] for value in values)
        return {
            "regret": sum(value["lost"] for value in values) / mattered if mattered else nan,
            "best": sum(value["best"] for value in values) / mattered if mattered else nan,
            "mattered": mattered,
        }

    return measured


@scorer(
    metrics=[
        exam_score(),
        {
            "loss": [mean(), stderr(cluster="rules")],
            "best": [mean(), stderr(cluster="rules")],
            "illegal": [mean()],
            "cut_off": [mean()],
        },
    ]
)
def lost_value() -> Scorer:
    """What an answer gives away of the chance of winning, exactly; whoever makes no move has lost all of it."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        done = state.store.get(DONE)
        if done is None:
            return Score.unscored(explanation=UNFINISHED)
        asked, move = question_of(state.metadata), done["move"]
        loss = asked.value if move is None else asked.loss(move)
        if done["missing"]:
            loss = asked.random_loss
        best = move in asked.right
        return Score(
            value={"loss": loss, "best": int(best), "illegal": done["illegal"], "cut_off": done["cut_off"]},
            answer=move,
            explanation=f"best is {', '.join(asked.right)}; this gives away {loss:.4f}",
            metadata={"answers": answers(state), "values": dict(asked.values)},
        )

    return score


@scorer(
    metrics=[
        given_away(),
        {
            "win": [mean(), stderr(cluster="deal")],
            "without_luck": [mean(), stderr(cluster="deal")],
            "lost": [mean(), stderr(cluster="deal")],
            "illegal": [mean()],
            "cut_off": [mean()],
            "forfeit": [mean()],
        },
    ]
)
def play() -> Scorer:
    """How a game came out, and what its moves were worth exactly."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        done = state.store.get(DONE)
        if done is None:
            return Score.unscored(explanation=UNFINISHED)
        match, seat = match_of(state.metadata), state.metadata["seat"] - 1
        for move in done["moves"]:
            match.play(move)
        if done["forfeit"]:
            match.resign(seat)
        found = review(match)
        own = [verdict for verdict in found if verdict.player == seat]
        mattered = [verdict for verdict in own if verdict.mattered and verdict.move != RESIGNS]
        outcome = match.outcome
        worth = 0.0 if outcome is None else float(outcome.worth(seat))
        luck = float(found.luck) * (1 if seat == 0 else -1)
        return Score(
            value={
                "win": worth,
                "without_luck": worth - luck,
                "lost": sum(float(verdict.loss) for verdict in mattered),
                "mattered": len(mattered),
                "best": sum(verdict.move in verdict.best for verdict in mattered),
                "illegal": done["illegal"],
                "cut_off": done["cut_off"],
                "forfeit": int(done["forfeit"]),
            },
            answer=" ".join(done["moves"]),
            explanation="; ".join(f"{verdict.move}: {verdict.verdict}" for verdict in own),
            metadata={"answers": answers(state), "history": done["history"], "luck": luck},
        )

    return score
