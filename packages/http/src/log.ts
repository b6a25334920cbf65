import { pino } from 'pino';
import type { DestinationStream, Level, Logger } from 'pino';

export type { Logger } from 'pino';

/** Where a log goes and how much of it. */
export interface LogOptions {
  /** The program that speaks, for example `mervare`. */
  readonly name: string;
  readonly level?: Level;
  /** Standard output unless given. */
  readonly destination?: DestinationStream;
}

/** Field names whose value is a secret, at any depth. */
const secretName =
  /^(authorization|proxy-authorization|cookie|set-cookie|credentials?|pass(word|wd)?|.*(token|secret|api[-_]?key|private[-_]?key))s?$/i;
const deepest = 6;
const concealed = '[secret]';

/**
 * A JSON line log. Bodies are never logged by this package; whatever an app adds passes through `conceal`, so that a
 * field named like a secret is not written. Errors are reduced to type, code, message, stack and cause: the libraries'
 * own extra fields (headers, query parameters, rows) stay out.
 */
export function createLog({ name, level = 'info', destination }: LogOptions): Logger {
  const options = {
    name,
    level,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: Record<string, unknown>) => conceal(fields) as Record<string, unknown>,
      bindings: ({ name: program, ...rest }: Record<string, unknown>) => ({
        name: program,
        ...(conceal(rest) as object),
      }),
    },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** The same value with every secret field replaced; cycles and depth are cut. */
export function conceal(value: unknown, depth = 0): unknown {
  if (value instanceof Error) return describeError(value, depth);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === deepest) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => conceal(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      secretName.test(name) ? concealed : conceal(field, depth + 1),
    ]),
  );
}

/** What of an error may be written. */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message: concealText(error.message),
    stack: concealText(error.stack ?? ''),
    ...(error.cause === undefined || depth === deepest ? {} : { cause: conceal(error.cause, depth + 1) }),
  };
}

/** Credentials that libraries put into sentences: `scheme://user:password@` and bearer tokens. */
function concealText(text: string): string {
  return text
    .replaceAll(/:\/\/[^\s/@]+@/g, `://${concealed}@`)
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${concealed}`);
}
