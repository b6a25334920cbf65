import { existsSync } from 'node:fs';
import { Trouble } from '@portolan/cli';
import { holdHome } from '../alone.ts';
import { emptyHome, homeOf } from '../home.ts';
import type { Terminal } from './terminal.ts';

/** `stack reset`: removes all that a stack keeps in its home. What else lies there stays, and is named. */
export async function reset({ environment, workingFolder, print }: Terminal): Promise<void> {
  const home = homeOf(environment['PORTOLAN_HOME'], workingFolder);
  // Held to the end, so that no stack starts in what is being removed.
  if (existsSync(home.root) && (await holdHome(home.root)) === undefined)
    throw new Trouble(`A stack runs in ${home.root}: end it first.`);
  const left = await emptyHome(home);
  print(
    left.length === 0 ? `${home.root} is empty.` : `${home.root} keeps what is not ours: ${left.join(', ')}`,
  );
}
