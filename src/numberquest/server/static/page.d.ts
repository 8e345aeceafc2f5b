// What the modules of the page owe each other.
import type { Deed, Games, Line, Option, Pair, Seat, State } from './wire.d.ts';

/** What a page module gets: `export async function page(main, context)`, which may return what to do on leaving. */
export interface Context {
  url: URL;
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
  games(): Promise<Games>;
}
export type Page = (main: HTMLElement, context: Context) => Promise<void | (() => void)>;

/** How to show a board: `show(board, about)` in boards/GAME.js. Without moves it is only to be looked at. */
export interface About {
  moves?: Option[];
  play?: (move: string) => void;
  names?: Pair<string>;
  /** Whose turn it is. */
  turn?: Seat | null;
  /** The last move that somebody made. */
  last?: Line | null;
}
export interface BoardModule {
  /** Which keys there are, in words. */
  keys: string;
  show(board: any, about: About): HTMLElement;
}

/** What the parts of the match screen share. */
export interface Table {
  id: string;
  state: State;
  /** Those of this browser; none: it watches. */
  seats: Seat[];
  /** Whether the server has said so yet. */
  met: boolean;
  context: Context;
  module: BoardModule;
  /** The steps of the hint that were shown for this move, and whether there is another. */
  hints: string[];
  more: boolean;
  /** What the coach said last. */
  coach: string;
  /** Whether the board has just changed: then nothing on it can be pressed for a moment. */
  settling: boolean;
  /** Whether the end came while somebody was looking. */
  won: boolean;
  act(deed: Deed, seat?: Seat | null): void;
  hint(): void;
}
