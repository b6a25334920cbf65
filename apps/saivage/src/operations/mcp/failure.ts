import { untrusted } from '@portolan/mcp/tool';
import { ServerError } from '../../connections/errors.ts';
import { Declined } from '../envelope.ts';

/**
 * Runs an operation on an MCP server. What it declines becomes a failed result. Two things stay errors: what nobody
 * expected, and a server whose processes could not be ended, since nobody knows then how far the operation came.
 */
export async function onServer<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServerError && isKnown(error) ? declined(error) : error;
  }
}

/** All that may be said of an error in one text: what failed, what is known here, and what is not known of the peer. */
export function inWords({ message, serverName, serverStatus, effects }: ServerError): string {
  return [
    message,
    ...(serverStatus === undefined ? [] : [`Here "${serverName}" is now: ${serverStatus}.`]),
    ...(effects === 'possible' ? ['The server may have acted all the same.'] : []),
  ].join(' ');
}

function isKnown({ code, containment }: ServerError): boolean {
  return code !== 'unclassified' && code !== 'not_contained' && containment?.contained !== false;
}

/** What a call that ran out of time is called everywhere, once what it ran on is contained. */
const TIMEOUT = 'TIMEOUT';

function declined(error: ServerError): Declined {
  const { code, serverStatus, effects, phase, rows, peer } = error;
  const details = {
    ...(serverStatus !== undefined && { serverStatus }),
    effects,
    ...(phase !== undefined && { phase }),
    ...(rows.length > 0 && { rows: rows.map(untrusted) }),
    ...(peer && { peer: { code: peer.code, message: untrusted(peer.message) } }),
  };
  return new Declined(
    { code: code === 'timeout' ? TIMEOUT : code, message: inWords(error), details },
    endOf(error),
  );
}

/** A start that failed has ended as a whole; any other request that went out may have had its effects. */
function endOf({ effects, phase }: ServerError): 'failed' | 'uncertain' {
  return effects === 'possible' && phase === undefined ? 'uncertain' : 'failed';
}
