/** Limits of a connection. Sizes in bytes, times in milliseconds. */
export const LIMITS = {
  /** One frame on stdio, one answer over HTTP, one whole tool list with its cursors. */
  wire: 48 * 1024 * 1024,
  /** Objects and arrays within each other, in an answer and in the arguments of a call. */
  depth: 500,
  /** What waits to be read by a stdio peer before it counts as stuck. */
  unread: 96 * 1024 * 1024,
  /** End of stderr that is kept while a server starts. */
  stderr: 8 * 1024,
  /** Message of a peer's error that is kept. */
  peerMessage: 512,
  tools: 2_000,
  /** Pages without a tool in one list. All other pages are bounded by the tools. */
  emptyPages: 100,
  /** Calls that may wait for their turn on one stdio connection. */
  waiting: 1_000,
  /** From the dispatch of a call to the end of its answer. */
  call: 900_000,
  /** From closing stdin to SIGKILL: asked to close, and after a failure. */
  graceAsked: 4_000,
  graceFailed: 400,
  /** Our answers to requests of an HTTP peer that it has not taken yet. */
  answers: 100,
  /** Time to take leave of an HTTP session, of a call, or of a stream that has brought its answer. */
  leave: 2_000,
} as const;
