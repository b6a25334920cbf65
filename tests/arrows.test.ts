import { describe, expect, it } from 'vitest';
import { read, rooms, sources } from './workspace.ts';

/** Who may import whom. A room that is missing here may import none of ours. Apps may import any package. */
const arrows: Record<string, readonly string[]> = {
  '@portolan/mcp': ['@portolan/process'],
  '@portolan/agent': ['@portolan/mcp'],
  '@sveda-ai/core': ['@sveda-ai/protocol'],
  '@sveda-ai/element': ['@sveda-ai/core'],
  '@sveda-ai/react': ['@sveda-ai/core'],
  '@sveda-ai/host': ['@sveda-ai/protocol'],
};

const house = rooms();
const packages = house.filter(({ folder }) => folder.startsWith('packages/')).map(({ name }) => name);
const ours = new Set(house.map(({ name }) => name));

function allowed(room: { name: string; folder: string }): readonly string[] {
  return room.folder.startsWith('apps/') ? packages : (arrows[room.name] ?? []);
}

describe('the arrows between rooms', () => {
  it.each(house)('hold in the manifest of $name', (room) => {
    const inner = room.dependencies.filter((name) => ours.has(name));
    expect(inner.filter((name) => !allowed(room).includes(name))).toEqual([]);
  });

  it.each(house)('hold in the imports of $name', (room) => {
    const wrong = sources(`${room.folder}/src`).flatMap((file) =>
      importsOf(read(file))
        .filter((name) => ours.has(name) && name !== room.name)
        .filter((name) => !allowed(room).includes(name) || !room.dependencies.includes(name))
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('lets the agent package import MCP types only', () => {
    const wrong = sources('packages/agent/src').filter((file) =>
      /^import (?!type\b).*from '@portolan\/mcp/m.test(read(file)),
    );
    expect(wrong).toEqual([]);
  });

  it('lets no relative import leave its room', () => {
    const wrong = house.flatMap((room) =>
      sources(`${room.folder}/src`).filter((file) => leavesRoom(file, room.folder)),
    );
    expect(wrong).toEqual([]);
  });
});

it('no test replaces a module: it is the real ones that run together', () => {
  const tests = ['packages', 'apps', 'bench', 'tests'].flatMap((folder) => sources(folder, /\.test\.tsx?$/));
  expect(tests.length).toBeGreaterThan(200);
  expect(tests.filter((file) => /\bvi\.(do)?mock\(/i.test(read(file)))).toEqual([]);
});

it('no hook hides in a module that test files import: what a helper opens is closed when its test has finished', () => {
  const shared = ['packages', 'apps', 'bench', 'tests'].flatMap((folder) =>
    sources(folder, /(?<!\.test)\.tsx?$/),
  );
  expect(shared.filter((file) => /^(after|before)(All|Each)\(/m.test(read(file)))).toEqual([]);
});

/** Package names that a source imports: `@scope/name` or `name`, subpaths cut off. */
function importsOf(source: string): string[] {
  const specifiers = [...source.matchAll(/(?:from|import|import\()\s*'([^'.][^']*)'/g)].map(
    (hit) => hit[1] ?? '',
  );
  return specifiers.map((name) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  );
}

function leavesRoom(file: string, folder: string): boolean {
  const depth = file.slice(folder.length + 1).split('/').length - 1;
  return [...read(file).matchAll(/from '((?:\.\.\/)+)/g)].some((hit) => (hit[1] ?? '').length / 3 > depth);
}
