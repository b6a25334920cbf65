/** Request headers that a browser client of MCP may send. */
const allowed = [
  'authorization',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
];

/** Arguments that modern clients repeat in headers: their names are the tools' matter. */
const parameter = /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]{1,64}$/;

/**
 * Headers for every answer, also the refusing ones, of an endpoint without ambient credentials: any page may call it
 * and may read why it was refused. For endpoints that look at cookies they would be wrong.
 */
export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
};

/** Headers of the answer (204) to a preflight, which needs no credential. `requested` is the browser's own list. */
export function preflightHeaders(
  methods: readonly string[],
  requested: string | null,
): Readonly<Record<string, string>> {
  const asked = (requested ?? '').split(',').map((name) => name.trim().toLowerCase());
  const parameters = asked.filter((name) => parameter.test(name)).slice(0, 32);
  return {
    ...corsHeaders,
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': [...allowed, ...parameters].join(', '),
    'access-control-max-age': '7200',
    vary: 'Access-Control-Request-Headers',
  };
}
