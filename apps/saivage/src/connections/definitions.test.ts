import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { surroundings } from '../cli/surroundings.ts';
import { openProject } from '../project/open.ts';
import { openReal, scriptedServer } from '../testing/connections.ts';
import { folderOfTest, makeProject } from '../testing/project.ts';
import { puppetDefinition } from '../testing/stage.ts';
import { dynamicFile } from './dynamic.ts';

const YAML = 'mcpServers:\n  written: { transport: stdio, command: node }   # by hand\n';
const LOCAL = { transport: 'stdio', command: 'node', args: ['peer.js'], env: { KEY: '${HOME}' } };
const WEB = { transport: 'streamable-http', url: 'https://example.com/mcp' };

describe('a dynamic definition', () => {
  it('SAI-30.4 is kept as it stands, whole, private, beside an untouched saivage.yaml, and launches nothing', () => {
    const folder = makeProject(folderOfTest(), YAML);
    const { connections } = openReal({ folder, servers: { written: puppetDefinition('node') } });
    expect(connections.register('local', LOCAL)).toMatchObject({
      serverName: 'local',
      source: 'dynamic',
      transport: 'stdio',
      status: 'stopped',
      autostart: false,
      disabled: false,
      toolCount: 0,
      processId: null,
    });
    connections.register('web', WEB);
    expect(JSON.parse(readFileSync(dynamicFile(folder), 'utf8'))).toEqual({
      format_version: 1,
      servers: { local: LOCAL, web: WEB },
    });
    expect(statSync(dynamicFile(folder)).mode & 0o777).toBe(0o600);
    expect(readFileSync(folder.yaml, 'utf8')).toBe(YAML);
    expect(connections.list().map(({ status }) => status)).toEqual(['stopped', 'stopped', 'stopped']);

    // Saivage started again: they are there, and stopped.
    const again = openReal({ folder }).connections;
    expect(again.list()).toMatchObject([
      { serverName: 'local', source: 'dynamic', status: 'stopped' },
      { serverName: 'web', source: 'dynamic', status: 'stopped' },
    ]);
  });

  it('SAI-30.6 is replaced as a whole, and gone once it is unregistered', async () => {
    const { connections, folder } = openReal();
    const kept = () => (JSON.parse(readFileSync(dynamicFile(folder), 'utf8')) as { servers: object }).servers;
    connections.register('local', LOCAL);
    connections.replace('local', { transport: 'stdio', command: 'node' });
    expect(kept()).toEqual({ local: { transport: 'stdio', command: 'node' } });
    expect(connections.replace('local', WEB)).toMatchObject({
      transport: 'streamable-http',
      status: 'stopped',
    });
    expect(await connections.unregister('local')).toEqual({ serverName: 'local', status: 'unregistered' });
    expect(kept()).toEqual({});
    expect(connections.list()).toEqual([]);
    await expect(connections.unregister('local')).rejects.toMatchObject({
      code: 'unknown_server',
      status: 404,
    });
  });

  it('SAI-30.5 has a name of its own, and one of saivage.yaml is its operator’s', async () => {
    const { connections } = openReal({ servers: { written: puppetDefinition('node') } });
    const taken = expect.objectContaining({ code: 'name_taken', status: 409 }) as Error;
    expect(() => connections.register('written', LOCAL)).toThrow(taken);
    connections.register('local', LOCAL);
    expect(() => connections.register('local', LOCAL)).toThrow(taken);
    const foreign = { code: 'not_dynamic', status: 409, acts: 'operator' };
    expect(() => connections.replace('written', LOCAL)).toThrow(expect.objectContaining(foreign));
    await expect(connections.unregister('written')).rejects.toMatchObject(foreign);
    expect(() => connections.replace('nobody', LOCAL)).toThrow(expect.objectContaining({ status: 404 }));
  });

  it.each([
    ['a flag of saivage.yaml', { ...LOCAL, autostart: false }],
    ['another flag of saivage.yaml', { ...LOCAL, disabled: false }],
    ['a key of the other transport', { ...WEB, command: 'node' }],
    ['no command', { transport: 'stdio' }],
    ['another protocol', { transport: 'streamable-http', url: 'file:///etc/passwd' }],
    ['more than 64 KiB', { ...LOCAL, args: ['x'.repeat(65_536)] }],
    ['a zero byte', { ...LOCAL, args: ['secret\0'] }],
    ['a hidden variable', { ...LOCAL, env: JSON.parse('{"__proto__":"secret"}') as object }],
    ['a hidden key', JSON.parse('{"__proto__":{},"transport":"stdio","command":"secret"}') as object],
    ['nothing', undefined],
  ])('SAI-30.4 with %s is refused, without its values', (_, connection) => {
    const { connections, folder } = openReal();
    const message = expect.not.stringContaining('secret') as string;
    expect(() => connections.register('peer', connection)).toThrow(
      expect.objectContaining({ code: 'invalid_definition', status: 400, message }),
    );
    expect(() => statSync(dynamicFile(folder))).toThrow('ENOENT');
  });

  it('SAI-30.7 gives its child exactly what stands in it, and nothing of Saivage’s', async () => {
    const { connections, folder } = openReal({
      environment: { PATH: process.env['PATH'], HOME: '/home/somebody', OTHER: 'not for children' },
    });
    const { command, args } = scriptedServer();
    connections.register('peer', {
      transport: 'stdio',
      command: 'sh',
      args: ['-c', 'env > environment; pwd > folder; exec "$0" "$@"', command, ...args],
      env: { RAW: '${HOME} $HOME' },
    });
    await connections.start('peer');
    const lines = readFileSync(join(folder.root, 'environment'), 'utf8').trim().split('\n');
    const names = lines.map((line) => line.split('=')[0]);
    expect(lines).toContain('RAW=${HOME} $HOME');
    expect(lines).toContain('HOME=/home/somebody');
    expect(names).not.toContain('OTHER');
    expect(readFileSync(join(folder.root, 'folder'), 'utf8').trim()).toBe(folder.root);
  });
});

