import type { Family } from '../mcp/families.ts';
import { scopesOffered, toolNames } from '../mcp/registry.ts';
import type { Server } from '../mcp/servers.ts';
import { listSizes, type Sizes } from '../mcp/sizes.ts';
import { code, pageOf, table } from './markdown.ts';

/** The page of the servers: what each is, whom it lets in, and what its list costs. */
export function serversPage(servers: readonly Server[], sizes: Sizes): string {
  return pageOf([
    '# Mervare: MCP servers',
    'Tokens are those of the o200k_base encoding, summed over the tools.',
    ...servers.flatMap((server) => serverBlocks(server, sizes)),
  ]);
}

function serverBlocks(server: Server, sizes: Sizes): string[] {
  const { title, endpoint, name, promise, authentication, writes, authMetadata, remarks, families } = server;
  const scopes = scopesOffered(server).map(code).join(' ');
  return [
    `## ${title}`,
    promise,
    table(
      ['', ''],
      [
        ['Endpoint', code(endpoint)],
        ['Server name', code(name)],
        ['Authentication', authentication],
        ['Scopes', scopes || 'none: no credential is taken'],
        ['Writes', writes],
        ...(authMetadata === undefined ? [] : [['Auth metadata', code(authMetadata)]]),
        ['Tools', toolNames(server).length],
      ],
    ),
    ...remarks,
    '### Families',
    ...families.map(familyBlock),
    '### Size of the tool list by scope',
    table(
      ['Scope', 'Opens', 'Tools', 'Bytes', 'Tokens'],
      listSizes(server, sizes).map(({ scope, opens, tools, bytes, tokens }) => [
        scope ? code(scope) : 'none',
        opens,
        tools,
        bytes,
        tokens,
      ]),
    ),
  ];
}

function familyBlock({ subject, opensTo, tools }: Family): string {
  const names = tools.map(({ name }) => code(name));
  return `**${subject}** (${names.length} tools, to ${opensTo}): ${names.join(', ')}`;
}
