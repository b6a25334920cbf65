import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { SiteTables } from '../tables.ts';
import type { ContextText } from './contexts.ts';
import { isLanguage, isName, NO_LANGUAGE, NO_NAME, when, type Fault } from './fault.ts';
import { hasBraces, isUnprintable, RESERVED, UNPRINTABLE } from './placeholders.ts';

/** Everything that is wrong with a context, at once. Its words end in letters, so none may pass for more than a word. */
export async function contextFaults(db: Kysely<SiteTables>, text: ContextText): Promise<Fault[]> {
  const { email, person, harbour, language, facts } = text;
  const harbourIsKnown = harbour === null || (await isHarbour(db, harbour));
  return [
    ...when(!z.email().safeParse(email).success, '/email', 'is no e-mail address'),
    ...wordFaults(person, '/person'),
    ...when(!harbourIsKnown, '/harbour', 'is no LOCODE of a harbour of the register'),
    ...when(!isLanguage(language), '/language', NO_LANGUAGE),
    ...Object.entries(facts).flatMap(([name, value]) => {
      const at = `/facts/${escaped(name)}`;
      return [
        ...when(!isName(name), at, NO_NAME),
        ...when(RESERVED.includes(name), at, 'is a name that has its own place'),
        ...wordFaults(value, at),
      ];
    }),
  ];
}

function wordFaults(words: string, at: string): Fault[] {
  return [
    ...when(words.trim() === '', at, 'is empty'),
    ...when(isUnprintable(words), at, UNPRINTABLE),
    ...when(hasBraces(words), at, 'has double braces'),
  ];
}

async function isHarbour(db: Kysely<SiteTables>, locode: string): Promise<boolean> {
  const found = await db
    .selectFrom('harbour')
    .select('locode')
    .where('locode', '=', locode)
    .executeTakeFirst();
  return found !== undefined;
}

/** As a JSON pointer writes it (RFC 6901 §3). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
