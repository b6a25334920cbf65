import { fileURLToPath } from 'node:url';
import { HttpProblem, withDeadline } from '@portolan/http';
import { processScopes, type Scope } from '@portolan/process';
import pLimit from 'p-limit';
import type { Answer } from './extractor.ts';
import { kindOf, type Kind } from './kind.ts';
import { LIMITS } from './limits.ts';

/** The text of one file, or in one sentence why there is none. */
export type Extracted =
  | { readonly ok: true; readonly text: string; readonly cut: boolean }
  | { readonly ok: false; readonly error: string };

/** What one process may use. */
type Bounds = Readonly<Record<'time' | 'memory', number>>;

/** Reads the text of files, a few at a time. */
export type Extract = (filename: string, bytes: Uint8Array, signal: AbortSignal) => Promise<Extracted>;

/**
 * Reads every file in a process of its own: without secrets, with bounded memory and time, gone afterwards. What a stranger's
 * file does to a parser, it does there. Never rejects for what a file holds; throws 503 when too many wait.
 */
export function createExtract(bounds: Bounds = LIMITS): Extract {
  const places = pLimit(LIMITS.atOnce);
  return async (filename, bytes, signal) => {
    if (bytes.length > LIMITS.file) return refused('The file is larger than 10 MiB.');
    const kind = kindOf(filename, bytes);
    if (!kind) return refused('Text is read from .txt, .md, .csv, .pdf and .docx files.');
    if (places.pendingCount >= LIMITS.waiting)
      throw new HttpProblem(503, 'unavailable', 'Too many files are being read; try again.', {
        'retry-after': '5',
      });
    return places(async () => {
      signal.throwIfAborted();
      const patience = withDeadline(signal, bounds.time);
      return judged(await read(kind, bytes, bounds.memory, patience));
    });
  };
}

async function read(
  kind: Kind,
  bytes: Uint8Array,
  memory: number,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const scopes = await processScopes();
  const scope = await scopes.start({
    command: 'prlimit',
    args: [`--data=${memory}`, process.execPath, '--max-old-space-size=256', PROGRAM, kind],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    cwd: '/',
  });
  try {
    return await answerOf(scope, bytes, signal);
  } finally {
    await scope.end({ grace: 0 });
  }
}

const PROGRAM = fileURLToPath(new URL('../../bin/extract.mjs', import.meta.url));

/** Undefined when the process ended without an answer, or had to be ended. */
async function answerOf(scope: Scope, bytes: Uint8Array, signal: AbortSignal): Promise<Answer | undefined> {
  // A process that ends early takes no more: that is seen at its end.
  scope.stdin.on('error', () => undefined).end(bytes);
  scope.stderr.resume();
  const abort = (): void => void scope.end({ grace: 0 });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of scope.stdout) chunks.push(chunk as Buffer);
    const { code } = await scope.exited;
    const line = Buffer.concat(chunks).toString().split('\n').at(-1) ?? '';
    return code === 0 ? (JSON.parse(line) as Answer) : undefined;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function judged(answer: Answer | undefined): Extracted {
  if (!answer || ('fault' in answer && answer.fault === 'RangeError'))
    return refused('The file could not be read within the limits of time and memory.');
  if ('fault' in answer) return refused('The file is damaged, or not what its name says.');
  if (answer.text === '') return refused('There is no text in the file.');
  return { ok: true, ...answer };
}

function refused(error: string): Extracted {
  return { ok: false, error };
}
