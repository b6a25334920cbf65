import type { BenchTool } from './catalogue.ts';
import type { Era, Operation } from './exercise.ts';

/** One way to serve the same tools over HTTP. */
export interface Variant {
  /** For the report: what is mounted, and how. */
  readonly says: string;
  readonly eras: readonly Era[];
  readonly operations: readonly Operation[];
  /** Listens on loopback with these tools and answers the URL. Called once in a process of its own. */
  start(tools: readonly BenchTool[]): Promise<string>;
}

/** The name and version that every variant reports of itself. */
export const serverInfo = { name: 'bench', version: '1.0.0' };
