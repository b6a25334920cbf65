import { z } from 'zod';

/** Words that a refused request carries in `error`: what a client may branch on. */
export const ErrorCode = z.enum([
  'invalid_request',
  'invalid_json',
  'unauthorized',
  'forbidden',
  'not_found',
  'method_not_allowed',
  'too_large',
  'unsupported_media_type',
  'too_many',
  'turn_in_progress',
  'confirmation_pending',
  'call_not_open',
  'call_expired',
  'nothing_to_continue',
  'unknown_model',
  'policy_gone',
  'unavailable',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** One fault of a request body. */
export const Fault = z.strictObject({
  pointer: z.string().describe('JSON pointer (RFC 6901) to the place; empty for the whole body.'),
  message: z.string().describe('What is wrong there.'),
});
export type Fault = z.infer<typeof Fault>;

/** Body of every refusal. */
export const ErrorBody = z.strictObject({
  error: ErrorCode.describe('Stable word to branch on.'),
  message: z.string().describe('One sentence for people.'),
  faults: z.array(Fault).optional().describe('Every fault of the body, where the body was at fault.'),
  reference: z.string().optional().describe("Number under which the operator finds it in the server's log."),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The faults of a body that a schema refused, each with a JSON pointer, the first the most telling. */
export function faultsOf(error: z.ZodError): Fault[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ pointer: pointer([...issue.path, key]), message: issue.message }))
      : [{ pointer: pointer(issue.path), message: issue.message }],
  );
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
