import { SvedaClient, type SvedaToolRegistry } from '@sveda-ai/core';

/** What a host's session route answers. */
interface HostSession {
  readonly origin: string;
  readonly token: string;
  readonly expires_in: number;
}

/** Where the element gets its token, and what the page gives it. */
export interface PageOptions {
  /** The host's route that mints, same origin: `POST` answers `{origin, token, expires_in}`. */
  readonly sessionUrl: string;
  /** Sveda's origin, where the page knows better than the route. */
  readonly origin: string | undefined;
  readonly tools: SvedaToolRegistry | undefined;
  readonly context: () => Record<string, unknown>;
}

/** A client for this page. The token stays in memory: never in a URL, never in storage. */
export async function connectPage(options: PageOptions): Promise<SvedaClient> {
  let fresh: HostSession | undefined = await mint(options.sessionUrl);
  const origin = options.origin ?? fresh.origin;
  return new SvedaClient({
    endpoints: { stream: new URL('/sveda/stream', origin).href },
    getToken: async () => {
      const { token } = fresh ?? (await mint(options.sessionUrl));
      fresh = undefined;
      return token;
    },
    context: options.context,
    ...(options.tools && { tools: options.tools }),
  });
}

async function mint(url: string): Promise<HostSession> {
  const response = await fetch(url, { method: 'POST', credentials: 'same-origin' });
  if (!response.ok) throw new Error(`The session route answered ${response.status}.`);
  return (await response.json()) as HostSession;
}
