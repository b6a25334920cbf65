import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { z } from 'zod';
import { cursorAfter, KeyText, keyOf } from '../paging/cursor.ts';
import { inCountry } from './country.ts';
import type { PublicTables } from './tables.ts';

/** The fields that a query may name, with what they are in the public view. Nothing else can be asked. */
const fields = {
  locode: { is: 'text', sql: sql`locode` },
  name: { is: 'text', sql: sql`name` },
  city: { is: 'text', sql: sql`city` },
  province: { is: 'text', sql: sql`province` },
  country: { is: 'text', sql: sql`country` },
  timezone: { is: 'text', sql: sql`timezone` },
  customsCode: { is: 'text', sql: sql`customs_code` },
  lat: { is: 'number', sql: sql`latitude` },
  lon: { is: 'number', sql: sql`longitude` },
  depthM: { is: 'number', sql: sql`depth_m` },
} as const satisfies Record<string, { is: 'text' | 'number'; sql: RawBuilder<unknown> }>;

export type Field = keyof typeof fields;
export const FIELDS = Object.keys(fields) as [Field, ...Field[]];

export const OPERATORS = ['is', 'starts_with', 'at_least', 'at_most', 'present', 'absent'] as const;

/** One condition on one field. `present` and `absent` take no value, all others take one. */
export interface Condition {
  readonly field: Field;
  readonly op: (typeof OPERATORS)[number];
  readonly value?: string | number | undefined;
}

export interface HarbourQuery {
  /** All must hold. */
  readonly where: readonly Condition[];
  readonly groupBy?: Field | undefined;
}

/** How many harbours fit, and how many in each group, the largest group first. `null` groups those without the fact. */
export interface Counted {
  readonly total: number;
  readonly groups?: { readonly value: string | number | null; readonly count: number }[];
  readonly nextCursor?: string;
}

const MISSING_LAST = sql`(value is null)::int`;
const IN_ORDER = sql`coalesce(value::text, '') collate "C"`;
/** Where a page of groups ends: size, whether the value is missing, the value as text. */
const GroupKey = z.tuple([z.int(), z.int(), KeyText]);

/** Counts harbours. Throws a Refusal for a condition that does not fit its field and for a cursor of another query. */
export async function countHarbours(
  db: Kysely<PublicTables>,
  query: HarbourQuery,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Counted> {
  const after = cursor === undefined ? undefined : keyOf(cursor, query, GroupKey);
  const matching = db
    .selectFrom('public_harbour')
    .where((all) => all.and(query.where.map(holds)))
    .select(sql<number>`count(*)::int`.as('count'));
  const { count: total } = await matching.executeTakeFirstOrThrow();
  if (query.groupBy === undefined) return { total };
  const value = sql<string | number | null>`${fields[query.groupBy].sql}`;
  const rows = await db
    .selectFrom(matching.select(value.as('value')).groupBy(value).as('groups'))
    .selectAll()
    .$if(after !== undefined, (groups) => groups.where(isAfter(after ?? [0, 0, ''])))
    .orderBy('count', 'desc')
    .orderBy(MISSING_LAST)
    .orderBy(IN_ORDER)
    .limit(limit + 1)
    .execute();
  const groups = rows.slice(0, limit);
  const last = groups.at(-1);
  return {
    total,
    groups,
    ...(last && rows.length > limit && { nextCursor: cursorAfter(keyAt(last), query) }),
  };
}

type Group = NonNullable<Counted['groups']>[number];

function keyAt({ count, value }: Group): z.output<typeof GroupKey> {
  return [count, value === null ? 1 : 0, String(value ?? '')];
}

function isAfter([count, missing, text]: z.output<typeof GroupKey>): RawBuilder<SqlBool> {
  return sql`(-count, ${MISSING_LAST}, ${IN_ORDER}) > (${-count}::int, ${missing}::int, ${text}::text)`;
}

function holds({ field, op, value }: Condition): RawBuilder<SqlBool> {
  const { is: kind, sql: column } = fields[field];
  if (op === 'present' || op === 'absent')
    return sql`${column} is ${sql.raw(op === 'present' ? 'not null' : 'null')}`;
  if (typeof value === 'number' && kind === 'number') return compares(column, op, value);
  if (typeof value === 'string' && kind === 'text')
    return reads(field, column, op, value.replaceAll('\0', ''));
  throw new Refusal('invalid_input', `${field} ${op} needs a ${kind} as its value.`);
}

function compares(column: RawBuilder<unknown>, op: Condition['op'], value: number): RawBuilder<SqlBool> {
  if (op === 'is') return sql`${column} = ${value}::float8`;
  if (op === 'at_least') return sql`${column} >= ${value}::float8`;
  if (op === 'at_most') return sql`${column} <= ${value}::float8`;
  throw new Refusal('invalid_input', `${op} compares texts; numbers take is, at_least and at_most.`);
}

function reads(
  field: Field,
  column: RawBuilder<unknown>,
  op: Condition['op'],
  value: string,
): RawBuilder<SqlBool> {
  if (op === 'is' && field === 'country') return inCountry(value);
  if (op === 'is') return sql`lower(${column}) = lower(${value})`;
  if (op === 'starts_with') return sql`starts_with(lower(${column}), lower(${value}))`;
  throw new Refusal('invalid_input', `${op} compares numbers; texts take is and starts_with.`);
}
