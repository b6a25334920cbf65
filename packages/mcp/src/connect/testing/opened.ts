import { onTestFinished } from 'vitest';
import { connect, type Connection, type Definition } from '../../connect.ts';
import type { ConnectOptions } from '../connect.ts';

/** Connections of the running test: closed after it. */
export async function connected(
  definition: Definition,
  options: Partial<ConnectOptions> = {},
): Promise<Connection> {
  const connection = await connect(definition, { budget: 60_000, ...options });
  onTestFinished(async () => void (await connection.close()));
  return connection;
}

/** The tool of this name, which the test knows to exist. */
export function toolOf(connection: Connection, name: string) {
  const tool = connection.catalog.tool(name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

/** Calls a tool by its name. */
export function callOf(connection: Connection, name: string, args = {}, options = {}) {
  return connection.call(toolOf(connection, name), args, options);
}

/** The text of a result with one text block. */
export function textOf(envelope: Readonly<Record<string, unknown>>): string {
  const [block] = envelope.content as { text: string }[];
  return block?.text ?? '';
}
