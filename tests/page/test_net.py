"""The live connection: what is asked is asked until it is answered, and what is missed is told anew."""

from tests.page.node import Node

LINE = """
const sockets = [];
globalThis.PageTransitionEvent = class {};
globalThis.WebSocket = class {
  sent = [];
  constructor() { sockets.push(this); }
  send(text) { this.sent.push(JSON.parse(text)); }
  close() { this.closed = true; }
  hear(frame) { this.onmessage({ data: JSON.stringify(frame) }); }
};
globalThis.fetch = async () => { throw new Error('no network'); };
const { Connection } = await page('parts/net.js');
const told = [];
const tell = (name) => (...what) => void told.push([name, ...what]);
const names = ['state', 'refused', 'lost', 'gone', 'away', 'sign'];
const line = new Connection('m', () => 'token', Object.fromEntries(names.map((name) => [name, tell(name)])));
const state = (ply) => ({ ply, history: [...Array(ply).keys()] });
const welcome = (ply) => {
  sockets.at(-1).onopen();
  sockets.at(-1).hear({ type: 'welcome', state: state(ply), seats: [1], away: [] });
};
const update = (change, done) => sockets.at(-1).hear({ type: 'update', change, done });
const types = () => sockets.map(({ sent }) => sent.map(({ type }) => type));
"""


def test_a_change_is_added_to_what_is_known(node: Node) -> None:
    snippet = """
        const { changed } = await page('parts/net.js');
        const known = { ply: 4, history: ['a', 'b', 'c'], turn: 1, moves: ['1'] };
        return [
          changed(known, { ply: 5, since: 3, history: ['d'], turn: 2 }),
          changed(known, { ply: 5, since: 1, history: [] }),
          changed(known, { ply: 5, turn: 2 }),
          changed(known, { ply: 4, since: 3, history: ['d'] }),
          changed(known, { ply: 6, since: 3, history: ['d'] }),
        ];
    """
    known = {"ply": 5, "turn": 1, "moves": ["1"]}
    assert node(snippet) == [
        {**known, "turn": 2, "history": ["a", "b", "c", "d"]},
        {**known, "history": ["a"]},
        {**known, "turn": 2, "history": ["a", "b", "c"]},
        None,
        None,
    ]


def test_a_move_waits_for_the_welcome_and_for_its_answer(node: Node) -> None:
    snippet = """
        const key = line.move(0, '5');
        const before = [line.busy, types()];
        welcome(0);
        const asked = types();
        update({ ply: 1, since: 0, history: ['5'] }, [key]);
        line.close();
        return [before, asked, line.busy, told.at(-1), key.length];
    """
    before, asked, busy, last, key = node(LINE + snippet)
    assert before == [True, [[]]]
    assert asked == [["hello", "move"]]
    assert busy is False
    assert last[:2] == ["state", {"ply": 1, "history": ["5"]}]
    assert key == 32


def test_what_was_not_answered_is_asked_again_by_the_same_key(node: Node) -> None:
    snippet = """
        welcome(0);
        const key = line.move(0, '5');
        clock.run(7999);
        const patient = sockets.length;
        clock.run(1 + 250);
        welcome(0);
        line.close();
        const ours = (one) => one.type === "move" && one.key === key;
        const moves = sockets.map(({ sent }) => sent.filter(ours).length);
        return [patient, moves, sockets[0].closed, told.filter(([name]) => name === 'lost')];
    """
    assert node(LINE + snippet) == [1, [1, 1], True, [["lost", False], ["lost", True], ["lost", False]]]


def test_while_one_of_two_answers_is_awaited_a_line_that_falls_silent_is_opened_anew(node: Node) -> None:
    snippet = """
        welcome(0);
        const [one, two] = [line.move(0, '5'), line.move(1, '6')];
        update({ ply: 1, since: 0, history: ['5'] }, [one]);
        clock.run(8000 + 250);
        welcome(1);
        line.close();
        return sockets.map(({ sent }) => sent.map(({ type, key }) => [type, key === one ? 1 : key === two ? 2 : 0]));
    """
    assert node(LINE + snippet) == [[["hello", 0], ["move", 1], ["move", 2]], [["hello", 0], ["move", 2]]]


