// Every message on the wire, as in wire.py: keep the two alike.
export type Seat = 1 | 2;
export type Setting = boolean | number | string;
export type Pair<T> = [T, T];

export interface SettingInfo {
  name: string; meaning: string; allowed: string; kind: 'number' | 'yesno' | 'signs'; classic: Setting;
  low: number | null; high: number | null; up_to: string | null; signs: string | null; needed: string | null;
}
export interface Level { name: string; words: string; }
export interface GameInfo {
  game: string; title: string; summary: string; rules: string; rulings: Record<string, string>;
  proved: string; value: number; settings: SettingInfo[]; board: Board;
}
export interface Games { games: GameInfo[]; levels: Level[]; address: string | null; }

export interface FiftyBoard {
  game: 'fifty'; target: number; high: number; copies: number; ops: string; pool: number[]; scores: Pair<number>;
}
export interface GridBoard {
  game: 'grid'; target: number; side: number; cells: (number | null)[]; totals: Pair<number>; stood: Pair<boolean>;
  unseen: number[];
}
export interface SumquestBoard { game: 'sumquest'; target: number; high: number; total: number; barred: number | null; }
export interface MysticBoard {
  game: 'mystic'; target: number; high: number; copies: number; totals: Pair<number>; drawn: number | null;
  pile: number; unseen: number[];
}
export interface ShowdownBoard {
  game: 'showdown'; high: number; picks: number; sequence: number[]; players: Seat[]; sum: number; pool: number[];
  predictions: Pair<number | null>; first: Seat | null;
}
export type Board = FiftyBoard | GridBoard | SumquestBoard | MysticBoard | ShowdownBoard;

export interface Option { move: string; words: string; result?: number; ends?: 'wins' | 'loses'; }
export interface Line { player: 0 | Seat; entry: string; words: string; }

export interface PlayerState { name: string; kind: string; joined: boolean; hints: number; }
export interface End { winner: Seat; reason: string; resigned: boolean; }
export interface TakeBack { asked: Seat | null; refusal: Pair<string>; }
export interface Seal { commitment: string; seed: string | null; }
export interface Series { round: number; rounds: number; points: Pair<number>; }
export interface State {
  match: string; ply: number; game: Board['game']; title: string; settings: Record<string, Setting>; changes: string; house_rules: string;
  opponent: 'friend' | 'screen' | 'computer'; practice: boolean; players: Pair<PlayerState>; turn: Seat | null;
  moves: Option[]; board: Board; history: Line[]; outcome: End | null; take_back: TakeBack; seal: Seal | null;
  series: Series; rematch: Seat[]; next: string | null;
}

export interface NewMatch {
  game: string; settings?: Record<string, Setting>; opponent?: string; seat?: Seat | 'toss'; name?: string | null;
  other_name?: string | null; rounds?: number; record?: string | null; at?: number | null; key?: string | null;
}
export interface Join { invite: string; name?: string | null; key?: string | null; }
export interface Seated { match: string; seats: Seat[]; token: string; invite: string | null; state: State; }
export interface Move { ply: number; move: string; key?: string | null; }
export type Deed = 'resign' | 'take-back' | 'agree' | 'refuse' | 'rematch';
export interface Act { ply: number; do: Deed; seat?: Seat | null; key?: string | null; }
export interface AskHint { ply: number; step: number; key?: string | null; }
export interface Hint { step: number; steps: number; words: string; moves: string[]; }
export interface Comment { words: string; }

export interface Worth { move: string; value: number; }
export interface ReviewStep {
  player: Seat; reveal: boolean; entry: string; words: string; number: number; before: number; after: number;
  verdict: string | null; mistake: boolean; loss: number; best: string[]; options: Worth[];
}
export interface Review {
  game: Board['game']; title: string; settings: Record<string, Setting>; changes: string; house_rules: string; names: Pair<string>;
  kinds: Pair<string>; result: string; winner: Seat | null; turn: Seat | null; steps: ReviewStep[]; boards: Board[]; start: number;
  end: number; given_away: Pair<number>; luck: number; accuracy: Pair<number | null>; turning_point: number | null;
  first_mistake: number | null; told: string[]; luck_and_skill: string[]; record: string; seal: Seal | null;
  hints: Pair<number>;
}
export interface ReviewRequest { record: string; }
export interface Puzzle {
  id: string; game: Board['game']; title: string; settings: Record<string, Setting>; changes: string; house_rules: string; note: string;
  grade: number; grade_words: string; player: Seat; board: Board; moves: Option[]; history: Line[]; question: string;
  date: string | null; record: string;
}
export interface Guess { id: string; move: string; }
export interface Judged { right: boolean; answers: string[]; values: Worth[]; words: string; }

export interface Problem { code: string; error: string; }

export interface Hello { type: 'hello'; token: string | null; match?: string | null; }
export interface DoMove { type: 'move'; ply: number; move: string; key: string; }
export interface DoAct { type: 'act'; ply: number; do: Deed; key: string; seat: Seat | null; }
export type ToServer = Hello | DoMove | DoAct;
export interface Welcome { type: 'welcome'; seats: Seat[]; state: State; }
export interface Update { type: 'update'; state: State; done?: string[]; }
export interface Refused { type: 'refused'; key: string; code: string; error: string; state: State; }
export type FromServer = Welcome | Update | Refused;
