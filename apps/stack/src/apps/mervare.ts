import { join } from 'node:path';
import { program } from '../command.ts';
import type { App } from './app.ts';

/** The harbour site, with its sample register and a database of its own. */
export const mervare: App = {
  name: 'mervare',
  ports: { MERVARE_PORT: 8088 },
  secrets: ['SVEDA_EMBED_HOST_API_KEY'],
  prepare({ home, ports, environment }) {
    const data = join(home.data, 'mervare');
    return Promise.resolve({
      ...program('mervare', ['serve', '--host', '127.0.0.1', '--port', String(ports['MERVARE_PORT'])]),
      env: { ...environment, MERVARE_DATA: data, SVEDA_ORIGIN: `http://127.0.0.1:${ports['SVEDA_PORT']}` },
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
        { url: discovery, says: 'harbours over MCP, for anyone' },
      ],
      clients: { 'mervare-harbours': { url: discovery } },
    };
  },
};
