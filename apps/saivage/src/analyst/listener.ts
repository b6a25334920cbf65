import { listen, type Answer, type Bindings, type Listener, type ListenOptions } from '@portolan/http';
import type { Caller } from '@portolan/mcp/tool';
import type { Serve } from '@portolan/mcp/serve';
import type { AnalystAddress } from './address.ts';
import type { AnalystSettings } from './settings.ts';
import { headOf, type Door } from './steps/head.ts';
import { firstRefusal, headSteps, messageSteps } from './steps/list.ts';
import { oneMessage } from './steps/message.ts';
import { readBody } from './steps/size.ts';
import { errorBody, refuse, type Verdict } from './verdict.ts';

/** Requests that are read and worked on at once. More are told to come back. */
const MAX_AT_ONCE = 64;

const tooMany = refuse(429, 'Too many requests at once.', { 'retry-after': '1' });

/** What the listener is made of. `serve` does the work; the listener decides who gets that far. */
export interface AnalystListenerOptions extends Pick<ListenOptions, 'log' | 'limits'> {
  readonly address: AnalystAddress;
  readonly settings: AnalystSettings;
  readonly serve: Serve;
}

/**
 * Opens the external Analyst listener on 127.0.0.1. A request passes `headSteps` before a byte of its body is read,
 * and `messageSteps` before any work. Work that was admitted runs to its end, whatever becomes of the connection.
 */
export function openAnalystListener(options: AnalystListenerOptions): Promise<Listener> {
  const { address, settings, serve, ...listening } = options;
  const door: Door = { ...address, token: settings.token };
  const caller: Caller = {
    kind: 'principal',
    name: settings.principal,
    audience: address.url,
    scopes: [],
    grants: [],
  };
  let running = 0;
  return listen({
    host: '127.0.0.1',
    port: settings.port,
    ...listening,
    guard: (incoming) => asAnswer(firstRefusal(headSteps, headOf(incoming), door)),
    async fetch(request, { incoming }) {
      if (running >= MAX_AT_ONCE) return asResponse(tooMany);
      running += 1;
      try {
        const admitted = await admit(incoming);
        if ('refused' in admitted) return admitted.refused;
        return await serve(request, { body: admitted.message, caller });
      } finally {
        running -= 1;
      }
    },
  });
}

/** Reads the body of a request whose head has passed, and judges its message. */
async function admit(incoming: Bindings['incoming']) {
  if (!incoming) throw new Error('The listener serves connections only.');
  const read = await readBody(incoming);
  if ('refused' in read) return { refused: asResponse(read.refused) };
  const parsed = oneMessage(read.body);
  if ('refused' in parsed) return { refused: asResponse(parsed.refused) };
  const refusal = firstRefusal(messageSteps, parsed.message, headOf(incoming));
  return refusal ? { refused: asResponse(refusal, parsed.message.id) } : parsed;
}

function asAnswer(verdict: Verdict | undefined): Answer | undefined {
  return (
    verdict && { status: verdict.status, headers: verdict.headers ?? {}, body: errorBody(verdict, null) }
  );
}

function asResponse(verdict: Verdict, id: string | number | null = null): Response {
  return Response.json(errorBody(verdict, id), {
    status: verdict.status,
    headers: { ...verdict.headers },
  });
}
