import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What one app key is good for: signing tokens and sealing credentials, each with a key of its own. */
export interface AppKey {
  /** Stands in what was signed or sealed, so that keys can rotate. */
  readonly id: string;
  readonly signing: Buffer;
  readonly sealing: Buffer;
}

/** The keys in force: the first one signs and seals, all of them open. */
export type AppKeys = readonly [AppKey, ...AppKey[]];

/** Fewest characters of an app key that an operator sets. */
export const SHORTEST_KEY = 32;

/** Keys of the given secrets, the newest first. */
export function appKeys([newest, ...older]: readonly [string, ...string[]]): AppKeys {
  return [appKey(newest), ...older.map(appKey)];
}

function appKey(secret: string): AppKey {
  const derive = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const id = createHash('sha256').update(derive('sveda key id')).digest('hex').slice(0, 8);
  return { id, signing: derive('sveda embed token'), sealing: derive('sveda host credentials') };
}

/** The key that a server without one makes for itself, once, in its data folder (mode 0600). */
export async function generatedKey(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-key');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const made = await open(file, 'wx', 0o600);
    await made.writeFile(randomBytes(32).toString('base64url'));
    await made.sync();
    await made.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await readFile(file, 'utf8')).trim();
}
