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

function conditions({ rounds, pairs, alone, crowd }: DoorsPlan, occasion: Occasion): string {
  return `${conditionsOf(occasion)}
- The site is \`mervare serve\` as an operator runs it, with its log in a file, over an embedded PostgreSQL that keeps its files in memory: writing to a disk is no part of any figure. All of it, the load (autocannon) and the peer share
  the machine. Everything speaks 2026-07-28, in which the peer is at its best. Every grant has its person, its client and a token that has
  not ended. Every side had to give a good answer first; a failed request ends the run.
- Two sides take turns in short windows: ${rounds * pairs} pairs at each number of grants, in ${rounds} rounds; the one without a peer has ${rounds} windows. p50 is what one lone
  client saw (${seconds(alone.warmUp)} of warm-up, ${seconds(alone.window)} counted). CPU is the processor time (user and system) of the whole serving process a request, under ${crowd.connections} clients
  (${seconds(crowd.warmUp)} and ${seconds(crowd.window)}); the database is all processes of PostgreSQL meanwhile. Every figure is the median of its windows.
- Above the open door stands the median of the differences of the pairs, and between which values their middle half lies: what the check of the
  token, the person's rights of the moment and the entitlement cost. ${allowed.cpu} µs and ${allowed.p50} ms are allowed, with any number of grants. A call that
  only reads leaves no row in the audit trail; the one that writes has its row in its transaction. Everybody here was let in a moment
  before, so that reading begins while the check is under way.
- "foreign" is the share of the machine that others took meanwhile, the median of the windows.`;
}

function seconds(value: number): string {
  return `${Math.round(value * 1000) / 1000} s`;
}

/** The gate: what the authorised side costs above the open one. */
export function gateTable(rows: readonly DoorRow[]): string {
  const heads = [
    'asked',
    'grants',
    'open µs',
    'authorised µs',
    'above µs',
    'middle half',
    `≤ ${allowed.cpu} µs`,
  ];
  const more = ['open ms', 'authorised ms', 'above ms', 'middle half', `≤ ${allowed.p50} ms`];
  const lines = rows
    .filter(({ side }) => side === 'authorised')
    .flatMap((row) => {
      const open = rows.find(
        (one) => one.side === 'open' && one.subject === row.subject && one.grants === row.grants,
      );
      return open
        ? [[row.subject.title, `${row.grants}`, ...gate(open, row, 'cpu', 1), ...gate(open, row, 'p50', 2)]]
        : [];
    });
  return table([...heads, ...more], lines);
}

/** Both sides, the difference, its spread, and whether it is allowed. */
function gate(open: DoorRow, row: DoorRow, of: 'cpu' | 'p50', digits: number): string[] {
  const pairs = row.figures.map((figure, turn) => figure[of] - (open.figures[turn]?.[of] ?? Number.NaN));
  const sorted = pairs.toSorted((one, other) => one - other);
  const [low = Number.NaN, high = Number.NaN] = [0.25, 0.75].map(
    (share) => sorted[Math.floor((sorted.length - 1) * share + 0.5)],
  );
  const above = median(pairs);
  return [
    middle(open, of).toFixed(digits),
    middle(row, of).toFixed(digits),
    above.toFixed(digits),
    `${low.toFixed(digits)} to ${high.toFixed(digits)}`,
    above <= allowed[of] ? 'yes' : 'no',
  ];
}

function sideTable(rows: readonly DoorRow[], grants: number): string {
  const heads = ['asked', 'side', 'p50 ms', 'CPU µs', 'database CPU µs', 'req/s', 'foreign', 'answer bytes'];
  return table(heads, rows.filter((row) => row.grants === grants).map(sideLine));
}

function sideLine(row: DoorRow): string[] {
  return [
    row.subject.title,
    row.side,
    middle(row, 'p50').toFixed(2),
    middle(row, 'cpu').toFixed(1),
    middle(row, 'databaseCpu').toFixed(1),
    middle(row, 'perSecond').toFixed(0),
    `${(middle(row, 'foreign') * 100).toFixed(0)} %`,
    `${row.bytes}`,
  ];
}

function middle({ figures }: DoorRow, of: keyof DoorFigure): number {
  return median(figures.map((figure) => figure[of]));
}
