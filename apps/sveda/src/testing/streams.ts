import { SvedaEvent } from '@sveda-ai/protocol';

/** The whole events of a stream until its text contains `wanted`; then its reader goes away. Rejects when the stream ends before. */
export async function readUntil(response: Response, wanted: string): Promise<SvedaEvent[]> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = '';
  while (!text.includes(wanted) || !text.endsWith('\n\n')) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error(`The stream ended: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('id: '))
    .map((block) => SvedaEvent.parse(JSON.parse(block.split('\ndata: ')[1] ?? '')));
}

/** The first event of a stream that goes on without its reader. */
export async function firstEvent(response: Response): Promise<SvedaEvent> {
  const [event] = await readUntil(response, '"type":"message.start"');
  if (!event) throw new Error('The stream began with no event.');
  return event;
}
