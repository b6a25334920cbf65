import type { Caller, Definition, Tool } from '@portolan/mcp/tool';
import type { Transaction } from 'kysely';
import type { z } from 'zod';
import { recordAudit } from '../audit/audit.ts';
import { once } from '../idempotency/once.ts';
import { tool } from '../mcp/tool.ts';
import type { Deps, Grant, Scope } from '../mcp/vocabulary.ts';
import type { SiteTables } from '../tables.ts';

/** What a handler that changes something gets besides its input. */
export interface Change {
  /** All that it does stands or falls with this transaction, its row in the audit trail too. */
  readonly tx: Transaction<SiteTables>;
  readonly caller: Caller;
  /** The site's own, for addresses in answers and letters. */
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What a handler that changed something says. */
export interface Changed<Answer> {
  readonly answer: Answer;
  /** What it was about, for the audit trail. */
  readonly ids: readonly string[];
}

type Keyed<Input> = Input & { readonly idempotencyKey?: string };

/** The input without its key, which is no business of a handler. */
type Asked<I extends z.ZodObject> = Omit<Keyed<z.output<I>>, 'idempotencyKey'>;

/**
 * Defines a tool that changes something: its handler runs in one transaction, with its row in the audit trail, and at most once for an
 * `idempotencyKey` where its input has one. A refusal leaves nothing behind.
 */
export function change<I extends z.ZodObject, O extends z.ZodType>(
  name: string,
  definition: Definition<I, O, Scope, Grant>,
) {
  return {
    run(handler: (asked: Asked<I>, change: Change) => Promise<Changed<z.input<O>>>): Tool<Deps> {
      return tool<I, O>(name, definition).run((input, { deps, caller }) =>
        deps.db.transaction().execute((tx) => {
          const now = deps.now();
          const { idempotencyKey: key, ...asked } = input as Keyed<z.output<I>>;
          const work = async () => {
            const { answer, ids } = await handler(asked, { tx, caller, origin: deps.origin, now });
            await recordAudit(tx, { by: caller, action: name, ids, at: now });
            return answer;
          };
          if (key === undefined) return work();
          return once(tx, { actor: caller, tool: name, key, input: asked, now }, work);
        }),
      );
    },
  };
}
