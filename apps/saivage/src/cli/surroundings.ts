import type { Environment } from '@portolan/cli';
import type { Surroundings } from '../config/read.ts';
import { defaultAgents } from '../agents/defaults.ts';
import { operations } from '../operations/registry.ts';

/** What a configuration is judged against in this program. */
export function surroundings(environment: Environment): Surroundings {
  return { environment, operations: operations.map(({ name }) => name), defaultAgents };
}
