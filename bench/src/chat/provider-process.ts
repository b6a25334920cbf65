import { startModelServer } from '@portolan/agent/testing';
import { answerOf } from './conversation.ts';

/** What the provider says when it listens. */
export interface ProviderReady {
  /** Up to /v1. */
  readonly baseURL: string;
}

const [tokens = '1', paceMs = '0'] = process.argv.slice(2);
const pace = { tokens: Number(tokens), paceMs: Number(paceMs) };
const reply = { text: answerOf(pace), paceMs: pace.paceMs };
const { baseURL } = await startModelServer(() => reply);
process.on('disconnect', () => process.exit(0));
process.send?.({ baseURL } satisfies ProviderReady);
