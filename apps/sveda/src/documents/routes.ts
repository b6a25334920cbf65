import { Hono, type Context } from 'hono';
import { HttpProblem } from '@portolan/http';
import type { ExtractAnswer } from '@sveda-ai/protocol';
import type { VisitorEnv } from '../embed/visitor.ts';
import type { Extract } from './extract.ts';
import { LIMITS } from './limits.ts';

/** `POST /sveda/documents/extract`: the text of each of the posted `files`, or why there is none. Nothing is kept. */
export function documentRoutes(extract: Extract) {
  return new Hono<VisitorEnv>().post('/sveda/documents/extract', async (c) => {
    const files = await filesOf(c);
    const { signal } = c.req.raw;
    const items = await Promise.all(
      files.map(async (file) => ({
        filename: file.name,
        ...(await extract(file.name, new Uint8Array(await file.arrayBuffer()), signal)),
      })),
    );
    return c.json({ items } satisfies ExtractAnswer);
  });
}

async function filesOf(c: Context<VisitorEnv>): Promise<File[]> {
  if (!/^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? ''))
    throw new HttpProblem(415, 'unsupported_media_type', 'Send the files as multipart/form-data.');
  const form = await c.req.formData().catch(() => {
    throw new HttpProblem(400, 'invalid_request', 'The body is no multipart/form-data.');
  });
  const files = form.getAll('files').filter((one) => one instanceof File);
  if (files.length === 0 || files.length > LIMITS.files)
    throw new HttpProblem(422, 'invalid_request', `Send 1 to ${LIMITS.files} files in the field files.`);
  return files;
}
