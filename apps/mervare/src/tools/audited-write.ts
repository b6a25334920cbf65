import { z } from 'zod';
import { Time } from './shapes.ts';

/** One row of the audit trail, as the tools of several families show it. */
export const AuditedWriteShown = z.object({
  at: Time,
  credential: z.string(),
  who: z.string(),
  tool: z.string(),
  ids: z.array(z.string()),
});
