/** Everything in a turn is bounded. Times are in milliseconds. */
export interface Limits {
  /** Model calls of one turn; after them it ends with `max_steps` and may be continued. */
  readonly steps: number;
  /** Calls that are run in one step; further ones are refused. */
  readonly callsPerStep: number;
  /** How long one call may take. */
  readonly callMs: number;
  /** How long running calls may take to end once the turn is stopped. */
  readonly graceMs: number;
  /** From the request to the first output of the model. */
  readonly firstOutputMs: number;
  /** Silence of the model in the middle of an answer. */
  readonly silenceMs: number;
  /** Characters that a model may write in one step, arguments included. */
  readonly answerChars: number;
  /** Characters of one tool result that the model is shown. */
  readonly resultChars: number;
  /** Bytes of images (decoded) in one request; the newest are kept. */
  readonly imageBytes: number;
  /** Further tries at the last candidate of a route. */
  readonly retries: number;
  /** Longest wait that a provider may ask for before such a try. */
  readonly retryWaitMs: number;
}

export const defaultLimits: Limits = {
  steps: 30,
  callsPerStep: 32,
  callMs: 900_000,
  graceMs: 1_000,
  firstOutputMs: 120_000,
  silenceMs: 120_000,
  answerChars: 1_000_000,
  resultChars: 100_000,
  imageBytes: 32 * 1024 * 1024,
  retries: 2,
  retryWaitMs: 10_000,
};
