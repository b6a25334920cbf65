import { endWithNpm } from '@portolan/process';
import { runCommand } from './cli/program.ts';
import { readSecret } from './cli/secret-input.ts';

endWithNpm(process.env);

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  isTerminal: process.stdout.isTTY,
  readSecret: (prompt) => readSecret(prompt, process.stdin, process.stderr),
});
