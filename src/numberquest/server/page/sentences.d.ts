// A module that the server makes from sentences.py and settings.py.
export const SENTENCES: Record<string, string>;
export const SIGNS: Record<string, string>;
/** The games whose styles are part of style.css. */
export const STYLED: string[];
