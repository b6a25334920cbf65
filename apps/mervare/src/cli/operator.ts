import type { Actor } from '../audit/audit.ts';

/** Whoever may run commands over the database, in the audit trail. */
export const operator: Actor = { kind: 'command', name: 'operator' };
