import { freePort } from '@portolan/process/testing';
import { FastMCP } from 'fastmcp';
import { annotations, callResult } from '../catalogue.ts';
import { serverInfo, type Variant } from '../variant.ts';

export const variant: Variant = {
  says: 'fastmcp, HTTP stream, stateless, JSON answers',
  eras: ['2025-11-25'],
  operations: ['call', 'list'],
  async start(tools) {
    const server = new FastMCP({ name: serverInfo.name, version: '1.0.0' });
    for (const tool of tools) {
      const { name, title, description, input, output } = tool;
      server.addTool({
        name,
        description,
        annotations: { title, ...annotations(tool) },
        parameters: input,
        outputSchema: output,
        execute: (parsed) => callResult(tool, parsed),
      });
    }
    // It does not say which port it got.
    const port = await freePort();
    const httpStream = { port, host: '127.0.0.1', stateless: true, enableJsonResponse: true } as const;
    await server.start({ transportType: 'httpStream', httpStream });
    return `http://127.0.0.1:${port}/mcp`;
  },
};
