import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import {
  createExperiment,
  listExperiments,
  readExperiment,
  updateExperiment,
} from '../../agents/experiments.ts';
import { EXPERIMENT_STATES } from '../../agents/tables.ts';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import {
  Cursor,
  ExpectedVersion,
  Id,
  IdempotencyKey,
  Limit,
  NextCursor,
  OptionalUntrusted,
  Text,
  Version,
  written,
} from '../shapes.ts';
import { control, HypothesisId } from './shapes.ts';

const State = z.enum(EXPERIMENT_STATES);
const ExperimentId = Id.describe('From agent_experiment_list');
const ExperimentShown = z.object({
  ...written,
  hypothesisId: Id.optional(),
  title: Untrusted,
  plan: Untrusted,
  state: State,
  result: OptionalUntrusted,
  version: Version,
});

export const agentExperimentCreate = change('agent_experiment_create', {
  title: 'Plan an experiment',
  says: 'Plans how something is put to the test, a hypothesis or not. Move it on by agent_experiment_update.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    hypothesisId: HypothesisId.optional(),
    title: Text(200),
    plan: Text(8000),
    idempotencyKey: IdempotencyKey,
  }),
  output: ExperimentShown,
  example: { title: 'Two landing pages', plan: 'Half of the visitors each, for two weeks.' },
}).run(async ({ hypothesisId = null, title, plan }, { tx, caller, now }) => {
  const experiment = await createExperiment(tx, actorId(caller), { hypothesisId, title, plan }, now);
  return { answer: present(experiment, 'title', 'plan', 'result'), ids: [experiment.id] };
});

export const agentExperimentUpdate = change('agent_experiment_update', {
  title: 'Move an experiment on',
  says: 'From planned to running, from running to finished with its result, or to abandoned. A conflict says the current version.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    experimentId: ExperimentId,
    expectedVersion: ExpectedVersion,
    state: State,
    plan: Text(8000).optional(),
    result: Text(8000).optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: ExperimentShown,
  example: {
    experimentId: '0198c5c8-2a00-7000-8000-000000000023',
    expectedVersion: 1,
    state: 'running',
  },
}).run(async ({ experimentId, expectedVersion, state, plan, result }, { tx, caller, now }) => {
  const step = { id: experimentId, expectedVersion, state, plan, result };
  const experiment = await updateExperiment(tx, actorId(caller), step, now);
  return { answer: present(experiment, 'title', 'plan', 'result'), ids: [experimentId] };
});

export const agentExperimentGet = tool('agent_experiment_get', {
  title: 'Read an experiment',
  says: 'One experiment: its plan, how far it is and what came of it.',
  access: control,
  effect: 'reads',
  input: z.strictObject({ experimentId: ExperimentId }),
  output: ExperimentShown,
  example: { experimentId: '0198c5c8-2a00-7000-8000-000000000023' },
}).run(async ({ experimentId }, { deps }) =>
  present(await readExperiment(deps.db, experimentId), 'title', 'plan', 'result'),
);

export const agentExperimentList = tool('agent_experiment_list', {
  title: 'List experiments',
  says: 'What agents put to the test, the newest first.',
  access: control,
  effect: 'reads',
  input: z.strictObject({
    state: State.optional(),
    hypothesisId: HypothesisId.optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ experiments: z.array(ExperimentShown), nextCursor: NextCursor }),
  example: { state: 'running' },
}).run(async ({ limit, cursor, ...asked }, { deps }) => {
  const { rows, ...page } = await listExperiments(deps.db, asked, { limit, cursor });
  return { experiments: rows.map((row) => present(row, 'title', 'plan', 'result')), ...page };
});
