import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { processIdentity } from '@portolan/process';
import { openStore } from '@portolan/store';
import { testDatabase, type TestDatabase } from '@portolan/store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../migrations.ts';
import { openSecret, siteSecret } from '../secret/site-secret.ts';
import type { SiteTables } from '../tables.ts';
import { run, start } from '../testing/command.ts';
import { runCommand } from './program.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
let folder: string;
let database: TestDatabase;
let variables: { DATABASE_URL: string; MERVARE_DATA: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mervare-'));
  database = await testDatabase({ app: 'mervare', migrations });
  variables = { DATABASE_URL: database.url, MERVARE_DATA: join(folder, 'data') };
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** A terminal where nobody sits. */
const silent = { isTerminal: false, readSecret: () => Promise.resolve('') };

describe('the command line', () => {
  it.each([
    ['--wrong'],
    ['wrong'],
    ['serve', '--wrong'],
    ['serve', 'extra'],
    ['serve', '--port'],
    ['check', '--port', '1'],
    ['harbour', 'import'],
    ['admin', 'create'],
    ['admin', 'create', 'ada@mervare.example'],
    ['docs'],
  ])('MER-70.1 ends with 64 where it is wrong: %s %s %s', async (...args) => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const given = args.filter((arg) => arg !== undefined);
    expect(await runCommand(given, { ...silent, environment: {}, print: say, complain: say })).toBe(64);
    expect(said).toEqual([expect.stringMatching(/^mervare: .+\.$/)]);
  });

  it('MER-70.1 ends its process with 64 where it is wrong', async () => {
    expect(await run(['serve', '--wrong'])).toEqual({
      code: 64,
      out: [],
      err: ["mervare: Unknown option '--wrong'."],
    });
  });

  it('explains itself', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const command of ['serve', 'check', 'harbour', 'docs']) expect(out.join('\n')).toContain(command);
  });
});

describe('mervare check', () => {
  it('MER-70.2 says every fault at once, without the password, and ends with 78', async () => {
    const { code, out, err } = await run(['check'], {
      MERVARE_ORIGIN: 'https://mervare.example/path',
      MERVARE_TRUSTED_PROXIES: '10.0.0.0/8,nonsense',
      DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/nowhere',
      MERVARE_DATA: folder,
    });
    expect([code, out]).toEqual([78, []]);
    expect(err).toEqual([
      'fault: MERVARE_ORIGIN must be an origin such as https://mervare.example, without a path.',
      'fault: MERVARE_TRUSTED_PROXIES must name addresses or networks such as 10.0.0.0/8.',
      expect.stringMatching(/^fault: The database does not let us in: .*ECONNREFUSED/),
    ]);
    expect(err.join()).not.toContain('hunter2');
  });

  it('names a data folder that cannot hold data, as serve does', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    for (const [args, data, why] of [
      [['check'], file, 'it is a file'],
      [['serve', '--port', '0'], join(file, 'data'), 'a file stands on the way to it'],
      [['check'], '/proc/none/data', 'no folder can be made there'],
    ] as const) {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const terminal = { ...silent, environment: { MERVARE_DATA: data }, print: say, complain: say };
      expect(await runCommand(args, terminal)).toBe(78);
      expect(said).toEqual([expect.stringContaining(`${data} cannot hold our data: ${why}.`)]);
    }
  });

  it('ends with 0 where there is none', async () => {
    const { code, out } = await run(['check'], variables);
    expect([code, out]).toEqual([0, ['The database answers with 1634 harbours.', 'No fault found.']]);
  });
});

