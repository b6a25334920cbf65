import { outcome, type Outcome, type ToolResult } from '@portolan/mcp/tool';
import { ServerError } from '../connections/errors.ts';
import { failure } from '../operations/envelope.ts';
import type { Operation } from '../operations/operation.ts';
import { inWords } from '../operations/mcp/failure.ts';
import type { Ledger } from './ledger.ts';

/** What a receipted operation needs besides the operation. */
export interface ReceiptedOptions {
  readonly ledger: Ledger;
  /** Takes an error that nobody expected and answers the reference under which the log holds it. */
  readonly report: (error: unknown, operation: string) => string;
}

/**
 * An operation as external callers get it: every call is written down before it runs and settled before its answer
 * leaves. It never throws, since a caller is owed the envelope also when something breaks.
 */
export function receipted(operation: Operation, { ledger, report }: ReceiptedOptions): Operation {
  const broke = (error: unknown): ToolResult => ({
    ...failure({ code: 'internal', message: `${saysOf(error)} Reference: ${report(error, operation.name)}` }),
    [outcome]: operation.effect === 'reads' ? 'failed' : 'uncertain',
  });
  return {
    ...operation,
    async run(input, call) {
      try {
        const settle = await ledger.admit({ principal: call.caller.name, tool: operation.name });
        const result = await operation.run(input, call).catch(broke);
        await settle(endOf(result)).catch((error: unknown) => report(error, operation.name));
        return result;
      } catch (error) {
        return broke(error);
      }
    },
  };
}

function endOf(result: ToolResult): Outcome {
  return result[outcome] ?? (result.isError ? 'failed' : 'succeeded');
}

/** What a caller may read of an error: all of it where it is about an MCP server, else nothing. */
function saysOf(error: unknown): string {
  return error instanceof ServerError ? inWords(error) : 'Something broke on our side.';
}
