import { explain, type Tool } from '@portolan/mcp/tool';
import type { Deps } from '../mcp/vocabulary.ts';

/** Everything that a client can see of one tool, and who opens it: a change of the surface shows as a change of this. */
export function snapshot({ descriptor, access, effect }: Tool<Deps>): object {
  return { access: explain(access), effect, ...descriptor };
}
