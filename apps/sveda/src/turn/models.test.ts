import { startModelServer, type ModelServer } from '@portolan/agent/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post, rawVisitor, testSveda } from '../testing/sveda.ts';

const wires = ['openai-responses', 'openai-chat', 'anthropic'] as const;
let provider: ModelServer;
let sveda: Awaited<ReturnType<typeof testSveda>>;

beforeAll(async () => {
  provider = await startModelServer(({ body: { model } }) =>
    model === 'broken' ? { fault: 'overloaded' } : { text: `I am ${String(model)}.` },
  );
  const candidate = (kind: string, model: string) => ({
    provider: kind,
    baseURL: provider.baseURL,
    apiKey: 'sk-of-the-tests',
    model,
  });
  const models = [candidate('openai-chat', 'broken'), ...wires.map((wire) => candidate(wire, wire))];
  sveda = await testSveda('', { models });
});
afterAll(async () => {
  await sveda.close();
  await provider.close();
});

async function answerOf(model?: string): Promise<string> {
  const { headers } = rawVisitor(sveda.origin, await sveda.mint());
  const body = { message: { text: 'Who are you?' }, ...(model !== undefined && { model }) };
  const { text } = (await (await post(sveda.origin, '/sveda/message', body, headers)).json()) as {
    text: string;
  };
  return text;
}

describe('models of real providers', () => {
  it('SVE-33.1 answer over each wire when a post asks for them', async () => {
    for (const wire of wires) expect(await answerOf(wire)).toBe(`I am ${wire}.`);
    const paths = new Set(provider.requests.map(({ path }) => path));
    expect([...paths].toSorted()).toEqual(['/v1/chat/completions', '/v1/messages', '/v1/responses']);
  });

  it('SVE-33.2 take the place of one that gave no output', async () => {
    expect(await answerOf()).toBe('I am openai-responses.');
    expect(await answerOf('broken')).toBe('I am openai-responses.');
    expect(provider.requests.some(({ body }) => body.model === 'broken')).toBe(true);
  });
});
