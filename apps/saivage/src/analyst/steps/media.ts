import { refuse } from '../verdict.ts';
import type { HeadStep } from './head.ts';

export const contentIsJson: HeadStep = (head) => {
  const types = head.values('content-type').map(mediaType);
  return types.length === 1 && types[0] === 'application/json'
    ? undefined
    : refuse(400, 'Content-Type must be application/json, once.');
};

/** Answers are JSON only, yet the protocol has every client accept both types (2025-11-25, Streamable HTTP). */
export const acceptsBothTypes: HeadStep = (head) => {
  const accepted = head
    .values('accept')
    .flatMap((value) => value.split(','))
    .filter((range) => !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range))
    .map(mediaType);
  return accepted.includes('application/json') && accepted.includes('text/event-stream')
    ? undefined
    : refuse(406, 'Accept must name application/json and text/event-stream.');
};

function mediaType(value: string): string {
  return (value.split(';', 1)[0] ?? '').trim().toLowerCase();
}
