// Every message on the wire. Made from wire.py and classroom/wire.py by `make wire`: do not change it here.

export type Pair<T> = [T, T];

export type Id = string;
export type Token = string;
export type Key = string;
export type SeatKey = string;
export type Slug = string;
export type Seed = string | number;
export type Name = string;
export type Seat = 1 | 2;
export type Ply = number;
export type MoveText = string;
export type RecordText = string;
export type PuzzleId = string;
export type Chance = number;
export type Setting = boolean | number | string;
export type NewSettings = Record<string, any>;
export type Facts = Record<string, any>;
export type Board = Record<string, any>;
export type ChanceKind = '' | 'deck' | 'draws';
/** Something to be told: the code of a sentence of `/static/sentences.js`, and what belongs into its gaps. */
export interface Said {
  code: string;
  facts: Facts;
}
/** One rule that can be changed, and how. */
export interface SettingInfo {
  name: string;
  meaning: string;
  more: string;
  kind: 'number' | 'yesno' | 'signs';
  classic: Setting;
  low: number | null;
  high: number | null;
  up_to: string | null;
  signs: string | null;
  needed: string | null;
}
/** A computer player. */
export interface Level {
  name: string;
}
/** One field of a board, for whoever draws it and knows nothing of the game. */
export interface ViewField {
  name: string;
  label: string;
  kind: string;
  target?: number;
  high?: number;
  wide?: number;
  marks?: string;
}
/** Whatever shows a game under certain rules. */
export interface OfGame {
  game: string;
  title: string;
  short_title: string;
  settings: Record<string, Setting>;
  view: ViewField[];
}
/** What earns the star of a level in a game by its classic rules, without hints. */
export interface StarRule {
  wins: number;
  seats: Seat[];
  held: string | null;
  said: Said[];
}
/** One of the games, with its classic rules. */
export interface GameInfo {
  game: string;
  title: string;
  short_title: string;
  summary: string;
  goal: string;
  rules: string;
  rulings: Record<string, string>;
  endings: Record<string, string>;
  proved: Said | null;
  value: Chance | null;
  stars: StarRule | null;
  turns: Pair<number>;
  luck: Chance | null;
  settings: SettingInfo[];
  chance: ChanceKind;
  view: ViewField[];
  board: Board;
  atlas: boolean;
}
/** All games, and the computer players, weakest first. */
export interface Games {
  games: GameInfo[];
  levels: Level[];
  address: string | null;
  soon: boolean;
}
/** The rules of a game as they hold under certain settings. */
export interface Rules {
  title: string;
  rules: string;
  rulings: Record<string, string>;
}
/** One move that is allowed now, and what comes of it as far as anybody can know. */
export interface Option {
  move: string;
  result?: number;
  ends?: 'wins' | 'loses' | 'draws';
  facts?: Facts;
}
/** One entry of the history. */
export interface Line {
  player: 0 | 1 | 2;
  entry: string;
  facts?: Facts;
  place?: number;
  faces?: string[];
  weights?: number[];
  sealed?: string;
}
/** Who sits on a seat. */
export interface PlayerState {
  name: string;
  kind: string;
  joined: boolean;
  hints: number;
}
/** How the game ended. */
export interface End {
  winner: Seat | null;
  reason: string;
  facts: Facts;
  resigned: boolean;
}
/** Whether the last move can be taken back. */
export interface TakeBack {
  asked: Seat | null;
  refusal: Pair<Said | null>;
  moves: Pair<string[]>;
}
/** The promise about the hidden numbers: the SHA-256 of the seed at the start, the seed itself at the end. */
export interface Seal {
  commitment: string;
  seed: string | null;
  deck: number[];
}
/** A round of several; `points` are those of this match's Player 1 and 2 before and, once over, with this round. */
export interface Series {
  round: number;
  rounds: number;
  points: Pair<number>;
}
/** A match as everybody may see it. */
export interface State extends OfGame {
  match: string;
  ply: number;
  chance: ChanceKind;
  opponent: 'friend' | 'screen' | 'computer';
  practice: boolean;
  players: Pair<PlayerState>;
  turn: Seat | null;
  moves: Option[];
  board: Board;
  history: Line[];
  outcome: End | null;
  take_back: TakeBack;
  seal: Seal | null;
  series: Series;
  rematch: Seat[];
  withdrawn: boolean;
  marks: boolean;
  next: string | null;
  computer: Said | null;
  secrets: boolean;
  of_class: boolean;
}
/** What a state has become by one entry of the log: the fields that changed, as in `State`; `changed` puts it in. */
export interface Change {
  ply: number;
  players?: Pair<PlayerState>;
  turn?: Seat | null;
  moves?: Option[];
  board?: Board;
  since?: number;
  history?: Line[];
  outcome?: End;
  take_back?: TakeBack;
  seal?: Seal;
  series?: Series;
  rematch?: Seat[];
  withdrawn?: boolean;
  next?: string;
  computer?: Said | null;
}
/** Start a match. */
export interface NewMatch {
  game?: Slug | null;
  settings?: NewSettings;
  opponent?: string;
  seat?: 1 | 2 | 'toss';
  name?: Name | null;
  other_name?: Name | null;
  rounds?: number;
  record?: RecordText | null;
  at?: Ply | null;
  seed?: Seed | null;
  marks?: boolean;
  key?: SeatKey | null;
}
/** Take the seat that an invitation is for. */
export interface Join {
  invite: Token;
  name?: Name | null;
  key?: SeatKey | null;
}
/** Your seat. Keep the token: whoever has it plays for you. */
export interface Seated {
  match: string;
  seats: Seat[];
  token: string;
  invite: string | null;
  state: State;
}
/** Make a move. `ply` is where you think the match stands, so that a repeated or late request does no harm. */
export interface Move {
  type: 'move';
  ply: Ply;
  move: MoveText;
  key?: Key | null;
}
export type Deed = 'resign' | 'take-back' | 'agree' | 'refuse' | 'rematch' | 'withdraw' | 'end';
/** Anything else a player can do in a match. */
export interface Act {
  type: 'act';
  ply: Ply;
  do: Deed;
  seat?: Seat | null;
  key?: Key | null;
}
/** Ask for the next step of a hint: a nudge, the move, the proof. Not against a friend. */
export interface AskHint {
  ply: Ply;
  step: number;
  key?: Key | null;
}
/** One step of a hint. */
export interface Hint {
  step: number;
  steps: number;
  said: Said[];
  moves: string[];
}
/** What the coach says about your last move; empty where it gave nothing away, and there was something to lose. */
export interface Comment {
  said: Said[];
}
/** One allowed move and the exact chance to win with it, for the player who makes it. */
export interface Worth {
  move: string;
  value: Chance;
}
/** One entry of the history: a move with its verdict, or a reveal with its luck. */
export interface ReviewStep {
  player: Seat;
  reveal: boolean;
  entry: string;
  number: number;
  before: Chance;
  after: Chance;
  verdict: string | null;
  mistake: boolean;
  loss: Chance;
  best: string[];
  options: Worth[];
  why: Said[];
}
/** A match looked at again. `boards` has one more entry than `steps`: the start, and what each step led to. */
export interface Review extends OfGame {
  chance: ChanceKind;
  names: Pair<string>;
  kinds: Pair<string>;
  outcome: End | null;
  turn: Seat | null;
  steps: ReviewStep[];
  history: Line[];
  boards: Board[];
  start: Chance;
  end: Chance;
  given_away: Pair<number>;
  luck: number;
  mixing: Pair<number> | null;
  key_moments: Pair<Pair<number>>;
  turning_point: number | null;
  first_mistake: number | null;
  told: Said[];
  luck_and_skill: Said[];
  record: string;
  seal: Seal | null;
  hints: Pair<number>;
}
/** Review this record, or what if: as it would have gone on with `move` after `at` entries, and best play. */
export interface ReviewRequest {
  record: RecordText;
  at?: number;
  move?: MoveText | null;
}
/** A position with one right move. The answer is not in it. */
export interface Puzzle extends OfGame {
  id: string;
  chance: ChanceKind;
  note: Said | null;
  grade: number;
  player: Seat;
  board: Board;
  moves: Option[];
  history: Line[];
  question: Said[];
  date: string | null;
  record: string;
}
/** A position that is a question: what would you play? The answer is not in it. */
export interface Posed extends OfGame {
  player: Seat;
  board: Board;
  moves: Option[];
  history: Line[];
}
/** An answer to a puzzle. */
export interface Guess {
  id: PuzzleId;
  move: MoveText;
  first?: boolean;
}
/** Whether a guess is right, and what every move is worth. */
export interface Judged {
  right: boolean;
  answers: string[];
  values: Worth[];
  said: Said[];
  board: Board;
  line: Line;
}
/** How many addresses have answered a step of today's puzzle here, and for how many the first answer was right. */
export interface Tally {
  tries: number;
  right: number;
}
/** How often today's puzzle was solved here: one tally for each step. Who it was is not kept. */
export interface Solved {
  date: string;
  steps: Tally[];
}
/** One move that can be tried in a step of a lesson: whether it leads on, and what is said of it. */
export interface LessonAnswer {
  move: string;
  right: boolean;
  said: Said;
  board: Board | null;
  history: Line[];
}
/** One step of a lesson: a position, and what is said about it. Without moves it is only to be looked at. */
export interface LessonStep {
  said: Said;
  player: Seat | null;
  board: Board;
  moves: Option[];
  history: Line[];
  answers: LessonAnswer[];
}
/** A game learnt by playing it, in a few steps. */
export interface Lesson extends OfGame {
  steps: LessonStep[];
}
/** One measure of a rule set: what it means, and what it comes to; null where `why` says why not. */
export interface Measured {
  name: string;
  meaning: string;
  value: number | null;
  why: string | null;
}
/** How much more often the better of two levels wins, over both seats: from -1 to 1. */
export interface LadderStep {
  better: string;
  worse: string;
  gain: number;
}
/** What a rule set is like between two players, worked out exactly. */
export interface Measures {
  game: string;
  title: string;
  settings: Record<string, Setting>;
  players: Pair<string>;
  positions: number;
  measures: Measured[];
  ladder: LadderStep[];
}
/** A recipe that somebody is writing. */
export interface Draft {
  text: string;
}
/** Play it from the start, as far as these moves of both players go. */
export interface DraftTrial extends Draft {
  moves: MoveText[];
  level: string;
  seed: string;
}
/** Measure it between two of this level. */
export interface DraftMeasure extends Draft {
  level: string;
  soon: boolean;
}
/** A law of every game, and whether a game keeps it. */
export interface LawSeen {
  name: string;
  state: 'holds' | 'broken' | 'unseen' | '-';
  why: string | null;
}
/** A game that somebody is making, looked at. */
export interface CheckedDraft {
  info: GameInfo;
  laws: LawSeen[];
  line: number | null;
  ends: boolean;
  recipe: Record<string, any>;
  name: string;
}
/** A game that somebody is making, as far as it was played. */
export interface TriedDraft {
  view: ViewField[];
  board: Board;
  moves: Option[];
  turn: Seat | null;
  history: Line[];
  ending: string | null;
  winner: Seat | null;
  played: string[];
}
/** How fair a rule set is, from the atlas: whom it favours, and by how much, without a word about how to win. */
export interface Fairness {
  value: Chance | null;
  people: Chance | null;
  length: number | null;
}
/** A figure for every rule set of a game; null where nobody knows, or there is no such rule set. */
export interface MapColumn {
  name: string;
  meaning: string;
  share: boolean;
  figures: (number | null)[];
}
/** Every rule set of a game, in the order of the settings, of which the last changes fastest. */
export interface Map {
  game: string;
  settings: Record<string, Setting[]>;
  players: Pair<string>;
  columns: MapColumn[];
  first: (number | null)[];
  moves: string[][];
  scale: number[][];
  fair: number[][];
  fairest: number[];
  fairest_by: 'value' | 'people';
  repeated: number;
  out_of_reach: number;
  hash: string;
}
/** What is to be shown to a camera. */
export interface QrRequest {
  text: string;
}
/** A QR code, to be drawn: a square of this side, white around, and the path of what is dark in it. */
export interface QrCode {
  side: number;
  path: string;
}
/** A game in which both play as well as they can. */
export interface BestLine {
  game: string;
  settings: Record<string, Setting>;
  history: Line[];
  chances: Chance[];
  outcome: End | null;
}
/** What was wrong, in a sentence for people, and in a word for programs. */
export interface Problem {
  code: string;
  error: string;
  line?: number;
  said?: Said;
}
/** The first frame: who is there. Without a token, or with one that opens nothing here: somebody who watches. */
export interface Hello {
  type: 'hello';
  token?: string | null;
  match?: Id | null;
}
export type SignName = 'thumbs-up' | 'clap' | 'wow';
/** Show a sign to whoever looks. It passes, and is not kept; only players can, against a friend, and not often. */
export interface SendSign {
  type: 'sign';
  sign: SignName;
}
export type ToServer = Hello | Move | Act | SendSign;
/** The answer to a hello: the seats you have (none: you watch), and how the match stands. */
export interface Welcome {
  type: 'welcome';
  seats: Seat[];
  state: State;
  away: Seat[];
  waited: number;
  patience: number;
}
/** The match has changed. A slow reader may miss some in between, but never the last. */
export interface Update {
  type: 'update';
  change?: Change;
  state?: State;
  done?: string[];
}
/** Your request was not done. Nothing has changed by it. */
export interface Refused {
  type: 'refused';
  key: string;
  code: string;
  error: string;
  said: Said;
  state?: State;
}
/** Who has been gone for some seconds from a game of two friends. Of the others it may only be unknown. */
export interface Presence {
  type: 'presence';
  away: Seat[];
}
/** A player shows something. */
export interface Sign {
  type: 'sign';
  seat: Seat;
  sign: SignName;
}
export type FromServer = Welcome | Update | Refused | Presence | Sign;
/** Only in the stream of events, while nothing happens. */
export interface Ping {
  type: 'ping';
}
export type Way = 'arena' | 'rounds' | 'computer' | 'position';
export type Phase = 'lobby' | 'playing' | 'between' | 'over';
export type TeacherDeed = 'begin' | 'next' | 'time' | 'pause' | 'resume' | 'lock' | 'unlock' | 'rename' | 'remove' | 'reseat' | 'refuse' | 'lower' | 'ask' | 'uncover' | 'close' | 'end' | 'erase';
export type PupilDeed = 'raise' | 'lower' | 'answer';
export type Code = string;
export type PupilName = string;
export type PupilNumber = number;
export type Minutes = number;
export type Names = 'typed' | 'animals' | 'roster';
/** Open a class. */
export interface NewClass {
  game: Slug;
  settings?: NewSettings;
  way?: Way;
  minutes?: Minutes;
  rounds?: number;
  level?: string;
  marks?: boolean;
  hints?: boolean;
  names?: Names;
  roster?: number;
  ranking?: 'none' | 'points' | 'moments';
  pupils?: number;
  per_device?: number;
  per_address?: number;
  key?: SeatKey | null;
}
/** Come in, or come back: the same device gives the same `key`, and has its seat again. */
export interface JoinClass {
  code: Code;
  key: SeatKey;
  name?: PupilName | null;
  again?: boolean;
  other?: boolean;
}
/** Something that the teacher does. */
export interface TeacherAct {
  do: TeacherDeed;
  pupil?: PupilNumber | null;
  name?: PupilName | null;
  minutes?: Minutes | null;
  puzzle?: PuzzleId | null;
  after?: MoveText[] | null;
  guess?: boolean;
  key?: string;
}
/** Something that a pupil does besides playing. */
export interface PupilAct {
  do: PupilDeed;
  question?: number | null;
  answer?: MoveText | null;
}
/** How many gave one answer. */
export interface Bar {
  answer: string;
  count: number;
  right: boolean;
  value: Chance | null;
}
/** What is put to all. The teacher and the pupils see the same of it, but for `yours`. */
export interface ClassQuestion {
  number: number;
  kind: 'move' | 'guess';
  said: Said[];
  position: Posed | null;
  options: string[];
  answered: number;
  yours: string | null;
  uncovered: boolean;
  bars: Bar[];
  exact: Chance | null;
  why: Said[];
}
/** Somebody in the class. */
export interface Pupil {
  number: number;
  name: string;
  here: boolean;
  hand: boolean;
  knocks: boolean;
  device_number: number | null;
  table: number | null;
  played: number;
  points: number;
  moments: Pair<number>;
}
/** A game at a table, which anybody may watch as the match that it is. */
export interface ClassTable {
  number: number;
  match: string;
  round: number;
  pupils: Pair<number | null>;
  board: Board;
  turn: Seat | null;
  moves: number;
  outcome: End | null;
}
/** All that the teacher sees. Nothing in it is secret, but for the names. */
export interface ClassBoard extends OfGame {
  classroom: string;
  code: string;
  way: Way;
  level: string;
  marks: boolean;
  hints: boolean;
  names: Names;
  ranking: 'none' | 'points' | 'moments';
  phase: Phase;
  paused: boolean;
  locked: boolean;
  round: number;
  rounds: number;
  left: number | null;
  erased_in: number;
  pupils: Pupil[];
  tables: ClassTable[];
  question: ClassQuestion | null;
  played: number;
}
/** Your class. Keep the token: whoever has it is the teacher, at any device. */
export interface ClassOpened {
  classroom: string;
  code: string;
  token: string;
  board: ClassBoard;
}
/** How often a move was chosen in a position. */
export interface MoveCount {
  move: string;
  count: number;
  value: Chance;
  right: boolean;
}
/** A position that pupils got wrong. */
export interface Missed {
  position: Posed;
  after: string[];
  times: number;
  wrong: number;
  choices: MoveCount[];
  why: Said[];
}
/** What the class as a whole has done so far, of games that are over. */
export interface ClassFigures {
  games: number;
  began_won: number;
  draws: number;
  exact: Chance | null;
  people: Chance | null;
  found: number;
  of: number;
  waiting: number;
  missed: Missed[];
}
/** A pupil at the end. */
export interface PupilReport {
  number: number;
  name: string;
  games: number;
  won: number;
  points: number;
  moments: Pair<number>;
  answered: number;
  right: number;
  slip: Said[];
  slip_position: Posed | null;
  slip_move: string | null;
  slip_times: number;
}
/** The class at the end. */
export interface ClassReport {
  figures: ClassFigures;
  pupils: PupilReport[];
}
/** All that a pupil sees of the class: nothing of what others do or were told. */
export interface ClassSeat {
  classroom: string;
  code: string;
  game: string;
  title: string;
  settings: Record<string, Setting>;
  way: Way;
  level: string;
  hints: boolean;
  pupil: number;
  name: string;
  names: Names;
  waits: boolean;
  device_number: number | null;
  removed: boolean;
  phase: Phase;
  paused: boolean;
  round: number;
  rounds: number;
  left: number | null;
  table: number | null;
  match: string | null;
  token: string | null;
  seat: Seat | null;
  opponent: string | null;
  free: boolean;
  hand: boolean;
  played: number;
  points: number;
  question: ClassQuestion | null;
}
/** Your seat. It belongs to this device: whoever has the token is you. */
export interface ClassSeated {
  classroom: string;
  token: string;
  seat: ClassSeat;
}
/** A line of the events: the whole of what the reader may see. */
export interface ClassNews {
  board?: ClassBoard;
  seat?: ClassSeat;
  erased?: boolean;
  gone?: boolean;
}
