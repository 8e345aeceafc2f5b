// A module that the server makes from core/laws.py.
/** What each law says, by its name. */
export const LAWS: Record<string, string>;
