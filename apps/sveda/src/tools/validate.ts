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
