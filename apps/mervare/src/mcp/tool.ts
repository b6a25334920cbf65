import { toolsFor } from '@portolan/mcp/tool';
import type { Deps, Grant, Scope } from './vocabulary.ts';

/** Defines one tool in Mervare's vocabulary: definition first, then `.run(handler)`. */
export const tool = toolsFor<Deps, Scope, Grant>();
