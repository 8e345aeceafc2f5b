// A module that the server makes from the files in server/starts/.
/** Games to begin with, by the names of their files. */
export const STARTS: Record<string, string>;
