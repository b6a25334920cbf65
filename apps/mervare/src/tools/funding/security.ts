import { z } from 'zod';
import { pause, resume, type Security } from '../../funding/security.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { confirmed, OptionalUntrusted, Text, Time } from '../shapes.ts';
import { memberOf, opens } from './access.ts';

const State = z.object({
  paused: z.boolean(),
  since: Time.optional(),
  by: z.string().optional(),
  reason: OptionalUntrusted,
});

function show({ paused_at: since, paused_by: by, reason }: Security) {
  return { paused: since !== null, ...present({ since, by, reason }, 'reason') };
}

export const fundingSecurityPause = change('funding_security_pause', {
  title: 'Pause the funding workspaces',
  says: 'Stops every funding write and every credential of a grant at once, in all workspaces, until funding_security_resume. Super admins go on reading.',
  access: opens('funding_security_pause'),
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({ reason: Text(2000) }),
  output: State,
  example: { reason: 'A secret was found in a public log.' },
}).run(async ({ reason }, { tx, caller, now }) => ({
  answer: show(await pause(tx, memberOf(caller), reason, now)),
  ids: [],
}));

export const fundingSecurityResume = change('funding_security_resume', {
  title: 'Resume the funding workspaces',
  says: 'Ends the pause: writes and the credentials of grants work again. Revoke first what should not.',
  access: opens('funding_security_resume'),
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({}),
  output: State,
  example: {},
  meta: confirmed,
}).run(async (_, { tx, caller, now }) => ({
  answer: show(await resume(tx, memberOf(caller), now)),
  ids: [],
}));
