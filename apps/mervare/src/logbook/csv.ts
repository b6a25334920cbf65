import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { faulty } from '../imports/imported.ts';
import { MOST_VISITS, Visit } from './visit.ts';

/** Columns of the file, by what they state. */
const columns = {
  source: 'source',
  reference: 'reference',
  harbour: 'harbour',
  arrival: 'arrival',
  departure: 'departure',
  class: 'vesselClass',
  length_m: 'lengthM',
} as const;

/** A cell that says nothing states nothing. */
const Row = z.preprocess(
  (cells) =>
    Object.fromEntries(
      Object.entries(cells as Record<string, string>)
        .filter(([, cell]) => cell !== '')
        .map(([name, cell]) => [name, name === 'lengthM' ? Number(cell) : cell]),
    ),
  Visit,
);

/**
 * Reads visits from CSV (RFC 4180, UTF-8) whose first line names the columns source, reference, harbour, arrival, departure, class and
 * length_m, in any order. Throws a Refusal that names the faults by line; nothing is read from a file with a fault.
 */
export function readCsv(text: string): Visit[] {
  const read = rowsOf(text).map(({ record, info }) => ({ line: info.lines, ...Row.safeParse(record) }));
  const faults = read.flatMap(({ line, error }) =>
    (error?.issues ?? []).map(({ path, message }) => `line ${line}: ${columnOf(path[0])} ${message}`),
  );
  if (faults.length > 0) throw faulty(faults);
  return read.flatMap(({ data }) => (data ? [data] : []));
}

interface Read {
  readonly record: Record<string, string>;
  readonly info: { readonly lines: number };
}

function rowsOf(text: string): Read[] {
  try {
    // The types of the library do not know what `info` does to the result.
    return parse(text, {
      bom: true,
      columns: named,
      info: true,
      skip_empty_lines: true,
      trim: true,
      to: MOST_VISITS + 1,
      max_record_size: 10_000,
    }) as unknown as Read[];
  } catch (error) {
    if (error instanceof CsvError) throw faulty([error.message]);
    throw error;
  }
}

/** The properties behind the first line. */
function named(heads: readonly string[]): string[] {
  const known = Object.keys(columns);
  const wrong = [
    ...heads.filter((head) => !known.includes(head)).map((head) => `line 1: column “${head}” is not known`),
    ...known
      .filter((column) => !heads.includes(column))
      .map((column) => `line 1: column ${column} is missing`),
  ];
  if (wrong.length > 0 || new Set(heads).size < heads.length)
    throw faulty(wrong.length > 0 ? wrong : ['line 1: a column stands twice']);
  return heads.map((head) => columns[head as keyof typeof columns]);
}

function columnOf(property: PropertyKey | undefined): string {
  return Object.entries(columns).find(([, name]) => name === property)?.[0] ?? String(property);
}
