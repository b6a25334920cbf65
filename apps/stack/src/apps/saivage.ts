import { join } from 'node:path';
import { z } from 'zod';
import { output, program } from '../command.ts';
import type { Command } from '../command.ts';
import { makeSample } from '../sample.ts';
import type { App, Place } from './app.ts';

/** The agent server, on a sample project, with every operation of its Analyst open to the operator's own MCP client. */
export const saivage: App = {
  name: 'saivage',
  ports: { SAIVAGE_PORT: 8080, SAIVAGE_ANALYST_PORT: 8082 },
  secrets: ['SAIVAGE_API_TOKEN', 'SAIVAGE_ANALYST_MCP_TOKEN'],
  async prepare(place) {
    const { home, ports, environment } = place;
    await makeSample(home.project, environment);
    await output(command(place, 'init'));
    const { analyst } = Check.parse(JSON.parse(await output(command(place, 'check', '--json'))));
    const flags = {
      '--host': '127.0.0.1',
      '--port': ports['SAIVAGE_PORT'],
      '--analyst-mode': 'both',
      '--analyst-mcp-port': ports['SAIVAGE_ANALYST_PORT'],
      '--analyst-mcp-principal': 'local-operator',
      '--analyst-mcp-tools': analyst.tools.join(','),
    };
    return {
      ...command(place, 'start', ...Object.entries(flags).flat().map(String)),
      endpoint: join(home.project, '.saivage', 'endpoint.json'),
    };
  },
  tell(endpoint, { home, secrets }) {
    const { origin, analystUrl } = Ready.parse(endpoint);
    const headers = { Authorization: `Bearer ${secrets['SAIVAGE_ANALYST_MCP_TOKEN']}` };
    return {
      facts: { origin, analystUrl },
      addresses: [
        { url: origin, says: `operator API of ${home.project}` },
        { url: analystUrl, says: 'its Analyst over MCP, for your own client' },
      ],
      clients: { 'saivage-analyst': { url: analystUrl, headers } },
    };
  },
};

/** What of `saivage check --json` is used: the operations that the Analyst of this project has. */
const Check = z.object({ analyst: z.object({ tools: z.array(z.string()).min(1) }) });

/** What of its endpoint is told. */
const Ready = z.object({ origin: z.string(), analystUrl: z.string() });

function command({ home, environment }: Place, name: string, ...flags: readonly string[]): Command {
  const line = program('saivage', [name, '--project-root', home.project, ...flags]);
  return { ...line, env: environment, cwd: home.project };
}
