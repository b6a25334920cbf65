import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf } from '../mcp/registry.ts';
import { builderOnly, servers, wide } from '../mcp/servers.ts';
import type { Scope } from '../mcp/vocabulary.ts';
import { plantPerson, plantToken } from '../testing/people.ts';
import { called, listedTools, rpc } from '../testing/rpc.ts';
import { testSite } from '../testing/site.ts';

const ci = 'c'.repeat(40);
const reports = 'r'.repeat(40);
let site: Awaited<ReturnType<typeof testSite>>;
let other: Awaited<ReturnType<typeof testSite>>;
let at: { wide: string; builder: string };
let ada: string;
beforeAll(async () => {
  const variables = {
    BUILDER_AGENT_TOKENS: `ci:builder:${ci}`,
    SURVEY_AGENT_TOKENS: `reports:reader:${reports}`,
  };
  [site, other] = await Promise.all([testSite(servers, variables), testSite(servers, variables)]);
  at = { wide: addressOf(wide, site.origin), builder: addressOf(builderOnly, site.origin) };
  ada = await plantPerson(site.register.db, { email: 'ada@mervare.example', superAdmin: true });
});
afterAll(async () => {
  await site.close();
  await other.close();
});

const connected = (scopes: readonly Scope[], audience = at.wide) =>
  plantToken(site.register.db, { person: ada, scopes, audience });

/** What a capabilities tool says of whoever presents this. */
async function capabilities(endpoint: string, token: string, name: string) {
  const { text } = await called(endpoint, token, name);
  return (JSON.parse(text) as { result: { structuredContent: unknown } }).result.structuredContent;
}

const again = 'You may hold it, but this connection does not. Connect again to ask for it.';
const builderAccess = 'It is for people with builder access, which a super admin gives in /admin/users.';

describe('MER-25.1 MER-3.1 what one may do here', () => {
  it('is told to a person, scope by scope, with the reason of what is missing', async () => {
    expect(
      await capabilities(at.wide, await connected(['author', 'discovery']), 'survey_capabilities'),
    ).toEqual({
      endpoint: at.wide,
      caller: { credential: 'oauth', name: 'ada@mervare.example' },
      granted: ['author', 'discovery'],
      missing: [
        ...['publisher', 'analyst', 'reader', 'harbour'].map((scope) => ({ scope, why: again })),
        { scope: 'builder', why: builderAccess },
        { scope: 'control', why: again },
        { scope: 'funding', why: again },
      ],
      survey: {
        questionTypes: ['single', 'multiple', 'scale', 'number', 'text', 'date'],
        limits: {
          questions: 200,
          optionsOfAQuestion: 100,
          stepsOfAScale: 101,
          charactersOfAnAnswer: 10_000,
        },
      },
    });
  });

  it('tells of a right that was taken after the token was issued', async () => {
    const said = await capabilities(
      at.builder,
      await connected(['builder'], at.builder),
      'builder_capabilities',
    );
    expect(said).toEqual({
      endpoint: at.builder,
      caller: { credential: 'oauth', name: 'ada@mervare.example' },
      granted: [],
      missing: [
        { scope: 'builder', why: `The credential carries it, but it no longer counts. ${builderAccess}` },
      ],
    });
  });

  it('is told to a program', async () => {
    expect(await capabilities(at.builder, ci, 'builder_capabilities')).toEqual({
      endpoint: at.builder,
      caller: { credential: 'builder_token', name: 'ci' },
      granted: ['builder'],
      missing: [],
    });
    expect(await capabilities(at.wide, reports, 'survey_capabilities')).toMatchObject({
      granted: ['reader'],
      missing: expect.arrayContaining([{ scope: 'author', why: 'This credential was issued without it.' }]),
    });
  });

  it('MER-3.2 is answered to everybody who is let in, whatever is listed', async () => {
    const lists = {
      'a program with a survey scope': await listedTools(at.wide, reports),
      'a program without one': await listedTools(at.wide, ci),
      'a person with the floor': await listedTools(at.wide, await connected(['discovery'])),
    };
    expect(
      Object.entries(lists).map(([who, names]) => [
        who,
        names.filter((name) => name.endsWith('_capabilities')),
      ]),
    ).toEqual([
      ['a program with a survey scope', ['survey_capabilities']],
      ['a program without one', []],
      ['a person with the floor', []],
    ]);
    for (const token of [reports, ci, await connected(['discovery'])])
      for (const name of ['survey_capabilities', 'builder_capabilities'])
        expect(await capabilities(at.wide, token, name)).toMatchObject({ endpoint: at.wide });
  });

  it('MER-3.3 has one tool at the builder’s endpoint', async () => {
    const { status, text } = await called(at.builder, ci, 'survey_capabilities');
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { error: { message: 'Unknown tool: survey_capabilities' } },
    ]);
    expect(await listedTools(at.builder, ci)).not.toContain('builder_capabilities');
  });
});

describe('MER-5.2 the version of the server', () => {
  const versionFor = async (endpoint: string, token: string) => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const answer = await (await rpc(endpoint, token, 'initialize', params)).json();
    return (answer as { result: { serverInfo: { version: string } } }).result.serverInfo.version;
  };

  it('is that of the list: the same for the same scopes on every node and by every credential, another for others', async () => {
    const reader = await versionFor(at.wide, reports);
    expect(reader).toMatch(/^0\.1\.0\+[0-9a-f]{16}$/);
    expect(await versionFor(addressOf(wide, other.origin), reports)).toBe(reader);
    expect(await versionFor(at.wide, await connected(['reader']))).toBe(reader);
    expect(await versionFor(at.wide, await connected(['reader', 'discovery']))).toBe(reader);
    expect(await versionFor(at.wide, await connected(['reader', 'harbour']))).not.toBe(reader);
  });
});

describe('MER-7.3 official clients with a token', () => {
  for (const door of ['wide', 'builder'] as const) {
    it(`${door}: SDK v1`, async () => {
      const client = new OldClient({ name: 'ci', version: '1' });
      const requestInit = { headers: { authorization: `Bearer ${ci}` } };
      await client.connect(new OldTransport(new URL(at[door]), { requestInit }));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
        await listedTools(at[door], ci),
      );
      await client.close();
    });

    it(`${door}: SDK v2, 2026-07-28`, async () => {
      const client = new Client(
        { name: 'ci', version: '1' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      );
      const requestInit = { headers: { authorization: `Bearer ${ci}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(at[door]), { requestInit }));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
        await listedTools(at[door], ci),
      );
      const { structuredContent } = await client.callTool({ name: 'builder_capabilities', arguments: {} });
      expect(structuredContent).toMatchObject({ caller: { name: 'ci' } });
      await client.close();
    });
  }
});
