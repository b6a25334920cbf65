import { serverState, type ServerState } from '../project/endpoint.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { readIdentity } from '../project/identity.ts';
import type { Terminal } from './terminal.ts';

/** `saivage status` */
export function status(folder: ProjectFolder, { json }: { readonly json?: true }, { print }: Terminal): void {
  readIdentity(folder.identity);
  const found = serverState(folder);
  if (json) return print(JSON.stringify(found));
  for (const line of linesOf(found)) print(line);
}

function linesOf(found: ServerState): string[] {
  switch (found.state) {
    case 'stopped':
      return ['stopped'];
    case 'doubtful':
      return [`doubtful: ${found.reason}`];
    case 'starting or stopping':
      return [`starting or stopping (process ${found.pid})`];
    default:
      return [
        `running (process ${found.pid})`,
        `Operator API: ${found.origin}`,
        ...(found.analystUrl ? [`Analyst MCP endpoint: ${found.analystUrl}`] : []),
      ];
  }
}
