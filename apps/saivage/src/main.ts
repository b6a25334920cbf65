import { createInterface } from 'node:readline/promises';
import { onStop } from '@portolan/http';
import { endWithNpm } from '@portolan/process';
import { runCommand } from './cli/program.ts';
import { takeSecrets } from './config/secrets.ts';

const { env, argv, stdin, stdout, stderr } = process;

endWithNpm(env);

process.exitCode = await runCommand(argv.slice(2), {
  environment: env,
  takeSecrets: () => takeSecrets(env),
  workingFolder: process.cwd(),
  print: (line) => console.log(line),
  complain: (line) => console.error(line),
  log: { write: (text) => stderr.write(text) },
  async ask(question) {
    if (!stdin.isTTY) return undefined;
    const reader = createInterface({ input: stdin, output: stdout });
    return reader.question(question).finally(() => reader.close());
  },
  interruption() {
    const controller = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
    return controller.signal;
  },
  onStop,
});
