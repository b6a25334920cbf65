import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../../apps/mervare/src/testing/approve.ts';
import type { Front, Passed } from '../front.ts';
import { root } from '../workspace.ts';
import type { Client, Got, Occasion } from './client.ts';
import { personAt } from './person.ts';

/** A door, who stands before it, and what is called behind it. */
export interface Door extends Pick<Occasion, 'tool' | 'input'> {
  readonly path: string;
  /** Somebody new: few may sign in as the same person in a minute. */
  readonly somebody: () => Promise<Account>;
}

/** How a client came through a door, as the door saw it. */
export interface Passage {
  readonly client: string;
  readonly version: string;
  readonly door: string;
  /** The status of its first request, which brought no credential. */
  readonly first: number | undefined;
  /** The revision in which it called. */
  readonly revision: string;
  /** How it became known as a client. */
  readonly registration: string;
  /** What it was given, or what went wrong. */
  readonly got?: Got;
  readonly fault?: string;
}

/** Has a client connect from an empty folder by the address of a door alone. */
export async function passage(client: Client, door: Door, front: Front): Promise<Passage> {
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  const person = await personAt(folder, await door.somebody());
  const before = front.passed.length;
  try {
    const { path, tool, input } = door;
    const occasion = { endpoint: `${front.origin}${path}`, person, folder, tool, input };
    const end = await client.use(occasion).then(
      (got) => ({ got }),
      (error: unknown) => ({ fault: ['fails:', error, ...person.troubles].join(' ').replaceAll('\n', ' ') }),
    );
    const seen = traits(front.passed.slice(before), path);
    return { client: client.name, version: await versionOf(client), door: path, ...seen, ...end };
  } finally {
    person.close();
    await rm(folder, { recursive: true });
  }
}

async function versionOf({ from }: Client): Promise<string> {
  const manifest = await readFile(join(root, 'node_modules', from, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function traits(seen: readonly Passed[], path: string) {
  const first = seen.find((one) => one.path === path && one.headers.authorization === undefined);
  const call = seen.findLast((one) => one.path === path && one.body.includes('"tools/call"'));
  const registered = seen.some((one) => one.path === '/api/oauth/register' && one.status === 201);
  const asked = seen.find((one) => one.path.startsWith('/api/oauth/authorize?'));
  const id = new URL(asked?.path ?? '/', 'http://front.example').searchParams.get('client_id') ?? '';
  return {
    first: first?.status,
    revision: String(call?.headers['mcp-protocol-version'] ?? 'none'),
    registration: registered
      ? 'registered itself'
      : id.startsWith('https://')
        ? 'metadata document'
        : 'not asked for',
  };
}

/** The passages as a page. */
export function pageOf(passages: readonly Passage[]): string {
  const lines = passages.map((one) => [
    one.client,
    one.version,
    one.door,
    one.revision,
    one.registration,
    one.fault ?? 'lists its tools and calls one',
  ]);
  const heads = ['client', 'version', 'door', 'called at revision', 'as a client', 'result'];
  const table = [heads, heads.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  return `${preface}\n${table}\n`;
}

const preface = `# Clients that connect by the address alone

Written by \`npx vitest run tests/clients -u\`, and compared by every run of the tests; never edited by hand.

Each client begins with an empty memory and is given the address of a door and nothing else: no client id, no token, no scope. At
\`/api/mcp\` and \`/api/mcp/builder\` its first request is answered 401; it finds the documents, becomes known as a client, sends its person to
sign in and to consent, redeems the code, lists the tools and calls \`survey_capabilities\`, \`builder_worker_status\` or \`harbour_search\`.
Programs open the person's browser as on any machine. What a line says was seen at the door.

fastmcp, a framework for servers, brings no client of its own.
`;
