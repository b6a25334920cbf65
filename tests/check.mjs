#!/usr/bin/env node
/**
 * Runs the checks of a built tree side by side, the longest first, and says what each of them said when it has ended. Ends with 1
 * where one of them has failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('..', import.meta.url));

const checks = {
  format: 'npm run --silent format:check',
  lint: 'npm run --silent lint',
  duplicates: 'npm run --silent duplicates',
  'generated files': 'node tests/generate.mjs --check',
};

const passed = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
if (passed.includes(false)) process.exitCode = 1;

async function run(name, command) {
  const child = spawn('sh', ['-c', `exec 2>&1; ${command}`], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  process.stdout.write(`-- ${name}${code === 0 ? '' : ' FAILED'}\n${said}`);
  return code === 0;
}
