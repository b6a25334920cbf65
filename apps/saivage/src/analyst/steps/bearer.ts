import { refuse } from '../verdict.ts';
import type { HeadStep } from './head.ts';

/** One Authorization header with the right bearer token (RFC 6750 §2.1); the scheme's case does not matter. */
export const bearerIsRight: HeadStep = (head, { token }) => {
  const headers = head.values('authorization');
  const presented = /^bearer ([\x21-\x7e]+)$/i.exec(headers[0] ?? '')?.[1];
  if (headers.length === 1 && presented !== undefined && token.matches(presented)) return undefined;
  return refuse(401, 'The Analyst token is missing or wrong.', { 'www-authenticate': 'Bearer' });
};
