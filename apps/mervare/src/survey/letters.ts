import type { Kysely } from 'kysely';
import { LONGEST_SUBJECT, LONGEST_TEXT } from '../mail/outbox.ts';
import type { SiteTables } from '../tables.ts';
import type { ContextText } from './contexts.ts';
import { when, type Fault } from './fault.ts';
import { fill, KNOWN, LINK, placeholdersIn } from './placeholders.ts';
import type { LetterText, TemplateText } from './templates.ts';

/** A letter to one addressee, whole but for the link. */
export interface Letter {
  readonly person: string;
  readonly addressee: string;
  readonly language: string;
  readonly subject: string;
  /** The parts between which the link stands, so that no word of others can be taken for its place. */
  readonly body: string[];
}

/** Everything that keeps a template from being filled, with pointers into the context, where it can be mended. */
export function fillFaults({ texts }: Pick<TemplateText, 'texts'>, context: ContextText): Fault[] {
  const text = textFor(texts, context.language);
  if (!text) return [{ pointer: '/language', message: 'is none in which the template has a text' }];
  return placeholdersIn(`${text.subject}\n${text.body}`)
    .filter((name) => name !== LINK && !knows(context, name))
    .map((name) => ({ pointer: pointerTo(name), message: 'is missing, and the template asks for it' }));
}

/** Writes to an addressee where `fillFaults` finds none. `harbours` are names by LOCODE. */
export function writeLetter(
  { texts }: Pick<TemplateText, 'texts'>,
  { email: addressee, person, harbour, language, facts }: ContextText,
  harbours: ReadonlyMap<string, string>,
): Letter {
  const text = textFor(texts, language);
  if (!text) throw new Error('A letter has no text.');
  const known = { person, harbour: harbours.get(harbour ?? '') ?? '' };
  const values = new Map([...Object.entries(facts), ...Object.entries(known)]);
  return {
    person,
    addressee,
    language: text.language,
    subject: fill(text.subject, values),
    body: text.body.split(`{{${LINK}}}`).map((part) => fill(part, values)),
  };
}

/** What keeps a written letter from being sent: with its facts it has grown too long. */
export function lengthFaults({ subject, body }: Letter): Fault[] {
  const length = body.join('').length + (body.length - 1) * ROOM_FOR_LINK;
  return [
    ...when(subject.length > LONGEST_SUBJECT, '/facts', `makes the subject longer than ${LONGEST_SUBJECT}`),
    ...when(length > LONGEST_TEXT, '/facts', `makes the letter longer than ${LONGEST_TEXT}`),
  ];
}

/** Characters of a link, more than any has. */
const ROOM_FOR_LINK = 500;

/** Names of the harbours of these contexts, by LOCODE. */
export async function harbourNames(
  db: Kysely<SiteTables>,
  contexts: readonly ContextText[],
): Promise<ReadonlyMap<string, string>> {
  const locodes = new Set(contexts.flatMap(({ harbour }) => harbour ?? []));
  if (locodes.size === 0) return new Map();
  const rows = await db
    .selectFrom('harbour')
    .select(['locode', 'name'])
    .where('locode', 'in', [...locodes])
    .execute();
  return new Map(rows.map(({ locode, name }) => [locode, name]));
}

/** Key of the letter of an invitation in the outbox: under one key no letter is queued twice. */
export function letterKey(invitation: string): string {
  return `invitation:${invitation}`;
}

/** The text in the addressee's language, or in the nearest that it falls back to (RFC 4647 §3.4). */
function textFor(texts: readonly LetterText[], language: string): LetterText | undefined {
  for (let tag = language.toLowerCase(); tag !== ''; tag = tag.replace(/-?[^-]*$/, '')) {
    const found = texts.find((text) => text.language.toLowerCase() === tag);
    if (found) return found;
  }
  return undefined;
}

function knows({ harbour, facts }: ContextText, name: string): boolean {
  if (name === 'harbour') return harbour !== null;
  return name === 'person' || Object.hasOwn(facts, name);
}

function pointerTo(name: string): string {
  return (KNOWN as readonly string[]).includes(name) ? `/${name}` : `/facts/${name}`;
}
