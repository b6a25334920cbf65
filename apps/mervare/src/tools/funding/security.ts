import { z } from 'zod';
import { pause, resume } from '../../funding/security.ts';
import { change } from '../change.ts';
import { PausedShown, showPaused } from '../paused.ts';
import { confirmed, Text } from '../shapes.ts';
import { memberOf, opens } from './access.ts';

export const fundingSecurityPause = change('funding_security_pause', {
  title: 'Pause the funding workspaces',
  says: 'Stops every funding write and every credential of a grant at once, in all workspaces, until funding_security_resume. Super admins go on reading.',
  access: opens('funding_security_pause'),
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({ reason: Text(2000) }),
  output: PausedShown,
  example: { reason: 'A secret was found in a public log.' },
}).run(async ({ reason }, { tx, caller, now }) => ({
  answer: showPaused(await pause(tx, memberOf(caller), reason, now)),
  ids: [],
}));

export const fundingSecurityResume = change('funding_security_resume', {
  title: 'Resume the funding workspaces',
  says: 'Ends the pause: writes and the credentials of grants work again. Revoke first what should not.',
  access: opens('funding_security_resume'),
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({}),
  output: PausedShown,
  example: {},
  meta: confirmed,
}).run(async (_, { tx, caller, now }) => ({
  answer: showPaused(await resume(tx, memberOf(caller), now)),
  ids: [],
}));
