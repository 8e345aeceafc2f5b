"""Any game as a Gymnasium environment: one learner against a computer player. docs/gymnasium.md shows how.

    gymnasium.make("numberquest.envs.gymnasium:NumberQuest/Last-v0", opponent="perfect", seat=1, heap=12)

An observation is a flat row of numbers (`observation.py` says which); the allowed moves are `info["action_mask"]`.
All chance, the deal and the opponent's too, comes from the environment's own generator: a seed gives the same again.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from numberquest.core.contract import player_name
from numberquest.envs import arguments
from numberquest.envs.arguments import AnyGame, needing, register
from numberquest.envs.episode import Episode, Judged, Regret, picture, rendered
from numberquest.envs.frame import frame
from numberquest.envs.observation import Observer
from numberquest.players.asking import close
from numberquest.players.levels import PLAYERS, Level, Player

with needing("gymnasium"):
    import gymnasium
    from gymnasium import error, spaces

T = TypeVar("T")
ObservationRow = NDArray[np.float32]


class SoloEnv(gymnasium.Env[ObservationRow, np.int64]):
    """One learner against one opponent. The reward is 1 for a win and -1 for a loss, at the end; 0 for a draw.

    A game that has no longest length is truncated after `game.bound` moves and reveals.
    """

    metadata: dict[str, Any] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 1}

    def __init__(
        self,
        game: AnyGame,
        opponent: str | Player = "random",
        seat: int | str = "random",
        regret: bool = False,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        """`game` is a slug, the path of a file, a class or an object; `seat` is 1, 2 or "random".

        `settings` are the rule settings of the game.
        With `regret`, `info["regret"]` says how much of the winning chance the move just made has lost,
        `info["value"]` what that chance was before it, and `info["mattered"]` whether the choice mattered.
        """
        arguments.check_render_mode(render_mode, ("human", "ansi", "rgb_array"))
        self._seat = arguments.seat_for(seat)
        self.game = arguments.rules_for(game, settings, ("opponent", "seat", "regret", "render_mode"))
        self.opponent = arguments.opponent_for(opponent, self.game)
        # `random` would work the moves out once more, to the same end.
        self._any_move = self.opponent is PLAYERS["random"]
        level = isinstance(self.opponent, Level)
        self._choose = self.opponent.choose if level else partial(arguments.asked_move, self.opponent)
        self._made_here = isinstance(opponent, str)
        self.render_mode = render_mode
        self.observer = Observer(self.game)
        self.observation_space = spaces.Box(self.observer.low, self.observer.high, dtype=np.float32)
        self.action_space = spaces.Discrete(len(self.game.actions))
        self._regret = Regret(self.game) if arguments.check_flag("regret", regret) else None
        self._learner = 0
        self._episode = Episode(self.game)
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationRow, dict[str, Any]]:
        """A new game, up to the learner's first move. There are no `options`, and any is refused."""
        if options:
            # What nobody heeds must not seem to work.
            raise ValueError(f"reset takes no options here, and was given {', '.join(map(repr, options))}")
        super().reset(seed=seed)
        self._dice = _Dice(self.np_random)
        self._learner = self._dice.below(2) if self._seat is None else self._seat
        self._episode.start(self.np_random)
        self._answer()
        self._running = True
        if self.render_mode == "human":
            self.render()
        return self._seen(), self._info()

    def step(self, action: int | np.int64) -> tuple[ObservationRow, float, bool, bool, dict[str, Any]]:
        """Make the learner's move and the opponent's answer. An illegal move ends the episode and loses it."""
        if not self._running:
            raise error.ResetNeeded("the game is over, or has not begun: call reset()")
        episode = self._episode
        if type(action) is not int:
            # Whatever is no action id at all must not become one.
            action = int(action) if self.action_space.contains(action) else -1
        if not 0 <= action < len(episode.actions):
            raise error.InvalidAction(f"an action id is a whole number from 0 to {len(episode.actions) - 1}")
        # The game may be over before the learner's first move: then no move matters, and none is made.
        decided = episode.over
        illegal = not decided and not episode.allows(action)
        judged = None
        if self._regret is not None and not decided:
            move = None if illegal else episode.actions[action]
            judged = self._regret.of(episode.known(self._learner), self._learner, move)
        if not decided and not illegal:
            episode.play(episode.actions[action])
            self._answer()
        self._running = not (illegal or episode.over)
        reward = -1.0 if illegal else float(episode.reward(self._learner))
        truncated = episode.over and episode.outcome is None
        info = self._info()
        if self._regret is not None:
            # Over before the first move: there was nothing to choose.
            info |= (judged or Judged(0.0, (1 + reward) / 2, False))._asdict()
        if illegal:
            info["illegal"] = True
        if self.render_mode == "human":
            self.render()
        return self._seen(), reward, not self._running and not truncated, truncated, info

    @property
    def position(self) -> Any:
        """Where the game stands, as the rules say it. A deal is not in it, but what a game's players keep secret is."""
        return self._episode.position

    def _answer(self) -> None:
        """Let the opponent move until it is the learner's turn."""
        episode, learner, dice = self._episode, self._learner, self._dice
        while not episode.over and episode.player != learner:
            if self._any_move:
                episode.play(dice.choose(episode.moves))
            else:
                # Only where there are secrets somebody has to know what was played before.
                before = () if episode.history is None else (episode.history,)
                episode.play(self._choose(self.game, episode.position, dice, *before))

    def _seen(self) -> ObservationRow:
        return self.observer.see(self._episode.position, self._learner)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "seat": self._learner + 1}

    def _mask(self) -> NDArray[np.int8]:
        if not self._running:
            return self._episode.no_mask
        if not self._episode.over:
            return self._episode.mask
        # Over before the learner's first move: one step is still to be made, and any will do.
        return np.ones(len(self._episode.actions), np.int8)

    def action_masks(self) -> NDArray[np.bool_]:
        """What is allowed now, as `info["action_mask"]` says too: this is how sb3-contrib's MaskablePPO asks."""
        return self._mask().astype(bool)

    def render(self) -> Any:
        """The position in words, returned (`ansi`) or printed (`human`); or as a picture (`rgb_array`)."""
        shown = (self.game, self._episode.position, self._learner)
        learner = f"The learner is {player_name(self._learner)}."
        if self.render_mode == "rgb_array":
            return frame(*shown, learner)
        return rendered(self.render_mode, lambda: f"{picture(*shown)}\n{learner}")

    def close(self) -> None:
        """End what the opponent has started, such as a process; one that you have made yourself is yours to close."""
        if self._made_here:
            close(self.opponent)
        super().close()


class _Dice:
    """What the opponent draws chance from: the environment's own generator."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each alike."""
        return int(self._generator.random() * bound)

    def choose(self, things: Sequence[T]) -> T:
        """One of the things, each alike."""
        return things[int(self._generator.random() * len(things))]


register()
