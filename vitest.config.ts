import { defineConfig } from 'vitest/config';

/**
 * Tests import the sources, never a build; tests that start a real process start the built one.
 * The export condition has a name of our own, because public packages ship TypeScript under `source`.
 */
export default defineConfig({
  resolve: { conditions: ['portolan'] },
  ssr: { resolve: { conditions: ['portolan'], externalConditions: ['portolan'] } },
  test: {
    include: [
      'packages/*/src/**/*.test.{ts,tsx}',
      'apps/*/src/**/*.test.{ts,tsx}',
      'tests/**/*.test.ts',
      'bench/src/**/*.test.ts',
    ],
    // Most tests wait for processes and databases: two files at once also on a machine of two cores.
    maxWorkers: 2,
    globalSetup: ['packages/store/src/testing/global.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', 'json'],
    outputFile: { json: '.test-report.json' },
  },
});
