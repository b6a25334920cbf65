import { z } from 'zod';
import { ClientRules, McpRules } from './policy.ts';

/** What a token may do. Each clause stands by itself: a tool must pass all of them, and no clause restricts nothing. */
export const Capabilities = z.strictObject({
  restricted: z.boolean().describe('True when a policy or grants hold for this token.'),
  web: z.boolean().describe('web_fetch, and web_search where the server has one.'),
  code: z.boolean().describe('search_code and read_code_file.'),
  mcp: z.array(McpRules).describe("Clauses for the host's tools and those of shared servers."),
  client: z.array(ClientRules).describe('Clauses for tools of the page.'),
});
export type Capabilities = z.infer<typeof Capabilities>;

/** Answer to `GET /sveda/embed/config`. */
export const EmbedConfig = z.strictObject({
  visitorId: z.string().describe('The visitor that the token stands for.'),
  expiresAt: z.iso.datetime().describe('When the token ends, ISO 8601 in UTC.'),
  models: z.array(z.string()).describe('Names that a post may ask for as `model`.'),
  capabilities: Capabilities.describe('What this token may do now.'),
});
export type EmbedConfig = z.infer<typeof EmbedConfig>;
