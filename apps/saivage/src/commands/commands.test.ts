import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { living, sleeping } from '@portolan/process/testing';
import { newId } from '@portolan/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { napOfTest } from '../testing/outward.ts';
import { folderOfTest, makeProject } from '../testing/project.ts';
import { openCommands, type Commands } from './commands.ts';

const never = new AbortController().signal;
function commandsOfTest(id = () => newId(Date.now())): {
  readonly commands: Commands;
  readonly root: string;
} {
  const { root, work } = makeProject(folderOfTest());
  const commands = openCommands({
    root,
    work,
    environment: { PATH: process.env['PATH'], LANG: 'C.UTF-8', PRIVATE: 'not for children' },
    now: () => new Date(),
    newId: id,
  });
  onTestFinished(() => commands.close());
  return { commands, root };
}

const run = (commands: Commands, command: string, cwd = '.') =>
  commands.run({ command, cwd, startedBy: 'executor' });
const end = (commands: Commands, id: string) => commands.wait(id, { ms: 120_000, signal: never });

describe('shell commands', () => {
  it('SAI-14.1 keep their output, whole in a log and its end at hand, and their exit code', async () => {
    const { commands, root } = commandsOfTest();
    mkdirSync(join(root, 'quay'));
    const { id, status } = await run(commands, 'pwd; echo õäöü >&2; exit 7', 'quay');
    expect(status).toBe('running');
    const ended = await end(commands, id);
    expect(ended).toMatchObject({
      status: 'exited',
      exitCode: 7,
      cwd: 'quay',
      startedBy: 'executor',
      logCut: false,
    });
    const lines = `${root}/quay\nõäöü\n`;
    expect(ended.tail.split('\n').toSorted()).toEqual(lines.split('\n').toSorted());
    expect(readFileSync(ended.log, 'utf8')).toBe(ended.tail);
    expect(statSync(ended.log).mode & 0o777).toBe(0o600);
    expect(commands.list().map((one) => one.id)).toEqual([id]);
    expect(commands.list('running')).toEqual([]);
  });

  it('SAI-14.2 get a small environment and no input', async () => {
    const { commands } = commandsOfTest();
    const { id } = await run(commands, 'cat; env');
    const { tail } = await end(commands, id);
    expect(tail).toContain('LANG=C.UTF-8');
    expect(tail).not.toMatch(/PRIVATE|SAIVAGE/);
  });

  it('SAI-14.3 go on when nobody waits any longer, and end when they are told, with all that they started', async () => {
    const { commands } = commandsOfTest();
    const nap = napOfTest();
    const { id } = await run(commands, `trap '' TERM; setsid sleep ${nap} & sleep ${nap}`);
    expect(await commands.wait(id, { ms: 1, signal: never })).toMatchObject({ status: 'running' });
    expect(await commands.wait(id, { ms: 60_000, signal: AbortSignal.abort() })).toMatchObject({
      status: 'running',
    });
    await expect.poll(() => sleeping(nap)).toBe(2);
    expect(await commands.kill(id)).toMatchObject({ status: 'killed' });
    expect(living(nap)).toEqual([]);
  });

  it('SAI-14.4 leave nothing in the background', async () => {
    const { commands } = commandsOfTest();
    const nap = napOfTest();
    const { id } = await run(commands, `setsid sleep ${nap} >/dev/null 2>&1 & echo started`);
    expect(await end(commands, id)).toMatchObject({ status: 'exited', exitCode: 0, tail: 'started\n' });
    expect(living(nap)).toEqual([]);
  });

  it('SAI-14.5 are contained at the end of the application, which takes no further one', async () => {
    const { commands } = commandsOfTest();
    const nap = napOfTest();
    await Promise.all([run(commands, `sleep ${nap}`), run(commands, `setsid sleep ${nap} & wait`)]);
    await expect.poll(() => sleeping(nap)).toBe(2);
    await commands.close();
    expect(living(nap)).toEqual([]);
    await expect(run(commands, 'true')).rejects.toMatchObject({ code: 'closed' });
  });

  it('SAI-14.5 are contained also where the end comes while they start', async () => {
    const { commands } = commandsOfTest();
    const nap = napOfTest();
    const starting = run(commands, `sleep ${nap}`);
    await commands.close();
    expect(commands.list()).toMatchObject([{ status: 'killed' }]);
    await starting;
  });

  it('SAI-14.1 have a log again after one of them has removed all', async () => {
    const { commands } = commandsOfTest();
    await end(commands, (await run(commands, 'rm -r .saivage/work/commands')).id);
    const { log } = await end(commands, (await run(commands, 'echo here')).id);
    expect(readFileSync(log, 'utf8')).toBe('here\n');
  });

  it('SAI-14.1 end as they do where their log cannot be written, which is told', async () => {
    const { commands, root } = commandsOfTest(() => 'full');
    mkdirSync(join(root, '.saivage/work/commands'), { recursive: true });
    symlinkSync('/dev/full', join(root, '.saivage/work/commands/full.log'));
    const { id } = await run(commands, 'head -c 1000000 /dev/zero; echo end');
    const told = { status: 'exited', exitCode: 0, outputBytes: 1_000_004, logCut: true };
    expect(await end(commands, id)).toMatchObject(told);
    expect((await end(commands, id)).tail).toMatch(/end\n$/);
  });

  it('SAI-14.6 are bounded: how many run, how much is kept, and where they work', async () => {
    const { commands, root } = commandsOfTest();
    symlinkSync('/tmp', join(root, 'out'));
    for (const cwd of ['..', '/tmp', 'out', '.saivage/data'])
      await expect(run(commands, 'true', cwd)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(run(commands, 'true', 'nowhere')).rejects.toMatchObject({ code: 'not_found' });
    const inWork = await run(commands, 'true', '.saivage/work');
    expect(await end(commands, inWork.id)).toMatchObject({ cwd: '.saivage/work', exitCode: 0 });

    const { id } = await run(commands, 'head -c 17000000 /dev/zero; echo end');
    const loud = await end(commands, id);
    expect(loud).toMatchObject({ exitCode: 0, outputBytes: 17_000_004, logCut: true });
    expect(statSync(loud.log).size).toBe(16 * 1024 * 1024);
    expect(loud.tail.length).toBe(16 * 1024);
    expect(loud.tail.endsWith('end\n')).toBe(true);

    const many = await Promise.allSettled(Array.from({ length: 33 }, () => run(commands, 'sleep 60')));
    expect(many.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'too_many' } },
    ]);
  });
});
