import { toolsOf } from '../mcp/registry.ts';
import type { Server } from '../mcp/servers.ts';
import { listSizes, type Sizes } from '../mcp/sizes.ts';

interface SizesProps {
  readonly server: Server;
  readonly sizes: Sizes;
}

/** What each tool costs a client that loads it. */
export function ToolTable({ server, sizes }: SizesProps) {
  const tools = toolsOf(server);
  return (
    <div class="scrolls" tabindex={0} role="region" aria-label={`Tool sizes of ${server.name}`}>
      <table>
        <caption>Tools and their size</caption>
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">What it does</th>
            <th scope="col" class="figure">
              Bytes
            </th>
            <th scope="col" class="figure">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ name, descriptor }) => (
            <tr>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{descriptor.description}</td>
              <td class="figure">{figure(sizes[name]?.bytes)}</td>
              <td class="figure">{figure(sizes[name]?.tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a caller's whole list costs, by the scope that it holds. */
export function ListTable({ server, sizes }: SizesProps) {
  return (
    <div class="scrolls" tabindex={0} role="region" aria-label={`List sizes of ${server.name}`}>
      <table>
        <caption>Size of the tool list by scope</caption>
        <thead>
          <tr>
            <th scope="col">Scope</th>
            <th scope="col">Opens</th>
            <th scope="col" class="figure">
              Tools
            </th>
            <th scope="col" class="figure">
              Bytes
            </th>
            <th scope="col" class="figure">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {listSizes(server, sizes).map(({ scope, opens, tools, bytes, tokens }) => (
            <tr>
              <th scope="row">{scope ? <code>{scope}</code> : 'none'}</th>
              <td>{opens}</td>
              <td class="figure">{tools}</td>
              <td class="figure">{figure(bytes)}</td>
              <td class="figure">{figure(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function figure(value: number | undefined): string {
  return value === undefined ? 'not measured' : value.toLocaleString('en');
}
