import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitCodes } from '@portolan/cli';
import { stringify } from 'yaml';
import { importServers } from '../connections/import.ts';
import type { Terminal } from './terminal.ts';

/**
 * `saivage mcp import`: prints the YAML to paste, and on standard error what the operator has to know of it. Answers the
 * exit code: 1 when a server was left out.
 */
export function importFile(file: string, { workingFolder, print, complain }: Terminal): number {
  const { servers, variables, dropped, refused } = importServers(
    readFileSync(resolve(workingFolder, file), 'utf8'),
  );
  print(stringify({ mcpServers: servers }, { lineWidth: 0 }).trimEnd());
  if (variables.length > 0) complain(`Set in the environment of saivage: ${variables.join(', ')}.`);
  for (const { name, keys } of dropped) complain(`${JSON.stringify(name)} loses: ${keys.join(', ')}.`);
  for (const { name, reason } of refused) complain(`${JSON.stringify(name)} is left out: ${reason}.`);
  return refused.length > 0 ? exitCodes.failure : 0;
}
