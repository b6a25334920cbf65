import { describe, expect, it } from 'vitest';
import { cellsOf, HAPPENINGS, REQUESTS } from '../testing/matrix.ts';
import { asked, happened, happenings, requests, statusOf } from './states.ts';
import type { Happening, Request, State } from './states.ts';

const names = (matrix: string, what: 'row' | 'column') => new Set(cellsOf(matrix).map((cell) => cell[what]));

describe('the table of an owner', () => {
  it('SAI-31.1 has a cell for every state and event', () => {
    for (const matrix of [REQUESTS, HAPPENINGS])
      expect([...names(matrix, 'row')]).toEqual(Object.keys(statusOf));
    expect([...names(REQUESTS, 'column')]).toEqual([...requests]);
    expect([...names(HAPPENINGS, 'column')]).toEqual([...happenings]);
  });

  it('SAI-31.1 says what each request does', () => {
    const found = cellsOf(REQUESTS).map(({ row, column }) => {
      const next = asked(row as State, column as Request);
      return { row, column, cell: typeof next === 'string' ? next : `!${next.refused}` };
    });
    expect(found).toEqual(cellsOf(REQUESTS));
  });

  it('SAI-31.1 says what each news does', () => {
    const found = cellsOf(HAPPENINGS).map(({ row, column }) => ({ row, column, cell: cellOf(row, column) }));
    expect(found).toEqual(cellsOf(HAPPENINGS));
  });
});

function cellOf(row: string, column: string): string {
  try {
    return happened(row as State, column as Happening) ?? 'late';
  } catch {
    return 'fault';
  }
}
