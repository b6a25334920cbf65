import { byAddress, HttpProblem, pages, throttle, type EdgeEnv } from '@portolan/http';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import type { Deps } from '../../mcp/vocabulary.ts';
import { giveAnswer, keepForLater } from '../../survey/answering.ts';
import { readEdition, type Edition } from '../../survey/editions.ts';
import { editionPreviewed } from '../../survey/preview.ts';
import { MOST_OPTIONS, type Question } from '../../survey/question.ts';
import { readTyped, type Typed } from '../../survey/typed.ts';
import { readUnfinished } from '../../survey/unfinished.ts';
import { findVisit, noteOpened, type Standing, type Visit } from '../../survey/visit.ts';
import type { Site } from '../layout.tsx';
import { problemPages } from '../problem.tsx';
import { show } from '../show.ts';
import { FormPage, WordPage } from './pages.tsx';
import { fieldName } from './question.tsx';
import { english } from './words/english.ts';
import { wordsIn } from './words/languages.ts';

interface AnswerOptions {
  readonly deps: Pick<Deps, 'db' | 'now' | 'previewKey'>;
  readonly site: Site;
}

/** `/s/:token`: answering a survey by a personal link, without script; `/s/preview/:link`: looking at it beforehand. */
export function answerRoutes(options: AnswerOptions): Hono<EdgeEnv> {
  const limit = throttle({ name: 'answer', points: 300, perSeconds: 60, key: byAddress });
  const routes = new Hono<EdgeEnv>();
  routes.onError(problemPages(options.site));
  routes.use('/s/*', secretAddress, pages(), limit);
  routes.route('/', previewing(options));
  routes.route('/', answering(options));
  return routes;
}

/** The address alone lets its holder answer: it is in no cache, no index, and no other site's log. */
const secretAddress: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('cache-control', 'no-store');
  c.header('referrer-policy', 'no-referrer');
  c.header('x-robots-tag', 'noindex, nofollow');
};

const none: ReadonlySet<string> = new Set();

function answering({ deps: { db, now }, site }: AnswerOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv>();
  const form = (
    c: Context,
    { edition }: Visit,
    typed: Typed,
    more: { faulty?: ReadonlySet<string>; kept?: boolean },
  ) => {
    const { faulty = none, kept = false } = more;
    const frame = { site, words: wordsIn(edition.language), preview: false };
    const page = <FormPage {...frame} edition={edition} typed={typed} faulty={faulty} kept={kept} />;
    return show(c, page, faulty.size > 0 ? 422 : 200);
  };
  const refuse = (c: Context, visit: Visit | undefined) => {
    const standing = visit === undefined || visit.standing === 'open' ? 'unknown' : visit.standing;
    const words = visit === undefined ? english : wordsIn(visit.edition.language);
    const sentence = words.refusals[standing];
    const page = (
      <WordPage site={site} words={words} preview={false} sentence={sentence} of={knownTo(visit)} />
    );
    return show(c, page, statuses[standing]);
  };

  routes.get('/s/:token', async (c) => {
    const token = c.req.param('token');
    const visit = await findVisit(db, token, now());
    if (visit?.standing !== 'open') return refuse(c, visit);
    if (isSeen(c)) await noteOpened(db, visit);
    return form(c, visit, await readUnfinished(db, token), { kept: c.req.query('kept') !== undefined });
  });

  routes.post('/s/:token', async (c) => {
    const token = c.req.param('token');
    const here = `/s/${encodeURIComponent(token)}`;
    const found = await findVisit(db, token, now());
    if (found === undefined) return refuse(c, found);
    const { typed, send } = await readForm(c, found.edition.questions);
    const handle = send ? giveAnswer : keepForLater;
    const outcome = await db.transaction().execute((tx) => handle(tx, token, typed, now()));
    if (outcome?.taken) return c.redirect(`${here}/thanks`, 303);
    if (outcome?.visit.standing !== 'open') return refuse(c, outcome?.visit);
    if (!send) return c.redirect(`${here}?kept`, 303);
    return form(c, outcome.visit, typed, outcome);
  });

  routes.get('/s/:token/thanks', async (c) => {
    const token = c.req.param('token');
    const visit = await findVisit(db, token, now());
    if (visit?.standing !== 'answered') return c.redirect(`/s/${encodeURIComponent(token)}`, 303);
    const words = wordsIn(visit.edition.language);
    const sentence = { title: words.thanks, says: words.thanked };
    return show(
      c,
      <WordPage site={site} words={words} preview={false} sentence={sentence} of={visit.edition} />,
    );
  });
  return routes;
}

function previewing({ deps: { db, now, previewKey }, site }: AnswerOptions): Hono<EdgeEnv> {
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
    return edition ? form(c, edition, new Map(), none) : over(c);
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

/** What a status says of each standing: over for good, or for now. */
const statuses = {
  unknown: 404,
  paused: 409,
  closed: 410,
  answered: 410,
  revoked: 410,
  expired: 410,
} as const satisfies Record<Exclude<Standing, 'open'> | 'unknown', number>;

/** The survey of a visit that is not turned away from it. */
function knownTo(visit: Visit | undefined): Edition | undefined {
  return visit?.standing === 'revoked' || visit?.standing === 'expired' ? undefined : visit?.edition;
}

/** False for what browsers and mail programs fetch before somebody looks. */
function isSeen({ req }: Context): boolean {
  return (
    req.method === 'GET' &&
    !/prefetch|prerender/.test(req.header('sec-purpose') ?? req.header('purpose') ?? '')
  );
}

/** What a form holds for these questions. No cookie counts here, so a page of another site gains nothing by sending one. */
async function readForm(
  c: Context,
  questions: readonly Question[],
): Promise<{ readonly typed: Typed; readonly send: boolean }> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? ''))
    throw new HttpProblem(415, 'unsupported_media_type', 'Send the form of this page.');
  const fields = new URLSearchParams(await c.req.text());
  const given = questions.map(
    ({ id }, at) => [id, fields.getAll(fieldName(at + 1)).slice(0, MOST_OPTIONS)] as const,
  );
  return { typed: new Map(given.filter(([, texts]) => texts.length > 0)), send: fields.get('do') === 'send' };
}
