import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * For a request that waits for `100 Continue` (RFC 9110 §10.1.1): says it when the body is first read, so that whoever
 * answers from the head alone saves the client the upload.
 */
export function continueWhenRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const read = incoming['_read'].bind(incoming);
  incoming['_read'] = (size) => {
    incoming['_read'] = read;
    if (!outgoing.headersSent) outgoing.writeContinue();
    read(size);
  };
}
