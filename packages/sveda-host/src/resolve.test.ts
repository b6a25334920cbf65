import { describe, expect, it } from 'vitest';
import { resolveToolsUsing } from './resolve.ts';

interface Tool {
  readonly name: string;
  readonly mode: 'read' | 'write';
}

const tools: readonly Tool[] = [
  { name: 'find', mode: 'read' },
  { name: 'change', mode: 'write' },
  { name: 'read', mode: 'read' },
];

describe('resolveToolsUsing', () => {
  it('SVE-27.3 lists fewer tools for a visitor, in the order of the host', () => {
    const listed = resolveToolsUsing((visitor: { admin: boolean }, all: readonly Tool[]) =>
      visitor.admin ? all.toReversed() : all.filter(({ mode }) => mode === 'read'),
    );
    expect(listed({ admin: false }, tools).map(({ name }) => name)).toEqual(['find', 'read']);
    expect(listed({ admin: true }, tools)).toEqual(tools);
    expect(listed({ admin: true }, [])).toEqual([]);
  });

  it('SVE-27.3 never lists what the host does not have: nothing invented, changed or twice', () => {
    const [find] = tools;
    const listed = resolveToolsUsing((_visitor: object, all: readonly Tool[]): readonly Tool[] => [
      { name: 'drop_everything', mode: 'write' },
      { name: 'change', mode: 'read' },
      ...all.slice(0, 1),
      ...all.slice(0, 1),
    ]);
    expect(listed({}, tools)).toEqual([find]);
    const greedy = resolveToolsUsing((_visitor: object, all: readonly Tool[]) => {
      (all as Tool[]).push({ name: 'more', mode: 'write' });
      return all;
    });
    expect(() => greedy({}, tools)).toThrow(TypeError);
    expect(tools).toHaveLength(3);
  });
});
