import { subscribe } from 'node:diagnostics_channel';
import { catalogue } from './catalogue.ts';
import type { Variant } from './variant.ts';
import { variants } from './variants.ts';

/** What a server process says: first where it listens and what it can do, then a sample each time it is asked. */
export interface ServerReady extends Pick<Variant, 'says' | 'eras' | 'operations'> {
  readonly url: string;
}

/** Counters of one moment; two of them make a figure. */
export interface ServerSample {
  /** Answers finished since the start. */
  readonly answered: number;
  /** Processor time of the whole process, user and system, in microseconds. */
  readonly cpu: number;
  /** Milliseconds on the clock of this process. */
  readonly at: number;
}

const [name = '', tools = '1'] = process.argv.slice(2);

let answered = 0;
subscribe('http.server.response.finish', () => void answered++);

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ answered, cpu: user + system, at: performance.now() } satisfies ServerSample);
});
// The parent is gone: nobody may stay behind.
process.on('disconnect', () => process.exit(0));

const load = variants[name];
if (!load) throw new Error(`no variant ${name}`);
const { variant } = await load();
const { says, eras, operations } = variant;
const url = await variant.start(catalogue(Number(tools)));
process.send?.({ url, says, eras, operations } satisfies ServerReady);
