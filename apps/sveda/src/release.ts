import { createRequire } from 'node:module';

const manifest = createRequire(import.meta.url)('../package.json') as { readonly version: string };

/** The version of this program, as its manifest states it. */
export const release = manifest.version;

/** Who we say we are to MCP servers. */
export const CLIENT = { name: 'sveda', version: release };
