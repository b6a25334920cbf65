import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { readCheckpoint, setCheckpoint } from '../../agents/checkpoints.ts';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { IdempotencyKey, Text, Time, Version } from '../shapes.ts';
import { Addressee, control } from './shapes.ts';

const CheckpointShown = z.object({
  agent: z.string(),
  name: z.string(),
  value: Untrusted,
  version: Version,
  updatedAt: Time,
});

const Name = Text(200).describe('Of your choice');

export const agentCheckpointGet = tool('agent_checkpoint_get', {
  title: 'Read a checkpoint',
  says: 'Where an agent is with something: your own checkpoint, or that of the agent you name.',
  access: control,
  effect: 'reads',
  input: z.strictObject({ name: Name, agent: Addressee.optional() }),
  output: CheckpointShown,
  example: { name: 'crawl' },
}).run(async ({ name, agent }, { deps, caller }) =>
  present(await readCheckpoint(deps.db, agent ?? actorId(caller), name), 'value'),
);

export const agentCheckpointSet = change('agent_checkpoint_set', {
  title: 'Set a checkpoint',
  says: 'Compares and sets your own checkpoint: refused, with the current version, when it is not what you read.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    name: Name,
    value: Text(65_536).describe('Any text, such as JSON'),
    expectedVersion: z.int().min(0).describe('version as you read it; 0 where there is none'),
    idempotencyKey: IdempotencyKey,
  }),
  output: CheckpointShown,
  example: { name: 'crawl', value: '{"page":7}', expectedVersion: 0 },
}).run(async (wanted, { tx, caller, now }) => {
  const agent = actorId(caller);
  const checkpoint = await setCheckpoint(tx, agent, wanted, now);
  return { answer: present(checkpoint, 'value'), ids: [agent, wanted.name] };
});
