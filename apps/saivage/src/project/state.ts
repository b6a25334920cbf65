import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { hasHiddenKey, HIDDEN_KEY } from '../config/hidden.ts';

/** What a small JSON file of ours holds. */
export type State<Value> =
  | { readonly found: 'nothing' }
  | { readonly found: 'something else'; readonly reason: string }
  | { readonly found: 'value'; readonly value: Value };

/** Reads a small JSON file and checks its shape. Throws only where the file exists and may not be read. */
export function readState<Value>(file: string, schema: z.ZodType<Value>): State<Value> {
  const text = readText(file);
  if (text === undefined) return { found: 'nothing' };
  const value = parseJson(text);
  if (hasHiddenKey(value)) return { found: 'something else', reason: HIDDEN_KEY };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { found: 'value', value: parsed.data };
  return { found: 'something else', reason: parsed.error.issues[0]?.message ?? 'it is not JSON' };
}

/** Writes a small JSON file whole or not at all, readable by its owner only, and on the disk. One writer at a time. */
export function writeState(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
  flushFolder(dirname(file));
}

/** A rename is on the disk once its folder is. */
function flushFolder(folder: string): void {
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** The text of a file, or undefined where there is none. */
export function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
