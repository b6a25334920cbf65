import { randomUUID } from 'node:crypto';
import { ConnectionFailure, type Answer, type Connection } from '@portolan/mcp/connect';
import { openPuppet, type Strings } from '@portolan/mcp/connect/testing';
import type { Containment } from '@portolan/process';
import type { Connections } from '../connections/connections.ts';
import type { McpServer } from '../connections/definition.ts';
import type { DynamicServers } from '../connections/dynamic.ts';
import { newManager } from '../connections/manager.ts';
import { newVerdicts } from '../connections/verdicts.ts';

/** A server in this process, as one launch of it. */
export interface Puppet {
  readonly serverName: string;
  /** Whether it has a process, or a session. */
  alive: boolean;
  /** The tool calls that reached it, in their order, by the text in their arguments. */
  readonly called: string[];
  /** It dies by itself, if it lives. */
  die(): void;
}

/** When puppets do what they are to do, and whether they succeed. Each promise may wait and may reject. */
export interface Direction {
  spawn(puppet: Puppet): Promise<void>;
  initialize(puppet: Puppet): Promise<void>;
  /** The names of its tools. */
  list(puppet: Puppet): Promise<readonly string[]>;
  call(puppet: Puppet): Promise<void>;
  end(puppet: Puppet): Promise<Containment>;
}

/** Everything at once and well. */
export const smooth: Direction = {
  spawn: async () => undefined,
  initialize: async () => undefined,
  list: async () => ['echo'],
  call: async () => undefined,
  end: async () => ({ contained: true }),
};

/** Connections to puppets. */
export interface Stage {
  readonly connections: Connections;
  /** All launches so far. */
  readonly puppets: readonly Puppet[];
  /** What was kept on the disk last. */
  readonly kept: () => DynamicServers;
}

/** What is on a stage. */
export interface StageOptions {
  readonly direction: Direction;
  readonly servers?: Readonly<Record<string, McpServer>>;
  readonly dynamic?: DynamicServers;
  /** False for servers that are reached over HTTP. */
  readonly exclusive?: boolean;
}

/** The command of a puppet's definition is its name. */
export function puppetDefinition(name: string): McpServer {
  return { transport: 'stdio', command: name, autostart: false, disabled: false };
}

/** Sets a stage. */
export function stage(options: StageOptions): Stage {
  const { servers = {}, dynamic = {} } = options;
  const puppets: Puppet[] = [];
  let kept = dynamic;
  const connections = newManager({
    servers,
    dynamic,
    keep: (next) => {
      kept = next;
    },
    world: {
      open: async ({ server }, { signal }) => {
        const serverName = server.transport === 'stdio' ? server.command : server.url;
        const { puppet, opening } = launch(options, serverName, signal);
        puppets.push(puppet);
        return opening;
      },
      budgets: { refresh: 60_000, call: 60_000 },
      verdicts: newVerdicts(
        {},
        () => undefined,
        () => new Date(),
      ),
      now: () => new Date(),
      newId: randomUUID,
      report: () => undefined,
      called: () => undefined,
    },
  });
  return { connections, puppets, kept: () => kept };
}

function launch(
  { direction, exclusive = true }: StageOptions,
  serverName: string,
  signal: AbortSignal,
): { puppet: Puppet; opening: Promise<Connection> } {
  let die: Strings['die'] = () => undefined;
  const gone = new ConnectionFailure('peer_exited');
  const puppet: Puppet = {
    serverName,
    alive: false,
    called: [],
    die: () => (puppet.alive ? die(gone) : undefined),
  };
  const strings = openPuppet(
    {
      exclusive,
      async spawn() {
        await direction.spawn(puppet);
        puppet.alive = true;
      },
      answer: ({ method, params }) => answer(puppet, direction, method, params),
      async end() {
        const containment = await direction.end(puppet);
        if (containment.contained) puppet.alive = false;
        return containment;
      },
    },
    { budget: 60_000, signal },
  );
  die = (failure) => strings.die(failure);
  return { puppet, opening: strings.opening };
}

async function answer(puppet: Puppet, direction: Direction, method: string, params: object): Promise<Answer> {
  if (!puppet.alive) throw new ConnectionFailure('unreachable');
  if (method === 'initialize') {
    await direction.initialize(puppet);
    return {};
  }
  if (method === 'tools/list') {
    const names = await direction.list(puppet);
    return { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) };
  }
  const { arguments: args } = params as { arguments: { text: string } };
  puppet.called.push(args.text);
  await direction.call(puppet);
  return { content: [{ type: 'text', text: args.text }] };
}
