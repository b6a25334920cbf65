import { ConnectionFailure, type Connection } from '@portolan/mcp/connect';
import type { Containment } from '@portolan/process';

/**
 * Uses a connection once and ends it, whatever happens. A failure is thrown after the end, with what is proven about
 * the processes: `not_contained` when some are left. A result is answered also then.
 */
export async function oneShot<Result>(
  opening: Promise<Connection>,
  use: (connection: Connection) => Promise<Result>,
): Promise<{ readonly result: Result; readonly containment: Containment }> {
  const connection = await opening;
  try {
    const result = await use(connection);
    return { result, containment: await connection.close() };
  } catch (error) {
    throw failureOf(error, await connection.close());
  }
}

/** The last look is the one that counts: processes that an earlier one found may be gone. */
function failureOf(error: unknown, containment: Containment): unknown {
  const isLeft = error instanceof ConnectionFailure && error.code === 'not_contained';
  const cause = isLeft ? error.cause : error;
  if (!containment.contained) return new ConnectionFailure('not_contained', { containment, cause });
  return cause instanceof ConnectionFailure ? cause.with({ containment }) : cause;
}
