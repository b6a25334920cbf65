/** The part of autocannon 9 that we use; the package brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Options {
    readonly url: string;
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly connections: number;
    /** Seconds. */
    readonly duration: number;
    /** Seconds until a request without an answer counts as an error. */
    readonly timeout: number;
    /** Milliseconds between two looks at whether the duration is over. */
    readonly sampleInt: number;
  }

  interface Result {
    readonly errors: number;
    readonly timeouts: number;
    readonly non2xx: number;
  }

  /** Emits `start` once and `response` (client, status, bytes, milliseconds) for each answer. */
  interface Run extends EventEmitter {
    stop(): void;
  }

  function autocannon(options: Options, done: (error: Error | null, result: Result) => void): Run;
  export = autocannon;
}
