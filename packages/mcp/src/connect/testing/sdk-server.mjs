// A server of the official SDK on stdio. Its argument is what it does with clients of 2025: `serve` or `reject`.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

serveStdio(
  ({ era }) => {
    const server = new McpServer({ name: 'official', version: '1' });
    const inputSchema = z.object({ place: z.string() });
    server.registerTool('greet', { inputSchema }, ({ place }) => ({
      content: [{ type: 'text', text: `${era}: ahoy from ${place}, process ${process.pid}` }],
    }));
    return server;
  },
  { legacy: process.argv[2] },
);
