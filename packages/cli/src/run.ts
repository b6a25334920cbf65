import type { Command } from 'commander';
import { failureOf } from './failure.ts';

/**
 * Runs one command line and resolves with its exit code. A command that ends badly throws, or, having said itself what is wrong,
 * sets the code. `complain` gets one line for the person at the terminal.
 */
export async function runProgram(
  args: readonly string[],
  build: (setCode: (code: number) => void) => Command,
  complain: (line: string) => void,
): Promise<number> {
  let code = 0;
  const program = build((given) => (code = given));
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    const failure = failureOf(error, program);
    if (failure) complain(`${program.name()}: ${failure.message}`);
    return failure?.code ?? 0;
  }
}
