import { ConnectionFailure, NEWEST, type Connection } from '@portolan/mcp/connect';
import type { Ready } from './connections.ts';
import { newLaunch } from './launch.ts';
import { observed } from './observed.ts';
import { errorOf, news, readyOf, type Attempt, type Ended, type Owner } from './owner.ts';
import type { World } from './world.ts';

/** Begins to start a server. Its state is `starting`. */
export function beginAttempt(owner: Owner, world: World): Attempt {
  const { serverName, definition } = owner;
  const known = world.verdicts.holds(serverName, definition.server) ? NEWEST : undefined;
  const launch = newLaunch((signal) => world.open(definition, { signal, known }));
  const attempt: Attempt = {
    launch,
    outcome: launch.opened.then(
      (connection) => opened(owner, world, attempt, connection),
      (error: unknown) => refused(owner, world, attempt, error),
    ),
  };
  attempt.outcome.catch(() => undefined);
  return attempt;
}

async function opened(owner: Owner, world: World, attempt: Attempt, connection: Connection): Promise<Ready> {
  const { revision, catalog } = connection;
  const binding = { bindingId: world.newId(), connection, ...observed(catalog, world) };
  if (!news(owner, attempt, 'ready', { binding })) return interrupted(owner);
  world.verdicts.note(owner.serverName, owner.definition.server, revision === NEWEST);
  owner.counts.keep(catalog);
  void watch(owner, world, attempt, connection);
  return readyOf(owner);
}

/** A connection that ends by itself is known at once to be none, and is not opened again. */
async function watch(owner: Owner, world: World, attempt: Attempt, { ending }: Connection): Promise<void> {
  const failure = await ending;
  if (news(owner, attempt, 'lost', { failure })) world.report(owner.serverName, failure);
}

async function refused(owner: Owner, world: World, attempt: Attempt, error: unknown): Promise<Ready> {
  const failure = failureOf(error);
  const isContained = failure.code !== 'not_contained';
  if (!news(owner, attempt, isContained ? 'failed' : 'stuck', { failure })) return interrupted(owner);
  world.verdicts.note(owner.serverName, owner.definition.server, false);
  world.report(owner.serverName, error);
  throw error === failure ? errorOf(owner, failure) : errorOf(owner, 'unclassified', { cause: error });
}

/** An error that we do not know says nothing of what is left. */
function failureOf(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error;
  return new ConnectionFailure('not_contained', {
    reason: 'what the start has left is not known',
    cause: error,
  });
}

async function interrupted(owner: Owner): Promise<never> {
  await owner.ended;
  throw errorOf(owner, 'stopped');
}

/** Ends the connection of a server and brings the news of it. Its state is one of the ending ones. */
export async function finishAttempt(owner: Owner, world: World): Promise<Ended> {
  const { attempt } = owner;
  const containment = (await attempt?.launch.end()) ?? { contained: true };
  owner.ended = undefined;
  if (containment.contained) {
    news(owner, attempt, 'contained');
  } else {
    const failure = new ConnectionFailure('not_contained', { containment });
    news(owner, attempt, 'not_contained', { failure });
    world.report(owner.serverName, failure);
  }
  return { containment, next: owner.state === 'starting' ? owner.attempt : undefined };
}
