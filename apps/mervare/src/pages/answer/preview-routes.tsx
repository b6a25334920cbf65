import type { EdgeEnv } from '@portolan/http';
import { Hono, type Context } from 'hono';
import type { Deps } from '../../mcp/vocabulary.ts';
import { readEdition, type Edition } from '../../survey/editions.ts';
import { editionPreviewed } from '../../survey/preview.ts';
import { readTyped, type Typed } from '../../survey/typed.ts';
import type { Site } from '../layout.tsx';
import { show } from '../show.ts';
import { FormPage } from './form-page.tsx';
import { WordPage } from './page.tsx';
import { readForm } from './read-form.ts';
import { english } from './words/english.ts';
import { wordsIn } from './words/languages.ts';

/** What the pages behind a link need. */
export interface AnswerOptions {
  readonly deps: Pick<Deps, 'db' | 'now' | 'previewKey'>;
  readonly site: Site;
}

/** `/s/preview/:link`: looking at a survey before anybody answers it. Nothing is kept of what is sent there. */
export function previewRoutes({ deps: { db, now, previewKey }, site }: AnswerOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv>();
  const editionOf = async (c: Context<EdgeEnv, '/s/preview/:link'>) => {
    const key = editionPreviewed(previewKey, c.req.param('link'), now());
    return key && readEdition(db, key);
  };
  const over = (c: Context) => {
    const sentence = english.refusals.previewOver;
    return show(c, <WordPage site={site} words={english} preview sentence={sentence} />, 410);
  };
  const form = (c: Context, edition: Edition, typed: Typed, faulty: ReadonlySet<string>) => {
    const frame = {
      site,
      words: wordsIn(edition.language),
      preview: true,
      edition,
      typed,
      faulty,
      kept: false,
    };
    return show(c, <FormPage {...frame} />, faulty.size > 0 ? 422 : 200);
  };

  routes.get('/s/preview/:link', async (c) => {
    const edition = await editionOf(c);
    return edition ? form(c, edition, new Map(), new Set()) : over(c);
  });

  routes.post('/s/preview/:link', async (c) => {
    const edition = await editionOf(c);
    if (!edition) return over(c);
    const { typed } = await readForm(c, edition.questions);
    const { faulty } = readTyped(edition.questions, typed);
    if (faulty.size > 0) return form(c, edition, typed, faulty);
    const words = wordsIn(edition.language);
    const sentence = { title: words.thanks, says: words.previewThanks };
    return show(c, <WordPage site={site} words={words} preview sentence={sentence} of={edition} />);
  });
  return routes;
}
