import { HttpProblem } from '@portolan/http';
import type { Context } from 'hono';
import { MOST_OPTIONS, type Question } from '../../survey/question.ts';
import type { Typed } from '../../survey/typed.ts';
import { fieldName } from './question.tsx';

/** What a form holds for these questions. No cookie counts here, so a page of another site gains nothing by sending one. */
export async function readForm(
  c: Context,
  questions: readonly Question[],
): Promise<{ readonly typed: Typed; readonly send: boolean }> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? ''))
    throw new HttpProblem(415, 'unsupported_media_type', 'Send the form of this page.');
  const fields = new URLSearchParams(await c.req.text());
  const given = questions.map(
    ({ id }, at) => [id, fields.getAll(fieldName(at + 1)).slice(0, MOST_OPTIONS)] as const,
  );
  return { typed: new Map(given.filter(([, texts]) => texts.length > 0)), send: fields.get('do') === 'send' };
}
