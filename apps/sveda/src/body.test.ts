import { afterAll, beforeAll, expect, it } from 'vitest';
import { testSveda } from './testing/sveda.ts';

let sveda: Awaited<ReturnType<typeof testSveda>>;
beforeAll(async () => {
  sveda = await testSveda('- { text: Hello. }');
});
afterAll(() => sveda.close());

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

it('SVE-10.1 refuses a body that is nested so deeply that no function could walk it', async () => {
  const headers = { 'content-type': 'application/json', 'x-sveda-embed-token': await sveda.mint() };
  const send = async (body: string): Promise<[number, string]> => {
    const answer = await fetch(new URL('/sveda/stream', sveda.origin), { method: 'POST', headers, body });
    return [answer.status, await answer.text()];
  };
  const refused = '{"error":"invalid_request","message":"The body is nested more than 200 levels deep."}';
  for (const body of [
    `{"message":{"text":"Hi"},"context":${nested(50_000)}}`,
    `{"message":{"text":"Hi"},"clientTools":[{"name":"a","description":"","parameters":${nested(50_000)}}]}`,
    `{"chatId":"a","toolResults":[{"toolCallId":"b","output":${nested(50_000)}}]}`,
    `{"message":{"text":"Hi"},"context":${nested(200)}}`,
  ])
    expect(await send(body)).toEqual([422, refused]);
  expect((await send(`{"message":{"text":"Hi"},"context":${nested(199)}}`))[0]).toBe(200);
});
