import { bench } from './bench.ts';
import { benchChat } from './chat/bench.ts';
import { chatReport } from './chat/report.ts';
import { benchConnections } from './connections/bench.ts';
import { connectionsReport } from './connections/report.ts';
import { best } from './figures.ts';
import { benchDoors } from './doors/bench.ts';
import { doorsReport } from './doors/report.ts';
import { report, type Occasion } from './report.ts';
import { benchStdio } from './stdio/bench.ts';
import { stdioReport } from './stdio/report.ts';
import type { Plans } from './plans.ts';

/** A record that was made. */
export interface Made {
  readonly text: string;
  /** Every row has a figure. */
  readonly whole: boolean;
}

/** How a record comes about. */
export interface Recorder {
  /** In docs/generated. */
  readonly file: string;
  /** Packages that it measures or measures with. */
  readonly measures: readonly string[];
  make(plans: Plans, occasion: Occasion, say: (line: string) => void): Promise<Made>;
}

/** Every record by name, in the order in which they are made. */
export const recorders: { readonly [Name in keyof Plans]: Recorder } = {
  serving: {
    file: 'bench.md',
    measures: [
      'autocannon',
      'fastmcp',
      '@modelcontextprotocol/sdk',
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/node',
      'hono',
      '@hono/node-server',
      'zod',
    ],
    async make({ serving }, occasion, say) {
      const rows = await bench(serving, say);
      return { text: report(rows, serving, occasion), whole: rows.every(best) };
    },
  },
  chat: {
    file: 'bench-chat.md',
    measures: ['ai', '@ai-sdk/openai-compatible'],
    async make({ chat }, occasion, say) {
      return { text: chatReport(await benchChat(chat, say), chat, occasion), whole: true };
    },
  },
  stdio: {
    file: 'bench-stdio.md',
    measures: ['@modelcontextprotocol/client', '@modelcontextprotocol/server-everything'],
    async make({ stdio }, occasion, say) {
      return { text: stdioReport(await benchStdio(stdio, say), stdio, occasion), whole: true };
    },
  },
  connections: {
    file: 'bench-connections.md',
    measures: [
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/server-everything',
      'mcp-hub',
      'mcp-proxy',
      'supergateway',
    ],
    async make({ connections }, occasion, say) {
      const figures = await benchConnections(connections, say);
      return { text: connectionsReport(figures, connections, occasion), whole: true };
    },
  },
  doors: {
    file: 'bench-doors.md',
    measures: ['autocannon', '@modelcontextprotocol/server', '@hono/node-server', 'pg'],
    async make({ doors }, occasion, say) {
      return { text: doorsReport(await benchDoors(doors, say), doors, occasion), whole: true };
    },
  },
};
