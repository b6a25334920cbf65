import { createRequire } from 'node:module';
import { killAll, uniqueNap } from '@portolan/process/testing';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { ProjectFolder } from '../project/folder.ts';
import { folderOfTest, makeProject } from './project.ts';

/** The program of the reference server. */
export const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

/** The reference server, found by `mark` on its command line. */
export function everything(mark = 0) {
  return { transport: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio', String(mark)] };
}

/** A project that defines these MCP servers and is gone after the test. */
export function outwardProject(mcpServers: object): ProjectFolder {
  return makeProject(folderOfTest(), stringify({ mcpServers }));
}

/** A number that stands for one test on the command lines of its processes, which do not survive it. */
export function napOfTest(): number {
  const nap = uniqueNap();
  onTestFinished(() => killAll(nap));
  return nap;
}
