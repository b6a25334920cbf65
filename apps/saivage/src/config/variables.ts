import type { Locator, Fault, Path } from './faults.ts';

/** Environment variables, as the process was given them. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
      'operator answer 401. Visible ASCII without spaces.',
  },
  {
    name: 'SAIVAGE_ANALYST_MCP_TOKEN',
    says:
      'Bearer of the external Analyst listener. Needed by the modes `external` and `both`, a fault in `internal`; ' +
      'it must differ from SAIVAGE_API_TOKEN.',
  },
] as const;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/**
 * Puts the environment's values in place of `${NAME}` in a parsed YAML tree: in every value below `providers`
 * and in the values of `mcpServers.*.env`, nowhere else. The tree is left as it was; a new one is answered.
 */
export function expandVariables(
  tree: unknown,
  environment: Environment,
  locate: Locator,
): { readonly tree: unknown; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const expand = (text: string, path: Path) =>
    text.replaceAll(REFERENCE, (written: string, name: string) => {
      const value = environment[name];
      const problem = problemWith(name, value);
      if (problem) faults.push(locate.value(path, problem));
      return problem ? written : (value ?? written);
    });
  return {
    tree: mapStrings(tree, [], (text, path) => (mayExpand(path) ? expand(text, path) : text)),
    faults,
  };
}

function mayExpand(path: Path): boolean {
  return path[0] === 'providers' || (path[0] === 'mcpServers' && path[2] === 'env' && path.length === 4);
}

function problemWith(name: string, value: string | undefined): string | undefined {
  if (secretVariables.some((secret) => secret === name)) return `${name} is Saivage's own secret.`;
  return value === undefined ? `The environment variable ${name} is not set.` : undefined;
}

function mapStrings(node: unknown, path: Path, map: (text: string, path: Path) => string): unknown {
  if (typeof node === 'string') return map(node, path);
  if (Array.isArray(node)) return node.map((item, index) => mapStrings(item, [...path, index], map));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, mapStrings(value, [...path, key], map)]),
  );
}
