import { readFile } from 'node:fs/promises';

/** The user that the server's files belong to and the server runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  /** Arguments of setpriv(1) that turn us into that user. */
  readonly become: readonly string[];
}

/** PostgreSQL refuses to run as root, so root's servers run as nobody. */
const NOBODY = 65_534;

const DAC_OVERRIDE = 1n;
const DAC_READ_SEARCH = 2n;
const SETPCAP = 8n;

/**
 * Who runs the server. Root hands nobody one single capability: to pass through folders that only root may enter, for the data folder
 * lies below one. No password or role of the database gives a way to that capability: its superuser cannot log in.
 */
export async function serverAccount(): Promise<Account> {
  const uid = process.geteuid?.() ?? NOBODY;
  if (uid !== 0) return { uid, gid: process.getegid?.() ?? uid, become: ['--no-new-privs'] };
  const held = await capabilities();
  const pass = holds(held, DAC_READ_SEARCH)
    ? '+dac_read_search'
    : holds(held, DAC_OVERRIDE)
      ? '+dac_override'
      : '';
  const only = ['-all', pass].filter(Boolean).join(',');
  const bounds = holds(held, SETPCAP) ? [`--bounding-set=${only}`] : [];
  return {
    uid: NOBODY,
    gid: NOBODY,
    become: [
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      '--clear-groups',
      `--inh-caps=${only}`,
      `--ambient-caps=${only}`,
      ...bounds,
      '--no-new-privs',
    ],
  };
}

async function capabilities(): Promise<bigint> {
  const status = await readFile('/proc/self/status', 'utf8');
  return BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
}

function holds(capabilities: bigint, bit: bigint): boolean {
  return ((capabilities >> bit) & 1n) === 1n;
}
