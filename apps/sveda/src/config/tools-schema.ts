import { z } from 'zod';

/** Headers of requests to servers that the operator chose; `${NAME}` in a value stands for a variable of the environment. */
const Headers = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,128}$/, 'must be the name of a header'),
    z.string().regex(/^[\x20-\x7e]{0,8192}$/, 'must be a header value: visible ASCII'),
  )
  .describe('Headers of every request. `${NAME}` stands for a variable of the environment.');

const HttpUrl = z
  .string()
  .refine((text) => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text), 'must be an http or https URL');

/** MCP servers that all visitors share. */
export const Mcp = z
  .strictObject({
    mcpServers: z
      .record(
        z.string().regex(/^[A-Za-z0-9-]{1,32}$/, 'needs 1 to 32 letters, digits or hyphens'),
        z.strictObject({ url: HttpUrl.describe('Its MCP endpoint.'), headers: Headers.optional() }),
      )
      .default({})
      .describe(
        "Servers for every visitor, beside the host's own. They never get a credential of a visitor.",
      ),
  })
  .prefault({});

const pointer = z.string().regex(/^(?:\/[^/]*)*$/, 'must be a JSON pointer');

/** What reaches the web. */
export const Web = z
  .strictObject({
    networks: z
      .array(z.union([z.cidrv4(), z.cidrv6()], 'must be a network such as 10.0.0.0/8'))
      .max(32)
      .optional()
      .describe('Networks that web_fetch may read beside the open internet.'),
    search: z
      .strictObject({
        url: HttpUrl.refine((text) => text.includes('{query}'), 'must contain {query}').describe(
          'Endpoint that answers in JSON; {query} and {count} stand for what is asked.',
        ),
        headers: Headers.default({}),
        results: pointer.default('/results').describe('JSON pointer to the list of results.'),
        fields: z
          .strictObject({
            title: z.string().min(1).default('title'),
            url: z.string().min(1).default('url'),
            excerpt: z.string().min(1).default('content'),
          })
          .prefault({})
          .describe('Members of one result.'),
      })
      .optional()
      .describe('Attaches web_search.'),
  })
  .optional()
  .describe('Attaches web_fetch: reading public pages. Absent: no tool reaches the web.');

/** True for values of the file in which `${NAME}` stands for a variable: keys of models and headers. */
export function takesVariables(path: readonly PropertyKey[]): boolean {
  return path.at(-1) === 'apiKey' || ((path[0] === 'mcp' || path[0] === 'web') && path.at(-2) === 'headers');
}
