import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Launch } from './launch.ts';
import { tryOut } from './level/tools.ts';
import { openScopes, levels, processScopes } from './scopes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-launch-'));
  writeFileSync(join(folder, 'plain.txt'), 'no program\n');
  writeFileSync(join(folder, 'orphan'), '#!/no/such/interpreter\n');
  writeFileSync(join(folder, 'script'), '#!/bin/sh\necho "$0 $1"\n');
  for (const name of ['orphan', 'script']) chmodSync(join(folder, name), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command to its end: what it said, and how it ended. */
async function run(launch: Partial<Launch> & { command: string }) {
  const scopes = await processScopes();
  const scope = await scopes.start({ args: [], env: { PATH: '/usr/bin:/bin' }, cwd: folder, ...launch });
  scope.stdin.end();
  const [said, complained, exit] = await Promise.all([text(scope.stdout), text(scope.stderr), scope.exited]);
  await scope.end({ grace: 0 });
  return { said, complained, exit };
}

describe('a launch', () => {
  it.each([
    [
      'no-such-program',
      'command_not_found',
      'The command "no-such-program" is not on the PATH of its environment.',
    ],
    ['./no-such-file', 'command_not_found', 'The command "./no-such-file" does not exist.'],
    ['./plain.txt', 'command_not_executable', 'The command "./plain.txt" is not executable.'],
    ['.', 'command_not_found', 'The command "." is not on the PATH of its environment.'],
    [
      './orphan',
      'interpreter_not_found',
      'The interpreter /no/such/interpreter of the script "./orphan" does not exist or is not executable.',
    ],
  ])('of %s is refused as %s, by name', async (command, code, message) => {
    await expect(run({ command })).rejects.toMatchObject({ name: 'LaunchError', code, command, message });
  });

  it('in a folder that does not exist is refused as such', async () => {
    await expect(run({ command: 'true', cwd: '/no/such/folder' })).rejects.toMatchObject({
      code: 'folder_not_found',
      message: 'The working folder /no/such/folder of "true" does not exist.',
    });
  });

  it('that the system refuses never quotes arguments or environment', async () => {
    const secret = 'hunter2\0';
    await expect(run({ command: 'true', args: [secret] })).rejects.toThrow(
      /^The system refused to start "true" \(ERR_INVALID_ARG_VALUE\)\.$/,
    );
    await expect(run({ command: 'true', args: ['x'.repeat(3_000_000)] })).rejects.toThrow(
      /^The system refused to start "true" \(E2BIG\)\.$/,
    );
  });

  it('looks a bare name up on the PATH of its own environment, and a path below its folder', async () => {
    const bare = await run({ command: 'script', args: ['one'], env: { PATH: `/nowhere:${folder}` } });
    expect(bare.said).toBe(`${folder}/script one\n`);
    const path = await run({ command: './script', args: ['--pid'] });
    expect(path.said).toBe(`${folder}/script --pid\n`);
  });

  it('gives the command its environment and nothing of ours', async () => {
    const env = { PATH: '/usr/bin:/bin', 'npm_config_@scope:registry': 'odd', EMPTY: '' };
    const { said } = await run({ command: 'env', env });
    expect(said.trim().split('\n').toSorted()).toEqual([
      'EMPTY=',
      'PATH=/usr/bin:/bin',
      'npm_config_@scope:registry=odd',
    ]);
  });

  it('passes on bytes, exit codes and deaths by signal', async () => {
    expect(await run({ command: 'sh', args: ['-c', 'echo out; echo err >&2; exit 7'] })).toEqual({
      said: 'out\n',
      complained: 'err\n',
      exit: { code: 7, signal: null },
    });
    expect((await run({ command: 'sh', args: ['-c', 'kill -SEGV $$'] })).exit).toEqual({
      code: 139,
      signal: null,
    });
  });
});

describe('a control group', () => {
  it('refuses variables that its shell would lose', async (test) => {
    const scopes = await openScopes(levels.filter(({ name }) => name === 'cgroup')).catch((error: Error) =>
      test.skip(error.message),
    );
    await expect(
      scopes.start({ command: 'true', args: [], env: { 'a-b': '' }, cwd: '/' }),
    ).rejects.toMatchObject({
      code: 'environment_not_passable',
      message:
        'The variable "a-b" for "true" cannot be passed on where processes are held in control groups.',
    });
  });
});

describe('a try-out', () => {
  it('ends with its time, also where its program is deaf to SIGTERM', async () => {
    const deaf = ['/bin/sh', '-c', "trap '' TERM; exec sleep 600"] as const;
    expect(await tryOut(deaf, 0, 300)).toBe('it ended with SIGKILL');
  });
});
