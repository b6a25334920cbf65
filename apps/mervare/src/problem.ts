import { HttpProblem } from '@portolan/http';
import { Refusal } from '@portolan/mcp/tool';

const statuses = {
  invalid_input: 400,
  not_found: 404,
  conflict: 409,
  forbidden: 403,
  too_many: 429,
  unavailable: 503,
} as const;

/** A refusal as what HTTP says of it. Throws again what nobody expected: the edge knows what to do with that. */
export function problemOf(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof Refusal) return new HttpProblem(statuses[error.code], error.code, error.message);
  throw error;
}
