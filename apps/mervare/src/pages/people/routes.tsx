import { HttpProblem, pages, tally, tooMany, type EdgeEnv } from '@portolan/http';
import { Hono } from 'hono';
import type { Deps } from '../../mcp/vocabulary.ts';
import { createAccount, setPassword, signInWith } from '../../people/accounts.ts';
import { change, isChange } from '../../people/changes.ts';
import { rememberDevice } from '../../people/device.ts';
import { readFields, readForm } from '../../people/form.ts';
import { limitGuesses } from '../../people/guesses.ts';
import { listAgents, listPeople } from '../../people/list.ts';
import { newPassword } from '../../people/password.ts';
import {
  beginSession,
  currentPerson,
  endSession,
  onPage,
  requirePerson,
  requireSuperAdmin,
} from '../../people/session.ts';
import { triesIn } from '../../people/tries.ts';
import type { SiteSecret } from '../../secret/site-secret.ts';
import { isStorable, NOT_STORABLE } from '../../text/storable.ts';
import type { Site } from '../layout.tsx';
import { problemPages } from '../problem.tsx';
import { show } from '../show.ts';
import { AccountPage } from './account.tsx';
import { LoginPage } from './login.tsx';
import { CreatedPage, UsersPage } from './users.tsx';

interface PeopleOptions {
  readonly deps: Pick<Deps, 'db' | 'now'>;
  readonly site: Site;
  readonly secret: SiteSecret;
  /** Ends the chats of a session before it ends itself. */
  readonly endChats: ((session: Buffer) => Promise<void>) | undefined;
}

/** Signing in and out, one's account, and the users for super admins. All of it works without script. */
export function peopleRoutes(options: PeopleOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv>();
  routes.onError(problemPages(options.site));
  routes.route('/', signingIn(options));
  routes.route('/', administration(options));
  return routes;
}

function signingIn({ deps: { db, now }, site, secret, endChats }: PeopleOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv>();
  const html = pages();
  const devices = secret('device');
  const countTry = limitGuesses(db, devices);
  // Whoever finds a browser signed in cannot try passwords there for long either.
  const ofPerson = tally({ name: 'password', perSeconds: 300, store: triesIn(db) });

  routes.get('/login', html, async (c) => {
    const next = ownPath(c.req.query('next'));
    if (await currentPerson(c, db, now())) return c.redirect(next, 303);
    return show(c, <LoginPage site={site} next={next} />);
  });

  routes.post('/login', html, async (c) => {
    const { email = '', password = '', next: wanted } = await readFields(c);
    const next = ownPath(wanted);
    const account = email.trim().toLowerCase();
    const takeBack = await countTry(c, account);
    const person = await signInWith(db, account, password).catch(async (error: unknown) => {
      await takeBack();
      throw error;
    });
    if (person === undefined) {
      const fault = 'This e-mail and this password do not belong together.';
      return show(c, <LoginPage site={site} next={next} email={email} fault={fault} />, 401);
    }
    await takeBack();
    rememberDevice(c, devices, account);
    await beginSession(c, db, person, now());
    return c.redirect(next, 303);
  });

  routes.get('/account', html, async (c) =>
    show(c, <AccountPage site={site} signedIn={await requirePerson(c, db, now())} />),
  );

  routes.post('/account/password', html, async (c) => {
    const signedIn = await requirePerson(c, db, now());
    const { count, restMs } = await ofPerson.add(signedIn.person.id);
    if (count > 10) throw tooMany(restMs);
    const { current = '', password = '' } = await readForm(c, signedIn);
    const { email, id } = signedIn.person;
    if ((await signInWith(db, email, current)) === undefined)
      throw new HttpProblem(403, 'forbidden', 'This is not your current password.');
    await setPassword(db, email, password, { by: onPage(signedIn), now: now() });
    await beginSession(c, db, id, now());
    return c.redirect('/account', 303);
  });

  routes.post('/logout', html, async (c) => {
    const signedIn = await requirePerson(c, db, now());
    await readForm(c, signedIn);
    await endChats?.(signedIn.session);
    await endSession(c, db);
    return c.redirect('/', 303);
  });
  return routes;
}

/** Where a form of ours leads to: a path of this site, whatever was asked. */
function ownPath(wanted: string | undefined): string {
  const here = 'http://here.invalid';
  if (wanted === undefined || !URL.canParse(wanted, here)) return '/account';
  const { origin, pathname, search } = new URL(wanted, here);
  // Two slashes at its beginning would name another site, and dots before them only hide that.
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}` : '/account';
}

function administration({ deps: { db, now }, site }: PeopleOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv>();
  const html = pages();

  routes.get('/admin/users', html, async (c) => {
    const signedIn = await requireSuperAdmin(c, db, now());
    const after = c.req.query('after') ?? '';
    if (!isStorable(after)) throw new HttpProblem(400, 'invalid_input', `after ${NOT_STORABLE}.`);
    const [{ people, next }, agents] = await Promise.all([listPeople(db, after), listAgents(db)]);
    return show(c, <UsersPage site={site} signedIn={signedIn} people={people} next={next} agents={agents} />);
  });

  routes.post('/admin/users', html, async (c) => {
    const signedIn = await requireSuperAdmin(c, db, now());
    const { email = '', name = '', super: isSuperAdmin } = await readForm(c, signedIn);
    const account = { email, name, password: newPassword(), isSuperAdmin: isSuperAdmin === 'yes' };
    await createAccount(db, account, { by: onPage(signedIn), now: now() });
    c.header('cache-control', 'no-store');
    return show(c, <CreatedPage site={site} email={email} password={account.password} />);
  });

  routes.post('/admin/users/change', html, async (c) => {
    const signedIn = await requireSuperAdmin(c, db, now());
    const { change: name, target = '' } = await readForm(c, signedIn);
    if (!isChange(name)) throw new HttpProblem(400, 'invalid_input', 'There is no such change.');
    await change(db, name, target, { person: signedIn.person, by: onPage(signedIn), now: now() });
    return c.redirect('/admin/users', 303);
  });
  return routes;
}
