import { Layout, type Site } from '../pages/layout.tsx';
import type { SignedIn } from '../people/session.ts';
import type { ConsentRow } from './consent-rows.ts';
import { redirectPlace } from './redirect-rule.ts';
import type { Resource } from './resources.ts';

interface ConsentProps {
  readonly site: Site;
  readonly signedIn: SignedIn;
  /** What the client calls itself; nobody has checked it. */
  readonly clientName: string;
  readonly redirectUri: string;
  readonly resource: Resource;
  readonly rows: readonly ConsentRow[];
}

/** What a person is asked before a client gets in. There is nothing to choose but yes and no. */
export function ConsentPage({ site, signedIn, clientName, redirectUri, resource, rows }: ConsentProps) {
  return (
    <Layout
      site={site}
      title="Allow access? · Mervare"
      description="What a client asks to be allowed at Mervare."
    >
      <h1>Allow access?</h1>
      <p class="lead">
        A client that calls itself <strong class="claimed">{clientName}</strong> asks to act for you at{' '}
        <strong>{resource.server.title}</strong> (<code>{resource.audience}</code>).
      </p>
      <p>
        You will be sent back to <strong class="claimed">{redirectPlace(redirectUri)}</strong>. Nobody has
        checked the client’s name. Go on only if you have just started this yourself.
      </p>
      <h2>What it may do</h2>
      <ul class="scopes">
        {rows.map((row) => (
          <Row {...row} />
        ))}
      </ul>
      <p>
        You are signed in as {signedIn.person.email}. You can end this access at any time under{' '}
        <a href="/account/connections">Connections</a>.
      </p>
      <form method="post" class="decision">
        <input type="hidden" name="csrf" value={signedIn.csrf} />
        <input type="hidden" name="shown" value={rows.map(({ scope }) => scope).join(' ')} />
        <button type="submit" name="decision" value="allow">
          Allow
        </button>
        <button type="submit" name="decision" value="deny" class="secondary">
          Decline
        </button>
      </form>
    </Layout>
  );
}

function Row({ scope, opens, tools, warning }: ConsentRow) {
  return (
    <li>
      <code>{scope}</code> {opens}: {toolCount(tools)}
      {warning !== undefined && (
        <p class="notice">
          <strong>Take care.</strong> {warning}
        </p>
      )}
    </li>
  );
}

function toolCount(tools: number): string {
  if (tools === 0) return 'no tool of this endpoint opens with it.';
  return tools === 1 ? '1 tool.' : `${tools} tools.`;
}

/** Said where nothing can be sent back to a client. */
export function RefusedPage({ site, description }: { site: Site; description: string }) {
  return (
    <Layout site={site} title="Not connected · Mervare" description="A client could not be connected.">
      <h1>Not connected</h1>
      <p class="lead">The client’s request cannot be answered, so you were not sent back to it.</p>
      <p>The reason: {description}.</p>
      <p>
        Go back to the client and connect again. If it remembers an old registration, remove it there first.
      </p>
    </Layout>
  );
}
