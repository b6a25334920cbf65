import { stringify } from 'yaml';
import type { Configuration } from './schema.ts';

const HIDDEN = '[redacted]';
const SECRET_NAME = /(?:token|secret|password|passwd|key|auth|credential|bearer|cookie)/i;
/** A name like that with its `=` or `: `, and the first letter of the value. */
const NAMED_SECRET = new RegExp(`^(.*?${SECRET_NAME.source}[^=:]*(?:=|:(?!//) *)).`, 'is');

/**
 * The configuration as it may be shown: keys, environment values and credentials in URLs are gone, and in arguments
 * whatever is known as a secret by its form: the value of a flag, a variable or a header named like one, or in a URL.
 */
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
            ...(server.args && { args: withoutSecrets(server.args) }),
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

/** `--token abc`, `--token=abc`, `Authorization: abc` and `db://user:abc@host` lose `abc`, whatever the exact name. */
function withoutSecrets(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    const named = NAMED_SECRET.exec(argument)?.[1];
    if (named !== undefined) return `${named}${HIDDEN}`;
    const before = args[index - 1] ?? '';
    if (before.startsWith('-') && !before.includes('=') && SECRET_NAME.test(before)) return HIDDEN;
    return argument.replaceAll(/(?<=\w:\/\/)[^\s/?#]*(?=@)/g, 'redacted');
  });
}

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
