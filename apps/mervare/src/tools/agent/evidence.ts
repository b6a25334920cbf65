import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { addEvidence, listEvidence } from '../../agents/evidence.ts';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Cursor, Id, IdempotencyKey, Limit, NextCursor, Text, written } from '../shapes.ts';
import { control, HypothesisId, Stance } from './shapes.ts';

export const EvidenceShown = z.object({
  ...written,
  source: Untrusted,
  content: Untrusted,
  hash: z.string().describe('SHA-256 of the content'),
  hypothesisId: Id.optional(),
  stance: Stance.optional(),
});

export const agentEvidenceAdd = change('agent_evidence_add', {
  title: 'Add evidence',
  says: 'Keeps what you found and where, for good, on its own or for or against a hypothesis. Adding the same again gives what is there.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    source: Text(500).describe('Address, file or system'),
    content: Text(20_000),
    about: z.strictObject({ hypothesisId: HypothesisId, stance: Stance }).optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: EvidenceShown,
  example: { source: 'https://example.org/report', content: 'Visits fell by 12 % in May.' },
}).run(async (found, { tx, caller, now }) => {
  const evidence = await addEvidence(tx, actorId(caller), found, now);
  return { answer: present(evidence, 'source', 'content'), ids: [evidence.id] };
});

export const agentEvidenceList = tool('agent_evidence_list', {
  title: 'List evidence',
  says: 'What agents have found, the newest first.',
  access: control,
  effect: 'reads',
  input: z.strictObject({
    hypothesisId: HypothesisId.optional(),
    stance: Stance.optional(),
    source: Text(500).optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ evidence: z.array(EvidenceShown), nextCursor: NextCursor }),
  example: { stance: 'against' },
}).run(async ({ limit, cursor, ...asked }, { deps }) => {
  const { rows, ...page } = await listEvidence(deps.db, asked, { limit, cursor });
  return { evidence: rows.map((row) => present(row, 'source', 'content')), ...page };
});
