import { Refusal } from '@portolan/mcp/tool';
import { newId } from '@portolan/store';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { requireVersion } from '../versions/version.ts';
import { requireNone } from './fault.ts';
import { templateFaults } from './template-faults.ts';

/** What a letter says in one language, with placeholders. */
export interface LetterText {
  /** BCP 47. */
  readonly language: string;
  readonly subject: string;
  readonly body: string;
}

/** What an author writes. */
export interface TemplateText {
  readonly name: string;
  /** Names of facts that the texts ask for, beside those that every context knows. */
  readonly placeholders: readonly string[];
  readonly texts: readonly LetterText[];
}

/** One version of a template, whole. */
export interface Template extends TemplateText {
  readonly id: string;
  readonly edition: number;
  /** Of the template, over all editions. */
  readonly version: number;
  readonly updatedAt: Date;
  /** When the first letter was made of it: from then on it stays as it is. */
  readonly usedAt: Date | null;
}

const template: RawBuilder<Template> = sql<Template>`t.id, e.edition, t.version, e.name, e.placeholders, e.texts,
  e.updated_at as "updatedAt", e.used_at as "usedAt"`;

/** Which template shall change, as it was read. */
export interface KnownVersion {
  readonly id: string;
  readonly expectedVersion: number;
}

/**
 * Keeps a new template, or changes the one that is known: in place, or as its next edition where the latest was used. Throws a Refusal that
 * names every fault, and when it is not as it was read.
 */
export async function saveTemplate(
  tx: Transaction<SiteTables>,
  by: string,
  { known, text }: { readonly known: KnownVersion | undefined; readonly text: TemplateText },
  now: number,
): Promise<Template> {
  requireNone(templateFaults(text), 'The template has faults:');
  const { id, edition } = known ? await nextEdition(tx, known) : await begin(tx, by, now);
  const saved = {
    name: text.name,
    placeholders: JSON.stringify(text.placeholders),
    texts: JSON.stringify(text.texts),
    updated_at: new Date(now),
  };
  await tx
    .insertInto('survey_template_edition')
    .values({ template: id, edition, by, used_at: null, ...saved })
    .onConflict((conflict) => conflict.columns(['template', 'edition']).doUpdateSet(saved))
    .execute();
  return readTemplate(tx, { id });
}

async function begin(tx: Transaction<SiteTables>, by: string, now: number) {
  const id = newId(now);
  await tx
    .insertInto('survey_template')
    .values({ id, by, at: new Date(now), version: 1 })
    .execute();
  return { id, edition: 1 };
}

/** Holds the template, so that its latest edition is not used before it is changed. */
async function nextEdition(tx: Transaction<SiteTables>, { id, expectedVersion }: KnownVersion) {
  const latest = await holdTemplate(tx, { id });
  requireVersion(latest, expectedVersion);
  await tx
    .updateTable('survey_template')
    .set({ version: expectedVersion + 1 })
    .where('id', '=', id)
    .execute();
  return { id, edition: latest.usedAt === null ? latest.edition : latest.edition + 1 };
}

/** Which edition; the latest where none is named. */
export interface TemplateKey {
  readonly id: string;
  readonly edition?: number | undefined;
}

/** An edition of a template. Throws a Refusal where there is none. */
export async function readTemplate(db: Kysely<SiteTables>, { id, edition }: TemplateKey): Promise<Template> {
  const { rows } = await sql<Template>`
    select ${template} from survey_template t join survey_template_edition e on e.template = t.id
    where t.id = ${id} ${edition === undefined ? sql`` : sql`and e.edition = ${edition}`}
    order by e.edition desc limit 1`.execute(db);
  const [found] = rows;
  if (found) return found;
  throw new Refusal(
    'not_found',
    'There is no such template or edition. Find both with survey_invitation_template_list.',
  );
}

async function holdTemplate(tx: Transaction<SiteTables>, key: TemplateKey): Promise<Template> {
  await tx.selectFrom('survey_template').select('id').where('id', '=', key.id).forUpdate().execute();
  return readTemplate(tx, key);
}

/** The edition that letters are made of: from now on it stays as it is. */
export async function takeTemplate(
  tx: Transaction<SiteTables>,
  key: TemplateKey,
  now: number,
): Promise<Template> {
  const taken = await holdTemplate(tx, key);
  if (taken.usedAt !== null) return taken;
  const usedAt = new Date(now);
  await tx
    .updateTable('survey_template_edition')
    .set({ used_at: usedAt })
    .where('template', '=', taken.id)
    .where('edition', '=', taken.edition)
    .execute();
  return { ...taken, usedAt };
}
