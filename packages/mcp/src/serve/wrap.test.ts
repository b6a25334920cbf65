import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { anyone, toolsFor } from '../tool.ts';
import { doing, legacyRequest, modernRequest, mounted, said } from './testkit.ts';

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
const Tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree);
  },
});
const forest = [{ name: 'oak', children: [{ name: 'acorn', children: [] }] }];

const tool = toolsFor();
const grow = tool('grow', {
  title: 'Grow',
  says: 'Grows a forest.',
  access: anyone,
  effect: 'reads',
  input: z.object({}),
  output: z.array(Tree),
  example: {},
}).run(() => Promise.resolve(forest));

const either = tool('either', {
  title: 'Either',
  says: 'Finds it or says why not.',
  access: anyone,
  effect: 'reads',
  input: z.object({}),
  output: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('found'), it: z.string() }),
    z.object({ kind: z.literal('gone') }),
  ]),
  example: {},
}).run(() => Promise.resolve({ kind: 'found' as const, it: 'here' }));

const undeclared = doing('undeclared', () => Promise.resolve({ content: [], structuredContent: [1] }));
const { serve } = mounted([grow, either, undeclared]);

async function outputSchemas(request: Request): Promise<Record<string, unknown>[]> {
  const { body } = await said(serve, request);
  return body.result.tools.map(({ outputSchema }: { outputSchema?: object }) => outputSchema);
}

async function content(request: Request): Promise<unknown> {
  return (await said(serve, request)).body.result.structuredContent;
}

describe('an output that is no object', () => {
  it('is listed to legacy clients as a member of one, which its content fits', async () => {
    const [schema = {}] = await outputSchemas(legacyRequest('tools/list'));
    const answered = await content(legacyRequest('tools/call', { name: 'grow' }));
    expect(schema).toMatchObject({ type: 'object', required: ['result'] });
    expect(answered).toEqual({ result: forest });
    const fits = new Ajv2020().compile(schema);
    expect([fits(answered), fits({ result: [{ name: 'oak', children: [{}] }] })]).toEqual([true, false]);
  });

  it('stays what it is in the modern era', async () => {
    const [schema] = await outputSchemas(modernRequest('tools/list'));
    expect(schema).toMatchObject({ type: 'array' });
    expect(await content(modernRequest('tools/call', { name: 'grow' }))).toEqual(forest);
  });

  it('and that nobody declared is wrapped for legacy clients too', async () => {
    expect(await content(legacyRequest('tools/call', { name: 'undeclared' }))).toEqual({ result: [1] });
    expect(await content(modernRequest('tools/call', { name: 'undeclared' }))).toEqual([1]);
  });
});

it('a union of objects is listed as an object and not wrapped', async () => {
  const [, schema] = await outputSchemas(legacyRequest('tools/list'));
  expect(schema).toMatchObject({ type: 'object', oneOf: [{ type: 'object' }, { type: 'object' }] });
  expect(await content(legacyRequest('tools/call', { name: 'either' }))).toEqual({
    kind: 'found',
    it: 'here',
  });
});
