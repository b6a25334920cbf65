import { isFault, readSchema, type Schema, type SchemaFault } from '../schema.ts';

/** One tool of a peer, judged by itself. */
export interface CatalogTool {
  readonly name: string;
  /** The whole entry as it was sent, frozen. Text in it is the peer's: data, never instructions. */
  readonly sent: Readonly<Record<string, unknown>>;
  readonly input: Schema | SchemaFault;
  /** Undefined when the tool declares none. */
  readonly output: Schema | SchemaFault | undefined;
}

/** Judges one entry of a tool list; undefined when it has no name to call it by. */
export function readTool(entry: unknown): CatalogTool | undefined {
  if (typeof entry !== 'object' || entry === null || !('name' in entry)) return undefined;
  const { name } = entry;
  if (typeof name !== 'string' || name === '') return undefined;
  const sent = freeze(entry) as Readonly<Record<string, unknown>>;
  const { inputSchema, outputSchema } = sent;
  const output = outputSchema === undefined ? undefined : readSchema(outputSchema);
  return Object.freeze({ name, sent, input: readSchema(inputSchema), output });
}

/** What keeps a tool from being called, seen without compiling anything. */
export function visibleFault({ input, output }: CatalogTool): SchemaFault | undefined {
  if (isFault(input)) return input;
  return output && isFault(output) ? output : undefined;
}

/** Freezes parsed JSON, however deep. */
function freeze(value: object): object {
  const left: object[] = [value];
  for (let next = left.pop(); next; next = left.pop()) {
    Object.freeze(next);
    for (const inner of Object.values(next))
      if (typeof inner === 'object' && inner !== null) left.push(inner);
  }
  return value;
}
