import { z } from 'zod';
import { McpConnection, ServerName } from '../config/schema.ts';
import { DYNAMIC_LIMITS } from './dynamic.ts';
import { ServerError } from './errors.ts';

/** A name and a connection as an agent sends them. Throws `ServerError`, which says nothing of their values. */
export function checkedDefinition(serverName: string, sent: unknown): McpConnection {
  const invalid = (reason: string) => new ServerError('invalid_definition', { serverName: '', reason });
  if (!ServerName.safeParse(serverName).success) {
    throw invalid('its name must begin with a letter; letters, digits, _, . and - may follow, 64 in all');
  }
  const parsed = McpConnection.safeParse(sent);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ').slice(0, 512));
  if (JSON.stringify(parsed.data).length > DYNAMIC_LIMITS.definition)
    throw invalid('it is larger than 64 KiB');
  return parsed.data;
}
