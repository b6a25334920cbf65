import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { exitCodes, Trouble } from '@portolan/cli';
import { z } from 'zod';
import { writePrivate } from './private-file.ts';

/** Secrets by the environment variable that hands each to its app. */
export type Secrets = Readonly<Record<string, string>>;

/**
 * The secrets of a home, kept from start to start; those that are missing are made, and `made` names them. Throws when the file
 * is not ours.
 */
export async function keepSecrets(
  file: string,
  names: readonly string[],
): Promise<{ readonly secrets: Secrets; readonly made: readonly string[] }> {
  const kept = await read(file);
  const made = names.filter((name) => kept[name] === undefined);
  const secrets = { ...kept, ...Object.fromEntries(made.map((name) => [name, newSecret()])) };
  await writePrivate(file, secrets);
  return { secrets, made };
}

const newSecret = () => randomBytes(32).toString('base64url');

const Kept = z.record(z.string(), z.string().min(32));

async function read(file: string): Promise<Secrets> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    return Kept.parse(JSON.parse(text));
  } catch {
    throw new Trouble(
      `${file} does not hold the secrets of a stack. Remove it to make new ones.`,
      exitCodes.configuration,
    );
  }
}
