// A module that the server makes from core/recipe/keys.py.
/** One thing that a recipe may say. */
export interface RecipeKey {
  section: string;
  name: string;
  /** What it is: see `Key` there. */
  kind: string;
  meaning: string;
  usual: string | number | boolean | null;
  low: number;
  high: number;
  choices: string[];
  words: string;
}
export const KEYS: RecipeKey[];
