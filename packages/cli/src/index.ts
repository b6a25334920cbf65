/** A program's outside for its operator: a strict command line, a strict configuration file, exit codes. */
export { dataFolder } from './data-folder.ts';
export { exitCodes } from './exit-codes.ts';
export { faultLine } from './faults.ts';
export type { Fault, Locator, Path } from './faults.ts';
export { runProgram } from './run.ts';
export { strict, valued, withSwitch } from './strict.ts';
export { Trouble } from './trouble.ts';
export { UsageError } from './usage.ts';
export type { Environment, Expansion } from './variables.ts';
export { readYaml } from './yaml-file.ts';
export type { Reading, Rules } from './yaml-file.ts';
