import { isDeepStrictEqual } from 'node:util';
import { callResult, catalogue, descriptor, echo } from './catalogue.ts';
import { asked, bodyOf, message, type Era, type Exercise } from './exercise.ts';

/** Asks once and compares with what the catalogue says. Throws when the server answers anything else. */
export async function verify(url: string, era: Era, exercise: Exercise): Promise<Answer> {
  const id = 4711;
  const { headers, ...sent } = asked(era, exercise.operation);
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: bodyOf(sent, id),
    signal: AbortSignal.timeout(60_000),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`status ${response.status}: ${body.slice(0, 300)}`);
  const { result, ...rest } = messageOf(body);
  if (rest.id !== id) throw new Error(`another id than asked for: ${JSON.stringify(rest.id)}`);
  if (!result) throw new Error(`no result: ${JSON.stringify(rest).slice(0, 300)}`);
  const got = exercise.operation === 'call' ? essenceOfCall(result) : essenceOfList(result.tools);
  if (!isDeepStrictEqual(got, await expected(exercise))) {
    throw new Error(`another result than asked for: ${JSON.stringify(got).slice(0, 300)}`);
  }
  return { bytes: Buffer.byteLength(body), essence: got };
}

/** What a server answered: how long it was on the wire, and what in it has to be the same for all. */
export interface Answer {
  readonly bytes: number;
  readonly essence: unknown;
}

interface Result {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly tools?: readonly ListedTool[];
}

interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: ListedSchema;
  readonly outputSchema?: ListedSchema;
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

interface ListedSchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

/** The JSON-RPC message of a body: JSON, or the last event of a stream. */
function messageOf(body: string): { readonly id?: unknown; readonly result?: Result } {
  const data = [...body.matchAll(/^data: (.+)$/gm)].at(-1)?.[1];
  return JSON.parse(data ?? body) as { id?: unknown; result?: Result };
}

async function expected({ operation, tools }: Exercise): Promise<unknown> {
  if (operation === 'call') return essenceOfCall(await callResult(echo, { message }));
  return essenceOfList(catalogue(tools).map(descriptor) as readonly ListedTool[]);
}

const essenceOfCall = ({ content, structuredContent, isError = false }: Result) => ({
  content,
  structuredContent,
  isError,
});

/** Libraries write the same schema differently, so properties and their texts are compared, not the bytes. */
const essenceOfList = (tools: readonly ListedTool[] = []) =>
  tools.map(({ name, description, inputSchema, outputSchema, annotations }) => ({
    name,
    description,
    reads: annotations?.readOnlyHint,
    input: textsOf(inputSchema),
    output: textsOf(outputSchema),
  }));

const textsOf = (schema?: ListedSchema) =>
  Object.entries(schema?.properties ?? {}).map(([name, { description }]) => [name, description]);
