import { createHash } from 'node:crypto';
import { Misconfigured } from '@portolan/mcp/tool';
import { z } from 'zod';
import { readState } from './state.ts';

/** `.saivage/project.json`: who the project is. Made once by `saivage init`. */
export const Identity = z.strictObject({
  id: z.uuid(),
  name: z.string().min(1).max(200),
  created_at: z.iso.datetime(),
});
export type Identity = z.infer<typeof Identity>;

/** Reads the identity of a project. Throws `Misconfigured` when it is missing or not as `init` writes it. */
export function readIdentity(file: string): Identity {
  const state = readState(file, Identity);
  if (state.found === 'value') return state.value;
  if (state.found === 'nothing') throw new Misconfigured(`There is no ${file}. Run \`saivage init\` first.`);
  throw new Misconfigured(`${file} is not a project's identity: ${state.reason}.`);
}

/** The address of a project in its Analyst URL: lower-case hex SHA-256 of its id and time of creation. */
export function identityDigest({ id, created_at }: Pick<Identity, 'id' | 'created_at'>): string {
  return createHash('sha256').update(JSON.stringify({ id, created_at })).digest('hex');
}

/** The project's name as others may be shown it: one line of at most 80 visible characters. */
export function safeName({ name }: Pick<Identity, 'name'>): string {
  const visible = name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return Array.from(visible).slice(0, 80).join('') || 'unnamed';
}
