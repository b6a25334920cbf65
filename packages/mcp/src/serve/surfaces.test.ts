import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyone, needs, type Tool } from '../tool.ts';
import { limits } from './limits.ts';
import { serveMcp } from './serve.ts';
import { surfaces } from './surfaces.ts';
import { callerWith, doing, legacyRequest, said } from './testkit.ts';

const fine = () => Promise.resolve({ content: [] });
const server = { name: 'test', release: '1.0.0' };
const open = doing('open', fine, { access: anyone });
const read = doing('read', fine, { access: needs('author', 'reader') });
const build = doing('build', fine, { access: needs({ scope: 'builder', grant: 'builder' }) });
const whoami = doing('whoami', fine, { access: needs('author') });
const aboutMe = doing('whoami', fine, { access: anyone });
const tools: readonly Tool[] = [open, read, build, whoami];

const surfaceOf = surfaces({ server, tools, unlisted: [aboutMe] });
const names = (scopes: string[], grants: string[] = []) =>
  surfaceOf(callerWith(scopes, grants)).tools.map(({ name }) => name);

describe('surfaces by entitlement', () => {
  it('MER-4 list what the access of each tool allows, in order', () => {
    expect(names([])).toEqual(['open']);
    expect(names(['reader'])).toEqual(['open', 'read']);
    expect(names(['author'])).toEqual(['open', 'read', 'whoami']);
    expect(names(['builder'])).toEqual(['open']);
    expect(names(['builder'], ['builder'])).toEqual(['open', 'build']);
  });

  it('MER-4 list exactly what can be called, for any caller', async () => {
    const scope = fc.constantFrom('author', 'reader', 'builder', 'admin');
    const entitlement = [fc.uniqueArray(scope), fc.uniqueArray(fc.constantFrom('builder', 'other'))] as const;
    await fc.assert(
      fc.asyncProperty(...entitlement, async (scopes, grants) => {
        const caller = callerWith(scopes, grants);
        const serve = serveMcp({
          surface: surfaceOf,
          authenticate: () => Promise.resolve(caller),
          deps: undefined,
          revisions: ['2025-11-25'],
          disconnect: 'detached',
          onError: () => undefined,
        });
        const { body } = await said(serve, legacyRequest('tools/list'));
        const listed = new Set(body.result.tools.map(({ name }: Tool) => name));
        for (const name of ['open', 'read', 'build']) {
          const { body: answered } = await said(serve, legacyRequest('tools/call', { name }));
          expect(answered.error === undefined).toBe(listed.has(name));
        }
      }),
    );
  });

  it('call an unlisted tool for those who may not see it listed', () => {
    expect(surfaceOf(callerWith([])).tool('whoami')).toBe(aboutMe);
    expect(surfaceOf(callerWith(['author'])).tool('whoami')).toBe(whoami);
    const closed = surfaces({ server, tools: [], unlisted: [whoami] });
    expect(closed(callerWith([])).tool('whoami')).toBeUndefined();
  });

  it('MER-5 are the same for the same entitlement, and have another version for another', () => {
    const reader = surfaceOf(callerWith(['reader', 'unknown'], ['other']));
    expect(surfaceOf(callerWith(['reader']))).toBe(reader);
    expect(surfaceOf(callerWith(['author'])).version).not.toBe(reader.version);
  });

  it('follow a grant that is withdrawn at the next call', () => {
    expect(names(['builder'], ['builder'])).toEqual(['open', 'build']);
    expect(names(['builder'], [])).toEqual(['open']);
  });

  it('are kept in bounds, the latest used longest', () => {
    const many = Array.from({ length: 7 }, (_, bit) => doing(`t${bit}`, fine, { access: needs(`s${bit}`) }));
    const bounded = surfaces({ server, tools: many });
    const caller = (number: number) =>
      callerWith(Array.from({ length: 7 }, (_, bit) => `s${bit}`).filter((_, bit) => (number >> bit) & 1));
    const first = bounded(caller(0));
    const second = bounded(caller(1));
    for (let number = 2; number < limits.keptSurfaces; number++) bounded(caller(number));
    expect(bounded(caller(0))).toBe(first);
    bounded(caller(limits.keptSurfaces));
    expect(bounded(caller(0))).toBe(first);
    expect(bounded(caller(1))).not.toBe(second);
  });
});
