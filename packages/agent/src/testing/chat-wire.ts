import { argumentPieces, sse, USAGE, words, type Wire } from './wire.ts';

/** Chat Completions, streaming (with usage in a last chunk, as `stream_options.include_usage` asks). */
export const chatWire: Wire = ({ reasoning, text, calls = [], broken }) => {
  const spoken = [
    delta({ role: 'assistant', content: '' }),
    ...words(reasoning ?? '').map((piece) => delta({ reasoning_content: piece })),
    ...words(text ?? '').map((piece) => delta({ content: piece })),
  ];
  if (broken) return spoken;
  return [
    ...spoken,
    ...calls.flatMap((call, index) => callDeltas(call, index)),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }] }),
    chunk({
      choices: [],
      usage: {
        prompt_tokens: USAGE.input,
        completion_tokens: USAGE.output,
        total_tokens: USAGE.input + USAGE.output,
      },
    }),
    sse('[DONE]'),
  ];
};

function callDeltas(
  { name, args = {} }: { name: string; args?: object | undefined },
  index: number,
): string[] {
  const head = { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } };
  return [
    delta({ tool_calls: [head] }),
    ...argumentPieces(args).map((piece) =>
      delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
    ),
  ];
}

function delta(content: object): string {
  return chunk({ choices: [{ index: 0, delta: content, finish_reason: null }] });
}

function chunk(rest: object): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_767_225_600, model: 'fake' };
  return sse({ ...head, ...rest });
}
