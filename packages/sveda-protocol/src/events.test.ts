import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, HEADERS, PROTOCOL_VERSION, SvedaEvent } from './index.ts';

const common = { id: 1, chatId: 'c1', turnId: 't1', at: '2026-01-02T03:04:05.678Z' };

/** One whole event of every type, with every optional field. */
const examples: Record<(typeof EVENT_TYPES)[number], Record<string, unknown>> = {
  'message.start': {},
  'text.delta': { delta: 'Tere' },
  'reasoning.delta': { delta: 'A port was asked for.' },
  'tool.call': {
    toolCallId: 'call_1',
    toolName: 'harbour_search',
    target: 'backend',
    input: { near: 'Tallinn' },
    confirmation: 'required',
  },
  'tool.decision': { toolCallId: 'call_1', decision: 'deny', reason: 'not now' },
  'tool.progress': {
    toolCallId: 'call_1',
    message: 'Reading',
    progress: 1,
    total: 2,
    tasks: [{ id: '1', label: 'Read', status: 'running', detail: 'page 1' }],
  },
  'tool.result': {
    toolCallId: 'call_1',
    toolName: 'harbour_search',
    status: 'succeeded',
    content: [
      { type: 'text', text: 'Vanasadam' },
      { type: 'image', data: 'AA==', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'https://mervare.test/harbours/tallinn', name: 'Tallinn' },
    ],
    structuredContent: { harbours: [] },
  },
  'context.usage': { usedTokens: 100, maxTokens: 128_000, percent: 0.1 },
  'chat.title': { title: 'Harbours near Tallinn' },
  max_steps: { maxSteps: 30 },
  notice: { code: 'tools_unavailable', message: 'The tools of the site are not available.' },
  error: { code: 'model_unavailable', message: 'The model is not reachable.', retryable: true },
  'message.end': { finishReason: 'stop', usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 } },
};

const optional = new Set([
  'confirmation',
  'reason',
  'message',
  'progress',
  'total',
  'tasks',
  'structuredContent',
  'usage',
]);

describe('events', () => {
  it.each(EVENT_TYPES)('SVE-11.1 %s has one schema that takes it whole', (type) => {
    const event = { type, ...common, ...examples[type] };
    expect(SvedaEvent.parse(event)).toEqual(event);
  });

  it.each(EVENT_TYPES)('SVE-11.1 %s needs each of its fields and takes no others', (type) => {
    const event: Record<string, unknown> = { type, ...common, ...examples[type] };
    const accepted = Object.keys(event).filter((key) => {
      const { [key]: _, ...rest } = event;
      return SvedaEvent.safeParse(rest).success;
    });
    expect(accepted.filter((key) => type === 'error' || !optional.has(key))).toEqual([]);
    expect(SvedaEvent.safeParse({ ...event, extra: 1 }).success).toBe(false);
  });

  it('SVE-11.1 knows no other type', () => {
    expect(SvedaEvent.safeParse({ type: 'tool.whisper', ...common }).success).toBe(false);
  });

  it('SVE-11.1 documents every field', () => {
    const silent = SvedaEvent.options.flatMap((schema) =>
      Object.entries(schema.shape)
        .filter(([, field]) => !field.description)
        .map(([name]) => `${schema.shape.type.value}.${name}`),
    );
    expect(silent).toEqual([]);
  });
});

describe('the door for browsers', () => {
  it('pulls in nothing at all', () => {
    const source = readFileSync(new URL('./wire.ts', import.meta.url), 'utf8');
    expect(source.match(/^(?:import|export) (?!type\b)[^;]*\bfrom\b/gm)).toBeNull();
  });

  it('pins what a peer can see', () => {
    expect(PROTOCOL_VERSION).toBe('1');
    expect(HEADERS).toEqual({
      embedToken: 'x-sveda-embed-token',
      hostKey: 'x-sveda-host-key',
      adminKey: 'x-sveda-admin-key',
      protocolVersion: 'x-sveda-protocol-version',
    });
  });
});
