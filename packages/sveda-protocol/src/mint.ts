import { z } from 'zod';
import { PolicyDocument } from './policy.ts';

/** Longest accepted `host_mcp_url`. */
export const HOST_MCP_URL_CHARACTERS = 2048;

/** Lifetimes of an embed token, in seconds. */
export const TOKEN_TTL = { default: 3600, min: 60, max: 86_400 } as const;

/** The sentence of a mint that has one half of the host's pair. */
export const PAIR_MESSAGE = 'host_mcp_url and host_mcp_token are required together.';

const HostMcpUrl = z
  .string()
  .min(1, 'host_mcp_url is empty.')
  .max(HOST_MCP_URL_CHARACTERS, `host_mcp_url has more than ${HOST_MCP_URL_CHARACTERS} characters.`)
  .regex(/^\S*$/, 'host_mcp_url contains white space.')
  .refine(isHttpUrl, 'host_mcp_url must be an http or https URL.');

const fields = z.strictObject({
  visitor_id: z
    .string()
    .min(1, 'visitor_id is empty.')
    .max(64, 'visitor_id has more than 64 characters.')
    .optional()
    .describe("The host's id of the visitor; without one the server makes a UUID."),
  host_mcp_url: HostMcpUrl.optional().describe("The host's MCP endpoint; only together with its token."),
  host_mcp_token: z
    .string()
    .min(1, 'host_mcp_token is empty.')
    .max(8192)
    .regex(/^[\x21-\x7e]+$/, 'host_mcp_token must be visible ASCII without white space.')
    .optional()
    .describe("The visitor's bearer at the host's MCP endpoint."),
  policy: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'A policy name has 1 to 64 letters, digits, hyphens or underscores.')
    .optional()
    .describe('Name of a policy in sveda.yaml.'),
  grants: PolicyDocument.optional().describe('Narrows further, for this token only.'),
  ttl: z
    .int()
    .min(TOKEN_TTL.min)
    .max(TOKEN_TTL.max)
    .default(TOKEN_TTL.default)
    .describe('Lifetime in seconds.'),
});

/** Body of `POST /sveda/embed/token`. The pair rule comes first: half a pair is told as such, whatever else is wrong. */
export const MintRequest = z
  .unknown()
  .superRefine((body, check) => {
    if (hasHalfPair(body)) check.addIssue({ code: 'custom', message: PAIR_MESSAGE });
  })
  .pipe(fields);
/** A checked mint request. */
export type MintRequest = z.output<typeof fields>;
/** What a host backend sends. */
export type MintBody = z.input<typeof fields>;

/** Answer to a mint. */
export const MintAnswer = z.strictObject({
  token: z.string().describe('The embed token, `sveda_embed_…`, for the header x-sveda-embed-token.'),
  visitor_id: z.string().describe('The visitor that the token stands for.'),
  expires_in: z.int().describe('Seconds until it expires.'),
});
export type MintAnswer = z.infer<typeof MintAnswer>;

/** Body of `POST /sveda/embed/token/revoke`. */
export const RevokeRequest = z.strictObject({
  token: z.string().min(1).max(16_384).describe('The embed token to revoke.'),
});
export type RevokeRequest = z.infer<typeof RevokeRequest>;

function hasHalfPair(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return 'host_mcp_url' in body !== 'host_mcp_token' in body;
}

function isHttpUrl(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}
