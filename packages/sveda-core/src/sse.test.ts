import { describe, expect, it } from 'vitest';
import { readStream } from './sse.ts';

const text = 'õäöü € 漢字 👩‍🚀';
const bytes = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(value);

async function read(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const line of readStream(body)) seen.push(line);
  return seen;
}

describe('reading a stream', () => {
  const whole = bytes(`: beat\r\nid: 7\r\ndata: ${text}\r\n\r\ndata: a\ndata: b\n\n`);
  const expected = [
    { id: '7', data: text },
    { id: '7', data: 'a\nb' },
  ];

  it('C-03 keeps letters and lines whole when every byte comes alone', async () => {
    expect(await read([...whole].map((byte) => new Uint8Array([byte])))).toEqual(expected);
  });

  it('C-03 keeps letters and lines whole wherever the body is split in two', async () => {
    for (let at = 0; at <= whole.length; at += 1) {
      expect(await read([whole.slice(0, at), whole.slice(at)]), `split at ${at}`).toEqual(expected);
    }
  });

  it('drops an event that the body leaves unfinished', async () => {
    expect(await read([bytes('data: whole\n\ndata: half')])).toEqual([{ id: undefined, data: 'whole' }]);
  });
});
