import { median } from '../figures.ts';
import { conditionsOf, table, type Occasion } from '../report.ts';
import type { DoorFigure, DoorRow, DoorsPlan } from './bench.ts';
import { sides } from './subjects.ts';

/** What authorisation may cost above the same at the open door. */
export const allowed = { cpu: 80, p50: 0.3 } as const;

/** The report of the doors as Markdown. */
export function doorsReport(rows: readonly DoorRow[], plan: DoorsPlan, occasion: Occasion): string {
  return [
    '# What a door costs\n\nWritten by `npm run bench`; never edited by hand.',
    conditions(plan, occasion),
    `## Above the open door\n\n${gateTable(rows)}`,
    ...plan.grants.map((grants) => `## ${grants} stored grants\n\n${sideTable(rows, grants)}`),
    `## The sides\n\n${table(['side', 'what it is'], Object.entries(sides))}`,
  ].join('\n\n');
}

function conditions({ rounds, alone, crowd }: DoorsPlan, occasion: Occasion): string {
  return `${conditionsOf(occasion)}
- The site is \`mervare serve\` as an operator runs it, with its log in a file, over an embedded PostgreSQL that keeps its files in memory: writing to a disk is no part of any figure. All of it, the load (autocannon) and the peer share
  the machine. Everything speaks 2026-07-28, in which the peer is at its best. ${rounds} interleaved rounds at each number of grants; every grant has
  its person, its client and a token that has not ended. Every side had to give a good answer first; a failed request ends the run.
- p50 is what one lone client saw (${alone.warmUp} s of warm-up, ${alone.window} s counted), the least of the rounds. CPU is the processor time (user and system) of the whole
  serving process a request, under ${crowd.connections} clients (${crowd.warmUp} s and ${crowd.window} s), in the round that has the least; the median of the rounds stands beside both. The database is
  all processes of PostgreSQL in the same round. "foreign" is the share of the machine that others took during that round.
- Above the open door stands what the check of the token, the person's rights of the moment and the entitlement cost: ${allowed.cpu} µs and ${allowed.p50} ms are allowed,
  with any number of grants. A call that only reads leaves no row in the audit trail; the one that writes has its row in its transaction.`;
}

/** The gate: what the authorised side costs above the open one. */
export function gateTable(rows: readonly DoorRow[]): string {
  const heads = ['asked', 'grants', 'open µs', 'authorised µs', 'above µs', 'median µs'];
  const lines = rows
    .filter(({ side }) => side === 'authorised')
    .flatMap((row) => {
      const open = rows.find(
        (one) => one.side === 'open' && one.subject === row.subject && one.grants === row.grants,
      );
      return open ? [gateLine(open, row)] : [];
    });
  const more = [
    `≤ ${allowed.cpu} µs`,
    'open ms',
    'authorised ms',
    'above ms',
    'median ms',
    `≤ ${allowed.p50} ms`,
  ];
  return table([...heads, ...more], lines);
}

function gateLine(open: DoorRow, row: DoorRow): string[] {
  const [openCpu, cpu] = [least(open, 'cpu'), least(row, 'cpu')];
  const [openP50, p50] = [least(open, 'p50'), least(row, 'p50')];
  return [
    row.subject.title,
    `${row.grants}`,
    openCpu.toFixed(1),
    cpu.toFixed(1),
    (cpu - openCpu).toFixed(1),
    median(differences(open, row, 'cpu')).toFixed(1),
    cpu - openCpu <= allowed.cpu ? 'yes' : 'no',
    openP50.toFixed(2),
    p50.toFixed(2),
    (p50 - openP50).toFixed(2),
    median(differences(open, row, 'p50')).toFixed(2),
    p50 - openP50 <= allowed.p50 ? 'yes' : 'no',
  ];
}

function differences(open: DoorRow, row: DoorRow, of: 'cpu' | 'p50'): number[] {
  return row.figures.map((figure, round) => figure[of] - (open.figures[round]?.[of] ?? Number.NaN));
}

function sideTable(rows: readonly DoorRow[], grants: number): string {
  const heads = [
    'asked',
    'side',
    'p50 ms',
    'median',
    'CPU µs',
    'median',
    'database CPU µs',
    'req/s',
    'foreign',
    'answer bytes',
  ];
  return table(heads, rows.filter((row) => row.grants === grants).map(sideLine));
}

function sideLine(row: DoorRow): string[] {
  const best = row.figures.toSorted((one, other) => one.cpu - other.cpu)[0];
  if (!best) return [row.subject.title, row.side, 'not measured'];
  const middle = (of: keyof DoorFigure) => median(row.figures.map((figure) => figure[of]));
  return [
    row.subject.title,
    row.side,
    least(row, 'p50').toFixed(2),
    middle('p50').toFixed(2),
    best.cpu.toFixed(1),
    middle('cpu').toFixed(1),
    best.databaseCpu.toFixed(1),
    best.perSecond.toFixed(0),
    `${(best.foreign * 100).toFixed(0)} %`,
    `${row.bytes}`,
  ];
}

function least(row: DoorRow, of: 'cpu' | 'p50'): number {
  return Math.min(...row.figures.map((figure) => figure[of]));
}
