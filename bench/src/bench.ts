import { startChild, type Child } from './child.ts';
import { asked, eras, exercises, type Era, type Exercise } from './exercise.ts';
import { measure, type Effort, type Figure, type Target } from './measure.ts';
import type { ServerReady } from './server-process.ts';
import { verify, type Answer } from './verify.ts';

/** What to run. */
export interface Plan {
  /** Names of variants, in the order of the report. */
  readonly variants: readonly string[];
  readonly rounds: number;
  readonly effort: Effort;
}

/** One row of the report: a variant in one exercise and era. */
export interface Row {
  readonly variant: string;
  readonly says: string;
  readonly exercise: Exercise;
  readonly era: Era;
  /** What it answered. Without a right answer nothing is measured. */
  readonly answer?: Answer;
  /** A figure a round; none for a round in which a request failed. */
  readonly figures: (Figure | undefined)[];
  /** What went wrong: a wrong answer, a failed request. */
  readonly faults: string[];
}

/** Runs the plan: all servers of a catalogue size side by side, the rounds interleaved. */
export async function bench(plan: Plan, say: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const tools of new Set(exercises.map((exercise) => exercise.tools))) {
    const servers = plan.variants.map((variant) => startServer(variant, tools));
    try {
      const listening = await Promise.all(servers.map(({ ready }) => ready));
      const those = exercises.filter((exercise) => exercise.tools === tools);
      const cells = await Promise.all(cellsOf(those, listening).map(verified));
      await runRounds(cells, plan, say);
      rows.push(...cells.map(({ row }) => row));
    } finally {
      await Promise.all(servers.map(({ child }) => child.end()));
    }
  }
  return rows;
}

interface Server extends Target, ServerReady {
  readonly variant: string;
}

interface Cell {
  readonly server: Server;
  readonly row: Row;
}

function startServer(variant: string, tools: number) {
  const child = startChild('server-process', [variant, String(tools)]);
  const ready = child
    .next<ServerReady>(60_000)
    .then((said): Server => ({ ...said, variant, process: child }));
  return { child, ready };
}

function cellsOf(those: readonly Exercise[], servers: readonly Server[]): Cell[] {
  return those.flatMap((exercise) =>
    eras.flatMap((era) =>
      servers
        .filter((server) => server.eras.includes(era) && server.operations.includes(exercise.operation))
        .map((server) => ({ server, row: emptyRow(server, exercise, era) })),
    ),
  );
}

function emptyRow({ variant, says }: Server, exercise: Exercise, era: Era): Row {
  return { variant, says, exercise, era, figures: [], faults: [] };
}

async function verified({ server, row }: Cell): Promise<Cell> {
  try {
    return { server, row: { ...row, answer: await verify(server.url, row.era, row.exercise) } };
  } catch (error) {
    return { server, row: { ...row, faults: [String(error)] } };
  }
}

/** Every second round goes backwards, so that a slow drift of the machine favours nobody. */
async function runRounds(cells: readonly Cell[], { rounds, effort }: Plan, say: (line: string) => void) {
  const load = loader();
  try {
    for (let round = 1; round <= rounds; round++) {
      const sound = cells.filter(({ row }) => row.answer);
      for (const cell of round % 2 ? sound : sound.toReversed()) {
        await addFigure(cell, load, effort);
        say(`${round}/${rounds} ${lineOf(cell.row)}`);
      }
    }
  } finally {
    await load.end();
  }
}

async function addFigure({ server, row }: Cell, load: Loader, effort: Effort): Promise<void> {
  try {
    const request = asked(row.era, row.exercise.operation);
    row.figures.push(await measure(server, load.child(), request, effort));
  } catch (error) {
    row.figures.push(undefined);
    row.faults.push(String(error));
    await load.end();
  }
}

function lineOf({ exercise, era, variant, figures, faults }: Row): string {
  const cpu = figures.at(-1)?.cpu;
  return `${exercise.title}, ${era}, ${variant}: ${cpu === undefined ? faults.at(-1) : `${cpu.toFixed(1)} µs`}`;
}

interface Loader {
  child(): Child;
  end(): Promise<void>;
}

/** The load process: the same for all figures, and a new one after it was ended. */
function loader(): Loader {
  let running: Child | undefined;
  return {
    child: () => (running ??= startChild('load-process')),
    async end() {
      await running?.end();
      running = undefined;
    },
  };
}
