import type { Connection, NEWEST } from '@portolan/mcp/connect';
import type { ServerDefinition } from './definition.ts';
import type { Verdicts } from './verdicts.ts';

/** What owners need of the world around them. */
export interface World {
  /** Connects to a server and reads its whole tool list. */
  open(
    definition: ServerDefinition,
    options: { readonly signal: AbortSignal; readonly known: typeof NEWEST | undefined },
  ): Promise<Connection>;
  /** Milliseconds for a refresh with its wait, and for a call from its dispatch. */
  readonly budgets: { readonly refresh: number; readonly call: number };
  readonly verdicts: Verdicts;
  /** Tells the operator's log what became of a server. */
  report(serverName: string, error: unknown): void;
  /** Tells it of a call, without anything that was said. */
  called(facts: {
    readonly serverName: string;
    readonly toolName: string;
    readonly succeeded: boolean;
    readonly durationMs: number;
  }): void;
  readonly now: () => Date;
  readonly newId: () => string;
}
