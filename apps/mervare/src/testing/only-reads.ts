import { sql, type Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';

/**
 * Makes the database refuse whatever is written to it while something runs that only reads: also what is written and taken back, or
 * written beside the transaction of the caller.
 */
export async function onlyReads(
  db: Kysely<SiteTables>,
): Promise<<Answer>(act: () => Promise<Answer>) => Promise<Answer>> {
  await sql`do $$ declare named text; begin
    create table only_reads ();
    create function refuse_write() returns trigger language plpgsql as $refuse$ begin
      if exists (select from only_reads) then raise exception 'what only reads writes to %', tg_table_name; end if;
      return null;
    end $refuse$;
    for named in select tablename from pg_tables where schemaname = current_schema() and tablename <> 'only_reads' loop
      execute format('create trigger only_reads before insert or update or delete or truncate on %I
        for each statement execute function refuse_write()', named);
    end loop;
  end $$`.execute(db);
  return async (act) => {
    await sql`insert into only_reads default values`.execute(db);
    try {
      return await act();
    } finally {
      await sql`delete from only_reads`.execute(db);
    }
  };
}
