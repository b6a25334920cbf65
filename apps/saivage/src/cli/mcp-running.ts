import { Trouble } from '@portolan/cli';
import type { Answer } from '@portolan/mcp/connect';
import { z } from 'zod';
import type { Reached } from './mcp-reach.ts';
import type { Operator } from './operator.ts';
import type { Terminal } from './terminal.ts';

/** What the operator API answers, as far as commands read it. */
const State = z.object({ serverName: z.string(), status: z.string(), toolCount: z.int() });
const Catalog = z.object({
  bindingId: z.string(),
  catalogId: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      sent: z.record(z.string(), z.unknown()),
      cannotBeCalled: z.object({ says: z.string() }).optional(),
    }),
  ),
});
const Server = State.extend({
  transport: z.string(),
  disabled: z.boolean(),
  source: z.string().optional(),
});
const Servers = z.object({ servers: z.array(z.looseObject(Server.shape)) });
const Result = z.record(z.string(), z.unknown());

/** A server of the running Saivage after an operation on it. */
export type RunningState = z.output<typeof State>;

/** Every server that the running Saivage knows. */
export async function runningServers(operator: Operator) {
  return read(Servers, await operator.get('/api/mcp/tools')).servers;
}

/** Starts, stops or restarts a server of the running Saivage. */
export async function controlRunning(
  operator: Operator,
  serverName: string,
  action: 'start' | 'stop' | 'restart',
  signal: AbortSignal,
): Promise<RunningState> {
  return read(State, await operator.post(`${pathOf(serverName)}/${action}`, {}, signal));
}

/** A server of the running Saivage. One that does not run is started there, and that is said, since it goes on. */
export async function reachRunning(
  operator: Operator,
  serverName: string,
  { complain, interruption }: Terminal,
): Promise<Reached> {
  const signal = interruption();
  const known = (await runningServers(operator)).find((one) => one.serverName === serverName);
  if (known?.status !== 'running' && known?.status !== 'refreshing') {
    await controlRunning(operator, serverName, 'start', signal);
    complain(`"${serverName}" now runs in the Saivage of this project; \`saivage mcp stop\` ends it.`);
  }
  const answer = read(Catalog, await operator.get(`${pathOf(serverName)}/tools`, signal));
  const { bindingId, catalogId, tools } = answer;
  return {
    about: { bindingId, catalogId },
    tools: tools.map(({ name, sent, cannotBeCalled }) => ({
      name,
      sent,
      fault: cannotBeCalled?.says,
      async call(args): Promise<Answer> {
        const call = { toolName: name, bindingId, catalogId, args };
        return read(Result, await operator.post(`${pathOf(serverName)}/call`, call, signal));
      },
    })),
  };
}

function pathOf(serverName: string): string {
  return `/api/mcp/servers/${encodeURIComponent(serverName)}`;
}

function read<S extends z.ZodType>(schema: S, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new Trouble('The running Saivage answers something else than this command understands.');
}
