import type { Listed } from '../../people/list.ts';
import type { SignedIn } from '../../people/session.ts';
import { Layout, type Site } from '../layout.tsx';
import { Agents, People, type Agent } from './users-tables.tsx';

interface UsersProps {
  readonly site: Site;
  readonly signedIn: SignedIn;
  readonly people: readonly Listed[];
  /** Address that the next page of people goes on from. */
  readonly next: string | undefined;
  readonly agents: readonly Agent[];
}

/** Everybody who may sign in, and every program with a token: what each may do, with the forms that change it. */
export function UsersPage({ site, signedIn, people, next, agents }: UsersProps) {
  const { csrf, person: self } = signedIn;
  return (
    <Layout site={site} title="Users · Mervare" description="People and programs." at="/account">
      <h1>Users</h1>
      <p>Every change is recorded in the audit trail. It counts from the next call on.</p>
      <People people={people} csrf={csrf} self={self.id} />
      {next !== undefined && (
        <p>
          <a href={`/admin/users?${new URLSearchParams({ after: next }).toString()}`}>More people</a>
        </p>
      )}
      <NewPerson csrf={csrf} />
      <Agents agents={agents} csrf={csrf} />
    </Layout>
  );
}

function NewPerson({ csrf }: { csrf: string }) {
  return (
    <section aria-labelledby="new">
      <h2 id="new">New person</h2>
      <p>A password is made and shown once, to be handed over and changed.</p>
      <form class="stacked" method="post" action="/admin/users">
        <input type="hidden" name="csrf" value={csrf} />
        <p class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength={200} autocomplete="off" />
        </p>
        <p class="field">
          <label for="email">E-mail</label>
          <input id="email" name="email" type="email" required maxlength={254} autocomplete="off" />
        </p>
        <p class="choice">
          <input id="super" name="super" type="checkbox" value="yes" />
          <label for="super">Super admin</label>
        </p>
        <button type="submit">Create</button>
      </form>
    </section>
  );
}

interface CreatedProps {
  readonly site: Site;
  readonly email: string;
  readonly password: string;
}

/** The one answer that a made password stands in. */
export function CreatedPage({ site, email, password }: CreatedProps) {
  return (
    <Layout site={site} title="Person created · Mervare" description="A new account." at="/account">
      <h1>Person created</h1>
      <dl class="facts">
        <div>
          <dt>E-mail</dt>
          <dd>{email}</dd>
        </div>
        <div>
          <dt>Password</dt>
          <dd>
            <code>{password}</code>
          </dd>
        </div>
      </dl>
      <p>This password is not kept and not shown again.</p>
      <p>
        <a href="/admin/users">Users</a>
      </p>
    </Layout>
  );
}
