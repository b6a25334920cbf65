import { join } from 'node:path';
import { program } from '../command.ts';
import type { App, Place } from './app.ts';

/** The harbour site, with its sample register and a database of its own. */
export const mervare: App = {
  name: 'mervare',
  ports: { MERVARE_PORT: 8088 },
  secrets: ['SVEDA_EMBED_HOST_API_KEY', 'MERVARE_ADMIN_PASSWORD'],
  shownOnce: { MERVARE_ADMIN_PASSWORD: 'Password of admin@localhost on the harbour site' },
  prepare({ home, ports, environment, settings }) {
    const data = join(home.data, 'mervare');
    return Promise.resolve({
      ...program('mervare', ['serve', '--host', '127.0.0.1', '--port', String(ports['MERVARE_PORT'])]),
      env: {
        ...environment,
        ...tokensOf(settings),
        MERVARE_DATA: data,
        SVEDA_ORIGIN: `http://127.0.0.1:${ports['SVEDA_PORT']}`,
      },
      cwd: home.root,
      endpoint: join(data, 'endpoint.json'),
    });
  },
  tell({ origin }) {
    const discovery = `${origin}/api/mcp/discovery`;
    return {
      facts: { origin },
      addresses: [
        { url: `${origin}/harbours`, says: 'harbours for people' },
        { url: `${origin}/account`, says: 'sign in as admin@localhost, with MERVARE_ADMIN_PASSWORD' },
        { url: discovery, says: 'harbours over MCP, for anyone' },
        { url: `${origin}/api/mcp`, says: 'everything over MCP, for those who sign in' },
      ],
      clients: { 'mervare-harbours': { url: discovery }, mervare: { url: `${origin}/api/mcp` } },
    };
  },
};

/** Variables by which the operator gives tokens to programs. */
export const tokenVariables = [
  'SURVEY_AGENT_TOKENS',
  'AGENT_CONTROL_TOKENS',
  'BUILDER_AGENT_TOKENS',
] as const;

function tokensOf(settings: Place['settings']): Record<string, string> {
  const given = tokenVariables.map((name) => [name, settings[name] ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}
