import { sql, type Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';

/** The control plane at a glance. */
export interface Overview {
  readonly hypotheses: Readonly<Record<string, number>>;
  readonly experiments: Readonly<Record<string, number>>;
  readonly handoffs: Readonly<Record<string, number>>;
  readonly contacts: Readonly<Record<string, number>>;
  readonly evidence: number;
  /** Open handoffs, by whom they wait for: the longest waits first. */
  readonly waiting: readonly { readonly addressee: string; readonly open: number; readonly oldest: Date }[];
  readonly lastEventAt: Date | null;
}

/** Addressees that are shown. */
const WAITING = 20;

/** Counts everything by its state, and says for whom handoffs wait. */
export async function controlOverview(db: Kysely<SiteTables>): Promise<Overview> {
  const by = (table: string, column: string) =>
    sql`(select coalesce(jsonb_object_agg(state, n), '{}') from
      (select ${sql.ref(column)} as state, count(*)::int as n from ${sql.table(table)} group by 1) as counted)`;
  const counts = await sql<Omit<Overview, 'waiting'>>`select
    ${by('agent_hypothesis', 'status')} as hypotheses, ${by('agent_experiment', 'state')} as experiments,
    ${by('agent_handoff', 'state')} as handoffs, ${by('agent_contact', 'stage')} as contacts,
    (select count(*)::int from agent_evidence) as evidence,
    (select max(at) from agent_event) as "lastEventAt"`.execute(db);
  const waiting = await sql<Overview['waiting'][number]>`
    select addressee, count(*)::int as open, min(at) as oldest from agent_handoff
    where state = 'open' group by addressee order by oldest, addressee limit ${WAITING}`.execute(db);
  const [all] = counts.rows;
  if (!all) throw new Error('A query without a table gave no row.');
  return { ...all, waiting: waiting.rows };
}
