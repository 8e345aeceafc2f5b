"""TRL: a language model learns by GRPO from the exact regret of its moves, through an environment with a tool.

    pip install trl torch . && python examples/recipes/trl_grpo.py

`QuestEnvironment` is what TRL wants of an `environment_factory`, and knows nothing of TRL: any model that calls tools
trains in it. So that this runs anywhere in a minute or two, the model is a tiny one, made here from a configuration,
whose words are the few of a small game: it reads the position and answers with one word, which stands for the call.
"""

from __future__ import annotations

import os
from typing import Any

import numberquest as nq
from numberquest.envs import llm

GAME, SETTINGS = "sumquest", {"target": 10, "high": 4}
STEPS = 60
"""How long it learns: the mean reward rises from about -0.3 to 0.5."""


class QuestEnvironment:
    """A game against one of our players, as TRL's `environment_factory`: one object plays one game after the other."""

    def __init__(self) -> None:
        self._episode: llm.Episode | None = None

    def reset(self, **row: Any) -> str:
        """Begin a game: `game` and its `settings`, `opponent`, `seed`, and `after`, the moves that were made before.

        What else stands in the row of the data is passed over. Returns what the model is asked.
        """
        game, settings = row.get("game", GAME), row.get("settings", SETTINGS)
        # Data may come from anywhere: a file or a command that a row names is never run.
        self._episode = llm.Episode.by_name(
            game, row.get("opponent", "hard"), seat=1, seed=row.get("seed", 1), **settings
        )
        for move in row.get("after", "").split():
            self._episode.match.play(move)
        return self._asked()

    def play(self, move: str) -> str:
        """
        Make a move in the game.

        Args:
            move: One of the moves that are allowed now, as it was written there.

        Returns:
            What the opponent has answered, and what is asked next; or how the game has ended.
        """
        if self._episode is not None and not self._episode.over:
            self._episode.answer(f"[{move}]")
        return self._asked()

    def get_reward(self) -> float:
        """The mean of 1 - regret over the moves that were made; where none was, what an unreadable answer costs."""
        rewards = [] if self._episode is None else self._episode.rewards
        return sum(rewards) / len(rewards) if rewards else -llm.UNREADABLE

    def _asked(self) -> str:
        if self._episode is None or self._episode.over:
            return "The game is over."
        return self._episode.messages[-1]["content"]


def rows() -> list[dict[str, Any]]:
    """Every position of the small game in which the model is to move first or second: the data to train on."""
    game = nq.game(GAME, **SETTINGS)
    start, found = game.start(), [""]
    for first in game.moves(start):
        found += [f"{first} {second}" for second in game.moves(game.play(start, first))]
    return [{"prompt": [{"role": "user", "content": ""}], "after": after} for after in found]


def tokenizer() -> Any:
    """Words of the small game alone; one that names a move is the call of `play` with it."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    moves = nq.game(GAME, **SETTINGS).actions
    unknown = {"unk_token": "?"}
    words = ["<pad>", "<eos>", "?", *map(str, range(20)), "Sum", "Barred", "now", "number", "user", "assistant", "tool"]
    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate(words)}, **unknown))
    made.pre_tokenizer = pre_tokenizers.Whitespace()

    class Words(PreTrainedTokenizerFast):  # type: ignore[misc, unused-ignore]
        def parse_response(self, ids: Any, *_: Any, **__: Any) -> dict[str, Any]:
            said = self.decode(ids, skip_special_tokens=True).split()[:1]
            calls = [{"type": "function", "function": {"name": "play", "arguments": {"move": said[0]}}}] if said else []
            return {"role": "assistant", "content": "", **({"tool_calls": calls} if said and said[0] in moves else {})}

    template = """\
{%- for message in messages %}{{ message['role'] }} {% for call in message.get('tool_calls') or [] %}\
{{ call['function']['name'] }} {{ call['function']['arguments'] }} {% endfor %}\
{{ (message['content'] or '').split('Now:')[-1].split('Allowed')[0] }} {% endfor %}\
{% if add_generation_prompt %}assistant{% endif %}"""
    signs = {**unknown, "pad_token": "<pad>", "eos_token": "<eos>"}
    words = Words(tokenizer_object=made, chat_template=template, **signs)
    # Said so that TRL looks for no other way to read an answer.
    words.response_schema = {"type": "object"}
    return words


def model(words: Any) -> Any:
    """A tiny model that knows nothing yet: nothing is downloaded."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(1)
    size = {"n_positions": 128, "n_embd": 64, "n_layer": 2, "n_head": 4, "pad_token_id": 0, "eos_token_id": 1}
    certain = dict.fromkeys(("resid_pdrop", "attn_pdrop", "embd_pdrop"), 0.0)
    return GPT2LMHeadModel(GPT2Config(vocab_size=len(words), bos_token_id=1, **size, **certain))


def train(steps: int = STEPS) -> list[float]:
    """Train, and return the mean reward of every step."""
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    words = tokenizer()
    config = GRPOConfig(
        output_dir="build/trl",
        use_cpu=True,
        max_steps=steps,
        per_device_train_batch_size=64,
        num_generations=16,
        max_completion_length=1,
        learning_rate=3e-3,
        beta=0.0,
        temperature=1.0,
        logging_steps=1,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        seed=1,
    )
    trainer = GRPOTrainer(
        model=model(words),
        args=config,
        processing_class=words,
        train_dataset=Dataset.from_list(rows()),
        environment_factory=QuestEnvironment,
    )
    trainer.train()
    return [line["reward"] for line in trainer.state.log_history if "reward" in line]


def main() -> None:
    """Train, and say how the reward has risen."""
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
    rewards = train()
    fifth = max(1, len(rewards) // 5)
    first, last = sum(rewards[:fifth]) / fifth, sum(rewards[-fifth:]) / fifth
    print(f"mean reward: {first:.2f} in the first {fifth} steps, {last:.2f} in the last")


if __name__ == "__main__":
    main()
