import { createHash } from 'node:crypto';
import { newId } from '@portolan/store';
import type { Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { readContexts, type Context } from './contexts.ts';
import { requirePublished, type EditionKey } from './editions.ts';
import { requireNone, when, type Fault } from './fault.ts';
import { invitedAlready } from './invited.ts';
import { fillFaults, harbourNames, lengthFaults, writeLetter, type Letter } from './letters.ts';
import { takeTemplate, type Template } from './templates.ts';

/** Letters of a batch. */
export const MOST_LETTERS = 1000;

/** Who shall be invited, and by which text. */
export interface BatchAsked extends EditionKey {
  readonly template: string;
  readonly contexts: readonly string[];
  readonly expiresAt: Date | null;
}

/** A batch as it was frozen. */
export interface PreparedBatch {
  readonly id: string;
  /** SHA-256 of list and texts, in hex. */
  readonly digest: string;
  readonly letters: readonly Letter[];
}

/**
 * Freezes a list of addressees and every letter to them; nothing is sent. Throws a Refusal that names every fault, with pointers into what
 * was asked, and while the edition is not published.
 */
export async function prepareBatch(
  tx: Transaction<SiteTables>,
  by: string,
  asked: BatchAsked,
  now: number,
): Promise<PreparedBatch> {
  await requirePublished(tx, asked);
  const template = await takeTemplate(tx, { id: asked.template }, now);
  const letters = await writeAll(tx, template, asked, now);
  const [id, digest] = [newId(now), digestOf(asked, letters)];
  const { survey, edition, contexts, expiresAt: expires_at } = asked;
  const text = { template: template.id, template_edition: template.edition };
  const batch = { id, survey, edition, ...text, expires_at, digest, by, at: new Date(now) };
  await tx
    .insertInto('survey_batch')
    .values({ ...batch, state: 'prepared' })
    .execute();
  const rows = letters.map((letter, n) => ({ batch: id, n, context: contexts[n] ?? '', ...letter }));
  await tx.insertInto('survey_batch_letter').values(rows).execute();
  return { id, digest: digest.toString('hex'), letters };
}

async function writeAll(
  tx: Transaction<SiteTables>,
  template: Template,
  asked: BatchAsked,
  now: number,
): Promise<Letter[]> {
  const known = await readContexts(tx, asked.contexts);
  const contexts = asked.contexts.map((id) => known.get(id));
  const found = contexts.filter((one) => one !== undefined);
  const invited = await invitedAlready(
    tx,
    asked,
    found.map(({ email }) => email),
    now,
  );
  const over = asked.expiresAt !== null && asked.expiresAt.getTime() <= now;
  requireNone(
    [
      ...when(over, '/expiresAt', 'does not lie in the future'),
      ...contexts.flatMap((context, n) => addresseeFaults(context, contexts.slice(0, n), invited, n)),
      ...contexts.flatMap((context, n) => (context ? inList(fillFaults(template, context), n) : [])),
    ],
    'The batch cannot be prepared:',
  );
  const harbours = await harbourNames(tx, found);
  const letters = found.map((context) => writeLetter(template, context, harbours));
  requireNone(
    letters.flatMap((letter, n) => inList(lengthFaults(letter), n)),
    'The batch cannot be prepared:',
  );
  return letters;
}

function addresseeFaults(
  context: Context | undefined,
  before: readonly (Context | undefined)[],
  invited: ReadonlyMap<string, string>,
  n: number,
): Fault[] {
  const at = `/contextIds/${n}`;
  if (!context) return [{ pointer: at, message: 'is no context' }];
  const address = context.email.toLowerCase();
  const first = before.findIndex((one) => one?.email.toLowerCase() === address);
  return [
    ...when(first >= 0, at, `has the address of /contextIds/${first}`),
    ...when(invited.has(address), at, 'has an invitation to this edition'),
  ];
}

/** Faults of a context, as faults of the list that it is in. */
function inList(faults: readonly Fault[], n: number): Fault[] {
  return faults.map(({ pointer, message }) => ({
    pointer: `/contextIds/${n}`,
    message: `${pointer} ${message}`,
  }));
}

function digestOf({ survey, edition, contexts, expiresAt }: BatchAsked, letters: readonly Letter[]): Buffer {
  const frozen = [survey, edition, expiresAt, contexts, letters];
  return createHash('sha256').update(JSON.stringify(frozen)).digest();
}
