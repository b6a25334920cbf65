import { types } from 'pg';

type Parse = (value: string) => unknown;
type Format = 'text' | 'binary';

/** The part of pg's `types` that a connection asks. */
interface CustomTypes {
  getTypeParser(oid: number, format?: Format): Parse;
}

/**
 * How column values reach TypeScript: `int8` as number (throws beyond 2^53), `date` and `timestamp` as text because a Date would
 * shift them by the machine's time zone; `timestamptz` as Date, `numeric` as text, `json` parsed, all as `pg` does it.
 */
export const typeParsers: CustomTypes = { getTypeParser };

const { INT8, DATE, TIMESTAMP } = types.builtins;
const pgParser = types.getTypeParser as CustomTypes['getTypeParser'];
const own = new Map<number, Parse>([
  [INT8, safeInteger],
  [DATE, String],
  [TIMESTAMP, String],
]);

function getTypeParser(oid: number, format?: Format): Parse {
  return own.get(oid) ?? pgParser(oid, format);
}

function safeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`The int8 ${value} does not fit a number`);
  return number;
}
