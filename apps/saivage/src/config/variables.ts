import type { Environment, Expansion } from '@portolan/cli';

/** The variables that hold Saivage's own secrets. No configured value may name them. */
export const secretVariables = ['SAIVAGE_API_TOKEN', 'SAIVAGE_ANALYST_MCP_TOKEN'] as const;

/** Every variable that this program reads by itself, for the documents. */
export const environmentVariables = [
  {
    name: 'SAIVAGE_PROJECT_ROOT',
    says: 'The project, where `--project-root` is not given. Without both it is the working directory.',
  },
  {
    name: 'SAIVAGE_API_TOKEN',
    says:
      'Bearer of the operator API. Without it the server binds loopback only, and routes that need a proven ' +
      'operator answer 401. `saivage mcp` sends it to the Saivage that runs. Visible ASCII without spaces.',
  },
  {
    name: 'SAIVAGE_ANALYST_MCP_TOKEN',
    says:
      'Bearer of the external Analyst listener. Needed by the modes `external` and `both`, a fault in `internal`; ' +
      'it must differ from SAIVAGE_API_TOKEN.',
  },
] as const;

/** `${NAME}` stands for a variable in every value of `providers` and in the values of `mcpServers.*.env`, nowhere else. */
export function expansion(environment: Environment): Expansion {
  return {
    environment,
    forbidden: secretVariables,
    at: ([section, , key, ...more]) =>
      section === 'providers' || (section === 'mcpServers' && key === 'env' && more.length === 1),
  };
}
