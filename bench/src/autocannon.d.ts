/** The part of autocannon 9 that we use; the package brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  function autocannon(
    options: autocannon.Options,
    done: (error: Error | null, result: autocannon.Result) => void,
  ): autocannon.Run;

  namespace autocannon {
    interface Options {
      readonly url: string;
      readonly method: 'POST';
      readonly headers: Readonly<Record<string, string>>;
      /** Called once for each connection, before its first request. */
      readonly setupClient: (client: Client) => void;
      readonly connections: number;
      /** Seconds. */
      readonly duration: number;
      /** Seconds until a request without an answer counts as an error. */
      readonly timeout: number;
      /** Milliseconds between two looks at whether the run is over. */
      readonly sampleInt: number;
    }

    interface Client {
      /** What the connection sends, one after the other and again from the start. Keeps and changes the objects. */
      setRequests(requests: { body: string }[]): void;
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
  }

  export = autocannon;
}
