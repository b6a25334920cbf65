/** Test kit: strict reading of streams and the grammar of a turn. */
export { createGrammar } from './grammar.ts';
export type { Grammar } from './grammar.ts';
export { readSegment } from './sse.ts';
export type { Segment } from './sse.ts';
