import { isMap, isPair, isScalar, type Document, type LineCounter, type Node } from 'yaml';
import type { z } from 'zod';

/** Something wrong in a file, with the place where it stands. Lines and columns begin at 1. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  /** The key it is about, as one would write it: `agents.analyst.tools[2]`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** A way into the document: keys and indexes from the top. */
export type Path = readonly PropertyKey[];

/** Makes faults of one document: finds the line and column for a path, or of its nearest part that exists. */
export function locator(document: Document, lines: LineCounter) {
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return {
    offset: (offset: number, message: string): Fault => ({ ...at(offset), path: '', message }),
    /** About the value at the path. */
    value: (path: Path, message: string): Fault => ({
      ...at(startOf(valueAt(document, path))),
      path: written(path),
      message,
    }),
    /** About the key itself: the last step of the path. */
    key: (path: Path, message: string): Fault => ({
      ...at(startOf(keyAt(document, path))),
      path: written(path),
      message,
    }),
  };
}

export type Locator = ReturnType<typeof locator>;

/** The faults that a schema found, one for every unknown key and every wrong value. */
export function schemaFaults(error: z.ZodError, locate: Locator): Fault[] {
  return error.issues.flatMap((issue) => {
    switch (issue.code) {
      case 'unrecognized_keys':
        return issue.keys.map((key) => locate.key([...issue.path, key], 'This key is unknown.'));
      case 'invalid_key':
        return [locate.key(issue.path, `This name ${issue.issues[0]?.message ?? 'is not allowed'}.`)];
      default:
        return [locate.value(issue.path, `${issue.message}.`)];
    }
  });
}

/** Faults in the order of the file. */
export function inOrder(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((one, other) => one.line - other.line || one.column - other.column);
}

/** One line for people: `saivage.yaml:3:5 agents.analyst.tools[2] There is no …`. */
export function faultLine(file: string, { line, column, path, message }: Fault): string {
  return [`${file}:${line}:${column}`, path, message].filter(Boolean).join(' ');
}

function valueAt(document: Document, path: Path): Node | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (node) return node as Node;
  }
  return document.contents ?? undefined;
}

function keyAt(document: Document, path: Path): Node | undefined {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  if (!isMap(parent)) return valueAt(document, path);
  const pair = parent.items.find((item) => isPair(item) && nameOf(item.key) === String(path.at(-1)));
  return (pair?.key as Node | undefined) ?? valueAt(document, path);
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function startOf(node: Node | undefined): number {
  return node?.range?.[0] ?? 0;
}

function written(path: Path): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('');
}
