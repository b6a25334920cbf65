import * as fc from 'fast-check';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { chaosOf, type Mishap } from '../testing/chaos.ts';
import { DYNAMIC, judging, perform, WRITTEN, type Act, type Play } from '../testing/play.ts';
import { puppetDefinition, stage, type Stage } from '../testing/stage.ts';
import { ServerError } from './errors.ts';

/** How many interleavings are explored, and within which time. */
const [RUNS, TIMEOUT] = process.env.PORTOLAN_TRUE_TIME ? [50_000, 3_600_000] : [2_500, 600_000];

const Acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    what: fc.oneof(
      { weight: 16, arbitrary: fc.constant('call') },
      {
        weight: 24,
        arbitrary: fc.constantFrom('start', 'start', 'restart', 'refresh', 'stop', 'stale call', 'die'),
      },
      { weight: 5, arbitrary: fc.constantFrom('register', 'register', 'replace', 'replace', 'unregister') },
      { weight: 1, arbitrary: fc.constant('close') },
    ),
    serverName: fc.oneof(
      { weight: 3, arbitrary: fc.constant(DYNAMIC) },
      { weight: 1, arbitrary: fc.constant(WRITTEN) },
    ),
    pause: fc.nat(3),
    ticks: fc.nat(12),
    isCancelled: fc.oneof(
      { weight: 3, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  }),
  { minLength: 4, maxLength: 20 },
);

const Mishaps = fc.infiniteStream(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant<Mishap>('none') },
    { weight: 4, arbitrary: fc.constant<Mishap>('at once') },
    { weight: 1, arbitrary: fc.constantFrom<Mishap>('fails', 'dies') },
  ),
);

/** How a run begins, so that what follows meets servers that are up, or nearly. */
const OPENING: readonly Act[] = [DYNAMIC, WRITTEN].map((serverName) => ({
  what: 'start',
  serverName,
  pause: 6,
  ticks: 0,
  isCancelled: false,
}));

/** Plays all acts and answers what was wrong. */
async function faultsOf(
  scheduler: fc.Scheduler,
  acts: readonly Act[],
  mishaps: Iterator<Mishap>,
  exclusive: boolean,
): Promise<readonly string[]> {
  const chaos = chaosOf(scheduler, mishaps);
  const faults: string[] = [];
  const set: Stage = stage({
    direction: judging(chaos.direction, faults, () => set),
    servers: { [WRITTEN]: puppetDefinition(WRITTEN) },
    exclusive,
  });
  set.connections.register(DYNAMIC, { transport: 'stdio', command: DYNAMIC });
  const play: Play = { ...set, scheduler, given: [], calls: new Map(), faults };

  let open = 0;
  const settle = async (act: Act) => {
    open += 1;
    await perform(play, act).catch((error: unknown) => {
      if (!(error instanceof ServerError) || error.code === 'unclassified') faults.push(String(error));
    });
    open -= 1;
  };
  void oneByOne(scheduler, [...OPENING, ...acts], settle);
  await idle(scheduler);
  if (open > 0) return [...faults, 'something never settles'];
  chaos.calm();
  return [...faults, ...(await faultsAfterwards(play))];
}

/** Begins one act after the other, however long each takes. */
async function oneByOne(
  scheduler: fc.Scheduler,
  acts: readonly Act[],
  begin: (act: Act) => Promise<void>,
): Promise<void> {
  for (const act of acts) {
    for (let pause = 0; pause <= act.pause; pause += 1) {
      await scheduler.schedule(Promise.resolve(), act.what);
    }
    for (let tick = 0; tick < act.ticks; tick += 1) await Promise.resolve();
    void begin(act);
  }
}

/** What must be true once everything is over and Saivage has closed. */
async function faultsAfterwards(play: Play): Promise<string[]> {
  const { connections, puppets, calls, given, scheduler } = play;
  const faults: string[] = [];
  const closing = connections.close().catch((error: unknown) => faults.push(String(error)));
  await idle(scheduler);
  await closing;
  if (puppets.some(({ alive }) => alive)) faults.push('alive after the close');
  const code = await connections.start(WRITTEN).catch((error: unknown) => (error as ServerError).code);
  if (code !== 'application_closed') faults.push('something started after the close');
  const sent = new Set(puppets.flatMap(({ called }) => called));
  for (const [text, ending] of calls) {
    if (ending === 'pending') faults.push('a call never settled');
    if (ending === 'answered' && !sent.has(text)) faults.push('an answer to a call that was not sent');
    if (ending === 'unsent' && sent.has(text)) faults.push('a call that was sent is said not to be');
  }
  const owners = new Map(given.map(({ catalogId, bindingId }) => [catalogId, bindingId]));
  if (given.some(({ catalogId, bindingId }) => owners.get(catalogId) !== bindingId))
    faults.push('an id of two');
  return faults;
}

/** Lets everything happen that can. */
async function idle(scheduler: fc.Scheduler): Promise<void> {
  do {
    await scheduler.waitIdle();
    await turn();
  } while (scheduler.count() > 0);
}

describe('owners under every interleaving', () => {
  it(
    'SAI-31.4 have one live scope at most, send nothing stale, settle every call once and leave nothing alive',
    async ({ annotate }) => {
      await fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          Acts,
          Mishaps,
          fc.boolean(),
          async (scheduler, acts, mishaps, exclusive) => {
            expect(await faultsOf(scheduler, acts, mishaps, exclusive)).toEqual([]);
          },
        ),
        { numRuns: RUNS },
      );
      await annotate(`${RUNS} interleavings`);
    },
    TIMEOUT,
  );
});
