import { getStatus } from './get-status.ts';
import type { Operation } from './operation.ts';
import { read } from './read.ts';
import { showConfig } from './show-config.ts';

/** Every operation that this program has, each working. */
export const operations: readonly Operation[] = [getStatus, showConfig, read];

/** What the Analyst is granted where the configuration does not say. */
export const defaultGrants: readonly string[] = [getStatus, showConfig, read].map(({ name }) => name);
