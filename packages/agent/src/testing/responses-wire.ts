import { argumentPieces, sse, USAGE, words, type Wire } from './wire.ts';

/** OpenAI Responses, streaming. */
export const responsesWire: Wire = ({ reasoning, text, calls = [], broken }) => {
  const items: string[][] = [];
  if (reasoning) items.push(reasoningItem(reasoning));
  if (text) items.push(messageItem(text, items.length, broken));
  if (!broken) for (const call of calls) items.push(callItem(call, items.length));
  const response = { id: 'resp_1', object: 'response', created_at: 1_767_225_600, model: 'fake', output: [] };
  const created = event('response.created', { response: { ...response, status: 'in_progress' } });
  if (broken) return [created, ...items.flat()];
  const usage = {
    input_tokens: USAGE.input,
    output_tokens: USAGE.output,
    total_tokens: USAGE.input + USAGE.output,
  };
  return [
    created,
    ...items.flat(),
    event('response.completed', { response: { ...response, status: 'completed', usage } }),
  ];
};

function reasoningItem(reasoning: string): string[] {
  const at = { item_id: 'rs_1', output_index: 0, summary_index: 0 };
  const item = { type: 'reasoning', id: 'rs_1', summary: [] };
  return [
    event('response.output_item.added', { output_index: 0, item: { ...item, encrypted_content: '' } }),
    event('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }),
    ...words(reasoning).map((delta) => event('response.reasoning_summary_text.delta', { ...at, delta })),
    event('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text: reasoning } }),
    event('response.output_item.done', { output_index: 0, item: { ...item, encrypted_content: 'sealed' } }),
  ];
}

function messageItem(text: string, output_index: number, broken: boolean): string[] {
  const item = { type: 'message', id: `msg_${output_index}`, role: 'assistant' };
  const at = { item_id: item.id, output_index, content_index: 0 };
  const spoken = [
    event('response.output_item.added', {
      output_index,
      item: { ...item, status: 'in_progress', content: [] },
    }),
    ...words(text).map((delta) => event('response.output_text.delta', { ...at, delta })),
  ];
  if (broken) return spoken;
  const content = [{ type: 'output_text', text, annotations: [] }];
  return [
    ...spoken,
    event('response.output_item.done', { output_index, item: { ...item, status: 'completed', content } }),
  ];
}

function callItem(
  { name, args = {} }: { name: string; args?: object | undefined },
  output_index: number,
): string[] {
  const id = `fc_${output_index}`;
  const item = { type: 'function_call', id, call_id: `call_${output_index}`, name };
  const whole = { ...item, arguments: JSON.stringify(args), status: 'completed' };
  return [
    event('response.output_item.added', {
      output_index,
      item: { ...item, arguments: '', status: 'in_progress' },
    }),
    ...argumentPieces(args).map((delta) =>
      event('response.function_call_arguments.delta', { item_id: id, output_index, delta }),
    ),
    event('response.output_item.done', { output_index, item: whole }),
  ];
}

function event(type: string, fields: object): string {
  return sse({ type, ...fields }, type);
}
