import { APICallError, JSONParseError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { pauseBefore } from './answer.ts';
import { failure, failureOf, type FailureCode } from './failure.ts';
import { defaultLimits } from './limits.ts';

const now = new Date('2026-01-01T00:00:00Z');

function answered(statusCode: number | undefined, message = 'no', responseHeaders = {}) {
  return new APICallError({
    message,
    url: 'http://x',
    requestBodyValues: { secret: 1 },
    statusCode,
    responseHeaders,
  });
}

describe('what a provider error means', () => {
  it.each<[string, unknown, FailureCode]>([
    ['401', answered(401), 'model_unauthorized'],
    ['403', answered(403), 'model_unauthorized'],
    ['404', answered(404), 'model_unknown'],
    ['408', answered(408), 'model_overloaded'],
    ['429', answered(429), 'model_rate_limited'],
    ['529', answered(529), 'model_overloaded'],
    ['400', answered(400), 'model_rejected'],
    ['413', answered(413), 'context_too_long'],
    [
      '400 for length',
      answered(400, "This model's maximum context length is 8192 tokens."),
      'context_too_long',
    ],
    ['400 for length, Anthropic', answered(400, 'prompt is too long: 210000 tokens'), 'context_too_long'],
    ['no connection', answered(undefined, 'Cannot connect'), 'model_unreachable'],
    ['an unreadable chunk', new JSONParseError({ text: '{', cause: new Error('x') }), 'model_malformed'],
    [
      'an overload told in the stream',
      { type: 'overloaded_error', message: 'Overloaded' },
      'model_overloaded',
    ],
    ['a rate limit told in the stream', { code: 'rate_limit_exceeded' }, 'model_rate_limited'],
    ['another error told in the stream', { code: 'billing' }, 'model_rejected'],
  ])('%s', (_, error, code) => {
    const read = failureOf(error, false, now);
    expect(read.code).toBe(code);
    expect(JSON.stringify(read)).not.toContain('secret');
  });

  it('is a cut once output had begun', () => {
    expect(failureOf(new TypeError('terminated'), true, now).code).toBe('model_cut');
    expect(failureOf(answered(200, 'Failed to process successful response'), true, now).code).toBe(
      'model_cut',
    );
  });

  it('tells how each address of a host failed', () => {
    const refused = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}`));
    expect(failureOf(new AggregateError(refused), false, now)).toMatchObject({
      code: 'model_unreachable',
      detail: 'connect ECONNREFUSED ::1; connect ECONNREFUSED 127.0.0.1',
    });
  });

  it('keeps only the beginning of what the provider said', () => {
    expect(failureOf(answered(400, 'x'.repeat(9_000)), false, now).detail).toHaveLength(500);
  });

  it.each([
    [{ 'retry-after-ms': '75' }, 75],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }, 3_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads the wait in %j', (headers, wait) => {
    expect(failureOf(answered(429, 'busy', headers), false, now).retryAfterMs).toBe(wait);
  });
});

describe('the pause before another try', () => {
  it.each([
    ['doubles from half a second', failure('model_overloaded'), 1, 1_000],
    ['is what the provider asks for', { ...failure('model_rate_limited'), retryAfterMs: 9_999 }, 0, 9_999],
    [
      'is none when that is too long',
      { ...failure('model_rate_limited'), retryAfterMs: 10_001 },
      0,
      undefined,
    ],
    ['is none when it would not help', failure('model_unauthorized'), 0, undefined],
  ])('%s', (_, failed, attempt, pause) => {
    expect(pauseBefore(failed, attempt, defaultLimits)).toBe(pause);
  });
});
