import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { Session, SvedaClient, SvedaToolRegistry } from '@sveda-ai/core';
import { messageItem } from './message.ts';
import { connectPage } from './page-session.ts';
import { styles } from './styles.ts';
import { wordsFor } from './words.ts';

/**
 * `<sveda-chat session="/sveda/session">`: a chat with the agent, inside the page.
 *
 * Attributes: `session` (the host's route that mints a token), `origin` (Sveda's origin, where it differs from the
 * route's answer), `lang`. Property: `tools` (a SvedaToolRegistry), set before the element is connected or later.
 * Events: `sveda-ready`, `sveda-event` (each stream event as `detail`), `sveda-error`.
 * Parts: `message`, `user`, `assistant`, `text`, `reasoning`, `notice`, `tool-card`, `confirm-card`.
 */
export class SvedaChat extends LitElement {
  static override styles = styles;
  static override properties = {
    session: { type: String },
    origin: { type: String },
    tools: { attribute: false },
    chat: { state: true },
    failure: { state: true },
  };

  declare session: string;
  declare origin: string | undefined;
  declare tools: SvedaToolRegistry | undefined;
  declare chat: Session | undefined;
  declare failure: string | undefined;
  #client: SvedaClient | undefined;
  #attempt = 0;

  constructor() {
    super();
    this.session = '/sveda/session';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.#connect();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#disconnect();
  }

  /** Sends a message as if the visitor had typed it. */
  async send(text: string): Promise<void> {
    const trimmed = text.trim();
    if (trimmed !== '') await this.chat?.send(trimmed);
  }

  async #connect(): Promise<void> {
    this.#disconnect();
    const attempt = this.#attempt;
    this.failure = undefined;
    try {
      const client = await connectPage({
        sessionUrl: this.session,
        origin: this.origin,
        tools: this.tools,
        context: () => ({ page: location.pathname, title: document.title }),
      });
      if (attempt !== this.#attempt) return;
      this.#client = client;
      this.#open(remembered());
      await this.chat?.load();
      this.dispatchEvent(new CustomEvent('sveda-ready'));
    } catch (error) {
      if (attempt !== this.#attempt) return;
      this.failure = wordsFor(this.#language).unreachable;
      this.dispatchEvent(new CustomEvent('sveda-error', { detail: error }));
    }
  }

  /** Ends the client, and makes an attempt that is still under way come to nothing. */
  #disconnect(): void {
    this.#attempt += 1;
    this.#client?.close();
    this.#client = undefined;
    this.chat = undefined;
  }

  #open(chatId?: string): void {
    const chat = this.#client?.session(chatId);
    chat?.on('state', (state) => {
      if (state.chatId !== undefined) remember(state.chatId);
      this.requestUpdate();
    });
    chat?.on('event', (event) => this.dispatchEvent(new CustomEvent('sveda-event', { detail: event })));
    this.chat = chat;
  }

  get #language(): string {
    return this.closest('[lang]')?.getAttribute('lang') ?? navigator.language;
  }

  /** The first update comes after the page's own script, so that tools set there are taken. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (['session', 'origin', 'tools'].some((name) => changed.has(name))) void this.#connect();
    const list = this.renderRoot.querySelector('.talk');
    if (list) list.scrollTop = list.scrollHeight;
  }

  protected override render(): TemplateResult {
    const words = wordsFor(this.#language);
    const state = this.chat?.state;
    const busy = state?.status === 'submitted' || state?.status === 'streaming';
    return html`
      <header>
        <h2>${state?.title ?? words.chat}</h2>
        <button class="plain" ?disabled=${busy || !state?.messages.length} @click=${() => this.#startAnew()}>
          ${words.newChat}
        </button>
      </header>
      <div class="talk" role="log" aria-label=${words.chat} aria-busy=${busy} tabindex="0">
        <ol>
          ${state?.messages.map((message) =>
            messageItem(message, words, (id, decision) => void this.chat?.decide(id, decision)),
          )}
          ${state?.status === 'submitted' ? html`<li class="quiet">${words.thinking}</li>` : nothing}
        </ol>
      </div>
      ${this.#trouble()}
      <form @submit=${(event: SubmitEvent) => this.#submit(event)}>
        <textarea
          rows="1"
          aria-label=${words.message}
          placeholder=${words.message}
          @keydown=${sendOnEnter}
        ></textarea>
        ${
          busy || state?.status === 'waiting'
            ? html`<button type="button" @click=${() => void this.chat?.stop()}>${words.stop}</button>`
            : html`<button ?disabled=${!this.chat}>${words.send}</button>`
        }
      </form>
    `;
  }

  /** A stated error with a way on, or the way on after the step limit. */
  #trouble(): TemplateResult | typeof nothing {
    const words = wordsFor(this.#language);
    if (this.failure) {
      return html`<p role="alert">
        ${this.failure} <button class="plain" @click=${() => void this.#connect()}>${words.retry}</button>
      </p>`;
    }
    const state = this.chat?.state;
    const last = state?.messages.at(-1);
    if (state?.status === 'error') {
      return html`<p role="alert">
        ${state.error?.message}
        <button class="plain" @click=${() => void this.chat?.retry()}>${words.retry}</button>
      </p>`;
    }
    if (last?.role !== 'assistant' || last.finishReason !== 'max_steps') return nothing;
    return html`<p><button @click=${() => void this.chat?.continue()}>${words.goOn}</button></p>`;
  }

  #startAnew(): void {
    remember(undefined);
    this.#open();
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const box = this.renderRoot.querySelector('textarea');
    const busy = this.chat?.status === 'submitted' || this.chat?.status === 'streaming';
    if (!box || busy || !this.chat) return;
    const text = box.value;
    box.value = '';
    void this.send(text);
  }
}

/** Enter sends, Shift+Enter breaks the line; Enter that ends a composition does neither. */
function sendOnEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
}

const KEY = 'sveda-chat';

/** The chat of this tab, so that a reload finds it. Only its id: no token, no text. */
function remembered(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

function remember(chatId: string | undefined): void {
  if (chatId === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, chatId);
}
