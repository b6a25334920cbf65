import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { processScopes } from '@portolan/process';
import { living, sleeping, stubborn } from '@portolan/process/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runProcess } from '../testing/command.ts';
import { EVERYTHING, napOfTest, outwardProject as project } from '../testing/outward.ts';

const SOON = { timeout: 60_000, interval: 20 };

/** The reference server behind a shell that is deaf and holds every stubborn peer; it answers once all of them are up. */
function hostile(nap: number) {
  const peers = Object.values(stubborn(nap));
  const script = `
    exec 3<&0; trap '' TERM INT HUP
    for peer; do sh -c "$peer" </dev/null >/dev/null 2>&1 & done
    until [ "$(grep -lz '^${nap}$' /proc/[0-9]*/cmdline 2>/dev/null | wc -l)" -eq ${holdsOf(nap)} ]; do sleep 0.01; done
    ${process.execPath} "$0" stdio <&3 & wait`;
  const args = ['-c', script, EVERYTHING, ...peers.map((peer) => peer.script)];
  return { transport: 'stdio', command: 'sh', args };
}

/** How many processes the stubborn peers hold together. */
const holdsOf = (nap: number) => Object.values(stubborn(nap)).reduce((sum, { holds }) => sum + holds, 0);

describe('a hostile server', () => {
  it('SAI-36.7 leaves nothing once the command has ended', async () => {
    const nap = napOfTest();
    const folder = project({ hostile: hostile(nap) });
    const { ran } = runProcess(['mcp', 'call', 'hostile', 'echo', '--args', '{"message":"hi"}'], folder);
    expect(await ran).toEqual({ code: 0, out: 'Echo: hi', complaint: '' });
    expect(living(nap)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'SAI-36.7 leaves nothing once %s has ended a call',
    async (signal) => {
      const nap = napOfTest();
      const { child, ran } = await inMidCall(nap);
      child.kill(signal);
      const ended = await ran;
      expect(living(nap)).toEqual([]);
      expect(ended).toEqual({
        code: 1,
        out: '',
        complaint:
          'saivage: The MCP server "hostile" failed. The caller cancelled. It may have acted on the request.',
      });
    },
  );

  it('SAI-36.4 leaves nothing after SIGKILL of saivage itself', async (test) => {
    const { level } = await processScopes();
    if (level !== 'namespace') test.skip(`not promised at the level ${level}`);
    const nap = napOfTest();
    const { child } = await inMidCall(nap);
    child.kill('SIGKILL');
    await expect.poll(() => living(nap), SOON).toEqual([]);
  });
});

/** A command whose call has reached the tool and gets no answer: the tool fetches from a listener that is silent. */
async function inMidCall(nap: number) {
  const listener = createServer();
  onTestFinished(() => void listener.close());
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  const args = ['--args', JSON.stringify({ data: `http://127.0.0.1:${port}/` })];
  const command = ['mcp', 'call', 'hostile', 'gzip-file-as-resource', ...args];
  const started = runProcess(command, project({ hostile: hostile(nap) }));
  await once(listener, 'connection');
  await expect.poll(() => sleeping(nap)).toBe(holdsOf(nap));
  return started;
}
