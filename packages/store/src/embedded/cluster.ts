import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Misconfigured } from '../errors.ts';
import { scramVerifier } from '../scram.ts';
import { failure, syncPath, syncTree } from './disk.ts';
import { clusterIn, credentialsIn, type Layout } from './layout.ts';
import { missingProgram } from './platform.ts';
import { type Host, startProgram } from './program.ts';

/** How the app logs in to its own server: role and database are named after it. */
export interface Credentials {
  readonly app: string;
  readonly password: string;
}

/** The version of PostgreSQL that our binaries are. */
const MAJOR = '18';

/** The credentials of the cluster, which is made at the first start. Call with the lock held. */
export async function ensureCluster(host: Host, layout: Layout, app: string): Promise<Credentials> {
  await clearUnfinished(layout);
  const there = await stat(layout.main).catch(() => undefined);
  if (there === undefined) await createCluster(host, layout, app);
  const credentials = await readCredentials(layout, app);
  await requireOurs(host, clusterIn(layout.main), app);
  return credentials;
}

async function readCredentials({ main, home }: Layout, app: string): Promise<Credentials> {
  const credentials = JSON.parse(await readFile(credentialsIn(main), 'utf8')) as Credentials;
  if (credentials.app !== app) throw otherApp(home, credentials.app, app);
  return credentials;
}

/** Two apps never share a data folder. */
export function otherApp(home: string, owner: string, app: string): Misconfigured {
  return new Misconfigured(
    'other_app',
    `${home} holds the database of ${owner}: give ${app} a data folder of its own`,
  );
}

async function requireOurs({ account }: Host, cluster: string, app: string): Promise<void> {
  const { uid } = await stat(cluster);
  if (uid !== account.uid)
    throw new Misconfigured(
      'other_user',
      `${cluster} belongs to the user with id ${uid}: run ${app} as the user that made it`,
    );
  const major = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (major !== MAJOR)
    throw new Misconfigured(
      'other_major',
      `${cluster} was made by PostgreSQL ${major}, this release brings ${MAJOR}: write the data out with the release that made it ` +
        `(${app} export), then read it into a new data folder with this one (${app} import)`,
    );
}

/**
 * Built beside its place without waiting for the disk, then brought to the disk as a whole, then moved to its place: a kill or a power
 * failure at any moment leaves no half of it.
 */
async function createCluster(host: Host, layout: Layout, app: string): Promise<void> {
  const credentials = { app, password: randomBytes(24).toString('base64url') };
  const fresh = await mkdtemp(join(layout.home, UNFINISHED));
  const cluster = clusterIn(fresh);
  await mkdir(cluster, { mode: 0o700 });
  await chown(cluster, host.account.uid, host.account.gid);
  await run(host, 'initdb', [...INITDB, `--pgdata=${cluster}`], '');
  await run(
    host,
    'postgres',
    ['--single', '-j', '-c', 'fsync=off', '-D', cluster, 'postgres'],
    firstStatements(credentials),
  );
  await writeFile(credentialsIn(fresh), JSON.stringify(credentials), { mode: 0o600, flag: 'wx' });
  await syncTree(fresh);
  await rename(fresh, layout.main);
  await syncPath(layout.home);
}

const UNFINISHED = 'new-';

/** The superuser gets no password and no other way in: only somebody who owns the files can become it, in single-user mode. */
const INITDB = [
  '--username=postgres',
  '--auth-local=scram-sha-256',
  '--auth-host=reject',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-sync',
  '--no-instructions',
];

/** The app's role owns its database and may make restricted roles, and further databases on this server, which is its own. */
function firstStatements({ app, password }: Credentials): string {
  return [
    `create role ${app} login createrole createdb password '${scramVerifier(password)}';`,
    `create database ${app} owner ${app};`,
    `revoke all on database ${app}, postgres, template1 from public;`,
  ]
    .map((statement) => `${statement}\n\n`)
    .join('');
}

const PROGRAM_MS = 300_000;

async function run(host: Host, name: string, args: readonly string[], input: string): Promise<void> {
  const child = startProgram(host, 'KILL', name, args);
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('The child has no pipes');
  stdin.on('error', () => undefined).end(input);
  stdout.resume();
  const impatience = setTimeout(() => child.kill('SIGKILL'), PROGRAM_MS);
  try {
    const [said, [code]] = (await Promise.all([text(stderr), once(child, 'close')])) as [
      string,
      [number | null],
    ];
    // In single-user mode a failed statement does not change the exit code.
    if (code !== 0 || /^.*(ERROR|FATAL|PANIC): /m.test(said))
      throw failure(`${name} failed (${code})`, said.trim().slice(-2_000));
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? missingProgram('setpriv', error) : error;
  } finally {
    clearTimeout(impatience);
  }
}

async function clearUnfinished({ home }: Layout): Promise<void> {
  for (const name of await readdir(home))
    if (name.startsWith(UNFINISHED)) await rm(join(home, name), { recursive: true, maxRetries: 5 });
}
