import { passwordLength } from '../../people/password.ts';
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
          <>
            <li>
              <a href="/admin/users">Users</a>
            </li>
            <li>
              <a href="/admin/clients">Registered clients</a>
            </li>
          </>
        )}
      </ul>
      <NewPassword csrf={csrf} email={person.email} />
      <form method="post" action="/logout">
        <input type="hidden" name="csrf" value={csrf} />
        <button type="submit">Sign out</button>
      </form>
    </Layout>
  );
}

function NewPassword({ csrf, email }: { csrf: string; email: string }) {
  const { least, most } = passwordLength;
  return (
    <section aria-labelledby="new-password">
      <h2 id="new-password">New password</h2>
      <p>
        {least} to {most} characters. Every other session of this account ends.
      </p>
      <form class="stacked" method="post" action="/account/password">
        <input type="hidden" name="csrf" value={csrf} />
        <input type="hidden" name="username" autocomplete="username" value={email} />
        <p class="field">
          <label for="current">Current password</label>
          <input id="current" name="current" type="password" required autocomplete="current-password" />
        </p>
        <p class="field">
          <label for="password">New password</label>
          <input
            id="password"
            name="password"
            type="password"
            required
            minlength={least}
            maxlength={most}
            autocomplete="new-password"
          />
        </p>
        <button type="submit">Change password</button>
      </form>
    </section>
  );
}
