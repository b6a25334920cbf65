import { z } from 'zod';
import { tell } from '../../agents/events.ts';
import { actorId } from '../../audit/actor.ts';
import { agentsSending, pauseAgents, resumeAgents } from '../../mail/switch.ts';
import { change } from '../change.ts';
import { PausedShown, showPaused } from '../paused.ts';
import { confirmed, Count, Text } from '../shapes.ts';
import { control } from './shapes.ts';

export const agentMailPause = change('agent_mail_pause', {
  title: 'Pause the mail of agents',
  says: 'Stops the agents’ letters at once, queued ones too, until agent_mail_resume; sending counts those that had left already. Letters of surveys go on.',
  access: control,
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({ reason: Text(2000) }),
  output: PausedShown.extend({ sending: Count }),
  example: { reason: 'The contact list is wrong.' },
}).run(async ({ reason }, { tx, caller, now }) => {
  const by = actorId(caller);
  const state = await pauseAgents(tx, by, reason, now);
  await tell(tx, by, { kind: 'mail', subject: 'outbox', what: 'paused' }, now);
  return { answer: { ...showPaused(state), sending: await agentsSending(tx) }, ids: [] };
});

export const agentMailResume = change('agent_mail_resume', {
  title: 'Resume the mail of agents',
  says: 'Ends the pause: the letters that waited go out.',
  access: control,
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({}),
  output: PausedShown,
  example: {},
  meta: confirmed,
}).run(async (_, { tx, caller, now }) => {
  const state = await resumeAgents(tx);
  await tell(tx, actorId(caller), { kind: 'mail', subject: 'outbox', what: 'resumed' }, now);
  return { answer: showPaused(state), ids: [] };
});
