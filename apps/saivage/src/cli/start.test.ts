import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { childrenOf, freePort } from '@portolan/process/testing';
import { openStore, type Store } from '@portolan/store';
import { sql, type RawBuilder } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ProjectFolder } from '../project/folder.ts';
import type { ReceiptTables } from '../receipts/ledger.ts';
import { migrations } from '../receipts/migrations.ts';
import { environment, processOfTest, startProcess, type ServerProcess } from '../testing/process.ts';
import { emptyFolder, folderOfTest, makeProject, removeFolder } from '../testing/project.ts';
import { receiptsOf } from '../testing/receipts.ts';
import { callOf, goodRequest } from '../testing/requests.ts';
import { analystToken } from '../testing/server.ts';
import { run } from '../testing/terminal.ts';
import { exchange, headBytes } from '../testing/wire.ts';

const start = promisify(execFile);

/** For a machine that does much else. */
const PATIENT = { timeout: 60_000 };
const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const call = (server: ServerProcess, name = 'get_status') => {
  const parts = goodRequest(server, callOf(name));
  return exchange(server.analystPort, headBytes(parts) + parts.body);
};

const refused = async (port: number, host: string) => {
  const socket = connect({ port, host });
  const [error] = (await Promise.race([once(socket, 'error'), once(socket, 'connect')])) as [Error?];
  socket.destroy();
  return error !== undefined;
};