def test_a_change_that_does_not_come_next_brings_everything_anew(node: Node) -> None:
    snippet = """
        welcome(3);
        update({ ply: 5, since: 3, history: ['x'] }, []);
        const after = told.at(-1);
        clock.run(250);
        welcome(5);
        line.close();
        return [after, types(), told.filter(([name]) => name === 'state').map(([, { ply }]) => ply)];
    """
    assert node(LINE + snippet) == [["lost", True], [["hello"], ["hello"]], [3, 5]]


def test_what_is_refused_is_no_longer_waited_for_and_said(node: Node) -> None:
    snippet = """
        welcome(0);
        const key = line.move(0, '5');
        sockets[0].hear({ type: 'refused', key, state: state(2), code: 'late', error: 'Late.' });
        line.close();
        return [line.busy, told.slice(-2).map(([name, what, ...rest]) => [name, what.ply ?? what.code, ...rest])];
    """
    assert node(LINE + snippet) == [False, [["state", 2, None, []], ["refused", "late"]]]


def test_whoever_moves_in_a_match_that_is_gone_is_told_so_and_asks_no_more(node: Node) -> None:
    snippet = """
        welcome(0);
        const key = line.move(0, '5');
        sockets[0].hear({ type: 'refused', key, state: state(0), code: 'not-found', error: 'There is none.' });
        clock.run(60000);
        return [told.at(-1), told.filter(([name]) => name === 'refused').length, sockets.length];
    """
    assert node(LINE + snippet) == [["gone"], 0, 1]


def test_nothing_is_heard_before_the_welcome_and_a_sign_needs_a_line(node: Node) -> None:
    snippet = """
        sockets[0].onopen();
        const early = line.sign('wave');
        sockets[0].hear({ type: 'presence', away: [2] });
        const silent = told.length;
        welcome(0);
        const later = line.sign('wave');
        sockets[0].hear({ type: 'presence', away: [2] });
        line.close();
        return [early, silent, later, told.at(-1), sockets[0].sent.at(-1)];
    """
    assert node(LINE + snippet) == [False, 0, True, ["away", [2]], {"type": "sign", "sign": "wave"}]


def test_the_pauses_grow_to_ten_seconds_and_no_further(node: Node) -> None:
    snippet = """
        const random = Math.random;
        Math.random = () => 1;
        const pauses = [];
        for (let n = 0; n < 9; n++) {
          const [at, count] = [clock.time, sockets.length];
          sockets.at(-1).onclose();
          while (sockets.length === count) clock.run(50);
          pauses.push(clock.time - at);
        }
        Math.random = random;
        line.close();
        sockets.at(-1).onclose?.();
        clock.run(60000);
        return [pauses, sockets.length];
    """
    pauses, count = node(LINE + snippet)
    assert pauses == [250, 500, 1000, 2000, 4000, 8000, 10000, 10000, 10000]
    assert count == 10


def test_after_a_welcome_the_pauses_begin_anew(node: Node) -> None:
    snippet = """
        const random = Math.random;
        Math.random = () => 1;
        for (const _ of [1, 2, 3]) (sockets.at(-1).onclose(), clock.run(2000));
        welcome(0);
        const count = sockets.length;
        sockets.at(-1).onclose();
        clock.run(250);
        Math.random = random;
        line.close();
        return sockets.length - count;
    """
    assert node(LINE + snippet) == 1


def test_a_line_that_is_silent_for_long_is_taken_for_dead_where_nothing_answers_or_more_has_happened(
    node: Node,
) -> None:
    snippet = """
        welcome(3);
        const answer = { ok: true, headers: new Map(), json: async () => state(ply) };
        if (ply !== null) globalThis.fetch = async () => answer;
        clock.run(39000);
        const before = sockets.length;
        clock.run(6000);
        for (let n = 0; n < 20; n++) await null;
        clock.run(250);
        line.close();
        return [before, sockets.length];
    """
    assert [node(LINE + snippet, ply=ply) for ply in (None, 3, 4)] == [[1, 2], [1, 1], [1, 2]]
