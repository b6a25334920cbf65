import { watchNpm } from '@portolan/process';
import { runCommand } from './cli/program.ts';
import { readSecret } from './cli/secret-input.ts';

// Whoever started us by npx, and ends that, means us.
watchNpm(process.env, () => process.kill(process.pid, 'SIGTERM'));

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  isTerminal: process.stdout.isTTY,
  readSecret: (prompt) => readSecret(prompt, process.stdin, process.stderr),
});
