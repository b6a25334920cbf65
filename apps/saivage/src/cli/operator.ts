import { request, type IncomingMessage } from 'node:http';
import { exitCodes, Trouble, UsageError, type Environment } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { z } from 'zod';
import { printable } from './printable.ts';

/** The operator API of a running server, as commands use it. What it answers is JSON; a problem is thrown. */
export interface Operator {
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  post(path: string, body: object, signal?: AbortSignal): Promise<unknown>;
}

/** Bytes of an answer: one native result of 48 MiB, and room for its JSON. */
const LARGEST = 64 * 1024 * 1024;

const Problem = z.looseObject({
  error: z.string(),
  message: z.string(),
  rows: z.array(z.string()).default([]),
  peer: z.object({ message: z.string() }).optional(),
});
type Problem = z.output<typeof Problem>;

/** What the person at the terminal has named wrongly. */
const WRONG = ['unknown_server', 'unknown_tool', 'arguments_invalid', 'invalid_input', 'too_large'];

/**
 * The operator API at an origin, with the token of the environment. Throws `Misconfigured` where it is missing or
 * refused, `UsageError` for a wrong name or argument, else `Trouble`. Waits as long as the server works.
 */
export function operatorAt(origin: string, environment: Environment): Operator {
  const token = environment['SAIVAGE_API_TOKEN'];
  const ask = async (method: string, path: string, body: string | undefined, signal?: AbortSignal) => {
    const headers = {
      ...(token !== undefined && { authorization: `Bearer ${visible(token)}` }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const { status, text } = await exchange(new URL(path, origin), { method, headers, body, signal });
    const answer = parse(text);
    if (status < 300) return answer;
    throw troubleOf(status, Problem.safeParse(answer).data, token !== undefined);
  };
  return {
    get: (path, signal) => ask('GET', path, undefined, signal),
    post: (path, body, signal) => ask('POST', path, JSON.stringify(body), signal),
  };
}

function visible(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new Misconfigured('SAIVAGE_API_TOKEN may hold only visible ASCII characters without spaces.');
}

interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** One request without a deadline of ours: a call may take 15 minutes, and it is the server that ends it. */
async function exchange(url: URL, { method, headers, body, signal }: Sent) {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method, headers, ...(signal && { signal }) }, resolve)
        .on('error', reject)
        .end(body);
    });
    return { status: response.statusCode ?? 0, text: await textOf(response) };
  } catch (error) {
    if (error instanceof Trouble) throw error;
    if (signal?.aborted) throw new Trouble('Interrupted. What was asked for goes on in the running Saivage.');
    const reason = error instanceof Error ? error.message : String(error);
    throw new Trouble(`The running Saivage does not answer: ${reason}.`, exitCodes.tryAgain);
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST) throw new Trouble('The answer of the running Saivage is over 64 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Trouble('What answers in the place of the running Saivage does not speak JSON.');
  }
}

function troubleOf(status: number, problem: Problem | undefined, hasToken: boolean): Error {
  if (!problem) return new Trouble(`The running Saivage answers ${status}.`);
  const { error, message, rows, peer } = problem;
  if (status === 401) {
    const what = hasToken ? 'refuses the SAIVAGE_API_TOKEN of the environment' : 'wants SAIVAGE_API_TOKEN';
    return new Misconfigured(`The Saivage that runs for this project ${what}: ${message}`);
  }
  if (error === 'disabled') return new Misconfigured(message);
  const lines = [message, ...rows, ...(peer ? [`It said: ${printable(peer.message)}`] : [])].join('\n');
  return WRONG.includes(error) ? new UsageError(lines) : new Trouble(lines);
}
