import { obey } from '../obey.ts';
import { openWay, type TransportName } from './ways.ts';

/** So many calls of echo, one after the other. */
export interface CallOrder {
  readonly calls: number;
}

/** All calls gave the right answer, with the milliseconds of each; or one did not. */
export type CallResult = { readonly latencies: readonly number[] } | { readonly failure: string };

const [name = '', over = ''] = process.argv.slice(2);
const caller = await openWay(name, over as TransportName);
const message = 'All hands to the capstan: fair wind from the south-west.';

obey(measured, () => caller.close());

/** An answer is checked between the calls, on nobody's clock. */
async function measured({ calls }: CallOrder): Promise<CallResult> {
  const latencies: number[] = [];
  for (let call = 0; call < calls; call++) {
    const begin = performance.now();
    const text = await caller.echo(message);
    latencies.push(performance.now() - begin);
    if (text !== `Echo: ${message}`) throw new Error(`another text than asked for: ${text.slice(0, 300)}`);
  }
  return { latencies };
}
