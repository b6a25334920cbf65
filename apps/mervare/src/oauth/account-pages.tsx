import { Layout, type Site } from '../pages/layout.tsx';
import type { SignedIn } from '../people/session.ts';
import type { ClientSummary } from './clients.ts';
import type { Connection } from './connections.ts';

interface ConnectionsProps {
  readonly site: Site;
  readonly signedIn: SignedIn;
  readonly connections: readonly Connection[];
}

/** The clients that may act for a person, each with a way to end that. */
export function ConnectionsPage({ site, signedIn, connections }: ConnectionsProps) {
  return (
    <Layout site={site} title="Connections · Mervare" description="The clients that may act for you.">
      <h1>Connections</h1>
      <p class="lead">These clients may act for you. A connection that you end stops working at once.</p>
      {connections.length === 0 && <p>No client is connected.</p>}
      <ul class="connections">
        {connections.map((connection) => (
          <li>
            <h2 class="claimed">{connection.clientName || 'A client without a name'}</h2>
            <p>
              At <code>{connection.audience}</code> with{' '}
              {connection.scopes.map((scope) => (
                <>
                  <code>{scope}</code>{' '}
                </>
              ))}
            </p>
            <p>
              Allowed {day(connection.createdAt)}, last used {day(connection.lastUsedAt)}.
            </p>
            <Removal csrf={signedIn.csrf} name="connection" value={connection.id} of={connection.clientName}>
              End this connection
            </Removal>
          </li>
        ))}
      </ul>
    </Layout>
  );
}

interface ClientsProps {
  readonly site: Site;
  readonly signedIn: SignedIn;
  readonly clients: readonly ClientSummary[];
  readonly total: number;
}

/** Every client that this site knows, for super admins. */
export function ClientsPage({ site, signedIn, clients, total }: ClientsProps) {
  return (
    <Layout site={site} title="Clients · Mervare" description="The clients that registered at this site.">
      <h1>Clients</h1>
      <p class="lead">
        {total} in all, {clients.length} shown. A registration that nobody uses goes by itself after 30 days.
        Removing a client ends all of its connections.
      </p>
      <ul class="connections">
        {clients.map((client) => (
          <li>
            <h2 class="claimed">{client.name || 'A client without a name'}</h2>
            <p>
              <code class="claimed">{client.id}</code>,{' '}
              {client.kind === 'document' ? 'known by its document' : 'registered'} {day(client.createdAt)},{' '}
              {client.lastUsedAt === null ? 'never used' : `last used ${day(client.lastUsedAt)}`},
              connections: {client.connections}.
            </p>
            <Removal csrf={signedIn.csrf} name="client" value={client.id} of={client.name}>
              Remove this client
            </Removal>
          </li>
        ))}
      </ul>
    </Layout>
  );
}

interface RemovalProps {
  readonly csrf: string;
  readonly name: string;
  readonly value: string;
  readonly of: string;
  readonly children: string;
}

function Removal({ csrf, name, value, of, children }: RemovalProps) {
  return (
    <form method="post">
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name={name} value={value} />
      <button type="submit" class="secondary" aria-label={`${children}: ${of}`}>
        {children}
      </button>
    </form>
  );
}

function day(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
