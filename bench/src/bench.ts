import { startChild, type Child } from './child.ts';
import { eras, exercises, request, type Era, type Exercise } from './exercise.ts';
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

/** One row of the report: a variant in one exercise and era, with a figure a round. */
export interface Row {
  readonly variant: string;
  readonly says: string;
  readonly exercise: Exercise;
  readonly era: Era;
  readonly answer?: Answer;
  readonly figures: Figure[];
  /** Why there is no figure: a wrong answer, a failed request. */
  void?: string;
}

/** Runs the plan: all servers of a catalogue size side by side, the rounds interleaved. */
export async function bench(plan: Plan, say: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const tools of new Set(exercises.map((exercise) => exercise.tools))) {
    const servers = plan.variants.map((variant) => startServer(variant, tools));
    try {
      const listening = await Promise.all(servers.map(({ ready }) => ready));
      const asked = exercises.filter((exercise) => exercise.tools === tools);
      const cells = await Promise.all(cellsOf(asked, listening).map(verified));
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
    .next<ServerReady>(30_000)
    .then((said): Server => ({ ...said, variant, process: child }));
  return { child, ready };
}

function cellsOf(asked: readonly Exercise[], servers: readonly Server[]): Cell[] {
  return asked.flatMap((exercise) =>
    eras.flatMap((era) =>
      servers
        .filter((server) => server.eras.includes(era) && server.operations.includes(exercise.operation))
        .map((server) => ({ server, row: emptyRow(server, exercise, era) })),
    ),
  );
}

function emptyRow({ variant, says }: Server, exercise: Exercise, era: Era): Row {
  return { variant, says, exercise, era, figures: [] };
}

async function verified({ server, row }: Cell): Promise<Cell> {
  try {
    return { server, row: { ...row, answer: await verify(server.url, row.era, row.exercise) } };
  } catch (error) {
    return { server, row: { ...row, void: String(error) } };
  }
}

/** Every second round goes backwards, so that a slow drift of the machine favours nobody. */
async function runRounds(cells: readonly Cell[], { rounds, effort }: Plan, say: (line: string) => void) {
  const load = loader();
  try {
    for (let round = 1; round <= rounds; round++) {
      const sound = cells.filter(({ row }) => row.void === undefined);
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
    const asked = request(row.era, row.exercise.operation);
    row.figures.push(await measure(server, load.child(), asked, effort));
  } catch (error) {
    row.void = String(error);
    await load.end();
  }
}

function lineOf(row: Row): string {
  const cpu = row.figures.at(-1)?.cpu.toFixed(1);
  return `${row.exercise.title}, ${row.era}, ${row.variant}: ${row.void ?? `${cpu} µs`}`;
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
