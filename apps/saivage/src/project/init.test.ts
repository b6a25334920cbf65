import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { surroundings } from '../cli/surroundings.ts';
import { folderOfTest, makeProject } from '../testing/project.ts';
import { configurationSchema } from '../config/schema.ts';
import { initProject } from './init.ts';
import { openProject } from './open.ts';

const options = {
  newId: () => '2003686f-0798-4a9a-9439-f392b339e6f1',
  now: new Date('2026-01-02T03:04:05.678Z'),
  agents: { analyst: ['get_status'] },
};

it('SAI-2.1 writes the layout of .saivage once', () => {
  const folder = folderOfTest();
  expect(initProject(folder, options)).toEqual(
    ['saivage.yaml', 'saivage.schema.json', 'project.json', '.gitignore'].map((name) => ({
      file: join('.saivage', name),
      became: 'written',
    })),
  );
  expect(readdirSync(folder.saivage).toSorted()).toEqual([
    '.gitignore',
    'config',
    'locks',
    'project.json',
    'saivage.schema.json',
    'saivage.yaml',
    'work',
  ]);
  expect(JSON.parse(readFileSync(folder.identity, 'utf8'))).toEqual({
    id: '2003686f-0798-4a9a-9439-f392b339e6f1',
    name: folder.root.split('/').at(-1),
    created_at: '2026-01-02T03:04:05.678Z',
  });
  for (const closed of [folder.config, folder.locks, folder.work]) {
    expect(statSync(closed).mode & 0o777).toBe(0o700);
  }
});

it('SAI-2.1 SAI-30.8 makes a project that can be opened, whatever the umask', () => {
  const folder = folderOfTest();
  const before = process.umask(0);
  try {
    initProject(folder, options);
  } finally {
    process.umask(before);
  }
  expect([folder.saivage, folder.yaml].map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o644]);
  expect(openProject(folder, surroundings({})).identity.id).toBe(options.newId());
});

it('SAI-2.1 never overwrites', () => {
  const folder = makeProject(folderOfTest());
  for (const file of [folder.yaml, folder.schema, folder.identity, folder.gitignore])
    writeFileSync(file, 'mine');
  expect(new Set(initProject(folder, options).map(({ became }) => became))).toEqual(new Set(['kept']));
  for (const file of [folder.yaml, folder.schema, folder.identity, folder.gitignore]) {
    expect(readFileSync(file, 'utf8')).toBe('mine');
  }
});

it('SAI-3.3 names the schema in the first line, for editors, and ships it there', () => {
  const folder = makeProject(folderOfTest());
  const [first = ''] = readFileSync(folder.yaml, 'utf8').split('\n');
  const [, path = ''] = /^# yaml-language-server: \$schema=(.+)$/.exec(first) ?? [];
  const schema: unknown = JSON.parse(readFileSync(join(dirname(folder.yaml), path), 'utf8'));
  expect(schema).toEqual(configurationSchema());
});
