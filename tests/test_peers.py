"""The rules that the comparison with other servers plays by are those of Sum Quest."""

import json
import shutil
import subprocess
from pathlib import Path

import numberquest as nq
from numberquest.games.sumquest.rules import Position
from tests.conftest import required

RULES = Path(__file__).parents[1] / "benchmarks" / "peers" / "sumquest.mjs"

ANSWER = """
const { start, over, allowed, play, winner } = await import(process.argv[1]);
const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const { total, barred, player } = start();
const answers = { start: [total, barred, player] };
for (const [total, barred, player] of JSON.parse(process.argv[2])) {
  const position = { total, barred, player };
  const moves = numbers.filter((number) => allowed(position, number)).map((number) => {
    const next = play(position, number);
    return [number, [next.total, next.barred, next.player]];
  });
  answers[[total, barred, player]] = { moves, winner: over(position) ? winner(position) : null };
}
console.log(JSON.stringify(answers));
"""


def test_the_rules_in_javascript_are_those_of_sum_quest_at_every_position() -> None:
    node = shutil.which("node")
    if node is None:
        required("node")
        return
    game = nq.game("sumquest")
    ours: dict[str, object] = {"start": list(game.start())}
    found, left = [], [game.start()]
    while left:
        position: Position = left.pop()
        key = ",".join(map(str, position))
        if key in ours:
            continue
        after = [(move, game.play(position, move)) for move in game.moves(position)]
        outcome = game.outcome(position)
        moves = [[int(move), list(next_position)] for move, next_position in after]
        ours[key] = {"moves": moves, "winner": outcome and outcome.winner}
        found.append(position)
        left += [next_position for _, next_position in after]
    command = [node, "--input-type=module", "-e", ANSWER, RULES.as_uri(), json.dumps(found)]
    theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert len(found) > 200
    assert theirs == ours
