/** Calling MCP servers: one connection a process or HTTP session, with a complete tool list and one strict end. */
export type { Catalog } from './connect/catalog.ts';
export type { Ending } from './connect/channel.ts';
export { connect } from './connect/connect.ts';
export type { ConnectOptions } from './connect/connect.ts';
export type { CallOptions, Connection } from './connect/connection.ts';
export type { Definition, HttpDefinition, StdioDefinition } from './connect/definition.ts';
export { ConnectionFailure } from './connect/errors.ts';
export type { FailureCode, Phase } from './connect/errors.ts';
export { LIMITS } from './connect/limits.ts';
export type { Answer, Progress } from './connect/pending.ts';
export { NEWEST } from './connect/session.ts';
export type { CatalogTool } from './connect/tool.ts';
