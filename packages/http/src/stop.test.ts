import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';

/** A process of its own that stops as `handler` says; resolves when it is ready for signals. */
async function start(handler: string) {
  const script = `
    import { onStop } from '@portolan/http';
    setInterval(() => {}, 1000);
    onStop(${handler});
    console.log('ready');
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const says = async (pattern: RegExp) => {
    while (!pattern.test(text)) await once(child.stdout, 'data');
  };
  await says(/ready/);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return { child, exited, says };
}

describe('onStop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 after its handler, on %s', async (signal) => {
    const { child, exited, says } = await start(`async () => console.log('saved')`);
    child.kill(signal);
    expect(await exited).toBe(0);
    await says(/saved/);
  });

  it('ends with 1 and says why when its handler fails', async () => {
    const { child, exited, says } = await start(`() => Promise.reject(new Error('disk full'))`);
    child.kill('SIGTERM');
    expect(await exited).toBe(1);
    await says(/stopping failed/);
  });

  it('ends at once at the second signal', async () => {
    const { child, exited, says } = await start(`() => new Promise(() => console.log('saving'))`);
    child.kill('SIGTERM');
    await says(/saving/);
    child.kill('SIGINT');
    expect(await exited).toBe(1);
  });
});
