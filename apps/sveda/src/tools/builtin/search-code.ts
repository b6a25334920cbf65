import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { IndexedFile } from './code-index.ts';

/** A place in the workspace that fits a question. Lines begin at 1. */
export interface Hit {
  readonly path: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly score: number;
  readonly text: string;
}

/** Lines that are judged and shown together, and characters of them that are shown. */
const CHUNK_LINES = 30;
const CHUNK_CHARACTERS = 1_600;

/** Characters that are looked through between two pauses, in which the server serves others. */
const AT_ONCE = 1_000_000;

/** Passages that are kept while looking; the best of them go on. */
const KEPT = 1_000;

/**
 * The passages with most of the words of a question. A word that few files have counts more, a repeated one hardly, and one
 * in the path too. Words are found within longer ones, whatever the letter case.
 */
export async function searchCode(
  files: ReadonlyMap<string, IndexedFile>,
  question: string,
  limit: number,
): Promise<Hit[]> {
  const words = [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, 16);
  const having = new Map(words.map((word) => [word, 0]));
  const fitting: IndexedFile[] = [];
  for await (const file of paced(files.values())) {
    const text = `${file.path}\n${file.text}`.toLowerCase();
    const found = words.filter((word) => text.includes(word));
    for (const word of found) having.set(word, (having.get(word) ?? 0) + 1);
    if (found.length > 0) fitting.push(file);
  }
  const weights = [...having].map(([word, times]) => ({
    word,
    weight: Math.log(1 + files.size / (1 + times)),
  }));
  let hits: Hit[] = [];
  for await (const file of paced(fitting)) {
    hits.push(...hitsIn(file, weights));
    if (hits.length > KEPT) hits = best(hits, limit);
  }
  return best(hits, limit);
}

/** The files one by one, with a pause now and then. */
async function* paced(files: Iterable<IndexedFile>): AsyncGenerator<IndexedFile, void> {
  let characters = 0;
  for (const file of files) {
    characters += file.text.length;
    if (characters > AT_ONCE) {
      await turnOfOthers();
      characters = 0;
    }
    yield file;
  }
}

function best(hits: readonly Hit[], limit: number): Hit[] {
  return hits.toSorted(inOrder).slice(0, limit);
}

function inOrder(one: Hit, other: Hit): number {
  if (one.score !== other.score) return other.score - one.score;
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return one.firstLine - other.firstLine;
}

interface Weight {
  readonly word: string;
  readonly weight: number;
}

function hitsIn({ path, text }: IndexedFile, weights: readonly Weight[]): Hit[] {
  const lines = text.split('\n');
  const hits: Hit[] = [];
  for (let first = 0; first < lines.length; first += CHUNK_LINES) {
    const chunk = lines.slice(first, first + CHUNK_LINES).join('\n');
    const score = scoreOf(chunk.toLowerCase(), path.toLowerCase(), weights);
    if (score === 0) continue;
    const lastLine = Math.min(first + CHUNK_LINES, lines.length);
    hits.push({ path, firstLine: first + 1, lastLine, score, text: chunk.slice(0, CHUNK_CHARACTERS) });
  }
  return hits;
}

function scoreOf(chunk: string, path: string, weights: readonly Weight[]): number {
  let score = 0;
  let inText = false;
  for (const { word, weight } of weights) {
    const times = timesIn(chunk, word);
    inText ||= times > 0;
    score += weight * (Math.min(times, 3) ** 0.5 + (path.includes(word) ? 0.5 : 0));
  }
  return inText ? Math.round(score * 1_000) / 1_000 : 0;
}

/** Up to three, which is all that counts. */
function timesIn(text: string, word: string): number {
  let times = 0;
  for (let at = text.indexOf(word); at !== -1 && times < 3; at = text.indexOf(word, at + word.length))
    times += 1;
  return times;
}
