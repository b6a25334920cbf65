/** Limits of the extraction of text. Sizes in bytes, times in milliseconds. */
export const LIMITS = {
  /** Files of one post. */
  files: 5,
  /** One file. */
  file: 10 * 1024 * 1024,
  /** Characters of text that one file gives; what a message takes of it. */
  characters: 150_000,
  /** Rows of a table that are read. */
  rows: 20_000,
  /** One extraction, the start of its process included. */
  time: 20_000,
  /** Memory that the process may write to: parsers of strangers' files meet bombs. */
  memory: 640 * 1024 * 1024,
  /** Extractions at once on this node, and those that may wait. */
  atOnce: 2,
  waiting: 20,
} as const;
