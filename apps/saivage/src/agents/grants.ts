import { Misconfigured } from '@portolan/mcp/tool';
import type { Operation } from '../operations/operation.ts';

/**
 * The operations that an agent is granted, in the order of its grants: nothing is implied by another grant. Throws
 * `Misconfigured` for a name without an operation behind it.
 */
export function grantedOperations(
  agent: string,
  grants: readonly string[],
  operations: readonly Operation[],
): readonly Operation[] {
  return grants.map((name) => {
    const operation = operations.find((one) => one.name === name);
    if (!operation)
      throw new Misconfigured(`The agent "${agent}" is granted "${name}": there is no such operation.`);
    return operation;
  });
}
