import { stringify } from 'yaml';
import type { Configuration } from './schema.ts';

const HIDDEN = '[redacted]';
const SECRET_FLAG = /(?:token|secret|password|passwd|key|auth|credential|bearer)/i;

/** The configuration as it may be shown: keys, environment values and credentials in URLs and arguments are gone. */
export function redacted(configuration: Configuration): Configuration {
  return {
    ...configuration,
    providers: mapValues(configuration.providers, (provider) =>
      provider.protocol === 'demo' || provider.protocol === 'scripted'
        ? provider
        : {
            ...provider,
            ...(provider.baseUrl !== undefined && { baseUrl: withoutCredentials(provider.baseUrl) }),
            ...(provider.apiKey !== undefined && { apiKey: HIDDEN }),
          },
    ),
    mcpServers: mapValues(configuration.mcpServers, (server) =>
      server.transport === 'stdio'
        ? {
            ...server,
            ...(server.args && { args: withoutSecretFlags(server.args) }),
            ...(server.env && { env: mapValues(server.env, () => HIDDEN) }),
          }
        : { ...server, url: withoutCredentials(server.url) },
    ),
  };
}

/** The same as YAML text. */
export function redactedYaml(configuration: Configuration): string {
  return stringify(redacted(configuration), { lineWidth: 0 });
}

/** User, password and query of a URL may all be credentials. */
function withoutCredentials(text: string): string {
  const url = new URL(text);
  if (url.username || url.password) {
    url.username = 'redacted';
    url.password = '';
  }
  if (url.search) url.search = '?redacted';
  return url.href;
}

/** `--token abc` and `--token=abc` both lose their value, whatever the flag's exact name. */
function withoutSecretFlags(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    const [flag = ''] = argument.split('=', 1);
    if (flag.length < argument.length && SECRET_FLAG.test(flag)) return `${flag}=${HIDDEN}`;
    const before = args[index - 1] ?? '';
    return before.startsWith('-') && !before.includes('=') && SECRET_FLAG.test(before) ? HIDDEN : argument;
  });
}

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
