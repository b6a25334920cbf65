import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { withDeadline } from '@portolan/http';

/** A process of the bench. It ends with us: it watches the channel between us. */
export interface Child {
  readonly pid: number;
  send(message: object | string): void;
  /** The next message from it. Rejects when the process ends first or the time (milliseconds) is over. */
  next<T>(within: number): Promise<T>;
  end(): Promise<void>;
}

/** Starts one of the built entries of this room, without our environment and node flags. */
export function startChild(entry: string, args: readonly string[] = []): Child {
  const file = fileURLToPath(new URL(`../dist/${entry}.js`, import.meta.url));
  const child = fork(file, args, { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  const inbox: unknown[] = [];
  child.on('message', (message) => inbox.push(message));
  const ended = new AbortController();
  const closed = once(child, 'close').then(() => ended.abort(new Error(`${entry} ended. ${complaint}`)));
  return {
    pid: child.pid ?? 0,
    send: (message) => void child.send(message),
    async next<T>(within: number) {
      const signal = withDeadline(ended.signal, within);
      while (inbox.length === 0) await once(child, 'message', { signal });
      return inbox.shift() as T;
    },
    async end() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
