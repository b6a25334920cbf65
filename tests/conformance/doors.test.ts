import { publicFetch } from '@portolan/http';
import { freePort } from '@portolan/process/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAndApprove } from '../../apps/mervare/src/testing/approve.ts';
import { connect, oauthSite, registerClient } from '../../apps/mervare/src/testing/oauth.ts';
import { openFront, type Front } from '../front.ts';
import { failuresAtDoors } from './no-fixtures.ts';
import { runAuthorization, runSuite, type Run } from './suite.ts';

const document = 'https://clients.example/conformance.json';
const internet: typeof publicFetch = async (url, options) => {
  if (String(url) !== document) return publicFetch(url, options);
  const redirect_uris = ['http://127.0.0.1/callback'];
  const body = Buffer.from(JSON.stringify({ client_id: document, client_name: 'The suite', redirect_uris }));
  return { url: document, status: 200, headers: new Headers(), body };
};

let front: Front;
let site: Awaited<ReturnType<typeof oauthSite>>;
beforeAll(async () => {
  front = await openFront();
  site = await oauthSite(undefined, { MERVARE_ORIGIN: front.origin }, { fetchPublic: internet });
  front.leadTo(site.listening);
  const resource = `${site.origin}/api/mcp/builder`;
  const [wide, builder] = [
    await connect(site.origin, await site.as('admin')),
    await connect(site.origin, await site.as('builder'), { resource }),
  ];
  // The suite cannot present a token; at the open door it presents none.
  front.leadTo(site.listening, {
    '/api/mcp': wide.tokens.access_token,
    '/api/mcp/builder': builder.tokens.access_token,
  });
});
afterAll(async () => {
  await front.close();
  await site.close();
});

/** Scenarios of the suite in which every check has to succeed at every door. */
const whole = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'tools-list',
    'dns-rebinding-protection',
    'http-header-validation',
    'server-sse-multiple-streams',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
  ],
} as const;

/** Checks that fail because what they are about is not offered, in scenarios whose other checks succeed. */
const inPart = {
  'server-stateless': [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ],
  caching: [
    'sep-2549-prompts-list-caching-hints',
    'sep-2549-resources-list-caching-hints',
    'sep-2549-resources-templates-list-caching-hints',
  ],
};

/** A run at a door, in which everything that applies has succeeded. */
async function expectConformance(door: string, revision: keyof typeof whole): Promise<Run> {
  const run = await runSuite(`${site.origin}${door}`, revision, failuresAtDoors);
  expect(run.exitCode, run.output).toBe(0);
  for (const scenario of whole[revision])
    expect([scenario, run.failed.get(scenario)]).toEqual([scenario, []]);
  return run;
}

describe('the official conformance suite at the doors of Mervare', () => {
  for (const door of ['/api/mcp', '/api/mcp/builder', '/api/mcp/discovery'])
    it(`MER-7.4 passes at ${door} in both revisions, but for what it would need fixtures for`, async () => {
      await expectConformance(door, '2025-11-25');
      const { failed } = await expectConformance(door, '2026-07-28');
      for (const [scenario, checks] of Object.entries(inPart)) expect(failed.get(scenario)).toEqual(checks);
    });
});

describe('the official conformance suite before the issuer', () => {
  for (const [form, known] of [
    ['by registration', () => registerClient(site.origin, { redirect_uris: ['http://127.0.0.1/callback'] })],
    ['by a metadata document', () => Promise.resolve(document)],
  ] as const)
    it(`MER-20.5 gets its code and token as a client that is known ${form}`, async () => {
      const account = await site.accountOf('member');
      const { exitCode, output, failed } = await runAuthorization(site.origin, {
        client: await known(),
        resource: `${site.origin}/api/mcp`,
        port: await freePort(),
        visit: async (request) => fetch(await signInAndApprove(request, account)),
      });
      expect(exitCode, output).toBe(0);
      expect([...failed]).toEqual([
        ['authorization-code-grant', []],
        ['authorization-server-metadata-endpoint', []],
      ]);
    });
});
