import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highWaters } from './tide.mjs';

void test('high waters follow each other by 12 hours and 25 minutes', () => {
  const times = highWaters(new Date('2026-01-01T06:10:00Z'), 2).map((time) => time.toISOString());
  assert.deepEqual(times, ['2026-01-01T18:35:00.000Z', '2026-01-02T07:00:00.000Z']);
});
