/** A row as an answer shows it: what is not known (`null`) is left out, moments are ISO 8601 in UTC. */
export type Presented<Row> = {
  [Key in keyof Row as null extends Row[Key] ? never : Key]: Shown<Row[Key]>;
} & {
  [Key in keyof Row as null extends Row[Key] ? Key : never]?: Shown<NonNullable<Row[Key]>>;
};

type Shown<Value> = Value extends Date ? string : Value;

/** Shows the columns of one row. Text of others is marked by the tool that shows it, column by column. */
export function present<Row extends object>(row: Row): Presented<Row> {
  const known = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    known.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  ) as Presented<Row>;
}
