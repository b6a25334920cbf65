import { sql, type Kysely } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import type { Template } from './templates.ts';

/** A template as lists show it: its latest edition. */
export interface TemplateBrief extends Pick<
  Template,
  'id' | 'name' | 'edition' | 'version' | 'updatedAt' | 'usedAt'
> {
  readonly languages: string[];
}

/** Templates, the newest first. */
export function listTemplates(db: Kysely<SiteTables>, paging: Paging): Promise<Page<TemplateBrief>> {
  return newestFirst(paging, 'templates', null, async (limit, before) => {
    const { rows } = await sql<TemplateBrief>`
      select t.id, e.name, e.edition, t.version, e.updated_at as "updatedAt", e.used_at as "usedAt",
        array(select text ->> 'language' from jsonb_array_elements(e.texts) text) as languages
      from survey_template t join lateral
        (select * from survey_template_edition e where e.template = t.id order by edition desc limit 1) e on true
      ${before === undefined ? sql`` : sql`where t.id < ${before}`}
      order by t.id desc limit ${limit}`.execute(db);
    return rows;
  });
}
