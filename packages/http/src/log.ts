import { writeSync } from 'node:fs';
import { pino } from 'pino';
import type { Bindings, ChildLoggerOptions, DestinationStream, Level, Logger } from 'pino';

export type { Logger } from 'pino';

/** Where a log goes and how much of it. */
export interface LogOptions {
  /** The program that speaks, for example `mervare`. */
  readonly name: string;
  readonly level?: Level;
  /** Standard output unless given. */
  readonly destination?: DestinationStream;
}

/**
 * A JSON line log. This package never logs a body, and whatever an app adds passes through `conceal`: a field named like
 * a secret is not written, and of an error only type, code, message, stack and cause, because libraries hang headers,
 * query parameters and rows on theirs.
 */
export function createLog({ name, level = 'info', destination }: LogOptions): Logger {
  const options = {
    name,
    level,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => conceal(fields) as Record<string, unknown>,
    },
    serializers: { err: (error: unknown) => error },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return concealChildren(pino(options, destination ?? (output ??= standardOutput())));
}

let output: DestinationStream | undefined;

/** How long a line waits for others, milliseconds. */
const GATHER_MS = 10;

/**
 * Standard output. To hand over a line wakes a thread, which costs a request as much processor time as its answer on the wire, so lines
 * that come close together go at once; those that wait when the process exits are written then.
 */
function standardOutput(): DestinationStream {
  const out = pino.destination({ dest: 1, sync: false });
  let waiting = '';
  const take = () => {
    const lines = waiting;
    waiting = '';
    return lines;
  };
  process.on('exit', () => {
    try {
      if (waiting !== '') writeSync(1, take());
    } catch {
      // Nobody reads any more.
    }
  });
  return {
    write(line) {
      if (waiting === '') setTimeout(() => out.write(take()), GATHER_MS);
      waiting += line;
    },
  };
}

/** Pino hands the fields of a child to no formatter. Children inherit this `child` from the log that they come from. */
function concealChildren(log: Logger): Logger {
  const make: CallableFunction = Reflect.get(log, 'child');
  return Object.assign(log, {
    child(this: Logger, fields: Bindings, options?: ChildLoggerOptions) {
      return Reflect.apply(make, this, [conceal(fields), options]);
    },
  });
}

/** Field names whose value is a secret, at any depth. */
const secretName =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|credential|bearer|passw(?:or)?d|.*(?:token|secret|password|api[-_]?key|private[-_]?key))s?$/i;
const concealed = '[secret]';
const deepest = 6;

/** The value with every secret field replaced, cut below six levels. */
function conceal(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > deepest) return '[deep]';
  if (value instanceof Error) return describe(value, depth);
  if (Array.isArray(value)) return value.map((item) => conceal(item, depth + 1));
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value))
    kept[name] = secretName.test(name) ? concealed : conceal(field, depth + 1);
  return kept;
}

/** What of an error may be written. */
function describe(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message: concealText(error.message),
    stack: concealText(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: conceal(error.cause, depth + 1) }),
  };
}

/** Credentials that libraries put into sentences: `scheme://user:password@host` and bearer tokens. */
function concealText(text: string): string {
  return text
    .replaceAll(/:\/\/[^\s/@]+@/g, `://${concealed}@`)
    .replaceAll(/\b(bearer|basic) +[\w.~+/=-]{8,}/gi, `$1 ${concealed}`);
}
