import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StdioDefinition } from '../definition.ts';

/** What the scripted server does (see peer.mjs). Without a word it is a decent server with a few tools. */
export interface Script {
  readonly stderr?: string;
  /** Ignores SIGTERM and the end of its input. */
  readonly deaf?: boolean;
  /** Starts a child that sleeps so many seconds in a session of its own. */
  readonly nap?: number;
  readonly initializeMs?: number;
  /** Written raw to stdout before initialize is answered. */
  readonly beforeInitialize?: readonly string[];
  /** Exits with this code instead of answering initialize. */
  readonly exit?: number;
  /** Refuses initialize, naming these revisions. */
  readonly refuse?: readonly string[];
  readonly revision?: string;
  /** Does not know server/discover. */
  readonly legacy?: boolean;
  readonly pageMs?: number;
  /** Asks this of the client before it answers a page. */
  readonly pageAsks?: string;
  /** Every page is empty and names another cursor. */
  readonly endless?: boolean;
  readonly pages?: readonly PageScript[];
  /** Every tool says its name. Without this, a call of a tool that only `pages` know ends the server. */
  readonly sayNames?: boolean;
  /** File for every message that the server receives. */
  readonly log?: string;
}

/** One page of the tool list; `before` is written raw to stdout ahead of it. A silent one never comes. */
export interface PageScript {
  readonly silent?: boolean;
  readonly tools?: unknown;
  readonly nextCursor?: unknown;
  readonly before?: readonly string[];
  readonly error?: { readonly code: number; readonly message: string };
}

const PEER = fileURLToPath(new URL('peer.mjs', import.meta.url));

/** The definition of a scripted server. */
export function scripted(script: Script = {}, env: Record<string, string> = {}): StdioDefinition {
  const args = [PEER, JSON.stringify(script)];
  return {
    transport: 'stdio',
    command: process.execPath,
    args,
    env: { PATH: '/usr/bin:/bin', ...env },
    cwd: tmpdir(),
  };
}

/** A log file for one scripted server. */
export function openLog() {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-peer-'));
  const file = join(folder, 'log');
  writeFileSync(file, '');
  return {
    file,
    /** The messages that it received. */
    received: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map(
          (line) =>
            JSON.parse(line) as {
              method?: string;
              params?: Record<string, unknown>;
              id?: unknown;
              result?: unknown;
            },
        ),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A tool as a server lists it. */
export function listed(name: string, more: object = {}) {
  return { name, inputSchema: { type: 'object' }, ...more };
}
