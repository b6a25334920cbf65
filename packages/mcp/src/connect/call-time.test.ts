import { describe, expect, it } from 'vitest';
import { callOf, connected, textOf } from './testing/opened.ts';
import { scripted } from './testing/peer.ts';
import { serve } from './testing/web.ts';

/** Without a word a call has 15 minutes. Everyday runs say a hundredth of that; the rule is the same. */
const TRUE_TIME = process.env.PORTOLAN_TRUE_TIME !== undefined;
const BUDGET = TRUE_TIME ? 900_000 : 9_000;
/** A shortened budget must have room for a machine that does much else. */
const NEARLY = TRUE_TIME ? 810_000 : 4_000;
const options = TRUE_TIME ? {} : { budget: BUDGET };

/** How a call ended, and after how many milliseconds. */
async function timed(call: Promise<unknown>) {
  const begin = performance.now();
  const end: unknown = await call.catch((error: unknown) => error);
  return { end, ms: performance.now() - begin };
}

describe('the time of a call', () => {
  it(
    'SAI-35.10 is 900 seconds over stdio and HTTP, for a call that nearly takes them and for those that are never answered',
    { timeout: BUDGET + 120_000 },
    async ({ annotate }) => {
      const { definition } = await serve({ hang: () => undefined });
      const [slow, silent, web] = await Promise.all(
        [scripted(), scripted(), definition].map((one) => connected(one)),
      );
      if (!slow || !silent || !web) throw new Error('not connected');
      const [nearly, never, neverOverHttp] = await Promise.all([
        timed(callOf(slow, 'slow', { ms: NEARLY }, options).then(textOf)),
        timed(callOf(silent, 'hang', {}, options)),
        timed(callOf(web, 'hang', {}, options)),
      ]);
      expect(nearly.end).toBe('done');
      expect(never.end).toMatchObject({
        code: 'timeout',
        effects: 'possible',
        containment: { contained: true },
      });
      expect(neverOverHttp.end).toMatchObject({ code: 'timeout', effects: 'possible' });
      for (const { ms } of [never, neverOverHttp]) {
        expect(ms).toBeGreaterThan(BUDGET - 50);
        expect(ms).toBeLessThan(BUDGET + 30_000);
      }
      const seconds = [nearly, never, neverOverHttp].map(({ ms }) => (ms / 1_000).toFixed(1));
      await annotate(
        `answered after ${seconds[0]} s; given up after ${seconds[1]} s (stdio) and ${seconds[2]} s (HTTP)`,
      );
    },
  );
});
