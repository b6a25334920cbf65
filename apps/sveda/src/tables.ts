import type { ColumnType, Generated } from 'kysely';
import type { Entry, TurnEvent } from '@portolan/agent';
import type { ClientTool, StreamRequest, SvedaEvent, TurnStatus } from '@sveda-ai/protocol';
import type { Remembered } from './tools/memory.ts';

/** JSON in the database: read parsed, written as text. */
type Json<T> = ColumnType<T, string, string>;

/** The tables of Sveda. */
export interface Tables {
  embed_token: {
    id: string;
    visitor_id: string;
    expires_at: Date;
    /** Sealed; absent where the token came without a pair. */
    host_mcp: Buffer | null;
    revoked_at: Date | null;
  };
  chat: {
    id: string;
    visitor_id: string;
    title: string;
    preview: string;
    created_at: Date;
    updated_at: Date;
  };
  turn: {
    id: string;
    chat_id: string;
    ordinal: number;
    status: TurnStatus;
    message: Json<NonNullable<StreamRequest['message']>>;
    context: Json<Record<string, unknown> | null>;
    client_tools: Json<readonly ClientTool[]>;
    /** What the model and its calls did, as far as segments have ended. */
    entries: Json<readonly Entry[]>;
    /** Model calls so far, against the step limit. */
    steps: Generated<number>;
    /** Id of the last event. */
    last_event: Generated<number>;
    /** Grows with every segment: who holds a smaller one has lost the turn. */
    fence: Generated<number>;
    node: string | null;
    lease_until: Date | null;
    stop_requested: Generated<boolean>;
    /** The model that the visitor asked for. */
    model: string | null;
    /** Which tools the last segment offered and left out, and why: for the operator. */
    tools: ColumnType<unknown, string | undefined, string>;
    created_at: Date;
  };
  /** The tools that a chat has known, by the name that the model knows. */
  chat_tools: { chat_id: string; memory: Json<readonly (readonly [string, Remembered])[]> };
  /** Hosts that asked for revision 2026-07-28, by the hash of their address. */
  host_verdict: { url_hash: Buffer; decided_at: Date };
  /** What each segment cost; kept when its chat is erased. */
  usage: {
    id: Generated<string>;
    at: Date;
    policy: string | null;
    input_tokens: number;
    output_tokens: number;
  };
  /** What was streamed, and is read again. */
  event: { turn_id: string; id: number; body: Json<SvedaEvent> };
  /** What the running segment did beyond `turn.entries`: the fold of it continues the history after a crash. */
  segment_log: { turn_id: string; position: number; body: Json<TurnEvent> };
}
