"""An exam as a dataset: prompts, key, grade and hash as JSON lines, with a card and an `eval.yaml`.

The folder is laid out as the Hugging Face Hub reads it: the card names the files of each configuration, and `eval.yaml`
says how Inspect AI asks the questions that have one right move.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from numberquest import __version__
from numberquest.core.rulebook import titled
from numberquest.players.answers import GOES_ON
from numberquest.players.prompt import messages
from numberquest.study.exam.question import GRADES, Exam, Question, hash_of, line

ALL, ONE_RIGHT = "exam", "one_right"
"""The configurations: every question, and the questions with one right move, for counting right answers."""
LAST_IN_BRACKETS: Final = rf"(?is)\A(?:(?!{GOES_ON}).)*\[([^\[\]]+)\]"
"""The last brackets in an answer that ends as the prompt asks for, before the model goes on by itself."""
CITATION: Final = """\
@software{{numberquest,
  title = {{Number Quest: number games with the exact value of every position}},
  author = {{{{The Number Quest maintainers}}}},
  version = {{{version}}},
  year = {{2026}},
  note = {{{exam}, SHA-256 {hash}}}
}}"""


def row(question: Question) -> dict[str, Any]:
    """A question with its key as one row of plain data."""
    game = question.game
    asked = messages(game, question.position, question.history)
    return {
        "id": question.id,
        "game": game.slug,
        "settings": game.settings_text,
        "after": list(question.history),
        "player": question.player + 1,
        "grade": question.grade,
        "messages": asked,
        "input": "\n\n".join(message["content"] for message in asked),
        "target": question.right[0],
        "right": list(question.right),
        "moves": list(question.moves),
        "values": list(question.values.values()),
        "random_loss": question.random_loss,
        "hash": hash_of([line(question)]),
    }


def dataset(exam: Exam, questions: Sequence[Question], name: str) -> dict[str, bytes]:
    """Return the files of a dataset by their names."""
    rows = [row(question) for question in questions]
    tables = {ALL: rows, ONE_RIGHT: [one for one in rows if len(one["right"]) == 1]}
    files = {f"{table}.jsonl": _json_lines(own) for table, own in tables.items()}
    counts = {table: len(own) for table, own in tables.items()}
    files["README.md"] = _card(exam, questions, name, counts).encode()
    files["eval.yaml"] = _eval_yaml(name).encode()
    return files


def _json_lines(rows: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows).encode()


def _eval_yaml(name: str) -> str:
    return f"""\
name: {json.dumps(name)}
description: >
  Positions of number games in which the choice matters, one question each: which move? Here an answer is right or
  wrong; what a wrong one gives away, exactly, is measured by `inspect eval numberquest/exam` and `numberquest exam`.
evaluation_framework: inspect-ai

tasks:
  - id: {ONE_RIGHT}
    config: {ONE_RIGHT}
    split: test
    field_spec:
      input: input
      target: target
      metadata: [id, game, grade, hash]
    solvers:
      - name: generate
    scorers:
      - name: pattern
        args:
          pattern: {json.dumps(LAST_IN_BRACKETS)}
"""


def _card(exam: Exam, questions: Sequence[Question], name: str, counts: Mapping[str, int]) -> str:
    # A game in disguise has no settings: what they come to is in its rules.
    games = Counter((titled(question.game), question.game.settings_text) for question in questions)
    rules = "\n".join(f"| {title} | {settings} | {many} |" for (title, settings), many in games.items())
    configurations = "\n".join(
        f"  - config_name: {table}\n    data_files:\n      - split: test\n        path: {table}.jsonl"
        + ("\n    default: true" if table == ALL else "")
        for table in counts
    )
    made = "the published one" if exam.seed is None else f"made from the seed {exam.seed}"
    cited = CITATION.format(version=__version__, exam=name, hash=exam.hash)
    return f"""\
---
license: mit
language:
  - en
pretty_name: {json.dumps(name)}
size_categories:
  - {"n<1K" if len(questions) < 1000 else "1K<n<10K"}
task_categories:
  - question-answering
tags:
  - games
  - reasoning
  - benchmark
configs:
{configurations}
---

# {name}

{counts[ALL]} positions of two-player number games in which the choice matters, one question each: which move? The key
has the exact value of every allowed move, so an answer is not right or wrong alone: what it gave away of the chance of
winning is known. This exam is version {exam.version}, {made}; written by Number Quest {__version__}.

| rules | settings | questions |
|---|---|---|
{rules}

## Fields

| field | meaning |
|---|---|
| `id`, `grade` | its name; from 1, easy, to {GRADES}, hard |
| `game`, `settings`, `after`, `player` | the rules, the moves and reveals that led there, and who is to move: 1 or 2 |
| `messages`, `input` | the question as a chat, and the same as one text |
| `moves`, `values` | the allowed moves, and the chance of winning after each under best play |
| `right`, `target` | the moves that nothing is better than, and the first of them |
| `random_loss` | what any move, each alike, gives away on average |
| `hash` | SHA-256 of the question and its key |

`{ALL}` has every question, and `{ONE_RIGHT}` the {counts[ONE_RIGHT]} that have one right move.

## The score

100 * (1 - what the answers gave away / the sum of `random_loss`), for each game, and then the mean over the games: 0 is
random play, 100 is perfect. What an answer gave away is the largest of `values` less that of its move; an answer that
is no allowed move gives away all. `numberquest exam --who llm:MODEL` and `inspect eval numberquest/exam` reckon so.

`eval.yaml` counts right answers alone, over `{ONE_RIGHT}`.

## Licence and how to cite

MIT, Copyright (c) 2026 The Number Quest maintainers. SHA-256 of the questions and the key of the whole exam:
`{exam.hash}`

```bibtex
{cited}
```
"""
