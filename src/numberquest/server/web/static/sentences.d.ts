// A module that the server makes from sentences.py and settings.py.
export const SENTENCES: Record<string, string>;
export const SIGNS: Record<string, string>;
