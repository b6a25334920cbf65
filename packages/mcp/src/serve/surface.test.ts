import { describe, expect, it } from 'vitest';
import { Misconfigured } from '../errors.ts';
import { legacy } from './legacy.ts';
import { surface } from './surface.ts';
import { add, doing, legacyRequest, modernRequest, mounted, said } from './testkit.ts';

const answer = () => Promise.resolve({ content: [] });
const one = doing('one', answer);
const two = doing('two', answer);
const three = doing('three', answer);
const server = { name: 'test', release: '1.2.3' };

describe('the version of a surface', () => {
  it('MER-5 is the release and a fingerprint of the list', () => {
    expect(surface({ server, tools: [one, two] }).version).toBe('1.2.3+14c7ad416139a6c6');
  });

  it('MER-5 is the same for the same list, made anew', () => {
    const again = doing('two', answer);
    expect(surface({ server, tools: [one, again] }).version).toBe(
      surface({ server, tools: [one, two] }).version,
    );
  });

  it.each([
    ['a tool less', [one]],
    ['another order', [two, one]],
    ['one word more', [one, { ...two, descriptor: { ...two.descriptor, description: 'More.' } }]],
  ])('MER-5 is another for %s', (_change, tools) => {
    expect(surface({ server, tools }).version).not.toBe(surface({ server, tools: [one, two] }).version);
  });

  it('MER-5 stands in initialize, and in every modern result', async () => {
    const { serve, offered } = mounted([add]);
    const initialize = legacyRequest('initialize', { protocolVersion: '2025-11-25' });
    const call = modernRequest('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect((await said(serve, initialize)).body.result.serverInfo.version).toBe(offered.version);
    expect((await said(serve, call)).body.result).toMatchObject({
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: offered.version } },
    });
  });

  it('does not count tools that are not listed', () => {
    const bare = surface({ server, tools: [one] });
    expect(surface({ server, tools: [one], unlisted: [two] }).version).toBe(bare.version);
  });
});

describe('the lists of a surface', () => {
  it('show a tool with everything that it says of itself', async () => {
    expect((await said(mounted([add]).serve, legacyRequest('tools/list'))).body.result).toEqual({
      tools: [
        {
          name: 'add',
          title: 'Add',
          description: 'Adds two numbers.',
          inputSchema: {
            type: 'object',
            properties: { a: { type: 'number' }, b: { type: 'number' } },
            required: ['a', 'b'],
          },
          outputSchema: {
            type: 'object',
            properties: { sum: { type: 'number' } },
            required: ['sum'],
            additionalProperties: false,
          },
          annotations: {
            readOnlyHint: true,
            destructiveHint: false,
            idempotentHint: true,
            openWorldHint: false,
          },
        },
      ],
    });
  });

  const paged = surface({ server, tools: [one, two, three], pageSize: 2 });
  const page = (cursor?: string) => JSON.parse(String(paged.page('tools', cursor, legacy) ?? 'null'));
  const names = (listed: { tools: { name: string }[] }) => listed.tools.map(({ name }) => name);

  it('are pages of the asked size, in order, to the end', () => {
    const first = page();
    const second = page(first.nextCursor);
    expect([names(first), names(second), second.nextCursor]).toEqual([['one', 'two'], ['three'], undefined]);
  });

  it('are one page without a size', () => {
    const whole = surface({ server, tools: [one, two, three] });
    expect(JSON.parse(String(whole.page('tools', undefined, legacy))).nextCursor).toBeUndefined();
  });

  it.each(['', 'x', '2', 'MkAx', '💥'])('know no cursor %j', (cursor) => {
    expect(page(cursor)).toBeNull();
  });

  it('know no cursor of another list', () => {
    const other = surface({ server, tools: [one, three, two], pageSize: 2 });
    const { nextCursor } = JSON.parse(String(other.page('tools', undefined, legacy)));
    expect(page(nextCursor)).toBeNull();
  });

  it.each([
    ['legacy', legacyRequest('tools/list', { cursor: 'of-another-list' })],
    ['modern', modernRequest('tools/list', { cursor: 'of-another-list' })],
    ['legacy', legacyRequest('tools/list', { cursor: 2 })],
  ])('answer an unknown cursor with invalid params (%s)', async (_era, request) => {
    expect((await said(mounted([add]).serve, request)).body.error.code).toBe(-32602);
  });

  it('leave out what is unlisted, which is callable all the same', async () => {
    const offered = surface({ server, tools: [one], unlisted: [add] });
    const { serve } = mounted([], { surface: () => offered });
    const call = legacyRequest('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect(names((await said(serve, legacyRequest('tools/list'))).body.result)).toEqual(['one']);
    expect((await said(serve, call)).body.result.structuredContent).toEqual({ sum: 3 });
  });
});

describe('a surface cannot be made', () => {
  it('of two tools with one name', () => {
    expect(() => surface({ server, tools: [one], unlisted: [one] })).toThrow(Misconfigured);
  });
});
