import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@portolan/store';
import { testDatabase, type TestDatabase } from '@portolan/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../migrations.ts';
import { signInWith } from '../people/accounts.ts';
import type { SiteTables } from '../tables.ts';
import { runCommand } from './program.ts';
import { bin, run, start } from '../testing/command.ts';

let folder: string;
let database: TestDatabase;
let store: Store<SiteTables>;
let variables: { DATABASE_URL: string; MERVARE_DATA: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mervare-admin-'));
  database = await testDatabase({ app: 'mervare', migrations });
  store = await openStore({ url: database.url, dataDir: '', app: 'mervare', migrations });
  variables = { DATABASE_URL: database.url, MERVARE_DATA: join(folder, 'data') };
});
afterAll(async () => {
  await store.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** Runs a command line on a terminal of its own, where somebody types this once it is asked for. */
async function onTerminal(line: string, typed?: string): Promise<string> {
  const { PATH } = process.env;
  const child = spawn('script', ['-qec', `${process.execPath} ${bin} ${line}`, '/dev/null'], {
    env: { ...(PATH && { PATH }), ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (typed !== undefined && shown.endsWith('Password: ')) child.stdin.write(`${typed}\r`);
  });
  await once(child, 'close');
  return shown;
}

/** Runs a command line in this process, where nobody sits at a terminal: its exit code and what it said. */
async function inProcess(args: readonly string[], typed = ''): Promise<[code: number, said: string]> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const code = await runCommand(args, {
    environment: variables,
    print: say,
    complain: say,
    isTerminal: false,
    readSecret: () => Promise.resolve(typed),
  });
  return [code, said.join('\n')];
}

const superAdmins = async () =>
  (
    await store.db
      .selectFrom('person')
      .select('email')
      .where('is_super_admin', '=', true)
      .orderBy('email')
      .execute()
  ).map(({ email }) => email);

describe('MER-27.5 a start that names a password', () => {
  const started = async (password: string) => {
    const site = start(['serve', '--port', '0'], { ...variables, MERVARE_ADMIN_PASSWORD: password });
    const { origin } = await site.logged('ready');
    const signIn = await fetch(new URL('/login', String(origin)), {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ email: 'admin@localhost', password }),
    });
    site.child.kill('SIGTERM');
    const { out, err } = await site.ended;
    expect(out.join() + err.join()).not.toContain(password);
    return signIn.status;
  };

  it('makes the first super admin, and never a second one', async () => {
    expect(await started('of the very first start')).toBe(303);
    expect(await started('of a later start here')).toBe(401);
    expect(await superAdmins()).toEqual(['admin@localhost']);
  });
});

describe('MER-27.5 MER-70.5 mervare admin', () => {
  it('makes a super admin whose password somebody at a terminal sees once', async () => {
    const shown = await onTerminal('admin create Ada@Mervare.example --name Ada');
    const [, password = ''] = /Password: ([\w-]{20})\s/.exec(shown) ?? [];
    expect(shown).toContain('It is not kept and not shown again.');
    expect(await signInWith(store.db, 'ada@mervare.example', password)).toEqual(expect.any(String));
    expect(await superAdmins()).toEqual(['ada@mervare.example', 'admin@localhost']);
  });

  it('asks for the password on a terminal without showing it, and ends the sessions of the account', async () => {
    const password = 'typed by a person here';
    const shown = await onTerminal('admin password ada@mervare.example --ask', password);
    expect(shown).toContain(
      'Set the password of ada@mervare.example. Every session of this account has ended.',
    );
    expect(shown).not.toContain(password);
    expect(await signInWith(store.db, 'ada@mervare.example', password)).toEqual(expect.any(String));
  });

  it('reads it from standard input, and never prints a made one where nobody reads', async () => {
    expect(
      await run(['admin', 'create', 'ben@mervare.example', '--ask'], variables, 'piped to the command\n'),
    ).toEqual({
      code: 0,
      out: ['Made the super admin ben@mervare.example.'],
      err: [],
    });
    expect(await signInWith(store.db, 'ben@mervare.example', 'piped to the command')).toEqual(
      expect.any(String),
    );
    expect(await inProcess(['admin', 'create', 'cleo@mervare.example'])).toEqual([
      64,
      'mervare: Nobody reads a made password here: give one on standard input, with --ask.',
    ]);
  });

  it('refuses what will not do, in one sentence', async () => {
    for (const [args, typed, says] of [
      [
        ['create', 'ben@mervare.example'],
        'long enough for one',
        'There is an account with the address ben@mervare.example already.',
      ],
      [['create', 'short@mervare.example'], 'short', 'A password has 12 to 200 characters.'],
      [['create', 'no address'], 'long enough for one', 'This is not an e-mail address.'],
      [
        ['password', 'nobody@mervare.example'],
        'long enough for one',
        'There is no account with the address nobody@mervare.example.',
      ],
    ] as const)
      expect(await inProcess(['admin', ...args, '--ask'], typed)).toEqual([1, `mervare: ${says}`]);
  });
});
