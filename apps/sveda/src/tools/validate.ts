import type { Validate } from '@portolan/agent';
import { isFault, readSchema, validate } from '@portolan/mcp/schema';

/** Says in words what is wrong with the arguments of a call, or that its tool's schema cannot be used. */
export const validateInput: Validate = (source, input) => {
  const schema = readSchema(source);
  if (isFault(schema)) return schema.says;
  const verdict = validate(schema, input);
  if (verdict.kind === 'valid') return undefined;
  return verdict.kind === 'invalid' ? verdict.rows.join('; ') : verdict.fault.says;
};

/** Milliseconds of the processor that one segment may take for its checks: while a schema is compiled, nobody else is served. */
const BUDGET_MS = 1_000;

/**
 * Checks for one segment. Once its budget is used up, which takes schemas that were written for it, further calls are at fault
 * unchecked. `clock` counts milliseconds of the processor.
 */
export function openValidation(clock: () => number): Validate {
  let spent = 0;
  return (source, input) => {
    if (spent >= BUDGET_MS)
      return 'The arguments cannot be checked: the schemas of these tools take too long.';
    const began = clock();
    try {
      return validateInput(source, input);
    } finally {
      spent += clock() - began;
    }
  };
}
