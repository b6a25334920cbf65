import { timingSafeEqual } from 'node:crypto';
import { HttpProblem, type EdgeEnv } from '@portolan/http';
import type { Context } from 'hono';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';
import { hashOf } from './secret.ts';
import type { SignedIn } from './session.ts';

type Fields = Readonly<Record<string, string>>;

/**
 * The fields of a form that this session was shown. Throws a 403 for a form of another page or session: what stands in the
 * field `csrf` is compared in constant time.
 */
export async function readForm(c: Context<EdgeEnv>, { csrf }: Pick<SignedIn, 'csrf'>): Promise<Fields> {
  const fields = await readFields(c);
  if (!timingSafeEqual(hashOf(fields['csrf'] ?? ''), hashOf(csrf))) throw foreignForm();
  return fields;
}

/** The text fields of a form that comes from a page of this site, by the Origin that browsers send with every POST. */
export async function readFields(c: Context<EdgeEnv>): Promise<Fields> {
  const { host } = c.get('client');
  const origin = c.req.header('origin');
  // By host alone: behind a proxy that is not trusted, nobody here knows the scheme that the browser sees.
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)) throw foreignForm();
  const body = await c.req.parseBody();
  const fields = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const odd = fields.find(([, text]) => !isStorable(text));
  if (odd !== undefined) throw new HttpProblem(400, 'invalid_input', `A field ${NOT_STORABLE}.`);
  return Object.fromEntries(fields);
}

function foreignForm(): HttpProblem {
  return new HttpProblem(403, 'forbidden', 'This form is not of your session. Load its page again.');
}
