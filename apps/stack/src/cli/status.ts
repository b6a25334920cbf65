import { isHeld } from '../alone.ts';
import { homeOf } from '../home.ts';
import { readStackFile } from '../stack-file.ts';
import type { Terminal } from './terminal.ts';

/** `stack status`: says what runs, and where. */
export async function status({ environment, workingFolder, print }: Terminal): Promise<void> {
  const home = homeOf(environment['PORTOLAN_HOME'], workingFolder);
  if (!(await isHeld(home.root))) return print('stopped');
  const said = await readStackFile(home.stack);
  if (said === undefined) return print('starting or stopping');
  const { pid, ...apps } = said;
  print(`running (process ${pid})`);
  for (const [name, facts] of Object.entries(apps))
    for (const [what, value] of Object.entries(facts)) print(`${name} ${what}: ${value}`);
}
