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
    // Most tests wait for processes and databases: three files at once also on a machine of two cores.
    maxWorkers: 3,
    setupFiles: ['tests/seed.ts'],
    globalSetup: ['packages/store/src/testing/global.ts'],
    // What never ends is found; what is slow on a busy machine does not fail.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', 'json'],
    outputFile: { json: '.test-report.json' },
  },
});
