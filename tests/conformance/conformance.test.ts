import { allRevisions, type Revision } from '@portolan/mcp/serve';
import { describe, expect, it } from 'vitest';
import { fixtureServer, listen } from './fixtures/mount.ts';
import { runSuite, type Run } from './suite.ts';

/** Runs the suite against the fixtures on a mount that speaks these revisions. */
async function run(revisions: readonly Revision[], requirements: string): Promise<Run> {
  const server = await listen(fixtureServer(revisions));
  try {
    return await runSuite(server.url, requirements);
  } finally {
    await server.close();
  }
}

describe('the official conformance suite', () => {
  it('MER-7 passes at 2025-11-25 on a mount that speaks every revision', async () => {
    const { exitCode, output, failed } = await run(allRevisions, '2025-11-25');
    expect(exitCode, output).toBe(0);
    expect(failed.get('json-schema-2020-12')).toEqual([]);
  });

  it('MER-7 passes at 2025-11-25 on a mount that speaks this revision only', async () => {
    const { exitCode, output, failed } = await run(['2025-11-25'], '2025-11-25');
    expect(exitCode, output).toBe(0);
    expect(failed.get('json-schema-2020-12')).toEqual([]);
  });

  it('MER-7 passes at 2026-07-28, with the checks that the suite does not score yet', async () => {
    const { exitCode, output, failed } = await run(allRevisions, '2026-07-28');
    expect(exitCode, output).toBe(0);
    expect(failed.get('json-schema-2020-12')).toEqual([]);
    expect(failed.get('http-header-validation')).toEqual([]);
    expect(failed.get('http-custom-header-server-validation')).toEqual([]);
  });
});
