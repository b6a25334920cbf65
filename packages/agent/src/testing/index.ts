/** Test kit: a model server on the wire. */
export { startModelServer } from './server.ts';
export type { ModelRequest, ModelServer } from './server.ts';
export type { ServerReply } from './body.ts';
