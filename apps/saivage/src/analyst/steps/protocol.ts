import { invalid, type Verdict } from '../verdict.ts';
import type { Head } from './head.ts';
import type { Message } from './message.ts';

/** The one protocol revision that is spoken here. */
export const REVISION = '2025-11-25';

/** One check on a whole message. */
export type MessageStep = (message: Message, head: Head) => Verdict | undefined;

/** Later revisions name themselves in every request; they are refused before the older header is looked at. */
export const notALaterEra: MessageStep = ({ params }) => {
  const meta = params?.['_meta'];
  return typeof meta === 'object' && meta !== null && 'io.modelcontextprotocol/protocolVersion' in meta
    ? unsupported()
    : undefined;
};

/** The header may be missing only while the client does not know the revision yet: at `initialize`. */
export const headerNamesRevision: MessageStep = ({ method }, head) => {
  const named = head.values('mcp-protocol-version');
  if (named.length === 0 && method === 'initialize') return undefined;
  return named.length === 1 && named[0] === REVISION ? undefined : unsupported();
};

export const initializeNamesRevision: MessageStep = ({ method, params }) =>
  method === 'initialize' && params?.['protocolVersion'] !== REVISION ? unsupported() : undefined;

function unsupported(): Verdict {
  return invalid(`Only MCP revision ${REVISION} is served here; every request after initialize names it.`);
}
