import type { Transcript } from '@portolan/agent';
import { HttpProblem } from '@portolan/http';
import type { ClientTool, SvedaEvent } from '@sveda-ai/protocol';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import type { TurnRow } from './history.ts';
import type { Wording } from './translate.ts';
import type { Held } from './store.ts';

/** What admits a post needs around it. */
export interface Admission {
  readonly db: Kysely<Tables>;
  readonly wording: Wording;
  /** Name of this node: who holds the turn. */
  readonly node: string;
  readonly leaseMs: number;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** A segment that may run: its turn is held by this node, and its first events are stored. */
export interface Admitted extends Held {
  /** Readers of this post begin after this event. */
  readonly after: number;
  /** The events that follow it so far. */
  readonly events: readonly SvedaEvent[];
  readonly ordinal: number;
  readonly steps: number;
  readonly transcript: Transcript;
  readonly clientTools: readonly ClientTool[];
  readonly context: Record<string, unknown> | undefined;
  /** The model that the visitor asked for. */
  readonly model: string | undefined;
}

/** The columns by which this node holds a turn. */
export function holding({ node, leaseMs }: Pick<Admission, 'node' | 'leaseMs'>) {
  return { status: 'running' as const, node, lease_until: fromNow(leaseMs) };
}

/** So many milliseconds from now, by the clock of the database: those of the nodes differ. */
export function fromNow(ms: number) {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`;
}

/** What is admitted, once `events` are stored after the row's last event. */
export function admitted(
  row: Pick<TurnRow, 'id' | 'chat_id' | 'ordinal' | 'fence' | 'steps' | 'last_event' | 'model'>,
  events: readonly SvedaEvent[],
  transcript: Transcript,
  clientTools: readonly ClientTool[],
  context: Record<string, unknown> | undefined,
): Admitted {
  const { id: turnId, chat_id: chatId, ordinal, fence, steps, last_event: after } = row;
  return {
    turnId,
    chatId,
    ordinal,
    fence,
    steps,
    after,
    events,
    lastEvent: after + events.length,
    transcript,
    clientTools,
    context,
    model: row.model ?? undefined,
  };
}

/** Ids of chats and turns; anything else is not even asked for. */
export function isUuid(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

/** A post that does not fit what is stored. */
export function refused(error: string, message: string): HttpProblem {
  return new HttpProblem(409, error, message);
}
