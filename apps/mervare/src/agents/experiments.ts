import { Refusal } from '@portolan/mcp/tool';
import type { Kysely, Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { requireVersion } from '../versions/version.ts';
import { stamp, tell } from './events.ts';
import { requireHypothesis } from './hypotheses.ts';
import type { ExperimentState } from './tables.ts';

/** How a hypothesis is put to the test, and what came of it. */
export interface Experiment {
  readonly id: string;
  readonly hypothesisId: string | null;
  readonly title: string;
  readonly plan: string;
  readonly state: ExperimentState;
  readonly result: string | null;
  readonly by: string;
  readonly at: Date;
  readonly version: number;
}

const columns = [
  'id',
  'hypothesis as hypothesisId',
  'title',
  'plan',
  'state',
  'result',
  'by',
  'at',
  'version',
] as const;

/** Where an experiment may go from each state. */
const next: Readonly<Record<ExperimentState, readonly ExperimentState[]>> = {
  planned: ['planned', 'running', 'abandoned'],
  running: ['running', 'finished', 'abandoned'],
  finished: [],
  abandoned: [],
};

/** Plans an experiment. */
export async function createExperiment(
  tx: Transaction<SiteTables>,
  by: string,
  said: Pick<Experiment, 'hypothesisId' | 'title' | 'plan'>,
  now: number,
): Promise<Experiment> {
  const { hypothesisId, title, plan } = said;
  if (hypothesisId !== null) await requireHypothesis(tx, hypothesisId);
  const first = { ...stamp(by, now), title, plan, state: 'planned' as const, version: 1 };
  await tx
    .insertInto('agent_experiment')
    .values({ ...first, hypothesis: hypothesisId })
    .execute();
  await tell(tx, by, { kind: 'experiment', subject: first.id, what: 'planned' }, now);
  return { ...first, hypothesisId, result: null };
}

/** What an experiment is now. What is left out stays. */
export interface ExperimentStep {
  readonly id: string;
  readonly expectedVersion: number;
  readonly state: ExperimentState;
  readonly plan?: string | undefined;
  readonly result?: string | undefined;
}

/** Moves an experiment on. Throws a Refusal when it has ended, is not as it was read, or would finish without a result. */
export async function updateExperiment(
  tx: Transaction<SiteTables>,
  by: string,
  { id, expectedVersion, state, plan, result }: ExperimentStep,
  now: number,
): Promise<Experiment> {
  const before = await found(tx, id, true);
  requireVersion(before, expectedVersion);
  if (!next[before.state].includes(state))
    throw new Refusal('conflict', `It is ${before.state}: it cannot become ${state}.`, {
      state: before.state,
      version: before.version,
    });
  const after = { state, plan: plan ?? before.plan, result: result ?? before.result };
  if (state === 'finished' && after.result === null)
    throw new Refusal('invalid_input', 'A finished experiment has a result.');
  const version = expectedVersion + 1;
  await tx
    .updateTable('agent_experiment')
    .set({ ...after, version })
    .where('id', '=', id)
    .execute();
  await tell(tx, by, { kind: 'experiment', subject: id, what: state }, now);
  return { ...before, ...after, version };
}

/** One experiment. Throws a Refusal where there is none with this id. */
export function readExperiment(db: Kysely<SiteTables>, id: string): Promise<Experiment> {
  return found(db, id, false);
}

async function found(db: Kysely<SiteTables>, id: string, lock: boolean): Promise<Experiment> {
  const row = await db
    .selectFrom('agent_experiment')
    .select(columns)
    .where('id', '=', id)
    .$if(lock, (one) => one.forUpdate())
    .executeTakeFirst();
  if (row) return row;
  throw new Refusal('not_found', 'There is no such experiment. Find ids with agent_experiment_list.');
}

/** Which experiments are asked for. */
export interface ExperimentsAsked {
  readonly state?: ExperimentState | undefined;
  readonly hypothesisId?: string | undefined;
}

/** Experiments, the newest first. */
export function listExperiments(
  db: Kysely<SiteTables>,
  asked: ExperimentsAsked,
  paging: Paging,
): Promise<Page<Experiment>> {
  const { state, hypothesisId } = asked;
  return newestFirst(paging, 'experiments', asked, (limit, before) =>
    db
      .selectFrom('agent_experiment')
      .select(columns)
      .$if(state !== undefined, (all) => all.where('state', '=', state ?? 'planned'))
      .$if(hypothesisId !== undefined, (all) => all.where('hypothesis', '=', hypothesisId ?? ''))
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}
