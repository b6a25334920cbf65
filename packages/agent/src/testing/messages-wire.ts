import { argumentPieces, sse, USAGE, words, type Wire } from './wire.ts';

/** Anthropic Messages, streaming. */
export const messagesWire: Wire = ({ reasoning, text, calls = [], broken }) => {
  const blocks: string[][] = [];
  if (reasoning) blocks.push(thinkingBlock(reasoning));
  if (text) blocks.push(textBlock(text, blocks.length, broken));
  if (!broken) for (const call of calls) blocks.push(toolBlock(call, blocks.length));
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake', content: [] };
  const start = event('message_start', {
    message: { ...message, stop_reason: null, usage: { input_tokens: USAGE.input, output_tokens: 1 } },
  });
  if (broken) return [start, ...blocks.flat()];
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  return [
    start,
    ...blocks.flat(),
    event('message_delta', { delta: { stop_reason }, usage: { output_tokens: USAGE.output } }),
    event('message_stop', {}),
  ];
};

function thinkingBlock(reasoning: string): string[] {
  return [
    event('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '' } }),
    ...words(reasoning).map((thinking) => blockDelta(0, { type: 'thinking_delta', thinking })),
    blockDelta(0, { type: 'signature_delta', signature: 'signed' }),
    event('content_block_stop', { index: 0 }),
  ];
}

function textBlock(text: string, index: number, broken: boolean): string[] {
  const spoken = [
    event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
    ...words(text).map((piece) => blockDelta(index, { type: 'text_delta', text: piece })),
  ];
  return broken ? spoken : [...spoken, event('content_block_stop', { index })];
}

function toolBlock(
  { name, args = {} }: { name: string; args?: object | undefined },
  index: number,
): string[] {
  const content_block = { type: 'tool_use', id: `toolu_${index}`, name, input: {} };
  return [
    event('content_block_start', { index, content_block }),
    ...argumentPieces(args).map((partial_json) =>
      blockDelta(index, { type: 'input_json_delta', partial_json }),
    ),
    event('content_block_stop', { index }),
  ];
}

function blockDelta(index: number, delta: object): string {
  return event('content_block_delta', { index, delta });
}

function event(type: string, fields: object): string {
  return sse({ type, ...fields }, type);
}
