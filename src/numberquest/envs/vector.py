"""The games as a Gymnasium vector environment: one learner in each of many games, all against one computer player.

    NumberQuestVectorEnv("fifty", num_envs=1024, opponent="random", seat="random", target=30)

The same as as many `SoloEnv`s (`gymnasium.py`), on the arrays of `batch.py`. A game that ends is begun anew in the
next step, which ignores the action, as Gymnasium's own vector environments do it; or, with
`autoreset_mode=AutoresetMode.SAME_STEP`, at once: then its last observation is in `info["final_obs"]`.
docs/batch.md shows how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from numberquest.envs.answers import Answers
from numberquest.envs.batch import Batch
from numberquest.envs.picture import picture
from numberquest.games import game as make_game

if TYPE_CHECKING:
    from numberquest.players import Player

Rows = NDArray[np.float32]
Flags = NDArray[np.bool_]
Array = NDArray[Any]


class NumberQuestVectorEnv(VectorEnv[Rows, Array, Array]):
    """So many learners, each against one opponent. The reward is 1 for a win and -1 for a loss, at the end."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponent: str | Player = "random",
        seat: int | str = "random",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **settings: Any,
    ) -> None:
        """`seat` is 1, 2 or "random", for each game anew; `settings` are the rule settings of the game."""
        mode = AutoresetMode(autoreset_mode)
        if mode is AutoresetMode.DISABLED:
            raise ValueError("games that end are begun anew: autoreset_mode is NEXT_STEP or SAME_STEP")
        self.metadata = {**self.metadata, "autoreset_mode": mode}
        self._next_step = mode is AutoresetMode.NEXT_STEP
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")
        if isinstance(seat, bool) or seat not in (1, 2, "random"):
            raise ValueError(f"seat is 1, 2 or 'random', not {seat!r}")
        self.game = make_game(game, **settings)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.batch = Batch(self.game, num_envs)
        self.opponent = Answers(self.game, opponent)
        self._seat = seat
        self._seeded = False
        observer = self.batch.observer
        self.single_observation_space = spaces.Box(np.float32(0), observer.high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(len(self.game.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._learners = np.zeros(num_envs, np.intp)
        # Where the opponent has ended a game before the learner's first move: what the learner has won, and sees.
        # The next step, whatever the action, tells it.
        self._decided = np.zeros(num_envs, np.int8)
        self._decided_seen = np.zeros((num_envs, observer.size), np.float32)
        # Where a game was over in the last step, and the next step only shows the new one.
        self._waiting = np.zeros(num_envs, bool)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Rows, dict[str, Any]]:
        """New games, up to the learner's first move; `options={"reset_mask": …}` begins only those anew."""
        super().reset(seed=seed)
        only = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, bool)))
        if only.shape != (self.num_envs,) or only.dtype != np.bool_:
            raise ValueError(f"reset_mask is an array of {self.num_envs} truth values")
        if seed is not None or not self._seeded:
            self.opponent.seed(int(self.np_random.integers(2**32)))
            self.batch.reset(int(self.np_random.integers(2**32)))
            self._seeded = True
        self.batch.restart(only)
        self._decided[only] = 0
        self._waiting = self._waiting & ~only
        self._sit(only)
        self._answer(only.copy(), np.zeros(self.num_envs, np.int8), np.zeros_like(self._decided_seen))
        return self._seen(), self._info()

    def step(self, actions: Array) -> tuple[Rows, Array, Array, Array, dict[str, Any]]:
        """Make every learner's move and the opponent's answer. An illegal move ends the game and loses it."""
        batch, actions = self.batch, np.asarray(actions)
        decided = (self._decided != 0) & ~self._waiting
        allowed: Flags = batch.allowed(actions)
        choosing = ~decided & ~self._waiting
        illegal, playing = choosing & ~allowed, choosing & allowed
        rewards = np.where(illegal, np.int8(-1), self._decided * decided)
        over = illegal | decided
        # What is seen last, where the game is over; elsewhere it does not matter.
        final = self._seen() if over.any() else np.zeros_like(self._decided_seen)
        self._decided[decided] = 0
        seats = self._learners.copy()
        stepped = batch.step(np.where(playing, actions, 0), playing)
        if stepped.ended.any():
            rewards += stepped.rewards
            final[stepped.ended] = batch.observe_final(self._learners)[stepped.ended]
            over |= stepped.ended
        if illegal.any():
            batch.restart(illegal)
        self._sit(over)
        self._answer(over, rewards, final)
        seen, info = self._seen(), self._info()
        if self._next_step:
            self._waiting = over.copy()
            seen[over] = final[over]
            info["action_mask"][over] = 0
            info["seat"] = np.where(over, seats + 1, info["seat"])
            if illegal.any():
                info |= {"illegal": illegal, "_illegal": illegal.copy()}
        elif over.any():
            info |= self._final_info(over, final, illegal, seats)
        return seen, rewards.astype(np.float64), over, np.zeros(self.num_envs, bool), info

    def _sit(self, where: Flags) -> None:
        """Give the learners of new games their seats."""
        if isinstance(self._seat, int):
            self._learners[where] = self._seat - 1
        elif where.any():
            self._learners[where] = self.np_random.integers(2, size=self.num_envs)[where]

    def _answer(self, over: Flags, rewards: NDArray[np.int8], final: Rows) -> None:
        """Let the opponent move until it is the learners' turn. What that ends is written into the arrays given."""
        batch = self.batch
        while True:
            theirs = (batch.players != self._learners) & (self._decided == 0)
            if not theirs.any():
                return
            stepped = batch.step(self.opponent.choose(batch, theirs), theirs)
            if stepped.ended.any():
                seen = batch.observe_final(self._learners)
                answered, opened = stepped.ended & ~over, stepped.ended & over
                rewards[answered] = -stepped.rewards[answered]
                final[answered] = seen[answered]
                over |= answered
                self._decided[opened] = -stepped.rewards[opened]
                self._decided_seen[opened] = seen[opened]
                self._sit(answered)

    def _seen(self) -> Rows:
        seen: Rows = self.batch.observe(self._learners)
        decided = self._decided != 0
        if decided.any():
            seen[decided] = self._decided_seen[decided]
        return seen

    def _info(self) -> dict[str, Any]:
        masks = self.batch.masks.astype(np.int8)
        # One step is still to be made there, and any will do.
        masks[self._decided != 0] = 1
        every = np.ones(self.num_envs, bool)
        return {"action_mask": masks, "_action_mask": every, "seat": self._learners + 1, "_seat": every.copy()}

    def _final_info(self, over: Flags, final: Rows, illegal: Flags, seats: Array) -> dict[str, Any]:
        """What belongs to the games that are over, as Gymnasium's own vector environments tell it."""
        rows = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(over).tolist():
            rows[i] = final[i]
        masks = np.zeros((self.num_envs, len(self.game.actions)), np.int8)
        last: dict[str, Any] = {"action_mask": masks, "_action_mask": over.copy()}
        last |= {"seat": np.where(over, seats + 1, 0), "_seat": over.copy()}
        if illegal.any():
            last |= {"illegal": illegal, "_illegal": illegal.copy()}
        return {"final_obs": rows, "_final_obs": over.copy(), "final_info": last, "_final_info": over.copy()}

    def render(self) -> tuple[str, ...] | None:
        """The positions in words."""
        if self.render_mode is None:
            gymnasium.logger.warn("You are calling render method without specifying any render mode.")
            return None
        return tuple(picture(self.game, self.batch.position(i)) for i in range(self.num_envs))
