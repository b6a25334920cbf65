import { clientConfigurations } from '../mcp/clients.ts';
import type { Server } from '../mcp/servers.ts';
import type { Sizes } from '../mcp/sizes.ts';
import { Layout, type Site } from './layout.tsx';
import { ServerSection } from './server-section.tsx';

interface DevelopersProps {
  readonly site: Site;
  readonly servers: readonly Server[];
  readonly sizes: Sizes;
}

/** The page for those who connect a client, computed from the registry: what is not in the registry is not here. */
export function DevelopersPage({ site, servers, sizes }: DevelopersProps) {
  return (
    <Layout
      site={site}
      title="MCP servers · Mervare"
      description="The MCP servers of Mervare: endpoints, tools, scopes and client configurations."
      at="/developers/mcp"
    >
      <h1>MCP servers</h1>
      <p class="lead">
        One protocol implementation, {servers.length} servers, because they differ in who may call. A public
        fact behind a sign-in would reach nobody, and a survey token that could change code should be in
        nobody’s hands.
      </p>
      <p>
        This page is rendered from the registry that the servers themselves run on. What is not listed here
        does not exist.
      </p>
      <nav class="contents" aria-label="On this page">
        {servers.map(({ name, title }) => (
          <a href={`#${name}`}>{title}</a>
        ))}
        <a href="#connect">Connect a client</a>
      </nav>
      {servers.map((server) => (
        <ServerSection server={server} sizes={sizes} />
      ))}
      <section aria-labelledby="connect">
        <h2 id="connect">Connect a client</h2>
        <p>Point the client at the endpoint. These configurations can be copied as they stand.</p>
        {servers.map((server) => (
          <Configurations server={server} origin={site.origin} />
        ))}
      </section>
      {servers.some(({ admits }) => admits === 'credential') && <SigningIn />}
    </Layout>
  );
}

function Configurations({ server, origin }: { server: Server; origin: string }) {
  return (
    <>
      <h3>{server.title}</h3>
      <dl class="configurations">
        {clientConfigurations(server, origin).map(({ client, where, text }) => (
          <div>
            <dt>
              {client}, {where}
            </dt>
            <dd>
              <pre tabindex={0} role="region" aria-label={`Configuration of ${server.name} for ${client}`}>
                <code>{text}</code>
              </pre>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** How one gets in where a credential is asked for. */
function SigningIn() {
  return (
    <section aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in</h2>
      <p>
        A client that is pointed at a server with authentication finds everything else by itself: it reads the
        protected-resource document, finds the authorization server, registers, and runs OAuth 2.1 with PKCE.
        There is no client id to paste.
      </p>
      <ol>
        <li>
          Sign in as the right person. Survey, harbour and control scopes are for super admins; builder access
          is given to each person. An account without the right is not refused: it is granted less, and the
          consent screen lists what remains.
        </li>
        <li>
          Read the consent screen. It names every scope that it will grant, and it warns of two: queueing work
          for the builder, and reading the operational data of marinas.
        </li>
        <li>
          Check with <code>survey_capabilities</code> or <code>builder_capabilities</code>, which answer with
          the scopes that were really granted. If the one you need is missing, nothing else is worth looking
          at first.
        </li>
      </ol>
      <p>
        A client asks for all scopes that a server advertises and cannot choose among them. So the builder has
        an endpoint of its own, with its own document.
      </p>
    </section>
  );
}
