import { identityDigest, type Identity } from '../project/identity.ts';

/** Where the listener of a project is: the exact URL, and what requests to it must carry. */
export interface AnalystAddress {
  readonly url: string;
  readonly path: string;
  /** Values of Host that name the listener. Clients leave the port out where it is HTTP's own. */
  readonly authorities: readonly string[];
}

/** The address of a project's Analyst on this machine. Loopback only, whatever the operator API binds. */
export function analystAddress(identity: Identity, port: number): AnalystAddress {
  const path = `/mcp/analyst/${identityDigest(identity)}`;
  const authority = `127.0.0.1:${port}`;
  return {
    url: `http://${authority}${path}`,
    path,
    authorities: port === 80 ? [authority, '127.0.0.1'] : [authority],
  };
}
