import { Layout, type Site } from '../layout.tsx';

interface LoginProps {
  readonly site: Site;
  /** Where the form leads to. */
  readonly next: string;
  readonly email?: string;
  /** Why the last try failed. */
  readonly fault?: string;
}

/** The sign-in form. */
export function LoginPage({ site, next, email, fault }: LoginProps) {
  return (
    <Layout site={site} title="Sign in · Mervare" description="Sign in to Mervare." at="/account">
      <h1>Sign in</h1>
      {fault !== undefined && (
        <p class="notice" role="alert">
          {fault}
        </p>
      )}
      <form class="stacked" method="post" action="/login">
        <input type="hidden" name="next" value={next} />
        <p class="field">
          <label for="email">E-mail</label>
          <input
            id="email"
            name="email"
            type="email"
            required
            maxlength={254}
            autocomplete="username"
            value={email}
          />
        </p>
        <p class="field">
          <label for="password">Password</label>
          <input
            id="password"
            name="password"
            type="password"
            required
            maxlength={200}
            autocomplete="current-password"
          />
        </p>
        <button type="submit">Sign in</button>
      </form>
    </Layout>
  );
}
