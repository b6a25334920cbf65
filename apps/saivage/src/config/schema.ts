import { z } from 'zod';

const Identifier = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,63}$/,
    'must begin with a lower-case letter; letters, digits, _ and - may follow',
  );
const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be the exact name of an operation');
const ServerName = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
    'must begin with a letter; letters, digits, _, . and - may follow',
  );
const VariableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable');
const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' });

const Server = z
  .strictObject({
    host: z.string().min(1).default('127.0.0.1').describe('Address of the operator API. `--host` wins.'),
    port: z.int().min(0).max(65535).default(8080).describe('Its port; 0 takes a free one. `--port` wins.'),
  })
  .prefault({})
  .describe('The operator API.');

const Agent = z
  .strictObject({
    prompt: z.string().min(1).optional().describe('What the agent is told about its work.'),
    model_route: Identifier.optional().describe('One of models.routes.'),
    tools: z
      .array(ToolName)
      .max(256)
      .refine((names) => new Set(names).size === names.length, 'names a tool twice')
      .describe('Operations granted to the agent, in order. Each name needs an operation behind it.'),
  })
  .describe('A named participant.');

const Models = z
  .strictObject({
    routes: z.record(
      Identifier,
      z.strictObject({
        candidates: z
          .array(z.strictObject({ provider: Identifier, model: z.string().min(1) }))
          .min(1)
          .describe('Tried in order.'),
      }),
    ),
  })
  .describe('Model routes.');

const Provider = z
  .strictObject({
    protocol: z
      .enum(['openai-responses', 'openai-chat-completions', 'anthropic-messages'])
      .describe('The language that the provider speaks on the wire.'),
    baseUrl: HttpUrl.optional(),
    apiKey: z.string().min(1).optional().describe('Better `${NAME}` than the key itself.'),
  })
  .describe('A model provider. Values may name environment variables: `${NAME}`.');

const switches = {
  autostart: z.boolean().default(false).describe('Start it together with Saivage.'),
  disabled: z.boolean().default(false).describe('Keep the definition, refuse to start it.'),
};

const McpServer = z.discriminatedUnion('transport', [
  z.strictObject({
    transport: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    env: z.record(VariableName, z.string()).optional().describe('Values may be `${NAME}`.'),
    ...switches,
  }),
  z.strictObject({ transport: z.literal('streamable-http'), url: HttpUrl, ...switches }),
]);

/** `.saivage/saivage.yaml`. Every object is strict: a key that nobody reads is a mistake. */
export const Configuration = z.strictObject({
  server: Server,
  analyst_agent: Identifier.default('analyst').describe('The agent that is the Analyst.'),
  agents: z.record(Identifier, Agent).default({}),
  models: Models.prefault({ routes: {} }),
  providers: z.record(Identifier, Provider).default({}),
  mcpServers: z
    .record(ServerName, McpServer)
    .default({})
    .describe('MCP servers whose tools agents may be granted.'),
});
export type Configuration = z.output<typeof Configuration>;

/** The JSON Schema of the configuration, in the dialect that editors read best. */
export function configurationSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(Configuration, { io: 'input', target: 'draft-07' });
}
