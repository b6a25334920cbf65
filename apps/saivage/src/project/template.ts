/** The starting `.saivage/saivage.yaml`. Its first line tells editors where the JSON Schema is. */
export function startingYaml(agents: Readonly<Record<string, readonly string[]>>): string {
  return `# yaml-language-server: $schema=./saivage.schema.json
#
# Saivage's configuration for this project. Everything here is optional; what stands below is the default.
# Check it with \`saivage check\`. Keys that Saivage does not know are faults.

# The operator API. The flags --host and --port win over these.
# Another host than a loopback address needs the environment variable SAIVAGE_API_TOKEN.
server:
  host: 127.0.0.1
  port: 8080

# The agent that talks to the operator. An external MCP client can stand in for it: \`saivage start --help\`.
analyst_agent: analyst

# Each agent may use exactly these operations, by their exact names. mcp_server_register, mcp_server_replace,
# mcp_server_unregister, mcp_server_list and mcp_catalog_refresh are granted to none until you add them.
agents:
${Object.entries(agents).map(agentLines).join('\n')}

# Model providers. \${NAME} is replaced by an environment variable here and in mcpServers.*.env, nowhere else.
# providers:
#   example:
#     protocol: openai-chat-completions
#     baseUrl: https://models.example/v1
#     apiKey: \${EXAMPLE_API_KEY}
#
# The route named default is that of every agent without a model_route.
# models:
#   routes:
#     default:
#       candidates:
#         - { provider: example, model: example-model }

# MCP servers whose tools agents may be granted.
# mcpServers:
#   local:
#     transport: stdio
#     command: node
#     args: [peer.js]
#   remote:
#     transport: streamable-http
#     url: https://example.com/mcp
`;
}

function agentLines([name, tools]: [string, readonly string[]]): string {
  return [`  ${name}:`, '    tools:', ...tools.map((tool) => `      - ${tool}`)].join('\n');
}

/** `.saivage/.gitignore`: what belongs to one checkout, or may hold secrets, stays out of the repository. */
export const gitignore = `# Saivage: only the configuration and its schema belong into the repository.
*
!.gitignore
!saivage.yaml
!saivage.schema.json
`;
