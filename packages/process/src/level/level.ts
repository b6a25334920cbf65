import type { ChildProcess } from 'node:child_process';
import type { Launch } from '../launch.ts';
import type { Survey } from '../survey.ts';

/** How a command ended: with an exit code (128 + n after signal n, as in a shell), or by the SIGKILL of `end`. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How a scope keeps hold of its processes, strongest first. */
export type LevelName = 'namespace' | 'cgroup' | 'sweep';

/** One way to contain processes. */
export interface Level {
  readonly name: LevelName;
  /** Tries it on a process of its own: answers how to build fences, or in a sentence why it does not work here. */
  probe(): Promise<FenceBuilder | string>;
}

/** Builds the fence of one launch. Throws `LaunchError` when this launch cannot pass it. */
export type FenceBuilder = (launch: Launch) => Fence;

/** What stands around the processes of one scope. Each function is synchronous and may be called at any time. */
export interface Fence {
  /** Program and arguments that stand before the command. */
  readonly prefix: readonly [string, ...string[]];
  /** Variables that the command gets besides its own. */
  readonly marks: Readonly<Record<string, string>>;
  /** The pid of the command once the fence is closed around it; undefined before. */
  enclosed(wrapper: ChildProcess): number | undefined;
  /** From now on the end of the command alone ends nothing else. */
  hold(): void;
  /**
   * Looks for the scope's living processes, the fence's own left out. Nothing found in a whole look is the proof:
   * nothing of the scope lives, nor can come to life.
   */
  look(): Survey;
  /** Kills what was found, and the fence's own processes. */
  kill(found: readonly number[]): void;
  /** How the command ended, when the wrapper ended like this. */
  ending(wrapper: Exit): Exit;
  /** Clears away what the fence left in the system. Only once it is empty. */
  release(): void;
}
