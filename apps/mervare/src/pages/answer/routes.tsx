import { byAddress, pages, throttle, type EdgeEnv } from '@portolan/http';
import { Hono, type Context } from 'hono';
import { giveAnswer, keepForLater } from '../../survey/answering.ts';
import type { Edition } from '../../survey/editions.ts';
import type { Typed } from '../../survey/typed.ts';
import { readUnfinished } from '../../survey/unfinished.ts';
import { findVisit, noteOpened, type Standing, type Visit } from '../../survey/visit.ts';
import { problemPages } from '../problem.tsx';
import { secretAddress } from '../secret-address.ts';
import { show } from '../show.ts';
import { FormPage } from './form-page.tsx';
import { WordPage } from './page.tsx';
import { previewRoutes, type AnswerOptions } from './preview-routes.tsx';
import { readForm } from './read-form.ts';
import { english } from './words/english.ts';
import { wordsIn } from './words/languages.ts';

/** `/s/:token`: answering a survey by a personal link, without script; `/s/preview/:link`: looking at it beforehand. */
export function answerRoutes(options: AnswerOptions): Hono<EdgeEnv> {
  const limit = throttle({ name: 'answer', points: 300, perSeconds: 60, key: byAddress });
  const routes = new Hono<EdgeEnv>();
  routes.onError(problemPages(options.site));
  // The address alone lets its holder answer.
  routes.use('/s/*', secretAddress, pages(), limit);
  routes.route('/', previewRoutes(options));
  routes.route('/', answering(options));
  return routes;
}

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
