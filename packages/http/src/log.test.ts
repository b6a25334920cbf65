import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { memoryLog } from './testing/log.ts';

describe('a log', () => {
  it('writes a line of JSON with level, time and name', () => {
    const { log, lines } = memoryLog();
    log.info({ port: 8088 }, 'ready');
    log.debug('unheard');
    expect(lines()).toEqual([
      expect.objectContaining({ level: 'info', name: 'test', port: 8088, msg: 'ready' }),
    ]);
    expect(lines()[0]?.['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it.each([
    'authorization',
    'Cookie',
    'set-cookie',
    'token',
    'access_token',
    'SAIVAGE_API_TOKEN',
    'clientSecret',
    'password',
    'api_key',
    'apiKey',
    'privateKeys',
  ])('never writes the value of a field named %s, at any depth', (name) => {
    const { log, lines } = memoryLog();
    log.child({ [name]: 'hidden' }).info({ request: { headers: [{ [name]: 'hidden' }] } }, 'x');
    expect(lines()[0]).toMatchObject({
      [name]: '[secret]',
      request: { headers: [{ [name]: '[secret]' }] },
    });
    expect(JSON.stringify(lines())).not.toContain('hidden');
  });

  it('writes fields whose names only resemble', () => {
    const { log, lines } = memoryLog();
    log.info({ tokenizer: 'o200k', author: 'Ann', keys: 3 }, 'x');
    expect(lines()[0]).toMatchObject({ tokenizer: 'o200k', author: 'Ann', keys: 3 });
  });

  it('writes of an error its type, code, message, stack and cause, without credentials or other fields', () => {
    const { log, lines } = memoryLog();
    const cause = new Error('connect to postgres://ann:hidden@db/x failed');
    const error = Object.assign(new TypeError('sent Bearer hidden-abcdef', { cause }), {
      code: 'E_X',
      headers: { cookie: 'hidden' },
      detail: 'hidden row',
    });
    log.error({ err: error }, 'x');
    expect(lines()[0]?.['err']).toEqual({
      type: 'TypeError',
      code: 'E_X',
      message: 'sent Bearer [secret]',
      stack: expect.stringContaining('log.test.ts'),
      cause: expect.objectContaining({ message: 'connect to postgres://[secret]@db/x failed' }),
    });
    expect(JSON.stringify(lines())).not.toContain('hidden');
  });

  it('ends on a value that contains itself', () => {
    const { log, lines } = memoryLog();
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    log.info({ loop }, 'x');
    expect(JSON.stringify(lines()[0])).toContain('[deep]');
  });
});

describe('a log on standard output', () => {
  it('writes while the process runs, and what still waits when it exits', async () => {
    const script = `const { createLog } = await import('@portolan/http');
      const log = createLog({ name: 'test' });
      log.info('one');
      log.info('two');
      await new Promise((heard) => process.stdin.once('data', heard));
      log.info('three');
      process.exit(0);`;
    const cwd = fileURLToPath(new URL('..', import.meta.url));
    const child = execFile(process.execPath, ['--input-type=module', '--eval', script], { cwd });
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    const said: unknown[] = [];
    lines.on('line', (line) => said.push((JSON.parse(line) as { msg: string }).msg));
    while (said.length < 2) await once(lines, 'line');
    child.stdin?.write('go');
    await once(lines, 'close');
    expect(said).toEqual(['one', 'two', 'three']);
  });
});
