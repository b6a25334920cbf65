import { Refusal } from '@portolan/mcp/tool';
import { newId } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { requireVersion } from '../versions/version.ts';
import { contextFaults } from './context-faults.ts';
import { requireNone } from './fault.ts';
import type { KnownVersion } from './templates.ts';

/** What an author knows of one addressee. */
export interface ContextText {
  readonly email: string;
  /** Name of the addressee. */
  readonly person: string;
  /** LOCODE of a harbour of the register. */
  readonly harbour: string | null;
  /** BCP 47: in which the addressee is written to. */
  readonly language: string;
  readonly facts: Readonly<Record<string, string>>;
}

export interface Context extends ContextText {
  readonly id: string;
  readonly updatedAt: Date;
  readonly version: number;
}

const columns = [
  'id',
  'email',
  'person',
  'harbour',
  'language',
  'facts',
  'updated_at as updatedAt',
  'version',
] as const;

/** Keeps a new context, or changes the one that is known. Throws a Refusal that names every fault, and when it is not as it was read. */
export async function saveContext(
  tx: Transaction<SiteTables>,
  by: string,
  { known, text }: { readonly known: KnownVersion | undefined; readonly text: ContextText },
  now: number,
): Promise<Context> {
  requireNone(await contextFaults(tx, text), 'The context has faults:');
  const at = new Date(now);
  const saved = { ...text, facts: JSON.stringify(text.facts), updated_at: at };
  const id = known?.id ?? newId(now);
  if (known) {
    const before = await tx
      .selectFrom('survey_context')
      .select('version')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw noContext();
    requireVersion(before, known.expectedVersion);
    const version = known.expectedVersion + 1;
    await tx
      .updateTable('survey_context')
      .set({ ...saved, version })
      .where('id', '=', id)
      .execute();
  } else
    await tx
      .insertInto('survey_context')
      .values({ id, by, at, version: 1, ...saved })
      .execute();
  return readContext(tx, id);
}

/** One context. Throws a Refusal where there is none. */
export async function readContext(db: Kysely<SiteTables>, id: string): Promise<Context> {
  const found = await db.selectFrom('survey_context').select(columns).where('id', '=', id).executeTakeFirst();
  if (found) return found;
  throw noContext();
}

/** Those that there are, by id. */
export async function readContexts(
  db: Kysely<SiteTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Context>> {
  const found = await db.selectFrom('survey_context').select(columns).where('id', 'in', ids).execute();
  return new Map(found.map((context) => [context.id, context]));
}

/** Contexts, the newest first; with `harbour`, those of one harbour. */
export function listContexts(
  db: Kysely<SiteTables>,
  asked: { readonly harbour?: string | undefined },
  paging: Paging,
): Promise<Page<Context>> {
  const { harbour } = asked;
  return newestFirst(paging, 'target contexts', asked, (limit, before) =>
    db
      .selectFrom('survey_context')
      .select(columns)
      .$if(harbour !== undefined, (all) => all.where('harbour', '=', harbour ?? ''))
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}

function noContext(): Refusal {
  return new Refusal('not_found', 'There is no such context. Find ids with survey_target_context_list.');
}
