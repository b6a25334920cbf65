/** Foreign JSON Schemas: read, judged one by one, and used to validate, with nothing loaded or changed. */
export type { Dialect } from './schema/dialect.ts';
export { isFault, readSchema, SCHEMA_LIMITS } from './schema/schema.ts';
export type { Schema, SchemaCode, SchemaFault } from './schema/schema.ts';
export { faultOf, validate } from './schema/validate.ts';
export type { Verdict } from './schema/validate.ts';
