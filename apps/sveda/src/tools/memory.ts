import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What a chat remembers of a tool that it was offered. */
export interface Remembered {
  /** Its source: a name is one tool's for as long as the chat lives. */
  readonly from: string;
  /** Fingerprint of its definition. */
  readonly print: string;
  /** Its calls are asked for: it once said so, or it has changed. */
  readonly asks: boolean;
}

/** The tools that a chat has known, by the name that the model knows. */
export type Memory = ReadonlyMap<string, Remembered>;

/** Tools that a chat remembers. One that is new beyond that is asked for like one that has changed. */
const MOST = 2_000;

/** A tool set beside what the chat remembers of it. */
export interface Recollection {
  readonly asks: boolean;
  /** Another tool had the name: a call that was made to that one is not this one's. */
  readonly isAnother: boolean;
  /** Its definition is not the one that the chat knew. */
  readonly hasChanged: boolean;
}

/**
 * Compares a tool with the one that the chat knew by its name, and remembers it. Within a chat protection only grows: a flag
 * that was dropped still holds, and a definition that changed is asked for. The page's own definitions may change with the page.
 */
export function recollect(
  memory: Map<string, Remembered>,
  name: string,
  tool: { readonly from: string; readonly definition: unknown; readonly confirmation: boolean },
): Recollection {
  const before = memory.get(name);
  const print = fingerprint(tool.definition);
  const isAnother = before !== undefined && before.from !== tool.from;
  const hasChanged =
    isAnother || (before !== undefined && before.print !== print && tool.from !== 'frontend');
  const isFull = before === undefined && memory.size >= MOST;
  const asks = tool.confirmation || before?.asks === true || hasChanged || isFull;
  if (!isFull) memory.set(name, { from: tool.from, print, asks });
  return { asks, isAnother, hasChanged };
}

/** The same for equal JSON, whatever the order of its members. */
export function fingerprint(definition: unknown): string {
  const sorted = JSON.stringify(definition, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('base64url');
}

/** What a chat remembers. */
export async function readMemory(db: Kysely<Tables>, chatId: string): Promise<Map<string, Remembered>> {
  const row = await db
    .selectFrom('chat_tools')
    .select('memory')
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
  return new Map(row?.memory);
}

/** Keeps what a chat remembers, unless it is what it has remembered before. */
export async function keepMemory(
  db: Kysely<Tables>,
  chatId: string,
  before: Memory,
  memory: Memory,
): Promise<void> {
  const text = JSON.stringify([...memory]);
  if (text === JSON.stringify([...before])) return;
  await db
    .insertInto('chat_tools')
    .values({ chat_id: chatId, memory: text })
    .onConflict((on) => on.column('chat_id').doUpdateSet({ memory: text }))
    .execute();
}
