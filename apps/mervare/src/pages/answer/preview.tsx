import { html as markup } from 'hono/html';
import type { Edition } from '../../survey/editions.ts';
import type { Site } from '../layout.tsx';
import { FormPage } from './form-page.tsx';
import { wordsIn } from './words/languages.ts';

/** The page that respondents see, as text. */
export async function previewHtml(site: Pick<Site, 'asset'>, edition: Edition): Promise<string> {
  const words = wordsIn(edition.language);
  const page = (
    <FormPage
      site={site}
      words={words}
      preview
      edition={edition}
      typed={new Map()}
      faulty={new Set()}
      kept={false}
    />
  );
  return String(await markup`<!doctype html>${page}`);
}
