import { expect, it, onTestFinished } from 'vitest';
import { logbook } from '../mcp/families.ts';
import { servers } from '../mcp/servers.ts';
import { decide } from '../testing/approve.ts';
import { authorization, oauthSite, redeem, registerClient } from '../testing/oauth.ts';

const withoutLogbook = servers.map((server) => ({
  ...server,
  families: server.families.filter((family) => family !== logbook),
}));

/** What somebody who connects meets: the challenge, the document, the consent, the tools. */
async function met(registry: typeof servers) {
  const site = await oauthSite(registry);
  onTestFinished(() => site.close());
  const address = `${site.origin}/api/mcp`;
  const refused = await fetch(address, { method: 'POST' });
  const document = await fetch(`${site.origin}/.well-known/oauth-protected-resource/api/mcp`);
  const client = await registerClient(site.origin);
  const { url, verifier } = authorization(site.origin, client);
  const { callback, consent } = await decide(await site.as('admin'), url);
  const tokens = (await (await redeem(site.origin, client, { callback, verifier })).json()) as Record<
    string,
    string
  >;
  const listed = await fetch(address, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tokens['access_token']}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return {
    challenge: refused.headers.get('www-authenticate') ?? '',
    document: await document.text(),
    consent: consent.text,
    granted: tokens['scope'] ?? '',
    tools: await listed.text(),
  };
}

it('MER-1.5 a family that is turned off is in no challenge, no document, no consent, no token and no list', async () => {
  const [whole, without] = [await met(servers), await met(withoutLogbook)];
  const traces = {
    challenge: /\bharbour\b/,
    document: /"harbour"/,
    consent: /observed harbour traffic/,
    granted: /\bharbour\b/,
    tools: /logbook_stats/,
  };
  for (const [where, trace] of Object.entries(traces)) {
    expect([where, whole[where as keyof typeof traces]]).toEqual([where, expect.stringMatching(trace)]);
    expect([where, without[where as keyof typeof traces]]).toEqual([where, expect.not.stringMatching(trace)]);
  }
  expect(without.tools).toContain('funding_workspace_list');
});
