import { refuse } from '../verdict.ts';
import type { HeadStep } from './head.ts';

/** The project's own path, byte for byte. Judged after the token, so that strangers cannot try digests. */
export const pathIsOurs: HeadStep = ({ target }, { path }) =>
  target.split('?', 1)[0] === path ? undefined : refuse(404, 'No project answers at this path.');

/** There is no stream to open and no session to end. */
export const methodIsPost: HeadStep = ({ method }) =>
  method === 'POST' ? undefined : refuse(405, 'Only POST is served.', { allow: 'POST' });

/** Nothing travels in the address, credentials least of all. */
export const noQuery: HeadStep = ({ target }) =>
  target.includes('?') ? refuse(400, 'A query string is refused.') : undefined;

/** Every request stands alone; a session id can only be a misunderstanding. */
export const noSession: HeadStep = (head) =>
  head.values('mcp-session-id').length === 0
    ? undefined
    : refuse(400, 'Mcp-Session-Id is refused: there are no sessions.');
