import { untrusted } from '@portolan/mcp/tool';

/** A row as an answer shows it. */
export type Presented<Row, Marked> = {
  [Column in keyof Row as null extends Row[Column] ? never : Column]: Shown<Row[Column], Column, Marked>;
} & {
  [Column in keyof Row as null extends Row[Column] ? Column : never]?: Shown<
    NonNullable<Row[Column]>,
    Column,
    Marked
  >;
};

type Shown<Value, Column, Marked> = Column extends Marked
  ? { untrusted: string }
  : Value extends Date
    ? string
    : Value;

/**
 * Shows the columns of one row: what is not known (`null`) is left out, moments are ISO 8601 in UTC, and the columns in `marked`, which
 * hold text of others, are marked as untrusted.
 */
export function present<Row extends object, Marked extends keyof Row & string = never>(
  row: Row,
  ...marked: readonly Marked[]
): Presented<Row, Marked> {
  const known = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  const shown = known.map(([column, value]): [string, unknown] => {
    if ((marked as readonly string[]).includes(column)) return [column, untrusted(String(value))];
    return [column, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(shown) as Presented<Row, Marked>;
}
