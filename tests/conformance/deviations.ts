import { expect } from 'vitest';
import type { Answered } from './exchange.ts';

/** Where our answer is another than that of the SDK's handler, and why we stay with ours. */
export interface Deviation {
  readonly reason: string;
  /** Names of the requests that show it. */
  readonly requests: RegExp;
  /** Where it shows: beside the handler of both eras, beside the strict transport, or (left out) beside both. */
  readonly beside?: 'handler' | 'strict transport';
  /** What each side answers, as far as they differ: nothing else may. */
  readonly ours: Partial<Answered>;
  readonly sdk: Partial<Answered>;
}

const something: unknown = expect.anything();
const quiet = { tools: {}, resources: {} };
const aloud = { tools: { listChanged: false }, resources: { listChanged: false } };

/** All known deviations. The differential test fails on one that no request shows any more. */
export const deviations: readonly Deviation[] = [
  {
    reason: 'Batches are forbidden since 2025-06-18, and one request a POST is what we promise.',
    requests: /^edge: a batch( with a modern request)?$/,
    ours: { status: 400, code: -32600 },
    sdk: { status: 200, result: {} },
  },
  {
    reason: 'An empty batch is a batch.',
    beside: 'strict transport',
    requests: /^edge: an empty batch$/,
    ours: { status: 400, code: -32600 },
    sdk: { status: 202 },
  },
  {
    reason: 'JSON that is no request is an invalid request (JSON-RPC 2.0 §5.1), not a parse error.',
    beside: 'strict transport',
    requests: /^edge: (a number|a null id|a fraction as id|no version|a member too many)$/,
    ours: { code: -32600 },
    sdk: { code: -32700 },
  },
  {
    reason: 'A header that names another revision is refused, also beside initialize.',
    beside: 'strict transport',
    requests: /^(legacy: initialize with a modern header|modern: initialize)$/,
    ours: { status: 400, code: -32000 },
    sdk: { status: 200, result: something },
  },
  {
    reason: 'A body that claims a revision for itself is of the modern era, whatever it claims.',
    beside: 'strict transport',
    requests: /^modern: a legacy revision$/,
    ours: { status: 400, code: -32000 },
    sdk: { status: 200, result: something },
  },
  {
    reason: 'A claim and a header that disagree are refused, not served by the header.',
    beside: 'strict transport',
    requests: /^modern: another revision in the header$/,
    ours: { status: 400, code: -32020 },
    sdk: { status: 200, result: something },
  },
  {
    reason: 'The revision is looked at before Accept, which only one era must send.',
    beside: 'strict transport',
    requests: /^modern: a list without Accept$/,
    ours: { status: 400 },
    sdk: { status: 406 },
  },
  {
    reason: 'A body has at most 1 MiB here, 4 MiB there.',
    requests: /^edge: above our limit$/,
    ours: { status: 413, code: -32000 },
    sdk: { status: 200, result: {} },
  },
  {
    reason: 'A capability that is off is left out: `listChanged: false` says the same in more words.',
    requests: /initialize|discover/,
    ours: { result: { capabilities: quiet } },
    sdk: { result: { capabilities: aloud } },
  },
  {
    reason: 'Parameters that do not fit are invalid parameters (JSON-RPC 2.0 §5.1), not an internal error.',
    requests: /^legacy: (initialize without anything|a list with a number as cursor|a read without a URI)$/,
    ours: { code: -32602 },
    sdk: { code: -32603 },
  },
  {
    reason: 'Who says only which revision it speaks is served: nothing else of the handshake is used here.',
    requests: /^legacy: initialize with a revision only$/,
    ours: { result: something },
    sdk: { code: -32603 },
  },
  {
    reason: 'Arguments that do not fit are told in the words of our validator, with a stable code.',
    requests: /: a call that does not fit$/,
    ours: {
      result: {
        content: [
          {
            text: 'The arguments do not fit the schema.\n✖ Invalid input: expected array, received string\n  → at words',
          },
        ],
        _meta: { error: { code: 'invalid_input' } },
      },
    },
    sdk: {
      result: {
        content: [
          { text: 'Input validation error: Invalid arguments for tool test_join: data/words must be array' },
        ],
      },
    },
  },
  {
    reason: 'An error that nobody expected is for the operator: its text never reaches the caller.',
    requests: /: a call that breaks$/,
    ours: {
      result: {
        content: [{ text: 'Something broke on our side. Reference: reference' }],
        _meta: { error: { code: 'internal', reference: 'reference' } },
      },
    },
    sdk: { result: { content: [{ text: 'The database at 10.0.0.7 is gone.' }] } },
  },
  {
    reason: 'An unknown cursor is refused, as the specification asks; the SDK lists from the start.',
    requests: /: a list with an unknown cursor$/,
    ours: { code: -32602 },
    sdk: { result: something },
  },
  {
    reason: 'A missing resource has a code of its own up to 2025-11-25.',
    requests: /^legacy: a read of nothing$/,
    ours: { code: -32002 },
    sdk: { code: -32602 },
  },
  {
    reason: 'Streams are not offered: there is nothing to listen to.',
    beside: 'handler',
    requests: /subscriptions\/listen$/,
    ours: { status: 404, code: -32601 },
    sdk: { status: 200, result: something },
  },
];
