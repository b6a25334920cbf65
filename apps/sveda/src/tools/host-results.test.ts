import { describe, expect, it } from 'vitest';
import type { EventOf, SvedaEvent } from '@sveda-ai/protocol';
import { talk } from '../testing/opened.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function resultOf(events: readonly SvedaEvent[]): EventOf<'tool.result'> {
  return events.find((event) => event.type === 'tool.result') as EventOf<'tool.result'>;
}

async function answered(answer: unknown, outputSchema?: object) {
  const { visitor } = await talk({
    script: '- calls: [{ name: draw }]\n- text: Done.',
    host: [{ name: 'draw', ...(outputSchema && { outputSchema }) }],
    hostOptions: { answer: () => answer },
  });
  return resultOf(await visitor.stream({ message: { text: 'Draw' } }));
}

describe("the host's results", () => {
  it('SVE-21.6 keep text, structured content, images and resource links, in their order', async () => {
    const link = {
      type: 'resource_link',
      uri: 'https://x.example/h',
      name: 'Harbour',
      mimeType: 'text/html',
    };
    const result = await answered({
      content: [
        { type: 'text', text: 'õäöü 漢字' },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
        link,
        { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
        { type: 'image', data: 'R0lGOD', mimeType: 'image/gif' },
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      ],
      structuredContent: { depth: 9 },
    });
    expect(result).toMatchObject({
      status: 'succeeded',
      structuredContent: { depth: 9 },
      content: [
        { type: 'text', text: 'õäöü 漢字' },
        { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) },
        link,
        { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
        { type: 'text', text: '[The tool produced image/gif. It cannot be shown.]' },
        { type: 'text', text: '[The tool produced {"type":"audio","mimeType":"audio/wav","bytes":3}]' },
      ],
    });
  });

  it('SVE-21.6 that are larger than a result may be, or none at all, fail, and say that the tool has done its work', async () => {
    const large = await answered({ content: [{ type: 'text', text: 'x'.repeat(1_100_000) }] });
    expect(large).toMatchObject({ status: 'failed' });
    expect(large.content[0]).toMatchObject({
      text: expect.stringContaining('The tool may have had its effects.'),
    });
    const none = await answered({ nothing: true });
    expect(none.content[0]).toMatchObject({
      text: 'The result is no tool result. The tool may have had its effects.',
    });
    const other = await answered(
      { content: [], structuredContent: { depth: 'nine' } },
      { type: 'object', properties: { depth: { type: 'number' } }, required: ['depth'] },
    );
    expect(other).toMatchObject({ status: 'failed' });
    expect(other.content[0]).toMatchObject({
      text: expect.stringContaining('The result does not fit the schema of the tool'),
    });
  });

  it('SVE-21.6 with characters that no database keeps do not break the turn', async () => {
    const result = await answered({
      content: [{ type: 'text', text: 'a\0b\ud800c' }],
      structuredContent: { 'k\0': '\udc00' },
    });
    expect(result).toMatchObject({
      content: [{ text: 'a\ufffdb\ufffdc' }],
      structuredContent: { 'k\ufffd': '\ufffd' },
    });
  });

  it('SVE-15.3 SVE-21.6 tell the model what the server says of a failure, and never more than a little of it', async () => {
    const { host, visitor } = await talk({
      script: '- calls: [{ name: draw }]\n- text: Done.',
      host: [{ name: 'draw' }],
      hostOptions: {
        answer: () => {
          host.state.broken = true;
          return { content: [], isError: true };
        },
        write: (response) =>
          response.end(
            'data: {"jsonrpc":"2.0","id":1000002,"error":{"code":-32000,"message":"' +
              'No. '.repeat(5_000) +
              '"}}\n\n',
          ),
      },
    });
    const result = resultOf(await visitor.stream({ message: { text: 'Draw' } }));
    expect(result.status).toBe('failed');
    const [{ text }] = result.content as unknown as [{ text: string }];
    expect(text.startsWith('The server answered with an error: code -32000. It says: No. No.')).toBe(true);
    expect(text.length).toBeLessThan(700);
  });
});
