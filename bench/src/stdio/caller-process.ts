import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { obey } from '../obey.ts';
import { stdioClients } from './clients.ts';

/** So many calls, one after the other: of the reference server's echo, or of a result on one very long line. */
export interface CallOrder {
  readonly what: 'echo' | 'big';
  readonly calls: number;
}

/** All calls gave the right answer, or one did not. */
export type CallResult = Calls | { readonly failure: string };

export interface Calls {
  /** Milliseconds of each call, in their order. */
  readonly latencies: readonly number[];
  /** Microseconds of processor time of this process, user and system, a call. */
  readonly cpu: number;
}

const [name = '', bytes = '1'] = process.argv.slice(2);
const client = stdioClients[name];
if (!client) throw new Error(`no client ${name}`);

const reference = '@modelcontextprotocol/server-everything/dist/index.js';
const everything = createRequire(import.meta.url).resolve(reference);
const bigPeer = fileURLToPath(new URL('big-peer.js', import.meta.url));
const callers = {
  echo: await client.open([everything, 'stdio']),
  big: await client.open([bigPeer, bytes]),
};
const message = 'All hands to the capstan: fair wind from the south-west.';

obey(calls, () => Promise.all([callers.echo.close(), callers.big.close()]));

/** An answer is checked between the calls, on nobody's clock. */
async function calls({ what, calls: count }: CallOrder): Promise<CallResult> {
  const latencies: number[] = [];
  let used = 0;
  for (let call = 0; call < count; call++) {
    const begin = performance.now();
    const before = process.cpuUsage();
    const text = await (what === 'echo'
      ? callers.echo.call('echo', { message })
      : callers.big.call('big', {}));
    const { user, system } = process.cpuUsage(before);
    latencies.push(performance.now() - begin);
    used += user + system;
    demand(what, text);
  }
  return { latencies, cpu: used / count };
}

function demand(what: CallOrder['what'], text: string): void {
  const right = what === 'echo' ? text === `Echo: ${message}` : text === 'x'.repeat(Number(bytes));
  if (!right) throw new Error(`another text than asked for: ${text.slice(0, 300)}`);
}
