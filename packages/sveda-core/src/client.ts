import { createHistories, type Histories } from './histories.ts';
import { SvedaToolRegistry } from './registry.ts';
import { createSession, type Session } from './session.ts';
import { createTransport, type Transport, type TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** The page's tools. Without it the client makes its own, `client.tools`. */
  readonly tools?: SvedaToolRegistry;
  /** Post the results of page tools by themselves. Default true. */
  readonly autoSubmitFrontendToolResults?: boolean;
  /** What the page shows, read at each post; the model reads it as untrusted data. */
  readonly context?: () => Record<string, unknown> | undefined;
}

/** A client of one Sveda server, for one visitor. */
export class SvedaClient {
  readonly tools: SvedaToolRegistry;
  readonly histories: Histories;
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #sessions = new Set<Session>();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#transport = createTransport(options);
    this.tools = options.tools ?? new SvedaToolRegistry();
    this.histories = createHistories(this.#transport);
  }

  /** The session of a chat, made when this client has none; without an id a new chat. */
  session(chatId?: string): Session {
    const known = [...this.#sessions].find((one) => chatId !== undefined && one.chatId === chatId);
    if (known) return known;
    const session = createSession({
      transport: this.#transport,
      tools: this.tools,
      autoSubmit: this.#options.autoSubmitFrontendToolResults ?? true,
      chatId,
      context: this.#options.context ?? (() => undefined),
    });
    this.#sessions.add(session);
    return session;
  }

  /** Ends every session of this client in this page. */
  close(): void {
    for (const session of this.#sessions) session.close();
    this.#sessions.clear();
  }
}
