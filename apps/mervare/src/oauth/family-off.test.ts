import { expect, it, onTestFinished } from 'vitest';
import { logbook } from '../mcp/families.ts';
import { servers } from '../mcp/servers.ts';
import { decide } from '../testing/approve.ts';
import { authorization, oauthSite, redeem, registerClient, type Tokens } from '../testing/oauth.ts';
import { rpc } from '../testing/rpc.ts';

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
  const redeemed = await redeem(site.origin, client, { callback, verifier });
  const { access_token, scope } = (await redeemed.json()) as Tokens;
  const listed = await rpc(address, access_token, 'tools/list');
  return {
    challenge: refused.headers.get('www-authenticate') ?? '',
    document: await document.text(),
    consent: consent.text,
    granted: scope,
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
