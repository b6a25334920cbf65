import type { Implementation } from '@modelcontextprotocol/client';
import { readCatalog } from './catalog.ts';
import type { Channel } from './channel.ts';
import { shakeHands, type NEWEST, type OurSide, type Session } from './session.ts';
import { newConnection, type Connection } from './connection.ts';
import { requireTime, startDeadline, type Deadline } from './deadline.ts';
import type { Definition } from './definition.ts';
import { ConnectionFailure } from './errors.ts';
import { explain } from './exchange.ts';
import { openHttp } from './http.ts';
import { LIMITS } from './limits.ts';
import { openStdio } from './stdio.ts';

/** How a connection is opened. */
export interface ConnectOptions {
  /** Milliseconds for the whole start: process, handshake and every page of the tool list. */
  readonly budget: number;
  readonly signal?: AbortSignal;
  /** Who we say we are. */
  readonly clientInfo?: Implementation;
  /** What roots/list answers at any time. Without it, and over HTTP, roots are not offered: they are local folders. */
  readonly roots?: OurSide['roots'];
  /** The revision that the peer asked for at an earlier time. Whoever passes it dates it: a stale one fails. */
  readonly known?: typeof NEWEST;
  /** True for an address of our own listeners: a connection there is refused before anything is sent. */
  readonly isOurs?: (address: string, port: number) => boolean;
}

const PORTOLAN: Implementation = { name: 'portolan', version: '0.1.0' };

/**
 * Opens a connection: one budget over process, handshake and all pages of the tool list. Throws `ConnectionFailure`,
 * with the phase that was reached, after everything local has been ended again.
 */
export async function connect(definition: Definition, options: ConnectOptions): Promise<Connection> {
  const { clientInfo = PORTOLAN, known } = options;
  const roots = definition.transport === 'stdio' ? options.roots : undefined;
  const meet: Meet = (channel, deadline) => shakeHands(channel, { clientInfo, roots }, deadline, known);
  return connectOver(() => open(definition, options), meet, options);
}

/** Makes the acquaintance of a peer over an open channel. */
export type Meet = (channel: Channel, deadline: Deadline) => Promise<Session>;

/** The same over any channel. */
export async function connectOver(
  openChannel: () => Promise<Channel>,
  meet: Meet,
  { budget, signal }: Pick<ConnectOptions, 'budget' | 'signal'>,
): Promise<Connection> {
  const deadline = startDeadline(budget, signal);
  try {
    requireTime(deadline);
    const channel = await openChannel();
    try {
      requireTime(deadline);
      const session = await meet(channel, deadline);
      const catalog = await readCatalog(channel, session, deadline);
      channel.started();
      return newConnection(channel, session, catalog);
    } catch (error) {
      throw await abandon(channel, deadline, error);
    }
  } finally {
    deadline.clear();
  }
}

async function open(definition: Definition, { isOurs }: ConnectOptions): Promise<Channel> {
  return definition.transport === 'stdio' ? openStdio(definition) : openHttp(definition, isOurs);
}

/** A start that failed leaves nothing behind; if it cannot be shown, that is the failure. */
async function abandon(channel: Channel, deadline: Deadline, error: unknown): Promise<ConnectionFailure> {
  const failure = await explain(error, channel, deadline);
  const { containment } = await channel.end(failure, LIMITS.graceFailed);
  const facts = { phase: channel.phase, containment, stderr: channel.stderr };
  if (containment.contained) return failure.with(facts);
  const contain = async () => (await channel.end(failure, LIMITS.graceFailed)).containment;
  return new ConnectionFailure('not_contained', { ...facts, contain, cause: failure });
}
