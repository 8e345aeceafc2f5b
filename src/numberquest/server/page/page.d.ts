// What the modules of the page owe each other.
import type { Deed, End, GameInfo, Games, Line, Option, Pair, Seat, Setting, SignName, State, ViewField } from './wire.d.ts';
import type { Child } from './parts/dom.js';
import type { teller } from './parts/words.js';

/** What a page module gets: `export async function page(main, context)`, which may return what to do on leaving. */
export interface Context {
  /** The address, as seen from where the page lives: `m/ID`, `review`, `puzzle`, and nothing for the games. */
  path: string;
  /** What stood behind the # (taken out of the address bar already where it was secret). */
  fragment: URLSearchParams;
  /** Show another address of the page. */
  go(path: string, replace?: boolean): void;
  /** The title of the tab; ' – Number Quest' is added. */
  title(text: string): void;
  /** Said to a screen reader, politely; not seen. */
  say(text: string): void;
  /** One sentence in the status line, seen and said: for trouble. */
  tell(text: string): void;
  games(whole?: boolean): Promise<Games>;
  /** The table in a class at which a match is played, where it is. */
  table?: Table;
}
/** What a class adds to the screen of a match, and what it takes over from it. */
export interface Table {
  /** Opens the seat; null: somebody watches. */
  token: string | null;
  /** Whether hints may be asked for, where there are any. */
  hints: boolean;
  /** Whether nobody may move now. */
  paused(): boolean;
  /** Where it is, and how long it goes on: beside the title. */
  chips(): Child[];
  /** What can be done besides what there is in every match. */
  deeds(): Child;
  /** What comes after the end, in place of a rematch. */
  after(): Child;
  /** Draws the match anew, once it is there: something of the class has changed. */
  draw?: () => void;
}
export type Page = (main: HTMLElement, context: Context) => Promise<void | (() => void)>;

/** The rules of a game, by the names of its settings. */
export type Settings = Record<string, Setting>;
/** How a game ended, as far as its words need it. */
export type Ended = Omit<End, 'resigned'>;

/** How to show a board: `show(board, about)`. Without moves it is only to be looked at. */
export interface About {
  moves?: Option[];
  play?: (move: string) => void;
  names?: Pair<string>;
  /** Whose turn it is. */
  turn?: Seat | null;
  /** The last move that somebody made. */
  last?: Line | null;
  /** What the fields of the board are, for one that knows nothing of the game. */
  view?: ViewField[];
  /** The cells that won, where the game names them in its outcome. */
  line?: number[] | undefined;
  /** What came up since that move. */
  drawn?: string[];
  /** The move that is on its way to the server. */
  sent?: string;
  /** The move that the hint named. */
  hinted?: string;
  /** Says something to whoever plays. */
  tell?: (words: string) => void;
}
/** What a game may bring in its own board.js, each of these or only some; the general board has the rest. */
export interface BoardModule {
  /** Which keys there are, in words. */
  keys: string;
  /** The colour of the game on the front page. */
  hue: string;
  /** A move as it stands on the board: `× 6`. */
  written(move: string): string;
  /** An entry of the history, without a name in front: `adds 5: 7 + 5 = 12`. */
  told(line: Line, settings: Settings, names?: Pair<string>): string;
  /** What stands beside a player's name. */
  score(board: any, at: number, view: ViewField[]): number | null;
  /** What lies there between a move and what it uncovers. */
  between(before: any, after: any): any;
  /** A small picture for the front page, 200 wide and 96 high. */
  picture(info: GameInfo): SVGElement[];
  /** The board holds the rule settings too. */
  show(board: any, about: About): HTMLElement;
}

/** What the parts of the match screen share. */
export interface Shown {
  id: string;
  state: State;
  /** Those of this browser; none: it watches. */
  seats: Seat[];
  /** Whether the server has said so yet. */
  met: boolean;
  context: Context;
  module: BoardModule;
  /** Finds the words for this game and these players. */
  teller: ReturnType<typeof teller>;
  /** The steps of the hint that were shown for this move, and whether there is another. */
  hints: string[];
  /** The move that they named. */
  hinted: string;
  more: boolean;
  /** What the coach said last. */
  coach: string;
  /** Whether the board has just changed: then nothing on it can be pressed for a moment. */
  settling: boolean;
  /** The move that is on its way to the server, and whether that takes long. */
  sent: string;
  late: boolean;
  /** Moves that were taken back and can be made again, the next one first. */
  redo: string[];
  /** Whether it has been said that the computer looks ahead. */
  ahead: boolean;
  /** Whether the end came while somebody was looking. */
  won: boolean;
  /** The friends who are known to be away. */
  away: Seat[];
  /** Since when whoever's turn it is has done nothing, and for how long that may go on, in milliseconds. */
  since: number;
  patience: number;
  /** At one screen in a game with secrets: who has said that they look alone. */
  looking: Seat | null;
  /** The signs that are seen now, by seat, and whether it is too early for another. */
  signs: Record<number, SignName>;
  resting: boolean;
  /** The invitation as a QR code, where somebody wanted to see it. */
  qr: SVGElement | null;
  send(sign: SignName): void;
  draw(): void;
  play(move: string): void;
  act(deed: Deed, seat?: Seat | null): void;
  hint(): void;
}
