import { Refusal } from '@portolan/mcp/tool';
import type { Kysely, Transaction } from 'kysely';
import { recordAudit, type Hand } from '../audit/audit.ts';
import type { SiteTables } from '../tables.ts';
import { endSessions } from './accounts.ts';
import type { Person } from './person.ts';

/** What a super admin can change: of whom, and how. `own`: also for oneself. */
interface Change {
  readonly of: 'person' | 'agent';
  readonly own: boolean;
  readonly apply: (tx: Transaction<SiteTables>, target: string, by: Person, now: Date) => Promise<unknown>;
}

/** Every change of the page of users, by the name that its form and its audit row have. Repeating one changes nothing. */
export const changes = {
  grant_builder: {
    of: 'person',
    own: true,
    apply: (tx, person, by, granted_at) =>
      tx
        .insertInto('builder_grant')
        .values({ person, granted_by: by.id, granted_at })
        .onConflict((conflict) => conflict.column('person').doNothing())
        .execute(),
  },
  withdraw_builder: {
    of: 'person',
    own: true,
    apply: (tx, person) => tx.deleteFrom('builder_grant').where('person', '=', person).execute(),
  },
  make_super_admin: { of: 'person', own: true, apply: (tx, person) => superAdmin(tx, person, true) },
  unmake_super_admin: { of: 'person', own: false, apply: (tx, person) => superAdmin(tx, person, false) },
  disable: {
    of: 'person',
    own: false,
    apply: async (tx, person, _by, disabled_at) => {
      await tx.updateTable('person').set({ disabled_at }).where('id', '=', person).execute();
      await endSessions(tx, person);
    },
  },
  enable: {
    of: 'person',
    own: false,
    apply: (tx, person) =>
      tx.updateTable('person').set({ disabled_at: null }).where('id', '=', person).execute(),
  },
  withdraw_agent: { of: 'agent', own: true, apply: (tx, name, _by, now) => agentAccess(tx, name, now) },
  grant_agent: { of: 'agent', own: true, apply: (tx, name) => agentAccess(tx, name, null) },
} as const satisfies Record<string, Change>;

export type ChangeName = keyof typeof changes;

/** Whether this names a change. */
export function isChange(name: string | undefined): name is ChangeName {
  return name !== undefined && Object.hasOwn(changes, name);
}

/**
 * Changes one person or service agent, with its audit row. Throws a Refusal where there is no such target, and where somebody
 * would take the way back from themselves: so there is always a super admin.
 */
export async function change(
  db: Kysely<SiteTables>,
  name: ChangeName,
  target: string,
  { person, by, now }: Hand & { readonly person: Person },
): Promise<void> {
  const { of, own, apply }: Change = changes[name];
  if (of === 'person' && !isId(target)) throw nobody();
  if (!own && target === person.id)
    throw new Refusal('conflict', 'Nobody takes this from themselves. Ask another super admin.');
  await db.transaction().execute(async (tx) => {
    const known =
      of === 'agent'
        ? await tx.selectFrom('service_agent').select('name').where('name', '=', target).executeTakeFirst()
        : await tx.selectFrom('person').select('id').where('id', '=', target).executeTakeFirst();
    if (!known) throw nobody();
    await apply(tx, target, person, new Date(now));
    await recordAudit(tx, { by, action: `admin.${name}`, ids: [target], at: now });
  });
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

function nobody(): Refusal {
  return new Refusal('not_found', 'This account is not there.');
}

function superAdmin(tx: Transaction<SiteTables>, person: string, is_super_admin: boolean) {
  return tx.updateTable('person').set({ is_super_admin }).where('id', '=', person).execute();
}

function agentAccess(tx: Transaction<SiteTables>, name: string, withdrawn_at: Date | null) {
  return tx.updateTable('service_agent').set({ withdrawn_at }).where('name', '=', name).execute();
}
