import { onStop } from '@portolan/http';
import { endWithNpm } from '@portolan/process';
import { runCommand } from './cli/command.ts';

// A closed terminal is a wish to end, like Ctrl-C.
process.on('SIGHUP', () => process.kill(process.pid, 'SIGTERM'));
endWithNpm(process.env);

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  workingFolder: process.cwd(),
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  isTerminal: process.stdout.isTTY,
  onStop,
});
