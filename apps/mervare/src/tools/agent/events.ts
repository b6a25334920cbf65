import { z } from 'zod';
import { eventsSince, listEvents } from '../../agents/events.ts';
import { controlOverview } from '../../agents/overview.ts';
import { SUBJECT_KINDS } from '../../agents/tables.ts';
import { tool } from '../../mcp/tool.ts';
import { present } from '../present.ts';
import { Count, Cursor, Limit, NextCursor, OptionalUntrusted, Time, Text, written } from '../shapes.ts';
import { Addressee, control } from './shapes.ts';

const Kind = z.enum(SUBJECT_KINDS);
const EventShown = z.object({
  ...written,
  kind: Kind,
  subject: OptionalUntrusted.describe('Id; of a checkpoint its name'),
  what: z.string(),
});
const Counts = z.record(z.string(), Count);

export const agentStateOverview = tool('agent_state_overview', {
  title: 'Look at the control plane',
  says: 'How many hypotheses, experiments, handoffs and contacts there are in each state, and for whom handoffs wait.',
  access: control,
  effect: 'reads',
  input: z.strictObject({}),
  output: z.object({
    hypotheses: Counts,
    experiments: Counts,
    handoffs: Counts,
    contacts: Counts,
    evidence: Count,
    waiting: z.array(z.object({ addressee: z.string(), open: Count, oldest: Time })),
    lastEventAt: Time.optional(),
  }),
  example: {},
}).run(async (_, { deps }) => {
  const { waiting, ...counts } = await controlOverview(deps.db);
  return { ...present(counts), waiting: waiting.map((one) => present(one)) };
});

export const agentEventList = tool('agent_event_list', {
  title: 'List events of the control plane',
  says: 'What agents have done, the latest first.',
  access: control,
  effect: 'reads',
  input: z.strictObject({
    kind: Kind.optional(),
    by: Addressee.optional(),
    subject: Text(200).optional().describe('Id from any list of the control plane'),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ events: z.array(EventShown), nextCursor: NextCursor }),
  example: { kind: 'handoff' },
}).run(async ({ limit, cursor, ...asked }, { deps }) => {
  const { rows, ...page } = await listEvents(deps.db, asked, { limit, cursor });
  return { events: rows.map((row) => present(row, 'subject')), ...page };
});

export const agentChangesSince = tool('agent_changes_since', {
  title: 'Follow the control plane',
  says: 'What has happened since a cursor, the oldest first, with nothing left out or told twice. Without a cursor from the beginning; keep the cursor for the next call.',
  access: control,
  effect: 'reads',
  input: z.strictObject({ limit: Limit, cursor: Cursor.describe('cursor of the answer before') }),
  output: z.object({ events: z.array(EventShown), cursor: z.string().optional() }),
  example: {},
}).run(async (paging, { deps }) => {
  const { events, cursor } = await eventsSince(deps.db, paging);
  return { events: events.map((row) => present(row, 'subject')), cursor };
});
