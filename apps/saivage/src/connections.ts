/** The MCP servers of a project, for programs that measure them. */
export type { Connections } from './connections/connections.ts';
export { openConnections } from './connections/open.ts';
export { projectFolder } from './project/folder.ts';
