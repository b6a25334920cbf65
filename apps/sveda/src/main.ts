import { endWithNpm } from '@portolan/process';
import { runCommand } from './cli/program.ts';

endWithNpm(process.env);

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
});