describe('the file of dynamic definitions', () => {
  it('SAI-30.5 with a name of saivage.yaml is a fault at the start, at its line', () => {
    const folder = makeProject(folderOfTest(), YAML);
    openReal({ folder }).connections.register('written', LOCAL);
    expect(() => openProject(folder, surroundings({}))).toThrow(
      expect.objectContaining({
        name: 'Misconfigured',
        message: expect.stringContaining(
          'saivage.yaml:2:3 mcpServers.written An agent has defined',
        ) as string,
      }),
    );
  });

  it.each([
    ['no JSON', '{"format_version":1,', 'is damaged'],
    ['another version', '{"format_version":2,"servers":{}}', 'is of a version that this release'],
    ['no version', '{"servers":{}}', 'is damaged'],
    ['an unknown key', '{"format_version":1,"servers":{},"more":1}', 'is damaged'],
    [
      'a flag',
      `{"format_version":1,"servers":{"a":${JSON.stringify({ ...WEB, autostart: true })}}}`,
      'is damaged',
    ],
    [
      'a hidden name',
      `{"format_version":1,"servers":{"__proto__":${JSON.stringify(WEB)}}}`,
      '__proto__ is not',
    ],
    [
      'a hidden variable',
      '{"format_version":1,"servers":{"a":{"transport":"stdio","command":"x","env":{"__proto__":"y"}}}}',
      '__proto__ is not allowed',
    ],
    ['a name that may not be', `{"format_version":1,"servers":{"-":${JSON.stringify(WEB)}}}`, 'is damaged'],
  ])('SAI-30.8 with %s is a fault at the start, which leaves it as it is', (_, text, says) => {
    const folder = makeProject(folderOfTest());
    mkdirSync(folder.config, { recursive: true });
    writeFileSync(dynamicFile(folder), text);
    expect(() => openReal({ folder })).toThrow(
      expect.objectContaining({ name: 'Misconfigured', message: expect.stringContaining(says) as string }),
    );
    expect(readFileSync(dynamicFile(folder), 'utf8')).toBe(text);
  });

  it('SAI-30.8 that anybody may write, or put in its place, is a fault at the start, and so is such a saivage.yaml', () => {
    const folder = makeProject(folderOfTest(), YAML);
    openReal({ folder }).connections.register('local', LOCAL);
    const fault = (path: string) =>
      expect.objectContaining({
        name: 'Misconfigured',
        message: `Anybody may write ${path}, which says what processes Saivage starts. Run \`chmod o-w '${path}'\`.`,
      }) as Error;
    for (const path of [dynamicFile(folder), folder.config, folder.yaml, folder.saivage]) {
      const { mode } = statSync(path);
      chmodSync(path, mode | 0o002);
      expect(() => openProject(folder, surroundings({}))).toThrow(fault(path));
      chmodSync(path, mode);
    }
    const open = join(folder.work, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    renameSync(folder.yaml, join(open, 'saivage.yaml'));
    symlinkSync(join(open, 'saivage.yaml'), folder.yaml);
    expect(() => openProject(folder, surroundings({}))).toThrow(fault(open));
    chmodSync(open, 0o755);
    expect(openProject(folder, surroundings({})).configuration.mcpServers).toHaveProperty('written');
  });

  it('SAI-30.8 that cannot be written leaves everything as it was', () => {
    const { connections, folder } = openReal();
    connections.register('first', WEB);
    const before = readFileSync(dynamicFile(folder), 'utf8');
    // A folder in the place of the draft: also root cannot write there.
    mkdirSync(`${dynamicFile(folder)}.${process.pid}.draft`);
    chmodSync(folder.config, 0o700);
    expect(() => connections.register('second', WEB)).toThrow('EISDIR');
    expect(connections.list().map(({ serverName }) => serverName)).toEqual(['first']);
    expect(readFileSync(dynamicFile(folder), 'utf8')).toBe(before);
  });
});
