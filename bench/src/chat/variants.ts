import { startChild } from '../child.ts';
import type { HandlerReady } from './ai-sdk-process.ts';
import { bodiesOf, type ChatRequest } from './conversation.ts';
import type { Memory } from './memory-probe.ts';
import { startSveda } from './sveda.ts';

/** A server that answers the question, in processes of its own. */
export interface ChatServer {
  /** What is measured. */
  readonly pid: number;
  /** The first process of its PostgreSQL. */
  readonly database?: number;
  readonly request: ChatRequest;
  /** What the measured process holds now. */
  memory?(): Promise<Memory>;
  end(): Promise<void>;
}

/** The process of the provider that all of them ask. */
export interface Provider {
  readonly pid: number;
  /** Up to /v1. */
  readonly baseURL: string;
}

/** One way from the provider to the browser. */
export interface ChatVariant {
  /** For the report. */
  readonly says: string;
  start(provider: Provider): Promise<ChatServer>;
}

const headers = { 'content-type': 'application/json' };

/** Every variant by name, in the order of the report. */
export const chatVariants: Readonly<Record<string, ChatVariant>> = {
  provider: {
    says: 'the fake provider asked directly: nothing in between',
    async start({ pid, baseURL }) {
      const url = `${baseURL}/chat/completions`;
      const bodies = bodiesOf((text) => ({
        model: 'm',
        stream: true,
        messages: [{ role: 'user', content: text }],
      }));
      const request = { url, headers, bodies, dialect: 'chat-completions' } as const;
      return { pid, request, end: async () => undefined };
    },
  },
  sveda: {
    says: '`sveda serve`: checks the token, keeps the chat in PostgreSQL, sends an event only when it is committed',
    start: ({ baseURL }) => startSveda(baseURL),
  },
  'ai-sdk': {
    says: '`streamText` of `ai`, piped to a node:http response as documented: keeps nothing, checks nobody',
    async start({ baseURL }) {
      const child = startChild('chat/ai-sdk-process', [baseURL]);
      const { url } = await child.next<HandlerReady>(60_000);
      const bodies = bodiesOf((text) => ({
        messages: [{ id: 'one', role: 'user', parts: [{ type: 'text', text }] }],
      }));
      const memory = () => {
        child.send('memory');
        return child.next<Memory>(60_000);
      };
      const request = { url, headers, bodies, dialect: 'ui-message' } as const;
      return { pid: child.pid, request, memory, end: () => child.end() };
    },
  },
};
