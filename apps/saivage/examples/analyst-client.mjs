import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'local-operator', version: '1' });
const transport = new StreamableHTTPClientTransport(
  new URL(process.env.ANALYST_MCP_URL),
  { requestInit: { headers: {
    Authorization: `Bearer ${process.env.SAIVAGE_ANALYST_MCP_TOKEN}`,
  } } },
);
try {
  await client.connect(transport); // initialize, then notifications/initialized
  const context = await client.readResource({ uri: 'saivage://analyst/context' });
  const tools = await client.listTools();
  // Inspect locally: initialization binding, context and exact schemas.
  // Do not log credentials or assume listed mutation tools are authorized now.
  void context;
  void tools;
} finally {
  await client.close(); // disconnect is not cancellation of admitted operations
}
