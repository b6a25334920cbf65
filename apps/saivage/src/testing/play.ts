import type { Scheduler } from 'fast-check';
import type { Ready, ServerView } from '../connections/connections.ts';
import { ServerError } from '../connections/errors.ts';
import type { Direction, Puppet, Stage } from './stage.ts';

export const DYNAMIC = 'mine';
export const WRITTEN = 'theirs';

/** Something that is asked for, or happens by itself. */
export interface Act {
  readonly what: string;
  readonly serverName: string;
  /** How often the scheduler may choose something else before it. */
  readonly pause: number;
  /** Microtasks between the time that the scheduler chooses and the act. */
  readonly ticks: number;
  readonly isCancelled: boolean;
}

/** What is remembered of one run, and what was wrong in it. */
export interface Play extends Stage {
  readonly scheduler: Scheduler;
  /** All ids that were ever given out. */
  readonly given: Ready[];
  /** How each call ended, by its text; those that reached a puppet are in `puppet.called`. */
  readonly calls: Map<string, 'pending' | 'answered' | 'unsent' | 'uncertain'>;
  readonly faults: string[];
}

/** The rules that hold at every step of a puppet. */
export function judging(inner: Direction, faults: string[], at: () => Stage): Direction {
  const present = new Set<Puppet>();
  const seen = new Set<string>();
  return {
    ...inner,
    async spawn(puppet) {
      const others = [...present].filter(({ serverName }) => serverName === puppet.serverName);
      if (others.length > 0) faults.push('two live scopes of one owner');
      present.add(puppet);
      await inner.spawn(puppet).catch((error: unknown) => {
        present.delete(puppet);
        throw error;
      });
    },
    async call(puppet) {
      const text = puppet.called.at(-1) ?? '';
      if (seen.has(text)) faults.push('a call was sent twice');
      seen.add(text);
      const { bindingId, catalogId } = viewOf(at(), puppet.serverName) ?? {};
      if (!text.startsWith(`${bindingId} ${catalogId} `)) faults.push('a call was sent with stale ids');
      await inner.call(puppet);
    },
    async end(puppet) {
      const containment = await inner.end(puppet);
      if (containment.contained) present.delete(puppet);
      return containment;
    },
  };
}

const viewOf = ({ connections }: Stage, name: string): ServerView | undefined =>
  connections.list().find(({ serverName }) => serverName === name);

/** Does one act. Throws what it throws. */
export async function perform(play: Play, { what, serverName, isCancelled }: Act): Promise<void> {
  const { connections, puppets, faults } = play;
  const caller = new AbortController();
  const options = { signal: caller.signal };
  if (isCancelled) void cancelLater(play, caller);
  switch (what) {
    case 'start':
      return note(play, await connections.start(serverName, options));
    case 'restart':
      return note(play, await connections.restart(serverName, options));
    case 'refresh': {
      const { bindingId = 'none' } = viewOf(play, serverName) ?? {};
      return note(play, await connections.refresh({ serverName, bindingId }, options));
    }
    case 'stop': {
      const before = puppets.filter((puppet) => puppet.serverName === serverName);
      await connections.stop(serverName);
      if (before.some(({ alive }) => alive)) faults.push('alive after a stop');
      return undefined;
    }
    case 'call':
    case 'stale call':
      return call(play, serverName, what === 'call' ? viewOf(play, serverName) : play.given.at(-2), options);
    case 'register':
      return void connections.register(DYNAMIC, { transport: 'stdio', command: DYNAMIC });
    case 'replace':
      return void connections.replace(DYNAMIC, { transport: 'stdio', command: DYNAMIC, args: ['other'] });
    case 'unregister':
      return void (await connections.unregister(DYNAMIC));
    case 'die':
      return puppets.findLast((puppet) => puppet.serverName === serverName)?.die();
    default:
      return connections.close();
  }
}

async function cancelLater({ scheduler }: Play, caller: AbortController): Promise<void> {
  await scheduler.schedule(Promise.resolve(), 'a caller cancels');
  caller.abort();
}

function note({ given }: Play, ready: Ready): void {
  given.push(ready);
}

async function call(
  { connections, calls }: Play,
  serverName: string,
  ids: { readonly bindingId?: string; readonly catalogId?: string } | undefined,
  options: { readonly signal: AbortSignal },
): Promise<void> {
  const { bindingId = 'none', catalogId = 'none' } = ids ?? {};
  const text = `${bindingId} ${catalogId} ${calls.size}`;
  calls.set(text, 'pending');
  try {
    const wanted = { serverName, bindingId, catalogId, toolName: 'echo', args: { text } };
    const answer = await connections.call(wanted, options);
    calls.set(text, JSON.stringify(answer).includes(text) ? 'answered' : 'uncertain');
  } catch (error) {
    calls.set(text, error instanceof ServerError && error.effects === 'none' ? 'unsent' : 'uncertain');
    throw error;
  }
}
