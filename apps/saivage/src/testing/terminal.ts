import { runCommand } from '../cli/program.ts';
import { takeSecrets } from '../config/secrets.ts';

/** What a command line did, without a process. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly complaint: string;
}

/** What a test may set around a command. */
export interface Around {
  readonly workingFolder: string;
  readonly environment?: Record<string, string>;
  /** What a person types when asked; without it nobody is there. */
  readonly answer?: string;
}

/** Runs a command line that ends by itself. */
export async function run(
  args: readonly string[],
  { workingFolder, environment = {}, answer }: Around,
): Promise<Ran> {
  const out: string[] = [];
  const complaints: string[] = [];
  const code = await runCommand(args, {
    environment,
    takeSecrets: () => takeSecrets(environment),
    workingFolder,
    print: (line) => void out.push(line),
    complain: (line) => void complaints.push(line),
    log: { write: () => undefined },
    ask: (question) => Promise.resolve(answer === undefined ? undefined : (out.push(question), answer)),
    interruption: () => new AbortController().signal,
    onStop: () => undefined,
  });
  return { code, out: out.join('\n'), complaint: complaints.join('\n') };
}
