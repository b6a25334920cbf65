import { z } from 'zod';

/** `*`, `name`, `prefix*` or `*suffix`; compared with letter case. */
const Pattern = z
  .string()
  .max(128)
  .regex(/^(?:\*|\*?[^*\s]+|[^*\s]+\*)$/, 'A pattern is *, a name, prefix* or *suffix.')
  .describe('Tool names: *, a name, prefix* or *suffix.');

const Patterns = z.array(Pattern).max(256);

/** What may be called of the host's tools and those of runtime servers. */
export const McpRules = z.strictObject({
  allow: Patterns.describe('Tools of the host and of runtime servers that may be called.'),
  deny: Patterns.optional().describe('Taken away again from `allow`.'),
  domains: z.array(z.string().min(1).max(64)).max(64).optional().describe('`_meta.domain`; absent: any.'),
  maxMode: z
    .enum(['read', 'write', 'delete'])
    .optional()
    .describe('Strongest `_meta.mode` that may be called; absent: any.'),
  confirm: Patterns.optional().describe('Calls that ask the visitor first, besides those that ask anyway.'),
});
export type McpRules = z.infer<typeof McpRules>;

/** What may be called of the page's tools. */
export const ClientRules = z.strictObject({
  allow: Patterns.describe('Tools of the page that may be called.'),
});
export type ClientRules = z.infer<typeof ClientRules>;

/**
 * What a visitor may do: a named policy in sveda.yaml, or the grants inside one token (the same form).
 * In a document that is given, an absent section denies.
 */
export const PolicyDocument = z.strictObject({
  web: z.boolean().optional().describe('web_fetch and web_search.'),
  code: z.boolean().optional().describe('search_code and read_code_file.'),
  mcp: McpRules.optional().describe('Tools of the host and of runtime servers.'),
  client: ClientRules.optional().describe('Tools of the page.'),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;
