import { HttpProblem } from '@portolan/http';

/** PostgreSQL: connection exceptions, too few resources, no such database, an operator's intervention. Node: no connection. */
const OUTAGE = /^(?:08...|53...|3D000|57P..|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT)$/;

/** What a request is told while the database is away, which is no fault of ours; undefined for any other error. */
export function databaseOutage(error: unknown): HttpProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as NodeJS.ErrnoException;
  const isOutage = OUTAGE.test(String(code)) || error.message.startsWith('Connection terminated');
  if (!isOutage) return undefined;
  return new HttpProblem(503, 'unavailable', 'The database does not answer; try again.', {
    'retry-after': '5',
  });
}
