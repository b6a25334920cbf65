import { timingSafeEqual } from 'node:crypto';
import { HttpProblem } from '@portolan/http';
import { readBearer } from '../mcp/callers/bearer.ts';
import { hashOf } from '../people/secret.ts';

/** A check of the one token that opens a door of a machine and no other. It throws a problem, 401, for anything else. */
export function ownToken(token: string, says: string): (request: Request) => void {
  const expected = hashOf(token);
  return (request) => {
    const bearer = readBearer(request);
    if (!('token' in bearer) || !timingSafeEqual(hashOf(bearer.token), expected))
      throw new HttpProblem(401, 'invalid_token', says, { 'www-authenticate': 'Bearer' });
  };
}
