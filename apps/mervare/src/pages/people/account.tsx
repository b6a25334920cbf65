import type { SignedIn } from '../../people/session.ts';
import { Layout, type Site } from '../layout.tsx';

/** What a person has here, and the way out. */
export function AccountPage({ site, signedIn }: { site: Site; signedIn: SignedIn }) {
  const { person, csrf } = signedIn;
  return (
    <Layout site={site} title="Your account · Mervare" description="Your account at Mervare." at="/account">
      <h1>Your account</h1>
      <dl class="facts">
        <div>
          <dt>Name</dt>
          <dd>{person.name}</dd>
        </div>
        <div>
          <dt>E-mail</dt>
          <dd>{person.email}</dd>
        </div>
        <div>
          <dt>Super admin</dt>
          <dd>{person.isSuperAdmin ? 'yes' : 'no'}</dd>
        </div>
        <div>
          <dt>Builder access</dt>
          <dd>{person.hasBuilderGrant ? 'yes' : 'no'}</dd>
        </div>
      </dl>
      <ul>
        <li>
          <a href="/account/connections">Connected clients</a>
        </li>
        {person.isSuperAdmin && (
          <li>
            <a href="/admin/users">Users</a>
          </li>
        )}
      </ul>
      <form method="post" action="/logout">
        <input type="hidden" name="csrf" value={csrf} />
        <button type="submit">Sign out</button>
      </form>
    </Layout>
  );
}
