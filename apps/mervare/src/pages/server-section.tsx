import type { Family } from '../mcp/families.ts';
import { scopesOffered, toolNames } from '../mcp/registry.ts';
import type { Server } from '../mcp/servers.ts';
import type { Sizes } from '../mcp/sizes.ts';
import { ListTable, ToolTable } from './size-tables.tsx';

/** Everything that the registry says of one server. */
export function ServerSection({ server, sizes }: { server: Server; sizes: Sizes }) {
  const { name, title, promise, remarks, families } = server;
  return (
    <section class="server" aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <p>{promise}</p>
      <ServerFacts {...server} />
      {remarks.map((remark) => (
        <p>{remark}</p>
      ))}
      <h3>Tools</h3>
      {families.map((family) => (
        <FamilyDetails {...family} />
      ))}
      <ToolTable server={server} sizes={sizes} />
      <ListTable server={server} sizes={sizes} />
    </section>
  );
}

function ServerFacts(server: Server) {
  const { endpoint, name, authentication, writes, authMetadata } = server;
  const scopes = scopesOffered(server);
  return (
    <dl class="facts">
      <Row label="Endpoint">
        <code>{endpoint}</code>
      </Row>
      <Row label="Server name">
        <code>{name}</code>
      </Row>
      <Row label="Authentication">{authentication}</Row>
      <Row label="Scopes">
        {scopes.length === 0
          ? 'None: this server takes no credential'
          : scopes.map((scope) => (
              <>
                <code>{scope}</code>{' '}
              </>
            ))}
      </Row>
      <Row label="Writes">{writes}</Row>
      {authMetadata !== undefined && (
        <Row label="Auth metadata">
          <code>{authMetadata}</code>
        </Row>
      )}
      <Row label="Tools">{toolNames(server).length}</Row>
    </dl>
  );
}

function Row({ label, children }: { label: string; children?: unknown }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function FamilyDetails({ prefix, subject, opensTo, tools }: Family) {
  return (
    <details class="family" open>
      <summary>
        {subject}, {tools.length} tools
      </summary>
      <p>
        <code>{prefix}*</code> goes to {opensTo}.
      </p>
      <ul class="names">
        {tools.map(({ name }) => (
          <li>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
