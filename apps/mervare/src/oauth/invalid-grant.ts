/**
 * The answer of RFC 6749 §5.2 to a code or refresh token that no longer stands, with the fields that the authorization server
 * reads of its own errors. Its own class would load the library wherever a table is used.
 */
export function invalidGrant(detail: string): Error {
  return Object.assign(new Error('invalid_grant'), {
    status: 400,
    statusCode: 400,
    expose: true,
    error: 'invalid_grant',
    error_description: 'grant request is invalid',
    error_detail: detail,
  });
}
