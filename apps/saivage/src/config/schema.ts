import { z } from 'zod';
import { hasHiddenKey, HIDDEN_KEY } from './hidden.ts';

const Identifier = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,63}$/,
    'must begin with a lower-case letter; letters, digits, _ and - may follow',
  );
const ToolName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be the exact name of an operation');
/** The name of an MCP server. */
export const ServerName = z
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
    prompt: z
      .string()
      .min(1)
      .optional()
      .describe(
        'What the agent is told about its work. The five agents that always exist have one of their own.',
      ),
    model_route: Identifier.optional().describe('One of models.routes. Without it, the one named default.'),
    tools: z
      .array(ToolName)
      .max(256)
      .refine((names) => new Set(names).size === names.length, 'names a tool twice')
      .describe('Operations granted to the agent, in order. Each name needs an operation behind it.'),
  })
  .describe('A named participant.');

const Candidate = z.strictObject({
  provider: Identifier.describe('One of providers.'),
  model: z
    .string()
    .min(1)
    .optional()
    .describe("The provider's name of the model. Only demo and scripted providers need none."),
  images: z.boolean().default(false).describe('The model can see images.'),
});

const Models = z
  .strictObject({
    routes: z.record(
      Identifier,
      z.strictObject({
        candidates: z
          .array(Candidate)
          .min(1)
          .describe('Tried in order: the next one only where the one before gave no output.'),
      }),
    ),
  })
  .describe('Model routes.');

const Provider = z
  .discriminatedUnion('protocol', [
    z.strictObject({
      protocol: z.enum(['openai-responses', 'openai-chat-completions', 'anthropic-messages']),
      baseUrl: HttpUrl.optional().describe("Up to /v1. Without it, the address of the protocol's owner."),
      apiKey: z.string().min(1).optional().describe('Better `${NAME}` than the key itself.'),
    }),
    z.strictObject({ protocol: z.literal('demo') }),
    z.strictObject({
      protocol: z.literal('scripted'),
      script: z.string().min(1).describe('A YAML file of replies, seen from the root of the project.'),
    }),
  ])
  .describe(
    'A model provider: three languages on the wire, `demo` that needs no key and only matches words, and `scripted` for tests. ' +
      'Values may name environment variables: `${NAME}`.',
  );

const switches = {
  autostart: z.boolean().default(false).describe('Start it together with Saivage.'),
  disabled: z.boolean().default(false).describe('Keep the definition, refuse to start it.'),
};

/** Text that a process can be given: the system ends it at a zero byte. */
const ProcessText = z.string().refine((text) => !text.includes('\0'), 'may not hold a zero byte');

const stdio = {
  transport: z.literal('stdio'),
  command: ProcessText.min(1),
  args: z.array(ProcessText).optional(),
};
/** No request can be made to a URL with a user in it, so a server behind one could never be reached. */
const ServerUrl = HttpUrl.refine((url) => !hasUser(url), 'may not hold a user name or a password');
const http = { transport: z.literal('streamable-http'), url: ServerUrl };
const env = z.record(VariableName, ProcessText).optional();

/** How a server is reached, every value as it stands: what an agent may define. */
export const McpConnection = z.preprocess(
  (sent, context) => {
    if (hasHiddenKey(sent)) context.addIssue({ code: 'custom', message: HIDDEN_KEY });
    return sent;
  },
  z.discriminatedUnion('transport', [z.strictObject({ ...stdio, env }), z.strictObject(http)]),
);
export type McpConnection = z.output<typeof McpConnection>;

const McpServer = z.discriminatedUnion('transport', [
  z.strictObject({ ...stdio, env: env.describe('Values may be `${NAME}`.'), ...switches }),
  z.strictObject({ ...http, ...switches }),
]);

/** `.saivage/saivage.yaml`. Every object is strict: a key that nobody reads is a mistake. */
export const Configuration = z.strictObject({
  server: Server,
  analyst_agent: Identifier.default('analyst').describe('The agent that is the Analyst.'),
  agents: z
    .record(Identifier, Agent)
    .default({})
    .describe(
      'analyst, planner, executor, reviewer and oversight exist without being written down; an agent that is written down ' +
        'has exactly the tools that stand there.',
    ),
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

function hasUser(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}
