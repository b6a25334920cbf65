import { ExtractAnswer } from '@sveda-ai/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawVisitor, testSveda } from '../testing/sveda.ts';

let sveda: Awaited<ReturnType<typeof testSveda>>;
let headers: Record<string, string>;

beforeAll(async () => {
  sveda = await testSveda('- { text: Hello. }', { limits: { extractionsPerMinute: 5 } });
  ({ headers } = rawVisitor(sveda.origin, await sveda.mint()));
});
afterAll(() => sveda.close());

function send(form: FormData | string, more: Record<string, string> = headers): Promise<Response> {
  return fetch(new URL('/sveda/documents/extract', sveda.origin), {
    method: 'POST',
    headers: more,
    body: form,
  });
}

function formOf(...files: readonly File[]): FormData {
  const form = new FormData();
  for (const file of files) form.append('files', file);
  return form;
}

describe('POST /sveda/documents/extract', () => {
  it('SVE-30.1 answers every file in its place, and needs a token', async () => {
    const text = new File(['Berths: 24'], 'berths.txt');
    const picture = new File(['\u0000\u0001'], 'berths.bin');
    expect((await send(formOf(text), {})).status).toBe(401);
    const response = await send(formOf(picture, text));
    expect(response.status).toBe(200);
    expect(ExtractAnswer.parse(await response.json())).toEqual({
      items: [
        {
          filename: 'berths.bin',
          ok: false,
          error: 'Text is read from .txt, .md, .csv, .pdf and .docx files.',
        },
        { filename: 'berths.txt', ok: true, text: 'Berths: 24', cut: false },
      ],
    });
  });

  it('SVE-30.1 SVE-31.3 refuses other bodies, and too many posts', async () => {
    const file = new File(['x'], 'x.txt');
    const answers = [
      await send('{}', { ...headers, 'content-type': 'application/json' }),
      await send('nothing', { ...headers, 'content-type': 'multipart/form-data; boundary=x' }),
      await send(formOf()),
      await send(formOf(file, file, file, file, file, file)),
      await send(formOf(file)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([415, 400, 422, 422, 429]);
    expect(Number(answers[4]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
