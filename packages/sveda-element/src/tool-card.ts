import { html, nothing, type TemplateResult } from 'lit';
import type { ToolPart } from '@sveda-ai/core';
import type { Words } from './words.ts';

/** What a decision in a card does. */
export type Decide = (toolCallId: string, decision: 'approve' | 'deny') => void;

/** One tool call: what it is, how it stands, and the question to the visitor where it waits for one. */
export function toolCard(part: ToolPart, words: Words, decide: Decide): TemplateResult {
  return part.confirmation && !part.decision && !part.result
    ? confirmCard(part, words, decide)
    : statusCard(part, words);
}

function statusCard(part: ToolPart, words: Words): TemplateResult {
  const { toolName, input, progress, result } = part;
  return html`<details class="card" part="tool-card">
    <summary>
      <code>${toolName}</code> <span class="quiet">${words[result?.status ?? 'running']}</span>
      ${progress && !result ? html`<span class="quiet">${progressText(part)}</span>` : nothing}
    </summary>
    ${argumentList(input)}
  </details>`;
}

function confirmCard(
  { toolCallId, toolName, input }: ToolPart,
  words: Words,
  decide: Decide,
): TemplateResult {
  const labelId = `ask-${toolCallId}`;
  return html`<div class="card asks" part="confirm-card" role="group" aria-labelledby=${labelId}>
    <div id=${labelId}>${words.asks} <code>${toolName}</code></div>
    ${argumentList(input)}
    <button @click=${() => decide(toolCallId, 'approve')}>${words.approve}</button>
    <button class="plain" @click=${() => decide(toolCallId, 'deny')}>${words.deny}</button>
  </div>`;
}

/** Arguments as a person reads them: names and values, nested values as JSON. */
function argumentList(input: Record<string, unknown>): TemplateResult | typeof nothing {
  const entries = Object.entries(input);
  if (entries.length === 0) return nothing;
  return html`<dl>
    ${entries.map(
      ([name, value]) =>
        html`<dt class="quiet">${name}</dt>
          <dd>${readable(value)}</dd>`,
    )}
  </dl>`;
}

function readable(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

function progressText({ progress }: ToolPart): string {
  if (progress?.tasks) return progress.tasks.map(({ label, status }) => `${label}: ${status}`).join(' · ');
  if (progress?.message) return progress.message;
  return progress?.total ? `${progress.progress ?? 0} / ${progress.total}` : '';
}