describe('mervare serve', () => {
  const endpoint = () => join(variables.MERVARE_DATA, 'endpoint.json');

  it('MER-70.3 says where it is when it is ready, and ends work in flight before it ends itself', async () => {
    const site = start(['serve', '--port', '0'], variables);
    const { origin } = await site.logged('ready');
    const pid = site.child.pid ?? 0;
    expect(JSON.parse(readFileSync(endpoint(), 'utf8'))).toEqual({
      pid,
      startTime: processIdentity(pid)?.startTime,
      origin,
    });

    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'harbour_stats', arguments: {} },
    });
    const call = request(new URL('/api/mcp/discovery', String(origin)), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(body),
        expect: '100-continue',
      },
    });
    const answered = once(call, 'response');
    call.flushHeaders();
    await once(call, 'continue');
    site.child.kill('SIGTERM');
    await site.logged('stopping');
    call.end(body);
    const [response] = (await answered) as [IncomingMessage];
    expect([response.statusCode, (await text(response)).includes('"harbours":1634')]).toEqual([200, true]);
    expect((await site.ended).code).toBe(0);
    expect(existsSync(endpoint())).toBe(false);
  });

  it('MER-14.6 reads as the anonymous role: what is taken from that role is gone from page and tool', async () => {
    const site = start(['serve', '--port', '0'], variables);
    const { origin } = await site.logged('ready');
    const page = async () => (await fetch(new URL('/harbours/tallinn-eetll', String(origin)))).status;
    const owner = await openStore({ url: database.url, dataDir: '', app: 'mervare', migrations });
    try {
      expect(await page()).toBe(200);
      const role = sql.id(`${new URL(database.url).pathname.slice(1)}_anonymous`);
      await sql`revoke select on public_harbour from ${role}`.execute(owner.db);
      expect(await page()).toBe(500);
      const { status } = await fetch(new URL('/ready', String(origin)));
      expect(status).toBe(503);
    } finally {
      await owner.close();
      site.child.kill('SIGTERM');
      await site.ended;
    }
  });

  it('MER-70.6 runs on a secret that the database does not know: its own file, or the one that is set, the same for all nodes', async () => {
    const check = async (environment: Record<string, string>) => {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      return [await runCommand(['check'], { ...silent, environment, print: say, complain: say }), said[0]];
    };
    expect(await check(variables)).toEqual([0, expect.any(String)]);
    const file = join(variables.MERVARE_DATA, 'secret');
    const kept = readFileSync(file, 'utf8').trim();
    expect([kept.length, statSync(file).mode & 0o777]).toEqual([43, 0o600]);
    const there = { ...variables, MERVARE_DATA: join(folder, 'second-node') };
    expect(await check(there)).toEqual([
      78,
      expect.stringMatching(
        /^fault: This database belongs to a site with another secret\. Set MERVARE_SECRET to that of its other nodes/,
      ),
    ]);
    expect(await check({ ...there, MERVARE_SECRET: kept })).toEqual([0, expect.any(String)]);
    const store = await openStore({ url: database.url, dataDir: '', app: 'mervare', migrations });
    const { rows } = await sql<{ dump: string }>`
      select schema_to_xml('mervare', true, false, '')::text as dump`.execute(store.db);
    await store.close();
    expect(rows[0]?.dump).toContain('secret_mark');
    expect(rows[0]?.dump).not.toMatch(/private|"d":/);
    expect(rows[0]?.dump).not.toContain(kept);
  });

  it('MER-70.6 makes one secret for nodes that start at once, also where they share the number of their process', async () => {
    const store = await openStore<SiteTables>({ url: database.url, dataDir: '', app: 'mervare', migrations });
    await store.db.deleteFrom('secret_mark').execute();
    const config = { dataDir: join(folder, 'at-once'), secret: undefined };
    const nodes = await Promise.all(Array.from({ length: 8 }, () => openSecret(config, store.db)));
    await store.db.deleteFrom('secret_mark').execute();
    await store.close();
    expect(readdirSync(config.dataDir)).toEqual(['secret']);
    const kept = siteSecret(readFileSync(join(config.dataDir, 'secret'), 'utf8').trim());
    for (const node of nodes) expect(node('any')).toEqual(kept('any'));
  });

  it('MER-70.6 takes no secret that is nearly none, and says where it is out of reach', async () => {
    const refused = async (name: string, make: (file: string) => void) => {
      const data = join(folder, name);
      mkdirSync(data);
      make(join(data, 'secret'));
      const said: string[] = [];
      const say = (line: string) => void said.push(line.replace(data, '…'));
      const terminal = {
        ...silent,
        environment: { ...variables, MERVARE_DATA: data },
        print: say,
        complain: say,
      };
      expect(await runCommand(['check'], terminal)).toBe(78);
      return said;
    };
    expect(await refused('blank', (file) => writeFileSync(file, '\n'))).toEqual([
      'fault: …/secret must hold 32 characters or more. Bring it back from a backup, or remove it to have one made.',
    ]);
    expect(await refused('link', (file) => symlinkSync('nowhere', file))).toEqual([
      'fault: …/secret leads nowhere. Remove it, or bring back what it led to.',
    ]);
    expect(await refused('folder', (file) => mkdirSync(file))).toEqual([
      expect.stringMatching(/^fault: The secret of the site is out of reach: EISDIR/),
    ]);
  });

  it('leaves the endpoint.json of another node alone, and says in a file of its own where it is', async () => {
    const nodes = [1, 2].map(() => start(['serve', '--port', '0'], variables));
    try {
      const told = await Promise.all(nodes.map((node) => node.logged('ready')));
      const files = readdirSync(variables.MERVARE_DATA).filter((name) => name.startsWith('endpoint'));
      const facts = files.map(
        (name) => JSON.parse(readFileSync(join(variables.MERVARE_DATA, name), 'utf8')) as { origin: string },
      );
      expect(files).toHaveLength(2);
      expect(new Set(facts.map(({ origin }) => origin))).toEqual(new Set(told.map((line) => line['origin'])));
    } finally {
      for (const node of nodes) node.child.kill('SIGTERM');
      await Promise.all(nodes.map((node) => node.ended));
    }
    expect(readdirSync(variables.MERVARE_DATA).filter((name) => name.startsWith('endpoint'))).toEqual([]);
  });

  it('ends with 78 and every fault where the configuration is wrong', async () => {
    const { code, err } = await run(['serve', '--host', '0.0.0.0', '--port', '70000'], variables);
    expect([code, err]).toEqual([
      78,
      [
        'mervare: --port must be at most 65535.',
        '  MERVARE_ORIGIN must be set to listen beyond this machine.',
      ],
    ]);
  });

  it('ends with 75 where the port is taken, and leaves no file', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, err } = await run(['serve', '--port', String(port)], variables);
    other.close();
    expect([code, err]).toEqual([75, [expect.stringContaining('The port is in use')]]);
    expect(existsSync(endpoint())).toBe(false);
  });

  it('MER-70.4 runs on a database of its own, which an import joins while it runs', async () => {
    const own = { MERVARE_DATA: join(folder, 'own') };
    const site = start(['serve', '--port', '0'], own);
    const { origin } = await site.logged('ready');
    const file = join(folder, 'marina.geojson');
    const feature = {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [24.8, 59.47] },
      properties: { locode: 'EEPIR', name: 'Pirita', country: 'Estonia' },
    };
    writeFileSync(file, JSON.stringify({ type: 'FeatureCollection', features: [feature] }));
    expect(await run(['harbour', 'import', file], own)).toMatchObject({
      code: 0,
      out: ['1 added, 0 changed, 0 unchanged.'],
    });
    expect((await fetch(new URL('/harbours/pirita-eepir', String(origin)))).status).toBe(200);
    expect(await run(['harbour', 'import', join(folder, 'none.geojson')], own)).toMatchObject({ code: 1 });
    site.child.kill('SIGTERM');
    expect((await site.ended).code).toBe(0);
  });
});

describe('mervare docs', () => {
  it('MER-1.4 writes the same bytes as stand in the repository, and none is left over there', async () => {
    const root = join(folder, 'docs');
    expect((await run(['docs', '--out', root])).code).toBe(0);
    for (const part of ['docs/generated/mervare', 'apps/mervare/__surface__']) {
      const written = readdirSync(join(root, part)).toSorted();
      expect(readdirSync(join(repository, part)).toSorted()).toEqual(written);
      for (const file of written)
        expect(readFileSync(join(root, part, file), 'utf8'), file).toBe(
          readFileSync(join(repository, part, file), 'utf8'),
        );
    }
  });
});
