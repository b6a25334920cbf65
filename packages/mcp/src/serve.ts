/**
 * Serving tool values over MCP, every revision on one URL.
 *
 * `surface(parts)` is what one entitlement sees; `surfaces(parts)` makes and keeps one a caller, by the access of each
 * tool. `serveMcp(options)` is the mount: `(request, given?) => Promise<Response>`. It resolves when the work is done,
 * also where the connection is gone, so an app that closes can wait for what it has admitted.
 */
export { challenge } from './serve/challenge.ts';
export type { Challenge } from './serve/challenge.ts';
export { corsHeaders, preflightHeaders } from './serve/cors.ts';
export { codes } from './serve/fault.ts';
export type { ErrorContext, Given, ServeOptions, SettledCall } from './serve/options.ts';
export type { Resource, ResourceBody, ResourceTemplate } from './serve/resource.ts';
export { allRevisions, legacyRevisions, modernRevisions } from './serve/revisions.ts';
export type { LegacyRevision, ModernRevision, Revision } from './serve/revisions.ts';
export { anonymous, serveMcp } from './serve/serve.ts';
export type { Serve } from './serve/serve.ts';
export { surface } from './serve/surface.ts';
export type { Surface, SurfaceParts } from './serve/surface.ts';
export { surfaces } from './serve/surfaces.ts';
