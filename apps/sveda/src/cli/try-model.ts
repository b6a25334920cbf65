import { randomUUID } from 'node:crypto';
import { openRoute, openTranscript, runTurn, type CandidateConfig } from '@portolan/agent';
import { validateInput } from '../tools/validate.ts';

/** How long a model may take to say a word, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Asks a model for a word. Undefined when it answers, else why not. Scripts are only read, for asking would use them up. */
export async function tryModel(candidate: CandidateConfig): Promise<string | undefined> {
  if (candidate.provider === 'scripted') return undefined;
  const route = openRoute([candidate]);
  const transcript = openTranscript();
  transcript.take({ type: 'message', parts: [{ type: 'text', text: 'Answer with the word: ready' }] });
  const events = runTurn({
    route,
    instructions: 'Answer in one word.',
    transcript,
    tools: [],
    validate: validateInput,
    limits: { steps: 1 },
    newId: randomUUID,
    observe: () => undefined,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  for await (const event of events) {
    if (event.type !== 'turn.end') continue;
    if (event.reason === 'stopped') return `It gave no answer within ${PATIENCE_MS / 1_000} s.`;
    if (event.failure) return [event.failure.message, event.failure.detail].filter(Boolean).join(' ');
  }
  return undefined;
}
