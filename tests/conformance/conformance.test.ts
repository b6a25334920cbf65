import { allRevisions, type Revision } from '@portolan/mcp/serve';
import { beforeAll, describe, expect, it } from 'vitest';
import { deviations, type Deviation } from './deviations.ts';
import { covers, differences } from './differences.ts';
import { expectedFailures } from './expected-failures.ts';
import { exchange, recording, type Answered, type Sent } from './exchange.ts';
import { fixtureServer, listen, offered, type Fetch } from './fixtures/mount.ts';
import { sdkHandler, sdkStrictTransport } from './oracle.ts';
import { requests as handMade } from './requests.ts';
import { runSuite, type Run } from './suite.ts';

/** A run of the suite, and every request that it sent. */
type Refereed = Run & { readonly sent: readonly Sent[] };

const everyRevision: Record<string, Promise<Refereed>> = {};

/** Runs the suite against the fixtures on a mount that speaks these revisions. */
async function run(revisions: readonly Revision[], requirements: string): Promise<Refereed> {
  const sent: Sent[] = [];
  const server = await listen(recording(fixtureServer(revisions), sent));
  try {
    return { ...(await runSuite(server.url, requirements, expectedFailures)), sent };
  } finally {
    await server.close();
  }
}

/** The run on a mount that speaks every revision: once for all tests of this file. */
function runAt(requirements: string): Promise<Refereed> {
  return (everyRevision[requirements] ??= run(allRevisions, requirements));
}

describe('the official conformance suite', () => {
  it('MER-7 passes at 2025-11-25 on a mount that speaks every revision', async () => {
    const { exitCode, output, failed } = await runAt('2025-11-25');
    expect(exitCode, output).toBe(0);
    expect(failed.get('json-schema-2020-12')).toEqual([]);
  });

  it('MER-7 passes at 2025-11-25 on a mount that speaks this revision only', async () => {
    const { exitCode, output, failed } = await run(['2025-11-25'], '2025-11-25');
    expect(exitCode, output).toBe(0);
    expect(failed.get('json-schema-2020-12')).toEqual([]);
  });

  it('MER-7 passes at 2026-07-28, with the checks that the suite does not score yet', async () => {
    const { exitCode, output, failed } = await runAt('2026-07-28');
    expect(exitCode, output).toBe(0);
    expect(failed.get('json-schema-2020-12')).toEqual([]);
    expect(failed.get('http-header-validation')).toEqual([]);
    expect(failed.get('http-custom-header-server-validation')).toEqual([]);
  });
});

/** One request, answered by both. */
interface Compared {
  readonly request: Sent;
  readonly ours: Answered;
  readonly sdk: Answered;
  /** Where the answers differ. */
  readonly paths: readonly string[];
}

async function compare(ours: Fetch, sdk: Fetch, requests: readonly Sent[]): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const request of requests) {
    const [one, other] = [await exchange(ours, request), await exchange(sdk, request)];
    compared.push({ request, ours: one, sdk: other, paths: differences(one, other) });
  }
  return compared;
}

function shows(deviation: Deviation, { request, paths }: Compared): boolean {
  const named = paths.length > 0 && deviation.requests.test(request.name);
  return named && paths.every((path) => covers(deviation.ours, path) || covers(deviation.sdk, path));
}

const peers = [
  {
    peer: 'handler',
    ours: fixtureServer(allRevisions),
    sdk: sdkHandler(offered.version),
    sent: async () => [...handMade, ...(await runAt('2025-11-25')).sent, ...(await runAt('2026-07-28')).sent],
  },
  {
    peer: 'strict transport',
    ours: fixtureServer(['2025-11-25']),
    sdk: sdkStrictTransport(offered.version, '2025-11-25'),
    // What else than POST means is left to the app by this transport.
    sent: async () =>
      [...handMade, ...(await runAt('2025-11-25')).sent].filter(({ method }) => method === 'POST'),
  },
];

describe.each(peers)('the $peer of the SDK, sent the same', ({ peer, ours, sdk, sent }) => {
  const known = deviations.filter(({ beside = peer }) => beside === peer);
  let compared: Compared[] = [];
  beforeAll(async () => {
    compared = await compare(ours, sdk, await sent());
  });

  it('has seen what the suite sends', () => {
    expect(compared.length).toBeGreaterThan(handMade.length + 60);
  });

  it('MER-7 answers with the same status, code and result, but for the known deviations', () => {
    const unknown = compared.filter(
      (one) => one.paths.length > 0 && !known.some((deviation) => shows(deviation, one)),
    );
    expect(unknown).toEqual([]);
  });

  it.each(known)('deviates as stated: $reason', (deviation) => {
    const shown = compared.filter((one) => shows(deviation, one));
    expect(shown).not.toEqual([]);
    for (const { ours: one, sdk: other } of shown) {
      expect(one).toMatchObject(deviation.ours);
      expect(other).toMatchObject(deviation.sdk);
    }
  });
});
