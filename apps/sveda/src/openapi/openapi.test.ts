import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../app.ts';
import { testSveda } from '../testing/sveda.ts';
import { operations } from './operations.ts';

let sveda: Awaited<ReturnType<typeof testSveda>>;

beforeAll(async () => {
  sveda = await testSveda('- { text: Hello. }');
});
afterAll(() => sveda.close());

/** What the app really routes. Nothing of its ports is touched before a request comes. */
function served(): string[] {
  const unused = {} as never;
  const { routes } = createApp({
    trustedProxies: [],
    db: unused,
    live: unused,
    adminKey: undefined,
    embed: { throttles: undefined } as never,
    builtin: unused,
    turns: { admission: {} } as never,
    throttles: undefined,
    log: unused,
  });
  const named = routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/sveda/'));
  return [...new Set(named.map(({ method, path }) => `${method.toLowerCase()} ${path}`))];
}

describe('the OpenAPI document', () => {
  it('SVE-30.4 holds every route below /sveda and no other', async () => {
    const response = await fetch(new URL('/sveda/openapi.json', sveda.origin));
    const { openapi, paths } = (await response.json()) as { openapi: string; paths: Record<string, object> };
    expect(openapi).toBe('3.1.0');
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    expect(described.toSorted()).toEqual(served().toSorted());
  });

  it('SVE-30.4 names the credential of each, and the server demands it', async () => {
    for (const { method, path, credential } of operations) {
      const address = path.replaceAll(/:\w+/g, '00000000-0000-0000-0000-000000000000');
      const { status } = await fetch(new URL(address, sveda.origin), { method: method.toUpperCase() });
      expect([method, path, status]).toEqual([method, path, credential === 'nobody' ? 200 : 401]);
    }
  });
});
