import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { AssistantMessage, Message, Part } from '@sveda-ai/core';
import { markdown } from './markdown.ts';
import { toolCard, type Decide } from './tool-card.ts';
import type { Words } from './words.ts';

/** One message of the talk. */
export function messageItem(message: Message, words: Words, decide: Decide): TemplateResult {
  if (message.role === 'user') {
    return html`<li class="user" part="message user">
      <span class="name">${words.you}: </span><span class="said">${message.text}</span>
      ${message.files.map(({ name }) => html`<div>📎 ${name}</div>`)}
    </li>`;
  }
  return html`<li class="assistant" part="message assistant">
    <span class="name">${words.assistant}: </span>
    ${message.parts.map((part) => partView(part, words, decide))} ${ending(message, words)}
  </li>`;
}

function partView(part: Part, words: Words, decide: Decide): TemplateResult {
  if (part.kind === 'tool') return toolCard(part, words, decide);
  // `markdown` answers sanitised HTML and nothing else.
  if (part.kind === 'text') return html`<div part="text">${unsafeHTML(markdown(part.text))}</div>`;
  if (part.kind === 'notice') return html`<p class="quiet" part="notice">${part.text}</p>`;
  return html`<details class="quiet" part="reasoning">
    <summary>${words.thinking}</summary>
    ${part.text}
  </details>`;
}

function ending({ finishReason }: AssistantMessage, words: Words): TemplateResult | typeof nothing {
  if (finishReason === 'stopped') return html`<p class="quiet">${words.stopped}</p>`;
  return finishReason === 'max_steps' ? html`<p class="quiet">${words.limit}</p>` : nothing;
}
