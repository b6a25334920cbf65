import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { newConversation } from './conversation.ts';
import { callOf, connected, textOf, toolOf } from './testing/opened.ts';
import { scripted } from './testing/peer.ts';
import { echo, serve, text, type Handler, type Posted } from './testing/web.ts';

const LETTERS = 'õäöü € 漢字 👩‍🚀';

/** The same bytes in two pieces, cut at every place, and byte by byte. */
function* cuts(bytes: Buffer): Generator<Buffer[]> {
  for (let at = 0; at <= bytes.length; at++) yield [bytes.subarray(0, at), bytes.subarray(at)];
  yield Array.from(bytes, (byte) => Buffer.from([byte]));
}

describe('letters over stdio', () => {
  it.each(['\n', '\r\n'])('C-03 SAI-37.3 stay whole wherever a line is cut (%j)', (end) => {
    const message = { jsonrpc: '2.0', method: 'notifications/x', params: { text: LETTERS } };
    const line = JSON.stringify(message) + end;
    for (const pieces of cuts(Buffer.from(line + line))) {
      const conversation = newConversation();
      const heard = pieces.map((piece) => conversation.hear(piece));
      expect(heard.flatMap(({ messages }) => messages)).toEqual([message, message]);
      expect(heard.some(({ fault }) => fault)).toBe(false);
    }
  });

  it('C-03 SAI-37.3 stay whole from a process that writes few bytes at a time, and on the way to it', async () => {
    const connection = await connected(scripted());
    for (const piece of [1, 2, 3, 5]) {
      const answer = await callOf(connection, 'sized', { repeat: 8, fill: LETTERS, piece });
      expect(textOf(answer)).toBe(LETTERS.repeat(8));
    }
    expect(textOf(await callOf(connection, 'echo', { [LETTERS]: LETTERS }))).toBe(
      JSON.stringify({ [LETTERS]: LETTERS }),
    );
  });

  it('C-03 that are cut off at the end are one stated failure', async () => {
    const connection = await connected(scripted());
    await expect(callOf(connection, 'tail', { line: '{"text":"õ' })).rejects.toMatchObject({
      code: 'bad_stdout',
      effects: 'possible',
      message: expect.stringMatching(/: it ends within a line\.$/),
      containment: { contained: true },
    });
  });
});

/** A server whose tool answers with the pieces that the test lays out, each a chunk of its own. */
async function piecewise(type: string, frame: (message: string) => string) {
  let pieces: (bytes: Buffer) => readonly Buffer[] = (bytes) => [bytes];
  let finish = (response: ServerResponse) => void response.end();
  const say: Handler = ({ id }: Posted, response) => {
    const message = JSON.stringify({ jsonrpc: '2.0', id, result: text(LETTERS) });
    response.writeHead(200, { 'content-type': type });
    for (const piece of pieces(Buffer.from(frame(message)))) if (piece.length > 0) response.write(piece);
    finish(response);
  };
  const { definition, requests } = await serve({ say, echo });
  const connection = await connected(definition);
  return {
    connection,
    sent: () => requests.at(-1)?.params?.arguments,
    /** Bytes of one answer: its id has the same length in all of them. */
    length: Buffer.byteLength(
      frame(JSON.stringify({ jsonrpc: '2.0', id: 1_000_000, result: text(LETTERS) })),
    ),
    answerIn: (next: typeof pieces, last = finish) => {
      pieces = next;
      finish = last;
    },
  };
}

const eventOf = (end: string) => (message: string) => `event: message${end}data: ${message}${end}${end}`;
/** A message whose JSON is spread over lines, as an event may carry it. */
const manyLines = (end: string) => (message: string) =>
  `${message
    .split(/(?<=[,{])/)
    .map((part) => `data: ${part}`)
    .join(end)}${end}${end}`;

const ways: Readonly<Record<string, readonly [string, (message: string) => string]>> = {
  'in one piece of JSON': ['application/json', (message) => message],
  'as an event': ['text/event-stream', eventOf('\n')],
  'as an event with CR and LF': ['text/event-stream', eventOf('\r\n')],
  'as an event of many lines': ['text/event-stream', manyLines('\r\n')],
};

describe.each(Object.entries(ways))('letters over HTTP %s', (_, [type, frame]) => {
  it('C-03 stay whole wherever the answer is cut, and on the way to the server', async () => {
    const { connection, answerIn, length, sent } = await piecewise(type, frame);
    for (let at = 0; at <= length; at++) {
      answerIn((bytes) => [bytes.subarray(0, at), bytes.subarray(at)]);
      expect(textOf(await callOf(connection, 'say', { [LETTERS]: LETTERS }))).toBe(LETTERS);
    }
    answerIn((bytes) => Array.from(bytes, (byte) => Buffer.from([byte])));
    expect(textOf(await callOf(connection, 'say'))).toBe(LETTERS);
    expect(sent()).toEqual({});
    await callOf(connection, 'echo', { [LETTERS]: LETTERS });
    expect(sent()).toEqual({ [LETTERS]: LETTERS });
  });

  it('C-03 that are cut off at the end are one stated failure, whether the server says so or not', async () => {
    const { connection, answerIn } = await piecewise(type, frame);
    const half = (bytes: Buffer) => [bytes.subarray(0, bytes.indexOf('õ') + 1)];
    const ends = [
      (response: ServerResponse) => void response.end(),
      (response: ServerResponse) => void setImmediate(() => response.destroy()),
    ];
    for (const end of ends) {
      answerIn(half, end);
      const failing = connection.call(toolOf(connection, 'say'), {}, { budget: 60_000 });
      await expect(failing).rejects.toMatchObject({
        code: expect.stringMatching(/^(answer_malformed|unreachable)$/),
        effects: 'possible',
      });
    }
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
  });
});