describe('saivage start, running', () => {
  let folder: ProjectFolder;
  let server: ServerProcess;
  beforeAll(async () => {
    folder = makeProject(emptyFolder());
    server = await startProcess(folder, '0.0.0.0');
  });
  afterAll(async () => {
    await server.end('SIGTERM');
    removeFolder(folder);
  });

  it('SAI-21.1 prints the exact endpoint, and where the operator is', () => {
    expect(server.printed).toEqual([
      `Saivage works on ${folder.root}`,
      expect.stringMatching(/^Operator API: http:\/\/0\.0\.0\.0:\d+$/),
      expect.stringMatching(
        new RegExp(
          `^Analyst MCP endpoint: http://127\\.0\\.0\\.1:${server.analystPort}/mcp/analyst/[0-9a-f]{64}$`,
        ),
      ),
    ]);
  });

  it('SAI-21.2 binds the Analyst to 127.0.0.1, whatever the operator host is', async () => {
    const operator = Number(new URL(server.origin).port);
    expect(await refused(operator, '127.0.0.2')).toBe(false);
    expect(await refused(server.analystPort, '127.0.0.1')).toBe(false);
    expect(await refused(server.analystPort, '127.0.0.2')).toBe(true);
    expect(await refused(server.analystPort, '::1')).toBe(true);
  });

  it('SAI-2.3 says in a file of its owner where it is reached', () => {
    expect(statSync(folder.endpoint).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(folder.endpoint, 'utf8'))).toEqual({
      pid: server.child.pid,
      startTime: expect.any(Number),
      origin: server.origin,
      analystUrl: server.analystUrl,
    });
  });

  it('SAI-1.4 is found by saivage status', async () => {
    const { code, out } = await run(['status', '--json'], { workingFolder: folder.root });
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { state: 'running', pid: server.child.pid, origin: server.origin, analystUrl: server.analystUrl },
    ]);
    expect((await run(['status'], { workingFolder: folder.root })).out).toContain(
      `running (process ${server.child.pid})`,
    );
  });

  it('SAI-4.1 refuses a second server for the project', async () => {
    const ran = await run(['start', '--port', '0'], { workingFolder: folder.root });
    expect(ran).toEqual({
      code: 1,
      out: '',
      complaint: `saivage: Saivage already runs for this project, as process ${server.child.pid}.`,
    });
  });

  it('leaves nothing open where the port of its Analyst is taken', async () => {
    const other = makeProject(folderOfTest());
    const port = await freePort();
    const analyst = ['--analyst-mode', 'both', '--analyst-mcp-port', `${server.analystPort}`];
    const rights = ['--analyst-mcp-principal', 'local-operator', '--analyst-mcp-tools', 'get_status'];
    const ran = await run(['start', '--port', `${port}`, ...analyst, ...rights], {
      workingFolder: other.root,
      environment: { SAIVAGE_ANALYST_MCP_TOKEN: analystToken },
    });
    expect([ran.code, ran.out]).toEqual([75, '']);
    expect(ran.complaint).toContain(`address already in use 127.0.0.1:${server.analystPort}`);
    expect(await refused(port, '127.0.0.1')).toBe(true);
    expect([existsSync(other.endpoint), readdirSync(other.locks)]).toEqual([false, []]);
  });

  it('SAI-28.1 serves the documented client example, unchanged', async () => {
    const example = path('../../examples/analyst-client.mjs');
    const env = { ...environment, ANALYST_MCP_URL: server.analystUrl };
    expect(await start(process.execPath, [example], { env })).toEqual({ stdout: '', stderr: '' });
    const wrong = { ...env, SAIVAGE_ANALYST_MCP_TOKEN: 'wrong' };
    await expect(start(process.execPath, [example], { env: wrong })).rejects.toThrow(/401|Unauthorized/i);
  });

  it('SAI-28.3 serves the Inspector', async () => {
    const inspector = path('../../../../node_modules/.bin/mcp-inspector');
    const flags = [
      '--cli',
      server.analystUrl,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${analystToken}`,
    ];
    const list = await start(inspector, [...flags, '--method', 'tools/list'], { env: environment });
    expect((JSON.parse(list.stdout) as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual([
      'get_status',
      'show_config',
      'read',
    ]);
    const status = await start(inspector, [...flags, '--method', 'tools/call', '--tool-name', 'get_status'], {
      env: environment,
    });
    expect(JSON.parse(status.stdout)).toMatchObject({ structuredContent: { success: true } });
  });

  it("SAI-20.6 keeps its secrets out of every child's environment, of arguments and of the log", async () => {
    await call(server);
    const children = descendants(server.child.pid ?? 0);
    const environments = children.map(environmentOf).filter(Boolean);
    expect(environments.length).toBeGreaterThan(0);
    for (const text of environments) expect(text).not.toMatch(/SAIVAGE_|token-of-tests/);
    expect(readFileSync(`/proc/${server.child.pid}/cmdline`, 'utf8')).not.toContain('token-of-tests');
    expect(server.logged()).not.toContain('token-of-tests');
  });
});

describe('saivage start, ending', () => {
  it('SAI-25.3 joins admitted work at SIGTERM, takes none after it, and leaves nothing behind', async () => {
    const folder = makeProject(folderOfTest());
    const server = await processOfTest(folder);
    const database = await guest(folder);
    // While the table is locked, the receipt of a call cannot be written: the call is admitted and waits.
    const { working, unlock } = await lockReceipts(database, () => call(server));
    const ended = server.end('SIGTERM');
    await expect.poll(() => refused(server.analystPort, '127.0.0.1'), PATIENT).toBe(true);
    expect(server.child.exitCode).toBeNull();
    await unlock();
    await database.close();
    const reply = await working;
    expect([reply.status, await ended]).toEqual([200, 0]);
    expect(JSON.parse(reply.body)).toMatchObject({ result: { structuredContent: { success: true } } });
    expect([existsSync(folder.endpoint), readdirSync(folder.locks)]).toEqual([false, []]);
  });

  it('SAI-27.3 SAI-4.2 starts again after kill -9 with every receipt, and admits what it does not know', async () => {
    const folder = makeProject(folderOfTest());
    const first = await processOfTest(folder);
    await call(first);
    await call(first, 'show_config');
    const kept = await receiptsOf(first);
    const database = await guest(folder);
    const { working, unlock } = await lockSettling(database, () => call(first));
    expect(await first.end('SIGKILL')).toBe('SIGKILL');
    await expect(working).rejects.toThrow();
    // The database may already have ended with its server, and the lock with it.
    await Promise.allSettled([unlock()]);
    await database.close();
    expect((await run(['status'], { workingFolder: folder.root })).out).toBe('stopped');

    const second = await processOfTest(folder);
    const [uncertain, ...others] = await receiptsOf(second);
    expect(uncertain).toMatchObject({
      tool: 'get_status',
      principal: 'local-operator',
      outcome: 'uncertain',
    });
    expect(others).toEqual(kept);
    await second.end('SIGTERM');
  });
});

/** The database of a running server, as another process of the project joins it. */
function guest({ data }: ProjectFolder): Promise<Store<ReceiptTables>> {
  return openStore<ReceiptTables>({ dataDir: data, app: 'saivage', migrations });
}

/** Holds every write of receipts while `work` runs against them. */
function lockReceipts<Result>(store: Store<ReceiptTables>, work: () => Promise<Result>) {
  return held(store, sql`lock table external_tool_call in exclusive mode`, work);
}

/** Lets receipts begin, but never be settled as succeeded: what still waits when the lock is free fails then. */
async function lockSettling<Result>(store: Store<ReceiptTables>, work: () => Promise<Result>) {
  await sql`create function hold_settling() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(7); raise exception ''never settled''; end'`.execute(store.db);
  await sql`create trigger hold_settling before update on external_tool_call
    for each row when (new.outcome = 'succeeded') execute function hold_settling()`.execute(store.db);
  const { working, unlock } = await held(store, sql`select pg_advisory_xact_lock(7)`, work);
  return { working, unlock };
}

/** Takes a database lock, begins the work, and waits until the work waits for the lock. */
async function held<Result>(
  store: Store<ReceiptTables>,
  lock: RawBuilder<unknown>,
  work: () => Promise<Result>,
) {
  const holder = await store.db.startTransaction().execute();
  await lock.execute(holder);
  const working = work();
  working.catch(() => undefined);
  await expect.poll(() => waitingForLocks(store), PATIENT).toBeGreaterThan(0);
  return { working, unlock: () => holder.rollback().execute() };
}

async function waitingForLocks({ db }: Store<ReceiptTables>): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_locks where not granted`.execute(db);
  return rows[0]?.waiting ?? 0;
}

/** The environment that a process was started with; nothing of one that has just ended. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** All that descend from a process. */
function descendants(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendants(child)]);
}
