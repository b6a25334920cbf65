import type { Actor } from './audit.ts';

/** One text for one actor, such as `builder_token:ci`. Names of different kinds of credential never meet. */
export function actorId({ kind, name }: Actor): string {
  return `${kind}:${name}`;
}
