import { get, request as post, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { withoutStamps, type ChatRequest } from './conversation.ts';

/** What came of cutting streams at random moments and joining them again. */
export interface Cuts {
  readonly cuts: number;
  /** Events that came twice, or out of their order. */
  readonly doubled: number;
  /** Events between the first and the last of a turn that never came. */
  readonly lost: number;
  /** Texts, without their stamps, put together from all pieces of each turn. */
  readonly texts: readonly string[];
  /** Milliseconds from asking again to the first byte of the answer. */
  readonly joined: readonly number[];
}

interface Piece {
  readonly id: number;
  readonly chatId: string;
  readonly turnId: string;
  readonly type: string;
  readonly delta?: string;
}

/** Times that turns are read again where a slow machine let them end before they were torn often enough. */
const AGAIN = 100;

/** Reads so many turns at once, each torn at random moments up to so often while it streams, until all are torn that often together. */
export async function cutTurns(
  asked: ChatRequest,
  turns: number,
  cutsEach: number,
  paceMs: number,
): Promise<Cuts> {
  const read: Awaited<ReturnType<typeof cutTurn>>[] = [];
  const torn = () => read.reduce((sum, { joined }) => sum + joined.length, 0);
  for (let time = 0; torn() < turns * cutsEach && time < AGAIN; time++)
    read.push(...(await Promise.all(Array.from({ length: turns }, () => cutTurn(asked, cutsEach, paceMs)))));
  const ids = read.map(({ pieces }) => pieces.map(({ id }) => id));
  return {
    cuts: torn(),
    doubled: ids.reduce((sum, all) => sum + all.filter((id, at) => id <= (all[at - 1] ?? 0)).length, 0),
    lost: ids.reduce((sum, all) => sum + Math.max(0, ...all) - new Set(all).size, 0),
    texts: read.map(({ pieces }) => withoutStamps(pieces.map(({ delta = '' }) => delta).join(''))),
    joined: read.flatMap(({ joined }) => joined),
  };
}

async function cutTurn({ url, headers, bodies }: ChatRequest, cutsEach: number, paceMs: number) {
  const pieces: Piece[] = [];
  const joined: number[] = [];
  const sent = post(url, { method: 'POST', headers, agent: false });
  sent.end(bodies.streaming);
  let [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  for (;;) {
    const moment = joined.length < cutsEach ? Math.random() * paceMs * 2 : undefined;
    if (await readPieces(response, pieces, moment)) return { pieces, joined };
    const { chatId = '', turnId = '', id = 0 } = pieces.at(-1) ?? {};
    const begin = performance.now();
    const turn = new URL(`/sveda/chats/${chatId}/turns/${turnId}/events`, url);
    const again = get(turn, { headers: { ...headers, 'last-event-id': String(id) }, agent: false });
    [response] = (await once(again, 'response')) as [IncomingMessage];
    joined.push(performance.now() - begin);
  }
}

/** True when the stream came to its end; false when it was torn, some milliseconds after the first event that could name its turn. */
async function readPieces(
  response: IncomingMessage,
  pieces: Piece[],
  moment: number | undefined,
): Promise<boolean> {
  let text = '';
  let torn: Promise<void> | undefined;
  response.setEncoding('utf8');
  const tear = (): void => {
    if (moment !== undefined && pieces.length > 0) torn ??= wait(moment).then(() => void response.destroy());
  };
  tear();
  try {
    for await (const chunk of response) {
      text += String(chunk);
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        if (block === 'data: [DONE]') return true;
        if (block.startsWith('id: ')) pieces.push(JSON.parse(block.split('\ndata: ')[1] ?? '') as Piece);
      }
      tear();
    }
  } catch {
    // It was torn, as it should be.
  }
  return false;
}
